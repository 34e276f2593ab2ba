//! Any call made several times among the last calls, in whatever order; with results, any
//! call that returned the same result several times.
//!
//! The counts are kept up to date as calls enter and leave the window, so an
//! event costs two look-ups.

use super::{CallEvent, Memory, Pattern, Progress, ResultEvent, Signal};
use crate::config::{Config, Rule};
use crate::history::CallLog;
use crate::verdict::LoopKind;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

struct Counted {
    /// The call's identity, also used as its hash in the table.
    call: u64,
    times: u32,
    threshold: u32,
}

impl Counted {
    fn is_loop(&self) -> bool {
        self.times >= self.threshold
    }
}

/// Counts every call in the window.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct WindowedRepeat {
    #[serde(skip)]
    threshold: u32,
    #[serde(skip)]
    window: usize,
    /// How many times each call is in the window. Not saved: it is recomputed from the log.
    #[serde(skip)]
    counts: HashTable<Counted>,
    /// How many different calls have reached their threshold.
    #[serde(skip)]
    loops: usize,
    /// The calls that have a result, each with it, if results are compared.
    answered: Option<CallLog>,
}

impl WindowedRepeat {
    fn enter(&mut self, call: u64, own_threshold: Option<u32>) {
        let threshold = own_threshold.unwrap_or(self.threshold);
        let mut entry = self
            .counts
            .entry(call, |counted| counted.call == call, |counted| counted.call)
            .or_insert_with(|| Counted { call, times: 0, threshold });
        let counted = entry.get_mut();
        let was_loop = counted.is_loop();
        counted.times = counted.times.saturating_add(1);
        self.loops += usize::from(!was_loop && counted.is_loop());
    }

    fn leave(&mut self, call: u64) {
        let Ok(mut entry) = self.counts.find_entry(call, |counted| counted.call == call) else {
            return;
        };
        let counted = entry.get_mut();
        let was_loop = counted.is_loop();
        counted.times = counted.times.saturating_sub(1);
        self.loops = self.loops.saturating_sub(usize::from(was_loop && !counted.is_loop()));
        if counted.times == 0 {
            entry.remove();
        }
    }

    fn is_loop(&self, call: u64) -> bool {
        let counted = self.counts.find(call, |counted| counted.call == call);
        counted.is_some_and(Counted::is_loop)
    }

    /// Counts the newest call of the log.
    fn count_newest(&mut self, log: &CallLog, own_threshold: Option<u32>) -> Option<Signal> {
        let newest = log.back(0)?.exact;
        if let Some(left) = log.back(self.window) {
            self.leave(left.exact);
        }
        self.enter(newest, own_threshold);
        if self.is_active() { self.signal(log) } else { None }
    }

    /// Makes the signal about the newest call that has reached its threshold.
    fn signal(&self, log: &CallLog) -> Option<Signal> {
        let mut found: Option<(u64, Signal)> = None;
        for ago in 0..self.window.min(log.len()) {
            let Some(call) = log.back(ago) else { break };
            if found.is_none() && self.is_loop(call.exact) {
                let mut signal = Signal::new(Self::KIND, call.exact);
                signal.period = 1;
                // They are all the same call: one label is enough.
                signal.calls.push(call.index);
                found = Some((call.exact, signal));
            }
            if let Some((key, signal)) = &mut found
                && *key == call.exact
            {
                signal.count += 1;
                signal.since = Some(call.index);
                signal.wasted = signal.count - 1;
            }
        }
        found.map(|(_, signal)| signal)
    }

    fn clear_counts(&mut self) {
        self.counts.clear();
        self.loops = 0;
    }
}

impl Pattern for WindowedRepeat {
    const KIND: LoopKind = LoopKind::WindowedRepeat;
    const REPEATS_CALLS: bool = true;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.threshold = rule.threshold;
        self.window = config.window as usize;
        if rule.results && self.answered.is_none() {
            self.answered = Some(CallLog::new(self.window + 1));
        }
    }

    fn on_call(&mut self, call: &CallEvent<'_>, memory: &Memory<'_>) -> Option<Signal> {
        match self.answered {
            Some(_) => None,
            None => self.count_newest(memory.calls, call.threshold),
        }
    }

    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let key = result.call_and_result()?;
        let mut log = self.answered.take()?;
        log.push(result.index, key, "", "");
        let signal = self.count_newest(&log, None);
        self.answered = Some(log);
        signal
    }

    fn is_active(&self) -> bool {
        self.loops > 0
    }

    fn progress(&self) -> Progress {
        let counts =
            self.counts.iter().map(|counted| Progress::new(counted.times, counted.threshold));
        counts.fold(Progress::new(0u64, self.threshold), Progress::closer)
    }

    fn reset(&mut self) {
        self.clear_counts();
        if let Some(log) = &mut self.answered {
            log.clear();
        }
    }

    /// Recounts the log with the current thresholds.
    fn restore(&mut self, memory: &Memory<'_>, config: &Config) -> bool {
        self.clear_counts();
        let mut answered = self.answered.take();
        let is_valid = match &mut answered {
            Some(log) => config.result_aware(Self::KIND) && log.restore(self.window + 1, None),
            None => !config.result_aware(Self::KIND),
        };
        let log = answered.as_ref().unwrap_or(memory.calls);
        for ago in 0..self.window.min(log.len()) {
            if let Some(call) = log.back(ago) {
                let own = config.tool(&call.name).and_then(|tool| tool.threshold);
                self.enter(call.exact, own);
            }
        }
        self.answered = answered;
        is_valid
    }
}
