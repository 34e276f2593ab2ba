//! The same call several times in a row; with results, the same call with the
//! same result.

use super::equal_run::EqualRun;
use super::{CallEvent, Memory, Pattern, Progress, ResultEvent, Signal};
use crate::config::{Config, Rule};
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Counts equal calls in a row.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct ExactRepeat {
    #[serde(skip)]
    compares_results: bool,
    run: EqualRun,
}

impl Pattern for ExactRepeat {
    const KIND: LoopKind = LoopKind::ExactRepeat;
    const REPEATS_CALLS: bool = true;

    fn configure(&mut self, rule: &Rule, _: &Config) {
        self.compares_results = rule.results;
        self.run.threshold = rule.threshold;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        if self.compares_results {
            return None;
        }
        self.run.push(Self::KIND, call.fingerprint.exact, call.index, call.threshold)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        if !self.compares_results {
            return None;
        }
        self.run.push(Self::KIND, result.call_and_result()?, result.index, result.threshold)
    }

    fn on_empty_batch(&self) -> Option<Signal> {
        self.run.signal(Self::KIND)
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
