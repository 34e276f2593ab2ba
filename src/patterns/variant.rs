//! The same intent in other words: calls of one tool, each much like the one
//! before it, all with the same result. Calls with other targets have other
//! results, or share few words.

use super::outcome_streak::{Breadth, MAX_STREAKS, OutcomeStreak, kind_of_call, targets_of};
use super::{CallEvent, Memory, Pattern, Progress, ResultEvent, Signal};
use crate::call::Intent;
use crate::config::{Config, Rule};
use crate::history::{keep_only, push_bounded};
use crate::normalize::{Numbers, words_hash};
use crate::result::{
    Evidence, EvidenceClass, MAX_SENTENCE, has_words, is_negative_result, reports_problems,
};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

/// How many percent of its words a rewording shares with the earlier calls, at least.
const REWORDING: u32 = 50;

/// Different searches rarely return the same answer of this length, in bytes.
const LONG_ANSWER: usize = 80;

/// A streak of calls, and how they differ.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct WordedStreak {
    streak: OutcomeStreak,
    /// The newest answer, apart from what changes with the question; 0 if it is compared as
    /// it is.
    answer: u64,
    /// The newest call's targets.
    targets: u64,
    /// Some of the calls have only a few words in common.
    is_loose: bool,
    /// They share a long answer that is not negative.
    has_long_answer: bool,
    /// They share an error report of several lines, which does not depend on their targets.
    has_long_error: bool,
}

/// Tracks the wording of each kind of call.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Variant {
    #[serde(skip)]
    threshold: u32,
    /// Threshold for calls with different targets.
    #[serde(skip)]
    sweep: u32,
    /// Threshold for searches that are reworded each time.
    #[serde(skip)]
    rewordings: u32,
    /// Threshold for the same long answer to calls with different targets.
    #[serde(skip)]
    long_answers: u32,
    /// How similar calls must be, in percent; `read_likeness` is for calls that read.
    #[serde(skip)]
    likeness: u32,
    #[serde(skip)]
    read_likeness: u32,
    /// Least recently used first.
    streaks: VecDeque<WordedStreak>,
    #[serde(skip)]
    progress: Progress,
    active: bool,
}

impl Variant {
    /// Returns whether one more call with the same result is a variant of the one before.
    fn continues(&self, last: &WordedStreak, result: &ResultEvent<'_>) -> bool {
        let intent = &result.fingerprint.intent;
        let reads = intent.effect == Effect::Read;
        if result.fingerprint.runs_tests && !result.result.failed {
            return false;
        }
        if result.result.failed || reports_problems(result.output) {
            return self.is_alike(last, intent, reads);
        }
        // If nothing went wrong, the same answer to many calls means little, unless it is
        // long: the calls must have the same targets to be variants.
        let is_negative = is_negative(result);
        if reads && result.output.len() >= LONG_ANSWER && !is_negative {
            return true;
        }
        let is_reworded =
            (reads || intent.is_message) && last.streak.words.share_of(&intent.sketch) >= REWORDING;
        targets_of(result.fingerprint) & !last.targets == 0
            && (reads || is_negative || intent.is_message)
            && (is_reworded || self.is_alike(last, intent, reads && is_negative))
    }

    fn is_loop(&mut self, worded: &WordedStreak) -> Option<EvidenceClass> {
        let streak = &worded.streak;
        let (needed, evidence) = match streak.breadth() {
            _ if worded.is_loose && streak.is_reworded() => (self.rewordings, EvidenceClass::Sweep),
            Breadth::OneTarget if !worded.is_loose => match streak.has_nothing_new() {
                true => (self.threshold, EvidenceClass::Duplicate),
                false => (self.threshold, EvidenceClass::Sweep),
            },
            Breadth::OneTarget => (self.rewordings, EvidenceClass::Sweep),
            _ if worded.has_long_error => (self.rewordings, EvidenceClass::Sweep),
            _ if worded.has_long_answer => (self.long_answers, EvidenceClass::Sweep),
            _ => (self.sweep, EvidenceClass::Sweep),
        };
        self.progress = Progress::new(streak.progress(), needed);
        streak.is_loop(needed).then_some(evidence)
    }

    /// Returns whether the call is similar to the last one. An agent that looks for many
    /// things and finds none of them also repeats words, so `strict` demands more
    /// similarity.
    fn is_alike(&self, last: &WordedStreak, intent: &Intent, strict: bool) -> bool {
        let least = if strict { self.read_likeness } else { self.likeness };
        last.streak.call == intent.normalized_hash
            || last.streak.sketch.similarity(&intent.sketch) >= least
    }
}

/// Returns whether the answer says that nothing was found or done.
fn is_negative(result: &ResultEvent<'_>) -> bool {
    result.result.is_negative || !is_inspected(result) && is_negative_result(result.output)
}

/// Returns whether the result was already inspected for that.
fn is_inspected(result: &ResultEvent<'_>) -> bool {
    result.fingerprint.intent.effect == Effect::Read && result.output.len() <= MAX_SENTENCE
}

/// Returns whether the answer says so in a sentence.
fn is_negative_sentence(result: &ResultEvent<'_>) -> bool {
    let output = result.output;
    output.len() <= MAX_SENTENCE && has_words(output) && is_negative(result)
}

impl Pattern for Variant {
    const KIND: LoopKind = LoopKind::Variant;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.threshold = rule.threshold;
        self.sweep = config.patience.sweep;
        self.rewordings = config.patience.rewordings;
        self.long_answers = config.patience.sweep / 2;
        self.likeness = config.patience.likeness;
        self.read_likeness = config.patience.look_likeness;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let intent = &call.fingerprint.intent;
        let kind = kind_of_call(call.fingerprint);
        let last = *self.streaks.iter().find(|last| last.streak.kind == kind)?;
        let is_variant = last.streak.call != intent.normalized_hash
            && self.is_alike(&last, intent, intent.effect == Effect::Read);
        // Polling calls are not counted, so they are not refused either.
        if !is_variant || intent.is_polling || targets_of(call.fingerprint) & !last.targets != 0 {
            return None;
        }
        let evidence = self.is_loop(&last)?;
        self.active = true;
        let mut signal = last.streak.signal_before(Self::KIND, call.index);
        signal.evidence = evidence;
        signal.period = 1;
        Some(signal)
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        result.outcome?;
        let intent = &result.fingerprint.intent;
        let evidence = result.result.evidence;
        self.active = false;
        if intent.effect == Effect::Write && evidence == Evidence::Acknowledgement {
            // A write makes the next call a new experiment.
            self.streaks.clear();
            return None;
        }
        // "ok" after each of many writes is work, and an unavailable service gives every
        // call the same error.
        let says_something = match evidence {
            Evidence::Informative | Evidence::Empty => true,
            Evidence::Acknowledgement => intent.is_message,
            _ => false,
        };
        if !says_something || intent.is_polling {
            return None;
        }
        let kind = kind_of_call(result.fingerprint);
        let last = self.streaks.iter().find(|last| last.streak.kind == kind).copied();
        keep_only(&mut self.streaks, |last| last.streak.kind != kind);
        let answer = result.result.answer;
        let outcome = match evidence {
            Evidence::Acknowledgement => result.result.words,
            // Replies to messages contain changing counters, such as costs. Beside "nothing
            // found", numbers and ids do not matter either.
            _ if (intent.is_message || is_negative_sentence(result)) && !result.result.failed => {
                words_hash(result.output, Numbers::Dropped)
            }
            _ => result.result.hash,
        };
        let is_same = |last: &WordedStreak| {
            last.streak.outcome == outcome || answer != 0 && last.answer == answer
        };
        let before = last.filter(|last| is_same(last) && self.continues(last, result));
        // It stays the same loop, whatever the answer repeats of the question.
        let outcome = before.map_or(outcome, |last| last.streak.outcome);
        let streak = OutcomeStreak::new(result, outcome, before.map(|last| last.streak).as_ref());
        let (mut is_loose, mut has_long_answer, mut has_long_error) = (false, false, false);
        if let Some(last) = before {
            let is_negative = is_negative(result);
            let worked = !result.result.failed;
            let is_long = result.output.len() >= LONG_ANSWER;
            has_long_answer = worked && is_long && !is_negative;
            let has_problems = !worked || reports_problems(result.output);
            has_long_error =
                has_problems && is_long && memchr_iter(b'\n', result.output.as_bytes()).count() > 1;
            let is_strict = worked && intent.effect == Effect::Read && is_negative;
            let is_message = evidence == Evidence::Acknowledgement;
            let is_alike = self.is_alike(&last, intent, is_strict);
            is_loose = last.is_loose || is_message || !has_long_answer && !is_alike;
        }
        let targets = targets_of(result.fingerprint);
        let newest =
            WordedStreak { streak, answer, targets, is_loose, has_long_answer, has_long_error };
        push_bounded(&mut self.streaks, newest, MAX_STREAKS);
        let evidence = self.is_loop(&newest)?;
        self.active = true;
        let mut signal = streak.signal(Self::KIND, result.index);
        signal.evidence = evidence;
        signal.period = 1;
        Some(signal)
    }

    fn on_compaction(&mut self) {
        self.reset();
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
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.streaks.len() <= MAX_STREAKS
    }
}
