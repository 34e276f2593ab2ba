//! How many repeats make a loop, by the kind of evidence that the results are.

use crate::config::Patience;
use crate::history::Outcome;
use crate::result::{Evidence, EvidenceClass};
use crate::tools::Effect;

/// A call is refused once it printed the same, byte by byte, this often in a row.
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

    /// Chooses the threshold for repeats of an outcome; the tool's own one comes first.
    pub fn of(&self, own: Option<u32>, outcome: &Outcome) -> u32 {
        own.unwrap_or_else(|| self.by_evidence(outcome).max(self.informative))
    }

    fn by_evidence(&self, outcome: &Outcome) -> u32 {
        let patience = &self.patience;
        match outcome.evidence {
            Evidence::Waiting if outcome.asks_for_state() => patience.wait,
            Evidence::Waiting if outcome.has_prose && outcome.effect == Effect::Execute => {
                patience.empty
            }
            Evidence::Infrastructure => patience.infrastructure,
            // A poll that reports problems will hardly see what it waits for.
            _ if outcome.is_waiting() && (outcome.failed || outcome.complains) => patience.unsure,
            _ if outcome.is_waiting() && outcome.takes_time() => patience.wait,
            _ if outcome.is_waiting() => patience.poll,
            Evidence::Acknowledgement if outcome.effect != Effect::Write => {
                if outcome.has_prose {
                    patience.empty
                } else {
                    patience.acknowledgement
                }
            }
            Evidence::Informative if outcome.failed || outcome.effect == Effect::Read => 0,
            // Where only times differ, that may be what the run is for.
            Evidence::Informative
                if outcome.effect == Effect::Execute
                    && outcome.identical_results < outcome.unchanged_repeats =>
            {
                patience.timed_execution
            }
            Evidence::Informative => patience.execution,
            Evidence::Empty => patience.empty,
            _ => patience.unsure,
        }
    }
}

/// What kind of evidence it is that this outcome was there before.
pub(super) fn evidence_of_repeats(outcome: &Outcome) -> EvidenceClass {
    let is_waiting = outcome.is_waiting() || outcome.evidence == Evidence::Infrastructure;
    match outcome.evidence {
        _ if is_waiting => EvidenceClass::Waiting,
        Evidence::NoResults | Evidence::Unknown => EvidenceClass::CallsOnly,
        Evidence::Acknowledgement | Evidence::Empty if outcome.effect != Effect::Write => {
            EvidenceClass::Acknowledgement
        }
        Evidence::Informative if outcome.failed || outcome.effect == Effect::Read => {
            EvidenceClass::Proven
        }
        _ if outcome.identical_results >= IDENTICAL => EvidenceClass::IdenticalExecution,
        _ => EvidenceClass::Execution,
    }
}
