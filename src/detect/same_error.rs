//! One error, whatever the arguments: a tool that fails in the same way call
//! after call, although the calls differ. A call of that kind that works ends it,
//! and so does a change, which makes the next call a new experiment.
//! Busy services are not counted, nor are tests, which fail for a reason.

use super::{Outcome, Pattern, Seen, Signal};
use crate::codec::{Reader, Writer};
use crate::fingerprint::Worth;
use crate::hash;
use crate::list::make_room;
use crate::tools::Deed;
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// So many tools are followed at once.
const RUNS: usize = 8;

#[derive(Clone, Copy)]
struct Run {
    key: u64,
    error: u64,
    count: u32,
    varied: bool,
    call: u64,
    since: u64,
}

/// See the module's text.
pub(super) struct SameError {
    threshold: u32,
    /// The most recently used last.
    runs: Vec<Run>,
    active: bool,
}

impl SameError {
    pub fn new(threshold: u32) -> Self {
        Self { threshold, runs: Vec::new(), active: false }
    }

    /// One more call of the kind is about to be made.
    pub fn on_call(&mut self, call: &Seen<'_>) -> Option<Signal> {
        let intent = &call.print.intent;
        let key = hash::pair(call.print.tool, intent.deed as u64);
        let run = *self.runs.iter().find(|run| run.key == key)?;
        // What would not be counted is not refused either.
        if !self.is_loop(&run) || call.print.tests || intent.waits {
            return None;
        }
        self.active = true;
        let mut signal = signal(&run, u64::from(run.count) + 1, call.index);
        signal.refusable = true;
        signal.announced_only = true;
        Some(signal)
    }

    fn is_loop(&self, run: &Run) -> bool {
        run.varied && run.count >= self.threshold
    }

    pub fn on_result(&mut self, outcome: &Outcome<'_>) -> Option<Signal> {
        let intent = &outcome.print.intent;
        let reply = &outcome.reply;
        self.active = false;
        if intent.deed == Deed::Change && !reply.failed {
            // What failed before is worth another try, whatever the change printed.
            self.runs.clear();
            return None;
        }
        if reply.worth == Worth::Infrastructure || outcome.print.tests || intent.waits {
            return None;
        }
        let key = hash::pair(outcome.print.tool, intent.deed as u64);
        let old = self.runs.iter().find(|run| run.key == key).copied();
        self.runs.retain(|run| run.key != key);
        // A search that finds nothing fails silently: that is an answer.
        let answer = intent.deed == Deed::Look && outcome.output.trim_ascii().is_empty();
        if !reply.failed || answer {
            return None;
        }
        let mut run = Run {
            key,
            error: reply.error,
            count: 1,
            varied: false,
            call: intent.steady,
            since: outcome.index,
        };
        if let Some(old) = old.filter(|old| old.error == reply.error) {
            run.count = old.count.saturating_add(1);
            run.varied = old.varied || old.call != run.call;
            run.since = old.since;
        }
        make_room(&mut self.runs, RUNS);
        self.runs.push(run);
        self.active = self.is_loop(&run);
        self.active.then(|| signal(&run, run.count.into(), outcome.index))
    }
}

fn signal(run: &Run, count: u64, index: u64) -> Signal {
    let mut signal = Signal::new(LoopKind::SameError, hash::pair(run.key, run.error));
    signal.count = count;
    signal.since = Some(run.since);
    signal.wasted = count - 1;
    signal.evidence.push(index);
    signal
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
        for run in &self.runs {
            for hash in [run.key, run.error, run.call] {
                out.hash(hash);
            }
            out.count(run.count.into());
            out.flag(run.varied);
            out.count(run.since);
        }
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.active = from.flag()?;
        for _ in 0..from.length(RUNS)? {
            let run = Run {
                key: from.hash()?,
                error: from.hash()?,
                call: from.hash()?,
                count: from.small()?,
                varied: from.flag()?,
                since: from.count()?,
            };
            self.runs.push(run);
        }
        Some(())
    }
}
