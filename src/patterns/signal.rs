//! The events that patterns receive, and the signals that they return.

use crate::call::Fingerprint;
use crate::channel::Channel;
use crate::config::RecognisedBy;
use crate::hash;
use crate::history::{CallLog, Outcome, OutcomeFacts, OutcomeLog};
use crate::result::{ClassifiedResult, Evidence, EvidenceClass};
use crate::verdict::{LoopKind, TextDetails};
use alloc::vec::Vec;

/// A recognised loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signal {
    pub kind: LoopKind,
    /// The kind of evidence, which decides what may be done.
    pub evidence: EvidenceClass,
    /// Identity of the loop: the same each time it is detected.
    pub loop_id: u64,
    /// How many times the repeated call, cycle or text was seen.
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
    /// Indices of the calls that show the loop, oldest first.
    pub calls: Vec<u64>,
    /// All failing commands were file commands (`cat`, `sed`, …).
    pub only_file_commands: bool,
    /// Something was written between the repeats.
    pub written_between: bool,
    /// The outcome of the newest of these calls that has a result.
    pub outcome: Option<OutcomeFacts>,
    /// How the loop was recognised, where that changes the message.
    pub recognised_by: RecognisedBy,
    /// The newest call has not run yet, so it can still be refused.
    pub before_call: bool,
    /// This is one more repeat. A call that has yet to run usually is not: its result may
    /// differ.
    pub is_repeat: bool,
    /// Which text repeats, if the loop is in text.
    pub text: Option<TextDetails>,
    /// How many rungs higher than other signals of its kind it starts.
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
            outcome: None,
            recognised_by: RecognisedBy::Default,
            before_call: false,
            is_repeat: true,
            text: None,
            rank_bonus: 0,
        }
    }
}

impl Signal {
    /// Changes which loop the signal is about.
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
    /// An equal call came earlier in the same turn; the two count once.
    pub is_duplicate: bool,
    /// How many equal calls the turn has so far, this one included.
    pub equal_in_turn: u32,
    /// The newest outcome of the same call, if patterns look at results.
    pub previous: Option<&'a Outcome>,
    /// The outcome to expect if the call returns the same result again.
    pub expected: Option<&'a Outcome>,
    /// The call as an outcome, if the host has never reported a result: then only calls are
    /// known.
    pub without_result: Option<&'a Outcome>,
}

/// A result.
pub(crate) struct ResultEvent<'a> {
    pub index: u64,
    /// The turn that the call belongs to.
    pub turn: u64,
    pub fingerprint: &'a Fingerprint,
    /// Whether it failed; set only if a pattern counts failing commands.
    pub failed: bool,
    /// Whether it is a test run without a clear outcome.
    pub is_unclear: bool,
    /// The tool's own threshold, if options give it one.
    pub threshold: Option<u32>,
    pub result: ClassifiedResult,
    /// What the tool returned; empty if unknown.
    pub output: &'a str,
    /// Its entry in the log of outcomes. None for a call that was refused or that
    /// duplicates another one in its turn: such a result is not evidence.
    pub outcome: Option<&'a Outcome>,
}

impl ResultEvent<'_> {
    /// Returns the identity of the call together with its result; an unknown result equals
    /// no other. None if the result is not evidence.
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
