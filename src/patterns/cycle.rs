//! A sequence of calls that repeats: A A, A B A B, A B C A B C, up to any
//! longest period.
//!
//! For every period p the detector counts how many calls in a row equalled the
//! one p calls before. A run of r such calls means r / p + 1 full passes. That
//! costs one comparison per period and call, and no history is searched. The
//! alternative, a suffix automaton over the history, finds all periods at once
//! but grows with it; peers that rescan the history pay its square.

use super::{Pattern, Signal};
use crate::hash;
use crate::history::History;
use crate::snapshot::codec::{Reader, Writer};
use crate::verdict::LoopKind;
use alloc::vec;
use alloc::vec::Vec;

/// Finds repeating sequences of calls.
pub(super) struct Cycle {
    passes: u64,
    /// For each period, from 1 on: how many calls in a row equalled the one a period before.
    runs: Vec<u64>,
}

impl Cycle {
    pub fn new(passes: u32, max_period: u32) -> Self {
        Self { passes: u64::from(passes), runs: vec![0; max_period as usize] }
    }

    /// A signal when the newest call completes a full pass, the shortest period first.
    pub fn on_call(&mut self, history: &History) -> Option<Signal> {
        let newest = history.back(0)?.exact;
        let mut found = None;
        for (run, period) in self.runs.iter_mut().zip(1u64..) {
            let same = history.back(period as usize).is_some_and(|slot| slot.exact == newest);
            *run = if same { run.saturating_add(1) } else { 0 };
            let complete = *run >= period * (self.passes - 1) && run.checked_rem(period) == Some(0);
            if complete && *run > 0 && found.is_none() {
                found = Some((period, *run));
            }
        }
        let (period, run) = found?;
        Self::signal(history, period, run)
    }

    fn signal(history: &History, period: u64, run: u64) -> Option<Signal> {
        let mut calls: Vec<u64> = Vec::new();
        let mut evidence: Vec<u64> = Vec::new();
        for ago in (0..period as usize).rev() {
            let slot = history.back(ago)?;
            calls.push(slot.exact);
            evidence.push(slot.index);
        }
        let length = run + period;
        let mut signal = Signal::new(LoopKind::Cycle, rotation_free(&calls));
        signal.count = length.checked_div(period)?;
        signal.period = period as u32;
        signal.since = since(history, length);
        signal.wasted = run;
        signal.evidence = evidence;
        Some(signal)
    }
}

impl Pattern for Cycle {
    /// Whether a cycle goes on, also in the middle of a pass.
    fn active(&self) -> bool {
        self.runs.iter().zip(1u64..).any(|(run, period)| *run >= period * (self.passes - 1))
    }

    fn restart(&mut self) {
        self.runs.fill(0);
    }

    fn save(&self, out: &mut Writer) {
        self.runs.iter().for_each(|run| out.count(*run));
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        for run in &mut self.runs {
            *run = from.count();
        }
        Some(())
    }
}

/// The number of the cycle's first call. A long run reaches back beyond what is
/// remembered; calls that no pattern looks at are rare, so counting back is right
/// but for those.
fn since(history: &History, length: u64) -> Option<u64> {
    let newest = history.back(0)?.index;
    match history.back(length as usize - 1) {
        Some(slot) => Some(slot.index),
        None => Some(newest.saturating_sub(length - 1)),
    }
}

/// A hash that is the same for every rotation of the sequence: that of its
/// least rotation, found in linear time.
fn rotation_free(calls: &[u64]) -> u64 {
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
            prop_assert_eq!(rotation_free(&calls), rotation_free(&rotated));
        }

        #[test]
        fn only_rotations_have_the_same_hash(a in proptest::collection::vec(0u64..3, 1..6), b in proptest::collection::vec(0u64..3, 1..6)) {
            let is_rotation = a.len() == b.len() && (0..a.len()).any(|by| {
                let mut rotated = a.clone();
                rotated.rotate_left(by);
                rotated == b
            });
            prop_assert_eq!(rotation_free(&a) == rotation_free(&b), is_rotation);
        }
    }
}
