//! What a pattern reports, and how many repeats it takes.

use super::outputs::Evidence;
use super::tools::Call;
use loophound::{Config, LoopKind};

/// A pattern was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub kind: LoopKind,
    /// Which loop it is.
    pub about: String,
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
    /// The call has not run yet.
    pub before_call: bool,
    /// It counts only where the refusal of the call was announced.
    pub only_if_announced: bool,
    /// Something was changed between the repeats.
    pub changed: bool,
}

impl Signal {
    /// About this loop; the numbers are the pattern's.
    pub fn new(kind: LoopKind, about: String) -> Self {
        Self {
            kind,
            about,
            count: 0,
            period: 0,
            since: None,
            wasted: 0,
            before_call: false,
            only_if_announced: false,
            changed: false,
        }
    }
}

/// How many repeats make a loop.
pub fn needed(config: &Config, kind: LoopKind, call: &Call, evidence: Evidence) -> u32 {
    let threshold = config.rule(kind).map_or(0, |rule| rule.threshold);
    let patience = match evidence {
        _ if call.is_polling => config.patience.poll,
        Evidence::Waiting => config.patience.poll,
        Evidence::Informative => threshold,
        Evidence::Infrastructure => config.patience.infrastructure,
        Evidence::Acknowledgement | Evidence::Unknown | Evidence::NoResults => {
            config.patience.unsure
        }
    };
    call.own_threshold.unwrap_or(patience.max(threshold))
}
