//! A sequence of calls that repeats: A A, A B A B, A B C A B C, up to the longest period
//! that the options allow.
//!
//! For every period p the detector counts how many calls in a row equalled the one p calls
//! before. A run of r such calls means r / p + 1 full passes. That costs one comparison per
//! period and call, without searching the history. The alternative, a suffix automaton over
//! the history, finds all periods at once but grows with the history; rescanning the
//! history, as peers do, is quadratic.

use super::{CallEvent, Memory, Pattern, Progress, Signal};
use crate::config::{Config, RecognisedBy, Rule};
use crate::hash;
use crate::history::CallLog;
use crate::verdict::LoopKind;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Finds repeating sequences of calls.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Cycle {
    #[serde(skip)]
    passes: u64,
    /// For each period, starting at 1: how many calls in a row equalled the call one period
    /// before.
    runs: Vec<u64>,
}

impl Cycle {
    fn signal(log: &CallLog, period: u64, run: u64) -> Option<Signal> {
        let mut hashes: Vec<u64> = Vec::new();
        let mut calls: Vec<u64> = Vec::new();
        for ago in (0..period as usize).rev() {
            let call = log.back(ago)?;
            hashes.push(call.exact);
            calls.push(call.index);
        }
        let length = run + period;
        let mut signal = Signal::new(Self::KIND, rotation_invariant_hash(&hashes));
        signal.count = length.checked_div(period)?;
        signal.period = period as u32;
        signal.since = since(log, length);
        signal.wasted = run;
        signal.calls = calls;
        signal.recognised_by = RecognisedBy::CallsOnly;
        Some(signal)
    }
}

impl Pattern for Cycle {
    const KIND: LoopKind = LoopKind::Cycle;
    const REPEATS_CALLS: bool = true;

    fn applies(rule: &Rule) -> bool {
        !rule.results
    }

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.passes = rule.threshold.into();
        if self.runs.is_empty() {
            self.runs.resize(config.max_period as usize, 0);
        }
    }

    /// Signals when the newest call completes a full pass, the shortest period first.
    fn on_call(&mut self, _: &CallEvent<'_>, memory: &Memory<'_>) -> Option<Signal> {
        let log = memory.calls;
        let newest = log.back(0)?.exact;
        let mut found = None;
        for (run, period) in self.runs.iter_mut().zip(1u64..) {
            let same = log.back(period as usize).is_some_and(|call| call.exact == newest);
            *run = if same { run.saturating_add(1) } else { 0 };
            let complete = *run >= period * (self.passes - 1) && run.checked_rem(period) == Some(0);
            if complete && *run > 0 && found.is_none() {
                found = Some((period, *run));
            }
        }
        let (period, run) = found?;
        Self::signal(log, period, run)
    }

    /// Returns whether a cycle is going on, even in the middle of a pass.
    fn is_active(&self) -> bool {
        self.runs.iter().zip(1u64..).any(|(run, period)| *run >= period * (self.passes - 1))
    }

    fn progress(&self) -> Progress {
        let passes = self.runs.iter().zip(1u64..).filter_map(|(run, period)| {
            (*run > 0).then_some(*run).and_then(|run| run.checked_div(period))
        });
        Progress::new(passes.max().map_or(1, |passes| passes.saturating_add(1)), self.passes)
    }

    fn reset(&mut self) {
        self.runs.fill(0);
    }

    fn restore(&mut self, _: &Memory<'_>, config: &Config) -> bool {
        self.runs.len() == config.max_period as usize
    }
}

/// Returns the index of the cycle's first call. If the log no longer holds that call, the
/// index is counted back from the newest one, which is exact unless exempt calls came in
/// between.
fn since(log: &CallLog, length: u64) -> Option<u64> {
    let newest = log.back(0)?.index;
    match log.back(length as usize - 1) {
        Some(call) => Some(call.index),
        None => Some(newest.saturating_sub(length - 1)),
    }
}

/// Hashes the sequence so that all its rotations have the same hash: that of the least
/// rotation, found in linear time.
fn rotation_invariant_hash(calls: &[u64]) -> u64 {
    let length = calls.len();
    let at = |position: usize| calls.get(position % length.max(1)).copied().unwrap_or(0);
    let (mut best, mut rival, mut matched) = (0, 1, 0);
    while best < length && rival < length && matched < length {
        let (a, b) = (at(best + matched), at(rival + matched));
        if a == b {
            matched += 1;
            continue;
        }
        if a > b {
            best += matched + 1;
        } else {
            rival += matched + 1;
        }
        rival += usize::from(best == rival);
        matched = 0;
    }
    let start = best.min(rival);
    (0..length).fold(0, |state, offset| hash::pair(state, at(start + offset)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_rotation_has_the_same_hash(calls in proptest::collection::vec(0u64..3, 1..12), by in any::<prop::sample::Index>()) {
            let mut rotated = calls.clone();
            rotated.rotate_left(by.index(calls.len()));
            prop_assert_eq!(rotation_invariant_hash(&calls), rotation_invariant_hash(&rotated));
        }

        #[test]
        fn only_rotations_have_the_same_hash(a in proptest::collection::vec(0u64..3, 1..6), b in proptest::collection::vec(0u64..3, 1..6)) {
            let is_rotation = a.len() == b.len() && (0..a.len()).any(|by| {
                let mut rotated = a.clone();
                rotated.rotate_left(by);
                rotated == b
            });
            prop_assert_eq!(rotation_invariant_hash(&a) == rotation_invariant_hash(&b), is_rotation);
        }
    }
}
