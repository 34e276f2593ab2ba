//! Calls that bring nothing new: the same call with the same result and nothing
//! learned in between; the same check with the same complaint after one change
//! and another; the same edit, made again and again.

use super::repeat_thresholds::RepeatThresholds;
use super::{CallEvent, Pattern, ResultEvent, Signal};
use crate::config::Patience;
use crate::hash;
use crate::history::{Outcome, OutcomeLog};
use crate::result::{Evidence, reports_problems};
use crate::snapshot::codec::{Reader, Writer};
use crate::tools::Effect;
use crate::verdict::LoopKind;

/// See the module's text.
pub(super) struct NoProgress {
    needed: RepeatThresholds,
    patience: Patience,
    active: bool,
    count: u64,
}

impl NoProgress {
    pub fn new(threshold: u32, patience: &Patience) -> Self {
        let needed = RepeatThresholds::new(threshold, patience);
        Self { needed, patience: patience.clone(), active: false, count: 0 }
    }

    /// How often the same came of the newest call.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The call is about to be made again: what came of it is known.
    pub fn on_call(
        &mut self,
        call: &CallEvent<'_>,
        last: &Outcome,
        all: &OutcomeLog,
    ) -> Option<Signal> {
        let intent = &call.fingerprint.intent;
        // A change may fail once more than another call: it is its result that tells.
        let change = intent.effect == Effect::Write;
        let count = last.still.saturating_add(u32::from(!change));
        let idle = all.nothing_since(last) && (!change || last.failed);
        let needed = self.needed.of(call.threshold, intent.is_polling, last.worth);
        let again = idle && count >= needed && all.is_newest(intent.normalized_hash);
        let edited = !call.fingerprint.is_shell && self.same_edit(last, change);
        let failing = last.failed && self.fails_on(last, intent.is_polling) && !last.changed;
        if !again && !edited && !failing {
            return None;
        }
        self.active = true;
        let count = if edited { last.worked } else { last.same };
        let mut signal = self.signal(last, count.saturating_add(1).into(), call.index);
        signal.refusable = true;
        signal.announced_only = !again;
        signal.busy = last.worth == Evidence::Infrastructure;
        if edited {
            signal.loop_id = edit_loop(last);
        }
        Some(signal)
    }

    pub fn on_result(&mut self, outcome: &ResultEvent<'_>, exchange: &Outcome) -> Option<Signal> {
        self.count = exchange.still.into();
        let intent = &outcome.fingerprint.intent;
        let change = intent.effect == Effect::Write;
        let needed = self.needed.of(outcome.threshold, intent.is_polling, exchange.worth);
        let edited = !outcome.fingerprint.is_shell && self.same_edit(exchange, change);
        let made =
            change && !outcome.fingerprint.is_shell && exchange.worth == Evidence::Acknowledgement;
        let found = if made {
            edited.then_some(exchange.worked)
        } else if exchange.in_a_row && exchange.still >= needed {
            Some(exchange.still)
        } else {
            self.after_changes(outcome, exchange).then_some(exchange.same)
        };
        self.active = found.is_some();
        found.map(|count| {
            let mut signal = self.signal(exchange, count.into(), exchange.index);
            signal.changed = !made && exchange.changed;
            if made {
                signal.loop_id = edit_loop(exchange);
            }
            signal
        })
    }

    /// Whether an editor keeps making the same edit. (A shell command such as
    /// `git add` may well be repeated.)
    fn same_edit(&self, exchange: &Outcome, change: bool) -> bool {
        change
            && exchange.worth == Evidence::Acknowledgement
            && exchange.worked >= self.patience.same_edit
    }

    /// Whether a check keeps complaining of the same, whatever is learned or
    /// changed in between.
    fn after_changes(&self, outcome: &ResultEvent<'_>, exchange: &Outcome) -> bool {
        if exchange.failed {
            return self.fails_on(exchange, outcome.fingerprint.intent.is_polling);
        }
        exchange.worth == Evidence::Informative
            && !outcome.fingerprint.intent.is_polling
            && exchange.same >= self.patience.complaints
            && exchange.still < exchange.same
            && !outcome.fingerprint.runs_tests
            && outcome.fingerprint.intent.effect == Effect::Execute
            && reports_problems(outcome.output)
    }

    /// In a row, with nothing new in between, it is the threshold that counts.
    fn fails_on(&self, exchange: &Outcome, is_polling: bool) -> bool {
        exchange.worth == Evidence::Informative
            && !is_polling
            && exchange.same >= self.patience.after_changes
            && exchange.still < exchange.same
    }

    fn signal(&self, exchange: &Outcome, count: u64, index: u64) -> Signal {
        // Another result makes it another loop.
        let key = hash::pair(exchange.call, exchange.reply);
        let mut signal = Signal::new(LoopKind::NoProgress, key);
        signal.count = count;
        signal.period = 1;
        signal.since = Some(exchange.since);
        signal.wasted = count - 1;
        signal.evidence.push(index);
        signal
    }
}

/// An edit that is made again prints another result each time: the file grows.
fn edit_loop(exchange: &Outcome) -> u64 {
    hash::pair(LoopKind::NoProgress as u64, exchange.call)
}

impl Pattern for NoProgress {
    fn active(&self) -> bool {
        self.active
    }

    fn restart(&mut self) {
        self.active = false;
        self.count = 0;
    }

    fn save(&self, out: &mut Writer) {
        out.flag(self.active);
        out.count(self.count);
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.active = from.flag();
        self.count = from.count();
        Some(())
    }
}
