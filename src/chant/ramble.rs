//! Text that keeps saying the same in other words. No sentence need repeat: what
//! tells it is that new words stop coming.
//!
//! Ordinary text brings a new word about every third to tenth word, however long
//! it goes on about one thing; text that goes round in circles hardly any.

use super::marks::Marks;
use super::shape::Shape;
use super::symbol::Class;
use crate::codec::{Reader, Writer};

/// Words remembered, by their hash. A power of two.
const WORDS: usize = 1_024;
/// Words that are looked at together, and how many such groups.
const GROUP: u32 = 64;
const GROUPS: usize = 3;
/// How many new words among them all are too few.
const NEW: u32 = 7;

pub(super) struct Ramble {
    words: [u16; WORDS],
    /// The word so far: a hash, 0 between words.
    word: u32,
    /// The wide letter before, which makes a word with the next.
    wide: u32,
    /// Words in this group, and new ones among them.
    seen: u32,
    fresh: u32,
    /// The finished groups, newest last: new words, and where the group began.
    groups: [(u32, u32); GROUPS],
    began: u32,
}

impl Ramble {
    pub const fn new() -> Self {
        Self {
            words: [0; WORDS],
            word: 0,
            wide: 0,
            seen: 0,
            fresh: 0,
            groups: [(GROUP, 0); GROUPS],
            began: 0,
        }
    }

    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// How many groups of words brought hardly anything new.
    pub const fn times() -> u32 {
        GROUPS as u32
    }

    /// Where the words began that brought nothing new.
    pub fn since(&self) -> u32 {
        self.groups.first().map_or(0, |group| group.1)
    }

    /// Takes a character; tells whether new words have stopped coming.
    #[inline(always)]
    pub fn take(&mut self, c: char, class: Class, shape: Shape, wide: bool, now: &Marks) -> bool {
        // A number is a word too: a series always says something new.
        if class == Class::Digit || (class == Class::Letter && !wide) {
            self.wide = 0;
            let letter = c.to_ascii_lowercase() as u32;
            self.word = (self.word ^ letter).wrapping_mul(0x0100_0193) | 1;
            return false;
        }
        let mut enough = false;
        if self.word != 0 {
            enough = self.end(self.word, shape, now);
            self.word = 0;
        }
        if class == Class::Letter {
            let pair = (self.wide.wrapping_mul(0x9E37_79B1) ^ c as u32) | 1;
            if self.wide != 0 {
                enough |= self.end(pair, shape, now);
            }
            self.wide = c as u32;
        } else {
            self.wide = 0;
        }
        enough
    }

    fn end(&mut self, word: u32, shape: Shape, now: &Marks) -> bool {
        if shape != Shape::Prose {
            return false;
        }
        let hash = word.wrapping_mul(0x9E37_79B1);
        let check = hash as u16 | 1;
        if let Some(known) = self.words.get_mut((hash >> 22) as usize % WORDS) {
            self.fresh += u32::from(*known != check);
            *known = check;
        }
        if self.seen == 0 {
            self.began = now.raw;
        }
        self.seen += 1;
        if self.seen < GROUP {
            return false;
        }
        self.groups.rotate_left(1);
        if let Some(last) = self.groups.last_mut() {
            *last = (self.fresh, self.began);
        }
        self.seen = 0;
        self.fresh = 0;
        let mut sum = 0;
        self.groups.iter().for_each(|group| sum += group.0);
        sum <= NEW
    }

    pub fn save(&self, out: &mut Writer) {
        for value in [self.word, self.wide, self.seen, self.fresh, self.began] {
            out.count(value.into());
        }
        for (fresh, began) in self.groups {
            out.count(fresh.into());
            out.count(began.into());
        }
        // Mostly zeros at first: each known word with its distance from the last.
        let mut gap = 0;
        for word in self.words {
            if word == 0 {
                gap += 1;
                continue;
            }
            out.count(gap);
            out.count(word.into());
            gap = 0;
        }
        out.count(WORDS as u64);
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut ramble = Self::new();
        let Self { word, wide, seen, fresh, began, .. } = &mut ramble;
        for value in [word, wide, seen, fresh, began] {
            *value = from.small()?;
        }
        if ramble.seen >= GROUP || ramble.fresh > GROUP {
            return None;
        }
        for group in &mut ramble.groups {
            *group = (from.small().filter(|fresh| *fresh <= GROUP)?, from.small()?);
        }
        let mut at = 0;
        loop {
            at += from.length(WORDS)?;
            let Some(slot) = ramble.words.get_mut(at) else { break };
            *slot = u16::try_from(from.small()?).ok().filter(|word| *word != 0)?;
            at += 1;
        }
        Some(ramble)
    }
}
