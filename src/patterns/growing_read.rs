//! One file read again and again from the same line, each time a little further. Each
//! result is mostly a repeat. Continuing where the last read ended is work.

use super::{Memory, Pattern, Progress, ResultEvent, Signal};
use crate::config::{Config, Rule};
use crate::history::{keep_only, push_bounded};
use crate::result::EvidenceClass;
use crate::tools::Effect;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many places are remembered.
const MAX_PLACES: usize = 8;

/// Reads that begin at the same place of one file.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Place {
    /// Identity of the file and the line.
    read_from: u64,
    /// How many different calls there were.
    count: u32,
    newest_call: u64,
    since: u64,
}

/// Counts reads by where they begin.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct GrowingRead {
    #[serde(skip)]
    threshold: u32,
    /// Least recently read first.
    places: VecDeque<Place>,
    active: bool,
}

impl Pattern for GrowingRead {
    const KIND: LoopKind = LoopKind::Variant;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, _: &Config) {
        self.threshold = rule.threshold;
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        result.outcome?;
        let intent = &result.fingerprint.intent;
        self.active = false;
        if intent.effect == Effect::Write && !result.result.failed {
            // After a write, reading again is worthwhile.
            self.places.clear();
            return None;
        }
        let read_from = intent.read_from;
        if read_from == 0 || result.result.failed {
            return None;
        }
        let known = self.places.iter().find(|place| place.read_from == read_from).copied();
        keep_only(&mut self.places, |place| place.read_from != read_from);
        let call = intent.normalized_hash;
        let first = Place { read_from, count: 0, newest_call: 0, since: result.index };
        let mut place = known.unwrap_or(first);
        // Another pattern counts identical calls.
        place.count = place.count.saturating_add(u32::from(place.newest_call != call));
        place.newest_call = call;
        push_bounded(&mut self.places, place, MAX_PLACES);
        self.active = place.count >= self.threshold;
        if !self.active {
            return None;
        }
        let mut signal = Signal::new(Self::KIND, read_from);
        signal.evidence = EvidenceClass::Duplicate;
        signal.count = place.count.into();
        signal.period = 1;
        signal.since = Some(place.since);
        signal.wasted = signal.count - 1;
        signal.calls.push(result.index);
        Some(signal)
    }

    fn on_compaction(&mut self) {
        self.reset();
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn progress(&self) -> Progress {
        let count = self.places.back().map_or(0, |place| place.count);
        Progress::new(count, self.threshold)
    }

    fn reset(&mut self) {
        self.places.clear();
        self.active = false;
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.places.len() <= MAX_PLACES
    }
}
