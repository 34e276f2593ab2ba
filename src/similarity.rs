//! A small sketch of the words of a text, to tell how alike two texts are.
//!
//! One-permutation MinHash: each word falls into one of a few bins, and each bin
//! keeps the smallest hash that fell into it. The share of bins that agree
//! estimates the share of words that two texts have in common (Jaccard). Short
//! texts, which most calls are, get nearly a bin per word, so that the estimate
//! is nearly exact there. A SimHash of the same size was looked at: it measures
//! angles, and is too coarse for a command of five words.

use crate::byte_class::ByteClasses;
use crate::hash;
use crate::snapshot::codec::{Reader, Writer};
use serde::{Deserialize, Serialize};

/// How many bins; a power of two.
const BINS: usize = 32;

/// A longer text is judged by its beginning.
const LOOKED_AT: usize = 8 * 1024;

/// See the module's text. An empty bin is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Sketch {
    bins: [u8; BINS],
}

impl Sketch {
    /// Takes up a word by its hash.
    fn add(&mut self, word: u32) {
        if word == EMPTY {
            return;
        }
        // Spreads the bits: short words differ in few of them.
        let spread = hash::pair(word.into(), 0);
        let value = ((spread >> 8) as u8).max(1);
        if let Some(bin) = self.bins.get_mut(spread as usize % BINS) {
            *bin = if *bin == 0 { value } else { value.min(*bin) };
        }
    }

    /// How alike two texts are, in percent.
    pub fn likeness(&self, other: &Self) -> u32 {
        let mut either = 0;
        let mut both = 0;
        for (one, two) in self.bins.iter().zip(&other.bins) {
            either += u32::from(*one != 0 || *two != 0);
            both += u32::from(*one != 0 && one == two);
        }
        (both * 100).checked_div(either).unwrap_or(100)
    }

    pub fn save(&self, out: &mut Writer) {
        for half in self.bins.as_chunks::<8>().0 {
            out.hash(u64::from_le_bytes(*half));
        }
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut sketch = Self::default();
        for half in sketch.bins.as_chunks_mut::<8>().0 {
            *half = from.hash().to_le_bytes();
        }
        Some(sketch)
    }
}

/// The sketch of a text, and which things it names, in one pass. Named is what has
/// a slash, an at sign or a file's ending in it, or ends in a number; the set is
/// one of bits.
pub(crate) fn look(text: &str) -> (Sketch, u64) {
    let text = text.as_bytes();
    let text = text.get(..LOOKED_AT).unwrap_or(text);
    let mut sketch = Sketch::default();
    let mut targets = 0u64;
    let mut word = EMPTY;
    let mut start = 0;
    let mut holds = 0;
    let mut at = 0;
    while let Some(byte) = text.get(at).copied() {
        at += 1;
        let kind = KINDS.of(byte);
        holds |= kind;
        if kind & WORD != 0 {
            // A letter's kind is the bit that makes capitals small.
            word = with(word, byte | (kind & LETTER));
            continue;
        }
        sketch.add(word);
        word = EMPTY;
        if kind == 0 {
            targets |= target(text.get(start..at - 1).unwrap_or_default(), holds);
            start = at;
            holds = 0;
        } else if !byte.is_ascii() {
            // Not every script has spaces: outside ASCII each character is a word.
            let mut character = with(EMPTY, byte);
            while let Some(more @ 0x80..0xC0) = text.get(at) {
                character = with(character, *more);
                at += 1;
            }
            sketch.add(character);
        }
    }
    sketch.add(word);
    (sketch, targets | target(text.get(start..).unwrap_or_default(), holds))
}

/// FNV-1a of a word so far; of none it is [`EMPTY`].
#[inline(always)]
fn with(word: u32, byte: u8) -> u32 {
    (word ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

const EMPTY: u32 = 0x811C_9DC5;

/// The bit that stands for a word, if it names something. `holds` is what it is
/// made of.
#[inline(always)]
fn target(word: &[u8], holds: u8) -> u64 {
    let numbered = word.last().is_some_and(u8::is_ascii_digit);
    let may_name = holds & LETTER != 0 && (numbered || holds & (SIGN | DOT) != 0);
    if may_name { named(word, numbered || holds & SIGN != 0) } else { 0 }
}

fn named(word: &[u8], surely: bool) -> u64 {
    let ending = |word: &[u8]| {
        let dot = word.iter().rposition(|byte| *byte == b'.');
        dot.is_some_and(|dot| (1..=4).contains(&(word.len() - dot - 1)))
    };
    // Flags name nothing, and these programs are the same as without their number.
    let not = word.starts_with(b"-") || matches!(word, b"pip3" | b"python3" | b"python2");
    if !not && (surely || ending(word)) { 1 << (hash::bytes(word) % 64) } else { 0 }
}

/// What a byte can be in a word; 0 if it stands between words.
const SIGN: u8 = 1;
const DOT: u8 = 2;
const OTHER: u8 = 4;
const WORD: u8 = 8;
/// As in ASCII.
const LETTER: u8 = 0x20;

static KINDS: ByteClasses = ByteClasses::new(&[
    (b'a', b'z', LETTER | WORD),
    (b'A', b'Z', LETTER | WORD),
    (b'0', b'9', WORD),
    (0x80, 0xFF, OTHER),
])
.and(b"_", WORD)
.and(b"/@#", SIGN)
.and(b".", DOT)
.and(b"-+~%?!*", OTHER);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn likeness(one: &str, other: &str) -> u32 {
        look(one).0.likeness(&look(other).0)
    }

    fn targets(text: &str) -> u64 {
        look(text).1
    }

    /// Obviously right: character by character, each question for itself.
    fn naive_look(text: &str) -> (Sketch, u64) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut spaced = String::new();
        for c in text.chars() {
            match c {
                _ if word(c) => spaced.push(c.to_ascii_lowercase()),
                _ if c.is_ascii() => spaced.push(' '),
                _ => spaced.extend([' ', c, ' ']),
            }
        }
        let mut sketch = Sketch::default();
        for word in spaced.split(' ') {
            sketch.add(word.bytes().fold(EMPTY, with));
        }
        let part = |c: char| word(c) || "/@#.-+~%?!*".contains(c) || !c.is_ascii();
        let mut targets = 0;
        for name in text.split(|c| !part(c)) {
            let (_, ending) = name.rsplit_once('.').unwrap_or_default();
            let names = name.contains(['/', '@', '#'])
                || name.ends_with(|c: char| c.is_ascii_digit())
                || (1..=4).contains(&ending.len());
            let letters = name.contains(|c: char| c.is_ascii_alphabetic());
            let not = name.starts_with('-') || ["pip3", "python3", "python2"].contains(&name);
            if names && letters && !not {
                targets |= 1 << (hash::bytes(name.as_bytes()) % 64);
            }
        }
        (sketch, targets)
    }

    /// Obviously right: words as sets.
    fn naive(one: &[String], other: &[String]) -> u32 {
        let one: BTreeSet<&String> = one.iter().collect();
        let other: BTreeSet<&String> = other.iter().collect();
        let union = one.union(&other).count();
        (one.intersection(&other).count() * 100).checked_div(union).unwrap_or(100) as u32
    }

    #[test]
    fn variants_are_alike_and_other_calls_are_not() {
        assert_eq!(likeness("pip install x", "pip install x"), 100);
        assert_eq!(likeness("", ""), 100);
        assert!(likeness("python run.py --a --b", "python run.py --b --a --c") >= 60);
        assert!(likeness("grep -rn foo src", "cat docs/readme.md") < 30);
        assert!(likeness("東京の天気を調べる", "大阪の天気を調べる") >= 50);
        assert!(likeness("天気を調べる", "電車の時刻表") < 40);
    }

    #[test]
    fn things_are_told_apart_by_their_names() {
        let other = |one, other| targets(other) & !targets(one) != 0;
        assert!(other("npx eslint src/Button1.tsx", "npx eslint src/Button2.tsx"));
        assert!(other(r#"{"to":"a@x.org"}"#, r#"{"to":"b@x.org"}"#));
        assert!(other("transition PROJ-12", "transition PROJ-13"));
        assert!(!other("python run.py --a", "python run.py --a --b"));
        assert!(!other("search for the cause", "look for the reason"));
    }

    /// Single estimates can be far off where many words share few bins; on
    /// average they are not, and neither way.
    #[test]
    fn estimates_the_share_of_common_words() {
        let mut state = 1u64;
        let mut word = || {
            state = crate::hash::pair(state, 7);
            alloc::format!("w{:x}", state % 100_000)
        };
        let (mut off, mut bias) = (0, 0);
        for round in 0..1_000u32 {
            let common: Vec<String> = (0..round % 11).map(|_| word()).collect();
            let one: Vec<String> = (0..round % 4).map(|_| word()).chain(common.clone()).collect();
            let other: Vec<String> = (0..round % 3).map(|_| word()).chain(common).collect();
            let estimate = likeness(&one.join(" "), &other.join(" "));
            let exact = naive(&one, &other);
            off += estimate.abs_diff(exact);
            bias += estimate as i32 - exact as i32;
        }
        assert!(off / 1_000 <= 4, "{off}");
        assert!((bias / 1_000).abs() <= 2, "{bias}");
    }

    proptest! {
        #[test]
        fn one_pass_sees_what_separate_ones_see(any in ".*", usual in "[a-cA-C0-3_/.@#\\-\"' éж東]{0,60}") {
            for text in [&any, &usual] {
                prop_assert_eq!(look(text), naive_look(text));
            }
        }

        #[test]
        fn alike_both_ways_and_never_a_panic(one in ".*", other in ".*") {
            prop_assert_eq!(likeness(&one, &one), 100);
            prop_assert_eq!(likeness(&one, &other), likeness(&other, &one));
        }
    }
}
