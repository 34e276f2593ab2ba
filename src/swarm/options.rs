//! The swarm's values.

use crate::concat::{cat, number};
use crate::error::Error;
use crate::value::{Fields, Problem, Value, outside};
use alloc::string::String;

/// When a swarm is stuck, and how much is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwarmConfig {
    /// Calls in all that make a global loop.
    pub threshold: u32,
    /// Workers that must have made them.
    pub min_workers: u32,
    /// How many fingerprints there is room for.
    pub capacity: u32,
    /// Where the worker count of one fingerprint stops.
    pub max_workers: u32,
    /// The text, if not the seed's.
    pub message: Option<String>,
}

impl Default for SwarmConfig {
    fn default() -> Self {
        Self { threshold: 10, min_workers: 2, capacity: 4096, max_workers: 256, message: None }
    }
}

const NAMES: &[&str] = &["threshold", "minWorkers", "capacity", "maxWorkers", "message"];
const MAX_THRESHOLD: u32 = 1_000_000_000;
const MAX_CAPACITY: u32 = 1_000_000;
const MAX_WORKERS: u32 = 65_536;

impl SwarmConfig {
    /// Reads options with the field names of the JavaScript API.
    ///
    /// # Errors
    /// Names the option, what was given and what is allowed.
    pub fn from_value(options: &Value) -> Result<Self, Error> {
        let mut config = Self::default();
        if matches!(options, Value::Null) {
            return Ok(config);
        }
        let problem = Problem::default();
        let fields = Fields::of(options, "options".into(), NAMES, &problem);
        let most = fields.number("maxWorkers", 1, MAX_WORKERS).unwrap_or(config.max_workers);
        for (name, value, least, most) in config.bounded(most) {
            fields.number_into(name, least, most, value);
        }
        config.message = fields.text("message").map(String::from);
        if let Err(error) = config.check() {
            problem.refuse(error);
        }
        problem.or(config)
    }

    /// Checks the values.
    ///
    /// # Errors
    /// Names the value and what is allowed.
    pub fn check(&self) -> Result<(), Error> {
        for (name, value, least, most) in self.clone().bounded(self.max_workers) {
            if !(least..=most).contains(value) {
                let path = cat(&["options.", name]);
                return Err(outside(&path, least, most, &number(u64::from(*value))));
            }
        }
        Ok(())
    }

    /// Each number with what is allowed of it.
    fn bounded(&mut self, max_workers: u32) -> [(&'static str, &mut u32, u32, u32); 4] {
        [
            ("threshold", &mut self.threshold, 2, MAX_THRESHOLD),
            ("minWorkers", &mut self.min_workers, 1, max_workers),
            ("capacity", &mut self.capacity, 1, MAX_CAPACITY),
            ("maxWorkers", &mut self.max_workers, 1, MAX_WORKERS),
        ]
    }
}
