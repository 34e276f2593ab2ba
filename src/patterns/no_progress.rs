//! Calls that reveal nothing new: the same call with the same result and nothing learned in
//! between; the same check with the same complaint after several writes; the same edit,
//! made again and again.

use super::repeat_thresholds::{RepeatThresholds, evidence_of_repeats};
use super::{CallEvent, Memory, Pattern, Progress, ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::config::{Config, RecognisedBy, Rule};
use crate::hash;
use crate::history::Outcome;
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Judges each outcome by how many times the same call had it before.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct NoProgress {
    #[serde(skip)]
    thresholds: RepeatThresholds,
    /// Threshold for the same edit, made successfully.
    #[serde(skip)]
    same_edit: u32,
    /// Threshold for the same failure, with something new in between.
    #[serde(skip)]
    after_changes: u32,
    /// Threshold for the same complaint from a run that worked, with something new in
    /// between.
    #[serde(skip)]
    complaints: u32,
    /// Threshold for the same message in a row, whatever the reply.
    #[serde(skip)]
    messages: u32,
    /// Threshold for failures in a row, whatever they say.
    #[serde(skip)]
    failures: u32,
    #[serde(skip)]
    progress: Progress,
    active: bool,
}

/// A call that was repeated too many times.
struct Repeats {
    count: u32,
    evidence: EvidenceClass,
}

impl NoProgress {
    /// Decides whether the call had this outcome too many times, and how strong that is as
    /// evidence.
    fn judge(
        &mut self,
        fingerprint: &Fingerprint,
        own: Option<u32>,
        outcome: &Outcome,
    ) -> Option<Repeats> {
        let evidence = evidence_of_repeats(outcome);
        self.progress.count = 0;
        if outcome.is_pause() || outcome.is_improving {
            return None;
        }
        if is_edit(fingerprint, outcome) {
            let evidence = EvidenceClass::Duplicate;
            let is_loop = outcome.successes >= self.same_edit;
            self.progress = Progress::new(outcome.successes, self.same_edit);
            return is_loop.then_some(Repeats { count: outcome.successes, evidence });
        }
        let needed = self.thresholds.of(own, outcome);
        if evidence == EvidenceClass::Waiting {
            let count = outcome.same_results;
            self.progress = Progress::new(count, needed);
            return (count >= needed).then_some(Repeats { count, evidence });
        }
        self.progress = Progress::new(outcome.unchanged_repeats, needed)
            .closer(Progress::new(outcome.failures_in_a_row, self.failures.max(needed)));
        if outcome.failed && outcome.unchanged_repeats < outcome.same_results {
            let (count, _) = failures_after_changes(outcome);
            self.progress = self.progress.closer(Progress::new(count, self.after_changes));
        }
        if outcome.in_a_row && outcome.unchanged_repeats >= needed {
            return Some(Repeats { count: outcome.unchanged_repeats, evidence });
        }
        if outcome.failures_in_a_row >= self.failures.max(needed) {
            let evidence = EvidenceClass::Duplicate;
            return Some(Repeats { count: outcome.failures_in_a_row, evidence });
        }
        self.repeats_message(fingerprint, outcome).or_else(|| self.keeps_failing(outcome))
    }

    /// Detects the same message sent to a tool again and again, whatever the reply.
    fn repeats_message(&self, fingerprint: &Fingerprint, outcome: &Outcome) -> Option<Repeats> {
        let count = outcome.calls_in_a_row;
        let is_loop = outcome.is_message
            && !outcome.failed
            && !fingerprint.is_shell
            && count >= self.messages;
        is_loop.then_some(Repeats { count, evidence: EvidenceClass::Acknowledgement })
    }

    /// Detects a call that keeps failing in the same way although something new was learned
    /// or written. After a write, a changed number may be progress.
    fn keeps_failing(&self, outcome: &Outcome) -> Option<Repeats> {
        let (count, evidence) = failures_after_changes(outcome);
        // If nothing new came in between, the pattern's own threshold applies instead.
        let is_loop = outcome.failed
            && count >= self.after_changes
            && outcome.unchanged_repeats < outcome.same_results;
        is_loop.then_some(Repeats { count, evidence })
    }

    /// Detects a run that succeeds but keeps reporting the same problem, whatever is
    /// learned or written in between.
    fn keeps_reporting_problems(
        &self,
        fingerprint: &Fingerprint,
        outcome: &Outcome,
    ) -> Option<Repeats> {
        let is_loop = outcome.complains
            && outcome.evidence == Evidence::Informative
            && !outcome.failed
            && !outcome.is_waiting()
            && outcome.same_results >= self.complaints
            && outcome.unchanged_repeats < outcome.same_results
            && !fingerprint.runs_tests
            && outcome.effect == Effect::Execute;
        is_loop.then_some(Repeats { count: outcome.same_results, evidence: EvidenceClass::Check })
    }

    fn on_outcome(
        &mut self,
        fingerprint: &Fingerprint,
        own: Option<u32>,
        outcome: &Outcome,
    ) -> Option<Signal> {
        let found = self
            .judge(fingerprint, own, outcome)
            .or_else(|| self.keeps_reporting_problems(fingerprint, outcome));
        self.active = found.is_some();
        found.map(|found| signal(fingerprint, outcome, &found, outcome.index))
    }
}

/// Counts how many times a call failed the same way although something new came in between;
/// also returns what kind of evidence that is.
fn failures_after_changes(outcome: &Outcome) -> (u32, EvidenceClass) {
    match outcome.written_since {
        false => (outcome.same_results, EvidenceClass::Proven),
        true => (outcome.equal_results, EvidenceClass::Check),
    }
}

/// Returns whether a call that is repeated with nothing in between can only return the
/// same.
fn is_sure(evidence: EvidenceClass) -> bool {
    matches!(
        evidence,
        EvidenceClass::Proven | EvidenceClass::Execution | EvidenceClass::IdenticalExecution
    )
}

/// Returns whether an editing tool made an edit. (Repeating a shell command such as
/// `git add` is normal.)
fn is_edit(fingerprint: &Fingerprint, outcome: &Outcome) -> bool {
    outcome.effect == Effect::Write
        && !fingerprint.is_shell
        && outcome.evidence == Evidence::Acknowledgement
}

fn signal(fingerprint: &Fingerprint, outcome: &Outcome, repeats: &Repeats, index: u64) -> Signal {
    // A different success is a different loop. Failures of one call are one loop, whatever
    // they say, and so are edits: the file grows, so each prints a different result.
    let is_one_loop = outcome.failed || is_edit(fingerprint, outcome);
    let key = match is_one_loop {
        true => outcome.call,
        false => hash::pair(outcome.call, outcome.result),
    };
    let mut signal = Signal::new(LoopKind::NoProgress, key);
    signal.evidence = repeats.evidence;
    signal.count = repeats.count.into();
    signal.period = 1;
    signal.since = Some(outcome.since);
    signal.wasted = u64::from(repeats.count.saturating_sub(1));
    signal.calls.push(index);
    signal.recognised_by = match outcome.failed {
        _ if is_edit(fingerprint, outcome) => RecognisedBy::SameEdit,
        _ if outcome.same_results >= repeats.count => RecognisedBy::Default,
        // The results differ.
        true => RecognisedBy::MixedErrors,
        false => RecognisedBy::CallsOnly,
    };
    signal.written_between = repeats.evidence == EvidenceClass::Check && outcome.written_since;
    signal
}

impl Pattern for NoProgress {
    const KIND: LoopKind = LoopKind::NoProgress;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.progress = Progress::new(0u32, rule.threshold);
        self.thresholds = RepeatThresholds::new(rule.threshold, &config.patience);
        self.same_edit = config.patience.same_edit;
        self.after_changes = config.patience.after_changes;
        self.complaints = config.patience.complaints;
        self.failures = config.patience.failures;
        self.messages = config.patience.unsure;
    }

    /// Judges a call by its last outcome, before it is made again.
    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        if let Some(outcome) = call.without_result {
            let mut signal = self.on_outcome(call.fingerprint, call.threshold, outcome)?;
            signal.before_call = true;
            return Some(signal);
        }
        let (last, next) = (call.previous?, call.expected?);
        let in_a_row = next.in_a_row;
        let repeats = self.judge(call.fingerprint, call.threshold, next)?;
        let is_check = repeats.evidence == EvidenceClass::Check;
        let goes_on = is_edit(call.fingerprint, last)
            || last.is_waiting()
            || last.failed && !is_check
            || in_a_row;
        if !goes_on {
            return None;
        }
        self.active = true;
        let mut signal = signal(call.fingerprint, next, &repeats, call.index);
        signal.before_call = true;
        // Nothing came in between, so the result can only be the same. (A write gets one
        // more try: its result decides.)
        let writes = last.effect == Effect::Write;
        signal.is_repeat = in_a_row && !writes && is_sure(repeats.evidence);
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let outcome = result.outcome?;
        self.on_outcome(result.fingerprint, result.threshold, outcome)
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn reset(&mut self) {
        self.active = false;
        self.progress.count = 0;
    }
}
