//! Lists of words that options can replace.

use alloc::string::String;
use alloc::vec::Vec;

/// A list of words: a built-in one, which is not copied into every detector, or the
/// host's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// A list that comes with the crate.
    Known(&'static [&'static str]),
    /// A list of the host's own.
    Own(Vec<String>),
}

impl Words {
    /// Iterates over the words, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (known, own): (&[&str], &[String]) = match self {
            Words::Known(known) => (known, &[]),
            Words::Own(own) => (&[], own),
        };
        known.iter().copied().chain(own.iter().map(String::as_str))
    }

    /// Returns whether the list contains the word.
    pub fn contains(&self, word: &str) -> bool {
        self.iter().any(|known| known == word)
    }
}
