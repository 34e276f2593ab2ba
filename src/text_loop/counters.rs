//! Counts what a stream consists of. The difference between two counts is what lies between
//! them.

use serde::{Deserialize, Serialize};

/// Sums since the stream began. A weight is a symbol's length in characters of an
/// alphabet: 2 for a letter of a dense script, the number of digits for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Counters {
    pub symbols: u32,
    /// UTF-16 units of the text.
    pub units: u32,
    /// Weights of all symbols.
    pub weight: u32,
    /// Weights of symbols in lists, tables, data and code.
    pub structured: u32,
    /// Weights of symbols in code.
    pub code: u32,
    /// Weights of symbols deep inside a blob: a long word, such as base64.
    pub blob: u32,
    /// Weights of letters.
    pub letters: u32,
    /// Weights of numbers.
    pub numbers: u32,
    /// Half words: a gap between words counts as two, a letter of a script without gaps as
    /// one.
    pub half_words: u32,
    /// Line breaks.
    pub lines: u32,
}

impl Counters {
    /// Returns what lies between an earlier count and this one.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            symbols: self.symbols.wrapping_sub(earlier.symbols),
            units: self.units.wrapping_sub(earlier.units),
            weight: self.weight.wrapping_sub(earlier.weight),
            structured: self.structured.wrapping_sub(earlier.structured),
            code: self.code.wrapping_sub(earlier.code),
            blob: self.blob.wrapping_sub(earlier.blob),
            letters: self.letters.wrapping_sub(earlier.letters),
            numbers: self.numbers.wrapping_sub(earlier.numbers),
            half_words: self.half_words.wrapping_sub(earlier.half_words),
            lines: self.lines.wrapping_sub(earlier.lines),
        }
    }

    /// Returns whether this count can come before a later one.
    pub fn is_before(&self, later: &Self) -> bool {
        self.symbols <= later.symbols
            && self.units <= later.units
            && self.weight <= later.weight
            && self.structured <= later.structured
            && self.code <= later.code
            && self.blob <= later.blob
            && self.letters <= later.letters
            && self.numbers <= later.numbers
            && self.half_words <= later.half_words
            && self.lines <= later.lines
    }
}
