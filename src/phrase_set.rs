//! Looks for any of several fixed phrases in one pass over a text.
//!
//! `aho-corasick` and `memchr::memmem` do this in general, but both index their
//! tables with checks that can panic, and the event path must not hold a way to a
//! panic. The sets here are small, so an index by first byte is enough.

/// A fixed set of phrases, built by the compiler.
pub(crate) struct PhraseSet {
    phrases: &'static [&'static str],
    /// The length of the longest phrase.
    pub max_length: usize,
    ignores_case: bool,
    /// For each byte, which of the phrases begin with it: from, and up to.
    by_first_byte: [(u8, u8); 256],
}

impl PhraseSet {
    /// Phrases that have to match byte by byte. Those with the same first byte must
    /// stand together in the list; the compiler refuses one in which they do not.
    pub const fn new(phrases: &'static [&'static str]) -> Self {
        Self::build(phrases, false)
    }

    /// Phrases in lower case that match in any case, as far as ASCII goes.
    pub const fn ignoring_case(phrases: &'static [&'static str]) -> Self {
        Self::build(phrases, true)
    }

    #[expect(clippy::indexing_slicing, reason = "runs in the compiler, which checks the bounds")]
    const fn build(phrases: &'static [&'static str], ignores_case: bool) -> Self {
        let mut by_first_byte = [(0, 0); 256];
        let mut max_length = 0;
        let mut at = 0;
        while at < phrases.len() {
            if phrases[at].len() > max_length {
                max_length = phrases[at].len();
            }
            let first = phrases[at].as_bytes()[0];
            let (from, to) = by_first_byte[first as usize];
            assert!(to == 0 || to as usize == at, "phrases with one first byte stand together");
            let range = (if to == 0 { at as u8 } else { from }, at as u8 + 1);
            by_first_byte[first as usize] = range;
            if ignores_case {
                by_first_byte[first.to_ascii_uppercase() as usize] = range;
            }
            at += 1;
        }
        Self { phrases, max_length, ignores_case, by_first_byte }
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

    /// Whether the text begins with one of the phrases.
    #[inline]
    pub fn begins(&self, text: &[u8]) -> bool {
        let mut candidates = self.with_first_byte_of(text).iter();
        candidates.any(|phrase| {
            text.get(..phrase.len()).is_some_and(|start| self.equal(start, phrase.as_bytes()))
        })
    }

    /// Whether the word is one of the phrases.
    pub fn contains(&self, word: &[u8]) -> bool {
        self.with_first_byte_of(word).iter().any(|phrase| self.equal(word, phrase.as_bytes()))
    }

    #[inline]
    fn with_first_byte_of(&self, text: &[u8]) -> &'static [&'static str] {
        let range = text.first().and_then(|first| self.by_first_byte.get(usize::from(*first)));
        let (from, to) = range.copied().unwrap_or_default();
        self.phrases.get(usize::from(from)..usize::from(to)).unwrap_or_default()
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
