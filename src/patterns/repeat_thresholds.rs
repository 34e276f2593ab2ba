//! How many repeats make a loop, by the kind of evidence that the results are.

use crate::config::Patience;
use crate::result::Evidence;

/// The thresholds of one pattern.
#[derive(Default)]
pub(super) struct RepeatThresholds {
    informative: u32,
    unsure: u32,
    polling: u32,
    infrastructure: u32,
}

impl RepeatThresholds {
    pub fn new(threshold: u32, patience: &Patience) -> Self {
        // No patience makes a pattern quicker than its threshold.
        Self {
            informative: threshold,
            unsure: patience.unsure.max(threshold),
            polling: patience.poll.max(threshold),
            infrastructure: patience.infrastructure.max(threshold),
        }
    }

    /// Chooses the threshold; the tool's own one comes first.
    pub fn of(&self, own: Option<u32>, is_polling: bool, evidence: Evidence) -> u32 {
        own.unwrap_or(match evidence {
            _ if is_polling => self.polling,
            Evidence::Waiting => self.polling,
            Evidence::Informative => self.informative,
            Evidence::Infrastructure => self.infrastructure,
            Evidence::Acknowledgement | Evidence::Unknown | Evidence::NoResults => self.unsure,
        })
    }
}
