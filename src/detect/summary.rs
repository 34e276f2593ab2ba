//! Turns of text without a tool call: the agent talks about the work instead of
//! doing it.

use super::{Pattern, Signal};
use crate::codec::{Reader, Writer};
use crate::hash;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// Counts text-only turns in a row.
pub(super) struct Summary {
    threshold: u64,
    turns: u64,
}

impl Summary {
    pub fn new(threshold: u32) -> Self {
        Self { threshold: u64::from(threshold), turns: 0 }
    }

    pub fn on_text_turn(&mut self) -> Option<Signal> {
        self.turns = self.turns.saturating_add(1);
        self.active().then(|| Signal {
            kind: LoopKind::Summary,
            loop_id: hash::pair(LoopKind::Summary as u64, 0),
            count: self.turns,
            period: 0,
            since: None,
            wasted: 0,
            evidence: Vec::new(),
            files: false,
        })
    }
}

impl Pattern for Summary {
    fn active(&self) -> bool {
        self.turns >= self.threshold
    }

    fn restart(&mut self) {
        self.turns = 0;
    }

    fn save(&self, out: &mut Writer) {
        out.count(self.turns);
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.turns = from.count()?;
        Some(())
    }
}
