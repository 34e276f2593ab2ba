//! Turns of text without a tool call: the agent talks about the work instead of
//! doing it.

use super::consecutive_counter::ConsecutiveCounter;
use super::{Pattern, Signal};
use crate::config::TextTurns;
use crate::similarity::TextSketch;
use crate::snapshot::codec::{Reader, Writer};
use crate::vec_ext::make_room;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// A turn is compared with so many before it.
const REMEMBERED: usize = 3;

/// Consecutive turns of text: all of them, or those that say the same.
pub(super) struct Summary {
    which: TextTurns,
    turns: ConsecutiveCounter,
    /// What the last turns said, newest last.
    said: Vec<TextSketch>,
}

impl Summary {
    pub fn new(threshold: u32, which: TextTurns) -> Self {
        Self {
            which,
            turns: ConsecutiveCounter::new(LoopKind::Summary, threshold),
            said: Vec::new(),
        }
    }

    pub fn on_text_turn(&mut self, text: &str) -> Option<Signal> {
        if self.which == TextTurns::Alike {
            let sketch = TextSketch::of(text);
            if !self.said.iter().any(|before| before.says_the_same(&sketch)) {
                self.turns.restart();
            }
            make_room(&mut self.said, REMEMBERED);
            self.said.push(sketch);
        }
        self.turns.add(None)
    }
}

impl Pattern for Summary {
    fn active(&self) -> bool {
        self.turns.active()
    }

    /// Also when any tool is called, exempt or not: that is the opposite of a
    /// text-only turn.
    fn restart(&mut self) {
        self.turns.restart();
        self.said.clear();
    }

    fn save(&self, out: &mut Writer) {
        self.turns.save(out);
        out.length(self.said.len());
        self.said.iter().for_each(|sketch| sketch.save(out));
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.turns.load(from)?;
        for _ in 0..from.length(REMEMBERED) {
            self.said.push(TextSketch::load(from)?);
        }
        Some(())
    }
}
