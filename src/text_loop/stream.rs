//! One stream of text: what is remembered of it, and what is found in it.

use super::describe::{CallEvent, Found, Manner};
use super::limits::Limits;
use super::low_novelty::{NO_WORDS, Vocabulary};
use super::recent_text::RecentText;
use super::shape::Shape;
use super::state::{Counts, Held, State};
use super::symbol::{self, Class, LONGEST, Symbol};
use super::window::Window;
use crate::snapshot::codec::{Reader, Writer};

pub(super) struct Stream {
    pub window: Window,
    vocabulary: Vocabulary,
    pub tail: RecentText,
    pub state: State,
}

impl Stream {
    pub fn new() -> Self {
        Self {
            window: Window::new(),
            vocabulary: NO_WORDS,
            tail: RecentText::default(),
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
    fn take(&mut self, c: char, limits: &Limits) -> Option<CallEvent> {
        let class = symbol::class(c);
        let state = &mut self.state;
        let before = state.shape;
        let words = before == Shape::Prose && state.lines.began_as_prose();
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
        if word != 0 && words && state.ramble.end(word, &mut self.vocabulary, state.now.raw) {
            seen = state.report(CallEvent::LowNovelty);
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
                seen = state.report(CallEvent::Blanks).or(seen);
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
    fn release(&mut self, shape: Shape, limits: &Limits) -> Option<CallEvent> {
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
    ) -> Option<CallEvent> {
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
            *word = u16::try_from(from.small()).ok()?;
        }
        self.tail = RecentText::load(from)?;
        self.state.each(&mut |number| *number = from.small());
        self.state.shape = self.state.lines.shape();
        (self.state.now.place == self.window.count()).then_some(())
    }
}
