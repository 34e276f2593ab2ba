//! Everything about a stream that is a number, and how it is judged.

use super::counters::Counters;
use super::describe::{CallEvent, Manner};
use super::judge::{run_is_loop, stale_is_loop};
use super::limits::Limits;
use super::low_novelty::LowNovelty;
use super::runs::{RepeatRun, Runs};
use super::shape::{Lines, Shape};
use super::symbol::{Class, LONGEST};
use super::{Visit, flag};

/// Characters that are one symbol together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Held {
    pub kind: u32,
    pub units: u32,
    pub digits: u32,
}

impl Held {
    pub const NOTHING: u32 = 0;
    pub const BLANKS: u32 = 1;
    pub const NUMBER: u32 = 2;
}

/// What a symbol counts for.
pub(super) struct Counts {
    pub class: Class,
    pub wide: bool,
    pub shape: Shape,
}

/// Everything about a stream that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct State {
    pub runs: Runs,
    pub lines: Lines,
    /// What the last character stood in.
    pub shape: Shape,
    /// Weights of the line so far that were taken for prose.
    pub undecided: u32,
    pub now: Counters,
    pub held: Held,
    /// The digits that come belong to a number that was too long to hold.
    pub long_number: bool,
    /// UTF-16 units so far.
    pub taken: u32,
    /// White space without anything else.
    pub blanks: u32,
    pub ramble: LowNovelty,
    /// The run that was found, for as long as it takes to describe it.
    pub found: RepeatRun,
    /// What was reported, and what is news since then.
    pub reported: Option<Manner>,
    pub news: u32,
}

/// So much news after a report, and the stream has found its way out.
const RECOVERED: u32 = 256;

/// How much of a line is looked back on when it turns out to be a table.
const UNDECIDED: u32 = 60;

impl State {
    #[inline(always)]
    pub fn judge(&mut self, news: bool, limits: &Limits) -> Option<CallEvent> {
        if news {
            if self.reported.is_some() {
                self.news += 1;
                if self.news >= RECOVERED {
                    self.reported = None;
                    self.ramble = LowNovelty::default();
                }
            }
            return None;
        }
        if self.reported == Some(Manner::Repeats) {
            return None;
        }
        let word = self.lines.word();
        for run in self.runs.all() {
            if run_is_loop(run, &self.now, word, limits) {
                self.found = *run;
                return self.report(CallEvent::RepeatRun);
            }
        }
        if stale_is_loop(&self.runs, &self.now, limits) {
            return self.report(CallEvent::Stale);
        }
        None
    }

    #[inline(always)]
    pub fn count(&mut self, units: u32, counts: &Counts) {
        let now = &mut self.now;
        let weight = match counts.class {
            Class::Digit => units,
            _ => 1 + u32::from(counts.wide),
        };
        now.raw = now.raw.wrapping_add(units);
        now.weight = now.weight.wrapping_add(weight);
        match counts.shape {
            Shape::Prose if self.lines.in_blob() => now.blob = now.blob.wrapping_add(weight),
            Shape::Prose => self.undecided = (self.undecided + weight).min(UNDECIDED),
            Shape::Shaped => {
                // What the line began with belongs to the table it turned out to be.
                now.shaped = now.shaped.wrapping_add(weight).wrapping_add(self.undecided);
                self.undecided = 0;
            }
            Shape::Code => {
                now.shaped = now.shaped.wrapping_add(weight);
                now.code = now.code.wrapping_add(weight);
            }
        }
        match counts.class {
            Class::Letter => {
                now.letters = now.letters.wrapping_add(weight);
                now.halves = now.halves.wrapping_add(u32::from(counts.wide));
            }
            Class::Digit => now.numbers = now.numbers.wrapping_add(weight),
            Class::Blank => now.halves = now.halves.wrapping_add(2),
            Class::Mark => {}
        }
    }

    /// Notes what was found, unless it is known already.
    pub fn report(&mut self, seen: CallEvent) -> Option<CallEvent> {
        let manner = seen.manner();
        if self.reported.is_some_and(|known| known == Manner::Repeats || manner == known) {
            return None;
        }
        self.reported = Some(manner);
        self.news = 0;
        Some(seen)
    }

    pub fn each(&mut self, visit: Visit<'_>) {
        self.runs.each(visit);
        self.lines.each(visit);
        self.now.each(visit);
        self.ramble.each(visit);
        visit(&mut self.held.kind);
        visit(&mut self.held.units);
        visit(&mut self.held.digits);
        self.held.units = self.held.units.min(LONGEST);
        flag(&mut self.long_number, visit);
        visit(&mut self.undecided);
        self.undecided = self.undecided.min(UNDECIDED);
        visit(&mut self.taken);
        visit(&mut self.blanks);
        visit(&mut self.news);
        self.news = self.news.min(RECOVERED);
        let mut reported = self.reported.map_or(0, |manner| manner as u32 + 1);
        visit(&mut reported);
        self.reported = match reported {
            0 => None,
            1 => Some(Manner::Repeats),
            _ => Some(Manner::Rambles),
        };
    }
}
