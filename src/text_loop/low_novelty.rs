//! Text that keeps saying the same in other words. No sentence need repeat: what
//! tells it is that new words stop coming.
//!
//! Ordinary text brings a new word about every third to tenth word, however long
//! it goes on about one thing; text that goes round in circles hardly any.

use super::Visit;
use super::symbol::Class;

/// Words remembered, by their hash. A power of two.
const WORDS: usize = 1_024;
/// Words that are looked at together, and how many such groups.
const GROUP: u32 = 64;
pub(super) const GROUPS: u32 = 3;
/// How many new words among them all are too few.
const NEW: u32 = 7;
/// How much text they stand in at most, in UTF-16 units. Phrases that come back
/// between lists and code are how references are written.
const SPAN: u32 = 2_400;

/// The words that were said last.
pub(super) type Vocabulary = [u16; WORDS];

pub(super) const NO_WORDS: Vocabulary = [0; WORDS];

/// How new the words are that come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LowNovelty {
    /// The word so far: a hash, 0 between words.
    word: u32,
    /// The wide letter before, which makes a word with the next.
    wide: u32,
    /// Words in this group, new ones among them, and where the group began.
    seen: u32,
    new: u32,
    began: u32,
    /// The two groups before: new words, and where they began.
    before: [(u32, u32); 2],
    /// How many groups there have been, up to what is needed.
    groups: u32,
    /// Where the words began that brought nothing new.
    pub since: u32,
}

impl LowNovelty {
    /// Takes a character, and how much text came before it; gives the hash of
    /// the word that it ends, or 0.
    #[inline(always)]
    pub fn take(&mut self, c: char, class: Class, wide: bool) -> u32 {
        // A number is a word too: a series always says something new.
        if class == Class::Digit || (class == Class::Letter && !wide) || c == '_' {
            self.wide = 0;
            let letter = c.to_ascii_lowercase() as u32;
            self.word = (self.word ^ letter).wrapping_mul(0x0100_0193) | 1;
            return 0;
        }
        let mut word = core::mem::take(&mut self.word);
        let before = core::mem::take(&mut self.wide);
        if class == Class::Letter {
            self.wide = c as u32;
            if before != 0 {
                word = (before.wrapping_mul(0x9E37_79B1) ^ c as u32) | 1;
            }
        }
        word
    }

    /// A word of prose has ended at `raw`; tells whether new ones have stopped coming.
    pub fn end(&mut self, word: u32, known: &mut Vocabulary, raw: u32) -> bool {
        let hash = word.wrapping_mul(0x9E37_79B1);
        let check = hash as u16 | 1;
        if let Some(place) = known.get_mut((hash >> 22) as usize % WORDS) {
            self.new += u32::from(*place != check);
            *place = check;
        }
        if self.seen == 0 {
            self.began = raw;
        }
        self.seen += 1;
        if self.seen < GROUP {
            return false;
        }
        let [(oldest, since), middle] = self.before;
        // In the first group of all, any word is new or might be.
        let few = oldest + middle.0 + self.new <= NEW
            && self.groups >= GROUPS
            && raw.wrapping_sub(since) <= SPAN;
        self.since = since;
        self.before = [middle, (self.new, self.began)];
        self.groups = (self.groups + 1).min(GROUPS);
        self.seen = 0;
        self.new = 0;
        few
    }

    pub fn each(&mut self, visit: Visit<'_>) {
        visit(&mut self.word);
        visit(&mut self.wide);
        visit(&mut self.seen);
        visit(&mut self.new);
        visit(&mut self.began);
        for (new, began) in &mut self.before {
            visit(new);
            visit(began);
        }
        visit(&mut self.groups);
        visit(&mut self.since);
        // Sums of these must not overflow, whatever a snapshot says.
        for count in [&mut self.seen, &mut self.new, &mut self.groups] {
            *count = (*count).min(GROUP);
        }
        for (new, _) in &mut self.before {
            *new = (*new).min(GROUP);
        }
    }
}
