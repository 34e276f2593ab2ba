//! Test runs that fail one after the other, whatever is done in between.

use super::consecutive_counter::ConsecutiveCounter;
use super::{Memory, Pattern, Progress, ResultEvent, Signal};
use crate::config::{Config, Rule};
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Counts failing test runs.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct TestFix {
    failures: ConsecutiveCounter,
}

impl Pattern for TestFix {
    const KIND: LoopKind = LoopKind::TestFix;

    fn configure(&mut self, rule: &Rule, _: &Config) {
        self.failures.threshold = rule.threshold;
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        // A run without a clear outcome neither counts nor resets.
        if !result.fingerprint.runs_tests || result.is_unclear {
            return None;
        }
        if !result.failed {
            self.failures.reset();
            return None;
        }
        self.failures.add(Self::KIND, Some(result.index))
    }

    fn is_active(&self) -> bool {
        self.failures.is_loop()
    }

    fn progress(&self) -> Progress {
        self.failures.progress()
    }

    fn reset(&mut self) {
        self.failures.reset();
    }
}
