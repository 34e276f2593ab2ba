//! The same intent in other words: calls of one tool, each much like the one
//! before it, all with the same result. Other targets have other results, or
//! share few words.

use super::{Outcome, Pattern, Seen, Signal};
use crate::codec::{Reader, Writer};
use crate::config::Patience;
use crate::fingerprint::{Intent, Sketch, Worth, complains, is_in_vain};
use crate::hash;
use crate::list::make_room;
use crate::tools::Deed;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// So many tools are followed at once.
const RUNS: usize = 8;

/// Calls of one tool that are alike and bring the same.
#[derive(Clone, Copy)]
struct Run {
    key: u64,
    reply: u64,
    count: u32,
    /// Not all of them were the same call.
    varied: bool,
    call: u64,
    sketch: Sketch,
    targets: u64,
    since: u64,
}

/// See the module's text.
pub(super) struct Variant {
    threshold: u32,
    likeness: u32,
    look_likeness: u32,
    /// The most recently used last.
    runs: Vec<Run>,
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
    pub fn on_call(&mut self, call: &Seen<'_>) -> Option<Signal> {
        let intent = &call.print.intent;
        let key = key_of(call.print.tool, intent);
        let run = *self.runs.iter().find(|run| run.key == key)?;
        let strict = intent.deed == Deed::Look;
        let varies = run.call != intent.steady && self.alike(&run, intent, strict);
        // A call that waits would not be counted, so it is no variation either.
        if !self.is_loop(&run) || !varies || intent.waits {
            return None;
        }
        self.active = true;
        let mut signal = signal(&run, u64::from(run.count) + 1, call.index);
        signal.refusable = true;
        Some(signal)
    }

    pub fn on_result(&mut self, outcome: &Outcome<'_>) -> Option<Signal> {
        let intent = &outcome.print.intent;
        self.active = false;
        if intent.deed == Deed::Change && outcome.reply.worth == Worth::Acknowledgement {
            // A change makes the next call a new experiment.
            self.runs.clear();
            return None;
        }
        // "ok" to change after change is work, and busy services say the same to all.
        if outcome.reply.worth != Worth::Evidence || intent.waits {
            return None;
        }
        let key = key_of(outcome.print.tool, intent);
        let reply = outcome.reply.hash;
        let old = self.runs.iter().find(|run| run.key == key).copied();
        self.runs.retain(|run| run.key != key);
        let mut run = Run {
            key,
            reply,
            count: 1,
            varied: false,
            call: intent.steady,
            sketch: intent.sketch,
            targets: intent.targets,
            since: outcome.index,
        };
        let old = old.filter(|old| old.reply == reply && self.goes_on(old, intent, outcome));
        if let Some(old) = old {
            run.count = old.count.saturating_add(1);
            run.varied = old.varied || old.call != run.call;
            run.since = old.since;
        }
        make_room(&mut self.runs, RUNS);
        self.runs.push(run);
        if !self.is_loop(&run) {
            return None;
        }
        self.active = true;
        Some(signal(&run, run.count.into(), outcome.index))
    }

    fn is_loop(&self, run: &Run) -> bool {
        run.varied && run.count >= self.threshold
    }

    /// Whether one more call with the same result is a variation of the one before.
    fn goes_on(&self, run: &Run, intent: &Intent, outcome: &Outcome<'_>) -> bool {
        let looks = intent.deed == Deed::Look;
        if outcome.print.tests && !outcome.reply.failed {
            return false;
        }
        if outcome.reply.failed || complains(outcome.output) {
            return self.alike(run, intent, looks);
        }
        // Where nothing went wrong, one answer to many is nothing special: to be a
        // variation, the calls have to be about the same things.
        let in_vain = is_in_vain(outcome.output);
        intent.targets & !run.targets == 0
            && (looks || in_vain)
            && self.alike(run, intent, looks && in_vain)
    }

    /// Whoever looks for one thing after the other and finds nothing uses the same
    /// words, too: there the calls must be more alike.
    fn alike(&self, run: &Run, intent: &Intent, strict: bool) -> bool {
        let least = if strict { self.look_likeness } else { self.likeness };
        run.call == intent.steady || run.sketch.likeness(&intent.sketch) >= least
    }
}

/// A tool that does several things counts as several.
fn key_of(tool: u64, intent: &Intent) -> u64 {
    hash::pair(tool, intent.deed as u64)
}

fn signal(run: &Run, count: u64, index: u64) -> Signal {
    let mut signal = Signal::new(LoopKind::Variant, hash::pair(run.key, run.reply));
    signal.count = count;
    signal.period = 1;
    signal.since = Some(run.since);
    signal.wasted = count - 1;
    signal.evidence.push(index);
    signal
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
        for run in &self.runs {
            for hash in [run.key, run.reply, run.call] {
                out.hash(hash);
            }
            out.count(run.count.into());
            out.flag(run.varied);
            out.count(run.since);
            out.hash(run.targets);
            run.sketch.save(out);
        }
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.active = from.flag()?;
        for _ in 0..from.length(RUNS)? {
            let run = Run {
                key: from.hash()?,
                reply: from.hash()?,
                call: from.hash()?,
                count: from.small()?,
                varied: from.flag()?,
                since: from.count()?,
                targets: from.hash()?,
                sketch: Sketch::load(from)?,
            };
            self.runs.push(run);
        }
        Some(())
    }
}
