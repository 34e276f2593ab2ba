//! Shell commands that fail one after the other, whatever the commands.
//!
//! Other tools in between do not reset the count; a shell command that works
//! does. Test runs that fail are another pattern's business (`test_fix`).

use super::consecutive_counter::ConsecutiveCounter;
use super::{Pattern, ResultEvent, Signal};
use crate::snapshot::codec::{Reader, Writer};
use crate::vec_ext::make_room;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// How many failing commands are shown.
const SHOWN: usize = 3;

/// Counts failing shell commands.
pub(super) struct FailureCascade {
    failures: ConsecutiveCounter,
    threshold: u64,
    /// How many of the newest failures were file commands.
    file_failures: u64,
    /// The calls that failed last.
    last: Vec<u64>,
}

impl FailureCascade {
    pub fn new(threshold: u32) -> Self {
        let failures = ConsecutiveCounter::new(LoopKind::FailureCascade, threshold);
        Self { failures, threshold: threshold.into(), file_failures: 0, last: Vec::new() }
    }

    pub fn on_result(&mut self, outcome: &ResultEvent<'_>) -> Option<Signal> {
        if !outcome.fingerprint.is_shell {
            return None;
        }
        if !outcome.failed {
            self.restart();
            return None;
        }
        if outcome.fingerprint.runs_tests {
            return None;
        }
        self.file_failures = if outcome.fingerprint.is_file_command {
            self.file_failures.saturating_add(1)
        } else {
            0
        };
        make_room(&mut self.last, SHOWN);
        self.last.push(outcome.index);
        let mut signal = self.failures.add(Some(outcome.index))?;
        signal.evidence.clone_from(&self.last);
        signal.files = self.file_failures >= self.threshold;
        Some(signal)
    }
}

impl Pattern for FailureCascade {
    fn active(&self) -> bool {
        self.failures.active()
    }

    fn restart(&mut self) {
        self.failures.restart();
        self.file_failures = 0;
        self.last.clear();
    }

    fn save(&self, out: &mut Writer) {
        self.failures.save(out);
        out.count(self.file_failures);
        out.length(self.last.len());
        self.last.iter().for_each(|index| out.count(*index));
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.failures.load(from)?;
        self.file_failures = from.count();
        self.last.clear();
        for _ in 0..from.length(SHOWN) {
            self.last.push(from.count());
        }
        Some(())
    }
}
