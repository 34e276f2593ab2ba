//! Hashes JSON text by value, in one pass.
//!
//! Two texts have the same hash when `JSON.parse` would read the same from them:
//! white space, key order, escapes and number forms do not count, and of duplicate
//! keys the last wins. (Integers beyond 2^53 are kept apart, see `number`.) Text that
//! is not JSON has no hash here; the caller hashes it as it is.
//!
//! An object's hash is a sum over its entries, so keys need no sorting for it; only
//! where there are many are they sorted, by key hash, to find duplicates. Nothing
//! recurses: a hundred thousand levels are a longer list, not a deeper stack. The
//! buffers are kept between calls, so a warm scanner allocates nothing.

use super::{plain_length, scan_number, unescape};
use crate::hash;
use crate::sort::sort;
use alloc::string::String;
use alloc::vec::Vec;

/// Deeper text counts as not JSON. Ten times what the contract promises to read; the
/// bound keeps ten megabytes of `[` from costing hundreds.
const MAX_DEPTH: usize = 1_000_000;

/// How many frames and entries the buffers keep room for between calls.
const MAX_KEPT: usize = 1024;

/// How many bytes the buffer for strings keeps room for.
const MAX_KEPT_BYTES: usize = 16 * 1024;

const NULL: u64 = hash::pair(1, 0);
const FALSE: u64 = hash::pair(2, 0);
const TRUE: u64 = hash::pair(2, 1);
const STRING: u64 = 4;
const ARRAY: u64 = 5;
const OBJECT: u64 = 6;
const EMPTY_ARRAY: u64 = hash::pair(ARRAY, 0);
const EMPTY_OBJECT: u64 = hash::pair(OBJECT, 0);

/// The hashes of a key and its value, and where the value stands in the text.
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

/// A container that is being read.
struct Frame {
    is_object: bool,
    /// For an array, the hash so far; for an object, the hash of the key being read.
    state: u64,
    /// Where this object's entries begin in the list.
    base: usize,
    /// Where the container begins in the text.
    start: u32,
}

/// Scans JSON texts, one after the other; keeps its buffers.
#[derive(Default)]
pub(crate) struct Scanner {
    frames: Vec<Frame>,
    entries: Vec<Entry>,
    unescaped: String,
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

    /// The entries of the object that was scanned last, without duplicate keys.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn run(&mut self, text: &str) -> Option<Scanned> {
        let mut at = 0;
        loop {
            at = skip_space(text, at);
            let mut start = at as u32;
            let mut done = match byte(text, at) {
                open @ (b'{' | b'[') => {
                    let is_object = open == b'{';
                    at = skip_space(text, at + 1);
                    if byte(text, at) == if is_object { b'}' } else { b']' } {
                        at += 1;
                        if is_object && self.frames.is_empty() {
                            return at_end(text, at).then_some(Scanned::Object);
                        }
                        if is_object { EMPTY_OBJECT } else { EMPTY_ARRAY }
                    } else {
                        if self.frames.len() >= MAX_DEPTH {
                            return None;
                        }
                        let mut state = EMPTY_ARRAY;
                        if is_object {
                            (state, at) = self.key(text, at)?;
                        }
                        let base = self.entries.len();
                        self.frames.push(Frame { is_object, state, base, start });
                        continue;
                    }
                }
                b'"' => {
                    let (hash, end) = self.string(text, at)?;
                    at = end;
                    hash::pair(STRING, hash)
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
                let Some(frame) = self.frames.last_mut() else {
                    return at_end(text, at).then_some(Scanned::Other(done));
                };
                if frame.is_object {
                    let end = at as u32;
                    self.entries.push(Entry { key: frame.state, value: done, start, end });
                } else {
                    frame.state = hash::pair(frame.state, done);
                }
                at = skip_space(text, at) + 1;
                match (byte(text, at - 1), frame.is_object) {
                    (b',', false) => break,
                    (b',', true) => {
                        let (key, after) = self.key(text, skip_space(text, at))?;
                        self.frames.last_mut()?.state = key;
                        at = after;
                        break;
                    }
                    (b']', false) => {
                        done = frame.state;
                        start = frame.start;
                        self.frames.pop();
                    }
                    (b'}', true) => {
                        let base = frame.base;
                        start = frame.start;
                        self.frames.pop();
                        self.keep_last_of_each_key(base);
                        if self.frames.is_empty() {
                            return at_end(text, at).then_some(Scanned::Object);
                        }
                        done = object_hash(self.entries.get(base..)?.iter());
                        self.entries.truncate(base);
                    }
                    _ => return None,
                }
            }
        }
    }

    /// Removes entries whose key comes again, from `base` on.
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

    /// Hashes the key at `at`; also returns where its colon ends.
    fn key(&mut self, text: &str, at: usize) -> Option<(u64, usize)> {
        let (key, end) = self.string(text, at)?;
        let colon = skip_space(text, end);
        (byte(text, colon) == b':').then_some((key, colon + 1))
    }

    /// Hashes the string at `at`; also returns where it ends.
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
        let (plain, rest) = text.get(start..)?.split_at_checked(plain.len())?;
        self.unescaped.clear();
        self.unescaped.push_str(plain);
        let length = unescape(rest, &mut self.unescaped)?;
        Some((hash::bytes(self.unescaped.as_bytes()), start + plain.len() + length))
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

/// The byte at `at`; 0 beyond the end, which no JSON contains.
#[inline(always)]
fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or(0)
}

#[inline(always)]
fn skip_space(text: &str, mut at: usize) -> usize {
    while matches!(byte(text, at), b' ' | b'\t' | b'\n' | b'\r') {
        at += 1;
    }
    at
}

fn at_end(text: &str, at: usize) -> bool {
    skip_space(text, at) == text.len()
}

/// Hashes a key, for comparison with [`Entry::key`].
pub(crate) fn key_hash(key: &str) -> u64 {
    hash::bytes(key.as_bytes())
}

/// Hashes the value `""`, for comparison with [`Entry::value`].
pub(crate) fn empty_string_hash() -> u64 {
    hash::pair(STRING, hash::bytes(b""))
}

/// Hashes an object with these entries, in any order.
pub(crate) fn object_hash<'e>(entries: impl Iterator<Item = &'e Entry>) -> u64 {
    let sum = entries.fold(0u64, |sum, entry| sum.wrapping_add(hash::pair(entry.key, entry.value)));
    hash::pair(OBJECT, sum)
}

#[cfg(test)]
mod tests;
