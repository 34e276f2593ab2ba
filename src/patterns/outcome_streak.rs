//! Calls of one kind that keep coming to the same: what the patterns share that
//! follow each tool by itself.

use super::Signal;
use crate::call::Fingerprint;
use crate::hash;
use crate::snapshot::codec::{Reader, Writer};
use crate::verdict::LoopKind;

/// So many kinds of calls are followed at once.
pub(super) const RUNS: usize = 8;

/// One run of them.
#[derive(Clone, Copy)]
pub(super) struct OutcomeStreak {
    /// The kind: see [`key_of`].
    pub key: u64,
    /// What they all come to.
    pub outcome: u64,
    /// The newest call.
    pub call: u64,
    count: u32,
    /// Not all of them were the same call.
    varied: bool,
    since: u64,
}

/// A tool that does several things counts as several.
pub(super) fn key_of(fingerprint: &Fingerprint) -> u64 {
    hash::pair(fingerprint.tool, fingerprint.intent.effect as u64)
}

impl OutcomeStreak {
    /// The call that begins a run, or goes on with the one before.
    pub fn new(
        fingerprint: &Fingerprint,
        outcome: u64,
        index: u64,
        before: Option<&OutcomeStreak>,
    ) -> Self {
        let call = fingerprint.intent.normalized_hash;
        Self {
            key: key_of(fingerprint),
            outcome,
            call,
            count: before.map_or(0, |run| run.count).saturating_add(1),
            varied: before.is_some_and(|run| run.varied || run.call != call),
            since: before.map_or(index, |run| run.since),
        }
    }

    /// Whether it is a loop: long enough, and not of one call alone.
    pub fn is_loop(&self, threshold: u32) -> bool {
        self.varied && self.count >= threshold
    }

    /// What is said of it at a call that has been answered.
    pub fn signal(&self, kind: LoopKind, index: u64) -> Signal {
        self.signal_of(kind, self.count.into(), index)
    }

    /// What is said of it at a call that is about to go on with it.
    pub fn signal_before(&self, kind: LoopKind, index: u64) -> Signal {
        let mut signal = self.signal_of(kind, u64::from(self.count) + 1, index);
        signal.refusable = true;
        signal
    }

    fn signal_of(&self, kind: LoopKind, count: u64, index: u64) -> Signal {
        let mut signal = Signal::new(kind, hash::pair(self.key, self.outcome));
        signal.count = count;
        signal.since = Some(self.since);
        signal.wasted = count - 1;
        signal.evidence.push(index);
        signal
    }

    pub fn save(&self, out: &mut Writer) {
        for hash in [self.key, self.outcome, self.call] {
            out.hash(hash);
        }
        out.count(self.count.into());
        out.flag(self.varied);
        out.count(self.since);
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        Some(Self {
            key: from.hash(),
            outcome: from.hash(),
            call: from.hash(),
            count: from.small(),
            varied: from.flag(),
            since: from.count(),
        })
    }
}
