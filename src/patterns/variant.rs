//! The same intent in other words: calls of one tool, each much like the one
//! before it, all with the same result. Calls with other targets have other
//! results, or share few words.

use super::outcome_streak::{Breadth, MAX_STREAKS, OutcomeStreak, kind_of_call, targets_of};
use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
use crate::call::Intent;
use crate::config::{Config, Rule};
use crate::history::{keep_only, push_bounded};
use crate::result::{Evidence, EvidenceClass, is_negative_result, reports_problems};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many of its words a search in other words has in common with those before it,
/// at least, in percent.
const REWORDING: u32 = 50;

/// Different searches hardly ever have the same answer of this length, in bytes.
const LONG_ANSWER: usize = 80;

/// A streak of calls, and how they differ.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct WordedStreak {
    streak: OutcomeStreak,
    /// The newest call's targets.
    targets: u64,
    /// Some of them have only a few words in common.
    is_loose: bool,
    /// They share an answer that says something, at length.
    has_long_answer: bool,
}

/// Follows the wording of each kind of call.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Variant {
    #[serde(skip)]
    threshold: u32,
    /// Calls about different things.
    #[serde(skip)]
    sweep: u32,
    /// Searches in ever other words.
    #[serde(skip)]
    rewordings: u32,
    /// One long answer to calls about different things.
    #[serde(skip)]
    long_answers: u32,
    /// How alike calls have to be, in percent; and those that read.
    #[serde(skip)]
    likeness: u32,
    #[serde(skip)]
    read_likeness: u32,
    /// The most recently used last.
    streaks: VecDeque<WordedStreak>,
    active: bool,
}

impl Variant {
    /// Whether one more call with the same result is a variant of the one before.
    fn continues(&self, last: &WordedStreak, result: &ResultEvent<'_>) -> bool {
        let intent = &result.fingerprint.intent;
        let reads = intent.effect == Effect::Read;
        if result.fingerprint.runs_tests && !result.result.failed {
            return false;
        }
        if result.result.failed || reports_problems(result.output) {
            return self.is_alike(last, intent, reads);
        }
        // Where nothing went wrong, one answer to many calls is nothing special, unless it
        // is a long one: to be variants, they have to be about the same things.
        let is_negative = is_negative_result(result.output);
        if reads && result.output.len() >= LONG_ANSWER && !is_negative {
            return true;
        }
        let is_reworded = reads && last.streak.words.share_of(&intent.sketch) >= REWORDING;
        intent.targets & !last.targets == 0
            && (reads || is_negative || intent.is_message)
            && (is_reworded || self.is_alike(last, intent, reads && is_negative))
    }

    fn is_loop(&self, worded: &WordedStreak) -> Option<EvidenceClass> {
        let streak = &worded.streak;
        let (needed, evidence) = match streak.breadth() {
            _ if worded.is_loose && streak.is_reworded() => (self.rewordings, EvidenceClass::Sweep),
            Breadth::OneTarget if !worded.is_loose => match streak.brings_nothing_new() {
                true => (self.threshold, EvidenceClass::Duplicate),
                false => (self.threshold, EvidenceClass::Sweep),
            },
            _ if worded.has_long_answer => (self.long_answers, EvidenceClass::Sweep),
            _ => (self.sweep, EvidenceClass::Sweep),
        };
        streak.is_loop(needed).then_some(evidence)
    }

    /// An agent that looks for one thing after the other and finds nothing uses the
    /// same words, too: there (`strict`) calls must be more alike.
    fn is_alike(&self, last: &WordedStreak, intent: &Intent, strict: bool) -> bool {
        let least = if strict { self.read_likeness } else { self.likeness };
        last.streak.call == intent.normalized_hash
            || last.streak.sketch.similarity(&intent.sketch) >= least
    }
}

impl Pattern for Variant {
    const KIND: LoopKind = LoopKind::Variant;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.threshold = rule.threshold;
        self.sweep = config.patience.sweep;
        self.rewordings = config.patience.rewordings;
        self.long_answers = config.patience.poll;
        self.likeness = config.patience.likeness;
        self.read_likeness = config.patience.look_likeness;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let intent = &call.fingerprint.intent;
        let kind = kind_of_call(call.fingerprint);
        let last = *self.streaks.iter().find(|last| last.streak.kind == kind)?;
        let is_variant = last.streak.call != intent.normalized_hash
            && self.is_alike(&last, intent, intent.effect == Effect::Read);
        // A polling call is not counted, so it is no variant either.
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
        // "ok" to write after write is work, and unavailable services say the same to all.
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
        let outcome = match evidence {
            Evidence::Acknowledgement => result.result.words,
            _ => result.result.hash,
        };
        let before =
            last.filter(|last| last.streak.outcome == outcome && self.continues(last, result));
        let streak = OutcomeStreak::new(result, outcome, before.map(|last| last.streak).as_ref());
        let (mut is_loose, mut has_long_answer) = (false, false);
        if let Some(last) = before {
            let is_negative = is_negative_result(result.output);
            let worked = !result.result.failed;
            has_long_answer = worked && result.output.len() >= LONG_ANSWER && !is_negative;
            let is_strict = worked && intent.effect == Effect::Read && is_negative;
            let is_message = evidence == Evidence::Acknowledgement;
            let is_alike = self.is_alike(&last, intent, is_strict);
            is_loose = last.is_loose || is_message || !has_long_answer && !is_alike;
        }
        let newest = WordedStreak { streak, targets: intent.targets, is_loose, has_long_answer };
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

    fn reset(&mut self) {
        self.streaks.clear();
        self.active = false;
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.streaks.len() <= MAX_STREAKS
    }
}
