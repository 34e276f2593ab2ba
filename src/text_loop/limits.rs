//! Decides when repetition is a loop: by how much of it there is, and what it
//! consists of.

use super::counters::Counters;
use super::repeats::{RepeatRun, Repeats};

/// The threshold that the figures in [`Limits::new`] are for.
const DEFAULT_THRESHOLD: u32 = 10;

/// How much repetition is a loop, in proportion to the threshold.
///
/// Lengths are weights: a letter of a dense script (CJK, emoji) counts as two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// How often a short unit of prose may come.
    repeats: u32,
    /// How long these repeats are at least.
    short: u32,
    /// The same for one or two characters: `Nooooo` and `hahaha` are allowed more.
    tiny: u32,
    /// A longer unit needs fewer repeats: this much copied text, if it is also a
    /// quarter of the threshold times the unit.
    copied: u32,
    /// Text that only repeats what came shortly before, in any order.
    stale: u32,
    /// Prose among repeated lists, tables and code: an answer given over and over.
    mixed: u32,
    /// Rulers, and other signs that are no words.
    signs: u32,
    /// Lists, tables, data: length and passes.
    structured: (u32, u32),
    /// Code: length and passes.
    code: (u32, u32),
    /// White space without end, in characters.
    pub(super) blank: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self::new(DEFAULT_THRESHOLD)
    }
}

impl Limits {
    pub fn new(threshold: u32) -> Self {
        let scaled = |figure: u64| {
            let scaled = figure * u64::from(threshold) / u64::from(DEFAULT_THRESHOLD);
            scaled.clamp(1, u64::from(u32::MAX)) as u32
        };
        Self {
            repeats: threshold,
            short: scaled(120),
            tiny: scaled(200),
            copied: scaled(410),
            stale: scaled(500),
            mixed: scaled(800),
            signs: scaled(2_000),
            structured: (scaled(8_000), scaled(16)),
            code: (scaled(16_000), scaled(64)),
            blank: scaled(2_000),
        }
    }

    /// Tells whether a run of one unit is a loop. `word_length` is that of the word
    /// the text ends with.
    pub(super) fn is_run_loop(&self, run: &RepeatRun, now: &Counters, word_length: u32) -> bool {
        let length = now.symbols.wrapping_sub(run.first);
        let unit = run.distance;
        let total = length.saturating_add(run.earlier_length);
        if !self.has_enough_passes(total, unit) {
            return false;
        }
        // The run was noticed late: these symbols repeat as well.
        let missed = run.at_start.symbols.wrapping_sub(run.first);
        let mut repetition = Repetition {
            unit,
            changed_numbers: run.changed_numbers,
            whole: now.since(&run.at_start),
            unchanged: now.since(&run.at_last_change),
        };
        for counters in [&mut repetition.whole, &mut repetition.unchanged] {
            counters.symbols = counters.symbols.saturating_add(missed);
            counters.weight = counters.weight.saturating_add(missed);
            // A word that repeats from its start on is repeated text without gaps, and
            // no blob.
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

    /// Tells whether stale text is a loop: it only repeats what came shortly before,
    /// in any order.
    pub(super) fn is_stale_loop(&self, repeats: &Repeats, now: &Counters) -> bool {
        if now.weight.wrapping_sub(repeats.stale_since.weight) < self.stale {
            return false;
        }
        let whole = now.since(&repeats.stale_since);
        let repetition = Repetition {
            unit: repeats.max_distance,
            changed_numbers: repeats.changed_numbers,
            whole,
            unchanged: whole,
        };
        // Shuffled data is data; only words can go in circles without a fixed unit.
        whole.letters.saturating_mul(2) >= whole.weight
            && is_prose(&whole)
            && self.is_loop(&repetition, false)
    }

    fn has_enough_passes(&self, length: u32, unit: u32) -> bool {
        length.saturating_mul(4) >= unit.saturating_mul(self.repeats)
    }

    fn is_loop(&self, repetition: &Repetition, is_short_repeat: bool) -> bool {
        let Repetition { unit, changed_numbers, whole, unchanged } = repetition;
        let is_copy = self.has_enough_passes(whole.symbols, *unit) && whole.weight >= self.copied;
        if !is_short_repeat && !is_copy {
            return false;
        }
        let is_signs = whole.letters.saturating_add(whole.numbers).saturating_mul(4) < whole.weight;
        if is_signs && is_prose(whole) {
            return unchanged.weight >= self.signs;
        }
        if !is_signs && !is_series(whole, *changed_numbers) {
            let prose = whole.weight - structure(whole);
            if is_prose(whole) || prose >= self.mixed {
                return true;
            }
        }
        let is_code = whole.code.saturating_mul(2) > whole.weight;
        let (length, passes) = if is_code { self.code } else { self.structured };
        unchanged.weight >= length && unchanged.symbols >= unit.saturating_mul(passes)
    }
}

/// Text that repeats earlier text.
struct Repetition {
    /// The length of what is repeated, in symbols.
    unit: u32,
    changed_numbers: u32,
    /// What the repeats consist of.
    whole: Counters,
    /// What they consist of since the last changed number.
    unchanged: Counters,
}

fn is_prose(counters: &Counters) -> bool {
    structure(counters).saturating_mul(4) <= counters.weight
}

/// Returns the weight of what is no prose.
fn structure(counters: &Counters) -> u32 {
    counters.structured.saturating_add(counters.blob).min(counters.weight)
}

/// Tells whether numbers that change make the text a series, which is no loop. They
/// do, unless whole sentences stand around each. Where there is one number on each
/// line, as series are written, the sentences have to be longer.
fn is_series(whole: &Counters, changed_numbers: u32) -> bool {
    let is_by_line = whole.lines.saturating_mul(2) >= changed_numbers;
    let (letters, words) = if is_by_line { (20, 4) } else { (12, 3) };
    whole.letters / letters < changed_numbers || whole.half_words / (2 * words) < changed_numbers
}
