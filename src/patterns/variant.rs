//! The same intent in other words: calls of one tool, each much like the one
//! before it, all with the same result. Other targets have other results, or
//! share few words.

use super::outcome_streak::{OutcomeStreak, RUNS, key_of};
use super::{CallEvent, Pattern, ResultEvent, Signal};
use crate::call::Intent;
use crate::config::Patience;
use crate::result::{Evidence, is_negative_result, reports_problems};
use crate::similarity::Sketch;
use crate::snapshot::codec::{Reader, Writer};
use crate::tools::Effect;
use crate::vec_ext::make_room;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// A run of calls, and how the newest of them is worded.
#[derive(Clone, Copy)]
struct Worded {
    run: OutcomeStreak,
    sketch: Sketch,
    targets: u64,
}

/// See the module's text.
pub(super) struct Variant {
    threshold: u32,
    likeness: u32,
    look_likeness: u32,
    /// The most recently used last.
    runs: Vec<Worded>,
    active: bool,
}

impl Variant {
    pub fn new(threshold: u32, patience: &Patience) -> Self {
        Self {
            threshold,
            likeness: patience.likeness,
            look_likeness: patience.look_likeness,
            runs: Vec::new(),
            active: false,
        }
    }

    /// One more of the kind is about to be made.
    pub fn on_call(&mut self, call: &CallEvent<'_>) -> Option<Signal> {
        let intent = &call.fingerprint.intent;
        let key = key_of(call.fingerprint);
        let worded = *self.runs.iter().find(|worded| worded.run.key == key)?;
        let strict = intent.effect == Effect::Read;
        let varies =
            worded.run.call != intent.normalized_hash && self.alike(&worded, intent, strict);
        // A call that is_polling would not be counted, so it is no variation either.
        if !worded.run.is_loop(self.threshold) || !varies || intent.is_polling {
            return None;
        }
        self.active = true;
        let mut signal = worded.run.signal_before(LoopKind::Variant, call.index);
        signal.period = 1;
        Some(signal)
    }

    pub fn on_result(&mut self, outcome: &ResultEvent<'_>) -> Option<Signal> {
        let intent = &outcome.fingerprint.intent;
        self.active = false;
        if intent.effect == Effect::Write && outcome.reply.worth == Evidence::Acknowledgement {
            // A change makes the next call a new experiment.
            self.runs.clear();
            return None;
        }
        // "ok" to change after change is work, and busy services say the same to all.
        if outcome.reply.worth != Evidence::Informative || intent.is_polling {
            return None;
        }
        let key = key_of(outcome.fingerprint);
        let reply = outcome.reply.hash;
        let before = self.runs.iter().find(|worded| worded.run.key == key).copied();
        self.runs.retain(|worded| worded.run.key != key);
        let before = before
            .filter(|old| old.run.outcome == reply && self.goes_on(old, intent, outcome))
            .map(|old| old.run);
        let run = OutcomeStreak::new(outcome.fingerprint, reply, outcome.index, before.as_ref());
        make_room(&mut self.runs, RUNS);
        self.runs.push(Worded { run, sketch: intent.sketch, targets: intent.targets });
        self.active = run.is_loop(self.threshold);
        self.active.then(|| {
            let mut signal = run.signal(LoopKind::Variant, outcome.index);
            signal.period = 1;
            signal
        })
    }

    /// Whether one more call with the same result is a variation of the one before.
    fn goes_on(&self, run: &Worded, intent: &Intent, outcome: &ResultEvent<'_>) -> bool {
        let looks = intent.effect == Effect::Read;
        if outcome.fingerprint.runs_tests && !outcome.reply.failed {
            return false;
        }
        if outcome.reply.failed || reports_problems(outcome.output) {
            return self.alike(run, intent, looks);
        }
        // Where nothing went wrong, one answer to many is nothing special: to be a
        // variation, the calls have to be about the same things.
        let negative = is_negative_result(outcome.output);
        intent.targets & !run.targets == 0
            && (looks || negative)
            && self.alike(run, intent, looks && negative)
    }

    /// Whoever looks for one thing after the other and finds nothing uses the same
    /// words, too: there the calls must be more alike.
    fn alike(&self, run: &Worded, intent: &Intent, strict: bool) -> bool {
        let least = if strict { self.look_likeness } else { self.likeness };
        run.run.call == intent.normalized_hash || run.sketch.likeness(&intent.sketch) >= least
    }
}

impl Pattern for Variant {
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
        for worded in &self.runs {
            worded.run.save(out);
            out.hash(worded.targets);
            worded.sketch.save(out);
        }
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.active = from.flag();
        for _ in 0..from.length(RUNS) {
            self.runs.push(Worded {
                run: OutcomeStreak::load(from)?,
                targets: from.hash(),
                sketch: Sketch::load(from)?,
            });
        }
        Some(())
    }
}
