//! One stream of text: what is remembered of it, and what is found in it.

use super::describe::{Found, Manner, Seen};
use super::judge::{run_is_loop, stale_is_loop};
use super::limits::Limits;
use super::marks::Marks;
use super::ramble::{NO_WORDS, Ramble, Vocabulary};
use super::runs::{Run, Runs};
use super::shape::{Lines, Shape};
use super::symbol::{self, Class, LONGEST, Symbol};
use super::tail::Tail;
use super::window::Window;
use super::{Visit, flag};
use crate::codec::{Reader, Writer};

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
    pub window: Window,
    vocabulary: Vocabulary,
    pub tail: Tail,
    pub state: State,
}

/// Everything about a stream that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct State {
    pub runs: Runs,
    lines: Lines,
    /// What the last character stood in.
    shape: Shape,
    /// Weights of the line so far that were taken for prose.
    undecided: u32,
    pub now: Marks,
    held: Held,
    /// The digits that come belong to a number that was too long to hold.
    long_number: bool,
    /// UTF-16 units so far.
    pub taken: u32,
    /// White space without anything else.
    pub blanks: u32,
    pub ramble: Ramble,
    /// The run that was found, for as long as it takes to describe it.
    pub found: Run,
    /// What was reported, and what is news since then.
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
            vocabulary: NO_WORDS,
            tail: Tail::default(),
            state: State::default(),
        }
    }

    pub fn clear(&mut self) {
        self.window.clear();
        self.vocabulary = NO_WORDS;
        self.tail.clear();
        self.state = State::default();
    }

    pub fn looping(&self) -> bool {
        self.state.reported.is_some()
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
        let state = &mut self.state;
        let before = state.shape;
        let shape = state.lines.take(c, class);
        state.shape = shape;
        if c == '\n' {
            state.undecided = 0;
            state.now.lines = state.now.lines.wrapping_add(1);
        }
        let wide = symbol::is_wide(c);
        let units = c.len_utf16() as u32;
        state.taken = state.taken.wrapping_add(units);
        let mut seen = None;
        let word = state.ramble.take(c, class, wide);
        if word != 0
            && before == Shape::Prose
            && state.ramble.end(word, &mut self.vocabulary, state.now.raw)
        {
            seen = state.report(Seen::Ramble);
        }
        let kind = match class {
            Class::Blank => Held::BLANKS,
            Class::Digit => Held::NUMBER,
            _ => Held::NOTHING,
        };
        let held = state.held;
        if held.units > 0 && (held.kind != kind || held.units + units > LONGEST) {
            seen = self.release(before, limits).or(seen);
        }
        let state = &mut self.state;
        if class == Class::Blank {
            state.blanks = state.blanks.saturating_add(units);
            if state.blanks == limits.blank {
                seen = state.report(Seen::Blanks).or(seen);
            }
        } else {
            state.blanks = 0;
        }
        if kind == Held::NOTHING || (kind == Held::NUMBER && state.long_number) {
            // In a long number each digit counts: it is data.
            state.long_number &= kind == Held::NUMBER;
            let counts = Counts { class, wide, shape };
            return self.symbol(symbol::of_char(c), units, &counts, limits).or(seen);
        }
        state.long_number = false;
        state.held.kind = kind;
        state.held.units += units;
        state.held.digits = state.held.digits.wrapping_mul(31).wrapping_add(c as u32);
        seen
    }

    /// What was held back is complete: one symbol.
    fn release(&mut self, shape: Shape, limits: &Limits) -> Option<Seen> {
        let Held { kind, units, digits } = self.state.held;
        self.state.held = Held::default();
        let number = kind == Held::NUMBER;
        self.state.long_number = number && units == LONGEST;
        let (symbol, class) = if number {
            (symbol::of_number(digits, units), Class::Digit)
        } else {
            (symbol::of_blanks(units), Class::Blank)
        };
        self.symbol(symbol, units, &Counts { class, wide: false, shape }, limits)
    }

    fn symbol(
        &mut self,
        symbol: Symbol,
        units: u32,
        counts: &Counts,
        limits: &Limits,
    ) -> Option<Seen> {
        let state = &mut self.state;
        let ago = self.window.push(symbol, state.now.raw);
        state.now.place = self.window.count();
        state.count(units, counts);
        let news = state.runs.on_symbol(&self.window, symbol, ago, &state.now);
        state.judge(news, limits)
    }

    pub fn save(&self, out: &mut Writer) {
        self.window.save(out);
        self.vocabulary.iter().for_each(|word| out.count((*word).into()));
        self.tail.save(out);
        let mut state = self.state;
        state.each(&mut |number| out.count((*number).into()));
    }

    /// Reads what [`Stream::save`] wrote into a stream that is clear.
    pub fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.window.load(from)?;
        for word in &mut self.vocabulary {
            *word = u16::try_from(from.small()?).ok()?;
        }
        self.tail = Tail::load(from)?;
        let mut whole = true;
        self.state.each(&mut |number| match from.small() {
            Some(read) => *number = read,
            None => whole = false,
        });
        self.state.shape = self.state.lines.shape();
        (whole && self.state.now.place == self.window.count()).then_some(())
    }
}

impl State {
    #[inline(always)]
    fn judge(&mut self, news: bool, limits: &Limits) -> Option<Seen> {
        if news {
            if self.reported.is_some() {
                self.news += 1;
                if self.news >= RECOVERED {
                    self.reported = None;
                    self.ramble = Ramble::default();
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
                return self.report(Seen::Run);
            }
        }
        if stale_is_loop(&self.runs, &self.now, limits) {
            return self.report(Seen::Stale);
        }
        None
    }

    #[inline(always)]
    fn count(&mut self, units: u32, counts: &Counts) {
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
    fn report(&mut self, seen: Seen) -> Option<Seen> {
        let manner = seen.manner();
        if self.reported.is_some_and(|known| known == Manner::Repeats || manner == known) {
            return None;
        }
        self.reported = Some(manner);
        self.news = 0;
        Some(seen)
    }

    fn each(&mut self, visit: Visit<'_>) {
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
