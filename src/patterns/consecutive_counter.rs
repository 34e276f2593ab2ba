//! How often something has happened since it last did not: what the patterns
//! that count failures and turns share.

use super::{Pattern, Signal};
use crate::snapshot::codec::{Reader, Writer};
use crate::verdict::LoopKind;

/// A count, and how high it must be to be a loop.
pub(super) struct ConsecutiveCounter {
    kind: LoopKind,
    threshold: u32,
    count: u64,
    /// The number of the call that was counted first, if calls are counted.
    since: Option<u64>,
}

impl ConsecutiveCounter {
    pub fn new(kind: LoopKind, threshold: u32) -> Self {
        Self { kind, threshold, count: 0, since: None }
    }

    /// It happened again, with this call; a signal if that makes a loop.
    pub fn add(&mut self, call: Option<u64>) -> Option<Signal> {
        if self.count == 0 {
            self.since = call;
        }
        self.count = self.count.saturating_add(1);
        if !self.active() {
            return None;
        }
        let mut signal = Signal::new(self.kind, self.since.unwrap_or(0));
        signal.count = self.count;
        signal.since = self.since;
        // Only calls are wasted, not turns of text.
        if let Some(index) = call {
            signal.wasted = self.count - 1;
            signal.evidence.push(index);
        }
        Some(signal)
    }
}

impl Pattern for ConsecutiveCounter {
    fn active(&self) -> bool {
        self.count >= u64::from(self.threshold)
    }

    fn restart(&mut self) {
        self.count = 0;
    }

    fn save(&self, out: &mut Writer) {
        out.count(self.count);
        out.maybe(self.since);
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.count = from.count();
        self.since = from.maybe();
        Some(())
    }
}
