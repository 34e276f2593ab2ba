//! Many equal calls in one turn. A few are one decision, as when a prompt is sampled
//! several times; more are a model that repeats itself inside one response.

use super::{CallEvent, Memory, Pattern, Signal};
use crate::config::{Config, Rule};
use crate::result::EvidenceClass;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Counts equal calls of one turn.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Parallel {
    #[serde(skip)]
    most: u32,
    active: bool,
}

impl Pattern for Parallel {
    const KIND: LoopKind = LoopKind::NoProgress;
    const REPEATS_CALLS: bool = true;

    fn configure(&mut self, _: &Rule, config: &Config) {
        self.most = config.patience.parallel;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        self.active = call.equal_in_turn > self.most;
        if !self.active {
            return None;
        }
        let mut signal = Signal::new(Self::KIND, call.fingerprint.intent.normalized_hash);
        signal.evidence = EvidenceClass::Duplicate;
        signal.count = call.equal_in_turn.into();
        signal.period = 1;
        signal.wasted = signal.count - 1;
        signal.calls.push(call.index);
        signal.before_call = true;
        Some(signal)
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn reset(&mut self) {
        self.active = false;
    }
}
