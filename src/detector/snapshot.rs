//! The detector's state in its envelope.
//!
//! None of it is inlined: in the middle of something else, reading and writing no
//! longer look like other reading and writing, and compress worse.

use super::{State, history_capacity};
use crate::call::Identity;
use crate::concat::{cat, number};
use crate::config::Config;
use crate::error::Error;
use crate::escalation::Escalation;
use crate::history::Pending;
use crate::history::{History, RecentNames};
use crate::patterns::Detectors;
use crate::snapshot::codec::{Reader, Writer};
use crate::snapshot::{self, Snapshot};
use crate::verdict::Verdict;
use alloc::string::String;

const KIND: &str = "detector";

#[inline(never)]
pub(super) fn save(config: &Config, state: &State) -> Snapshot {
    let mut out = Writer::default();
    out.count(state.calls);
    out.count(state.rounds);
    out.count(state.last_warning);
    state.history.save(&mut out);
    state.recent.save(&mut out);
    state.pending.save(&mut out);
    state.detectors.save(&mut out);
    state.escalation.save(&mut out);
    out.text(&state.complaint);
    state.verdict.save(&mut out);
    snapshot::seal(KIND, config_signature(config), &out.finish())
}

#[inline(never)]
pub(super) fn load(config: &Config, snapshot: &Snapshot) -> Result<State, Error> {
    let mut from = Reader::new(snapshot::open(KIND, &config_signature(config), snapshot)?);
    let state = read(config, &mut from).filter(|_| from.ended());
    state.ok_or_else(snapshot::damaged)
}

#[inline(never)]
fn read(config: &Config, from: &mut Reader) -> Option<State> {
    let calls = from.count();
    let rounds = from.count();
    let last_warning = from.count();
    let history = History::load(history_capacity(config), from, Some(calls))?;
    let recent = RecentNames::load(from)?;
    let pending = Pending::load(from)?;
    let mut detectors = Detectors::new(config);
    detectors.load(from, &history, config)?;
    let escalation = Escalation::load(from)?;
    let complaint = String::from(from.text());
    let verdict = Verdict::load(from)?;
    Some(State {
        calls,
        rounds,
        history,
        recent,
        pending,
        detectors,
        escalation,
        complaint,
        last_warning,
        verdict,
    })
}

/// What the state's form depends on. Thresholds and texts may change between
/// saving and loading; these may not.
#[inline(never)]
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
            signature.push_str(" by results");
        }
    }
    signature
}
