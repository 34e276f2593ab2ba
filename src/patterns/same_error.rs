//! One error, whatever the arguments: calls of one tool that keep failing with the same
//! error, or with two errors in turn. Test runs are not counted: a failing test is an
//! expected result.

use super::outcome_streak::{Breadth, MAX_STREAKS, OutcomeStreak, kind_of_call};
use super::{CallEvent, Memory, Pattern, Progress, ResultEvent, Signal};
use crate::config::{Config, RecognisedBy, Rule};
use crate::history::{keep_only, push_bounded};
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// Stands for any error as the outcome of a streak, and for any tool as its kind.
const ANY: u64 = 0;

/// Stands for every error that says that a service is busy or unreachable.
const UNAVAILABLE: u64 = 1;

/// Tracks the failures of each kind of call, by error and all together; also failures with
/// the same error across all tools.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SameError {
    #[serde(skip)]
    threshold: u32,
    /// Threshold for failing edits of one file.
    #[serde(skip)]
    failing_edits: u32,
    /// Threshold for failures in a row, whatever the error.
    #[serde(skip)]
    mixed: u32,
    /// Threshold for calls with different targets whose errors name the targets.
    #[serde(skip)]
    sweep: u32,
    /// Threshold for calls that guess at the same target in different words.
    #[serde(skip)]
    guesses: u32,
    /// Threshold for attempts with pauses in between.
    #[serde(skip)]
    retries: u32,
    /// Least recently used first.
    streaks: VecDeque<OutcomeStreak>,
    #[serde(skip)]
    progress: Progress,
    active: bool,
}

impl SameError {
    /// Returns how long a streak must be to count as a loop, and what kind of evidence that
    /// is.
    fn limit(&self, streak: &OutcomeStreak, effect: Effect) -> (u32, EvidenceClass) {
        let is_mixed = matches!(streak.outcome, ANY | UNAVAILABLE);
        let is_unavailable = streak.outcome == UNAVAILABLE;
        let evidence = match streak.has_nothing_new() {
            true => EvidenceClass::Duplicate,
            false => EvidenceClass::Sweep,
        };
        match streak.breadth() {
            _ if streak.is_retry() => (self.retries, EvidenceClass::Waiting),
            Breadth::Sweep if is_unavailable => (self.sweep, EvidenceClass::Sweep),
            Breadth::NamedSweep if streak.is_reworded() => (self.guesses, EvidenceClass::Sweep),
            Breadth::NamedSweep => (self.sweep, EvidenceClass::Sweep),
            Breadth::OneTarget
                if effect == Effect::Write && streak.kind != ANY && !streak.has_reads =>
            {
                (self.failing_edits, EvidenceClass::Duplicate)
            }
            // Another error may be the next step of work, such as the next conflict.
            _ if is_mixed => (self.mixed, EvidenceClass::Sweep),
            Breadth::Sweep => (self.threshold, EvidenceClass::Sweep),
            Breadth::OneTarget => (self.threshold, evidence),
        }
    }

    /// Returns whether a failure has one of the two errors that a mixed streak may have.
    /// Edits always qualify: their errors quote the text that was not found, so each
    /// differs.
    fn is_one_of_two(&self, streak: &OutcomeStreak, result: &ResultEvent<'_>) -> bool {
        result.fingerprint.intent.effect == Effect::Write || streak.takes_error(result.result.error)
    }

    fn is_loop(&self, streak: &OutcomeStreak, effect: Effect) -> Option<EvidenceClass> {
        let (needed, evidence) = self.limit(streak, effect);
        streak.is_loop(needed).then_some(evidence)
    }

    /// Adds a failure to the streak of this kind and error.
    fn add(&mut self, result: &ResultEvent<'_>, kind: u64, error: u64) -> Option<Signal> {
        let is_own = |streak: &OutcomeStreak| {
            streak.kind == kind && (streak.outcome == ANY) == (error == ANY)
        };
        let before = self.streaks.iter().find(|streak| is_own(streak)).copied();
        keep_only(&mut self.streaks, |streak| !is_own(streak));
        let goes_on = |streak: &OutcomeStreak| {
            streak.outcome == error && (error != ANY || self.is_one_of_two(streak, result))
        };
        let before = before.filter(goes_on);
        let mut streak = OutcomeStreak::new(result, error, before.as_ref());
        streak.kind = kind;
        streak.add_error(result.result.error);
        push_bounded(&mut self.streaks, streak, MAX_STREAKS);
        let (needed, _) = self.limit(&streak, result.fingerprint.intent.effect);
        self.progress = self.progress.closer(Progress::new(streak.progress(), needed));
        let evidence = self.is_loop(&streak, result.fingerprint.intent.effect)?;
        let mut signal = streak.signal(Self::KIND, result.index);
        signal.evidence = evidence;
        signal.recognised_by = recognised_by(&streak);
        Some(signal)
    }
}

/// Returns how a streak was recognised.
fn recognised_by(streak: &OutcomeStreak) -> RecognisedBy {
    if streak.outcome == ANY { RecognisedBy::MixedErrors } else { RecognisedBy::Default }
}

impl Pattern for SameError {
    const KIND: LoopKind = LoopKind::SameError;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.threshold = rule.threshold;
        self.failing_edits = config.patience.failing_edits;
        self.mixed = config.patience.mixed_errors;
        self.sweep = config.patience.sweep;
        self.guesses = config.patience.sweep / 2;
        self.retries = config.patience.infrastructure * 2;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let kind = kind_of_call(call.fingerprint);
        let intent = &call.fingerprint.intent;
        // A call whose failure would not count is not refused either.
        if call.fingerprint.runs_tests || intent.is_polling {
            return None;
        }
        let own = self.streaks.iter().filter(|streak| streak.kind == kind);
        let (streak, evidence) = own
            .filter_map(|streak| Some((streak, self.is_loop(streak, intent.effect)?)))
            .max_by_key(|(streak, _)| streak.count)?;
        let mut signal = streak.signal_before(Self::KIND, call.index);
        signal.evidence = evidence;
        signal.recognised_by = recognised_by(streak);
        self.active = true;
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        result.outcome?;
        let intent = &result.fingerprint.intent;
        let failed = result.result.failed;
        self.active = false;
        self.progress = Progress::new(0u64, self.threshold);
        if intent.effect == Effect::Write && !failed {
            // After a write, what failed before is worth another try.
            self.streaks.clear();
            return None;
        }
        if result.fingerprint.runs_tests || intent.is_polling {
            return None;
        }
        let kind = kind_of_call(result.fingerprint);
        // A search that finds nothing fails without output: that is an answer, not an
        // error.
        let answered = intent.effect == Effect::Read && result.output.trim_ascii().is_empty();
        if !failed && intent.effect == Effect::Read {
            self.streaks.iter_mut().for_each(|streak| streak.has_reads = true);
        }
        if !failed || answered {
            keep_only(&mut self.streaks, |streak| streak.kind != kind && streak.kind != ANY);
            return None;
        }
        let error = result.result.error;
        if result.result.evidence == Evidence::Infrastructure {
            // The service is down, whichever call is made.
            let mut signal = self.add(result, ANY, UNAVAILABLE)?;
            self.active = true;
            signal.evidence = EvidenceClass::Waiting;
            return Some(signal);
        }
        let of_all_tools = self.add(result, ANY, error);
        let mixed = self.add(result, kind, ANY);
        let found = self.add(result, kind, error).or(mixed).or(of_all_tools);
        self.active = found.is_some();
        found
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn reset(&mut self) {
        self.streaks.clear();
        self.active = false;
        self.progress.count = 0;
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.streaks.len() <= MAX_STREAKS
    }
}
