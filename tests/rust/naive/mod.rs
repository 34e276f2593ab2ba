//! The naive detectors. Each looks at the whole stream so far.

pub mod answers;
pub mod calls;
pub mod escalation;
pub mod failures;
pub mod no_progress;
pub mod oscillation;
pub mod outcomes;
pub mod outputs;
pub mod same_error;
pub mod signal;
pub mod stale_cycle;
pub mod streak;
pub mod tools;
pub mod transcript;
pub mod twin;
pub mod variant;

/// What a detector reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
}
