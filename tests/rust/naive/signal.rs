//! What a pattern reports: how many repeats it takes, and what kind of evidence they are.

use super::outcomes::{Outcome, Repeats, is_waiting};
use super::outputs::Evidence;
use super::tools::Effect;
use loophound::{Config, EvidenceClass, LoopKind};

/// This many results in a row with the same bytes are stronger evidence.
const IDENTICAL: u32 = 12;

/// A recognised pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub kind: LoopKind,
    pub evidence: EvidenceClass,
    /// Which loop it is.
    pub about: String,
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
    /// The newest call of the loop.
    pub newest: u64,
    /// That call has not run yet.
    pub before_call: bool,
    /// This is one more repeat, not just a call that may become one.
    pub is_repeat: bool,
}

impl Signal {
    /// Makes a signal about a call that has its result; the pattern changes what differs.
    pub fn new(kind: LoopKind, about: String, count: u32, newest: u64) -> Self {
        Self {
            kind,
            evidence: EvidenceClass::Proven,
            about,
            count: count.into(),
            period: 1,
            since: None,
            wasted: u64::from(count) - 1,
            newest,
            before_call: false,
            is_repeat: true,
        }
    }
}

/// Returns how many repeats make a loop.
pub fn needed(config: &Config, kind: LoopKind, outcome: &Outcome, repeats: &Repeats) -> u32 {
    let threshold = config.rule(kind).map_or(0, |rule| rule.threshold);
    outcome.call.own_threshold.unwrap_or(patience(config, outcome, repeats).max(threshold))
}

fn patience(config: &Config, outcome: &Outcome, repeats: &Repeats) -> u32 {
    let (call, patience) = (outcome.call, &config.patience);
    if outcome.evidence == Evidence::Infrastructure {
        return patience.infrastructure;
    }
    if is_waiting(outcome, repeats) {
        let says_so = outcome.evidence == Evidence::Waiting;
        let asks = call.polls || repeats.across_waits;
        let takes_time = call.waits || repeats.across_waits;
        let has_problems = outcome.failed() || outcome.complains();
        return match (says_so, asks) {
            (true, true) => patience.wait,
            (true, false) if call.message => patience.unsure,
            _ if has_problems && takes_time => patience.infrastructure * 2,
            _ if has_problems => patience.unsure,
            _ if takes_time => patience.wait,
            _ => patience.poll,
        };
    }
    match outcome.evidence {
        Evidence::Informative if is_vague(outcome, repeats) => patience.unsure,
        Evidence::Informative if is_measured(outcome, repeats) => patience.unsure,
        Evidence::Informative if outcome.failed() => 0,
        Evidence::Informative => match call.effect {
            Effect::Read => 0,
            // If only times differ, measuring them may be the purpose of the run.
            Effect::Execute if repeats.identical < repeats.unchanged => patience.timed_execution,
            // Pressing keys often returns the same result for a while.
            Effect::Execute if !call.shell => patience.execution.max(patience.unsure),
            _ => patience.execution,
        },
        Evidence::Empty => patience.empty,
        Evidence::Acknowledgement if call.effect == Effect::Write => patience.unsure,
        Evidence::Acknowledgement if call.message => patience.unsure,
        Evidence::Acknowledgement => patience.acknowledgement,
        _ => patience.unsure,
    }
}

/// Returns whether successes share only their words, not their numbers.
fn is_vague(outcome: &Outcome, repeats: &Repeats) -> bool {
    !outcome.failed() && repeats.equal < repeats.same
}

/// Returns whether reads returned the same except for volatile tokens.
fn is_measured(outcome: &Outcome, repeats: &Repeats) -> bool {
    let reads = outcome.call.effect == Effect::Read;
    reads && !outcome.failed() && repeats.exact < repeats.unchanged
}

/// Returns what kind of evidence repeats of an outcome are.
pub fn proof(outcome: &Outcome, repeats: &Repeats) -> EvidenceClass {
    let writes = outcome.call.effect == Effect::Write;
    let reads = outcome.call.effect == Effect::Read;
    if is_waiting(outcome, repeats) || outcome.evidence == Evidence::Infrastructure {
        return EvidenceClass::Waiting;
    }
    match outcome.evidence {
        Evidence::NoResults | Evidence::Unknown => EvidenceClass::CallsOnly,
        Evidence::Informative if is_vague(outcome, repeats) || is_measured(outcome, repeats) => {
            EvidenceClass::Execution
        }
        Evidence::Informative if outcome.failed() || reads => EvidenceClass::Proven,
        Evidence::Acknowledgement | Evidence::Empty if !writes => EvidenceClass::Acknowledgement,
        _ if repeats.identical >= IDENTICAL => EvidenceClass::IdenticalExecution,
        _ => EvidenceClass::Execution,
    }
}
