//! How many repeats make a loop, by what the results are worth.

use crate::config::Patience;
use crate::result::Evidence;

/// The thresholds of one pattern.
pub(super) struct RepeatThresholds {
    threshold: u32,
    unsure: u32,
    poll: u32,
    infrastructure: u32,
}

impl RepeatThresholds {
    pub fn new(threshold: u32, patience: &Patience) -> Self {
        // No patience makes a pattern quicker than its threshold.
        Self {
            threshold,
            unsure: patience.unsure.max(threshold),
            poll: patience.poll.max(threshold),
            infrastructure: patience.infrastructure.max(threshold),
        }
    }

    /// What a tool's own threshold says, counts.
    pub fn of(&self, own: Option<u32>, is_polling: bool, worth: Evidence) -> u32 {
        own.unwrap_or(match worth {
            _ if is_polling => self.poll,
            Evidence::Waiting => self.poll,
            Evidence::Informative => self.threshold,
            Evidence::Infrastructure => self.infrastructure,
            Evidence::Acknowledgement | Evidence::Unknown | Evidence::NoResults => self.unsure,
        })
    }
}
