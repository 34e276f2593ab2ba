//! Hashes JSON text by value, in one pass.
//!
//! Two texts have the same hash when `JSON.parse` would read the same from them: white
//! space, key order, escapes and number formats do not count, and of duplicate keys the
//! last wins. (Integers beyond 2^53 are kept distinct; see `number`.) Text that is not JSON
//! has no hash here; the caller hashes it as it is.
//!
//! An object's hash is a sum over its entries, so keys need no sorting; only if there are
//! many are they sorted, by key hash, to find duplicates. Nothing recurses: a hundred
//! thousand levels make a longer list, not a deeper stack. The buffers are kept between
//! calls, so a warm scanner allocates nothing.

use super::{plain_length, scan_number, unescape_bytes};
use crate::hash;
use crate::sort::sort;
use alloc::vec::Vec;
use core::mem;

/// Text nested deeper is not treated as JSON. Ten times the depth that the contract
/// promises; without a bound, ten megabytes of `[` would need hundreds of megabytes.
const MAX_DEPTH: usize = 1_000_000;

/// The capacity in frames and entries that the buffers keep between calls.
const MAX_KEPT: usize = 1024;

/// The capacity in bytes that the buffer for strings keeps.
const MAX_KEPT_BYTES: usize = 16 * 1024;

const NULL: u64 = hash::pair(1, 0);
const FALSE: u64 = hash::pair(2, 0);
const TRUE: u64 = hash::pair(2, 1);
const STRING: u64 = 4;
const ARRAY: u64 = 5;
const OBJECT: u64 = 6;
const EMPTY_ARRAY: u64 = hash::pair(ARRAY, 0);
const EMPTY_OBJECT: u64 = hash::pair(OBJECT, 0);

/// The hashes of a key and its value, and where the value is in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub key: u64,
    pub value: u64,
    pub start: u32,
    pub end: u32,
}

/// What a text is, if it is JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// An object; its entries are in [`Scanner::entries`].
    Object,
    /// Anything else, with its hash.
    Other(u64),
}

/// What a value is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Nothing,
    Array,
    Object,
}

/// A container that is being read.
struct Frame {
    container: Container,
    /// For an array, the hash so far; for an object, the hash of the key being read.
    state: u64,
    /// Where this object's entries begin in the list.
    base: usize,
    /// Where the container begins in the text.
    start: u32,
}

/// Scans JSON texts, one after the other; reuses its buffers.
#[derive(Default)]
pub(crate) struct Scanner {
    /// The containers around the one that is being read, outermost first.
    frames: Vec<Frame>,
    entries: Vec<Entry>,
    unescaped: Vec<u8>,
}

impl Scanner {
    /// Hashes the text; `None` if it is not JSON.
    pub fn scan(&mut self, text: &str) -> Option<Scanned> {
        self.frames.clear();
        self.entries.clear();
        if u32::try_from(text.len()).is_err() {
            return None;
        }
        let scanned = self.run(text);
        self.unescaped.clear();
        self.frames.shrink_to(MAX_KEPT);
        self.entries.shrink_to(MAX_KEPT);
        self.unescaped.shrink_to(MAX_KEPT_BYTES);
        scanned
    }

    /// Returns the entries of the last scanned object, without duplicate keys.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn run(&mut self, text: &str) -> Option<Scanned> {
        let mut frame = Frame { container: Container::Nothing, state: 0, base: 0, start: 0 };
        let mut at = 0;
        loop {
            at = skip_space(text, at);
            if frame.container == Container::Object {
                let (key, end) = self.string(text, at)?;
                let colon = skip_space(text, end);
                if byte(text, colon) != b':' {
                    return None;
                }
                frame.state = key;
                at = skip_space(text, colon + 1);
            }
            let mut start = at as u32;
            let mut done = match byte(text, at) {
                b'"' => {
                    let (hash, end) = self.string(text, at)?;
                    at = end;
                    hash::pair_inline(STRING, hash)
                }
                open @ (b'{' | b'[') => {
                    let is_object = open == b'{';
                    at = skip_space(text, at + 1);
                    if byte(text, at) != if is_object { b'}' } else { b']' } {
                        if self.frames.len() >= MAX_DEPTH {
                            return None;
                        }
                        let container =
                            if is_object { Container::Object } else { Container::Array };
                        let base = self.entries.len();
                        let inner = Frame { container, state: EMPTY_ARRAY, base, start };
                        self.frames.push(mem::replace(&mut frame, inner));
                        continue;
                    }
                    at += 1;
                    if is_object && frame.container == Container::Nothing {
                        return at_end(text, at).then_some(Scanned::Object);
                    }
                    if is_object { EMPTY_OBJECT } else { EMPTY_ARRAY }
                }
                letter @ (b't' | b'f' | b'n') => {
                    let (word, hash) = match letter {
                        b't' => ("true", TRUE),
                        b'f' => ("false", FALSE),
                        _ => ("null", NULL),
                    };
                    if !text.get(at..)?.starts_with(word) {
                        return None;
                    }
                    at += word.len();
                    hash
                }
                _ => {
                    let (hash, length) = scan_number(text.as_bytes().get(at..)?)?;
                    at += length;
                    hash
                }
            };
            // A value is complete: add it to its container, and while that is complete
            // too, add that to its own.
            loop {
                let end = at as u32;
                match frame.container {
                    Container::Nothing => {
                        return at_end(text, at).then_some(Scanned::Other(done));
                    }
                    Container::Array => frame.state = hash::pair_inline(frame.state, done),
                    Container::Object => {
                        self.entries.push(Entry { key: frame.state, value: done, start, end });
                    }
                }
                at = skip_space(text, at) + 1;
                match (byte(text, at - 1), frame.container) {
                    (b',', _) => break,
                    (b']', Container::Array) => done = frame.state,
                    (b'}', Container::Object) => {
                        self.keep_last_of_each_key(frame.base);
                        if self.frames.len() == 1 {
                            return at_end(text, at).then_some(Scanned::Object);
                        }
                        done = object_hash(self.entries.get(frame.base..)?.iter());
                        self.entries.truncate(frame.base);
                    }
                    _ => return None,
                }
                start = frame.start;
                frame = self.frames.pop()?;
            }
        }
    }

    /// Removes entries from `base` on whose key occurs again later.
    fn keep_last_of_each_key(&mut self, base: usize) {
        let Some(own) = self.entries.get_mut(base..) else { return };
        if own.len() <= MAX_COMPARED && all_keys_differ(own) {
            return;
        }
        sort(own, |a, b| (a.key, a.start) < (b.key, b.start));
        let mut kept = base;
        for at in base..self.entries.len() {
            let Some(entry) = self.entries.get(at).copied() else { continue };
            let next_key = self.entries.get(at + 1).map(|next| next.key);
            if next_key != Some(entry.key) {
                if let Some(slot) = self.entries.get_mut(kept) {
                    *slot = entry;
                }
                kept += 1;
            }
        }
        self.entries.truncate(kept);
    }

    /// Hashes the string at `at`; also returns where it ends.
    #[inline(always)]
    fn string(&mut self, text: &str, at: usize) -> Option<(u64, usize)> {
        if byte(text, at) != b'"' {
            return None;
        }
        let start = at + 1;
        let inner = text.as_bytes().get(start..)?;
        let (plain, rest) = inner.split_at_checked(plain_length(inner))?;
        if let [b'"', ..] = rest {
            return Some((hash::bytes(plain), start + plain.len() + 1));
        }
        self.escaped_string(inner, start)
    }

    /// Hashes the string that continues with `inner`, which begins at `start`.
    #[inline(never)]
    fn escaped_string(&mut self, inner: &[u8], start: usize) -> Option<(u64, usize)> {
        self.unescaped.clear();
        let length = unescape_bytes(inner, &mut self.unescaped)?;
        Some((hash::bytes(&self.unescaped), start + length))
    }
}

/// Up to this many keys are compared with one another instead of sorted.
const MAX_COMPARED: usize = 8;

#[inline(always)]
fn all_keys_differ(entries: &[Entry]) -> bool {
    let mut rest = entries;
    while let [first, others @ ..] = rest {
        for other in others {
            if first.key == other.key {
                return false;
            }
        }
        rest = others;
    }
    true
}

/// Returns the byte at `at`; beyond the end 0, which no JSON contains.
#[inline(always)]
fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or(0)
}

#[inline(always)]
fn skip_space(text: &str, mut at: usize) -> usize {
    // Most texts have no space, so the usual case is one comparison.
    while byte(text, at) <= b' ' && matches!(byte(text, at), b' ' | b'\t' | b'\n' | b'\r') {
        at += 1;
    }
    at
}

fn at_end(text: &str, at: usize) -> bool {
    skip_space(text, at) == text.len()
}

/// Hashes a key, for comparison with [`Entry::key`].
pub(crate) const fn key_hash(key: &str) -> u64 {
    hash::bytes(key.as_bytes())
}

/// Hashes keys that the compiler knows.
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, which checks the bounds")]
pub(crate) const fn key_hashes<const COUNT: usize>(keys: &[&str]) -> [u64; COUNT] {
    let mut hashes = [0; COUNT];
    let mut at = 0;
    while at < COUNT {
        hashes[at] = key_hash(keys[at]);
        at += 1;
    }
    hashes
}

/// Returns the entry with the first of these keys that there is, by their hashes.
pub(crate) fn entry_of<'e, 'k>(
    entries: &'e [Entry],
    keys: impl IntoIterator<Item = &'k u64>,
) -> Option<&'e Entry> {
    keys.into_iter().find_map(|key| entries.iter().find(|entry| entry.key == *key))
}

/// The hash of the value `""`, for comparison with [`Entry::value`].
pub(crate) const EMPTY_STRING: u64 = hash::pair(STRING, hash::bytes(b""));

/// Hashes an object with these entries, in any order.
pub(crate) fn object_hash<'e>(entries: impl Iterator<Item = &'e Entry>) -> u64 {
    let sum = entries
        .fold(0u64, |sum, entry| sum.wrapping_add(hash::pair_inline(entry.key, entry.value)));
    hash::pair(OBJECT, sum)
}

#[cfg(test)]
mod tests;
