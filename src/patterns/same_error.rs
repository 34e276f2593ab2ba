//! One error, whatever the arguments: a tool that fails in the same way call
//! after call, although the calls differ. A call of that kind that works ends it,
//! and so does a change, which makes the next call a new experiment.
//! Busy services are not counted, nor are tests, which fail for a reason.

use super::outcome_streak::{OutcomeStreak, RUNS, key_of};
use super::{CallEvent, Pattern, ResultEvent, Signal};
use crate::result::Evidence;
use crate::snapshot::codec::{Reader, Writer};
use crate::tools::Effect;
use crate::vec_ext::make_room;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// See the module's text.
pub(super) struct SameError {
    threshold: u32,
    /// The most recently used last.
    runs: Vec<OutcomeStreak>,
    active: bool,
}

impl SameError {
    pub fn new(threshold: u32) -> Self {
        Self { threshold, runs: Vec::new(), active: false }
    }

    /// One more call of the kind is about to be made.
    pub fn on_call(&mut self, call: &CallEvent<'_>) -> Option<Signal> {
        let key = key_of(call.fingerprint);
        let run = *self.runs.iter().find(|run| run.key == key)?;
        // What would not be counted is not refused either.
        if !run.is_loop(self.threshold)
            || call.fingerprint.runs_tests
            || call.fingerprint.intent.is_polling
        {
            return None;
        }
        self.active = true;
        let mut signal = run.signal_before(LoopKind::SameError, call.index);
        signal.announced_only = true;
        Some(signal)
    }

    pub fn on_result(&mut self, outcome: &ResultEvent<'_>) -> Option<Signal> {
        let intent = &outcome.fingerprint.intent;
        let reply = &outcome.reply;
        self.active = false;
        if intent.effect == Effect::Write && !reply.failed {
            // What failed before is worth another try, whatever the change printed.
            self.runs.clear();
            return None;
        }
        if reply.worth == Evidence::Infrastructure
            || outcome.fingerprint.runs_tests
            || intent.is_polling
        {
            return None;
        }
        let key = key_of(outcome.fingerprint);
        let before = self.runs.iter().find(|run| run.key == key).copied();
        self.runs.retain(|run| run.key != key);
        // A search that finds nothing fails silently: that is an answer.
        let answer = intent.effect == Effect::Read && outcome.output.trim_ascii().is_empty();
        if !reply.failed || answer {
            return None;
        }
        let before = before.filter(|run| run.outcome == reply.error);
        let run =
            OutcomeStreak::new(outcome.fingerprint, reply.error, outcome.index, before.as_ref());
        make_room(&mut self.runs, RUNS);
        self.runs.push(run);
        self.active = run.is_loop(self.threshold);
        self.active.then(|| run.signal(LoopKind::SameError, outcome.index))
    }
}

impl Pattern for SameError {
    fn active(&self) -> bool {
        self.active
    }

    fn restart(&mut self) {
        self.runs.clear();
        self.active = false;
    }

    fn save(&self, out: &mut Writer) {
        out.flag(self.active);
        out.length(self.runs.len());
        self.runs.iter().for_each(|run| run.save(out));
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.active = from.flag();
        for _ in 0..from.length(RUNS) {
            self.runs.push(OutcomeStreak::load(from)?);
        }
        Some(())
    }
}
