//! Turns of text without a tool call: the agent talks about the work instead of
//! doing it.

use super::consecutive_counter::ConsecutiveCounter;
use super::{Pattern, Progress, Signal, TextEvent};
use crate::config::{Config, RecognisedBy, Rule, TextTurns};
use crate::history::push_bounded;
use crate::similarity::TextSketch;
use crate::text_loop::numbers;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many earlier turns a turn is compared with.
const MAX_COMPARED: usize = 3;
/// How many numbers of a turn are remembered.
const MAX_NUMBERS: usize = 8;
/// How many turns in a row may say the same except for a number that counts: "9 of 18 are
/// in".
const MAX_COUNTED: u32 = 200;

/// What is kept of a turn.
#[derive(Default, Serialize, Deserialize)]
struct Turn {
    words: TextSketch,
    /// Its first numbers.
    numbers: [Option<u32>; MAX_NUMBERS],
    /// The first number that differs from the previous turn that said the same: its
    /// position, and the difference.
    step: Option<(usize, i64)>,
}

impl Turn {
    fn of(text: &str) -> Self {
        let mut turn = Self { words: TextSketch::of(text), ..Self::default() };
        for (slot, number) in turn.numbers.iter_mut().zip(numbers(text)) {
            *slot = Some(number);
        }
        turn
    }

    /// Returns the position of the first number that differs from an earlier turn, and the
    /// difference.
    fn first_step(&self, before: &Self) -> Option<(usize, i64)> {
        for (at, pair) in before.numbers.iter().zip(&self.numbers).enumerate() {
            let (Some(before), Some(now)) = pair else { return None };
            if before != now {
                return Some((at, i64::from(*now) - i64::from(*before)));
            }
        }
        None
    }
}

/// Counts consecutive turns of text: all of them, or only those that say the same.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Summary {
    #[serde(skip)]
    only_alike: bool,
    turns: ConsecutiveCounter,
    /// The last turns, newest last.
    last_turns: VecDeque<Turn>,
    /// How many turns kept counting since one said something else.
    counted: u32,
}

impl Summary {
    /// Compares a turn with those before it. The count restarts if it says something else,
    /// or says the same but keeps counting.
    ///
    /// A turn keeps counting if the first number that differs went up, or went down by the
    /// same step as in the turn before.
    fn compare(&mut self, text: &str) {
        let mut turn = Turn::of(text);
        let mut is_alike = false;
        let mut counts_up = true;
        let mut counts_down = false;
        for old in self.last_turns.iter().rev() {
            if !old.words.says_the_same(&turn.words) {
                continue;
            }
            let step = turn.first_step(old);
            // Going back and forth is not counting: the number must be higher than in every
            // earlier turn.
            counts_up &= step.is_some_and(|(_, by)| by > 0);
            if !is_alike {
                is_alike = true;
                turn.step = step;
                counts_down = step.is_some_and(|(_, by)| by < 0) && step == old.step;
            }
        }
        let counts_on = is_alike && (counts_up || counts_down);
        if !is_alike {
            self.counted = 0;
        }
        self.counted = self.counted.saturating_add(u32::from(counts_on));
        if !is_alike || (counts_on && self.counted <= MAX_COUNTED) {
            self.turns.reset();
        }
        push_bounded(&mut self.last_turns, turn, MAX_COMPARED);
    }
}

impl Pattern for Summary {
    const KIND: LoopKind = LoopKind::Summary;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.only_alike = config.text_turns == TextTurns::Alike;
        self.turns.threshold = rule.threshold;
    }

    /// Any tool call, exempt or not, ends a series of text-only turns.
    fn on_any_call(&mut self) {
        self.reset();
    }

    fn on_text(&mut self, text: &TextEvent<'_>) -> Option<Signal> {
        let TextEvent::Turn(text) = text else { return None };
        if self.only_alike {
            self.compare(text);
        }
        let mut signal = self.turns.add(Self::KIND, None)?;
        signal.recognised_by =
            if self.only_alike { RecognisedBy::Default } else { RecognisedBy::TextTurns };
        Some(signal)
    }

    fn is_active(&self) -> bool {
        self.turns.is_loop()
    }

    fn progress(&self) -> Progress {
        self.turns.progress()
    }

    fn reset(&mut self) {
        self.turns.reset();
        self.last_turns.clear();
        self.counted = 0;
    }

    fn restore(&mut self, _: &super::Memory<'_>, _: &Config) -> bool {
        self.last_turns.len() <= MAX_COMPARED
    }
}
