//! Estimates how similar two calls or two texts are, by the words they have in common.
//!
//! Both are kept as a [`Sketch`] (one-permutation MinHash): each word is hashed
//! into one of a few bins, and each bin keeps one hash of those that fell into
//! it, chosen the same way on both sides. The share of bins that agree estimates
//! the share of words that the two have in common (Jaccard). A call has few
//! words, nearly a bin for each, so the estimate is nearly exact there.
//!
//! Calls and texts differ in what counts as a word, and in the size of the sketch.
//!
//! A SimHash of the same size was tried: it measures angles, which is too coarse
//! for a command of five words.

use crate::byte_class::ByteClasses;
use crate::hash;
use crate::text_loop::word_hashes;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;

/// The words of a call or a text, in `BINS` bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "H: Serialize", deserialize = "H: Deserialize<'de>"))]
pub(crate) struct Sketch<H, const BINS: usize> {
    /// The largest hash in each bin; 0 if the bin is empty.
    #[serde(with = "BigArray")]
    bins: [H; BINS],
}

/// The words of a call's arguments.
pub(crate) type CallSketch = Sketch<u8, 32>;

/// The words of a turn of text.
pub(crate) type TextSketch = Sketch<u16, 64>;

/// The minimum similarity of two turns that say the same, in percent. Chosen on real runs:
/// repeated and rephrased summaries are above it, different turns of one conversation
/// below.
const SAME_TEXT: u32 = 55;

impl<H: Copy + Default, const BINS: usize> Default for Sketch<H, BINS> {
    fn default() -> Self {
        Self { bins: [H::default(); BINS] }
    }
}

impl<H: Copy + Default + Ord, const BINS: usize> Sketch<H, BINS> {
    fn add(&mut self, bin: u32, hash: H) {
        if let Some(kept) = self.bins.get_mut(bin as usize % BINS) {
            *kept = hash.max(*kept);
        }
    }

    /// Estimates how many of their words two sketches have in common, in percent.
    pub fn similarity(&self, other: &Self) -> u32 {
        let empty = H::default();
        let mut used = 0;
        let mut equal = 0;
        for (one, other) in self.bins.iter().zip(&other.bins) {
            used += u32::from(*one != empty || *other != empty);
            equal += u32::from(*one != empty && one == other);
        }
        (equal * 100).checked_div(used).unwrap_or(100)
    }
}

impl TextSketch {
    /// Sketches a turn of text.
    pub fn of(text: &str) -> Self {
        let mut sketch = Self::default();
        for word in word_hashes(text) {
            let word = word.get();
            let mut hash = (word ^ word >> 16).wrapping_mul(0x85EB_CA6B);
            hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
            // One word in 65,536 has the hash of an empty bin and is left out.
            sketch.add(hash >> 26, !(hash as u16));
        }
        sketch
    }

    /// Returns whether two turns say roughly the same.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.similarity(other) >= SAME_TEXT
    }
}

impl CallSketch {
    /// Estimates how many different words a call has.
    fn words(&self) -> usize {
        self.bins.iter().filter(|hash| **hash != 0).count()
    }

    /// Returns whether the calls differ in one word: each has a word that the other lacks. If
    /// both have the same number of words, that word may be missing from the sketch, since a
    /// bin keeps only one of the words that fall into it.
    pub fn is_substitution(&self, other: &Self, equally_many: bool) -> bool {
        let mut differing = 0;
        let mut lost = false;
        let mut gained = false;
        for (one, other) in self.bins.iter().zip(&other.bins).filter(|(one, other)| one != other) {
            differing += 1;
            lost |= *one != 0;
            gained |= *other != 0;
        }
        (lost && gained || equally_many) && differing <= 2
    }

    /// Adds a word by its hash.
    fn add_word(&mut self, word: u32) {
        // Spreads the bits: short words differ in few of them.
        let spread = hash::pair_inline(word.into(), 0);
        let hash = ((spread >> 8) as u8).max(1);
        self.add(spread as u32, hash.wrapping_neg());
    }
}

/// How many bit sets of 64 bits a [`WordSet`] has.
const WORD_SET: usize = 8;

/// The set of words of several calls. Occasionally, two words count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct WordSet {
    bits: [u64; WORD_SET],
}

impl WordSet {
    /// Adds the words of a call.
    pub fn add(&mut self, call: &CallSketch) {
        for (place, bit) in Self::places(call) {
            if let Some(bits) = self.bits.get_mut(place) {
                *bits |= bit;
            }
        }
    }

    /// Returns how many percent of a call's words are in the set.
    pub fn share_of(&self, call: &CallSketch) -> u32 {
        let known = Self::places(call).filter(|(place, bit)| self.has(*place, *bit)).count() as u32;
        (known * 100).checked_div(call.words() as u32).unwrap_or(100)
    }

    fn has(&self, place: usize, bit: u64) -> bool {
        self.bits.get(place).is_some_and(|bits| bits & bit != 0)
    }

    /// Returns whether the newest call has a word of the set that the previous call lacked.
    pub fn has_again(&self, before: &CallSketch, newest: &CallSketch) -> bool {
        let mut last = Self::default();
        last.add(before);
        Self::places(newest).any(|(place, bit)| self.has(place, bit) && !last.has(place, bit))
    }

    /// Returns where the words of a call are in the set.
    fn places(call: &CallSketch) -> impl Iterator<Item = (usize, u64)> {
        let words = call.bins.iter().zip(0u64..).filter(|(hash, _)| **hash != 0);
        words.map(|(hash, bin)| {
            let word = hash::pair(bin, u64::from(*hash));
            ((word >> 6) as usize % WORD_SET, 1 << (word % 64))
        })
    }
}

/// How long a word with digits in it is, at least, to be the name of something.
const MIN_ID: usize = 6;

/// A longer call is compared by its beginning.
const MAX_CALL_BYTES: usize = 8 * 1024;

/// How an account such as `root@one.org` is identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accounts {
    /// By its host: whoever logs in, the target of a command is the machine.
    ByHost,
    /// As a whole: each mail address is a different person.
    Whole,
}

impl Accounts {
    /// Returns how accounts are identified in calls of a tool.
    pub fn of(is_shell: bool) -> Self {
        if is_shell { Self::ByHost } else { Self::Whole }
    }
}

/// The words of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CallWords {
    pub sketch: CallSketch,
    /// A set of bits: the things that they name.
    pub targets: u64,
    /// How many there are.
    pub count: u32,
    /// The sum of their hashes: equal for the same words in another order.
    pub sum: u32,
}

impl CallWords {
    /// Adds a word by its hash; nothing if that is [`NO_WORD`].
    fn add(&mut self, word: u32) {
        if word != NO_WORD {
            self.count += 1;
            self.sum = self.sum.wrapping_add(word);
            self.sketch.add_word(word);
        }
    }
}

/// Sketches a call's arguments, collects its targets and counts its words, in one pass.
///
/// A target is a word that names a thing: it has a slash, an at sign or a file's
/// ending in it, ends in a number, or is long and has digits. Targets are a set of bits,
/// one for each hash of a name modulo 64.
pub(crate) fn read_words(text: &str, accounts: Accounts) -> CallWords {
    let text = text.as_bytes();
    let text = text.get(..MAX_CALL_BYTES).unwrap_or(text);
    let mut words = CallWords::default();
    let mut word = NO_WORD;
    let mut start = 0;
    let mut kinds = 0;
    let mut at = 0;
    while let Some(byte) = text.get(at).copied() {
        at += 1;
        let kind = KINDS.of(byte);
        kinds |= kind;
        if kind & WORD != 0 {
            // The kind of a letter is the bit that makes it lower case.
            word = add_byte(word, byte | (kind & LETTER));
            continue;
        }
        if word != NO_WORD {
            words.add(word);
            word = NO_WORD;
        }
        if kind == 0 {
            if kinds != 0 {
                let name = text.get(start..at - 1).unwrap_or_default();
                words.targets |= target_bit(name, kinds, accounts);
                kinds = 0;
            }
            start = at;
        } else if !byte.is_ascii() {
            // Not every script has spaces: outside ASCII each character is a word.
            let mut character = add_byte(NO_WORD, byte);
            while let Some(more @ 0x80..0xC0) = text.get(at) {
                character = add_byte(character, *more);
                at += 1;
            }
            words.add(character);
        }
    }
    words.add(word);
    words.targets |= target_bit(text.get(start..).unwrap_or_default(), kinds, accounts);
    words
}

/// Collects the targets of a text, as [`read_words`] does.
pub(crate) fn target_bits(text: &str, accounts: Accounts) -> u64 {
    read_words(text, accounts).targets
}

/// Adds a byte to the hash of a word (FNV-1a), which begins as [`NO_WORD`].
#[inline(always)]
fn add_byte(word: u32, byte: u8) -> u32 {
    (word ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

const NO_WORD: u32 = 0x811C_9DC5;

/// Returns the bit of a name, or 0 if the word names nothing. `kinds` are the kinds of its
/// bytes.
#[inline(always)]
fn target_bit(word: &[u8], kinds: u8, accounts: Accounts) -> u64 {
    let numbered = word.last().is_some_and(u8::is_ascii_digit);
    // A date, an address, or a longer number.
    let is_number = numbered && kinds & LETTER == 0 && word.len() >= 4;
    // `web-7d9f-x2k1p` is the name of one thing among many.
    let is_id = kinds & DIGIT != 0 && word.len() >= MIN_ID;
    // Flags have dashes, too, and are excluded below.
    let is_name = numbered || is_id || kinds & (SIGN | DASH) != 0;
    let may_name = kinds & LETTER != 0 && (is_name || kinds & DOT != 0) || is_number;
    if may_name { name_bit(word, is_name, accounts) } else { 0 }
}

/// Returns the bit of a name. Unless it certainly `is_name`, a file extension decides.
fn name_bit(word: &[u8], is_name: bool, accounts: Accounts) -> u64 {
    let has_ending = |word: &[u8]| {
        let dot = word.iter().rposition(|byte| *byte == b'.');
        dot.is_some_and(|dot| (1..=4).contains(&(word.len() - dot - 1)))
    };
    let at = match accounts {
        Accounts::ByHost => word.iter().rposition(|byte| *byte == b'@').map_or(0, |at| at + 1),
        Accounts::Whole => 0,
    };
    let word = word.get(at..).unwrap_or(word);
    // Flags name nothing, and the number of these programs does not matter.
    let excluded = word.starts_with(b"-") || matches!(word, b"pip3" | b"python3" | b"python2");
    if !excluded && (is_name || has_ending(word)) { 1 << (hash::bytes(word) % 64) } else { 0 }
}

/// The kinds of bytes; 0 means a separator of words and names.
const SIGN: u8 = 1;
const DOT: u8 = 2;
const OTHER: u8 = 4;
const WORD: u8 = 8;
const DIGIT: u8 = 16;
const DASH: u8 = 64;
/// The bit that makes an ASCII letter small.
const LETTER: u8 = 0x20;

static KINDS: ByteClasses = ByteClasses::new(&[
    (b'a', b'z', LETTER | WORD),
    (b'A', b'Z', LETTER | WORD),
    (b'0', b'9', WORD | DIGIT),
    (0x80, 0xFF, OTHER),
])
.and(b"_", WORD)
.and(b"/@#", SIGN)
.and(b".", DOT)
.and(b"-", DASH)
.and(b"+~%?!*", OTHER);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn similarity(one: &str, other: &str) -> u32 {
        let sketch = |text| read_words(text, Accounts::ByHost).sketch;
        sketch(one).similarity(&sketch(other))
    }

    fn targets(text: &str) -> u64 {
        target_bits(text, Accounts::ByHost)
    }

    /// Obviously right: character by character, each question on its own.
    fn naive_words(text: &str) -> CallWords {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut spaced = String::new();
        for c in text.chars() {
            match c {
                _ if word(c) => spaced.push(c.to_ascii_lowercase()),
                _ if c.is_ascii() => spaced.push(' '),
                _ => spaced.extend([' ', c, ' ']),
            }
        }
        let mut words = CallWords::default();
        for word in spaced.split(' ') {
            words.add(word.bytes().fold(NO_WORD, add_byte));
        }
        let part = |c: char| word(c) || "/@#.-+~%?!*".contains(c) || !c.is_ascii();
        for name in text.split(|c| !part(c)) {
            let is_numbered = name.ends_with(|c: char| c.is_ascii_digit());
            let has_letters = name.contains(|c: char| c.is_ascii_alphabetic());
            let has_sign = name.contains(['/', '@', '#', '-']);
            let is_id = name.len() >= MIN_ID && name.contains(|c: char| c.is_ascii_digit());
            // An account is known by its host.
            let name_of_host = name.rsplit('@').next().unwrap_or_default();
            let (_, ending) = name_of_host.rsplit_once('.').unwrap_or_default();
            let names = match has_letters {
                true => is_numbered || is_id || has_sign || (1..=4).contains(&ending.len()),
                false => is_numbered && name.len() >= 4,
            };
            let not = name_of_host.starts_with('-')
                || ["pip3", "python3", "python2"].contains(&name_of_host);
            if names && !not {
                words.targets |= 1 << (hash::bytes(name_of_host.as_bytes()) % 64);
            }
        }
        words
    }

    /// A naive implementation: words as sets.
    fn naive(one: &[String], other: &[String]) -> u32 {
        let one: BTreeSet<&String> = one.iter().collect();
        let other: BTreeSet<&String> = other.iter().collect();
        let union = one.union(&other).count();
        (one.intersection(&other).count() * 100).checked_div(union).unwrap_or(100) as u32
    }

    #[test]
    fn variants_are_alike_and_other_calls_are_not() {
        assert_eq!(similarity("pip install x", "pip install x"), 100);
        assert_eq!(similarity("", ""), 100);
        assert!(similarity("python run.py --a --b", "python run.py --b --a --c") >= 60);
        assert!(similarity("grep -rn foo src", "cat docs/readme.md") < 30);
        assert!(similarity("東京の天気を調べる", "大阪の天気を調べる") >= 50);
        assert!(similarity("天気を調べる", "電車の時刻表") < 40);
    }

    #[test]
    fn targets_are_distinguished_by_their_names() {
        let other = |one, other| targets(other) & !targets(one) != 0;
        assert!(other("npx eslint src/Button1.tsx", "npx eslint src/Button2.tsx"));
        assert!(other("ssh root@one.org", "ssh root@two.org"));
        assert!(other("report 2024-01-05", "report 2024-01-06"));
        assert!(other("ping 10.0.0.1", "ping 10.0.0.2"));
        assert!(other("open 4711", "open 4712"));
        assert!(other("transition PROJ-12", "transition PROJ-13"));
        assert!(other("logs web-7d9f-x2k1p", "logs web-7d9f-c4m8t"));
        assert!(!other("python run.py --a", "python run.py --a --b"));
        assert!(!other("search for the cause", "look for the reason"));
        // An account is identified by its host, and a short number is a count.
        assert!(!other("ssh root@one.org", "ssh admin@one.org"));
        let mailed = |to| target_bits(to, Accounts::Whole);
        assert_ne!(mailed("ann@one.org"), mailed("bob@one.org"));
        assert!(!other("head -n 10 x", "head -n 20 x"));
        assert!(!other("pip install x", "pip3 install x"));
        assert_eq!(target_bits("no file at all", Accounts::ByHost), 0);
        assert_eq!(
            target_bits("cannot read src/a.ts today", Accounts::ByHost),
            targets("src/a.ts")
        );
    }

    #[test]
    fn a_word_in_place_of_another_is_a_substitution() {
        let words = |text| read_words(text, Accounts::ByHost);
        let is = |one, other| {
            let (one, other) = (words(one), words(other));
            one.sketch.is_substitution(&other.sketch, false)
        };
        assert!(is("grep alpha src", "grep beta src"));
        assert!(is("grep alpha src", "src BETA grep"));
        assert!(!is("grep alpha src", "grep alpha src"));
        assert!(!is("grep alpha src", "grep src alpha"));
        assert!(!is("grep alpha src", "grep alpha src --all"));
        assert!(!is("grep alpha src --all", "grep alpha src"));
        assert!(!is("grep alpha beta src", "grep gamma delta src"));
        // Equally many words, whatever the bins show.
        assert!(words("a b").sketch.is_substitution(&words("a b").sketch, true));
        assert_eq!(words("grep alpha src").count, 3);
        assert_eq!(words("grep alpha src").sum, words("src, grep: ALPHA").sum);
    }

    #[test]
    fn a_set_of_words_tells_what_was_there_before() {
        let sketch = |text| read_words(text, Accounts::ByHost).sketch;
        let mut words = WordSet::default();
        words.add(&sketch("alpha beta"));
        words.add(&sketch("gamma"));
        assert_eq!(words.share_of(&sketch("beta gamma")), 100);
        assert_eq!(words.share_of(&sketch("alpha delta")), 50);
        assert_eq!(words.share_of(&sketch("delta")), 0);
        assert_eq!(words.share_of(&sketch("")), 100);
        // The newest call returns to a word that the previous one lacked.
        assert!(words.has_again(&sketch("gamma"), &sketch("gamma alpha")));
        assert!(!words.has_again(&sketch("alpha"), &sketch("alpha delta")));
        assert!(!words.has_again(&sketch("gamma"), &sketch("delta")));
    }

    /// Single estimates can be far off if many words share few bins; on average they are
    /// not, in either direction.
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
            let estimate = similarity(&one.join(" "), &other.join(" "));
            let exact = naive(&one, &other);
            off += estimate.abs_diff(exact);
            bias += estimate as i32 - exact as i32;
        }
        assert!(off / 1_000 <= 4, "{off}");
        assert!((bias / 1_000).abs() <= 2, "{bias}");
    }

    #[test]
    fn turns_that_say_the_same_in_other_words() {
        let same = |one, other| TextSketch::of(one).says_the_same(&TextSketch::of(other));
        assert!(same(
            "I've made the required changes to the module. I consider this task complete.",
            "I have made the required changes to the module, and consider the task complete."
        ));
        assert!(!same(
            "I've made the required changes to the module. I consider this task complete.",
            "The tests fail because the port is taken; I will look for the process that holds it."
        ));
        assert!(same("", "…"));
        assert!(!same("", "Done."));
        assert!(same(
            "我已经完成了所有需要的修改，测试也都通过了，任务已经完成。",
            "我已经完成了全部需要的修改，测试也都通过了，任务已经完成。"
        ));
        assert!(!same("我已经完成了所有需要的修改。", "测试失败是因为端口被占用。"));
    }

    #[test]
    fn a_sketch_reads_back_the_same() {
        let text = TextSketch::of("I have made the changes.");
        let bytes = postcard::to_allocvec(&text).expect("in memory");
        assert_eq!(postcard::from_bytes(&bytes), Ok(text));
        let call = read_words("npx eslint src/Button1.tsx", Accounts::ByHost).sketch;
        let bytes = postcard::to_allocvec(&call).expect("in memory");
        assert_eq!(postcard::from_bytes(&bytes), Ok(call));
        assert!(postcard::from_bytes::<CallSketch>(&bytes[1..]).is_err());
    }

    proptest! {
        /// Compares with the share of common words, counted one by one.
        #[test]
        fn text_is_compared_by_the_share_of_common_words(
            common in proptest::collection::btree_set("[a-z]{3,8}", 0..80),
            one in proptest::collection::btree_set("[A-Z]{3,8}1", 0..80),
            other in proptest::collection::btree_set("[A-Z]{3,8}2", 0..80),
        ) {
            let text = |own: &BTreeSet<String>| {
                common.iter().chain(own).cloned().collect::<Vec<_>>().join(" ")
            };
            let all = common.len() + one.len() + other.len();
            let share = if all == 0 { 1.0 } else { common.len() as f64 / all as f64 };
            let same = TextSketch::of(&text(&one)).says_the_same(&TextSketch::of(&text(&other)));
            if share > 0.85 {
                prop_assert!(same);
            }
            if share < 0.25 {
                prop_assert!(!same);
            }
        }

        #[test]
        fn one_pass_sees_what_separate_ones_see(any in ".*", usual in "[a-cA-C0-3_/.@#\\-\"' éж東]{0,60}") {
            for text in [&any, &usual] {
                prop_assert_eq!(read_words(text, Accounts::ByHost), naive_words(text));
            }
        }

        #[test]
        fn is_symmetric_and_never_panics(one in ".*", other in ".*") {
            prop_assert_eq!(similarity(&one, &one), 100);
            prop_assert_eq!(similarity(&one, &other), similarity(&other, &one));
        }
    }
}
