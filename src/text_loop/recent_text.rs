//! The last of the text as it was written, to show people what repeats.

use super::grapheme::{first_units, from_whole_character};
use super::symbol::{Class, class};
use crate::concat::cat;
use crate::snapshot::codec::{Reader, Writer};
use alloc::string::String;

/// Bytes of the text that are looked at.
const KEPT: usize = 384;
/// What is stored: a little more, as cuts fall between characters, and room for
/// the text to grow before it is cut again.
const STORED: usize = KEPT + 8;
pub(super) const ROOM: usize = 2 * STORED;
/// UTF-16 units that are shown of a unit.
const SHOWN: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RecentText {
    text: String,
}

impl RecentText {
    pub fn clear(&mut self) {
        self.text.clear();
    }

    pub fn push(&mut self, chunk: &str) {
        if self.text.capacity() < ROOM {
            self.text.reserve_exact(ROOM);
        }
        let chunk = last_bytes(chunk, STORED);
        if self.text.len() + chunk.len() > ROOM {
            let cut = self.text.len() - last_bytes(&self.text, STORED).len();
            let mut bytes = core::mem::take(&mut self.text).into_bytes();
            crate::vec_ext::remove(&mut bytes, 0, cut);
            self.text = String::from_utf8(bytes).unwrap_or_default();
        }
        self.text.push_str(chunk);
    }

    /// The end of the text after this much more of it, wherever chunks broke.
    pub fn with(&self, chunk: &str, c: char) -> String {
        let mut text = cat(&[&self.text, last_bytes(chunk, STORED)]);
        text.push(c);
        String::from(last_bytes(&text, KEPT))
    }

    pub fn save(&self, out: &mut Writer) {
        out.text(&self.text);
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let text = from.text();
        (text.len() <= ROOM).then(|| Self { text: String::from(text) })
    }
}

/// The end of a text: at most so many bytes.
fn last_bytes(text: &str, most: usize) -> &str {
    let mut from = text.len().saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.get(from..).unwrap_or_default()
}

/// The unit as people are shown it: that of `units` UTF-16 units which ended
/// `ago` units before the end of the text. If that is too long ago, what follows
/// the last break in the text that is known.
pub(super) fn shown(text: &str, ago: u32, units: u32) -> String {
    let (ago, units) = (ago as usize, units as usize);
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
        _ => text.get(last_break(text)..),
    };
    let piece = from_whole_character(piece.unwrap_or_default());
    let whole = piece.trim_ascii();
    // White space that repeats is all there is to show.
    let whole = if whole.is_empty() { piece } else { whole };
    let start = first_units(whole, SHOWN);
    cat(&[start, if start.len() < whole.len() { "…" } else { "" }])
}

/// Where the first sentence or line begins that is wholly known.
fn last_break(text: &str) -> usize {
    let mut ended = false;
    for (at, c) in text.char_indices() {
        let blank = class(c) == Class::Blank;
        if ended && !blank {
            return at;
        }
        ended = matches!(c, '\n' | '.' | '!' | '?' | '。' | '！' | '？') || (ended && blank);
    }
    0
}
