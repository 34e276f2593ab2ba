//! How many repeats make a loop, depending on the evidence that the results give.

use crate::config::Patience;
use crate::history::Outcome;
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;

/// How many times in a row an execution must print the same bytes to be refused.
const IDENTICAL: u32 = 12;

/// The thresholds of one pattern.
#[derive(Default)]
pub(super) struct RepeatThresholds {
    informative: u32,
    patience: Patience,
}

impl RepeatThresholds {
    pub fn new(threshold: u32, patience: &Patience) -> Self {
        Self { informative: threshold, patience: patience.clone() }
    }

    /// Returns the threshold for repeats of an outcome: the tool's own, if it has one.
    pub fn of(&self, own: Option<u32>, outcome: &Outcome) -> u32 {
        own.unwrap_or_else(|| self.by_evidence(outcome).max(self.informative))
    }

    fn by_evidence(&self, outcome: &Outcome) -> u32 {
        let patience = &self.patience;
        match outcome.evidence {
            Evidence::Waiting if outcome.asks_for_state() => patience.wait,
            Evidence::Waiting if outcome.is_message => patience.unsure,
            Evidence::Infrastructure => patience.infrastructure,
            // A poll that reports problems will hardly see what it waits for.
            _ if outcome.is_waiting() && (outcome.failed || outcome.complains) => {
                if outcome.takes_time() { patience.infrastructure * 2 } else { patience.unsure }
            }
            _ if outcome.is_waiting() && outcome.takes_time() => patience.wait,
            _ if outcome.is_waiting() => patience.poll,
            Evidence::Acknowledgement if outcome.effect != Effect::Write => {
                if outcome.is_message {
                    patience.unsure
                } else {
                    patience.acknowledgement
                }
            }
            // It succeeds but reports problems, and only its numbers differ.
            Evidence::Informative if is_vague(outcome) => patience.unsure,
            // It may be read to measure what differs.
            Evidence::Informative if is_measured(outcome) => patience.unsure,
            Evidence::Informative if outcome.failed || outcome.effect == Effect::Read => 0,
            // If only times differ, measuring them may be the purpose of the run.
            Evidence::Informative
                if outcome.effect == Effect::Execute
                    && outcome.identical_results < outcome.unchanged_repeats =>
            {
                patience.timed_execution
            }
            // Pressing keys and moving around often returns the same result for a while.
            Evidence::Informative if outcome.effect == Effect::Execute && !outcome.is_shell => {
                patience.execution.max(patience.unsure)
            }
            Evidence::Informative => patience.execution,
            Evidence::Empty => patience.empty,
            _ => patience.unsure,
        }
    }
}

/// Returns whether successes share only their words, not their numbers.
fn is_vague(outcome: &Outcome) -> bool {
    !outcome.failed && outcome.equal_results < outcome.same_results
}

/// Returns whether reads returned the same except for volatile tokens, such as times.
fn is_measured(outcome: &Outcome) -> bool {
    !outcome.failed
        && outcome.effect == Effect::Read
        && outcome.exact_results < outcome.unchanged_repeats
}

/// Returns what kind of evidence repeats of this outcome are.
pub(super) fn evidence_of_repeats(outcome: &Outcome) -> EvidenceClass {
    let is_waiting = outcome.is_waiting() || outcome.evidence == Evidence::Infrastructure;
    match outcome.evidence {
        _ if is_waiting => EvidenceClass::Waiting,
        Evidence::NoResults | Evidence::Unknown => EvidenceClass::CallsOnly,
        Evidence::Acknowledgement | Evidence::Empty if outcome.effect != Effect::Write => {
            EvidenceClass::Acknowledgement
        }
        Evidence::Informative if is_vague(outcome) || is_measured(outcome) => {
            EvidenceClass::Execution
        }
        Evidence::Informative if outcome.failed || outcome.effect == Effect::Read => {
            EvidenceClass::Proven
        }
        _ if outcome.identical_results >= IDENTICAL => EvidenceClass::IdenticalExecution,
        _ => EvidenceClass::Execution,
    }
}
