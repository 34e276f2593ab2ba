//! Calls that tell nothing new: the same call with the same result and nothing
//! learned in between; the same check with the same complaint after one write
//! and another; the same edit, made again and again.

use super::repeat_thresholds::{RepeatThresholds, evidence_of_repeats};
use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::config::{Config, Rule};
use crate::hash;
use crate::history::Outcome;
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Judges each outcome by how often the same call had it before.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct NoProgress {
    #[serde(skip)]
    thresholds: RepeatThresholds,
    /// The same edit, made successfully.
    #[serde(skip)]
    same_edit: u32,
    /// The same failure, with something new in between.
    #[serde(skip)]
    after_changes: u32,
    /// The same complaint of a run that worked, with something new in between.
    #[serde(skip)]
    complaints: u32,
    /// The same message in a row, whatever comes back.
    #[serde(skip)]
    messages: u32,
    /// Failures in a row, whatever they say.
    #[serde(skip)]
    failures: u32,
    active: bool,
}

/// A call that was repeated too often: how often, and what that proves.
struct Repeats {
    count: u32,
    evidence: EvidenceClass,
}

impl NoProgress {
    /// Whether the outcome was there too often.
    fn judge(
        &self,
        fingerprint: &Fingerprint,
        own: Option<u32>,
        outcome: &Outcome,
    ) -> Option<Repeats> {
        let evidence = evidence_of_repeats(outcome);
        if outcome.is_pause() || outcome.gets_better {
            return None;
        }
        if is_edit(fingerprint, outcome) {
            let evidence = EvidenceClass::Duplicate;
            let is_loop = outcome.successes >= self.same_edit;
            return is_loop.then_some(Repeats { count: outcome.successes, evidence });
        }
        let needed = self.thresholds.of(own, outcome);
        if evidence == EvidenceClass::Waiting {
            let count = outcome.same_results;
            return (count >= needed).then_some(Repeats { count, evidence });
        }
        if outcome.in_a_row && outcome.unchanged_repeats >= needed {
            return Some(Repeats { count: outcome.unchanged_repeats, evidence });
        }
        if outcome.failures_in_a_row >= self.failures.max(needed) {
            let evidence = EvidenceClass::Duplicate;
            return Some(Repeats { count: outcome.failures_in_a_row, evidence });
        }
        self.says_the_same(fingerprint, outcome).or_else(|| self.keeps_failing(outcome))
    }

    /// Whether a tool is sent the same message again and again, whatever it answers.
    fn says_the_same(&self, fingerprint: &Fingerprint, outcome: &Outcome) -> Option<Repeats> {
        let count = outcome.calls_in_a_row;
        let is_loop = outcome.is_message
            && !outcome.failed
            && !fingerprint.is_shell
            && count >= self.messages;
        is_loop.then_some(Repeats { count, evidence: EvidenceClass::Acknowledgement })
    }

    /// Whether a call keeps failing in the same way although something new was learned
    /// or written. After a write, another number may be the progress.
    fn keeps_failing(&self, outcome: &Outcome) -> Option<Repeats> {
        let (count, evidence) = match outcome.written_since {
            false => (outcome.same_results, EvidenceClass::Proven),
            true => (outcome.equal_results, EvidenceClass::Check),
        };
        // Where nothing new came in between, the pattern's own threshold counts instead.
        let is_loop = outcome.failed
            && count >= self.after_changes
            && outcome.unchanged_repeats < outcome.same_results;
        is_loop.then_some(Repeats { count, evidence })
    }

    /// Whether a run that works keeps complaining of the same, whatever is learned or
    /// written in between.
    fn keeps_complaining(&self, fingerprint: &Fingerprint, outcome: &Outcome) -> Option<Repeats> {
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
            .or_else(|| self.keeps_complaining(fingerprint, outcome));
        self.active = found.is_some();
        found.map(|found| signal(fingerprint, outcome, &found, outcome.index))
    }
}

/// Whether a call that is repeated with nothing in between can only bring the same.
fn is_sure(evidence: EvidenceClass) -> bool {
    matches!(
        evidence,
        EvidenceClass::Proven | EvidenceClass::Execution | EvidenceClass::IdenticalExecution
    )
}

/// Whether an editor made an edit. (A shell command such as `git add` may well be
/// repeated.)
fn is_edit(fingerprint: &Fingerprint, outcome: &Outcome) -> bool {
    outcome.effect == Effect::Write
        && !fingerprint.is_shell
        && outcome.evidence == Evidence::Acknowledgement
}

fn signal(fingerprint: &Fingerprint, outcome: &Outcome, repeats: &Repeats, index: u64) -> Signal {
    // Another success makes it another loop. A failure is the same whatever it says,
    // and so is an edit: it prints another result each time, since the file grows.
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
    signal.written_between = repeats.evidence == EvidenceClass::Check && outcome.written_since;
    signal
}

impl Pattern for NoProgress {
    const KIND: LoopKind = LoopKind::NoProgress;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.thresholds = RepeatThresholds::new(rule.threshold, &config.patience);
        self.same_edit = config.patience.same_edit;
        self.after_changes = config.patience.after_changes;
        self.complaints = config.patience.complaints;
        self.failures = config.patience.failures;
        self.messages = config.patience.unsure;
    }

    /// The call is about to be made again, and what came of it is known.
    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        if let Some(outcome) = &call.without_result {
            let mut signal = self.on_outcome(call.fingerprint, call.threshold, outcome)?;
            signal.before_call = true;
            return Some(signal);
        }
        let (last, next) = (call.previous?, call.expected?);
        let in_a_row = next.in_a_row;
        let repeats = self.judge(call.fingerprint, call.threshold, &next)?;
        let is_check = repeats.evidence == EvidenceClass::Check;
        let goes_on = is_edit(call.fingerprint, &last)
            || last.is_waiting()
            || last.failed && !is_check
            || in_a_row;
        if !goes_on {
            return None;
        }
        self.active = true;
        let mut signal = signal(call.fingerprint, &next, &repeats, call.index);
        signal.before_call = true;
        // Nothing came in between, so nothing else can come of it. (A write may fail once
        // more than another call: its result decides.)
        let writes = last.effect == Effect::Write;
        signal.is_repeat = in_a_row && !writes && is_sure(repeats.evidence);
        signal.service_unavailable = last.evidence == Evidence::Infrastructure;
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let outcome = result.outcome?;
        self.on_outcome(result.fingerprint, result.threshold, &outcome)
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn reset(&mut self) {
        self.active = false;
    }
}
