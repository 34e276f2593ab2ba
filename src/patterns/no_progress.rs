//! Calls that tell nothing new: the same call with the same result and nothing
//! learned in between; the same check with the same complaint after one write
//! and another; the same edit, made again and again.

use super::repeat_thresholds::RepeatThresholds;
use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::config::{Config, Rule};
use crate::hash;
use crate::history::Outcome;
use crate::result::{Evidence, reports_problems};
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
    active: bool,
}

impl NoProgress {
    fn on_outcome(
        &mut self,
        fingerprint: &Fingerprint,
        own_threshold: Option<u32>,
        output: &str,
        outcome: &Outcome,
    ) -> Option<Signal> {
        let intent = &fingerprint.intent;
        let needed = self.thresholds.of(own_threshold, intent.is_polling, outcome.evidence);
        let edited = is_edit(fingerprint, outcome);
        let found = if edited {
            self.is_same_edit(fingerprint, outcome).then_some(outcome.successes)
        } else if outcome.in_a_row && outcome.unchanged_repeats >= needed {
            Some(outcome.unchanged_repeats)
        } else {
            self.fails_despite_changes(fingerprint, output, outcome).then_some(outcome.same_results)
        };
        self.active = found.is_some();
        found.map(|count| {
            let mut signal = signal(outcome, count.into(), outcome.index);
            signal.written_between = !edited && outcome.written_since;
            if edited {
                signal.loop_id = edit_loop(outcome);
            }
            signal
        })
    }

    /// Whether an editor keeps making the same edit.
    fn is_same_edit(&self, fingerprint: &Fingerprint, outcome: &Outcome) -> bool {
        is_edit(fingerprint, outcome) && outcome.successes >= self.same_edit
    }

    /// Whether a check keeps complaining of the same, whatever is learned or
    /// written in between.
    fn fails_despite_changes(
        &self,
        fingerprint: &Fingerprint,
        output: &str,
        outcome: &Outcome,
    ) -> bool {
        let intent = &fingerprint.intent;
        if outcome.failed {
            return self.keeps_failing(outcome, intent.is_polling);
        }
        outcome.evidence == Evidence::Informative
            && !intent.is_polling
            && outcome.same_results >= self.complaints
            && outcome.unchanged_repeats < outcome.same_results
            && !fingerprint.runs_tests
            && intent.effect == Effect::Execute
            && reports_problems(output)
    }

    /// Where nothing new came in between, the pattern's own threshold counts instead.
    fn keeps_failing(&self, outcome: &Outcome, is_polling: bool) -> bool {
        outcome.evidence == Evidence::Informative
            && !is_polling
            && outcome.same_results >= self.after_changes
            && outcome.unchanged_repeats < outcome.same_results
    }
}

/// Whether an editor made an edit. (A shell command such as `git add` may well be
/// repeated.)
fn is_edit(fingerprint: &Fingerprint, outcome: &Outcome) -> bool {
    fingerprint.intent.effect == Effect::Write
        && !fingerprint.is_shell
        && outcome.evidence == Evidence::Acknowledgement
}

fn signal(outcome: &Outcome, count: u64, index: u64) -> Signal {
    // Another result makes it another loop.
    let key = hash::pair(outcome.call, outcome.result);
    let mut signal = Signal::new(LoopKind::NoProgress, key);
    signal.count = count;
    signal.period = 1;
    signal.since = Some(outcome.since);
    signal.wasted = count - 1;
    signal.calls.push(index);
    signal
}

/// Identity of the loop of an edit that is made again: it prints another result
/// each time, since the file grows.
fn edit_loop(outcome: &Outcome) -> u64 {
    hash::pair(LoopKind::NoProgress as u64, outcome.call)
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
    }

    /// The call is about to be made again, and what came of it is known.
    fn on_call(&mut self, call: &CallEvent<'_>, memory: &Memory<'_>) -> Option<Signal> {
        if let Some(outcome) = &call.without_result {
            let mut signal = self.on_outcome(call.fingerprint, call.threshold, "", outcome)?;
            signal.before_call = true;
            return Some(signal);
        }
        let last = call.previous?;
        let intent = &call.fingerprint.intent;
        // A write may fail once more than another call: its result decides.
        let writes = intent.effect == Effect::Write;
        let count = last.unchanged_repeats.saturating_add(u32::from(!writes));
        let nothing_new = memory.outcomes.nothing_new_since(&last) && (!writes || last.failed);
        let needed = self.thresholds.of(call.threshold, intent.is_polling, last.evidence);
        let in_a_row = memory.outcomes.is_newest(intent.normalized_hash);
        let repeats = nothing_new && count >= needed && in_a_row;
        let edits = self.is_same_edit(call.fingerprint, &last);
        let fails =
            last.failed && self.keeps_failing(&last, intent.is_polling) && !last.written_since;
        if !repeats && !edits && !fails {
            return None;
        }
        self.active = true;
        let count = if edits { last.successes } else { last.same_results };
        let mut signal = signal(&last, count.saturating_add(1).into(), call.index);
        signal.before_call = true;
        signal.only_if_announced = !repeats;
        signal.service_unavailable = last.evidence == Evidence::Infrastructure;
        if edits {
            signal.loop_id = edit_loop(&last);
        }
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let outcome = result.outcome?;
        self.on_outcome(result.fingerprint, result.threshold, result.output, &outcome)
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn reset(&mut self) {
        self.active = false;
    }
}
