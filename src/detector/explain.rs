//! Explains the latest verdict: what was compared, what it counted as, and how close each
//! pattern is to its threshold.

use super::LoopDetector;
use crate::hash;
use crate::history::{LoggedCall, Outcome};
use crate::patterns::PatternCount;
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;
use crate::verdict::{Action, LoopKind, count};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// Why the latest verdict is what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Explanation {
    /// The newest call.
    pub call: Option<ExplainedCall>,
    /// Its result, once there is one.
    pub result: Option<ExplainedResult>,
    /// The loops detected at the latest event, reported or not.
    pub loops: Vec<ExplainedLoop>,
    /// Every enabled kind of loop: its count and the threshold that applies.
    pub patterns: Vec<PatternCount>,
}

/// What is known about a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExplainedCall {
    /// Its index among all recorded calls.
    #[serde(serialize_with = "count")]
    pub index: u64,
    /// The turn it belongs to.
    #[serde(serialize_with = "count")]
    pub turn: u64,
    /// The call, short and readable.
    pub label: String,
    /// Equal calls have the same identity.
    pub identity: String,
    /// Whether it reads, writes or executes something.
    pub effect: Effect,
    /// Whether it was refused.
    pub refused: bool,
}

/// What is known about a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExplainedResult {
    /// Whether the call failed.
    pub failed: bool,
    /// What kind of evidence it is.
    pub evidence: Evidence,
    /// Equal results have the same identity.
    pub identity: String,
    /// How many times in a row this call has had the same result.
    pub same_results: u32,
    /// How many of these since anything new was learned.
    pub unchanged_repeats: u32,
    /// Whether it counts as waiting or polling.
    pub waiting: bool,
}

/// A detected loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExplainedLoop {
    /// The pattern.
    pub kind: LoopKind,
    /// What kind of evidence it is.
    pub evidence: EvidenceClass,
    /// The most severe action that this evidence allows.
    pub at_most: Action,
    /// Its own verdict. `continue` means that it was not reported, because it was reported
    /// before or another loop was reported recently.
    pub action: Action,
}

/// The latest event, kept for the explanation. Not part of snapshots.
#[derive(Default)]
pub(super) struct LatestEvent {
    pub call: Option<LatestCall>,
    pub outcome: Option<Outcome>,
    pub loops: Vec<ExplainedLoop>,
}

/// The newest call.
#[derive(Clone, Copy)]
pub(super) struct LatestCall {
    pub index: u64,
    pub turn: u64,
    pub identity: u64,
    pub effect: Effect,
    pub refused: bool,
}

impl LoopDetector {
    /// Explains the latest verdict.
    pub fn explain(&self) -> Explanation {
        let outcome = self.latest.outcome;
        Explanation {
            call: self.latest.call.map(|call| ExplainedCall {
                index: call.index,
                turn: call.turn,
                label: self.state.log.find(call.index).map(LoggedCall::label).unwrap_or_default(),
                identity: hash::hex(call.identity),
                effect: call.effect,
                refused: call.refused,
            }),
            result: outcome.map(|outcome| ExplainedResult {
                failed: outcome.failed,
                evidence: outcome.evidence,
                identity: hash::hex(outcome.result),
                same_results: outcome.same_results,
                unchanged_repeats: outcome.unchanged_repeats,
                waiting: outcome.is_waiting(),
            }),
            loops: self.latest.loops.clone(),
            patterns: self.state.patterns.counts(),
        }
    }
}
