//! One error, whatever the arguments: calls of one tool that keep failing in the
//! same way. Unavailable services are not counted, nor are tests, which fail for
//! a reason.

use super::outcome_streak::{MAX_STREAKS, OutcomeStreak, kind_of_call};
use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
use crate::config::{Config, Rule};
use crate::history::{keep_only, push_bounded};
use crate::result::Evidence;
use crate::tools::Effect;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// Follows the failures of each kind of call.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SameError {
    #[serde(skip)]
    threshold: u32,
    /// The most recently used last.
    streaks: VecDeque<OutcomeStreak>,
    active: bool,
}

impl Pattern for SameError {
    const KIND: LoopKind = LoopKind::SameError;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, _: &Config) {
        self.threshold = rule.threshold;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let kind = kind_of_call(call.fingerprint);
        let streak = self.streaks.iter().find(|streak| streak.kind == kind)?;
        let intent = &call.fingerprint.intent;
        // What would not be counted is not refused either.
        if !streak.is_loop(self.threshold) || call.fingerprint.runs_tests || intent.is_polling {
            return None;
        }
        self.active = true;
        let mut signal = streak.signal_before(Self::KIND, call.index);
        signal.only_if_announced = true;
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        result.outcome?;
        let intent = &result.fingerprint.intent;
        let failed = result.result.failed;
        self.active = false;
        if intent.effect == Effect::Write && !failed {
            // What failed before is worth another try, whatever the write printed.
            self.streaks.clear();
            return None;
        }
        if result.result.evidence == Evidence::Infrastructure
            || result.fingerprint.runs_tests
            || intent.is_polling
        {
            return None;
        }
        let kind = kind_of_call(result.fingerprint);
        let before = self.streaks.iter().find(|streak| streak.kind == kind).copied();
        keep_only(&mut self.streaks, |streak| streak.kind != kind);
        // A search that finds nothing fails without output: that is an answer.
        let answered = intent.effect == Effect::Read && result.output.trim_ascii().is_empty();
        if !failed || answered {
            return None;
        }
        let error = result.result.error;
        let before = before.filter(|streak| streak.outcome == error);
        let streak = OutcomeStreak::new(result.fingerprint, error, result.index, before.as_ref());
        push_bounded(&mut self.streaks, streak, MAX_STREAKS);
        self.active = streak.is_loop(self.threshold);
        self.active.then(|| streak.signal(Self::KIND, result.index))
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn reset(&mut self) {
        self.streaks.clear();
        self.active = false;
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.streaks.len() <= MAX_STREAKS
    }
}
