//! The swarm's options: its values as plain data, with the names of the
//! JavaScript API.

use super::config::{CAPACITY, MAX_WORKERS, SwarmConfig, THRESHOLD};
use crate::error::Error;
use crate::plain_data::{Number, Plain, camel_case, set_whole};
use alloc::format;
use alloc::string::String;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

/// Options as they are given. What is absent has its default.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object")]
struct SwarmOptions {
    threshold: Option<Number>,
    min_workers: Option<Number>,
    capacity: Option<Number>,
    max_workers: Option<Number>,
    message: Option<String>,
}

impl SwarmConfig {
    /// Reads options: an object with the fields of the JavaScript API.
    ///
    /// # Errors
    /// Names the option, what was given and what is allowed.
    pub fn from_options<'de, D: Deserializer<'de>>(options: D) -> Result<Self, Error> {
        let options = match Plain::read(options, "options")? {
            Plain::Null => SwarmOptions::default(),
            data => data.parse("options")?,
        };
        options.apply()
    }
}

impl SwarmOptions {
    fn apply(self) -> Result<SwarmConfig, Error> {
        let mut config = SwarmConfig { message: self.message, ..SwarmConfig::default() };
        set_whole(&mut config.threshold, self.threshold, "options.threshold", THRESHOLD)?;
        set_whole(&mut config.max_workers, self.max_workers, "options.maxWorkers", MAX_WORKERS)?;
        let workers = 1..=config.max_workers;
        set_whole(&mut config.min_workers, self.min_workers, "options.minWorkers", workers)?;
        set_whole(&mut config.capacity, self.capacity, "options.capacity", CAPACITY)?;
        config.check().map_err(|error| {
            let path = format!("options.{}", camel_case(error.path()));
            error.renamed(path)
        })?;
        Ok(config)
    }
}

impl<'de> Deserialize<'de> for SwarmConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_options(deserializer).map_err(D::Error::custom)
    }
}

impl Serialize for SwarmConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = SwarmOptions {
            threshold: Some(self.threshold.into()),
            min_workers: Some(self.min_workers.into()),
            capacity: Some(self.capacity.into()),
            max_workers: Some(self.max_workers.into()),
            message: self.message.clone(),
        };
        options.serialize(serializer)
    }
}
