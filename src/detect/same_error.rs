//! One error, whatever the arguments: a tool that fails in the same way call
//! after call, although the calls differ. A call of that kind that works ends it,
//! and so does a change, which makes the next call a new experiment.
//! Busy services are not counted, nor are tests, which fail for a reason.

use super::{Outcome, Pattern, Signal};
use crate::codec::{Reader, Writer};
use crate::fingerprint::Worth;
use crate::hash;
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
        let at = self.runs.iter().position(|run| run.key == key);
        let old = at.map(|at| self.runs.remove(at));
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
        if self.runs.len() >= RUNS {
            self.runs.remove(0);
        }
        self.runs.push(run);
        if !run.varied || run.count < self.threshold {
            return None;
        }
        self.active = true;
        let mut signal = Signal::new(LoopKind::SameError, hash::pair(key, run.error));
        signal.count = run.count.into();
        signal.since = Some(run.since);
        signal.wasted = signal.count - 1;
        signal.evidence.push(outcome.index);
        Some(signal)
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
