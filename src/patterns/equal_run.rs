//! How long the same thing has been coming: what the consecutive patterns share.

use super::{Pattern, Signal};
use crate::snapshot::codec::{Reader, Writer};
use crate::verdict::LoopKind;

/// The current run of equal keys, and the length that makes it a loop.
pub(super) struct EqualRun {
    kind: LoopKind,
    threshold: u32,
    /// A tool can have a threshold of its own: the one that applied last.
    applied: u32,
    key: u64,
    count: u64,
    since: u64,
}

impl EqualRun {
    pub fn new(kind: LoopKind, threshold: u32) -> Self {
        Self { kind, threshold, applied: threshold, key: 0, count: 0, since: 0 }
    }

    /// The next key, seen at call number `index`; a signal if the run is a loop.
    pub fn push(&mut self, key: u64, index: u64, own_threshold: Option<u32>) -> Option<Signal> {
        self.applied = own_threshold.unwrap_or(self.threshold);
        if self.count > 0 && self.key == key {
            self.count = self.count.saturating_add(1);
        } else {
            self.key = key;
            self.count = 1;
            self.since = index;
        }
        if !self.active() {
            return None;
        }
        let mut signal = Signal::new(self.kind, key);
        signal.count = self.count;
        signal.period = 1;
        signal.since = Some(self.since);
        signal.wasted = self.count - 1;
        signal.evidence.push(index);
        Some(signal)
    }

    /// How long the run is.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Pattern for EqualRun {
    fn active(&self) -> bool {
        self.count >= u64::from(self.applied)
    }

    fn restart(&mut self) {
        *self = Self::new(self.kind, self.threshold);
    }

    fn save(&self, out: &mut Writer) {
        out.hash(self.key);
        out.count(self.count);
        out.count(self.since);
        out.count(self.applied.into());
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.key = from.hash();
        self.count = from.count();
        self.since = from.count();
        // The options may have changed since: the threshold that applied is kept
        // only until the next call.
        self.applied = from.small();
        Some(())
    }
}
