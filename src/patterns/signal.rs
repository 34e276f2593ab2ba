//! What patterns are shown, and what they say.

use crate::call::Fingerprint;
use crate::event::Channel;
use crate::hash;
use crate::history::{CallLog, Outcome, OutcomeLog};
use crate::result::{ClassifiedResult, Evidence, EvidenceClass};
use crate::verdict::{LoopKind, TextDetails};
use alloc::vec::Vec;

/// A recognised loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signal {
    pub kind: LoopKind,
    /// What kind of evidence it is: that decides what may be done.
    pub evidence: EvidenceClass,
    /// Identity of the loop: the same whenever it is found again.
    pub loop_id: u64,
    /// How many times the repeated thing was seen.
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
    /// Numbers of the calls that show the loop, oldest first.
    pub calls: Vec<u64>,
    /// All failing commands were file commands (`cat`, `sed`, …).
    pub only_file_commands: bool,
    /// Something was written between the repeats.
    pub written_between: bool,
    /// The service that was called is busy or unreachable.
    pub service_unavailable: bool,
    /// The newest call has not run yet, so it can still be refused.
    pub before_call: bool,
    /// It is one more repeat. A call that is about to be repeated is none yet: its
    /// result may differ.
    pub is_repeat: bool,
    /// Where text repeats itself.
    pub text: Option<TextDetails>,
    /// How many rungs above other signals of its kind it starts.
    pub rank_bonus: u64,
}

impl Signal {
    /// Makes a signal about the loop that `key` identifies; the pattern fills in the rest.
    pub(super) fn new(kind: LoopKind, key: u64) -> Self {
        Self {
            kind,
            evidence: EvidenceClass::Proven,
            loop_id: hash::pair(kind as u64, key),
            count: 0,
            period: 0,
            since: None,
            wasted: 0,
            calls: Vec::new(),
            only_file_commands: false,
            written_between: false,
            service_unavailable: false,
            before_call: false,
            is_repeat: true,
            text: None,
            rank_bonus: 0,
        }
    }
}

impl Signal {
    /// Makes it about the loop that `key` identifies.
    pub(super) fn set_loop(&mut self, key: u64) {
        self.loop_id = hash::pair(self.kind as u64, key);
    }
}

/// A call that is about to run.
pub(crate) struct CallEvent<'a> {
    pub index: u64,
    pub fingerprint: &'a Fingerprint,
    /// The tool's own thresholds, if options give it any.
    pub threshold: Option<u32>,
    pub fuzzy_threshold: Option<u32>,
    /// An equal call came earlier in the same turn: one decision, one count.
    pub is_duplicate: bool,
    /// How many equal calls the turn has so far, this one included.
    pub equal_in_turn: u32,
    /// The newest outcome of the same call, where results are looked at.
    pub previous: Option<Outcome>,
    /// What the next one will be if the call brings the same again.
    pub expected: Option<Outcome>,
    /// The call as an outcome, where the host has never reported a result: then the
    /// call is all there is to know.
    pub without_result: Option<Outcome>,
}

/// A result.
pub(crate) struct ResultEvent<'a> {
    pub index: u64,
    /// The turn that the call belongs to.
    pub turn: u64,
    pub fingerprint: &'a Fingerprint,
    /// Whether it failed; looked at only where a pattern counts failing commands.
    pub failed: bool,
    /// Whether it is a test run without a clear outcome.
    pub is_unclear: bool,
    /// The tool's own threshold, if options give it one.
    pub threshold: Option<u32>,
    pub result: ClassifiedResult,
    /// What the tool returned; empty when it is not known.
    pub output: &'a str,
    /// What the result is in the log of outcomes. None for a call that we refused
    /// or that duplicates another of its turn: its result is no evidence.
    pub outcome: Option<Outcome>,
}

impl ResultEvent<'_> {
    /// Identity of the call together with its result; an unknown result equals no
    /// other. None if the result is no evidence.
    pub fn call_and_result(&self) -> Option<u64> {
        self.outcome?;
        let result = match self.result.evidence {
            Evidence::Unknown => hash::pair(self.index, 0),
            _ => self.result.hash,
        };
        Some(hash::pair(self.fingerprint.exact, result))
    }
}

/// Text that the model writes.
pub(crate) enum TextEvent<'a> {
    /// A piece of a stream.
    Chunk(&'a str, Channel),
    /// A whole turn without tool calls.
    Turn(&'a str),
}

/// The memory that patterns may look at.
pub(crate) struct Memory<'a> {
    pub calls: &'a CallLog,
    pub outcomes: &'a OutcomeLog,
}
