//! Saves and restores the state of a detector.

use super::State;
use crate::call::Identity;
use crate::concat::{cat, number};
use crate::config::Config;
use crate::error::Error;
use crate::snapshot::{self, Snapshot};
use alloc::string::String;

const KIND: &str = "detector";

pub(super) fn save(config: &Config, state: &State) -> Snapshot {
    snapshot::save(KIND, config_signature(config), state)
}

pub(super) fn load(config: &Config, snapshot: &Snapshot) -> Result<State, Error> {
    let mut state: State = snapshot::load(KIND, &config_signature(config), snapshot)?;
    if state.restore(config) { Ok(state) } else { Err(snapshot::damaged()) }
}

/// Returns the options that the layout of the state depends on. Thresholds and texts may
/// change between saving and restoring; these may not.
fn config_signature(config: &Config) -> String {
    let identity = match config.identity {
        Identity::Canonical => String::from("canonical"),
        Identity::Raw { length } => cat(&["raw ", &number(length.into())]),
    };
    let (window, period) = (number(config.window.into()), number(config.max_period.into()));
    let sizes = ["identity ", &identity, ", window ", &window, ", maxPeriod ", &period];
    let mut signature = cat(&sizes);
    signature.push_str(", detectors");
    for rule in config.rules.iter().filter(|rule| rule.on) {
        signature.push(' ');
        signature.push_str(rule.kind.name());
        if rule.results {
            signature.push_str(" with results");
        }
    }
    signature
}
