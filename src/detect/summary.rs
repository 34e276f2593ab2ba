//! Turns of text without a tool call: the agent talks about the work instead of
//! doing it.

use super::tally::Tally;
use super::{Pattern, Signal};

pub(super) fn on_text_turn(turns: &mut Tally) -> Option<Signal> {
    turns.add(None)
}

/// Any call at all, also of an exempt tool, is the opposite of a text-only turn.
pub(super) fn on_call(turns: &mut Tally) {
    turns.restart();
}
