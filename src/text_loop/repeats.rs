//! Tracks runs: stretches of text that repeat the text a fixed distance before them. A run
//! of nine times its distance is ten repeats of one unit.

use super::counters::Counters;
use super::counting::Counting;
use super::symbol::{self, Symbol};
use super::window::{MAX_DISTANCE, SEQUENCE, Window};
use serde::{Deserialize, Serialize};

/// How many runs are tracked at a time. A unit that contains repeats itself needs several.
const MAX_RUNS: usize = 4;
/// After this many symbols, it is worth finding out where a run actually began.
const LOCATE_AFTER: u32 = 64;
/// How many closing symbols may be skipped at the start of a unit.
const MAX_SKIPPED: u32 = 4;

/// Symbols in a row that each repeat the symbol a fixed distance before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct RepeatRun {
    /// How many symbols lie between a symbol and the one it repeats: the length of the
    /// unit. 0 if this is not a run.
    pub distance: u32,
    /// The place of its first symbol; exact once it is located.
    pub first: u32,
    /// Where in the text the repeated unit began, once that is located.
    pub unit_start: u32,
    /// Where in the text its first repeat began, once that is located.
    pub repeat_start: u32,
    pub is_located: bool,
    /// The length of earlier runs at the same distance, if everything in between is
    /// repeated as well: a unit that was cut short once continues.
    pub earlier_length: u32,
    /// How many symbols at its start belong to the end of the sentence before the unit.
    pub skipped: u32,
    /// How its numbers change.
    pub counting: Counting,
    /// The counters when the run was noticed.
    pub at_start: Counters,
    /// The counters at the last changed number.
    pub at_last_change: Counters,
}

impl RepeatRun {
    /// Finds out where the run began, while that is still remembered. A unit should
    /// not be shown with the end of the sentence before it, so that is skipped.
    pub fn locate(&mut self, window: &Window) {
        if self.is_located {
            return;
        }
        self.is_located = true;
        self.first = window.run_start(self.first, self.distance);
        let unit = self.first.saturating_sub(self.distance);
        while self.skipped < MAX_SKIPPED
            && self.distance >= SEQUENCE
            && symbol::is_closing(window.at(unit.wrapping_add(self.skipped)))
        {
            self.skipped += 1;
        }
        self.unit_start = window.position(unit.wrapping_add(self.skipped));
        self.repeat_start = window.position(self.first.wrapping_add(self.skipped));
    }

    /// Returns whether a run loaded from a snapshot is possible.
    fn is_valid(&self, now: &Counters) -> bool {
        self.distance <= MAX_DISTANCE
            && self.first <= now.symbols
            && self.unit_start <= now.units
            && self.repeat_start <= now.units
            && self.earlier_length <= now.symbols
            && self.skipped <= MAX_SKIPPED
            && self.counting.is_valid(now.symbols)
            && self.at_start.is_before(now)
            && self.at_last_change.is_before(now)
    }
}

/// The runs that are going on right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Repeats {
    runs: [RepeatRun; MAX_RUNS],
    count: usize,
    /// The counters when text was last new. Everything since then is stale: it repeats
    /// earlier text, at whatever distance.
    pub stale_since: Counters,
    /// Whether the last symbol was new.
    is_new: bool,
    /// The longest distance needed since then.
    pub max_distance: u32,
    /// How numbers changed since then.
    pub counting: Counting,
    /// The place of the last symbol that ended a repeated sequence.
    last_match: u32,
    /// The last run of several passes that ended since then; its `earlier_length`
    /// includes its own.
    last_ended: RepeatRun,
}

impl Repeats {
    /// Returns the runs that are going on.
    pub fn runs(&self) -> &[RepeatRun] {
        self.runs.get(..self.count).unwrap_or_default()
    }

    /// Returns whether the numbers in the text count, in one run or at changing distances.
    pub fn is_counting(&self) -> bool {
        let place = self.last_match;
        let is_stale_counting = !self.is_new && {
            let length = place.wrapping_sub(self.stale_since.symbols);
            self.counting.is_established(place, self.max_distance, length)
        };
        is_stale_counting
            || self.runs().iter().any(|run| {
                let length = place.wrapping_sub(run.first);
                run.counting.is_established(place, run.distance, length)
            })
    }

    /// Handles a word that is new: if it does not repeat other text either, the stale text
    /// ends here.
    pub fn on_new_word(&mut self, now: &Counters) {
        if !self.is_new && self.last_match.wrapping_add(1) != now.symbols {
            self.restart_stale(now.symbols, now);
        }
    }

    fn restart_stale(&mut self, place: u32, now: &Counters) {
        self.stale_since = *now;
        self.max_distance = 0;
        self.counting = Counting::since(place);
    }

    /// Handles the last symbol added to the window. `distance` is how far back its sequence
    /// was seen. Returns whether the text is new here, that is, no repeat ended within the
    /// last sequence.
    pub fn on_symbol(
        &mut self,
        window: &Window,
        symbol: Symbol,
        distance: Option<u32>,
        now: &Counters,
    ) -> bool {
        let place = window.count().wrapping_sub(1);
        let mut nearest = u32::MAX;
        let mut step = 0;
        let mut is_known = false;
        let mut at = 0;
        while at < self.count {
            let Some(run) = self.runs.get_mut(at) else { break };
            let other = window.at(place.wrapping_sub(run.distance));
            if !symbol::are_alike(symbol, other) {
                let length = place.wrapping_sub(run.first);
                if length >= run.distance.saturating_mul(2) {
                    run.locate(window);
                    run.earlier_length = run.earlier_length.saturating_add(length);
                    self.last_ended = *run;
                }
                self.count -= 1;
                let last = self.runs.get(self.count).copied().unwrap_or_default();
                if let Some(run) = self.runs.get_mut(at) {
                    *run = last;
                }
                continue;
            }
            let mut own_step = 0;
            if symbol::is_changed_number(symbol, other) {
                own_step = symbol::step(other, symbol);
                run.counting.on_change(own_step, place, run.distance);
                run.at_last_change = *now;
            }
            if !run.is_located && place.wrapping_sub(run.at_start.symbols) >= LOCATE_AFTER {
                run.locate(window);
            }
            if run.distance < nearest {
                nearest = run.distance;
                step = own_step;
            }
            is_known |= Some(run.distance) == distance;
            at += 1;
        }
        if let Some(distance) = distance.filter(|_| !is_known) {
            if self.is_new {
                self.last_ended.distance = 0;
            }
            self.track(distance, place, now);
            nearest = nearest.min(distance);
        }
        if nearest == u32::MAX {
            self.is_new = place.wrapping_sub(self.last_match) >= SEQUENCE;
            return self.is_new;
        }
        if self.is_new {
            self.is_new = false;
            self.restart_stale(place, now);
        }
        self.last_match = place;
        self.max_distance = self.max_distance.max(nearest);
        if step != 0 {
            self.counting.on_change(step, place, self.max_distance);
        }
        false
    }

    /// Starts tracking a run; if there are too many, it replaces the youngest.
    fn track(&mut self, distance: u32, place: u32, now: &Counters) {
        let mut run = RepeatRun {
            distance,
            first: place.wrapping_sub(SEQUENCE - 1),
            counting: Counting::since(place),
            at_start: *now,
            at_last_change: *now,
            ..RepeatRun::default()
        };
        if self.last_ended.distance == distance {
            run.earlier_length = self.last_ended.earlier_length;
            run.counting = self.last_ended.counting.resumed(place);
            run.is_located = true;
            run.unit_start = self.last_ended.unit_start;
            run.repeat_start = self.last_ended.repeat_start;
        }
        let at = if self.count < MAX_RUNS {
            self.count += 1;
            self.count - 1
        } else {
            self.youngest()
        };
        if let Some(slot) = self.runs.get_mut(at) {
            *slot = run;
        }
    }

    fn youngest(&self) -> usize {
        let mut youngest = 0;
        let mut latest = 0;
        for (at, run) in self.runs.iter().enumerate() {
            if run.first >= latest {
                latest = run.first;
                youngest = at;
            }
        }
        youngest
    }

    /// Returns whether runs loaded from a snapshot are possible.
    pub fn is_valid(&self, now: &Counters) -> bool {
        self.count <= MAX_RUNS
            && self.runs().iter().all(|run| run.distance > 0)
            && self.runs.iter().all(|run| run.is_valid(now))
            && self.last_ended.is_valid(now)
            && self.stale_since.is_before(now)
            && self.max_distance <= MAX_DISTANCE
            && self.counting.is_valid(now.symbols)
            && self.last_match <= now.symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid() -> (Repeats, Counters) {
        let now = Counters { symbols: 100, units: 200, weight: 100, ..Counters::default() };
        let run = RepeatRun { distance: 9, first: 50, ..RepeatRun::default() };
        let mut repeats = Repeats { count: 1, ..Repeats::default() };
        repeats.runs[0] = run;
        (repeats, now)
    }

    #[test]
    fn impossible_state_is_refused() {
        let (repeats, now) = valid();
        assert!(repeats.is_valid(&now));
        let changes: [fn(&mut Repeats); 18] = [
            |repeats| repeats.count = MAX_RUNS + 1,
            |repeats| repeats.count = 2,
            |repeats| repeats.runs[0].distance = 0,
            |repeats| repeats.runs[0].distance = MAX_DISTANCE + 1,
            |repeats| repeats.runs[0].first = 101,
            |repeats| repeats.runs[0].unit_start = 201,
            |repeats| repeats.runs[0].repeat_start = 201,
            |repeats| repeats.runs[0].earlier_length = 101,
            |repeats| repeats.runs[0].skipped = MAX_SKIPPED + 1,
            |repeats| repeats.runs[0].counting = Counting::since(101),
            |repeats| repeats.runs[0].at_start.weight = 101,
            |repeats| repeats.runs[0].at_last_change.lines = 1,
            |repeats| repeats.runs[3].first = 101,
            |repeats| repeats.last_ended.distance = MAX_DISTANCE + 1,
            |repeats| repeats.stale_since.symbols = 101,
            |repeats| repeats.max_distance = MAX_DISTANCE + 1,
            |repeats| repeats.counting = Counting::since(101),
            |repeats| repeats.last_match = 101,
        ];
        for (number, change) in changes.iter().enumerate() {
            let (mut repeats, now) = valid();
            change(&mut repeats);
            assert!(!repeats.is_valid(&now), "{number}");
        }
    }
}
