//! A cycle that reveals nothing new: calls repeat in turn, each with the same result as
//! before, whatever the length of the cycle and wherever it began. An occasional new call
//! does not end it.
//!
//! Looking for a fixed period would miss cycles that vary. What makes a loop is call after
//! call that reveals only what is already known, so those calls are counted, and the period
//! is computed only for the message. Cycles longer than [`SHORT`] must repeat exactly.

use super::repeat_thresholds::{RepeatThresholds, evidence_of_repeats};
use super::{CallEvent, Memory, Pattern, Progress, ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::config::{Config, Rule};
use crate::history::{Outcome, OutcomeLog};
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// The longest cycle that need not repeat exactly.
const SHORT: usize = 20;

/// How many calls make a cycle with acknowledgements or polls a loop, if that is three
/// passes or more.
const UNSURE_CALLS: u64 = 20;

/// Counts calls that reveal nothing new.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct StaleCycle {
    #[serde(skip)]
    thresholds: RepeatThresholds,
    /// How many calls in a row that reveal nothing new make a loop.
    #[serde(skip)]
    stale_calls: u32,
    /// How many passes make a cycle with acknowledgements or polls a loop.
    #[serde(skip)]
    unsure: u32,
    #[serde(skip)]
    max_period: usize,
    #[serde(skip)]
    progress: Progress,
    active: bool,
}

impl StaleCycle {
    fn on_outcome(
        &mut self,
        fingerprint: &Fingerprint,
        own_threshold: Option<u32>,
        outcome: &Outcome,
        outcomes: &OutcomeLog,
    ) -> Option<Signal> {
        self.active = false;
        self.progress = Progress::new(outcomes.stale_calls(), self.stale_calls);
        // An immediate repeat is not a cycle, but one call that alternates between known
        // results is.
        let repeats = outcome.in_a_row && outcome.same_results > 1;
        if repeats || outcome.is_waiting() {
            return None;
        }
        let mut signal = self
            .find_stale(fingerprint, own_threshold, outcome, outcomes)
            .or_else(|| self.find_rotation(outcome, outcomes))?;
        signal.calls.push(outcome.index);
        self.active = true;
        Some(signal)
    }

    /// Finds a cycle by the calls in a row that revealed nothing new.
    fn find_stale(
        &self,
        fingerprint: &Fingerprint,
        own_threshold: Option<u32>,
        outcome: &Outcome,
        outcomes: &OutcomeLog,
    ) -> Option<Signal> {
        let needed = self.thresholds.of(own_threshold, outcome);
        let stale_calls = match outcome.evidence {
            Evidence::NoResults => self.stale_calls.saturating_mul(2),
            _ => self.stale_calls,
        };
        let too_few_passes =
            is_acknowledged_write(fingerprint, outcome) || outcome.unchanged_repeats < needed;
        if !outcome.is_known || too_few_passes && outcomes.stale_calls() < stale_calls {
            return None;
        }
        let period = self.period(outcome, outcomes, 1)?;
        self.signal(outcome, outcome.unchanged_repeats, outcomes, 1, period)
    }

    /// Finds a cycle that repeated exactly, as far back as memory reaches.
    fn find_rotation(&self, outcome: &Outcome, outcomes: &OutcomeLog) -> Option<Signal> {
        let (period, since) = outcomes.whole_rotation()?;
        let period = period as usize;
        if period <= self.max_period.min(SHORT) || period > self.max_period {
            return None;
        }
        let mut signal = self.signal(outcome, outcome.same_results, outcomes, 1, period)?;
        signal.set_loop(since);
        Some(signal)
    }

    /// Returns after how many calls this one repeats. `newest` is 1 if the outcome is the
    /// newest in the log, 0 if its call has yet to run.
    fn period(&self, outcome: &Outcome, outcomes: &OutcomeLog, newest: usize) -> Option<usize> {
        let is_same = |ago: &usize| {
            let before = outcomes.back(*ago + newest - 1);
            before.is_some_and(|old| old.is_same(outcome))
        };
        // Occasional other calls make a cycle look longer than it is.
        let longest = self.max_period.min(SHORT);
        (1..=longest + longest / 4).find(is_same)
    }

    /// Makes the signal for the cycle that ends with this call.
    fn signal(
        &self,
        outcome: &Outcome,
        passes: u32,
        outcomes: &OutcomeLog,
        newest: usize,
        period: usize,
    ) -> Option<Signal> {
        let stale_calls = u64::from(outcomes.stale_calls());
        // It is the same loop until something new is learned.
        let key = if stale_calls > 0 { outcomes.stale_since() } else { outcome.call };
        let mut signal = Signal::new(LoopKind::Cycle, key);
        // A call that came back was made twice at least.
        signal.count = u64::from(passes).max(stale_calls.checked_div(period as u64)? + 1).max(2);
        signal.period = period as u32;
        signal.since = Some(outcome.since);
        signal.wasted = stale_calls.max(signal.count - 1);
        signal.evidence = evidence_of_repeats(outcome);
        // If a call of the cycle fails, the message is about that failure.
        signal.outcome = outcome.failed.then(|| outcome.facts());
        let mut is_one_call = true;
        let mut has_new_actions = false;
        let mut polls = 0;
        for ago in (0..period - 1).rev() {
            let Some(member) = outcomes.back(ago + newest) else { continue };
            if member.takes_time() {
                return None;
            }
            polls += usize::from(member.is_waiting());
            signal.calls.push(member.index);
            if member.failed {
                signal.outcome = Some(member.facts());
            }
            signal.evidence = weaker(signal.evidence, evidence_of_member(member));
            is_one_call &= member.call == outcome.call;
            has_new_actions |= member.evidence == Evidence::Acknowledgement && !member.is_known;
        }
        // A cycle is polling if at least half of its calls are; a few status checks are not
        // enough.
        if polls * 2 >= period {
            return None;
        }
        // One call that alternates between results is stepping through something: a
        // debugger, a board. It is a loop only if it fails.
        if is_one_call && !outcome.failed && period > 1 {
            return None;
        }
        // Checking that nothing is wrong after each new action is work.
        if has_new_actions && outcome.is_negative && !outcome.complains {
            return None;
        }
        // A long cycle needs fewer passes: each pass is more calls.
        let is_unsure =
            matches!(signal.evidence, EvidenceClass::Acknowledgement | EvidenceClass::Waiting);
        let needed = u64::from(self.unsure).min(UNSURE_CALLS.div_ceil(period as u64).max(3));
        (!is_unsure || signal.count >= needed).then_some(signal)
    }
}

fn is_acknowledged_write(fingerprint: &Fingerprint, outcome: &Outcome) -> bool {
    fingerprint.intent.effect == Effect::Write && outcome.evidence == Evidence::Acknowledgement
}

/// Returns the kind of evidence that one call of a cycle is. A repeated edit is stronger
/// evidence than its acknowledgement.
fn evidence_of_member(outcome: &Outcome) -> EvidenceClass {
    match outcome.effect {
        Effect::Write if !outcome.failed => EvidenceClass::Duplicate,
        _ => evidence_of_repeats(outcome),
    }
}

/// Returns the weaker of two kinds of evidence. (The kinds are listed from the strongest to
/// the weakest.)
fn weaker(one: EvidenceClass, other: EvidenceClass) -> EvidenceClass {
    one.max(other)
}

impl Pattern for StaleCycle {
    const KIND: LoopKind = LoopKind::Cycle;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn applies(rule: &Rule) -> bool {
        rule.results
    }

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.thresholds = RepeatThresholds::new(rule.threshold, &config.patience);
        self.stale_calls = config.patience.stale;
        self.unsure = config.patience.stale;
        self.max_period = config.max_period as usize;
    }

    /// Judges a call by its last outcome, before it is made again.
    fn on_call(&mut self, call: &CallEvent<'_>, memory: &Memory<'_>) -> Option<Signal> {
        let outcomes = memory.outcomes;
        if let Some(outcome) = call.without_result {
            let mut signal =
                self.on_outcome(call.fingerprint, call.threshold, outcome, outcomes)?;
            signal.before_call = true;
            return Some(signal);
        }
        let last = call.previous?;
        let intent = &call.fingerprint.intent;
        if outcomes.is_newest(intent.normalized_hash)
            || is_acknowledged_write(call.fingerprint, last)
            || last.is_waiting()
            || !outcomes.nothing_new_since(last)
        {
            return None;
        }
        let passes = last.same_results.saturating_add(1);
        let goes_on = self.active && outcomes.stale_calls() >= self.stale_calls;
        if passes < self.thresholds.of(call.threshold, last) && !goes_on {
            return None;
        }
        let period = self.period(last, outcomes, 0)?;
        let mut signal = self.signal(last, passes, outcomes, 0, period)?;
        signal.calls.push(call.index);
        signal.before_call = true;
        signal.is_repeat = signal.evidence == EvidenceClass::Proven;
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, memory: &Memory<'_>) -> Option<Signal> {
        let outcome = result.outcome?;
        self.on_outcome(result.fingerprint, result.threshold, outcome, memory.outcomes)
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
