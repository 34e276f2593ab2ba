//! Any call that stands several times among the last ones, in whatever order.
//!
//! The counts are kept up to date as calls enter and leave the window, so an
//! event costs two look-ups.

use super::{CallEvent, Pattern, Signal};
use crate::config::Config;
use crate::history::History;
use crate::snapshot::codec::{Reader, Writer};
use crate::table::Table;
use crate::verdict::LoopKind;

#[derive(Clone, Copy)]
struct Counted {
    times: u32,
    threshold: u32,
}

impl Counted {
    fn over(&self) -> bool {
        self.times >= self.threshold
    }
}

/// Counts every call in the window.
pub(super) struct WindowedRepeat {
    threshold: u32,
    window: usize,
    counts: Table<Counted>,
    /// How many different calls are at their threshold.
    over: usize,
}

impl WindowedRepeat {
    pub fn new(threshold: u32, window: u32) -> Self {
        Self { threshold, window: window as usize, counts: Table::new(), over: 0 }
    }

    pub fn on_call(&mut self, call: &CallEvent<'_>, history: &History) -> Option<Signal> {
        if let Some(left) = history.back(self.window) {
            self.leave(left.exact);
        }
        self.enter(call.fingerprint.exact, call.threshold);
        if self.active() { self.signal(history) } else { None }
    }

    /// Counts the history anew.
    pub fn recount(&mut self, history: &History, config: &Config) {
        self.restart();
        for ago in 0..self.window.min(history.len()) {
            if let Some(slot) = history.back(ago) {
                let own = config.tool(&slot.name).and_then(|tool| tool.threshold);
                self.enter(slot.exact, own);
            }
        }
    }

    fn enter(&mut self, key: u64, own_threshold: Option<u32>) {
        let threshold = own_threshold.unwrap_or(self.threshold);
        let mut counted = self.counts.get(key).unwrap_or(Counted { times: 0, threshold });
        let before = counted.over();
        counted.times = counted.times.saturating_add(1);
        self.over += usize::from(!before && counted.over());
        self.counts.set(key, counted);
    }

    fn leave(&mut self, key: u64) {
        let Some(mut counted) = self.counts.get(key) else { return };
        let before = counted.over();
        counted.times = counted.times.saturating_sub(1);
        self.over = self.over.saturating_sub(usize::from(before && !counted.over()));
        if counted.times == 0 {
            self.counts.remove(key);
        } else {
            self.counts.set(key, counted);
        }
    }

    /// The loop to report: that of the newest call which is at its threshold.
    fn signal(&self, history: &History) -> Option<Signal> {
        let mut key = None;
        let mut signal = Signal::new(LoopKind::WindowedRepeat, 0);
        for ago in 0..self.window.min(history.len()) {
            let Some(slot) = history.back(ago) else { break };
            let over = self.counts.get(slot.exact).is_some_and(|counted| counted.over());
            if over && key.is_none() {
                key = Some(slot.exact);
                // They are all the same call: one label is evidence enough.
                signal = Signal::new(LoopKind::WindowedRepeat, slot.exact);
                signal.evidence.push(slot.index);
            }
            if key == Some(slot.exact) {
                signal.count += 1;
                signal.since = Some(slot.index);
            }
        }
        key?;
        signal.period = 1;
        signal.wasted = signal.count - 1;
        Some(signal)
    }
}

impl Pattern for WindowedRepeat {
    fn active(&self) -> bool {
        self.over > 0
    }

    fn restart(&mut self) {
        self.counts.clear();
        self.over = 0;
    }

    // Everything follows from the history: see `recount`.
    fn save(&self, _: &mut Writer) {}

    fn load(&mut self, _: &mut Reader) -> Option<()> {
        Some(())
    }
}
