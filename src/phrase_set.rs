//! Looks for any of several fixed phrases in one pass over a text.
//!
//! `aho-corasick` and `memchr::memmem` do this in general, but both index their
//! tables with checks that can panic, and the event path must not hold a way to a
//! panic. The sets here are small, so an index by the first two bytes is enough.

/// A fixed set of phrases, built by the compiler: at most 32, each of at least two bytes.
pub(crate) struct PhraseSet {
    phrases: &'static [&'static str],
    /// The length of the longest phrase.
    pub max_length: usize,
    ignores_case: bool,
    /// For each [`group`] of bytes, the phrases whose first byte is in it, as a set of bits.
    first: [u32; 32],
    /// The same for the second byte.
    second: [u32; 32],
}

/// One of 32 groups of bytes. A letter is in the same one in either case.
const fn group(byte: u8) -> usize {
    (byte & 31) as usize
}

impl PhraseSet {
    /// Phrases that have to match byte by byte.
    pub const fn new(phrases: &'static [&'static str]) -> Self {
        Self::build(phrases, false)
    }

    /// Phrases in lower case that match in any case, as far as ASCII goes.
    pub const fn ignoring_case(phrases: &'static [&'static str]) -> Self {
        Self::build(phrases, true)
    }

    #[expect(clippy::indexing_slicing, reason = "runs in the compiler, which checks the bounds")]
    const fn build(phrases: &'static [&'static str], ignores_case: bool) -> Self {
        let mut set =
            Self { phrases, max_length: 0, ignores_case, first: [0; 32], second: [0; 32] };
        let mut at = 0;
        while at < phrases.len() {
            let phrase = phrases[at].as_bytes();
            if phrase.len() > set.max_length {
                set.max_length = phrase.len();
            }
            set.first[group(phrase[0])] |= 1 << at;
            set.second[group(phrase[1])] |= 1 << at;
            at += 1;
        }
        set
    }

    /// Whether one of the phrases occurs anywhere in the text.
    pub fn occurs_in(&self, text: &[u8]) -> bool {
        let mut rest = text;
        while let [_, after @ ..] = rest {
            if self.begins(rest) {
                return true;
            }
            rest = after;
        }
        false
    }

    /// Whether one of the phrases occurs where a word begins. (`RESET_TIMEOUT` is one word.)
    pub fn begins_a_word_of(&self, text: &[u8]) -> bool {
        let mut rest = text;
        let mut in_word = false;
        while let [first, after @ ..] = rest {
            if !in_word && self.begins(rest) {
                return true;
            }
            in_word = first.is_ascii_alphanumeric() || *first == b'_';
            rest = after;
        }
        false
    }

    /// Whether the text begins with one of the phrases.
    #[inline(always)]
    pub fn begins(&self, text: &[u8]) -> bool {
        let candidates = self.candidates(text);
        candidates != 0
            && self.any_of(candidates, |phrase| {
                text.get(..phrase.len()).is_some_and(|start| self.equal(start, phrase))
            })
    }

    /// Whether the word is one of the phrases.
    #[inline(always)]
    pub fn contains(&self, word: &[u8]) -> bool {
        let candidates = self.candidates(word);
        candidates != 0 && self.any_of(candidates, |phrase| self.equal(word, phrase))
    }

    /// The phrases that may begin like the text, by its first two bytes.
    #[inline(always)]
    fn candidates(&self, text: &[u8]) -> u32 {
        let [first, second, ..] = text else { return 0 };
        let with = |table: &[u32; 32], byte: u8| table.get(group(byte)).copied().unwrap_or(0);
        with(&self.first, *first) & with(&self.second, *second)
    }

    fn any_of(&self, candidates: u32, matches: impl Fn(&[u8]) -> bool) -> bool {
        let is_candidate = |at: u32| candidates.checked_shr(at).is_some_and(|bits| bits & 1 == 1);
        self.phrases
            .iter()
            .zip(0..)
            .any(|(phrase, at)| is_candidate(at) && matches(phrase.as_bytes()))
    }

    fn equal(&self, text: &[u8], phrase: &[u8]) -> bool {
        if self.ignores_case { text.eq_ignore_ascii_case(phrase) } else { text == phrase }
    }
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
            let as_written = |matches: &dyn Fn(&str) -> bool| AS_WRITTEN.phrases.iter().any(|phrase| matches(phrase));
            prop_assert_eq!(AS_WRITTEN.occurs_in(text.as_bytes()), as_written(&|phrase| text.contains(phrase)));
            prop_assert_eq!(AS_WRITTEN.begins(text.as_bytes()), as_written(&|phrase| text.starts_with(phrase)));
        }
    }

    #[test]
    fn contains_whole_words_only() {
        assert!(ANY_CASE.contains(b"ERROR") && ANY_CASE.contains(b"exception"));
        assert!(
            !ANY_CASE.contains(b"errors") && !ANY_CASE.contains(b"err") && !ANY_CASE.contains(b"")
        );
        assert!(AS_WRITTEN.contains(b"FAIL") && !AS_WRITTEN.contains(b"fail"));
    }
}
