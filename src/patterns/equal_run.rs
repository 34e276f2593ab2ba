//! Counts how many times in a row the same key came; shared by the consecutive patterns.

use super::{Progress, Signal};
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// The current run of equal keys, and the length that makes it a loop.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct EqualRun {
    #[serde(skip)]
    pub threshold: u32,
    /// The threshold that applied to the newest call: a tool can have its own.
    applied_threshold: Option<u32>,
    key: u64,
    count: u64,
    since: u64,
    newest: u64,
}

impl EqualRun {
    /// Adds the key of call number `index`; returns a signal if the run is a loop.
    pub fn push(
        &mut self,
        kind: LoopKind,
        key: u64,
        index: u64,
        own_threshold: Option<u32>,
    ) -> Option<Signal> {
        self.applied_threshold = own_threshold;
        if self.count > 0 && self.key == key {
            self.count = self.count.saturating_add(1);
        } else {
            self.key = key;
            self.count = 1;
            self.since = index;
        }
        self.newest = index;
        self.signal(kind)
    }

    /// Makes the signal about the run, if it is a loop.
    pub fn signal(&self, kind: LoopKind) -> Option<Signal> {
        if !self.is_loop() {
            return None;
        }
        let mut signal = Signal::new(kind, self.key);
        signal.count = self.count;
        signal.period = 1;
        signal.since = Some(self.since);
        signal.wasted = self.count.saturating_sub(1);
        signal.calls.push(self.newest);
        Some(signal)
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn progress(&self) -> Progress {
        Progress::new(self.count, self.applied_threshold.unwrap_or(self.threshold))
    }

    pub fn is_loop(&self) -> bool {
        self.count >= u64::from(self.applied_threshold.unwrap_or(self.threshold))
    }

    pub fn reset(&mut self) {
        *self = Self { threshold: self.threshold, ..Self::default() };
    }
}
