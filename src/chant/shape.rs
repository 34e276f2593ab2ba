//! What a character stands in: ordinary text, a list, a table, data, or code.
//! Decided from the line so far, one character at a time, so that it does not
//! matter where chunks break.

use super::symbol::Class;
use crate::codec::{Reader, Writer};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Prose,
    Shaped,
    Code,
}

/// A line stays what its first characters make it for so long; an endless one
/// is judged by what comes.
const LINE: u32 = 100;
/// One bar, separator or wide gap in so many characters makes a table.
const CELL: u32 = 20;
/// Blanks that make a line code.
const INDENT: u32 = 4;
/// A moving sum over the last 64 characters or so, to which each sign that data
/// and code are full of adds this.
const SIGN: u32 = 512;
/// A seventh of all characters: prose does not get there.
const DENSE: u32 = 64 * SIGN / 7;
/// A word of more characters than this is not a word but a blob.
const WORD: u32 = 40;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lines {
    /// Characters in this line.
    length: u32,
    /// Blanks at its start; stays when something else comes.
    indent: u32,
    /// It begins like a list, a table, a heading, a quotation, data or a log.
    shaped: bool,
    /// The line before was such a line: what is indented below it belongs to it.
    below: bool,
    /// What a line may begin with if a blank follows.
    bullet: bool,
    /// The capitals that it begins with, as far as they fit.
    capitals: u64,
    /// Bars, separators without a blank after them, wide gaps.
    bars: u32,
    separators: u32,
    gaps: u32,
    /// A separator came last; so many blanks came last.
    after_separator: bool,
    blanks: u32,
    /// So many equal fence characters came last, and whether they began the line.
    ticks: u32,
    tilde: bool,
    /// How long the fence was that opened a code block, and whether of tildes.
    fence: u32,
    fence_tilde: bool,
    /// The moving sum of signs.
    signs: u32,
    /// Characters of the word so far, if they could be base64.
    word: u32,
}

/// The words that a line of a log begins with.
const LEVELS: [u64; 8] = [
    packed(b"INFO"),
    packed(b"WARN"),
    packed(b"WARNING"),
    packed(b"ERROR"),
    packed(b"DEBUG"),
    packed(b"TRACE"),
    packed(b"FATAL"),
    packed(b"NOTICE"),
];

const fn packed(word: &[u8]) -> u64 {
    let mut value = 0;
    let mut rest = word;
    while let [first, tail @ ..] = rest {
        value = value << 8 | *first as u64;
        rest = tail;
    }
    value
}

impl Lines {
    /// Whether the character before stood deep inside a long word.
    pub fn in_blob(&self) -> bool {
        self.word > WORD
    }

    /// How long the word is that the character before stood in.
    pub fn word(&self) -> u32 {
        self.word
    }

    #[inline(always)]
    pub fn take(&mut self, c: char, class: Class) -> Shape {
        self.fences(c);
        if c == '\n' {
            self.end();
            return self.shape();
        }
        self.lengthen(c, class);
        self.signs = self.signs - self.signs / 64 + sign(c);
        self.start(c, class);
        self.inside(c, class);
        self.length = self.length.saturating_add(1);
        self.shape()
    }

    /// What the last character stood in.
    pub fn shape(&self) -> Shape {
        if self.fence > 0 || (self.indent >= INDENT && self.length < LINE) {
            return Shape::Code;
        }
        let cells = self.bars.max(self.separators).max(self.gaps);
        let table = cells >= 2 && cells.saturating_mul(CELL) >= self.length;
        let shaped = self.shaped && self.length < LINE;
        if shaped || table || self.signs > DENSE { Shape::Shaped } else { Shape::Prose }
    }

    fn end(&mut self) {
        let blank = self.length == self.indent;
        *self = Self {
            below: if blank { self.below } else { self.shape() == Shape::Shaped },
            ticks: self.ticks,
            tilde: self.tilde,
            fence: self.fence,
            fence_tilde: self.fence_tilde,
            signs: self.signs,
            ..Self::default()
        };
    }

    /// A run of three or more backticks opens a code block, wherever it stands;
    /// one at least as long ends it. Tildes do so at the start of a line only.
    #[inline(always)]
    fn fences(&mut self, c: char) {
        if c == '`' || c == '~' {
            let tilde = c == '~';
            let goes_on = self.ticks > 0 && self.tilde == tilde;
            if goes_on {
                self.ticks = self.ticks.saturating_add(1);
                return;
            }
            self.close_ticks();
            if !tilde || self.length == self.indent {
                self.ticks = 1;
                self.tilde = tilde;
            }
        } else if self.ticks > 0 {
            self.close_ticks();
        }
    }

    fn close_ticks(&mut self) {
        if self.ticks >= 3 {
            if self.fence == 0 {
                self.fence = self.ticks;
                self.fence_tilde = self.tilde;
            } else if self.tilde == self.fence_tilde && self.ticks >= self.fence {
                self.fence = 0;
            }
        }
        self.ticks = 0;
    }

    #[inline(always)]
    fn lengthen(&mut self, c: char, class: Class) {
        let joins = c.is_ascii()
            && (class == Class::Letter || class == Class::Digit || matches!(c, '+' | '/' | '=' | '-' | '_'));
        self.word = if joins { self.word.saturating_add(1) } else { 0 };
    }

    /// The first characters of a line.
    #[inline(always)]
    fn start(&mut self, c: char, class: Class) {
        if self.bullet {
            self.bullet = false;
            self.shaped |= class == Class::Blank;
        }
        if self.capitals != 0 {
            if c.is_ascii_uppercase() && self.capitals >> 48 == 0 {
                self.capitals = self.capitals << 8 | u64::from(c as u8);
            } else {
                self.shaped |= LEVELS.contains(&self.capitals);
                self.capitals = 0;
            }
        }
        if self.length != self.indent {
            return;
        }
        match c {
            ' ' => self.indent += 1,
            '\t' => {
                // Nothing but the tab: the line has its indent and length at once.
                self.indent = self.indent.saturating_add(INDENT);
                self.length = self.indent - 1;
            }
            '#' | '>' | '|' | '<' | '{' | '}' | '[' | ']' => self.shaped = true,
            '-' | '*' | '+' | '•' | '·' | '–' | '—' | '◦' | '▪' | '‣' | '●' | '○' => {
                self.bullet = true;
            }
            'A'..='Z' => self.capitals = u64::from(c as u8),
            _ => self.shaped = class == Class::Digit,
        }
        self.shaped |= self.below && self.indent > 0 && self.length == self.indent;
    }

    /// Signs of a table or of data anywhere in the line.
    #[inline(always)]
    fn inside(&mut self, c: char, class: Class) {
        if class == Class::Blank {
            self.after_separator = false;
            self.blanks = self.blanks.saturating_add(1);
            if c == '\t' || self.blanks == 3 {
                self.gaps += u32::from(self.length > self.indent);
            }
            return;
        }
        self.blanks = 0;
        self.separators = self.separators.saturating_add(u32::from(self.after_separator));
        self.after_separator = matches!(c, ',' | ';');
        self.bars = self.bars.saturating_add(u32::from(c == '|'));
    }

    fn numbers(&mut self) -> [&mut u32; 10] {
        [
            &mut self.length,
            &mut self.indent,
            &mut self.bars,
            &mut self.separators,
            &mut self.gaps,
            &mut self.blanks,
            &mut self.ticks,
            &mut self.fence,
            &mut self.signs,
            &mut self.word,
        ]
    }

    fn flags(&mut self) -> [&mut bool; 6] {
        [
            &mut self.shaped,
            &mut self.below,
            &mut self.bullet,
            &mut self.after_separator,
            &mut self.tilde,
            &mut self.fence_tilde,
        ]
    }

    pub fn save(&self, out: &mut Writer) {
        let mut copy = self.clone();
        copy.numbers().into_iter().for_each(|number| out.count((*number).into()));
        copy.flags().into_iter().for_each(|flag| out.flag(*flag));
        out.hash(self.capitals);
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut lines = Self::default();
        for number in lines.numbers() {
            *number = from.small()?;
        }
        for flag in lines.flags() {
            *flag = from.flag()?;
        }
        lines.capitals = from.hash()?;
        Some(lines)
    }
}

/// Quotation marks are half a sign: people use them too.
fn sign(c: char) -> u32 {
    match c {
        '{' | '}' | '[' | ']' | '<' | '>' | '=' | ';' | '|' | '\\' | '$' => SIGN,
        '"' => SIGN / 2,
        _ => 0,
    }
}
