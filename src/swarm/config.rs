//! The configuration of a swarm.

use crate::error::Error;
use alloc::string::String;
use core::ops::RangeInclusive;

/// When a swarm is stuck, and how much is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwarmConfig {
    /// How many calls in total make a global loop.
    pub threshold: u32,
    /// How many workers must have made them.
    pub min_workers: u32,
    /// How many fingerprints are kept.
    pub capacity: u32,
    /// How many workers of one fingerprint are counted at most.
    pub max_workers: u32,
    /// The text, if not that of the reference implementation.
    pub message: Option<String>,
}

impl Default for SwarmConfig {
    fn default() -> Self {
        Self { threshold: 10, min_workers: 2, capacity: 4096, max_workers: 256, message: None }
    }
}

pub(super) const THRESHOLD: RangeInclusive<u32> = 2..=1_000_000_000;
pub(super) const CAPACITY: RangeInclusive<u32> = 1..=1_000_000;
pub(super) const MAX_WORKERS: RangeInclusive<u32> = 1..=65_536;

impl SwarmConfig {
    /// Checks the values.
    ///
    /// # Errors
    /// Names the value, what it is and what is allowed.
    pub fn check(&self) -> Result<(), Error> {
        for (name, value, bounds) in [
            ("threshold", self.threshold, THRESHOLD),
            ("max_workers", self.max_workers, MAX_WORKERS),
            ("min_workers", self.min_workers, 1..=self.max_workers),
            ("capacity", self.capacity, CAPACITY),
        ] {
            if !bounds.contains(&value) {
                return Err(Error::not_within(name, &bounds, value));
            }
        }
        Ok(())
    }
}
