//! Stretches of text that repeat what was a fixed distance before them. A
//! stretch of nine times its distance is ten repeats of one unit.

use super::counters::Counters;
use super::symbol::{self, Symbol};
use super::window::{SEQUENCE, Window};
use super::{Visit, flag};

/// How many stretches are followed at a time. A unit that holds repeats of its
/// own has several.
const FOLLOWED: usize = 4;
/// A stretch this long is looked at closely: where did it really begin?
const LONG: u32 = 64;

/// A stretch that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RepeatRun {
    /// How many symbols lie between a symbol and the one it repeats.
    pub distance: u32,
    /// The place of its first symbol; exact once the run is settled.
    pub first: u32,
    /// Where in the text the repeated unit began, and where its first repeat did.
    pub origin: u32,
    pub repeat: u32,
    pub settled: bool,
    /// The length of earlier stretches of the same distance, if all that lies
    /// between is repeated as well: a unit that was cut short once goes on.
    pub carried: u32,
    /// So many symbols at its start end a sentence before the unit.
    pub skipped: u32,
    /// How many numbers in it are other ones than those they repeat.
    pub changed: u32,
    /// What had gone by when the run was noticed, and at the last changed number.
    pub start: Counters,
    pub clean: Counters,
}

impl RepeatRun {
    /// Finds out where the run began, while that is still remembered. A unit that
    /// is said to begin with the end of the sentence before it would read oddly.
    pub fn settle(&mut self, window: &Window) {
        if self.settled {
            return;
        }
        self.settled = true;
        self.first = window.begin(self.first, self.distance);
        let origin = self.first.saturating_sub(self.distance);
        while self.skipped < 4
            && self.distance >= SEQUENCE
            && symbol::is_closing(window.at(origin.wrapping_add(self.skipped)))
        {
            self.skipped += 1;
        }
        self.origin = window.raw_at(origin.wrapping_add(self.skipped));
        self.repeat = window.raw_at(self.first.wrapping_add(self.skipped));
    }

    fn each(&mut self, visit: Visit<'_>) {
        visit(&mut self.distance);
        visit(&mut self.first);
        visit(&mut self.origin);
        visit(&mut self.repeat);
        visit(&mut self.changed);
        visit(&mut self.carried);
        visit(&mut self.skipped);
        flag(&mut self.settled, visit);
        self.start.each(visit);
        self.clean.each(visit);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Runs {
    followed: [RepeatRun; FOLLOWED],
    count: usize,
    /// What had gone by when symbols stopped being news.
    pub fresh: Counters,
    /// The last symbol was news.
    news: bool,
    /// The longest distance needed since then.
    pub reach: u32,
    /// How many numbers changed since then.
    pub changed: u32,
    /// The place of the last symbol that ended a repeated sequence.
    matched: u32,
    /// The last run of several passes that ended since then; its `carried` holds
    /// its length.
    left: RepeatRun,
}

impl Runs {
    pub fn all(&self) -> &[RepeatRun] {
        self.followed.get(..self.count).unwrap_or_default()
    }

    /// The window has taken a symbol; `ago` tells how long ago its sequence was
    /// there last. Tells whether the symbol before the sequence was news.
    pub fn on_symbol(
        &mut self,
        window: &Window,
        symbol: Symbol,
        ago: Option<u32>,
        now: &Counters,
    ) -> bool {
        let place = window.count().wrapping_sub(1);
        let mut nearest = u32::MAX;
        let mut changed = false;
        let mut known = false;
        let mut at = 0;
        while at < self.count {
            let Some(run) = self.followed.get_mut(at) else { break };
            let other = window.at(place.wrapping_sub(run.distance));
            if !symbol::alike(symbol, other) {
                let length = place.wrapping_sub(run.first);
                if length >= run.distance.saturating_mul(2) {
                    run.settle(window);
                    run.carried = run.carried.saturating_add(length);
                    self.left = *run;
                }
                self.count -= 1;
                let last = self.followed.get(self.count).copied().unwrap_or_default();
                if let Some(run) = self.followed.get_mut(at) {
                    *run = last;
                }
                continue;
            }
            let differs = symbol::other_number(symbol, other);
            if differs {
                run.changed = run.changed.saturating_add(1);
                run.clean = *now;
            }
            if !run.settled && place.wrapping_sub(run.start.place) >= LONG {
                run.settle(window);
            }
            if run.distance < nearest {
                nearest = run.distance;
                changed = differs;
            }
            known |= Some(run.distance) == ago;
            at += 1;
        }
        if let Some(distance) = ago.filter(|_| !known) {
            if self.news {
                self.left.distance = 0;
            }
            self.follow(distance, place, now);
            nearest = nearest.min(distance);
        }
        if nearest == u32::MAX {
            self.news = place.wrapping_sub(self.matched) >= SEQUENCE;
            return self.news;
        }
        if self.news {
            self.news = false;
            self.fresh = *now;
            self.reach = 0;
            self.changed = 0;
        }
        self.matched = place;
        self.reach = self.reach.max(nearest);
        self.changed = self.changed.saturating_add(u32::from(changed));
        false
    }

    /// Follows one more stretch, in place of the one that began last if there is
    /// no room.
    fn follow(&mut self, distance: u32, place: u32, now: &Counters) {
        let mut run = RepeatRun {
            distance,
            first: place.wrapping_sub(SEQUENCE - 1),
            start: *now,
            clean: *now,
            ..RepeatRun::default()
        };
        if self.left.distance == distance {
            run.carried = self.left.carried;
            run.changed = self.left.changed;
            run.settled = true;
            run.origin = self.left.origin;
            run.repeat = self.left.repeat;
        }
        let at = if self.count < FOLLOWED {
            self.count += 1;
            self.count - 1
        } else {
            self.youngest()
        };
        if let Some(slot) = self.followed.get_mut(at) {
            *slot = run;
        }
    }

    fn youngest(&self) -> usize {
        let mut best = 0;
        let mut latest = 0;
        for (at, run) in self.followed.iter().enumerate() {
            if run.first >= latest {
                latest = run.first;
                best = at;
            }
        }
        best
    }

    pub fn each(&mut self, visit: Visit<'_>) {
        let mut count = self.count as u32;
        visit(&mut count);
        self.count = FOLLOWED.min(count as usize);
        for run in self.followed.iter_mut().take(self.count) {
            run.each(visit);
        }
        self.left.each(visit);
        self.fresh.each(visit);
        flag(&mut self.news, visit);
        visit(&mut self.reach);
        visit(&mut self.changed);
        visit(&mut self.matched);
    }
}
