//! The last answered calls: what came of each, how often the same came of it
//! before, and whether it was new information.

use super::{keep_only, push_bounded};
use crate::call::Fingerprint;
use crate::result::{ClassifiedResult, Evidence};
use crate::tools::Effect;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many outcomes are searched at most, however long the window is: more
/// would make every result cost more.
const MAX_OUTCOMES: u32 = 128;

/// A call that comes back after this many others is no short-term repeat: agents
/// look at things again after a while.
const RECENT: usize = 40;

/// Repeats further apart than this are polling, in milliseconds.
const POLLING_DISTANCE: u64 = 60_000;

/// A call and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The call's number.
    pub index: u64,
    /// Identity of the call; equal hashes mean equal calls.
    pub call: u64,
    /// Identity of its result, in layers: see [`ClassifiedResult`].
    exact: u64,
    pub result: u64,
    words: u64,
    error: u64,
    /// How many times in a row this call has had the same result: of failures any
    /// layer counts, of successes only the first two.
    pub same_results: u32,
    /// The same, but for volatile tokens.
    pub equal_results: u32,
    /// The same byte by byte, with no other call in between.
    pub identical_results: u32,
    /// Of `same_results`, how many since anything new was learned.
    pub unchanged_repeats: u32,
    /// Of `same_results`, how many came after a wait, or long after the one before.
    after_waits: u32,
    /// How many times this call has worked.
    pub successes: u32,
    /// How many times this call was made with no other call in between.
    pub calls_in_a_row: u32,
    /// How many times this call has failed with no other call in between, whatever it
    /// said.
    pub failures_in_a_row: u32,
    /// How many problems it counts, if it failed and does.
    problems: Option<u64>,
    /// It fails with fewer problems than before: that is progress, whoever makes it.
    pub gets_better: bool,
    /// The number of the first call of the row with the same result.
    pub since: u64,
    pub failed: bool,
    /// It is a success that says that something is wrong.
    pub complains: bool,
    /// It says that there is nothing.
    pub is_negative: bool,
    pub evidence: Evidence,
    pub effect: Effect,
    /// The same call had the same result before.
    pub is_known: bool,
    /// The call before it was the same one.
    pub in_a_row: bool,
    /// Something was written since the row of the same result began.
    pub written_since: bool,
    /// The call waits for something, or checks whether it has happened.
    is_polling: bool,
    /// It lets time pass.
    lets_time_pass: bool,
    /// The call tells somebody something. To repeat a message word by word is odder than to
    /// press a key again.
    pub is_message: bool,
    pub is_shell: bool,
    /// When it was answered, if the host says.
    at: Option<u64>,
    /// The log's counters right after this outcome.
    new_info: u64,
    new_actions: u64,
    writes: u64,
    waits: u64,
}

impl Outcome {
    /// Whether the result is the same as another one of the same call.
    fn is_same(&self, other: &ClassifiedResult) -> bool {
        let any_layer = self.failed || self.complains || self.evidence == Evidence::Acknowledgement;
        self.failed == other.failed
            && (self.result == other.hash
                || any_layer && self.words != 0 && self.words == other.words
                || self.failed && self.error != 0 && self.error == other.error)
    }

    /// Counts on from the last outcome of the same call, whatever it was.
    fn follow(&mut self, last: &Outcome) {
        self.successes = last.successes.saturating_add(u32::from(!self.failed));
        if self.in_a_row {
            self.calls_in_a_row = last.calls_in_a_row.saturating_add(1);
        }
        if self.in_a_row && self.failed && last.failed {
            self.failures_in_a_row = last.failures_in_a_row.saturating_add(1);
        }
    }

    /// Whether the call waits for something: by its name or command, by what the
    /// result says, or since it is only repeated across waits.
    pub fn is_waiting(&self) -> bool {
        self.is_polling || self.evidence == Evidence::Waiting || self.is_after_waits()
    }

    /// Whether time passes between the repeats.
    pub fn takes_time(&self) -> bool {
        self.lets_time_pass || self.is_after_waits()
    }

    /// Whether the call asks how something is going.
    pub fn asks_for_state(&self) -> bool {
        self.is_polling || self.is_after_waits()
    }

    fn is_after_waits(&self) -> bool {
        self.same_results > 1 && self.after_waits.saturating_add(1) >= self.same_results
    }

    /// Whether the call does nothing but let time pass.
    pub fn is_pause(&self) -> bool {
        self.lets_time_pass && !matches!(self.evidence, Evidence::Informative | Evidence::Waiting)
    }
}

/// Calls that come back one after the other, each after the same number of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Rotation {
    /// After how many calls they come back.
    period: u32,
    /// How many came back like that in a row.
    length: u32,
    /// The number of the call that began that row.
    since: u64,
}

/// The outcomes, and what was counted on the way.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct OutcomeLog {
    outcomes: VecDeque<Outcome>,
    /// The calls of the outcomes, in the same order: they are searched for every event.
    #[serde(skip)]
    calls: VecDeque<u64>,
    /// Whether the host has ever reported a result. Until then each call is
    /// recorded as an outcome without a result.
    pub has_results: bool,
    /// How many times something new was learned or done.
    new_info: u64,
    /// The same, and new calls that were only acknowledged.
    new_actions: u64,
    /// How many times something was written.
    writes: u64,
    /// How many calls let time pass.
    waits: u64,
    /// The call that was refused since the newest outcome.
    refused: Option<u64>,
    /// The newest outcome was forgotten: what comes next is in a row with nothing.
    forgot_newest: bool,
    /// How many calls in a row told nothing new, immediate repeats aside. New
    /// information lowers it instead of clearing it: the odd new call does not
    /// end a loop.
    stale_calls: u32,
    /// The number of the call that began that row.
    stale_since: u64,
    rotation: Rotation,
    #[serde(skip)]
    capacity: usize,
}

/// What is known of an answered call beside its fingerprint and result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered {
    pub index: u64,
    /// When it was called and answered, if the host says.
    pub called_at: Option<u64>,
    pub at: Option<u64>,
}

impl OutcomeLog {
    pub fn new(window: u32) -> Self {
        Self { capacity: window.min(MAX_OUTCOMES) as usize, ..Self::default() }
    }

    /// Records what came of a call.
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
            identical_results: 1,
            unchanged_repeats: 1,
            after_waits: 0,
            successes: u32::from(!result.failed),
            calls_in_a_row: 1,
            failures_in_a_row: u32::from(result.failed),
            problems: result.problems,
            gets_better: false,
            since: index,
            failed: result.failed,
            complains: result.complains,
            is_negative: result.is_negative,
            evidence: result.evidence,
            effect: intent.effect,
            is_known,
            in_a_row,
            written_since: false,
            is_polling: intent.is_polling,
            lets_time_pass: intent.waits,
            is_message: intent.is_message,
            is_shell: fingerprint.is_shell,
            at,
            new_info: 0,
            new_actions: 0,
            writes: 0,
            waits: 0,
        };
        if let Some(last) = last {
            outcome.follow(&last);
            outcome.gets_better = outcome.problems.is_some() && outcome.problems < last.problems;
            if last.is_same(result) {
                self.continue_row(&mut outcome, &last, called_at);
            }
        }
        let repeats = in_a_row && outcome.same_results > 1;
        if !repeats {
            self.count_new_information(index, fingerprint, result, is_known);
        }
        self.count_rotation(&outcome, distance);
        self.waits = self.waits.saturating_add(u64::from(intent.waits));
        outcome.new_info = self.new_info;
        outcome.new_actions = self.new_actions;
        outcome.writes = self.writes;
        outcome.waits = self.waits;
        self.refused = None;
        self.forgot_newest = false;
        push_bounded(&mut self.outcomes, outcome, self.capacity);
        push_bounded(&mut self.calls, call, self.capacity);
        outcome
    }

    /// Works out what the outcome will be if a call is made again and brings the same as
    /// the last time.
    pub fn expected(&self, last: &Outcome, called_at: Option<u64>) -> Outcome {
        let mut outcome = Outcome {
            in_a_row: self.is_newest(last.call),
            equal_results: 1,
            identical_results: 1,
            unchanged_repeats: 1,
            calls_in_a_row: 1,
            failures_in_a_row: u32::from(last.failed),
            ..*last
        };
        outcome.follow(last);
        self.continue_row(&mut outcome, last, called_at);
        outcome
    }

    /// Counts one more result that is the same as the one before.
    fn continue_row(&self, outcome: &mut Outcome, last: &Outcome, called_at: Option<u64>) {
        outcome.same_results = last.same_results.saturating_add(1);
        outcome.since = last.since;
        outcome.written_since = last.written_since || last.writes != self.writes;
        // Another line number does not matter while the number of problems is the same.
        let is_equal_failure = outcome.failed
            && outcome.problems.is_some()
            && outcome.problems == last.problems
            && outcome.words == last.words;
        if last.result == outcome.result || is_equal_failure {
            outcome.equal_results = last.equal_results.saturating_add(1);
        }
        if last.exact == outcome.exact && outcome.in_a_row {
            outcome.identical_results = last.identical_results.saturating_add(1);
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
        self.newest_first().take(RECENT).any(|old| old.call == call && old.is_same(result))
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
        let tells = match result.evidence {
            Evidence::Informative | Evidence::NoResults => true,
            // That something still goes on is new the first time, and no loop later.
            Evidence::Waiting => !is_known,
            // Something was written: that is new, unless it was written before.
            Evidence::Acknowledgement => effect == Effect::Write,
            // All that is known is that the call was made: new the first time.
            Evidence::Unknown => !is_known,
            Evidence::Empty | Evidence::Infrastructure | Evidence::HostMade => false,
        };
        let acts = matches!(result.evidence, Evidence::Acknowledgement | Evidence::Empty);
        if !is_known && (tells || acts) {
            self.new_actions = self.new_actions.saturating_add(1);
        }
        if !tells {
            self.stale_calls = self.stale_calls.saturating_sub(u32::from(acts && !is_known));
            return;
        }
        if !is_known {
            self.new_info = self.new_info.saturating_add(1);
            let wrote = effect == Effect::Write && !result.failed;
            self.writes = self.writes.saturating_add(u64::from(wrote));
            // Reading around and failing in a new way is less than progress.
            let little = effect == Effect::Read || result.failed;
            self.stale_calls = self.stale_calls.saturating_sub(if little { 1 } else { 2 });
        } else if !fingerprint.intent.is_polling {
            if self.stale_calls == 0 {
                self.stale_since = index;
            }
            self.stale_calls = self.stale_calls.saturating_add(1);
        }
    }

    /// Whether the newest outcome is of this call, and no other was refused since.
    pub fn is_newest(&self, call: u64) -> bool {
        let newest = self.back(0).is_some_and(|newest| newest.call == call);
        newest && !self.forgot_newest && self.refused.is_none_or(|refused| refused == call)
    }

    /// Notes that a call was refused: it separates its neighbours, and is no outcome.
    pub fn refuse(&mut self, call: u64) {
        self.refused = Some(call);
    }

    /// The newest outcome of this call, if it is remembered.
    pub fn last_of(&self, call: u64) -> Option<Outcome> {
        self.back(self.distance_to(call)? - 1).copied()
    }

    /// How many outcomes ago this call was made; 1 is the newest.
    fn distance_to(&self, call: u64) -> Option<usize> {
        self.calls.iter().rev().position(|old| *old == call).map(|ago| ago + 1)
    }

    /// Whether nothing new was learned since that outcome.
    pub fn nothing_new_since(&self, outcome: &Outcome) -> bool {
        // Typing text and pressing keys: each is only acknowledged, and all are work. What
        // is run after it may print the same; what is read after it should not.
        let executes = outcome.effect == Effect::Execute && !outcome.failed;
        match outcome.evidence {
            Evidence::NoResults | Evidence::Unknown => outcome.new_info == self.new_info,
            _ if executes => outcome.new_actions == self.new_actions,
            Evidence::Acknowledgement => outcome.new_actions == self.new_actions,
            _ => outcome.new_info == self.new_info,
        }
    }

    /// How many times something new was learned or done.
    pub fn new_info(&self) -> u64 {
        self.new_info
    }

    /// The outcome that many outcomes ago; 0 is the newest.
    pub fn back(&self, ago: usize) -> Option<&Outcome> {
        self.outcomes.get(self.outcomes.len().checked_sub(ago)?.checked_sub(1)?)
    }

    /// How many calls in a row told nothing new.
    pub fn stale_calls(&self) -> u32 {
        self.stale_calls
    }

    /// The number of the call that began that row.
    pub fn stale_since(&self) -> u64 {
        self.stale_since
    }

    /// After how many calls the newest ones come back, once a whole round has come
    /// back with the results it had before. Also the number of the call that began that.
    pub fn whole_rotation(&self) -> Option<(u32, u64)> {
        let Rotation { period, length, since } = self.rotation;
        (period > 0 && length >= period).then_some((period, since))
    }

    /// Forgets the outcomes; the counters go on.
    pub fn clear(&mut self) {
        self.outcomes.clear();
        self.calls.clear();
        self.stale_calls = 0;
        self.refused = None;
        self.forgot_newest = false;
        self.rotation = Rotation::default();
    }

    /// Forgets what the model has forgotten: what worked may be looked at once more.
    /// What failed stays.
    pub fn forget_successes(&mut self) {
        self.forgot_newest |= self.back(0).is_some_and(|newest| !newest.failed);
        keep_only(&mut self.outcomes, |outcome| outcome.failed);
        self.list_calls();
        self.stale_calls = 0;
        self.rotation = Rotation::default();
    }

    fn list_calls(&mut self) {
        self.calls.clear();
        self.calls.extend(self.outcomes.iter().map(|outcome| outcome.call));
    }

    /// Gives a loaded log its capacity; false if the log cannot be one of ours.
    pub fn restore(&mut self, window: u32) -> bool {
        self.capacity = Self::new(window).capacity;
        self.list_calls();
        self.outcomes.len() <= self.capacity
    }

    fn newest_first(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Intent;
    use crate::result::NO_RESULTS;
    use alloc::vec::Vec;

    /// A log, and what is put into it: the call, what it returns, and when.
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
            let intent = Intent { is_polling: true, waits: true, ..reads(99) };
            self.add(intent, 0, false, None)
        }
    }

    fn reads(call: u64) -> Intent {
        Intent { normalized_hash: call, effect: Effect::Read, ..Intent::default() }
    }

    #[test]
    fn counts_what_is_the_same() {
        let mut test = Test::new();
        let first = test.read(1, 7);
        assert_eq!((first.same_results, first.is_known, first.in_a_row), (1, false, false));
        let again = test.read(1, 7);
        assert_eq!((again.same_results, again.unchanged_repeats, again.since), (2, 2, 0));
        assert!(again.is_known && again.in_a_row);
        // Something new in between, and another result.
        test.read(2, 1);
        let later = test.read(1, 7);
        assert_eq!((later.same_results, later.unchanged_repeats), (3, 1));
        assert_eq!((later.identical_results, later.calls_in_a_row), (1, 1));
        assert_eq!(test.read(1, 8).same_results, 1);
    }

    #[test]
    fn failures_in_a_row_count_whatever_they_say() {
        let mut test = Test::new();
        let counts: Vec<u32> =
            (0..4).map(|result| test.fail(1, result).failures_in_a_row).collect();
        assert_eq!(counts, [1, 2, 3, 4]);
        test.read(2, 1);
        assert_eq!(test.fail(1, 9).failures_in_a_row, 1);
        assert_eq!(test.read(1, 9).failures_in_a_row, 0);
    }

    #[test]
    fn expects_what_will_be_counted() {
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
    fn a_call_that_is_only_repeated_across_waits_waits() {
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
    fn a_pause_tells_nothing() {
        let mut test = Test::new();
        assert!(!test.wait().is_pause());
        let mut pause = test.wait();
        pause.evidence = Evidence::Empty;
        assert!(pause.is_pause());
        assert!(!test.read(1, 7).is_pause());
    }

    #[test]
    fn a_rotation_is_whole_once_every_call_came_back() {
        let mut test = Test::new();
        let mut whole = Vec::new();
        for step in 0..9 {
            test.read(step % 3, 7);
            whole.push(test.log.whole_rotation());
        }
        assert_eq!(whole[..5], [None; 5]);
        assert_eq!(whole[5..], [Some((3, 3)); 4]);
        // One that brings something else breaks it.
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
    fn a_refused_call_separates_its_neighbours() {
        let mut test = Test::new();
        test.read(1, 7);
        test.log.refuse(2);
        assert!(!test.log.is_newest(1));
        assert!(!test.read(1, 7).in_a_row);
        test.log.refuse(1);
        assert!(test.read(1, 7).in_a_row);
    }
}
