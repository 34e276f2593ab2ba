//! A cycle that brings nothing new: calls that come round again, whatever the
//! length of the round and wherever it began, each with the result it had
//! before. The odd new call in between does not end it.
//!
//! Looking for a period would miss rounds that vary. What makes a loop is that
//! call after call brings only what is known already; so those are counted, and
//! the period is only worked out to be shown.

use super::repeat_thresholds::RepeatThresholds;
use super::{CallEvent, Pattern, ResultEvent, Signal};
use crate::config::Patience;
use crate::history::{Outcome, OutcomeLog};
use crate::result::Evidence;
use crate::snapshot::codec::{Reader, Writer};
use crate::tools::Effect;
use crate::verdict::LoopKind;

/// See the module's text.
pub(super) struct StaleCycle {
    needed: RepeatThresholds,
    stale: u32,
    max_period: usize,
    active: bool,
}

impl StaleCycle {
    pub fn new(passes: u32, max_period: u32, patience: &Patience) -> Self {
        Self {
            needed: RepeatThresholds::new(passes, patience),
            stale: patience.stale,
            max_period: max_period as usize,
            active: false,
        }
    }

    /// The call is about to be made again: what came of it is known.
    pub fn on_call(
        &mut self,
        call: &CallEvent<'_>,
        last: &Outcome,
        all: &OutcomeLog,
    ) -> Option<Signal> {
        let intent = &call.fingerprint.intent;
        let made = intent.effect == Effect::Write && last.worth == Evidence::Acknowledgement;
        if all.is_newest(intent.normalized_hash) || made || !all.nothing_since(last) {
            return None;
        }
        let passes = last.same.saturating_add(1);
        let needed = self.needed.of(call.threshold, intent.is_polling, last.worth);
        if passes < needed && !(self.active && all.stale() >= self.stale) {
            return None;
        }
        let mut signal = self.signal(last, passes, all, 0)?;
        signal.evidence.push(call.index);
        signal.refusable = true;
        signal.busy = last.worth == Evidence::Infrastructure;
        self.active = true;
        Some(signal)
    }

    pub fn on_result(
        &mut self,
        outcome: &ResultEvent<'_>,
        exchange: &Outcome,
        all: &OutcomeLog,
    ) -> Option<Signal> {
        self.active = false;
        // One call whose known results take turns goes round as well.
        let again = exchange.in_a_row && exchange.same > 1;
        if !exchange.stale || again || outcome.fingerprint.intent.is_polling {
            return None;
        }
        let made = outcome.fingerprint.intent.effect == Effect::Write
            && exchange.worth == Evidence::Acknowledgement;
        let needed = self.needed.of(outcome.threshold, false, exchange.worth);
        let stale = match exchange.worth {
            Evidence::NoResults => self.stale.saturating_mul(2),
            _ => self.stale,
        };
        if (made || exchange.still < needed) && all.stale() < stale {
            return None;
        }
        let mut signal = self.signal(exchange, exchange.still, all, 1)?;
        signal.evidence.push(exchange.index);
        self.active = true;
        Some(signal)
    }

    /// The round that ends with this call; `skipped` is 1 if it is the newest exchange.
    fn signal(
        &self,
        exchange: &Outcome,
        passes: u32,
        all: &OutcomeLog,
        skipped: usize,
    ) -> Option<Signal> {
        let same = |ago: &usize| {
            let before = all.back(*ago + skipped - 1);
            before.is_some_and(|old| old.call == exchange.call && old.reply == exchange.reply)
        };
        // Odd calls in between make a round longer than it is.
        let period = (1..=self.max_period + self.max_period / 4).find(same)?;
        // It is the same loop as long as nothing new ends the row.
        let key = if all.stale() > 0 { all.stale_since() } else { exchange.call };
        let mut signal = Signal::new(LoopKind::Cycle, key);
        signal.count =
            u64::from(passes).max(u64::from(all.stale()).checked_div(period as u64)? + 1);
        signal.period = period as u32;
        signal.since = Some(exchange.since);
        signal.wasted = u64::from(all.stale()).max(signal.count - 1);
        for ago in (0..period - 1).rev() {
            signal.evidence.extend(all.back(ago + skipped).map(|before| before.index));
        }
        Some(signal)
    }
}

impl Pattern for StaleCycle {
    fn active(&self) -> bool {
        self.active
    }

    fn restart(&mut self) {
        self.active = false;
    }

    fn save(&self, out: &mut Writer) {
        out.flag(self.active);
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.active = from.flag();
        Some(())
    }
}
