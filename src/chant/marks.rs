//! How much of what has gone by. Two marks, subtracted, tell what lies between.

use crate::codec::{Reader, Writer};

/// Sums since the stream began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks {
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
}

impl Marks {
    /// What lies between an earlier mark and this one.
    pub fn since(&self, earlier: &Self) -> Self {
        let mut between = *self;
        for (value, then) in between.fields().into_iter().zip(earlier.values()) {
            *value = value.wrapping_sub(then);
        }
        between
    }

    fn fields(&mut self) -> [&mut u32; 9] {
        [
            &mut self.place,
            &mut self.raw,
            &mut self.weight,
            &mut self.shaped,
            &mut self.code,
            &mut self.blob,
            &mut self.letters,
            &mut self.numbers,
            &mut self.halves,
        ]
    }

    fn values(&self) -> [u32; 9] {
        let mut copy = *self;
        copy.fields().map(|value| *value)
    }

    pub fn save(&self, out: &mut Writer) {
        self.values().into_iter().for_each(|value| out.count(value.into()));
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut marks = Self::default();
        for value in marks.fields() {
            *value = from.small()?;
        }
        Some(marks)
    }
}
