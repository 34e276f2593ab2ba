//! The swarm's values.

use crate::error::Error;
use crate::value::{Fields, Value};
use alloc::format;
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
const MAX_THRESHOLD: u64 = 1_000_000_000;
const MAX_CAPACITY: u64 = 1_000_000;
const MAX_WORKERS: u64 = 65_536;

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
        let fields = Fields::of(options, "options")?;
        fields.only(NAMES)?;
        let read = |name, least, most, target: &mut u32| -> Result<(), Error> {
            if let Some(value) = fields.number(name, least, most)? {
                *target = u32::try_from(value).unwrap_or(u32::MAX);
            }
            Ok(())
        };
        read("threshold", 2, MAX_THRESHOLD, &mut config.threshold)?;
        read("maxWorkers", 1, MAX_WORKERS, &mut config.max_workers)?;
        read("minWorkers", 1, config.max_workers.into(), &mut config.min_workers)?;
        read("capacity", 1, MAX_CAPACITY, &mut config.capacity)?;
        config.message = fields.text("message")?.map(String::from);
        config.check()?;
        Ok(config)
    }

    /// Checks the values.
    ///
    /// # Errors
    /// Names the value and what is allowed.
    pub fn check(&self) -> Result<(), Error> {
        let bounds = [
            ("threshold", self.threshold, 2, MAX_THRESHOLD),
            ("maxWorkers", self.max_workers, 1, MAX_WORKERS),
            ("minWorkers", self.min_workers, 1, self.max_workers.into()),
            ("capacity", self.capacity, 1, MAX_CAPACITY),
        ];
        for (name, value, least, most) in bounds {
            if !(least..=most).contains(&u64::from(value)) {
                return Err(Error::out_of_range(format!(
                    "options.{name} must be a whole number from {least} to {most}; got {value}"
                )));
            }
        }
        Ok(())
    }
}
