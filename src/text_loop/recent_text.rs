//! Keeps the end of the text as it was written, to show people what repeats.

use super::grapheme::{first_units, from_whole_character};
use super::symbol::CharClass;
use crate::concat::cat;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// How many bytes of the text can be quoted.
const QUOTABLE: usize = 384;
/// The minimum that is kept: a little more, because cuts are made between characters.
const KEPT: usize = QUOTABLE + 8;
/// The maximum that is kept: the text may grow before it is cut again.
pub(super) const MAX_BYTES: usize = 2 * KEPT;
/// How many UTF-16 units of a unit are shown.
const MAX_SHOWN: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct RecentText {
    text: String,
}

impl RecentText {
    pub fn clear(&mut self) {
        self.text.clear();
    }

    pub fn push(&mut self, chunk: &str) {
        if self.text.capacity() < MAX_BYTES {
            self.text.reserve_exact(MAX_BYTES - self.text.len());
        }
        let chunk = last_bytes(chunk, KEPT);
        if self.text.len() + chunk.len() > MAX_BYTES {
            let cut = self.text.len() - last_bytes(&self.text, KEPT).len();
            let mut bytes = core::mem::take(&mut self.text).into_bytes();
            // `Vec::drain` contains a panic, which the event path must not have.
            let mut at = 0;
            bytes.retain(|_| {
                at += 1;
                at > cut
            });
            self.text = String::from_utf8(bytes).unwrap_or_default();
        }
        self.text.push_str(chunk);
    }

    /// Quotes the repeated unit, with `chunk` and `c` added to the text: the `units` UTF-16
    /// units that ended `ago` units before the end. If these are no longer kept, quotes
    /// what follows the first break in the kept text.
    pub fn quote(&self, chunk: &str, c: char, ago: u32, units: u32) -> String {
        let mut text = cat(&[&self.text, last_bytes(chunk, KEPT)]);
        text.push(c);
        quote(last_bytes(&text, QUOTABLE), ago as usize, units as usize)
    }

    /// Returns whether text loaded from a snapshot is possible.
    pub fn is_valid(&self) -> bool {
        self.text.len() <= MAX_BYTES
    }
}

/// Returns the end of a text, at most that many bytes long.
fn last_bytes(text: &str, most: usize) -> &str {
    let mut from = text.len().saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.get(from..).unwrap_or_default()
}

fn quote(text: &str, ago: usize, units: usize) -> String {
    let mut length = 0;
    let mut from = None;
    let mut to = if ago == 0 { Some(text.len()) } else { None };
    for (at, c) in text.char_indices().rev() {
        length += c.len_utf16();
        if to.is_none() && length >= ago {
            to = Some(at);
        }
        if length >= ago.saturating_add(units) {
            from = Some(at);
            break;
        }
    }
    let piece = match (from, to) {
        (Some(from), Some(to)) => text.get(from..to),
        _ => text.get(first_break(text)..),
    };
    let piece = from_whole_character(piece.unwrap_or_default());
    let trimmed = piece.trim_ascii();
    // If only white space repeats, show that.
    let whole = if trimmed.is_empty() { piece } else { trimmed };
    let start = first_units(whole, MAX_SHOWN);
    cat(&[start, if start.len() < whole.len() { "…" } else { "" }])
}

/// Returns where the first whole sentence or line begins.
fn first_break(text: &str) -> usize {
    let mut has_ended = false;
    for (at, c) in text.char_indices() {
        let is_blank = CharClass::of(c) == CharClass::Blank;
        if has_ended && !is_blank {
            return at;
        }
        has_ended =
            matches!(c, '\n' | '.' | '!' | '?' | '。' | '！' | '？') || (has_ended && is_blank);
    }
    0
}
