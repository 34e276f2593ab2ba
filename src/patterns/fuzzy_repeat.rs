//! The same call several times in a row, ignoring optional arguments.

use super::equal_run::EqualRun;
use super::{CallEvent, Memory, Pattern, Progress, Signal};
use crate::config::{Config, Rule};
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Counts calls in a row that agree in their primary arguments.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct FuzzyRepeat {
    run: EqualRun,
}

impl FuzzyRepeat {
    pub fn count(&self) -> u64 {
        self.run.count()
    }
}

impl Pattern for FuzzyRepeat {
    const KIND: LoopKind = LoopKind::FuzzyRepeat;
    const REPEATS_CALLS: bool = true;

    fn configure(&mut self, rule: &Rule, _: &Config) {
        self.run.threshold = rule.threshold;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        self.run.push(Self::KIND, call.fingerprint.fuzzy, call.index, call.fuzzy_threshold)
    }

    fn is_active(&self) -> bool {
        self.run.is_loop()
    }

    fn progress(&self) -> Progress {
        self.run.progress()
    }

    fn reset(&mut self) {
        self.run.reset();
    }
}
