//! Decides when repetition is a loop, by its amount and by what it consists of.

use super::counters::Counters;
use super::repeats::{RepeatRun, Repeats};
use super::symbol::CharClass;
use super::window::Window;
use crate::channel::Channel;

/// The threshold that the figures here are for.
const DEFAULT_THRESHOLD: u32 = 10;

/// How much repetition is a loop in one channel, in proportion to the threshold.
///
/// Lengths are weights: a letter of a dense script (CJK, emoji) counts as two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(super) characters: CharacterLimits,
    /// The limits for text that is certainly not prose, such as the arguments of a call;
    /// they replace those below.
    pub(super) data: Option<DataLimits>,
    /// How many repeats of a short unit of prose make a loop.
    repeats: u32,
    /// The minimum length of these repeats.
    short: u32,
    /// The minimum length for units of one or two characters, which is higher: `Nooooo`,
    /// `hahaha`.
    tiny: u32,
    /// A longer unit needs fewer repeats: this much copied text, if that is also at least a
    /// quarter of the threshold times the unit.
    copied: u32,
    /// The limit for text that only repeats what came shortly before, in any order.
    stale: u32,
    /// The limit for prose among repeated lists, tables and code: an answer given over and
    /// over.
    mixed: u32,
    /// The limit for rulers and other signs that are not words.
    signs: u32,
    /// Sentences around numbers that count: length and passes.
    counted: (u32, u32),
    /// Little but numbers that count: length and passes.
    series: (u32, u32),
    /// Lists, tables, data: length and passes.
    structured: (u32, u32),
    /// Code: length and passes.
    code: (u32, u32),
    /// Words that repeat within one line of code: length and passes.
    code_line: (u32, u32),
}

/// How long a run of one character may be, in characters, by kind of character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharacterLimits {
    /// Control characters, such as NUL.
    control: u32,
    letter: u32,
    digit: u32,
    /// Signs used to draw lines.
    ruler: u32,
    /// All other signs.
    sign: u32,
    /// White space, of any kind.
    blank: u32,
    /// Anything but control characters in a code block, or deep inside a long word.
    in_data: u32,
}

/// How much exact repetition is a loop in data, which may be a whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DataLimits {
    /// Units of at most this many symbols are short.
    short_unit: u32,
    /// Short units with letters: length and passes.
    letters: (u32, u32),
    /// Longer units with letters.
    long: (u32, u32),
    /// Units of digits and signs: a matrix of zeros is long.
    signs: (u32, u32),
}

const TEXT: CharacterLimits = CharacterLimits {
    control: 100,
    letter: 200,
    digit: 400,
    ruler: 800,
    sign: 400,
    blank: 800,
    in_data: 4_000,
};

/// Reasoning is not written for readers, so it has no rulers, tables or title pages.
const REASONING: CharacterLimits =
    CharacterLimits { digit: 300, ruler: 400, sign: 300, blank: 400, ..TEXT };

/// Arguments may contain files, with banners, padding and test data. Of ten thousand files
/// of source code and data, only tests of a parser's limits exceeded these figures.
const ARGUMENTS: CharacterLimits = CharacterLimits {
    control: 256,
    letter: 4_000,
    digit: 4_000,
    ruler: 2_000,
    sign: 2_000,
    blank: 2_000,
    in_data: 4_000,
};

const ARGUMENT_DATA: DataLimits =
    DataLimits { short_unit: 32, letters: (12_000, 64), long: (24_000, 64), signs: (40_000, 64) };

/// Shorter runs are never loops.
pub(super) const MIN_CHARACTERS: u32 = 16;

/// Signs used to draw lines, besides Unicode's box and block characters.
const RULERS: [char; 12] = ['-', '=', '_', '*', '~', '.', '#', '+', '·', '–', '—', '…'];

impl CharacterLimits {
    fn scaled(self, scale: impl Fn(u32) -> u32) -> Self {
        Self {
            control: scale(self.control),
            letter: scale(self.letter),
            digit: scale(self.digit),
            ruler: scale(self.ruler),
            sign: scale(self.sign),
            blank: scale(self.blank),
            in_data: scale(self.in_data),
        }
    }

    /// Returns whether a run of one character is a loop.
    pub fn is_loop(&self, c: char, class: CharClass, length: u32, is_in_data: bool) -> bool {
        let most = match class {
            CharClass::Punctuation if c.is_control() => self.control,
            _ if is_in_data => self.in_data,
            CharClass::Letter => self.letter,
            CharClass::Digit => self.digit,
            CharClass::Blank => self.blank,
            CharClass::Punctuation
                if RULERS.contains(&c) || ('\u{2500}'..='\u{25FF}').contains(&c) =>
            {
                self.ruler
            }
            CharClass::Punctuation => self.sign,
        };
        length >= most
    }
}

impl Limits {
    pub fn new(threshold: u32, channel: Channel) -> Self {
        let scaled = |figure: u32| {
            let scaled = u64::from(figure) * u64::from(threshold) / u64::from(DEFAULT_THRESHOLD);
            scaled.clamp(1, u64::from(u32::MAX)) as u32
        };
        let (characters, data) = match channel {
            Channel::Text => (TEXT, None),
            Channel::Reasoning => (REASONING, None),
            Channel::Arguments => (ARGUMENTS, Some(ARGUMENT_DATA)),
        };
        let both = |(length, passes)| (scaled(length), scaled(passes));
        let data = data.map(|data: DataLimits| DataLimits {
            letters: both(data.letters),
            long: both(data.long),
            signs: both(data.signs),
            ..data
        });
        Self {
            characters: characters.scaled(scaled),
            data,
            repeats: threshold,
            short: scaled(120),
            tiny: scaled(200),
            copied: scaled(410),
            stale: scaled(500),
            mixed: scaled(800),
            signs: scaled(800),
            counted: both((12_000, 40)),
            series: both((48_000, 40)),
            structured: both((8_000, 16)),
            code: both((16_000, 64)),
            code_line: both((3_000, 150)),
        }
    }

    /// Returns whether a run of one JSON escape is a loop. The escape counts as the
    /// character that it stands for, in data.
    pub(super) fn is_escape_loop(&self, run: &RepeatRun, now: &Counters, window: &Window) -> bool {
        let Some((c, units)) = window.ending_escape(run.distance) else { return false };
        let length = now.units.wrapping_sub(run.at_last_change.units) / units;
        self.characters.is_loop(c, CharClass::of(c), length, false)
    }

    /// Returns whether a run of one unit is a loop. `word_length` is the length of the word
    /// that the text ends with.
    pub(super) fn is_run_loop(&self, run: &RepeatRun, now: &Counters, word_length: u32) -> bool {
        let length = now.symbols.wrapping_sub(run.first);
        let unit = run.distance;
        let total = length.saturating_add(run.earlier_length);
        if !self.has_enough_passes(total, unit) {
            return false;
        }
        // The run was noticed late; these symbols belong to it as well.
        let missed = run.at_start.symbols.wrapping_sub(run.first);
        let mut repetition = Repetition {
            unit,
            changed_numbers: run.counting.changes,
            is_counting: run.counting.is_going_on(now.symbols, unit, total),
            whole: now.since(&run.at_start),
            unchanged: now.since(&run.at_last_change),
        };
        for counters in [&mut repetition.whole, &mut repetition.unchanged] {
            counters.symbols = counters.symbols.saturating_add(missed);
            counters.weight = counters.weight.saturating_add(missed);
            // A word that repeats from its start is repeated text without gaps, not a blob.
            if word_length.abs_diff(length) <= unit.saturating_add(32) {
                counters.blob = 0;
            }
        }
        let whole = &repetition.whole;
        let min_weight = if unit <= 2 { self.tiny } else { self.short };
        let is_short_repeat = total >= unit.saturating_mul(self.repeats - 1)
            && whole.weight.saturating_add(run.earlier_length).saturating_add(unit) >= min_weight
            && whole.letters.saturating_mul(4) >= whole.weight;
        self.is_loop(&repetition, is_short_repeat)
    }

    /// Returns whether stale text is a loop: text that only repeats what came shortly
    /// before, in any order.
    pub(super) fn is_stale_loop(&self, repeats: &Repeats, now: &Counters) -> bool {
        if now.weight.wrapping_sub(repeats.stale_since.weight) < self.stale {
            return false;
        }
        let whole = now.since(&repeats.stale_since);
        let unit = repeats.max_distance;
        let repetition = Repetition {
            unit,
            changed_numbers: repeats.counting.changes,
            is_counting: repeats.counting.is_going_on(now.symbols, unit, whole.symbols),
            whole,
            unchanged: whole,
        };
        // Shuffled data is not a loop; only words can repeat without a fixed unit.
        whole.letters.saturating_mul(2) >= whole.weight
            && is_prose(&whole)
            && self.is_loop(&repetition, false)
    }

    fn has_enough_passes(&self, length: u32, unit: u32) -> bool {
        length.saturating_mul(4) >= unit.saturating_mul(self.repeats)
    }

    fn is_loop(&self, repetition: &Repetition, is_short_repeat: bool) -> bool {
        let Repetition { unit, changed_numbers, is_counting, whole, unchanged } = repetition;
        let is_copy = self.has_enough_passes(whole.symbols, *unit) && whole.weight >= self.copied;
        if !is_short_repeat && !is_copy {
            return false;
        }
        let is_signs = whole.letters.saturating_add(whole.numbers).saturating_mul(4) < whole.weight;
        if is_signs && is_prose(whole) {
            return unchanged.weight >= self.signs;
        }
        let has_prose = is_prose(whole) || whole.weight - structure(whole) >= self.mixed;
        let is_series = is_series(whole, *changed_numbers);
        if *is_counting && has_prose {
            let (length, passes) = if is_series { self.series } else { self.counted };
            return whole.weight >= length && whole.symbols >= unit.saturating_mul(passes);
        }
        if !is_signs && !is_series && has_prose {
            return true;
        }
        let is_code = whole.code.saturating_mul(2) > whole.weight;
        let is_line =
            unchanged.lines == 0 && unchanged.letters.saturating_mul(2) >= unchanged.weight;
        let (length, passes) = match (is_code, is_line) {
            (true, true) => self.code_line,
            (true, false) => self.code,
            (false, _) => self.structured,
        };
        unchanged.weight >= length && unchanged.symbols >= unit.saturating_mul(passes)
    }
}

impl DataLimits {
    /// Returns whether a run of one unit is a loop, in data.
    pub fn is_loop(&self, run: &RepeatRun, now: &Counters) -> bool {
        let unchanged = now.since(&run.at_last_change);
        let has_letters = unchanged.letters.saturating_mul(4) >= unchanged.weight;
        let is_short = run.distance <= self.short_unit;
        let (length, passes) = match (has_letters, is_short) {
            (false, _) => self.signs,
            (true, true) => self.letters,
            (true, false) => self.long,
        };
        unchanged.weight >= length && unchanged.symbols >= run.distance.saturating_mul(passes)
    }
}

/// Text that repeats earlier text.
struct Repetition {
    /// The length of what is repeated, in symbols.
    unit: u32,
    changed_numbers: u32,
    /// Whether its numbers count.
    is_counting: bool,
    /// What the repeats consist of.
    whole: Counters,
    /// What the repeats consist of since the last changed number.
    unchanged: Counters,
}

fn is_prose(counters: &Counters) -> bool {
    structure(counters).saturating_mul(4) <= counters.weight
}

/// Returns the weight of everything that is not prose.
fn structure(counters: &Counters) -> u32 {
    counters.structured.saturating_add(counters.blob).min(counters.weight)
}

/// Returns whether numbers that change make the text a series, which is not a loop. They
/// do, unless whole sentences surround each of them. If each line has one number, as in a
/// series, the sentences must be longer.
fn is_series(whole: &Counters, changed_numbers: u32) -> bool {
    let is_by_line = whole.lines.saturating_mul(2) >= changed_numbers;
    let (letters, words) = if is_by_line { (20, 4) } else { (12, 3) };
    whole.letters / letters < changed_numbers || whole.half_words / (2 * words) < changed_numbers
}
