//! How many repeats make a loop, by what the results are worth.

use crate::config::Patience;
use crate::fingerprint::Worth;

/// The thresholds of one pattern.
pub(super) struct Needed {
    threshold: u32,
    unsure: u32,
    poll: u32,
    infrastructure: u32,
}

impl Needed {
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
    pub fn of(&self, own: Option<u32>, waits: bool, worth: Worth) -> u32 {
        own.unwrap_or(match worth {
            _ if waits => self.poll,
            Worth::Waiting => self.poll,
            Worth::Evidence => self.threshold,
            Worth::Infrastructure => self.infrastructure,
            Worth::Acknowledgement | Worth::Unknown | Worth::Unheard => self.unsure,
        })
    }
}
