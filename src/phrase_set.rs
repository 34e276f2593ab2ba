//! Searches a text for any of several fixed phrases in one pass.
//!
//! `aho-corasick` and `memchr::memmem` do this in general, but both index their tables with
//! checks that can panic, which the event path must not have. The sets here are small, so
//! an index by the first two bytes is enough. Whole words are compared with [`is_one_of`],
//! which needs no index.

use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// A fixed set of phrases: at most 32, each of at least two bytes.
pub(crate) struct PhraseSet {
    phrases: &'static [&'static str],
    ignores_case: bool,
    /// Built when it is first needed: as a constant it would double the size of a set.
    index: OnceBox<Index>,
}

/// For each [`group`] of bytes, the phrases that begin with a byte of it.
#[derive(Default)]
struct Index([Phrases; 32]);

/// Bit sets of phrases, by their places in the list.
#[derive(Clone, Copy, Default)]
struct Phrases {
    /// The phrases whose first byte is in a group.
    first: u32,
    /// The phrases whose second byte is in it.
    second: u32,
}

impl Index {
    #[inline(never)]
    fn of(phrases: &[&str]) -> Box<Self> {
        let mut index = Box::<Self>::default();
        for (phrase, place) in phrases.iter().zip(0u32..) {
            let [first, second, ..] = phrase.as_bytes() else { continue };
            if let Some(phrases) = index.0.get_mut(group(*first)) {
                phrases.first |= 1 << place;
            }
            if let Some(phrases) = index.0.get_mut(group(*second)) {
                phrases.second |= 1 << place;
            }
        }
        index
    }

    /// Returns the phrases with this byte at their beginning.
    #[inline(always)]
    fn with(&self, byte: u8) -> Phrases {
        self.0.get(group(byte)).copied().unwrap_or_default()
    }

    /// Returns the phrases that the text may begin with, by its first two bytes.
    #[inline(always)]
    fn candidates(&self, text: &[u8]) -> u32 {
        let [first, second, ..] = text else { return 0 };
        self.with(*first).first & self.with(*second).second
    }
}

/// Returns one of 32 groups of bytes. Upper and lower case of a letter are in the same
/// group.
fn group(byte: u8) -> usize {
    (byte & 31) as usize
}

impl PhraseSet {
    /// Makes a set of phrases that must match exactly.
    pub const fn new(phrases: &'static [&'static str]) -> Self {
        Self::build(phrases, false)
    }

    /// Makes a set of phrases, given in lower case, that match in any ASCII case.
    pub const fn ignoring_case(phrases: &'static [&'static str]) -> Self {
        Self::build(phrases, true)
    }

    const fn build(phrases: &'static [&'static str], ignores_case: bool) -> Self {
        assert!(phrases.len() <= 32, "a set has a bit for each of 32 phrases");
        Self { phrases, ignores_case, index: OnceBox::new() }
    }

    #[inline]
    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self.phrases))
    }

    /// Returns whether one of the phrases occurs anywhere in the text.
    pub fn occurs_in(&self, text: &[u8]) -> bool {
        let index = self.index();
        // The phrases that may have begun with the previous byte.
        let mut begun = 0;
        text.iter().zip(0usize..).any(|(byte, at)| {
            let Phrases { first, second } = index.with(*byte);
            let candidates = begun & second;
            begun = first;
            candidates != 0 && self.any_begins(candidates, text.get(at - 1..).unwrap_or_default())
        })
    }

    /// Returns whether one of the phrases occurs where a word begins. (`RESET_TIMEOUT` is
    /// one word.)
    pub fn begins_a_word_of(&self, text: &[u8]) -> bool {
        let index = self.index();
        let mut begun = 0;
        let mut in_word = false;
        text.iter().zip(0usize..).any(|(byte, at)| {
            let Phrases { first, second } = index.with(*byte);
            let candidates = begun & second;
            begun = if in_word { 0 } else { first };
            in_word = byte.is_ascii_alphanumeric() || *byte == b'_';
            candidates != 0 && self.any_begins(candidates, text.get(at - 1..).unwrap_or_default())
        })
    }

    /// Returns whether the text begins with one of the phrases.
    #[inline]
    pub fn begins(&self, text: &[u8]) -> bool {
        let candidates = self.index().candidates(text);
        candidates != 0 && self.any_begins(candidates, text)
    }

    /// Returns the first phrase that the text begins with.
    pub fn beginning_of(&self, text: &[u8]) -> Option<&'static str> {
        self.beginning(self.index().candidates(text), text)
    }

    fn any_begins(&self, candidates: u32, text: &[u8]) -> bool {
        self.beginning(candidates, text).is_some()
    }

    #[inline(never)]
    fn beginning(&self, candidates: u32, text: &[u8]) -> Option<&'static str> {
        self.listed(candidates).find(|phrase| {
            let start = text.get(..phrase.len());
            start.is_some_and(|start| self.equal(start, phrase.as_bytes()))
        })
    }

    /// Iterates over the phrases in a bit set.
    fn listed(&self, mut places: u32) -> impl Iterator<Item = &'static str> {
        core::iter::from_fn(move || {
            let phrase = self.phrases.get(places.trailing_zeros() as usize)?;
            places &= places - 1;
            Some(*phrase)
        })
    }

    fn equal(&self, text: &[u8], phrase: &[u8]) -> bool {
        if self.ignores_case { text.eq_ignore_ascii_case(phrase) } else { text == phrase }
    }
}

/// Returns whether the word, in any ASCII case, is one of these words, which are in lower
/// case.
pub(crate) fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    let Some(first) = word.first().map(u8::to_ascii_lowercase) else { return false };
    let begins = |known: &[u8]| known.len() == word.len() && known.first() == Some(&first);
    let is_word = |known: &[u8]| begins(known) && word.eq_ignore_ascii_case(known);
    words.iter().any(|known| is_word(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static ANY_CASE: PhraseSet =
        PhraseSet::ignoring_case(&["cannot", "error", "exception", "fail", "no error", "0 error"]);
    static AS_WRITTEN: PhraseSet = PhraseSet::new(&["Fail", "FAIL", "error", "✗ "]);

    proptest! {
        #[test]
        fn finds_what_separate_searches_find(text in "[eErRoOfFaAiIlLnN ✗0éİ]{0,40}") {
            let lower = text.to_ascii_lowercase();
            let any_case = |matches: &dyn Fn(&str) -> bool| ANY_CASE.phrases.iter().any(|phrase| matches(phrase));
            prop_assert_eq!(ANY_CASE.occurs_in(text.as_bytes()), any_case(&|phrase| lower.contains(phrase)));
            prop_assert_eq!(ANY_CASE.begins(text.as_bytes()), any_case(&|phrase| lower.starts_with(phrase)));
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let at_word = |at: usize| !lower.get(..at).is_some_and(|before| before.ends_with(is_word));
            let begins_a_word = |phrase: &str| lower.match_indices(phrase).any(|(at, _)| at_word(at));
            prop_assert_eq!(ANY_CASE.begins_a_word_of(text.as_bytes()), any_case(&begins_a_word));
            let as_written = |matches: &dyn Fn(&str) -> bool| AS_WRITTEN.phrases.iter().any(|phrase| matches(phrase));
            prop_assert_eq!(AS_WRITTEN.occurs_in(text.as_bytes()), as_written(&|phrase| text.contains(phrase)));
            prop_assert_eq!(AS_WRITTEN.begins(text.as_bytes()), as_written(&|phrase| text.starts_with(phrase)));
        }
    }

    #[test]
    fn words_are_compared_whole() {
        let words = ["error", "exception"];
        assert!(is_one_of(b"ERROR", &words) && is_one_of(b"exception", &words));
        assert!(!is_one_of(b"errors", &words) && !is_one_of(b"err", &words));
        assert!(!is_one_of(b"", &words));
    }
}
