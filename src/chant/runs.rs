//! Stretches of text that repeat what was a fixed distance before them. A
//! stretch of nine times its distance is ten repeats of one unit.

use super::marks::Marks;
use super::symbol::{self, Symbol};
use super::window::{FARTHEST, REMEMBERED, SEQUENCE, Window};
use crate::codec::{Reader, Writer};

/// How many stretches are followed at a time. A unit that holds repeats of its
/// own has several.
const FOLLOWED: usize = 4;
/// A stretch this long is looked at closely: where did it really begin?
const LONG: u32 = 64;

/// A stretch that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Run {
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
    pub start: Marks,
    pub clean: Marks,
}

impl Run {
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

    fn numbers(&mut self) -> [&mut u32; 7] {
        [
            &mut self.distance,
            &mut self.first,
            &mut self.origin,
            &mut self.repeat,
            &mut self.changed,
            &mut self.carried,
            &mut self.skipped,
        ]
    }

    fn save(mut self, out: &mut Writer) {
        self.numbers().into_iter().for_each(|number| out.count((*number).into()));
        out.flag(self.settled);
        self.start.save(out);
        self.clean.save(out);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        let mut run = Self::default();
        for number in run.numbers() {
            *number = from.small()?;
        }
        run.settled = from.flag()?;
        run.start = Marks::load(from)?;
        run.clean = Marks::load(from)?;
        (run.distance <= FARTHEST).then_some(run)
    }
}

#[derive(Default)]
pub(super) struct Runs {
    followed: [Run; FOLLOWED],
    count: usize,
    /// What had gone by at the last symbol that repeats nothing.
    pub fresh: Marks,
    /// The longest distance needed since then.
    pub reach: u32,
    /// How many numbers changed since then.
    pub changed: u32,
    /// The place of the last symbol that ended a repeated sequence.
    matched: u32,
    /// The last run of several passes that ended since then; its `carried` holds
    /// its length.
    left: Run,
}

impl Runs {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    pub fn all(&self) -> &[Run] {
        self.followed.get(..self.count).unwrap_or_default()
    }

    /// The window has taken a symbol; `ago` tells how long ago its sequence was
    /// there last. Tells whether the symbol before the sequence was news.
    pub fn on_symbol(
        &mut self,
        window: &Window,
        symbol: Symbol,
        ago: Option<u32>,
        now: &Marks,
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
            self.follow(distance, place, now);
            nearest = nearest.min(distance);
        }
        if nearest != u32::MAX {
            self.matched = place;
            self.reach = self.reach.max(nearest);
            self.changed = self.changed.saturating_add(u32::from(changed));
            return false;
        }
        let news = place.wrapping_sub(self.matched) >= SEQUENCE;
        if news {
            self.fresh = *now;
            self.reach = 0;
            self.changed = 0;
            self.left.distance = 0;
        }
        news
    }

    /// Follows one more stretch, in place of the one that began last if there is
    /// no room.
    fn follow(&mut self, distance: u32, place: u32, now: &Marks) {
        let mut run = Run {
            distance,
            first: place.wrapping_sub(SEQUENCE - 1),
            start: *now,
            clean: *now,
            ..Run::default()
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

    pub fn save(&self, out: &mut Writer) {
        out.length(self.count);
        self.all().iter().for_each(|run| run.save(out));
        self.left.save(out);
        self.fresh.save(out);
        for value in [self.reach, self.changed, self.matched] {
            out.count(value.into());
        }
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut runs = Self { count: from.length(FOLLOWED)?, ..Self::default() };
        for run in runs.followed.iter_mut().take(runs.count) {
            *run = Run::load(from)?;
        }
        runs.left = Run::load(from)?;
        runs.fresh = Marks::load(from)?;
        runs.reach = from.small().filter(|reach| *reach < REMEMBERED)?;
        runs.changed = from.small()?;
        runs.matched = from.small()?;
        Some(runs)
    }
}
