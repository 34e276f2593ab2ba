//! The outcomes of the last calls: the result of each, how many times the call had that
//! result before, and whether it was new information.

use super::{keep_only, push_bounded};
use crate::call::Fingerprint;
use crate::result::{ClassifiedResult, Evidence, Problem};
use crate::tools::Effect;
use alloc::collections::VecDeque;
use memchr::memrchr_iter;
use serde::{Deserialize, Serialize};

/// How many outcomes are kept at most, however long the window is: each event searches
/// them.
const MAX_OUTCOMES: u32 = 128;

/// A call made again after this many others is not a repeat: agents look at things again
/// after a while.
const RECENT: usize = 40;

/// Repeats at least this far apart are polling, in milliseconds.
const POLLING_DISTANCE: u64 = 60_000;

/// A call and its result, with what was counted up to then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The call's index.
    pub index: u64,
    /// Identity of the call; equal hashes mean equal calls.
    pub call: u64,
    /// Identity of its result, in layers; see [`ClassifiedResult`].
    exact: u64,
    pub result: u64,
    words: u64,
    error: u64,
    /// How many times in a row this call has had the same result. For failures, equality in
    /// any layer counts; for successes, only in the first two.
    pub same_results: u32,
    /// Of those in a row, how many were equal except for volatile tokens.
    pub equal_results: u32,
    /// Of those in a row, how many had the same bytes.
    pub exact_results: u32,
    /// How many times in a row the result had the same bytes, with no other call in
    /// between.
    pub identical_results: u32,
    /// Of `same_results`, how many since anything new was learned.
    pub unchanged_repeats: u32,
    /// Of `same_results`, how many came after a wait, or long after the previous one.
    after_waits: u32,
    /// How many times this call has worked.
    pub successes: u32,
    /// How many times this call was made with no other call in between.
    pub calls_in_a_row: u32,
    /// How many times this call has failed with no other call in between, whatever the
    /// error.
    pub failures_in_a_row: u32,
    /// How many problems the output reports, if the call failed and the output gives a
    /// number.
    problems: Option<u64>,
    /// Repeating the call has paid off before: it returned the same result several times,
    /// then a different one, with no other call in between.
    repeats_paid_off: bool,
    /// It fails with fewer problems than before: that is progress, whoever makes it.
    pub is_improving: bool,
    /// The number of the first call of the row with the same result.
    pub since: u64,
    pub failed: bool,
    /// It succeeded, but its output reports that something is wrong.
    pub complains: bool,
    /// Its output says that nothing was found or done.
    pub is_negative: bool,
    pub evidence: Evidence,
    /// The kind of problem that the call ran into.
    pub problem: Problem,
    pub effect: Effect,
    /// The same call had the same result before.
    pub is_known: bool,
    /// The previous call was the same one.
    pub in_a_row: bool,
    /// Something was written since the streak with the same result began.
    pub written_since: bool,
    /// The call waits for something, or checks whether it has happened.
    is_polling: bool,
    /// The call lets time pass.
    lets_time_pass: bool,
    /// The call sends a message. Repeating a message word for word is more suspicious than
    /// pressing a key again.
    pub is_message: bool,
    pub is_shell: bool,
    /// When the result came, if the host says.
    at: Option<u64>,
    /// The log's counters right after this outcome.
    new_info: u64,
    new_actions: u64,
    writes: u64,
    waits: u64,
}

/// What messages say about an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutcomeFacts {
    /// Identity of the call.
    pub call: u64,
    pub failed: bool,
    pub evidence: Evidence,
    pub problem: Problem,
    pub effect: Effect,
    pub is_shell: bool,
}

impl Outcome {
    pub fn facts(&self) -> OutcomeFacts {
        let Self { call, failed, evidence, problem, effect, is_shell, .. } = *self;
        OutcomeFacts { call, failed, evidence, problem, effect, is_shell }
    }

    /// Returns whether both are the same call with the same result.
    pub fn is_same(&self, other: &Outcome) -> bool {
        self.call == other.call
            && self.failed == other.failed
            && self.has_result(other.result, other.words, other.error)
    }

    /// Returns whether another result of the same call is the same.
    fn is_same_result(&self, other: &ClassifiedResult) -> bool {
        self.failed == other.failed && self.has_result(other.hash, other.words, other.error)
    }

    /// Returns whether the result is equal in one of the layers that count for it.
    fn has_result(&self, result: u64, words: u64, error: u64) -> bool {
        let any_layer = self.failed || self.complains || self.evidence == Evidence::Acknowledgement;
        self.result == result
            || any_layer && self.words != 0 && self.words == words
            || self.failed && self.error != 0 && self.error == error
    }

    /// Continues the counts of the last outcome of the same call, whatever its result;
    /// `is_known` says whether the call had this result before.
    fn follow(&mut self, last: &Outcome, is_known: bool) {
        self.successes = last.successes.saturating_add(u32::from(!self.failed));
        // To be told again what was said before is no new answer to a question.
        self.repeats_paid_off = last.repeats_paid_off && !(self.is_message && is_known);
        if self.in_a_row {
            self.calls_in_a_row = last.calls_in_a_row.saturating_add(1);
        }
        if self.in_a_row && self.failed && last.failed {
            self.failures_in_a_row = last.failures_in_a_row.saturating_add(1);
        }
    }

    /// Whether the call waits for something: by its name or command, by what the
    /// result says, because it is only repeated across waits, or because repeating it has
    /// paid off before.
    pub fn is_waiting(&self) -> bool {
        self.is_polling
            || self.evidence == Evidence::Waiting
            || self.is_after_waits()
            || self.repeats_paid_off && !self.failed
    }

    /// Returns how many calls had let time pass by then.
    pub fn waits(&self) -> u64 {
        self.waits
    }

    /// Returns whether time passes between the repeats.
    pub fn takes_time(&self) -> bool {
        self.lets_time_pass || self.is_after_waits()
    }

    /// Returns whether the call asks for the state of something.
    pub fn asks_for_state(&self) -> bool {
        self.is_polling || self.is_after_waits()
    }

    fn is_after_waits(&self) -> bool {
        self.same_results > 1 && self.after_waits.saturating_add(1) >= self.same_results
    }

    /// Returns whether the call does nothing but let time pass.
    pub fn is_pause(&self) -> bool {
        self.lets_time_pass && !matches!(self.evidence, Evidence::Informative | Evidence::Waiting)
    }
}

/// A sequence of calls that repeat one after the other, each after the same number of
/// calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Rotation {
    /// After how many calls each one repeats.
    period: u32,
    /// How many calls in a row have repeated like that.
    length: u32,
    /// The index of the call that began that streak.
    since: u64,
}

/// The last outcomes, and the counters over all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct OutcomeLog {
    outcomes: VecDeque<Outcome>,
    /// One byte of the call of each outcome, in the same order, for a fast search at every
    /// event.
    #[serde(skip)]
    tags: VecDeque<u8>,
    /// Whether the host has ever reported a result. Until then each call is
    /// recorded as an outcome without a result.
    pub has_results: bool,
    /// How many times something new was learned or done.
    new_info: u64,
    /// As `new_info`, plus new calls that were only acknowledged.
    new_actions: u64,
    /// How many times something was written.
    writes: u64,
    /// How many calls let time pass.
    waits: u64,
    /// The last call refused since the newest outcome.
    refused: Option<u64>,
    /// The newest outcome was forgotten, so the next call is not in a row with any.
    forgot_newest: bool,
    /// How many calls in a row revealed nothing new, not counting immediate repeats. New
    /// information lowers it instead of clearing it: an occasional new call does not end a
    /// loop.
    stale_calls: u32,
    /// The index of the call that began that streak.
    stale_since: u64,
    rotation: Rotation,
    #[serde(skip)]
    capacity: usize,
}

/// What is known of a call with a result, apart from its fingerprint and the result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered {
    pub index: u64,
    /// When the call was made, and when the result came, if the host says.
    pub called_at: Option<u64>,
    pub at: Option<u64>,
}

impl OutcomeLog {
    pub fn new(window: u32) -> Self {
        Self { capacity: window.min(MAX_OUTCOMES) as usize, ..Self::default() }
    }

    /// Records the outcome of a call.
    pub fn add(
        &mut self,
        answered: Answered,
        fingerprint: &Fingerprint,
        result: &ClassifiedResult,
    ) -> Outcome {
        let Answered { index, called_at, at } = answered;
        let intent = &fingerprint.intent;
        let call = intent.normalized_hash;
        let distance = self.distance_to(call);
        let last = distance.and_then(|ago| self.back(ago - 1).copied());
        let is_known = last.is_some() && self.is_known(call, result);
        let in_a_row = self.is_newest(call);
        let mut outcome = Outcome {
            index,
            call,
            exact: result.exact,
            result: result.hash,
            words: result.words,
            error: result.error,
            same_results: 1,
            equal_results: 1,
            exact_results: 1,
            identical_results: 1,
            unchanged_repeats: 1,
            after_waits: 0,
            successes: u32::from(!result.failed),
            calls_in_a_row: 1,
            failures_in_a_row: u32::from(result.failed),
            problems: result.problems,
            repeats_paid_off: false,
            is_improving: false,
            since: index,
            failed: result.failed,
            complains: result.complains,
            is_negative: result.is_negative && last.is_some(),
            evidence: result.evidence,
            problem: result.problem,
            effect: intent.effect,
            is_known,
            in_a_row,
            written_since: false,
            is_polling: intent.is_polling,
            lets_time_pass: intent.lets_time_pass,
            is_message: intent.is_message,
            is_shell: fingerprint.is_shell,
            at,
            new_info: 0,
            new_actions: 0,
            writes: 0,
            waits: 0,
        };
        if let Some(last) = last {
            outcome.follow(&last, is_known);
            outcome.is_improving = outcome.problems.is_some() && outcome.problems < last.problems;
            if last.is_same_result(result) {
                self.continue_streak(&mut outcome, &last, called_at);
            } else if in_a_row && !outcome.failed && !last.failed {
                let is_answer = !outcome.is_message || !is_known && !outcome.is_negative;
                outcome.repeats_paid_off |= last.same_results > 1 && is_answer;
            }
        }
        let repeats = in_a_row && outcome.same_results > 1;
        if !repeats {
            self.count_new_information(index, fingerprint, result, is_known);
        }
        self.count_rotation(&outcome, distance);
        self.waits = self.waits.saturating_add(u64::from(intent.lets_time_pass));
        outcome.new_info = self.new_info;
        outcome.new_actions = self.new_actions;
        outcome.writes = self.writes;
        outcome.waits = self.waits;
        self.refused = None;
        self.forgot_newest = false;
        push_bounded(&mut self.outcomes, outcome, self.capacity);
        push_bounded(&mut self.tags, tag_of(call), self.capacity);
        outcome
    }

    /// Predicts the outcome if a call is made again and returns the same as last time.
    pub fn expected(&self, last: &Outcome, called_at: Option<u64>) -> Outcome {
        let mut outcome = Outcome {
            in_a_row: self.is_newest(last.call),
            equal_results: 1,
            exact_results: 1,
            identical_results: 1,
            unchanged_repeats: 1,
            calls_in_a_row: 1,
            failures_in_a_row: u32::from(last.failed),
            ..*last
        };
        outcome.follow(last, true);
        self.continue_streak(&mut outcome, last, called_at);
        outcome
    }

    /// Continues the streak of a call's results: this one is the same as the last.
    fn continue_streak(&self, outcome: &mut Outcome, last: &Outcome, called_at: Option<u64>) {
        outcome.same_results = last.same_results.saturating_add(1);
        outcome.since = last.since;
        outcome.written_since = last.written_since || last.writes != self.writes;
        // A changed line number does not matter while the number of problems is the same.
        let is_equal_failure = outcome.failed
            && outcome.problems.is_some()
            && outcome.problems == last.problems
            && outcome.words == last.words;
        if last.result == outcome.result || is_equal_failure {
            outcome.equal_results = last.equal_results.saturating_add(1);
        }
        if last.exact == outcome.exact {
            outcome.exact_results = last.exact_results.saturating_add(1);
            if outcome.in_a_row {
                outcome.identical_results = last.identical_results.saturating_add(1);
            }
        }
        if self.nothing_new_since(last) {
            outcome.unchanged_repeats = last.unchanged_repeats.saturating_add(1);
        }
        let is_late = match (last.at, called_at) {
            (Some(before), Some(now)) => now.saturating_sub(before) >= POLLING_DISTANCE,
            _ => false,
        };
        let after_wait = is_late || last.waits != self.waits;
        outcome.after_waits = last.after_waits.saturating_add(u32::from(after_wait));
    }

    fn is_known(&self, call: u64, result: &ClassifiedResult) -> bool {
        self.newest_first().take(RECENT).any(|old| old.call == call && old.is_same_result(result))
    }

    fn count_rotation(&mut self, outcome: &Outcome, distance: Option<usize>) {
        let period = distance.filter(|_| outcome.same_results > 1).unwrap_or_default() as u32;
        let goes_on = period > 0 && period == self.rotation.period;
        let (before, since) = match goes_on {
            true => (self.rotation.length, self.rotation.since),
            false => (0, outcome.index),
        };
        let length = before.saturating_add(u32::from(period > 0));
        self.rotation = Rotation { period, length, since };
    }

    fn count_new_information(
        &mut self,
        index: u64,
        fingerprint: &Fingerprint,
        result: &ClassifiedResult,
        is_known: bool,
    ) {
        let effect = fingerprint.intent.effect;
        let is_informative = match result.evidence {
            Evidence::Informative | Evidence::NoResults => true,
            // "Still running" is new the first time; later it is neither new nor a loop.
            Evidence::Waiting => !is_known,
            // A write is new, unless the same was written before. The same plan, written
            // down again, is nothing new.
            Evidence::Acknowledgement => {
                effect == Effect::Write || fingerprint.intent.is_plan && is_known
            }
            // Only the call itself is known: new the first time.
            Evidence::Unknown => !is_known,
            Evidence::Empty | Evidence::Infrastructure | Evidence::HostMade => false,
        };
        let acts = matches!(result.evidence, Evidence::Acknowledgement | Evidence::Empty);
        if !is_known && (is_informative || acts) {
            self.new_actions = self.new_actions.saturating_add(1);
        }
        if !is_informative {
            self.stale_calls = self.stale_calls.saturating_sub(u32::from(acts && !is_known));
            return;
        }
        if !is_known {
            self.new_info = self.new_info.saturating_add(1);
            let wrote = effect == Effect::Write && !result.failed;
            self.writes = self.writes.saturating_add(u64::from(wrote));
            // A new read or a new failure counts for less than other new information.
            let little = effect == Effect::Read || result.failed;
            self.stale_calls = self.stale_calls.saturating_sub(if little { 1 } else { 2 });
        } else if !fingerprint.intent.is_polling {
            if self.stale_calls == 0 {
                self.stale_since = index;
            }
            self.stale_calls = self.stale_calls.saturating_add(1);
        }
    }

    /// Returns whether the newest outcome is of this call, and no other call was refused
    /// since.
    pub fn is_newest(&self, call: u64) -> bool {
        let newest = self.back(0).is_some_and(|newest| newest.call == call);
        newest && !self.forgot_newest && self.refused.is_none_or(|refused| refused == call)
    }

    /// Records that a call was refused. It has no outcome, but calls before and after it
    /// are no longer in a row.
    pub fn refuse(&mut self, call: u64) {
        self.refused = Some(call);
    }

    /// Returns the newest outcome of this call, if it is remembered.
    pub fn last_of(&self, call: u64) -> Option<Outcome> {
        self.back(self.distance_to(call)? - 1).copied()
    }

    /// Returns whether an outcome of this call is remembered.
    pub fn knows(&self, call: u64) -> bool {
        self.distance_to(call).is_some()
    }

    /// Returns how many outcomes ago this call was made; 1 is the newest.
    fn distance_to(&self, call: u64) -> Option<usize> {
        let (older, newer) = self.tags.as_slices();
        let tag = tag_of(call);
        let places = memrchr_iter(tag, newer).map(|at| older.len() + at);
        let is_of_call = |at: &usize| self.outcomes.get(*at).is_some_and(|old| old.call == call);
        let newest = places.chain(memrchr_iter(tag, older)).find(is_of_call)?;
        Some(self.outcomes.len() - newest)
    }

    /// Returns whether nothing new was learned since that outcome.
    pub fn nothing_new_since(&self, outcome: &Outcome) -> bool {
        // Typing text and pressing keys is only acknowledged, but it is work. After it, an
        // execution may print the same as before; a read should not.
        let executes = outcome.effect == Effect::Execute && !outcome.failed;
        match outcome.evidence {
            Evidence::NoResults | Evidence::Unknown => outcome.new_info == self.new_info,
            _ if executes => outcome.new_actions == self.new_actions,
            Evidence::Acknowledgement => outcome.new_actions == self.new_actions,
            _ => outcome.new_info == self.new_info,
        }
    }

    /// Returns how many times something new was learned or done.
    pub fn new_info(&self) -> u64 {
        self.new_info
    }

    /// Returns the outcome `ago` outcomes before the newest; 0 is the newest.
    pub fn back(&self, ago: usize) -> Option<&Outcome> {
        self.outcomes.get(self.outcomes.len().checked_sub(ago)?.checked_sub(1)?)
    }

    /// Returns how many calls in a row revealed nothing new.
    pub fn stale_calls(&self) -> u32 {
        self.stale_calls
    }

    /// Returns the index of the call that began that streak.
    pub fn stale_since(&self) -> u64 {
        self.stale_since
    }

    /// Returns the period of a cycle, once every call of it has repeated with its earlier
    /// result; also the index of the first call that repeated.
    pub fn whole_rotation(&self) -> Option<(u32, u64)> {
        let Rotation { period, length, since } = self.rotation;
        (period > 0 && length >= period).then_some((period, since))
    }

    /// Forgets the outcomes; the counters go on.
    pub fn clear(&mut self) {
        self.outcomes.clear();
        self.tags.clear();
        self.stale_calls = 0;
        self.refused = None;
        self.forgot_newest = false;
        self.rotation = Rotation::default();
    }

    /// Forgets successes after the model lost its context: it may look at everything once
    /// more. Failures stay.
    pub fn forget_successes(&mut self) {
        self.forgot_newest |= self.back(0).is_some_and(|newest| !newest.failed);
        keep_only(&mut self.outcomes, |outcome| outcome.failed);
        self.rebuild_tags();
        self.stale_calls = 0;
        self.rotation = Rotation::default();
    }

    fn rebuild_tags(&mut self) {
        self.tags.clear();
        self.tags.extend(self.outcomes.iter().map(|outcome| tag_of(outcome.call)));
    }

    /// Sets the capacity of a log loaded from a snapshot; false if the log is invalid.
    pub fn restore(&mut self, window: u32) -> bool {
        self.capacity = Self::new(window).capacity;
        self.rebuild_tags();
        self.outcomes.len() <= self.capacity
    }

    fn newest_first(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().rev()
    }
}

/// Returns the byte by which a call is searched for.
fn tag_of(call: u64) -> u8 {
    call as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Intent;
    use crate::result::NO_RESULTS;
    use alloc::vec::Vec;

    /// A log, and the number of calls added to it.
    struct Test {
        log: OutcomeLog,
        calls: u64,
    }

    impl Test {
        fn new() -> Self {
            Self { log: OutcomeLog::new(120), calls: 0 }
        }

        fn add(&mut self, intent: Intent, result: u64, failed: bool, at: Option<u64>) -> Outcome {
            let fingerprint = Fingerprint {
                tool: 0,
                exact: 0,
                fuzzy: 0,
                is_shell: true,
                runs_tests: false,
                is_file_command: false,
                searches: false,
                program: 0,
                changes_directory: false,
                intent,
            };
            let result = ClassifiedResult {
                exact: result,
                hash: result,
                failed,
                evidence: Evidence::Informative,
                ..NO_RESULTS
            };
            let answered = Answered { index: self.calls, called_at: at, at };
            self.calls += 1;
            self.log.add(answered, &fingerprint, &result)
        }

        fn read(&mut self, call: u64, result: u64) -> Outcome {
            self.add(reads(call), result, false, None)
        }

        fn fail(&mut self, call: u64, result: u64) -> Outcome {
            self.add(reads(call), result, true, None)
        }

        fn wait(&mut self) -> Outcome {
            let intent = Intent { is_polling: true, lets_time_pass: true, ..reads(99) };
            self.add(intent, 0, false, None)
        }
    }

    fn reads(call: u64) -> Intent {
        Intent { normalized_hash: call, effect: Effect::Read, ..Intent::default() }
    }

    #[test]
    fn counts_equal_results() {
        let mut test = Test::new();
        let first = test.read(1, 7);
        assert_eq!((first.same_results, first.is_known, first.in_a_row), (1, false, false));
        let again = test.read(1, 7);
        assert_eq!((again.same_results, again.unchanged_repeats, again.since), (2, 2, 0));
        assert!(again.is_known && again.in_a_row);
        // Something new in between, then a different result.
        test.read(2, 1);
        let later = test.read(1, 7);
        assert_eq!((later.same_results, later.unchanged_repeats), (3, 1));
        assert_eq!((later.identical_results, later.calls_in_a_row), (1, 1));
        assert_eq!(test.read(1, 8).same_results, 1);
    }

    #[test]
    fn failures_in_a_row_count_whatever_the_error() {
        let mut test = Test::new();
        let counts: Vec<u32> =
            (0..4).map(|result| test.fail(1, result).failures_in_a_row).collect();
        assert_eq!(counts, [1, 2, 3, 4]);
        test.read(2, 1);
        assert_eq!(test.fail(1, 9).failures_in_a_row, 1);
        assert_eq!(test.read(1, 9).failures_in_a_row, 0);
    }

    #[test]
    fn expected_outcomes_match_the_recorded_ones() {
        let mut test = Test::new();
        for _ in 0..3 {
            test.fail(1, 7);
        }
        let expect = |test: &Test| {
            let last = test.log.last_of(1).expect("a call");
            test.log.expected(&last, None)
        };
        let next = expect(&test);
        assert_eq!((next.same_results, next.unchanged_repeats), (4, 4));
        assert_eq!((next.failures_in_a_row, next.in_a_row, next.written_since), (4, true, false));
        let write = Intent { normalized_hash: 5, effect: Effect::Write, ..Intent::default() };
        test.add(write, 1, false, None);
        let next = expect(&test);
        assert_eq!((next.same_results, next.unchanged_repeats), (4, 1));
        assert_eq!((next.failures_in_a_row, next.in_a_row, next.written_since), (1, false, true));
        let made = test.fail(1, 7);
        assert_eq!((made.same_results, made.unchanged_repeats), (4, 1));
        assert_eq!((made.failures_in_a_row, made.in_a_row, made.written_since), (1, false, true));
    }

    #[test]
    fn a_call_repeated_only_after_waits_is_waiting() {
        let mut test = Test::new();
        assert!(!test.read(1, 7).is_waiting());
        test.wait();
        assert!(test.read(1, 7).is_waiting());
        test.wait();
        let third = test.read(1, 7);
        assert!(third.is_waiting() && third.takes_time() && third.asks_for_state());
        assert!(!test.read(1, 7).is_waiting());
        assert!(test.wait().is_waiting());
    }

    #[test]
    fn calls_far_apart_in_time_are_polls() {
        let mut test = Test::new();
        let mut at = |minutes: u64| test.add(reads(1), 7, false, Some(minutes * 60_000));
        assert!(!at(0).is_waiting());
        assert!(at(1).is_waiting());
        assert!(at(5).is_waiting());
        assert!(!at(5).is_waiting());
    }

    #[test]
    fn a_pause_only_lets_time_pass() {
        let mut test = Test::new();
        assert!(!test.wait().is_pause());
        let mut pause = test.wait();
        pause.evidence = Evidence::Empty;
        assert!(pause.is_pause());
        assert!(!test.read(1, 7).is_pause());
    }

    #[test]
    fn a_rotation_is_whole_once_every_call_has_repeated() {
        let mut test = Test::new();
        let mut whole = Vec::new();
        for step in 0..9 {
            test.read(step % 3, 7);
            whole.push(test.log.whole_rotation());
        }
        assert_eq!(whole[..5], [None; 5]);
        assert_eq!(whole[5..], [Some((3, 3)); 4]);
        // A different result breaks it.
        test.read(0, 8);
        assert_eq!(test.log.whole_rotation(), None);
    }

    #[test]
    fn after_compaction_only_failures_are_remembered() {
        let mut test = Test::new();
        for _ in 0..3 {
            test.fail(1, 7);
            test.read(2, 8);
        }
        assert!(test.log.stale_calls() > 0);
        test.log.forget_successes();
        assert_eq!((test.log.stale_calls(), test.log.whole_rotation()), (0, None));
        assert!(!test.log.is_newest(1), "a success came in between");
        let failure = test.fail(1, 7);
        assert_eq!((failure.same_results, failure.is_known, failure.in_a_row), (4, true, false));
        let success = test.read(2, 8);
        assert_eq!((success.same_results, success.is_known), (1, false));
        test.fail(1, 7);
        test.log.forget_successes();
        assert!(test.log.is_newest(1), "nothing came in between");
    }

    #[test]
    fn a_refused_call_ends_a_row() {
        let mut test = Test::new();
        test.read(1, 7);
        test.log.refuse(2);
        assert!(!test.log.is_newest(1));
        assert!(!test.read(1, 7).in_a_row);
        test.log.refuse(1);
        assert!(test.read(1, 7).in_a_row);
    }
}
