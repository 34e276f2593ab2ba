//! Recognises text that keeps saying the same in other words: no sentence repeats, but
//! there are hardly any new words.
//!
//! In ordinary text every third to tenth word is new, however long it stays on one subject;
//! in text that goes in circles hardly any is.

use super::symbol::{CharClass, is_wide};
use core::num::NonZeroU32;
use serde::{Deserialize, Serialize};

/// How many words are remembered, by their hash. A power of two.
const VOCABULARY: usize = 1_024;
/// How many words make a group, and how many groups are judged together.
const GROUP_WORDS: u32 = 64;
pub(super) const GROUPS: u32 = 3;
/// The number of new words in these groups that is too few.
const MAX_NEW_WORDS: u32 = 7;
/// How much text the groups may span, in UTF-16 units. Phrases that recur between lists and
/// code are normal in reference texts.
const MAX_SPAN: u32 = 2_400;

/// The last words seen: each hash has one slot.
pub(super) type Vocabulary = [u16; VOCABULARY];

pub(super) const EMPTY_VOCABULARY: Vocabulary = [0; VOCABULARY];

/// Splits text into words, and hashes them. Scripts without spaces are taken as
/// pairs of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct WordHasher {
    /// The hash of the word so far; 0 between words.
    hash: u32,
    /// The previous wide letter, which forms a word with the next; 0 if there is none.
    wide: u32,
}

impl WordHasher {
    /// Adds a character; returns the hash of the word that it ends, if any.
    #[inline(always)]
    fn push(&mut self, c: char, class: CharClass, is_wide: bool) -> Option<NonZeroU32> {
        // A number is a word, too: a series always says something new.
        if class == CharClass::Digit || (class == CharClass::Letter && !is_wide) || c == '_' {
            self.wide = 0;
            let letter = c.to_ascii_lowercase() as u32;
            self.hash = (self.hash ^ letter).wrapping_mul(0x0100_0193) | 1;
            return None;
        }
        let mut word = core::mem::take(&mut self.hash);
        let before = core::mem::take(&mut self.wide);
        if class == CharClass::Letter {
            self.wide = c as u32;
            if before != 0 {
                word = (before.wrapping_mul(0x9E37_79B1) ^ c as u32) | 1;
            }
        }
        NonZeroU32::new(word)
    }
}

/// Hashes each word of a text.
pub(crate) fn word_hashes(text: &str) -> impl Iterator<Item = NonZeroU32> {
    let mut words = WordHasher::default();
    // The space ends the last word.
    let characters = text.chars().chain(Some(' '));
    characters.filter_map(move |c| words.push(c, CharClass::of(c), is_wide(c)))
}

/// A fixed number of words in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Group {
    words: u32,
    new_words: u32,
    /// Where in the text it began, in UTF-16 units.
    start: u32,
}

/// What a word adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Novelty {
    New,
    Known,
    /// Nothing, like most words before it.
    Low,
}

/// Counts the new words in the last groups of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct LowNovelty {
    words: WordHasher,
    group: Group,
    /// The two previous full groups, oldest first.
    earlier: [Group; 2],
    /// How many groups are full, up to [`GROUPS`].
    full_groups: u32,
    /// Where the groups that were judged last began.
    pub start: u32,
}

impl LowNovelty {
    /// Adds a character; returns the hash of the word that it ends, if any.
    #[inline(always)]
    pub fn push(&mut self, c: char, class: CharClass, is_wide: bool) -> Option<NonZeroU32> {
        self.words.push(c, class, is_wide)
    }

    /// Counts a word of prose that ended at that position; returns whether it is new, and
    /// whether there are too few new words.
    pub fn add_word(
        &mut self,
        word: NonZeroU32,
        vocabulary: &mut Vocabulary,
        position: u32,
    ) -> Novelty {
        let hash = word.get().wrapping_mul(0x9E37_79B1);
        let check = hash as u16 | 1;
        let mut novelty = Novelty::Known;
        if let Some(slot) = vocabulary.get_mut((hash >> 22) as usize % VOCABULARY)
            && *slot != check
        {
            novelty = Novelty::New;
            self.group.new_words += 1;
            *slot = check;
        }
        if self.group.words == 0 {
            self.group.start = position;
        }
        self.group.words += 1;
        if self.group.words < GROUP_WORDS {
            return novelty;
        }
        let [oldest, middle] = self.earlier;
        // In the very first group every word is new, so it is not counted.
        let is_low = oldest.new_words + middle.new_words + self.group.new_words <= MAX_NEW_WORDS
            && self.full_groups >= GROUPS
            && position.wrapping_sub(oldest.start) <= MAX_SPAN;
        self.start = oldest.start;
        self.earlier = [middle, self.group];
        self.full_groups = (self.full_groups + 1).min(GROUPS);
        self.group = Group::default();
        if is_low { Novelty::Low } else { novelty }
    }

    /// Returns whether state loaded from a snapshot is possible.
    pub fn is_valid(&self) -> bool {
        let [oldest, middle] = &self.earlier;
        let is_full = |group: &Group| group.words == 0 || group.words == GROUP_WORDS;
        [oldest, middle, &self.group].iter().all(|group| group.new_words <= group.words)
            && is_full(oldest)
            && is_full(middle)
            && self.group.words < GROUP_WORDS
            && self.full_groups <= GROUPS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_state_is_refused() {
        let full = Group { words: GROUP_WORDS, new_words: 3, start: 0 };
        let valid = LowNovelty {
            group: Group { words: 5, new_words: 5, start: 0 },
            earlier: [full, full],
            full_groups: GROUPS,
            ..LowNovelty::default()
        };
        assert!(valid.is_valid());
        let changes: [fn(&mut LowNovelty); 6] = [
            |state| state.group.words = GROUP_WORDS,
            |state| state.group.new_words = 6,
            |state| state.earlier[0].new_words = GROUP_WORDS + 1,
            |state| state.earlier[0].words = GROUP_WORDS - 1,
            |state| state.earlier[1].words = u32::MAX,
            |state| state.full_groups = GROUPS + 1,
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut state = valid;
            change(&mut state);
            assert!(!state.is_valid(), "{number}");
        }
    }
}
