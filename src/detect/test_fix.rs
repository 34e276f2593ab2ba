//! Test runs that fail one after the other, whatever is done in between.

use super::{Outcome, Pattern, Signal};
use crate::codec::{Reader, Writer};
use crate::hash;
use crate::verdict::LoopKind;
use alloc::vec;

/// Counts failing test runs.
pub(super) struct TestFix {
    threshold: u64,
    failures: u64,
    since: u64,
}

impl TestFix {
    pub fn new(threshold: u32) -> Self {
        Self { threshold: u64::from(threshold), failures: 0, since: 0 }
    }

    pub fn on_result(&mut self, outcome: &Outcome<'_>) -> Option<Signal> {
        if !outcome.print.tests {
            return None;
        }
        if !outcome.failed {
            self.restart();
            return None;
        }
        if self.failures == 0 {
            self.since = outcome.index;
        }
        self.failures = self.failures.saturating_add(1);
        self.active().then(|| Signal {
            kind: LoopKind::TestFix,
            loop_id: hash::pair(LoopKind::TestFix as u64, self.since),
            count: self.failures,
            period: 0,
            since: Some(self.since),
            wasted: self.failures - 1,
            evidence: vec![outcome.index],
            files: false,
        })
    }
}

impl Pattern for TestFix {
    fn active(&self) -> bool {
        self.failures >= self.threshold
    }

    fn restart(&mut self) {
        self.failures = 0;
    }

    fn save(&self, out: &mut Writer) {
        out.count(self.failures);
        out.count(self.since);
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.failures = from.count()?;
        self.since = from.count()?;
        Some(())
    }
}
