//! Shell commands that fail one after the other, whatever the commands.
//!
//! Other tools in between do not reset the count; a shell command that works does. Failing
//! test runs count as well; if `test_fix` signals at the same time, its verdict wins,
//! because it comes later in the list of patterns.

use super::consecutive_counter::ConsecutiveCounter;
use super::{Memory, Pattern, Progress, ResultEvent, Signal};
use crate::config::{Config, Rule};
use crate::history::push_bounded;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many failing commands a message shows.
const MAX_SHOWN: usize = 3;

/// Counts failing shell commands.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct FailureCascade {
    failures: ConsecutiveCounter,
    /// How many of the newest failures were file commands.
    file_failures: u64,
    /// The calls that failed last.
    last_failed: VecDeque<u64>,
}

impl Pattern for FailureCascade {
    const KIND: LoopKind = LoopKind::FailureCascade;

    fn configure(&mut self, rule: &Rule, _: &Config) {
        self.failures.threshold = rule.threshold;
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        if !result.fingerprint.is_shell {
            return None;
        }
        if !result.failed {
            self.reset();
            return None;
        }
        self.file_failures = match result.fingerprint.is_file_command {
            true => self.file_failures.saturating_add(1),
            false => 0,
        };
        push_bounded(&mut self.last_failed, result.index, MAX_SHOWN);
        let mut signal = self.failures.add(Self::KIND, Some(result.index))?;
        signal.calls = self.last_failed.iter().copied().collect();
        signal.only_file_commands = self.file_failures >= u64::from(self.failures.threshold);
        Some(signal)
    }

    fn is_active(&self) -> bool {
        self.failures.is_loop()
    }

    fn progress(&self) -> Progress {
        self.failures.progress()
    }

    fn reset(&mut self) {
        self.failures.reset();
        self.file_failures = 0;
        self.last_failed.clear();
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.last_failed.len() <= MAX_SHOWN
    }
}
