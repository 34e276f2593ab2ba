//! The last answered calls: what came of each, how often the same came of it
//! before, and whether it was new information.

use super::push_bounded;
use crate::call::Fingerprint;
use crate::result::{ClassifiedResult, Evidence};
use crate::tools::Effect;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many outcomes are searched at most, however long the window is: more
/// would make every result cost more, and no loop is that long.
const MAX_OUTCOMES: u32 = 100;

/// A call and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The call's number.
    pub index: u64,
    /// Identity of the call; equal hashes mean equal calls.
    pub call: u64,
    /// Identity of its result.
    pub result: u64,
    /// How many times in a row this call has had this result.
    pub same_results: u32,
    /// Of those, how many since anything new was learned.
    pub unchanged_repeats: u32,
    /// How many times this call has worked.
    pub successes: u32,
    /// The number of the first call of the row with the same result.
    pub since: u64,
    pub failed: bool,
    pub evidence: Evidence,
    /// The same call had the same result before.
    pub is_known: bool,
    /// The call before it was the same one.
    pub in_a_row: bool,
    /// Something was written since the row of the same result began.
    pub written_since: bool,
    /// The log's counters right after this outcome.
    new_info: u64,
    new_actions: u64,
    writes: u64,
}

/// The outcomes, and what was counted on the way.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct OutcomeLog {
    outcomes: VecDeque<Outcome>,
    /// Whether the host has ever reported a result. Until then each call is
    /// recorded as an outcome without a result.
    pub has_results: bool,
    /// How many times something new was learned or done.
    new_info: u64,
    /// The same, and new calls that were only acknowledged.
    new_actions: u64,
    /// How many times something was written.
    writes: u64,
    /// The call that was refused since the newest outcome.
    refused: Option<u64>,
    /// How many calls in a row told nothing new, immediate repeats aside. New
    /// information lowers it instead of clearing it: the odd new call does not
    /// end a loop.
    stale_calls: u32,
    /// The number of the call that began that row.
    stale_since: u64,
    #[serde(skip)]
    capacity: usize,
}

impl OutcomeLog {
    pub fn new(window: u32) -> Self {
        Self { capacity: window.min(MAX_OUTCOMES) as usize, ..Self::default() }
    }

    /// Records what came of a call.
    pub fn add(
        &mut self,
        index: u64,
        fingerprint: &Fingerprint,
        result: &ClassifiedResult,
    ) -> Outcome {
        let call = fingerprint.intent.normalized_hash;
        let last = self.last_of(call);
        let is_known = last.is_some()
            && self.newest_first().any(|old| old.call == call && old.result == result.hash);
        let successes =
            last.map_or(0, |last| last.successes).saturating_add(u32::from(!result.failed));
        let in_a_row = self.is_newest(call);
        let mut outcome = Outcome {
            index,
            call,
            result: result.hash,
            same_results: 1,
            unchanged_repeats: 1,
            successes,
            since: index,
            failed: result.failed,
            evidence: result.evidence,
            is_known,
            in_a_row,
            written_since: false,
            new_info: 0,
            new_actions: 0,
            writes: 0,
        };
        if let Some(last) = last.filter(|last| last.result == result.hash) {
            outcome.same_results = last.same_results.saturating_add(1);
            outcome.since = last.since;
            outcome.written_since = last.written_since || last.writes != self.writes;
            if self.nothing_new_since(&last) {
                outcome.unchanged_repeats = last.unchanged_repeats.saturating_add(1);
            }
        }
        if !(in_a_row && outcome.same_results > 1) {
            self.count_new_information(index, fingerprint, result, is_known);
        }
        outcome.new_info = self.new_info;
        outcome.new_actions = self.new_actions;
        outcome.writes = self.writes;
        self.refused = None;
        push_bounded(&mut self.outcomes, outcome, self.capacity);
        outcome
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
            Evidence::Infrastructure => false,
        };
        if !is_known && (tells || result.evidence == Evidence::Acknowledgement) {
            self.new_actions = self.new_actions.saturating_add(1);
        }
        if !tells {
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
        newest && self.refused.is_none_or(|refused| refused == call)
    }

    /// Notes that a call was refused: it separates its neighbours, and is no outcome.
    pub fn refuse(&mut self, call: u64) {
        self.refused = Some(call);
    }

    /// The newest outcome of this call, if it is remembered.
    pub fn last_of(&self, call: u64) -> Option<Outcome> {
        self.newest_first().find(|old| old.call == call).copied()
    }

    /// Whether nothing new was learned since that outcome.
    pub fn nothing_new_since(&self, outcome: &Outcome) -> bool {
        match outcome.evidence {
            // Typing text and pressing keys: each is only acknowledged, and all are work.
            Evidence::Acknowledgement => outcome.new_actions == self.new_actions,
            _ => outcome.new_info == self.new_info,
        }
    }

    /// The outcome that many outcomes ago; 0 is the newest.
    pub fn back(&self, ago: usize) -> Option<&Outcome> {
        self.outcomes.get(self.outcomes.len().checked_sub(ago)?.checked_sub(1)?)
    }

    /// How many times something new was learned or done.
    pub fn new_info(&self) -> u64 {
        self.new_info
    }

    /// How many calls in a row told nothing new.
    pub fn stale_calls(&self) -> u32 {
        self.stale_calls
    }

    /// The number of the call that began that row.
    pub fn stale_since(&self) -> u64 {
        self.stale_since
    }

    /// Forgets the outcomes; the counters go on, since escalation compares them.
    pub fn clear(&mut self) {
        self.outcomes.clear();
        self.stale_calls = 0;
        self.refused = None;
    }

    /// Gives a loaded log its capacity; false if the log cannot be one of ours.
    pub fn restore(&mut self, window: u32) -> bool {
        self.capacity = Self::new(window).capacity;
        self.outcomes.len() <= self.capacity
    }

    fn newest_first(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().rev()
    }
}
