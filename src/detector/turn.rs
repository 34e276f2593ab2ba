//! The calls of the newest model turn: which are equal, and what is decided about a batch of
//! them.

use crate::verdict::Verdict;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The turn whose calls are being recorded as a batch.
#[derive(Default)]
pub(super) struct BatchState {
    pub is_open: bool,
    pub has_calls: bool,
    /// The verdict on its newest call.
    pub newest: Verdict,
    pub most_severe: Verdict,
    /// The refused calls of the turn.
    pub refused: Vec<RefusedCall>,
}

#[derive(Clone, Copy)]
pub(super) struct RefusedCall {
    pub index: u64,
    /// Equal calls have the same identity.
    pub identity: u64,
}

impl BatchState {
    /// Closes the batch; keeps its buffers, so that the next one allocates nothing.
    pub fn close(&mut self) {
        self.is_open = false;
        self.has_calls = false;
        self.newest = Verdict::default();
        self.most_severe = Verdict::default();
        self.refused.clear();
    }
}

/// How many different calls of one turn are compared: more than any model makes at once.
const MAX_TURN_CALLS: usize = 128;

/// The different calls of one turn, and how many times each was made.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct TurnCalls {
    calls: Vec<(u64, u32)>,
}

impl TurnCalls {
    /// Adds a call; returns how many equal calls the turn has so far.
    pub fn add(&mut self, call: u64) -> u32 {
        if let Some((_, count)) = self.calls.iter_mut().find(|(known, _)| *known == call) {
            *count = count.saturating_add(1);
            return *count;
        }
        if self.calls.len() < MAX_TURN_CALLS {
            self.calls.push((call, 1));
        }
        1
    }

    pub fn contains(&self, call: u64) -> bool {
        self.calls.iter().any(|(known, _)| *known == call)
    }

    pub fn clear(&mut self) {
        self.calls.clear();
    }

    pub fn is_valid(&self) -> bool {
        self.calls.len() <= MAX_TURN_CALLS
    }
}
