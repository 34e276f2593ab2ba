//! How often something has happened since it last did not: what the patterns
//! that count failures and turns share.

use super::{Pattern, Signal};
use crate::codec::{Reader, Writer};
use crate::hash;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// A count, and how high it must be to be a loop.
pub(super) struct Tally {
    kind: LoopKind,
    threshold: u32,
    count: u64,
    /// The number of the call that was counted first, if calls are counted.
    since: Option<u64>,
}

impl Tally {
    pub fn new(kind: LoopKind, threshold: u32) -> Self {
        Self { kind, threshold, count: 0, since: None }
    }

    /// It happened again, with this call; a signal if that makes a loop.
    pub fn add(&mut self, call: Option<u64>) -> Option<Signal> {
        if self.count == 0 {
            self.since = call;
        }
        self.count = self.count.saturating_add(1);
        self.active().then(|| Signal {
            kind: self.kind,
            loop_id: hash::pair(self.kind as u64, self.since.unwrap_or(0)),
            count: self.count,
            period: 0,
            since: self.since,
            // Only calls are wasted, not turns of text.
            wasted: call.map_or(0, |_| self.count - 1),
            evidence: Vec::from_iter(call),
            files: false,
        })
    }
}

impl Pattern for Tally {
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
        self.count = from.count()?;
        self.since = from.maybe()?;
        Some(())
    }
}
