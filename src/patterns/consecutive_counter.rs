//! Counts consecutive failures or turns; shared by the patterns that do.

use super::{Progress, Signal};
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// A count, and the value that makes it a loop.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct ConsecutiveCounter {
    #[serde(skip)]
    pub threshold: u32,
    count: u64,
    /// The index of the first counted call, if calls are counted.
    since: Option<u64>,
}

impl ConsecutiveCounter {
    /// Adds one to the count, for this call; returns a signal if that makes a loop.
    pub fn add(&mut self, kind: LoopKind, call: Option<u64>) -> Option<Signal> {
        if self.count == 0 {
            self.since = call;
        }
        self.count = self.count.saturating_add(1);
        if !self.is_loop() {
            return None;
        }
        let mut signal = Signal::new(kind, self.since.unwrap_or(0));
        signal.count = self.count;
        signal.since = self.since;
        // Only calls count as wasted, not turns of text.
        if let Some(index) = call {
            signal.wasted = self.count - 1;
            signal.calls.push(index);
        }
        Some(signal)
    }

    pub fn progress(&self) -> Progress {
        Progress::new(self.count, self.threshold)
    }

    pub fn is_loop(&self) -> bool {
        self.count >= u64::from(self.threshold)
    }

    pub fn reset(&mut self) {
        self.count = 0;
    }
}
