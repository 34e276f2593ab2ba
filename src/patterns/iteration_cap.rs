//! The ceiling on model turns, which a person can raise.

use super::{Pattern, Progress, Signal};
use crate::config::{Config, Rule};
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Counts turns against the cap. A turn that is refused is not counted.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct IterationCap {
    #[serde(skip)]
    cap: Option<u64>,
    granted: u64,
    used: u64,
}

impl IterationCap {
    /// Raises the cap; returns by how much, which is 0 without a cap.
    pub fn extend(&mut self, by: u32) -> u32 {
        if self.cap.is_none() {
            return 0;
        }
        self.granted = self.granted.saturating_add(u64::from(by));
        by
    }
}

impl Pattern for IterationCap {
    const KIND: LoopKind = LoopKind::IterationCap;

    fn configure(&mut self, _: &Rule, config: &Config) {
        self.cap = config.iteration_cap.map(u64::from);
    }

    fn on_turn(&mut self) -> Option<Signal> {
        let limit = self.cap.map(|cap| cap.saturating_add(self.granted));
        if limit.is_none_or(|limit| self.used < limit) {
            self.used = self.used.saturating_add(1);
            return None;
        }
        let mut signal = Signal::new(Self::KIND, 0);
        signal.count = self.used;
        Some(signal)
    }

    /// Running out of turns is not a loop.
    fn is_active(&self) -> bool {
        false
    }

    fn progress(&self) -> Progress {
        let cap = self.cap.map_or(u64::MAX, |cap| cap.saturating_add(self.granted));
        Progress::new(self.used, cap)
    }

    /// Keeps the count: turns are counted for the whole run.
    fn reset(&mut self) {}
}
