//! The swarm's options: its configuration as plain data, with the names of the JavaScript
//! API.

use super::config::{CAPACITY, MAX_WORKERS, SwarmConfig, THRESHOLD};
use crate::error::Error;
use crate::plain_data::{Given, Object, Plain, camel_case};
use alloc::format;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

const OPTIONS: &[&str] = &["threshold", "minWorkers", "capacity", "maxWorkers", "message"];

impl SwarmConfig {
    /// Reads options: an object with the fields of the JavaScript API.
    ///
    /// # Errors
    /// Names the option, what was given and what is allowed.
    pub fn from_options<'de, D: Deserializer<'de>>(options: D) -> Result<Self, Error> {
        let options = match Plain::read(options, "options")? {
            Plain::Null => Object::default().into(),
            options => options,
        };
        read(&Given::new("options", &options))
    }
}

fn read(options: &Given<'_>) -> Result<SwarmConfig, Error> {
    let options = options.fields(OPTIONS)?;
    let default = SwarmConfig::default();
    let max_workers = options.number("maxWorkers", MAX_WORKERS)?.unwrap_or(default.max_workers);
    let min_workers = options.number("minWorkers", 1..=max_workers)?;
    let config = SwarmConfig {
        threshold: options.number("threshold", THRESHOLD)?.unwrap_or(default.threshold),
        min_workers: min_workers.unwrap_or(default.min_workers),
        capacity: options.number("capacity", CAPACITY)?.unwrap_or(default.capacity),
        max_workers,
        message: options.text("message")?.map(Into::into),
    };
    config.check().map_err(|error| {
        let path = format!("options.{}", camel_case(error.path()));
        error.renamed(path)
    })?;
    Ok(config)
}

impl<'de> Deserialize<'de> for SwarmConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_options(deserializer).map_err(D::Error::custom)
    }
}

impl Serialize for SwarmConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut options = Object::default();
        options.number("threshold", self.threshold);
        options.number("minWorkers", self.min_workers);
        options.number("capacity", self.capacity);
        options.number("maxWorkers", self.max_workers);
        options.set("message", self.message.as_deref().into());
        Plain::from(options).serialize(serializer)
    }
}
