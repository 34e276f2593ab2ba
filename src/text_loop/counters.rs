//! How much of what has gone by. Two marks, subtracted, tell what lies between.

use super::Visit;

/// Sums since the stream began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counters {
    /// Symbols.
    pub place: u32,
    /// UTF-16 units of the text.
    pub raw: u32,
    /// Weights of all symbols.
    pub weight: u32,
    /// Weights of symbols in lists, tables, data and code.
    pub shaped: u32,
    /// Weights of symbols in code.
    pub code: u32,
    /// Weights of symbols deep inside a long word, such as base64.
    pub blob: u32,
    /// Weights of letters.
    pub letters: u32,
    /// Weights of numbers.
    pub numbers: u32,
    /// Gaps between words; a letter of a script without gaps counts as half a word.
    pub halves: u32,
    /// Line breaks.
    pub lines: u32,
}

impl Counters {
    /// What lies between an earlier mark and this one.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            place: self.place.wrapping_sub(earlier.place),
            raw: self.raw.wrapping_sub(earlier.raw),
            weight: self.weight.wrapping_sub(earlier.weight),
            shaped: self.shaped.wrapping_sub(earlier.shaped),
            code: self.code.wrapping_sub(earlier.code),
            blob: self.blob.wrapping_sub(earlier.blob),
            letters: self.letters.wrapping_sub(earlier.letters),
            numbers: self.numbers.wrapping_sub(earlier.numbers),
            halves: self.halves.wrapping_sub(earlier.halves),
            lines: self.lines.wrapping_sub(earlier.lines),
        }
    }

    pub fn each(&mut self, visit: Visit<'_>) {
        visit(&mut self.place);
        visit(&mut self.raw);
        visit(&mut self.weight);
        visit(&mut self.shaped);
        visit(&mut self.code);
        visit(&mut self.blob);
        visit(&mut self.letters);
        visit(&mut self.numbers);
        visit(&mut self.halves);
        visit(&mut self.lines);
    }
}
