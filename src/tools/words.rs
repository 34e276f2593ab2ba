//! Lists of words, and how one is looked up.

use alloc::string::String;
use alloc::vec::Vec;

/// A list of words: ours, or the options'. Ours are not copied into every detector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// A list that comes with the crate.
    Known(&'static [&'static str]),
    /// A list of the host's own.
    Own(Vec<String>),
}

impl Words {
    /// Hands over the words, in order, until one is accepted; tells whether one was.
    pub fn any(&self, accept: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            Words::Known(known) => known.iter().any(|word| accept(word)),
            Words::Own(own) => own.iter().any(|word| accept(word)),
        }
    }

    /// The same for the words that begin with this byte. Looking at one byte is
    /// nearly all that a long list costs.
    pub(crate) fn any_from(&self, first: u8, accept: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            Words::Known(known) => any_from(known, first, accept),
            Words::Own(own) => {
                own.iter().any(|word| word.as_bytes().first() == Some(&first) && accept(word))
            }
        }
    }

    /// Hands over every word, in order.
    pub fn each(&self, visit: &mut dyn FnMut(&str)) {
        self.any(&mut |word| {
            visit(word);
            false
        });
    }

    /// Whether the list has the word.
    pub fn has(&self, word: &str) -> bool {
        self.any(&mut |known| known == word)
    }
}

/// See [`Words::any_from`].
pub(crate) fn any_from(known: &[&str], first: u8, accept: &mut dyn FnMut(&str) -> bool) -> bool {
    known.iter().any(|word| word.as_bytes().first() == Some(&first) && accept(word))
}
