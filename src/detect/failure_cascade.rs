//! Shell commands that fail one after the other, whatever the commands.
//!
//! Other tools in between do not reset the count; a shell command that works
//! does. Test runs that fail are another pattern's business (`test_fix`).

use super::{Outcome, Pattern, Signal};
use crate::codec::{Reader, Writer};
use crate::hash;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// How many failing commands are shown.
const SHOWN: usize = 3;

/// Counts failing shell commands.
pub(super) struct FailureCascade {
    threshold: u64,
    failures: u64,
    since: u64,
    /// How many of the newest failures were file commands.
    file_failures: u64,
    last: Vec<u64>,
}

impl FailureCascade {
    pub fn new(threshold: u32) -> Self {
        let threshold = u64::from(threshold);
        Self { threshold, failures: 0, since: 0, file_failures: 0, last: Vec::new() }
    }

    pub fn on_result(&mut self, outcome: &Outcome<'_>) -> Option<Signal> {
        if !outcome.print.shell {
            return None;
        }
        if !outcome.failed {
            self.restart();
            return None;
        }
        if outcome.print.tests {
            return None;
        }
        if self.failures == 0 {
            self.since = outcome.index;
        }
        self.failures = self.failures.saturating_add(1);
        self.file_failures =
            if outcome.print.files { self.file_failures.saturating_add(1) } else { 0 };
        if self.last.len() >= SHOWN {
            self.last.remove(0);
        }
        self.last.push(outcome.index);
        self.active().then(|| Signal {
            kind: LoopKind::FailureCascade,
            loop_id: hash::pair(LoopKind::FailureCascade as u64, self.since),
            count: self.failures,
            period: 0,
            since: Some(self.since),
            wasted: self.failures - 1,
            evidence: self.last.clone(),
            files: self.file_failures >= self.threshold,
        })
    }
}

impl Pattern for FailureCascade {
    fn active(&self) -> bool {
        self.failures >= self.threshold
    }

    fn restart(&mut self) {
        self.failures = 0;
        self.file_failures = 0;
        self.last.clear();
    }

    fn save(&self, out: &mut Writer) {
        out.count(self.failures);
        out.count(self.since);
        out.count(self.file_failures);
        out.length(self.last.len());
        self.last.iter().for_each(|index| out.count(*index));
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.failures = from.count()?;
        self.since = from.count()?;
        self.file_failures = from.count()?;
        self.last.clear();
        for _ in 0..from.length(SHOWN)? {
            self.last.push(from.count()?);
        }
        Some(())
    }
}
