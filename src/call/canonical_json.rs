//! One pass over JSON text that yields a hash of its meaning.
//!
//! Two texts have the same hash when `JSON.parse` would read the same from
//! them: white space, key order, escapes and number forms do not count, and of
//! duplicate keys the last wins. (Integers beyond 2^53 are kept apart, see
//! `number`.) Text that is not JSON has no hash here; the caller takes it raw.
//!
//! Objects are hashed as a sum over their entries, so keys need no sorting for
//! the hash itself; only where there are many are they sorted, by key hash, to find duplicates.
//! Nothing recurses: a hundred thousand levels are a longer list, not a deeper
//! stack. The buffers are kept between calls, so a warm scanner allocates nothing.

use super::json_number;
use crate::buffer::Buffer;
use crate::call::json_string::{ends_of_plain, plain_length, unescape};
use crate::hash;
use crate::sort::sort;
use alloc::vec::Vec;

/// Deeper text is taken as raw text. Ten times what the contract promises to
/// read; the bound keeps ten megabytes of `[` from costing hundreds.
const MAX_DEPTH: usize = 1_000_000;

/// Buffers larger than this are given back after use.
const KEPT: usize = 1024;

const NULL: u64 = hash::pair(1, 0);
const FALSE: u64 = hash::pair(2, 0);
const TRUE: u64 = hash::pair(2, 1);
const STRING: u64 = 4;
const ARRAY: u64 = 5;
const OBJECT: u64 = 6;
const EMPTY_ARRAY: u64 = hash::pair(ARRAY, 0);
const EMPTY_OBJECT: u64 = hash::pair(OBJECT, 0);

/// A key with its value, by hash, and where the value stands in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub key: u64,
    pub value: u64,
    pub start: u32,
    pub end: u32,
}

/// What the text turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// An object; its entries are in [`Scanner::entries`].
    Object,
    /// Anything else, by hash.
    Other(u64),
}

struct Frame {
    object: bool,
    /// For an array, the hash so far; for an object, the key being read.
    state: u64,
    /// Where this container's entries begin.
    base: usize,
    start: u32,
}

/// See the module's text.
#[derive(Default)]
pub(crate) struct Scanner {
    frames: Vec<Frame>,
    entries: Vec<Entry>,
    unescaped: Buffer,
}

impl Scanner {
    /// Reads the text; `None` if it is not JSON.
    pub fn scan(&mut self, text: &str) -> Option<Scanned> {
        self.frames.clear();
        self.entries.clear();
        if u32::try_from(text.len()).is_err() {
            return None;
        }
        let scanned = self.run(text.as_bytes());
        if self.frames.capacity() > KEPT || self.entries.capacity() > KEPT {
            self.frames.shrink_to(KEPT);
            self.entries.shrink_to(KEPT);
        }
        self.unescaped.shrink_to(KEPT * 16);
        scanned
    }

    /// The entries of the object that was scanned last, without duplicates.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn run(&mut self, text: &[u8]) -> Option<Scanned> {
        let mut at = 0;
        loop {
            at = skip_space(text, at);
            let mut start = at as u32;
            let mut done = match byte(text, at) {
                open @ (b'{' | b'[') => {
                    let object = open == b'{';
                    at = skip_space(text, at + 1);
                    if byte(text, at) == if object { b'}' } else { b']' } {
                        at += 1;
                        if object && self.frames.is_empty() {
                            return at_end(text, at).then_some(Scanned::Object);
                        }
                        if object { EMPTY_OBJECT } else { EMPTY_ARRAY }
                    } else {
                        if self.frames.len() >= MAX_DEPTH {
                            return None;
                        }
                        let mut state = EMPTY_ARRAY;
                        if object {
                            (state, at) = self.key(text, at)?;
                        }
                        let base = self.entries.len();
                        self.frames.push(Frame { object, state, base, start });
                        continue;
                    }
                }
                b'"' => {
                    let (hash, end) = self.string(text, at)?;
                    at = end;
                    hash::pair(STRING, hash)
                }
                letter @ (b't' | b'f' | b'n') => {
                    let (word, hash): (&[u8], u64) = match letter {
                        b't' => (b"true", TRUE),
                        b'f' => (b"false", FALSE),
                        _ => (b"null", NULL),
                    };
                    if !text.get(at..)?.starts_with(word) {
                        return None;
                    }
                    at += word.len();
                    hash
                }
                _ => {
                    let (hash, length) = json_number::scan(text.get(at..)?)?;
                    at += length;
                    hash
                }
            };
            // A value is complete: hand it to its container, and while that
            // completes too, hand it on.
            loop {
                let Some(frame) = self.frames.last_mut() else {
                    return at_end(text, at).then_some(Scanned::Other(done));
                };
                if frame.object {
                    let end = at as u32;
                    self.entries.push(Entry { key: frame.state, value: done, start, end });
                } else {
                    frame.state = hash::pair(frame.state, done);
                }
                at = skip_space(text, at) + 1;
                match (byte(text, at - 1), frame.object) {
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

    fn keep_last_of_each_key(&mut self, base: usize) {
        let Some(own) = self.entries.get_mut(base..) else { return };
        if own.len() <= FEW && all_keys_differ(own) {
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

    /// Hashes the key at `at`; tells where its value's text may begin.
    fn key(&mut self, text: &[u8], at: usize) -> Option<(u64, usize)> {
        let (key, end) = self.string(text, at)?;
        let colon = skip_space(text, end);
        (byte(text, colon) == b':').then_some((key, colon + 1))
    }

    /// Hashes the string at `at`; tells where it ends.
    fn string(&mut self, text: &[u8], at: usize) -> Option<(u64, usize)> {
        if byte(text, at) != b'"' {
            return None;
        }
        let inner = text.get(at + 1..)?;
        if let Some(short) = short_string(inner) {
            let (hash, length) = short;
            return Some((hash, at + length + 2));
        }
        let (plain, rest) = inner.split_at_checked(plain_length(inner))?;
        if rest.first() == Some(&b'"') {
            return Some((hash::bytes(plain), at + plain.len() + 2));
        }
        self.unescaped.clear();
        let length = unescape(inner, &mut self.unescaped)?;
        Some((hash::bytes(self.unescaped.bytes()), at + 1 + length))
    }
}

/// The hash and the length of a string that ends within eight bytes, as most keys
/// do: those need not be read a second time.
#[inline(always)]
fn short_string(text: &[u8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*text.first_chunk::<8>()?);
    let found = ends_of_plain(word);
    if found == 0 {
        return None;
    }
    let bits = found.trailing_zeros() & !7;
    let inside = !(u64::MAX << bits);
    let length = (bits / 8) as usize;
    ((word >> bits) as u8 == b'"').then_some((hash::short(word & inside, length), length))
}

/// So few keys are compared with one another without sorting them.
const FEW: usize = 8;

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

/// The byte there; 0 at the end, which no JSON contains.
#[inline(always)]
fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

#[inline(always)]
fn skip_space(text: &[u8], mut at: usize) -> usize {
    while matches!(byte(text, at), b' ' | b'\t' | b'\n' | b'\r') {
        at += 1;
    }
    at
}

fn at_end(text: &[u8], at: usize) -> bool {
    skip_space(text, at) == text.len()
}

/// The hash of a key, to be compared with [`Entry::key`].
pub(crate) fn key_hash(key: &str) -> u64 {
    hash::bytes(key.as_bytes())
}

/// The hash of `""`, to be compared with [`Entry::value`].
pub(crate) fn empty_string() -> u64 {
    hash::pair(STRING, hash::bytes(b""))
}

/// The hash of an object with these entries, in any order.
pub(crate) fn object_hash<'e>(entries: impl Iterator<Item = &'e Entry>) -> u64 {
    let sum = entries.fold(0u64, |sum, entry| sum.wrapping_add(hash::pair(entry.key, entry.value)));
    hash::pair(OBJECT, sum)
}

#[cfg(test)]
mod tests;
