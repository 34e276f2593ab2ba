//! One pass over JSON text that yields a hash of its meaning.
//!
//! Two texts have the same hash when `JSON.parse` would read the same from
//! them: white space, key order, escapes and number forms do not count, and of
//! duplicate keys the last wins. (Integers beyond 2^53 are kept apart, see
//! `number`.) Text that is not JSON has no hash here; the caller takes it raw.
//!
//! Objects are hashed as a sum over their entries, so keys need no sorting for
//! the hash itself; entries are sorted by key hash only to find duplicates.
//! Nothing recurses: a hundred thousand levels are a longer list, not a deeper
//! stack. The buffers are kept between calls, so a warm scanner allocates nothing.

use super::number;
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
    unescaped: Vec<u8>,
}

impl Scanner {
    /// Reads the text; `None` if it is not JSON.
    pub fn scan(&mut self, text: &str) -> Option<Scanned> {
        self.frames.clear();
        self.entries.clear();
        if u32::try_from(text.len()).is_err() {
            return None;
        }
        let scanned = self.run(&mut Cursor { text: text.as_bytes(), at: 0 });
        self.frames.shrink_to(KEPT);
        self.entries.shrink_to(KEPT);
        self.unescaped.shrink_to(KEPT * 16);
        scanned
    }

    /// The entries of the object that was scanned last, without duplicates.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn run(&mut self, cursor: &mut Cursor<'_>) -> Option<Scanned> {
        loop {
            cursor.skip_space();
            let mut start = cursor.at as u32;
            let mut done = match cursor.peek()? {
                open @ (b'{' | b'[') => {
                    let object = open == b'{';
                    cursor.at += 1;
                    cursor.skip_space();
                    if cursor.peek()? == if object { b'}' } else { b']' } {
                        cursor.at += 1;
                        if object && self.frames.is_empty() {
                            return cursor.at_end().then_some(Scanned::Object);
                        }
                        if object { hash::pair(OBJECT, 0) } else { hash::pair(ARRAY, 0) }
                    } else {
                        if self.frames.len() >= MAX_DEPTH {
                            return None;
                        }
                        let state = if object { self.key(cursor)? } else { hash::pair(ARRAY, 0) };
                        let base = self.entries.len();
                        self.frames.push(Frame { object, state, base, start });
                        continue;
                    }
                }
                b'"' => hash::pair(STRING, self.string(cursor)?),
                b't' => cursor.word(b"true", TRUE)?,
                b'f' => cursor.word(b"false", FALSE)?,
                b'n' => cursor.word(b"null", NULL)?,
                _ => {
                    let (hash, length) = number::scan(cursor.rest())?;
                    cursor.at += length;
                    hash
                }
            };
            // A value is complete: hand it to its container, and while that
            // completes too, hand it on.
            loop {
                let Some(frame) = self.frames.last_mut() else {
                    return cursor.at_end().then_some(Scanned::Other(done));
                };
                if frame.object {
                    let end = cursor.at as u32;
                    self.entries.push(Entry { key: frame.state, value: done, start, end });
                } else {
                    frame.state = hash::pair(frame.state, done);
                }
                cursor.skip_space();
                match (cursor.next()?, frame.object) {
                    (b',', false) => break,
                    (b',', true) => {
                        cursor.skip_space();
                        let key = self.key(cursor)?;
                        self.frames.last_mut()?.state = key;
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
                            return cursor.at_end().then_some(Scanned::Object);
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

    fn key(&mut self, cursor: &mut Cursor<'_>) -> Option<u64> {
        let key = self.string(cursor)?;
        cursor.skip_space();
        (cursor.next()? == b':').then_some(key)
    }

    /// Hashes the string that the cursor stands on.
    fn string(&mut self, cursor: &mut Cursor<'_>) -> Option<u64> {
        if cursor.next()? != b'"' {
            return None;
        }
        let rest = cursor.rest();
        let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        if rest.get(end) == Some(&b'"') {
            cursor.at += end + 1;
            return Some(hash::bytes(rest.get(..end)?));
        }
        self.unescaped.clear();
        cursor.at += unescape(rest, &mut self.unescaped)?;
        Some(hash::bytes(&self.unescaped))
    }
}

/// The hash of a key, to be compared with [`Entry::key`].
pub(crate) fn key_hash(key: &str) -> u64 {
    hash::bytes(key.as_bytes())
}

/// The hash of an object with these entries, in any order.
pub(crate) fn object_hash<'e>(entries: impl Iterator<Item = &'e Entry>) -> u64 {
    let sum = entries.fold(0u64, |sum, entry| sum.wrapping_add(hash::pair(entry.key, entry.value)));
    hash::pair(OBJECT, sum)
}

/// Reads the inside of a JSON string, resolves its escapes and stops after the
/// closing quote; tells how many bytes were read. Half a surrogate pair becomes
/// U+FFFD, as it does when JavaScript encodes it.
pub(crate) fn unescape(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        out.extend_from_slice(rest.get(..plain)?);
        at += plain + 2;
        match (rest.get(plain)?, rest.get(plain + 1)) {
            (b'"', _) => return Some(at - 1),
            (b'\\', Some(escape)) => match escape {
                b'"' | b'\\' | b'/' => out.push(*escape),
                b'b' => out.push(8),
                b'f' => out.push(12),
                b'n' => out.push(b'\n'),
                b'r' => out.push(b'\r'),
                b't' => out.push(b'\t'),
                b'u' => {
                    let first = hex4(text, at)?;
                    at += 4;
                    let high = (0xD800..0xDC00).contains(&first);
                    let second = if high && text.get(at..at + 2) == Some(br"\u") {
                        hex4(text, at + 2).filter(|code| (0xDC00..0xE000).contains(code))
                    } else {
                        None
                    };
                    let code = match second {
                        Some(low) => {
                            at += 6;
                            0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00)
                        }
                        None => first,
                    };
                    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return None,
            },
            _ => return None,
        }
    }
}

fn hex4(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 4)?
        .iter()
        .try_fold(0u32, |code, digit| Some(code * 16 + char::from(*digit).to_digit(16)?))
}

struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Cursor<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &[u8], hash: u64) -> Option<u64> {
        self.rest().starts_with(word).then(|| {
            self.at += word.len();
            hash
        })
    }

    fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }
}

#[cfg(test)]
mod tests;
