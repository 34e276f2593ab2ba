//! A cycle that tells nothing new: calls that come round again, whatever the
//! length of the cycle and wherever it began, each with the result it had
//! before. The odd new call in between does not end it.
//!
//! Looking for a fixed period would miss cycles that vary. What makes a loop is
//! that call after call tells only what is known already; so those are counted,
//! and the period is only worked out to be shown. Only cycles that are longer than
//! that memory reaches must come round as a whole.

use super::repeat_thresholds::{RepeatThresholds, evidence_of_repeats};
use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::config::{Config, Rule};
use crate::history::{Outcome, OutcomeLog};
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// The longest cycle that need not come round as a whole.
const SHORT: usize = 20;

/// Counts calls that tell nothing new.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct StaleCycle {
    #[serde(skip)]
    thresholds: RepeatThresholds,
    /// How many calls in a row that tell nothing new make a loop.
    #[serde(skip)]
    stale_calls: u32,
    /// How many passes of a cycle that contains acknowledgements make a loop.
    #[serde(skip)]
    unsure: u32,
    #[serde(skip)]
    max_period: usize,
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
        // An immediate repeat is no cycle, but one call whose known results take
        // turns is.
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

    /// Finds a cycle by the calls in a row that told nothing new.
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

    /// Finds a cycle that came round as a whole, as far back as memory reaches.
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

    /// After how many calls this one comes back. `newest` is 1 if the outcome is the
    /// newest in the log, 0 if its call has yet to run.
    fn period(&self, outcome: &Outcome, outcomes: &OutcomeLog, newest: usize) -> Option<usize> {
        let is_same = |ago: &usize| {
            let before = outcomes.back(*ago + newest - 1);
            before.is_some_and(|old| old.call == outcome.call && old.result == outcome.result)
        };
        // Odd calls in between make a cycle longer than it is.
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
        // It is the same loop as long as nothing new ends the row.
        let key = if stale_calls > 0 { outcomes.stale_since() } else { outcome.call };
        let mut signal = Signal::new(LoopKind::Cycle, key);
        signal.count = u64::from(passes).max(stale_calls.checked_div(period as u64)? + 1);
        signal.period = period as u32;
        signal.since = Some(outcome.since);
        signal.wasted = stale_calls.max(signal.count - 1);
        signal.evidence = evidence_of_repeats(outcome);
        let mut is_one_call = true;
        let mut has_new_actions = false;
        for ago in (0..period - 1).rev() {
            let Some(member) = outcomes.back(ago + newest) else { continue };
            if member.is_waiting() {
                return None;
            }
            signal.calls.push(member.index);
            signal.evidence = milder(signal.evidence, evidence_of_member(member));
            is_one_call &= member.call == outcome.call;
            has_new_actions |= member.evidence == Evidence::Acknowledgement && !member.is_known;
        }
        // One call whose results take turns steps through something: a debugger, a
        // board. Only failures that take turns are a loop.
        if is_one_call && !outcome.failed && period > 1 {
            return None;
        }
        // A check that finds nothing wrong after one action and another is work.
        if has_new_actions && outcome.is_negative && !outcome.complains {
            return None;
        }
        let is_unsure = signal.evidence == EvidenceClass::Acknowledgement;
        (!is_unsure || signal.count >= u64::from(self.unsure)).then_some(signal)
    }
}

fn is_acknowledged_write(fingerprint: &Fingerprint, outcome: &Outcome) -> bool {
    fingerprint.intent.effect == Effect::Write && outcome.evidence == Evidence::Acknowledgement
}

/// What a call of a cycle proves. That an edit is made again proves more than its
/// acknowledgement does.
fn evidence_of_member(outcome: &Outcome) -> EvidenceClass {
    match outcome.effect {
        Effect::Write if !outcome.failed => EvidenceClass::Duplicate,
        _ => evidence_of_repeats(outcome),
    }
}

/// The one of two kinds of evidence that allows less. (The kinds are listed from the
/// strongest to the weakest.)
fn milder(one: EvidenceClass, other: EvidenceClass) -> EvidenceClass {
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

    /// The call is about to be made again, and what came of it is known.
    fn on_call(&mut self, call: &CallEvent<'_>, memory: &Memory<'_>) -> Option<Signal> {
        let outcomes = memory.outcomes;
        if let Some(outcome) = &call.without_result {
            let mut signal =
                self.on_outcome(call.fingerprint, call.threshold, outcome, outcomes)?;
            signal.before_call = true;
            return Some(signal);
        }
        let last = call.previous?;
        let intent = &call.fingerprint.intent;
        if outcomes.is_newest(intent.normalized_hash)
            || is_acknowledged_write(call.fingerprint, &last)
            || last.is_waiting()
            || !outcomes.nothing_new_since(&last)
        {
            return None;
        }
        let passes = last.same_results.saturating_add(1);
        let goes_on = self.active && outcomes.stale_calls() >= self.stale_calls;
        if passes < self.thresholds.of(call.threshold, &last) && !goes_on {
            return None;
        }
        let period = self.period(&last, outcomes, 0)?;
        let mut signal = self.signal(&last, passes, outcomes, 0, period)?;
        signal.calls.push(call.index);
        signal.before_call = true;
        signal.is_repeat = signal.evidence == EvidenceClass::Proven;
        signal.service_unavailable = last.evidence == Evidence::Infrastructure;
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, memory: &Memory<'_>) -> Option<Signal> {
        let outcome = result.outcome?;
        self.on_outcome(result.fingerprint, result.threshold, &outcome, memory.outcomes)
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn reset(&mut self) {
        self.active = false;
    }
}
