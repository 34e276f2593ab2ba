//! One stream of text: takes characters, finds loops, describes them.

use super::counters::Counters;
use super::limits::{Limits, MIN_CHARACTERS};
use super::low_novelty::{EMPTY_VOCABULARY, GROUPS, LowNovelty, Novelty, Vocabulary};
use super::recent_text::RecentText;
use super::repeats::{RepeatRun, Repeats};
use super::symbol::{self, CharClass, MAX_UNITS, Symbol};
use super::text_kind::{Line, TextKind};
use super::window::Window;
use alloc::string::String;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;

/// After this many new symbols, a stream has left the reported loop.
const RECOVERED: u32 = 256;

/// How much of a line is reclassified when it turns out to be a table.
const MAX_UNDECIDED: u32 = 60;

/// The kind of a text loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TextLoopKind {
    /// The same text over and over.
    Repetition,
    /// The same words in different sentences.
    LowNovelty,
}

/// A loop in a stream. Lengths and positions are in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLoop {
    pub kind: TextLoopKind,
    /// Where in the stream it began.
    pub since: u64,
    /// The repeated unit, short.
    pub unit: String,
    pub repeats: u64,
    /// How much text came after the first occurrence of the unit.
    pub wasted: u64,
}

/// What was found, before it is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    /// One unit repeats: the run at that index.
    Run(usize),
    /// Nothing is new, but no single unit repeats.
    Stale,
    /// One character, or white space of any kind; see [`CharacterRun`].
    Character,
    /// No new words.
    LowNovelty,
}

impl Finding {
    fn kind(self) -> TextLoopKind {
        match self {
            Finding::Run(_) | Finding::Stale | Finding::Character => TextLoopKind::Repetition,
            Finding::LowNovelty => TextLoopKind::LowNovelty,
        }
    }
}

/// Where a loop is. Positions and lengths are in UTF-16 units.
struct Extent {
    since: u32,
    /// Where the first repeat began.
    first_repeat: u32,
    repeats: u32,
    /// How many units ago the last whole repeated unit ended, and its length.
    unit_ended_ago: u32,
    unit_length: u32,
}

/// Which characters form one symbol together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
enum PendingKind {
    #[default]
    None,
    Blanks,
    Number,
}

impl PendingKind {
    fn of(class: CharClass) -> Self {
        match class {
            CharClass::Blank => PendingKind::Blanks,
            CharClass::Digit => PendingKind::Number,
            CharClass::Letter | CharClass::Punctuation => PendingKind::None,
        }
    }
}

/// White space or digits that do not form a symbol yet, because more may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Pending {
    kind: PendingKind,
    units: u32,
    /// The value of a number.
    value: u32,
}

/// How many times in a row the last character came. White space of any kind counts as one
/// character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct CharacterRun {
    c: char,
    length: u32,
}

impl CharacterRun {
    /// Adds a character; returns whether the run is long enough to be judged.
    #[inline(always)]
    fn push(&mut self, c: char, class: CharClass) -> bool {
        let c = if class == CharClass::Blank { ' ' } else { c };
        if c != self.c {
            *self = Self { c, length: 1 };
            return false;
        }
        self.length = self.length.saturating_add(1);
        self.length >= MIN_CHARACTERS
    }

    /// Returns its length in UTF-16 units.
    fn units(&self) -> u32 {
        self.length.saturating_mul(self.c.len_utf16() as u32)
    }
}

/// What a symbol counts as.
struct SymbolTraits {
    class: CharClass,
    is_wide: bool,
    kind: TextKind,
}

/// The state of a stream, except for the text it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct State {
    repeats: Repeats,
    line: Line,
    /// The kind of text that the last character is part of.
    kind: TextKind,
    /// The weight of the line so far that was classified as prose.
    undecided: u32,
    /// What the symbols so far consist of.
    now: Counters,
    pending: Pending,
    /// The last number was too long for one symbol and continues.
    is_long_number: bool,
    /// UTF-16 units so far.
    units: u32,
    run: CharacterRun,
    low_novelty: LowNovelty,
    /// The kind of loop that was reported last, unless the stream has left it.
    reported: Option<TextLoopKind>,
    /// How many symbols were new since then.
    new_symbols: u32,
}

impl State {
    /// Looks for a loop that the last symbol completes.
    #[inline(always)]
    fn find_loop(&mut self, is_new: bool, window: &Window, limits: &Limits) -> Option<Finding> {
        if is_new {
            if self.reported.is_some() {
                self.new_symbols += 1;
                if self.new_symbols >= RECOVERED {
                    self.reported = None;
                    self.low_novelty = LowNovelty::default();
                }
            }
            return None;
        }
        if self.reported == Some(TextLoopKind::Repetition) {
            return None;
        }
        let now = &self.now;
        let mut runs = self.repeats.runs().iter();
        if let Some(data) = &limits.data {
            let found = runs.position(|run| {
                data.is_loop(run, now) || limits.is_escape_loop(run, now, window)
            })?;
            return self.report(Finding::Run(found));
        }
        let word_length = self.line.word_length();
        if let Some(found) = runs.position(|run| limits.is_run_loop(run, now, word_length)) {
            return self.report(Finding::Run(found));
        }
        if limits.is_stale_loop(&self.repeats, &self.now) {
            return self.report(Finding::Stale);
        }
        None
    }

    #[inline(always)]
    fn count(&mut self, units: u32, traits: &SymbolTraits) {
        let now = &mut self.now;
        let weight = match traits.class {
            CharClass::Digit => units,
            _ => 1 + u32::from(traits.is_wide),
        };
        now.units = now.units.wrapping_add(units);
        now.weight = now.weight.wrapping_add(weight);
        match traits.kind {
            TextKind::Prose if self.line.is_in_blob() => now.blob = now.blob.wrapping_add(weight),
            TextKind::Prose => self.undecided = (self.undecided + weight).min(MAX_UNDECIDED),
            TextKind::Structured => {
                // The line turned out to be a table, so its start counts as one, too.
                now.structured = now.structured.wrapping_add(weight).wrapping_add(self.undecided);
                self.undecided = 0;
            }
            TextKind::Code => {
                now.structured = now.structured.wrapping_add(weight);
                now.code = now.code.wrapping_add(weight);
            }
        }
        match traits.class {
            CharClass::Letter => {
                now.letters = now.letters.wrapping_add(weight);
                now.half_words = now.half_words.wrapping_add(u32::from(traits.is_wide));
            }
            CharClass::Digit => now.numbers = now.numbers.wrapping_add(weight),
            CharClass::Blank => now.half_words = now.half_words.wrapping_add(2),
            CharClass::Punctuation => {}
        }
    }

    /// Returns whether the run of the last character is a loop.
    fn is_character_loop(&self, class: CharClass, limits: &Limits) -> bool {
        let CharacterRun { c, length } = self.run;
        // A word that began before the run is a blob, not an exclamation.
        let is_in_data =
            self.kind == TextKind::Code || self.line.word_length() > length.saturating_add(32);
        limits.characters.is_loop(c, class, length, is_in_data)
    }

    /// Records a finding, unless this kind of loop or a more severe one was already
    /// reported.
    fn report(&mut self, finding: Finding) -> Option<Finding> {
        let kind = finding.kind();
        if self.reported.is_some_and(|known| known == TextLoopKind::Repetition || kind == known) {
            return None;
        }
        self.reported = Some(kind);
        self.new_symbols = 0;
        Some(finding)
    }

    /// Returns whether state loaded from a snapshot is possible.
    fn is_valid(&self) -> bool {
        let pending = &self.pending;
        self.repeats.is_valid(&self.now)
            && self.line.is_valid()
            && self.kind == self.line.kind()
            && self.undecided <= MAX_UNDECIDED
            && pending.units <= MAX_UNITS
            && (pending.kind == PendingKind::None) == (pending.units == 0)
            && self.units == self.now.units.wrapping_add(pending.units)
            && self.run.units() <= self.units
            && self.low_novelty.is_valid()
            && self.new_symbols <= RECOVERED
    }
}

/// One stream of text.
#[derive(Serialize, Deserialize)]
pub(super) struct Stream {
    window: Window,
    #[serde(with = "BigArray")]
    vocabulary: Vocabulary,
    recent_text: RecentText,
    state: State,
    /// Whether text was added since the stream was cleared.
    is_open: bool,
}

impl Stream {
    pub fn new() -> Self {
        Self {
            window: Window::new(),
            vocabulary: EMPTY_VOCABULARY,
            recent_text: RecentText::default(),
            state: State::default(),
            is_open: false,
        }
    }

    pub fn clear(&mut self) {
        self.window.clear();
        self.vocabulary = EMPTY_VOCABULARY;
        self.recent_text.clear();
        self.state = State::default();
        self.is_open = false;
    }

    pub fn is_open(&self) -> bool {
        self.is_open
    }

    pub fn is_looping(&self) -> bool {
        self.state.reported.is_some()
    }

    /// Adds the next piece of text; returns the most severe loop found in it.
    pub fn push(&mut self, chunk: &str, limits: &Limits) -> Option<TextLoop> {
        self.is_open = true;
        let mut found: Option<TextLoop> = None;
        for (at, c) in chunk.char_indices() {
            let Some(finding) = self.push_char(c, limits) else { continue };
            let next = self.describe(finding, chunk.get(..at).unwrap_or_default(), c);
            if found.as_ref().is_none_or(|known| known.kind == TextLoopKind::LowNovelty) {
                found = Some(next);
            }
        }
        self.recent_text.push(chunk);
        found
    }

    #[inline(always)]
    fn push_char(&mut self, c: char, limits: &Limits) -> Option<Finding> {
        let class = CharClass::of(c);
        let is_wide = symbol::is_wide(c);
        let units = c.len_utf16() as u32;
        let state = &mut self.state;
        let kind_before = state.kind;
        let is_word_of_prose = kind_before == TextKind::Prose && state.line.starts_as_prose();
        let kind = state.line.push(c, class);
        state.kind = kind;
        if c == '\n' {
            state.undecided = 0;
            state.now.lines = state.now.lines.wrapping_add(1);
        }
        state.units = state.units.wrapping_add(units);
        let mut finding = None;
        if let Some(word) = state.low_novelty.push(c, class, is_wide)
            && is_word_of_prose
            && limits.data.is_none()
        {
            match state.low_novelty.add_word(word, &mut self.vocabulary, state.now.units) {
                Novelty::New => state.repeats.on_new_word(&state.now),
                Novelty::Known => {}
                // Numbers that count are new, whatever the words around them.
                Novelty::Low if state.repeats.is_counting() => {}
                Novelty::Low => finding = state.report(Finding::LowNovelty),
            }
        }
        let pending_kind = PendingKind::of(class);
        let pending = state.pending;
        if pending.units > 0 && (pending.kind != pending_kind || pending.units + units > MAX_UNITS)
        {
            finding = self.push_pending(kind_before, limits).or(finding);
        }
        let state = &mut self.state;
        if state.run.push(c, class) && state.is_character_loop(class, limits) {
            finding = state.report(Finding::Character).or(finding);
        }
        let is_number = pending_kind == PendingKind::Number;
        if pending_kind == PendingKind::None || (is_number && state.is_long_number) {
            // In a long number each digit counts, as in data.
            state.is_long_number &= is_number;
            let traits = SymbolTraits { class, is_wide, kind };
            return self.push_symbol(symbol::of_char(c), units, &traits, limits).or(finding);
        }
        state.is_long_number = false;
        state.pending.kind = pending_kind;
        state.pending.units += units;
        if is_number {
            state.pending.value = symbol::add_digit(state.pending.value, c);
        }
        finding
    }

    /// Adds the pending characters as one symbol.
    fn push_pending(&mut self, kind: TextKind, limits: &Limits) -> Option<Finding> {
        let pending = core::mem::take(&mut self.state.pending);
        let is_number = pending.kind == PendingKind::Number;
        self.state.is_long_number = is_number && pending.units == MAX_UNITS;
        let (symbol, class) = if is_number {
            (symbol::of_number(pending.value, pending.units), CharClass::Digit)
        } else {
            (symbol::of_blanks(pending.units), CharClass::Blank)
        };
        let traits = SymbolTraits { class, is_wide: false, kind };
        self.push_symbol(symbol, pending.units, &traits, limits)
    }

    fn push_symbol(
        &mut self,
        symbol: Symbol,
        units: u32,
        traits: &SymbolTraits,
        limits: &Limits,
    ) -> Option<Finding> {
        let state = &mut self.state;
        let distance = self.window.push(symbol, state.now.units);
        state.now.symbols = self.window.count();
        state.count(units, traits);
        let is_new = state.repeats.on_symbol(&self.window, symbol, distance, &state.now);
        state.find_loop(is_new, &self.window, limits)
    }

    /// Describes a finding. `chunk` and `c` are the text after the kept one.
    fn describe(&self, finding: Finding, chunk: &str, c: char) -> TextLoop {
        let extent = self.extent(finding);
        TextLoop {
            kind: finding.kind(),
            since: extent.since.into(),
            unit: self.recent_text.quote(chunk, c, extent.unit_ended_ago, extent.unit_length),
            repeats: extent.repeats.into(),
            wasted: self.state.units.wrapping_sub(extent.first_repeat).into(),
        }
    }

    fn extent(&self, finding: Finding) -> Extent {
        let state = &self.state;
        match finding {
            Finding::Run(at) => {
                self.run_extent(state.repeats.runs().get(at).copied().unwrap_or_default())
            }
            Finding::Stale => {
                let distance = state.repeats.max_distance.max(1);
                let stale_since = &state.repeats.stale_since;
                let length = state.now.symbols.wrapping_sub(stale_since.symbols);
                Extent {
                    since: self.window.position(stale_since.symbols.saturating_sub(distance)),
                    first_repeat: stale_since.units,
                    repeats: (length / distance).saturating_add(1),
                    unit_ended_ago: 0,
                    unit_length: u32::MAX,
                }
            }
            Finding::Character => {
                let run = &state.run;
                let since = state.units.wrapping_sub(run.units());
                let unit_length = run.c.len_utf16() as u32;
                Extent {
                    since,
                    first_repeat: since.wrapping_add(unit_length),
                    repeats: run.length,
                    unit_ended_ago: 0,
                    unit_length,
                }
            }
            Finding::LowNovelty => Extent {
                since: state.low_novelty.start,
                first_repeat: state.low_novelty.start,
                repeats: GROUPS,
                unit_ended_ago: 0,
                unit_length: u32::MAX,
            },
        }
    }

    fn run_extent(&self, mut run: RepeatRun) -> Extent {
        run.locate(&self.window);
        let now = self.state.now.symbols;
        let unit = run.distance.max(1);
        let length = now.wrapping_sub(run.first);
        // The last whole unit, counting units from where the loop began.
        let incomplete = length.saturating_sub(run.skipped) % unit;
        let end = now.wrapping_sub(incomplete);
        let end_position = self.window.position(end);
        let start_position = self.window.position(end.saturating_sub(unit));
        Extent {
            since: run.unit_start,
            first_repeat: run.repeat_start,
            repeats: (length.saturating_add(run.earlier_length) / unit).saturating_add(1),
            unit_ended_ago: self.state.units.wrapping_sub(end_position),
            unit_length: end_position.wrapping_sub(start_position),
        }
    }

    /// Returns whether a stream loaded from a snapshot is possible.
    pub fn is_valid(&self) -> bool {
        let now = &self.state.now;
        self.is_open
            && self.window.count() == now.symbols
            && self.window.position(now.symbols) == now.units
            && self.recent_text.is_valid()
            && self.state.is_valid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::Channel;

    fn stream(text: &str) -> Stream {
        let mut stream = Stream::new();
        stream.push(text, &Limits::new(10, Channel::Text));
        stream
    }

    #[test]
    fn impossible_state_is_refused() {
        let text = "1. One line.\n\n- I will check 10 files again. ".repeat(40);
        let changes: [fn(&mut Stream); 15] = [
            |stream| stream.is_open = false,
            |stream| stream.window.clear(),
            |stream| assert_eq!(stream.window.push(7, 0), None),
            |stream| stream.state.now.symbols += 1,
            |stream| stream.state.now.units += 1,
            |stream| stream.state.now = Counters::default(),
            |stream| stream.state.kind = TextKind::Code,
            |stream| stream.state.undecided = MAX_UNDECIDED + 1,
            |stream| stream.state.pending.kind = PendingKind::None,
            |stream| stream.state.pending.units = 0,
            |stream| stream.state.pending.units = MAX_UNITS + 1,
            |stream| stream.state.units += 1,
            |stream| stream.state.run.length = stream.state.units + 1,
            |stream| stream.state.new_symbols = RECOVERED + 1,
            |stream| stream.state.repeats.stale_since.weight = u32::MAX,
        ];
        assert!(stream(&text).is_valid());
        for (number, change) in changes.iter().enumerate() {
            let mut stream = stream(&text);
            change(&mut stream);
            assert!(!stream.is_valid(), "{number}");
        }
    }
}
