//! A cycle that tells nothing new: calls that come round again, whatever the
//! length of the cycle and wherever it began, each with the result it had
//! before. The odd new call in between does not end it.
//!
//! Looking for a fixed period would miss cycles that vary. What makes a loop is
//! that call after call tells only what is known already; so those are counted,
//! and the period is only worked out to be shown.

use super::repeat_thresholds::RepeatThresholds;
use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::config::{Config, Rule};
use crate::history::{Outcome, OutcomeLog};
use crate::result::Evidence;
use crate::tools::Effect;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Counts calls that tell nothing new.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct StaleCycle {
    #[serde(skip)]
    thresholds: RepeatThresholds,
    /// How many calls in a row that tell nothing new make a loop.
    #[serde(skip)]
    stale_calls: u32,
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
        if !outcome.is_known || repeats || fingerprint.intent.is_polling {
            return None;
        }
        let needed = self.thresholds.of(own_threshold, false, outcome.evidence);
        let stale_calls = match outcome.evidence {
            Evidence::NoResults => self.stale_calls.saturating_mul(2),
            _ => self.stale_calls,
        };
        let too_few_passes =
            is_acknowledged_write(fingerprint, outcome) || outcome.unchanged_repeats < needed;
        if too_few_passes && outcomes.stale_calls() < stale_calls {
            return None;
        }
        let mut signal = self.signal(outcome, outcome.unchanged_repeats, outcomes, 1)?;
        signal.calls.push(outcome.index);
        self.active = true;
        Some(signal)
    }

    /// Makes the signal for the cycle that ends with this call. `newest` is 1 if
    /// the outcome is the newest in the log, 0 if its call has yet to run.
    fn signal(
        &self,
        outcome: &Outcome,
        passes: u32,
        outcomes: &OutcomeLog,
        newest: usize,
    ) -> Option<Signal> {
        let is_same = |ago: &usize| {
            let before = outcomes.back(*ago + newest - 1);
            before.is_some_and(|old| old.call == outcome.call && old.result == outcome.result)
        };
        // Odd calls in between make a cycle longer than it is.
        let period = (1..=self.max_period + self.max_period / 4).find(is_same)?;
        let stale_calls = u64::from(outcomes.stale_calls());
        // It is the same loop as long as nothing new ends the row.
        let key = if stale_calls > 0 { outcomes.stale_since() } else { outcome.call };
        let mut signal = Signal::new(LoopKind::Cycle, key);
        signal.count = u64::from(passes).max(stale_calls.checked_div(period as u64)? + 1);
        signal.period = period as u32;
        signal.since = Some(outcome.since);
        signal.wasted = stale_calls.max(signal.count - 1);
        for ago in (0..period - 1).rev() {
            signal.calls.extend(outcomes.back(ago + newest).map(|before| before.index));
        }
        Some(signal)
    }
}

fn is_acknowledged_write(fingerprint: &Fingerprint, outcome: &Outcome) -> bool {
    fingerprint.intent.effect == Effect::Write && outcome.evidence == Evidence::Acknowledgement
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
            || !outcomes.nothing_new_since(&last)
        {
            return None;
        }
        let passes = last.same_results.saturating_add(1);
        let needed = self.thresholds.of(call.threshold, intent.is_polling, last.evidence);
        let goes_on = self.active && outcomes.stale_calls() >= self.stale_calls;
        if passes < needed && !goes_on {
            return None;
        }
        let mut signal = self.signal(&last, passes, outcomes, 0)?;
        signal.calls.push(call.index);
        signal.before_call = true;
        signal.service_unavailable = last.evidence == Evidence::Infrastructure;
        self.active = true;
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
