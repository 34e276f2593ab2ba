//! Calls of one kind that keep having the same outcome: shared by the patterns
//! that follow each tool by itself.

use super::Signal;
use crate::call::Fingerprint;
use crate::hash;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// How many kinds of calls are followed at once.
pub(super) const MAX_STREAKS: usize = 8;

/// One streak of them.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct OutcomeStreak {
    /// Identity of the kind; see [`kind_of_call`].
    pub kind: u64,
    /// Identity of the outcome that they share.
    pub outcome: u64,
    /// Identity of the newest call.
    pub call: u64,
    count: u32,
    /// Whether at least two different calls are among them.
    is_varied: bool,
    since: u64,
}

/// Identity of the kind of a call: its tool and its effect, since one tool may
/// read, write and execute.
pub(super) fn kind_of_call(fingerprint: &Fingerprint) -> u64 {
    hash::pair(fingerprint.tool, fingerprint.intent.effect as u64)
}

impl OutcomeStreak {
    /// Starts a streak with this call, or continues the one before.
    pub fn new(
        fingerprint: &Fingerprint,
        outcome: u64,
        index: u64,
        before: Option<&OutcomeStreak>,
    ) -> Self {
        let call = fingerprint.intent.normalized_hash;
        Self {
            kind: kind_of_call(fingerprint),
            outcome,
            call,
            count: before.map_or(0, |streak| streak.count).saturating_add(1),
            is_varied: before.is_some_and(|streak| streak.is_varied || streak.call != call),
            since: before.map_or(index, |streak| streak.since),
        }
    }

    /// Whether it is long enough, and not of one call alone.
    pub fn is_loop(&self, threshold: u32) -> bool {
        self.is_varied && self.count >= threshold
    }

    /// Makes the signal for a call that was answered.
    pub fn signal(&self, kind: LoopKind, index: u64) -> Signal {
        self.signal_with(kind, self.count.into(), index)
    }

    /// Makes the signal for a call that is about to continue the streak.
    pub fn signal_before(&self, kind: LoopKind, index: u64) -> Signal {
        let mut signal = self.signal_with(kind, u64::from(self.count) + 1, index);
        signal.before_call = true;
        signal
    }

    fn signal_with(&self, kind: LoopKind, count: u64, index: u64) -> Signal {
        let mut signal = Signal::new(kind, hash::pair(self.kind, self.outcome));
        signal.count = count;
        signal.since = Some(self.since);
        signal.wasted = count - 1;
        signal.calls.push(index);
        signal
    }
}
