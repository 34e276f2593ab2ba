//! What a character stands in: ordinary text, a list, a table, data, or code.
//! Decided from the line so far, one character at a time, so that it does not
//! matter where chunks break.

use super::symbol::{self, Class};
use super::{Visit, flag};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Shape {
    #[default]
    Prose,
    Shaped,
    Code,
}

/// A line stays what its first characters make it for so long; an endless one
/// is judged by what comes.
const LINE: u32 = 100;
/// One bar, separator or wide gap in so many characters makes a table.
const CELL: u32 = 40;
/// Blanks that make a line code.
const INDENT: u32 = 4;
/// A moving sum over the last 64 characters or so, to which each sign that data
/// and code are full of adds this.
const SIGN: u32 = 512;
/// A tenth of all characters: prose does not get there.
const DENSE: u32 = 64 * SIGN / 10;
/// A word of more characters than this is not a word but a blob.
const WORD: u32 = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lines {
    /// Characters in this line.
    length: u32,
    /// Blanks at its start; stays when something else comes.
    indent: u32,
    /// It begins like a list, a table, a heading, a quotation, data or a log.
    shaped: bool,
    /// It begins with what nothing but a table, markup, data or a quotation does,
    /// and is that to its end.
    marked: bool,
    /// The line before was such a line: what is indented below it belongs to it.
    below: bool,
    /// What a line may begin with if a blank follows.
    bullet: bool,
    /// A hash of the letters that it begins with, and whether all are capitals.
    letters: u32,
    capitals: bool,
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

/// The words that a line of a log begins with: in capitals, or before a colon.
const LEVELS: [u32; 8] = [
    hashed(b"INFO"),
    hashed(b"WARN"),
    hashed(b"WARNING"),
    hashed(b"ERROR"),
    hashed(b"DEBUG"),
    hashed(b"TRACE"),
    hashed(b"FATAL"),
    hashed(b"NOTICE"),
];

const fn hashed(word: &[u8]) -> u32 {
    let mut hash = 0;
    let mut rest = word;
    while let [first, tail @ ..] = rest {
        hash = with_letter(hash, *first);
        rest = tail;
    }
    hash
}

const fn with_letter(hash: u32, letter: u8) -> u32 {
    hash.wrapping_mul(31).wrapping_add(letter as u32)
}

impl Lines {
    /// Whether the character before stood deep inside a long word.
    pub fn in_blob(&self) -> bool {
        self.word > WORD
    }

    /// Whether the line did not begin like a list or data, however long it is.
    pub fn began_as_prose(&self) -> bool {
        !self.shaped && !self.marked
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
        self.signs -= self.signs / 64;
        match symbol::known(c) {
            Some(known) => {
                self.signs = self.signs.saturating_add(u32::from(known.sign) * (SIGN / 2));
                self.word = if known.joins { self.word.saturating_add(1) } else { 0 };
            }
            None => self.word = 0,
        }
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
        let cells = self.bars.saturating_add(self.separators).saturating_add(self.gaps);
        let table = cells >= 2 && cells.saturating_mul(CELL) >= self.length;
        let shaped = self.marked || (self.shaped && self.length < LINE);
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

    /// The first characters of a line.
    #[inline(always)]
    fn start(&mut self, c: char, class: Class) {
        if self.bullet {
            self.bullet = false;
            self.shaped |= class == Class::Blank;
        }
        if self.letters != 0 {
            if c.is_ascii_alphabetic() {
                self.capitals &= c.is_ascii_uppercase();
                self.letters = with_letter(self.letters, c.to_ascii_uppercase() as u8);
            } else {
                self.shaped |= (self.capitals || c == ':') && LEVELS.contains(&self.letters);
                self.letters = 0;
            }
        }
        if self.length != self.indent {
            return;
        }
        match c {
            ' ' => self.indent = self.indent.saturating_add(1),
            '\t' => {
                // Nothing but the tab: the line has its indent and length at once.
                self.indent = self.indent.saturating_add(INDENT);
                self.length = self.indent - 1;
            }
            '>' | '|' | '<' | '{' | '}' => self.marked = true,
            '#' | '[' | ']' => self.shaped = true,
            '-' | '*' | '+' | '•' | '·' | '–' | '—' | '◦' | '▪' | '‣' | '●' | '○' =>
            {
                self.bullet = true;
            }
            'a'..='z' | 'A'..='Z' => {
                self.capitals = c.is_ascii_uppercase();
                self.letters = with_letter(0, c.to_ascii_uppercase() as u8);
            }
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
                self.gaps = self.gaps.saturating_add(u32::from(self.length > self.indent));
            }
            return;
        }
        self.blanks = 0;
        self.separators = self.separators.saturating_add(u32::from(self.after_separator));
        self.after_separator = matches!(c, ',' | ';');
        self.bars = self.bars.saturating_add(u32::from(c == '|'));
    }

    pub fn each(&mut self, visit: Visit<'_>) {
        visit(&mut self.length);
        visit(&mut self.indent);
        visit(&mut self.letters);
        visit(&mut self.bars);
        visit(&mut self.separators);
        visit(&mut self.gaps);
        visit(&mut self.blanks);
        visit(&mut self.ticks);
        visit(&mut self.fence);
        visit(&mut self.signs);
        visit(&mut self.word);
        flag(&mut self.shaped, visit);
        flag(&mut self.marked, visit);
        flag(&mut self.below, visit);
        flag(&mut self.bullet, visit);
        flag(&mut self.capitals, visit);
        flag(&mut self.after_separator, visit);
        flag(&mut self.tilde, visit);
        flag(&mut self.fence_tilde, visit);
    }
}
