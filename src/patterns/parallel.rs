//! Many equal calls in one turn. A few are one decision, as when a prompt is sampled
//! several times; more mean that the model repeats itself within one response.

use super::{CallEvent, Memory, Pattern, Progress, Signal};
use crate::config::{Config, RecognisedBy, Rule};
use crate::result::EvidenceClass;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// Counts equal calls of one turn.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Parallel {
    #[serde(skip)]
    max_equal_calls: u32,
    #[serde(skip)]
    equal_calls: u32,
    active: bool,
}

impl Pattern for Parallel {
    const KIND: LoopKind = LoopKind::NoProgress;
    const REPEATS_CALLS: bool = true;

    fn configure(&mut self, _: &Rule, config: &Config) {
        self.max_equal_calls = config.patience.parallel;
    }

    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        self.equal_calls = call.equal_in_turn;
        self.active = call.equal_in_turn > self.max_equal_calls;
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
        signal.recognised_by = RecognisedBy::InOneTurn;
        Some(signal)
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn progress(&self) -> Progress {
        Progress::new(self.equal_calls, u64::from(self.max_equal_calls) + 1)
    }

    fn reset(&mut self) {
        self.equal_calls = 0;
        self.active = false;
    }
}
