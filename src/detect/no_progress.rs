//! Calls that bring nothing new: the same call with the same result and nothing
//! learned in between; the same check with the same complaint after one change
//! and another; the same edit, made again and again.

use super::repeats::Needed;
use super::{Outcome, Pattern, Seen, Signal};
use crate::codec::{Reader, Writer};
use crate::config::Patience;
use crate::exchange::{Exchange, Exchanges};
use crate::fingerprint::{Worth, complains};
use crate::hash;
use crate::tools::Deed;
use crate::verdict::LoopKind;

/// See the module's text.
pub(super) struct NoProgress {
    needed: Needed,
    patience: Patience,
    active: bool,
    count: u64,
}

impl NoProgress {
    pub fn new(threshold: u32, patience: &Patience) -> Self {
        let needed = Needed::new(threshold, patience);
        Self { needed, patience: patience.clone(), active: false, count: 0 }
    }

    /// How often the same came of the newest call.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The call is about to be made again: what came of it is known.
    pub fn on_call(&mut self, call: &Seen<'_>, all: &Exchanges) -> Option<Signal> {
        let intent = &call.print.intent;
        let last = all.back(0).filter(|last| last.call == intent.steady)?;
        // A change may fail once more than another call: it is its result that tells.
        let change = intent.deed == Deed::Change;
        let count = last.same.saturating_add(u32::from(!change));
        let idle = all.nothing_since(last) && (!change || last.failed);
        if !idle || count < self.needed.of(call.threshold, intent.waits, last.worth) {
            return None;
        }
        let count = last.same.saturating_add(1);
        self.active = true;
        let mut signal = self.signal(last, count.into(), call.index);
        signal.refusable = true;
        Some(signal)
    }

    pub fn on_result(
        &mut self,
        outcome: &Outcome<'_>,
        exchange: &Exchange,
        all: &Exchanges,
    ) -> Option<Signal> {
        self.count = exchange.still.into();
        let in_a_row = all.back(1).is_some_and(|before| before.call == exchange.call);
        let intent = &outcome.print.intent;
        let made = intent.deed == Deed::Change && exchange.worth == Worth::Acknowledgement;
        let needed = self.needed.of(outcome.threshold, intent.waits, exchange.worth);
        let found = if made && !outcome.print.shell {
            // A tool that edits: a shell command such as `git add` may well be repeated.
            (exchange.worked >= self.patience.same_edit).then_some(u64::from(exchange.worked))
        } else if in_a_row && exchange.still >= needed {
            Some(exchange.still.into())
        } else {
            self.after_changes(outcome, exchange).then_some(u64::from(exchange.same))
        };
        self.active = found.is_some();
        found.map(|count| {
            let mut signal = self.signal(exchange, count, exchange.index);
            if made {
                // The same edit is the same loop, whatever its tool says to it.
                signal.loop_id = Signal::new(LoopKind::NoProgress, exchange.call).loop_id;
            }
            signal.changed = !made && exchange.still < exchange.same;
            signal
        })
    }

    /// Whether a check keeps complaining of the same, whatever is changed.
    fn after_changes(&self, outcome: &Outcome<'_>, exchange: &Exchange) -> bool {
        if exchange.worth != Worth::Evidence || outcome.print.intent.waits {
            return false;
        }
        if exchange.failed {
            return exchange.same >= self.patience.after_changes;
        }
        exchange.same >= self.patience.complaints
            && !outcome.print.tests
            && outcome.print.intent.deed == Deed::Run
            && complains(outcome.output)
    }

    fn signal(&self, exchange: &Exchange, count: u64, index: u64) -> Signal {
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
        self.active = from.flag()?;
        self.count = from.count()?;
        Some(())
    }
}
