//! Turns of text without a tool call: the agent talks about the work instead of
//! doing it.

use super::consecutive_counter::ConsecutiveCounter;
use super::{Pattern, Signal, TextEvent};
use crate::config::{Config, Rule, TextTurns};
use crate::history::push_bounded;
use crate::similarity::TextSketch;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many earlier turns a turn is compared with.
const MAX_COMPARED: usize = 3;

/// Counts consecutive turns of text: all of them, or only those that say the same.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Summary {
    #[serde(skip)]
    only_alike: bool,
    turns: ConsecutiveCounter,
    /// The words of the last turns, newest last.
    last_turns: VecDeque<TextSketch>,
}

impl Pattern for Summary {
    const KIND: LoopKind = LoopKind::Summary;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.only_alike = config.text_turns == TextTurns::Alike;
        self.turns.threshold = rule.threshold;
    }

    /// Calling a tool is the opposite of a text-only turn, exempt or not.
    fn on_any_call(&mut self) {
        self.reset();
    }

    fn on_text(&mut self, text: &TextEvent<'_>) -> Option<Signal> {
        let TextEvent::Turn(text) = text else { return None };
        if self.only_alike {
            let sketch = TextSketch::of(text);
            if !self.last_turns.iter().any(|before| before.says_the_same(&sketch)) {
                self.turns.reset();
            }
            push_bounded(&mut self.last_turns, sketch, MAX_COMPARED);
        }
        self.turns.add(Self::KIND, None)
    }

    fn is_active(&self) -> bool {
        self.turns.is_loop()
    }

    fn reset(&mut self) {
        self.turns.reset();
        self.last_turns.clear();
    }

    fn restore(&mut self, _: &super::Memory<'_>, _: &Config) -> bool {
        self.last_turns.len() <= MAX_COMPARED
    }
}
