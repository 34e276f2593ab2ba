//! One stream of text: what is remembered of it, and what is found in it.

use super::judge::{run_is_loop, stale_is_loop};
use super::limits::Limits;
use super::marks::Marks;
use super::ramble::Ramble;
use super::runs::{Run, Runs};
use super::shape::{Lines, Shape};
use super::symbol::{self, Class, LONGEST, Symbol};
use super::tail::{self, Tail};
use super::window::Window;
use crate::codec::{Reader, Writer};
use alloc::string::String;

/// What kind of text loop it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// One unit over and over.
    Repeats,
    /// The same words in ever other sentences.
    Rambles,
}

/// A loop in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub manner: Manner,
    /// Where in the stream the loop began, in UTF-16 units.
    pub since: u64,
    /// The repeated unit, short.
    pub unit: String,
    pub repeats: u64,
    /// UTF-16 units beyond the first occurrence.
    pub wasted: u64,
}

/// Characters that are one symbol together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Held {
    kind: u32,
    units: u32,
    digits: u32,
}

impl Held {
    const NOTHING: u32 = 0;
    const BLANKS: u32 = 1;
    const NUMBER: u32 = 2;
}

/// What a symbol counts for.
struct Counts {
    class: Class,
    wide: bool,
    shape: Shape,
}

pub(super) struct Stream {
    window: Window,
    runs: Runs,
    lines: Lines,
    /// What the last character stood in.
    shape: Shape,
    /// Weights of the line so far that were taken for prose.
    undecided: u32,
    now: Marks,
    held: Held,
    /// The digits that come belong to a number that was too long to hold.
    long_number: bool,
    /// UTF-16 units so far.
    taken: u32,
    /// White space without anything else.
    blanks: u32,
    ramble: Ramble,
    tail: Tail,
    /// A loop was reported; what is news since then.
    reported: Option<Manner>,
    news: u32,
}

/// So much news after a report, and the stream has found its way out.
const RECOVERED: u32 = 256;

/// How much of a line is looked back on when it turns out to be a table.
const UNDECIDED: u32 = 60;

impl Stream {
    pub fn new() -> Self {
        Self {
            window: Window::new(),
            runs: Runs::default(),
            lines: Lines::default(),
            shape: Shape::Prose,
            undecided: 0,
            now: Marks::default(),
            held: Held::default(),
            long_number: false,
            taken: 0,
            blanks: 0,
            ramble: Ramble::new(),
            tail: Tail::default(),
            reported: None,
            news: 0,
        }
    }

    pub fn clear(&mut self) {
        self.window.clear();
        self.runs.clear();
        self.lines = Lines::default();
        self.shape = Shape::Prose;
        self.undecided = 0;
        self.now = Marks::default();
        self.held = Held::default();
        self.long_number = false;
        self.taken = 0;
        self.blanks = 0;
        self.ramble.clear();
        self.tail.clear();
        self.reported = None;
        self.news = 0;
    }

    pub fn looping(&self) -> bool {
        self.reported.is_some()
    }

    /// Takes the next piece of text; tells the hardest loop found in it.
    pub fn push(&mut self, chunk: &str, limits: &Limits) -> Option<Found> {
        let mut found: Option<Found> = None;
        for (at, c) in chunk.char_indices() {
            let Some(seen) = self.take(c, limits) else { continue };
            let seen = self.describe(seen, chunk.get(..at).unwrap_or_default(), c);
            if found.as_ref().is_none_or(|known| known.manner == Manner::Rambles) {
                found = Some(seen);
            }
        }
        self.tail.push(chunk);
        found
    }

    #[inline(always)]
    fn take(&mut self, c: char, limits: &Limits) -> Option<Seen> {
        let class = symbol::class(c);
        let before = self.shape;
        let shape = self.lines.take(c, class);
        self.shape = shape;
        if c == '\n' {
            self.undecided = 0;
        }
        let wide = symbol::is_wide(c);
        let units = c.len_utf16() as u32;
        self.taken = self.taken.wrapping_add(units);
        let mut seen = None;
        if self.ramble.take(c, class, before, wide, &self.now) {
            seen = self.report(Seen::Ramble);
        }
        let kind = match class {
            Class::Blank => Held::BLANKS,
            Class::Digit => Held::NUMBER,
            _ => Held::NOTHING,
        };
        if self.held.units > 0 && (self.held.kind != kind || self.held.units + units > LONGEST) {
            seen = self.release(before, limits).or(seen);
        }
        if class == Class::Blank {
            self.blanks = self.blanks.saturating_add(units);
            if self.blanks == limits.blank {
                seen = self.report(Seen::Blanks).or(seen);
            }
        } else {
            self.blanks = 0;
        }
        if kind == Held::NOTHING || (kind == Held::NUMBER && self.long_number) {
            // In a long number each digit counts: it is data.
            self.long_number &= kind == Held::NUMBER;
            let counts = Counts { class, wide, shape };
            return self.symbol(symbol::of_char(c), units, &counts, limits).or(seen);
        }
        self.long_number = false;
        self.held.kind = kind;
        self.held.units += units;
        self.held.digits = self.held.digits.wrapping_mul(31).wrapping_add(c as u32);
        seen
    }

    /// What was held back is complete: one symbol.
    fn release(&mut self, shape: Shape, limits: &Limits) -> Option<Seen> {
        let Held { kind, units, digits } = self.held;
        self.held = Held::default();
        let number = kind == Held::NUMBER;
        self.long_number = number && units == LONGEST;
        let (symbol, class) = if number {
            (symbol::of_number(digits, units), Class::Digit)
        } else {
            (symbol::of_blanks(units), Class::Blank)
        };
        self.symbol(symbol, units, &Counts { class, wide: false, shape }, limits)
    }

    #[inline(always)]
    fn symbol(
        &mut self,
        symbol: Symbol,
        units: u32,
        counts: &Counts,
        limits: &Limits,
    ) -> Option<Seen> {
        let ago = self.window.push(symbol, self.now.raw);
        self.count(units, counts);
        let news = self.runs.on_symbol(&self.window, symbol, ago, &self.now);
        if news && self.reported.is_some() {
            self.news += 1;
            if self.news >= RECOVERED {
                self.reported = None;
            }
        }
        if self.reported == Some(Manner::Repeats) {
            return None;
        }
        let word = self.lines.word();
        for run in self.runs.all() {
            if run_is_loop(run, &self.now, word, limits) {
                let run = *run;
                return self.report(Seen::Run(run));
            }
        }
        if stale_is_loop(&self.runs, &self.now, limits) {
            return self.report(Seen::Stale);
        }
        None
    }

    fn count(&mut self, units: u32, counts: &Counts) {
        let now = &mut self.now;
        let weight = match counts.class {
            Class::Digit => units,
            _ => 1 + u32::from(counts.wide),
        };
        now.place = self.window.count();
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
    fn report(&mut self, seen: Seen) -> Option<Seen> {
        let manner = seen.manner();
        if self.reported.is_some_and(|known| known == Manner::Repeats || manner == known) {
            return None;
        }
        self.reported = Some(manner);
        self.news = 0;
        Some(seen)
    }

    /// What is told about a loop, found after the chunk so far and the character.
    fn describe(&self, seen: Seen, chunk: &str, c: char) -> Found {
        let text = self.tail.with(chunk, c);
        let (since, repeat, repeats, ago, units) = match seen {
            Seen::Run(run) => self.describe_run(run),
            Seen::Stale => {
                let reach = self.runs.reach.max(1);
                let fresh = &self.runs.fresh;
                let repeats = self.now.place.wrapping_sub(fresh.place) / reach + 1;
                let since = self.window.raw_at(fresh.place.saturating_sub(reach));
                (since, fresh.raw, repeats, 0, u32::MAX)
            }
            Seen::Blanks => (self.taken.wrapping_sub(self.blanks), self.taken.wrapping_sub(self.blanks), self.blanks, 0, 1),
            Seen::Ramble => (self.ramble.since(), self.ramble.since(), Ramble::times(), 0, u32::MAX),
        };
        Found {
            manner: seen.manner(),
            since: since.into(),
            unit: tail::shown(&text, ago, units),
            repeats: repeats.into(),
            wasted: self.taken.wrapping_sub(repeat).into(),
        }
    }

    fn describe_run(&self, mut run: Run) -> (u32, u32, u32, u32, u32) {
        run.settle(&self.window);
        let length = self.now.place.wrapping_sub(run.first);
        let repeats = length.saturating_add(run.carried) / run.distance.max(1) + 1;
        // The last whole unit, as it would be cut from where the loop began.
        let passed = length.saturating_sub(run.skipped) % run.distance.max(1);
        let end = self.now.place.wrapping_sub(passed);
        let ended = self.window.raw_at(end);
        let began = self.window.raw_at(end.saturating_sub(run.distance));
        (run.origin, run.repeat, repeats, self.taken.wrapping_sub(ended), ended.wrapping_sub(began))
    }

    pub fn save(&self, out: &mut Writer) {
        self.window.save(out);
        self.runs.save(out);
        self.lines.save(out);
        self.now.save(out);
        let Held { kind, units, digits } = self.held;
        for value in [kind, units, digits, self.blanks, self.taken, self.news, self.undecided] {
            out.count(value.into());
        }
        out.flag(self.long_number);
        out.count(self.reported.map_or(0, |manner| manner as u64 + 1));
        self.ramble.save(out);
        self.tail.save(out);
    }

    /// Reads what [`Stream::save`] wrote into a stream that is clear.
    pub fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.window.load(from)?;
        self.runs = Runs::load(from)?;
        self.lines = Lines::load(from)?;
        self.shape = self.lines.shape();
        self.now = Marks::load(from)?;
        let mut held = Held::default();
        let Held { kind, units, digits } = &mut held;
        let Self { blanks, taken, news, undecided, .. } = self;
        for value in [kind, units, digits, blanks, taken, news, undecided] {
            *value = from.small()?;
        }
        self.held = held;
        self.long_number = from.flag()?;
        self.reported = match from.small()? {
            0 => None,
            1 => Some(Manner::Repeats),
            2 => Some(Manner::Rambles),
            _ => return None,
        };
        self.ramble = Ramble::load(from)?;
        self.tail = Tail::load(from)?;
        let whole = self.now.place == self.window.count() && self.held.units <= LONGEST;
        whole.then_some(())
    }
}

/// What was found, before it is described.
enum Seen {
    /// One unit repeats.
    Run(Run),
    /// Nothing is new, but no single unit repeats.
    Stale,
    /// Nothing but white space.
    Blanks,
    /// No new words.
    Ramble,
}

impl Seen {
    fn manner(&self) -> Manner {
        if matches!(self, Seen::Ramble) { Manner::Rambles } else { Manner::Repeats }
    }
}
