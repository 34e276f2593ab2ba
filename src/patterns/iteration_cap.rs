//! The ceiling on model turns, which a person can raise.

use super::Signal;
use crate::snapshot::codec::{Reader, Writer};
use crate::verdict::LoopKind;

/// Counts turns against the cap. A turn that is refused is not counted.
pub(crate) struct IterationCap {
    cap: Option<u64>,
    granted: u64,
    used: u64,
}

impl IterationCap {
    pub fn new(cap: Option<u32>) -> Self {
        Self { cap: cap.map(u64::from), granted: 0, used: 0 }
    }

    /// A turn begins; a signal when there is none left.
    pub fn on_turn(&mut self) -> Option<Signal> {
        if self.limit().is_none_or(|limit| self.used < limit) {
            self.used = self.used.saturating_add(1);
            return None;
        }
        let mut signal = Signal::new(LoopKind::IterationCap, 0);
        signal.count = self.used;
        Some(signal)
    }

    /// Raises the cap; tells by how much. Without a cap there is nothing to raise.
    pub fn extend(&mut self, by: u32) -> u32 {
        if self.cap.is_none() {
            return 0;
        }
        self.granted = self.granted.saturating_add(u64::from(by));
        by
    }

    fn limit(&self) -> Option<u64> {
        self.cap.map(|cap| cap.saturating_add(self.granted))
    }

    pub fn save(&self, out: &mut Writer) {
        out.count(self.used);
        out.count(self.granted);
    }

    pub fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.used = from.count();
        self.granted = from.count();
        Some(())
    }
}
