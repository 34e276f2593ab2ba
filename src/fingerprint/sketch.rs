//! A small sketch of the words of a text, to tell how alike two texts are.
//!
//! One-permutation MinHash: each word falls into one of a few bins, and each bin
//! keeps the smallest hash that fell into it. The share of bins that agree
//! estimates the share of words that two texts have in common (Jaccard). Short
//! texts, which most calls are, get nearly a bin per word, so that the estimate
//! is nearly exact there. A SimHash of the same size was looked at: it measures
//! angles, and is too coarse for a command of five words.

use crate::codec::{Reader, Writer};

/// How many bins; a power of two.
const BINS: usize = 32;

/// A longer text is judged by its beginning.
const LOOKED_AT: usize = 8 * 1024;

/// See the module's text. An empty bin is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sketch {
    bins: [u8; BINS],
}

impl Sketch {
    pub fn of(text: &str) -> Self {
        let mut sketch = Self::default();
        let mut word = Word::default();
        for byte in text.bytes().take(LOOKED_AT) {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => {
                    if word.foreign {
                        sketch.add(&mut word);
                    }
                    word.push(byte.to_ascii_lowercase());
                }
                // Not every script has spaces: outside ASCII each character is a word.
                0xC0.. => {
                    sketch.add(&mut word);
                    word.push(byte);
                    word.foreign = true;
                }
                0x80.. => word.push(byte),
                _ => sketch.add(&mut word),
            }
        }
        sketch.add(&mut word);
        sketch
    }

    fn add(&mut self, word: &mut Word) {
        if word.state != 0 {
            // Spreads the bits: short words differ in few of them.
            let spread = crate::hash::pair(word.state.into(), 0);
            let value = ((spread >> 8) as u8).max(1);
            if let Some(bin) = self.bins.get_mut(spread as usize % BINS) {
                *bin = if *bin == 0 { value } else { value.min(*bin) };
            }
        }
        *word = Word::default();
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
            *half = from.hash()?.to_le_bytes();
        }
        Some(sketch)
    }
}

/// Which things a text names, as a set of bits: words with a slash, an at sign or
/// a file's ending in them, and words that end in a number.
pub(crate) fn targets(text: &str) -> u64 {
    let text = text.as_bytes();
    let text = text.get(..LOOKED_AT).unwrap_or(text);
    let mut found = 0u64;
    let mut start = 0;
    let mut holds = 0;
    for (byte, at) in text.iter().zip(0..) {
        let kind = KINDS.get(usize::from(*byte)).copied().unwrap_or(0);
        holds |= kind;
        if kind == 0 {
            found |= target(text.get(start..at).unwrap_or_default(), holds);
            start = at + 1;
            holds = 0;
        }
    }
    found | target(text.get(start..).unwrap_or_default(), holds)
}

/// The bit that stands for a word, if it names something. `holds` is what it is
/// made of.
fn target(word: &[u8], holds: u8) -> u64 {
    if holds & LETTER == 0 {
        return 0;
    }
    let ending = |word: &[u8]| {
        let dot = word.iter().rposition(|byte| *byte == b'.');
        dot.is_some_and(|dot| (1..=4).contains(&(word.len() - dot - 1)))
    };
    let names = holds & SIGN != 0
        || word.last().is_some_and(u8::is_ascii_digit)
        || holds & DOT != 0 && ending(word);
    // Flags name nothing, and these programs are the same as without their number.
    let not = word.starts_with(b"-") || matches!(word, b"pip3" | b"python3" | b"python2");
    if names && !not { 1 << (crate::hash::bytes(word) % 64) } else { 0 }
}

/// What a byte can be in a word; 0 if it stands between words.
const LETTER: u8 = 1;
const SIGN: u8 = 2;
const DOT: u8 = 4;
const OTHER: u8 = 8;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let kind = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'/' | b'@' | b'#' => SIGN,
            b'.' => DOT,
            b'0'..=b'9' | b'_' | b'-' | b'+' | b'~' | b'%' | b'?' | b'!' | b'*' | 0x80.. => OTHER,
            _ => 0,
        };
        #[expect(clippy::indexing_slicing, reason = "worked out by the compiler, within bounds")]
        {
            kinds[byte] = kind;
        }
        byte += 1;
    }
    kinds
};

/// FNV-1a over the word so far; 0 while there is none.
#[derive(Default)]
struct Word {
    state: u32,
    foreign: bool,
}

impl Word {
    fn push(&mut self, byte: u8) {
        let state = if self.state == 0 { 0x811C_9DC5 } else { self.state };
        self.state = (state ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn likeness(one: &str, other: &str) -> u32 {
        Sketch::of(one).likeness(&Sketch::of(other))
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
        fn alike_both_ways_and_never_a_panic(one in ".*", other in ".*") {
            prop_assert_eq!(likeness(&one, &one), 100);
            prop_assert_eq!(likeness(&one, &other), likeness(&other, &one));
        }
    }
}
