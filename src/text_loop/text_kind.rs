//! Distinguishes prose from lists, tables, data and code, where repetition is normal.
//!
//! The line so far decides, one character at a time, so that it does not matter where
//! chunks break.

use super::symbol::{CharClass, ascii_traits};
use serde::{Deserialize, Serialize};

/// The kind of text that a character is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum TextKind {
    #[default]
    Prose,
    /// A list, a table, a heading, a quotation, data or a log.
    Structured,
    Code,
}

/// How many characters of a line are classified by its beginning; the rest of a very long
/// line is classified by itself.
const MAX_LINE: u32 = 100;
/// One bar, separator or wide gap in this many characters makes a table.
const TABLE_CELL: u32 = 40;
/// How many leading spaces make a line code.
const CODE_INDENT: u32 = 4;
/// What each character that is typical of data and code adds to a moving sum over
/// about 64 characters.
const CODE_SIGN: u32 = 512;
/// The moving sum if a tenth of all characters are such signs; prose stays below.
const DENSE_SIGNS: u32 = 64 * CODE_SIGN / 10;
/// A word of more characters than this is a blob, such as base64.
const MAX_WORD: u32 = 40;

/// The line so far, and what carries over from the lines before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Line {
    /// Characters in this line.
    length: u32,
    /// Spaces at its start. Equal to `length` as long as nothing else has come.
    indent: u32,
    /// It begins like structured text: structured for its first [`MAX_LINE`]
    /// characters.
    starts_structured: bool,
    /// It begins as only tables, markup, data and quotations do: structured to its end.
    is_structured: bool,
    /// The previous line was structured: indented lines below it belong to it.
    follows_structured: bool,
    /// It begins with a bullet, if a space follows.
    maybe_bullet: bool,
    /// A hash of the letters it begins with; 0 once another character came.
    first_word: u32,
    first_word_is_upper: bool,
    bars: u32,
    /// Commas and semicolons without a space after them.
    separators: u32,
    /// Tabs, and three spaces in a row, inside the line.
    gaps: u32,
    after_separator: bool,
    /// How many spaces the line ends with so far.
    trailing_blanks: u32,
    /// How many equal fence characters the line ends with so far, and which.
    fence_run: u32,
    fence_run_is_tilde: bool,
    /// The length of the fence that opened a code block (0 outside one), and its character.
    open_fence: u32,
    open_fence_is_tilde: bool,
    /// The moving sum of code signs.
    sign_density: u32,
    /// Characters of the word so far, if it could be base64.
    word_length: u32,
}

/// The words that log lines begin with: in capitals, or before a colon.
const LOG_LEVELS: [u32; 8] = [
    hash_word(b"INFO"),
    hash_word(b"WARN"),
    hash_word(b"WARNING"),
    hash_word(b"ERROR"),
    hash_word(b"DEBUG"),
    hash_word(b"TRACE"),
    hash_word(b"FATAL"),
    hash_word(b"NOTICE"),
];

const fn hash_word(word: &[u8]) -> u32 {
    let mut hash = 0;
    let mut rest = word;
    while let [first, others @ ..] = rest {
        hash = add_letter(hash, *first);
        rest = others;
    }
    hash
}

const fn add_letter(hash: u32, letter: u8) -> u32 {
    hash.wrapping_mul(31).wrapping_add(letter as u32)
}

impl Line {
    /// Returns whether the last character is deep inside a long word.
    pub fn is_in_blob(&self) -> bool {
        self.word_length > MAX_WORD
    }

    /// Returns whether the line did not begin like structured text, however long it is.
    pub fn starts_as_prose(&self) -> bool {
        !self.starts_structured && !self.is_structured
    }

    /// Returns the length so far of the word that the last character is part of.
    pub fn word_length(&self) -> u32 {
        self.word_length
    }

    /// Adds a character; returns the kind of text that it is part of.
    #[inline(always)]
    pub fn push(&mut self, c: char, class: CharClass) -> TextKind {
        self.track_fences(c);
        if c == '\n' {
            self.end();
            return self.kind();
        }
        self.sign_density -= self.sign_density / 64;
        match ascii_traits(c) {
            Some(traits) => {
                let added = u32::from(traits.code_sign) * (CODE_SIGN / 2);
                self.sign_density = self.sign_density.saturating_add(added);
                self.word_length =
                    if traits.is_word_part { self.word_length.saturating_add(1) } else { 0 };
            }
            None => self.word_length = 0,
        }
        self.track_start(c, class);
        self.track_cells(c, class);
        self.length = self.length.saturating_add(1);
        self.kind()
    }

    /// Returns the kind of text that the last character is part of.
    pub fn kind(&self) -> TextKind {
        if self.open_fence > 0 || (self.indent >= CODE_INDENT && self.length < MAX_LINE) {
            return TextKind::Code;
        }
        let cells = self.bars.saturating_add(self.separators).saturating_add(self.gaps);
        let is_table = cells >= 2 && cells.saturating_mul(TABLE_CELL) >= self.length;
        let is_structured =
            self.is_structured || (self.starts_structured && self.length < MAX_LINE);
        if is_structured || is_table || self.sign_density > DENSE_SIGNS {
            TextKind::Structured
        } else {
            TextKind::Prose
        }
    }

    fn end(&mut self) {
        let is_blank = self.length == self.indent;
        *self = Self {
            follows_structured: if is_blank {
                self.follows_structured
            } else {
                self.kind() == TextKind::Structured
            },
            fence_run: self.fence_run,
            fence_run_is_tilde: self.fence_run_is_tilde,
            open_fence: self.open_fence,
            open_fence_is_tilde: self.open_fence_is_tilde,
            sign_density: self.sign_density,
            ..Self::default()
        };
    }

    /// Tracks code fences. A run of three or more backticks opens a code block, wherever it
    /// is; one at least as long closes it. Tildes do so only at the start of a line.
    #[inline(always)]
    fn track_fences(&mut self, c: char) {
        if c == '`' || c == '~' {
            let is_tilde = c == '~';
            if self.fence_run > 0 && self.fence_run_is_tilde == is_tilde {
                self.fence_run = self.fence_run.saturating_add(1);
                return;
            }
            self.end_fence_run();
            if !is_tilde || self.length == self.indent {
                self.fence_run = 1;
                self.fence_run_is_tilde = is_tilde;
            }
        } else if self.fence_run > 0 {
            self.end_fence_run();
        }
    }

    fn end_fence_run(&mut self) {
        if self.fence_run >= 3 {
            if self.open_fence == 0 {
                self.open_fence = self.fence_run;
                self.open_fence_is_tilde = self.fence_run_is_tilde;
            } else if self.fence_run_is_tilde == self.open_fence_is_tilde
                && self.fence_run >= self.open_fence
            {
                self.open_fence = 0;
            }
        }
        self.fence_run = 0;
    }

    /// Classifies the line by its first characters.
    #[inline(always)]
    fn track_start(&mut self, c: char, class: CharClass) {
        if self.maybe_bullet {
            self.maybe_bullet = false;
            self.starts_structured |= class == CharClass::Blank;
        }
        if self.first_word != 0 {
            if c.is_ascii_alphabetic() {
                self.first_word_is_upper &= c.is_ascii_uppercase();
                self.first_word = add_letter(self.first_word, c.to_ascii_uppercase() as u8);
            } else {
                self.starts_structured |=
                    (self.first_word_is_upper || c == ':') && LOG_LEVELS.contains(&self.first_word);
                self.first_word = 0;
            }
        }
        if self.length != self.indent {
            return;
        }
        match c {
            ' ' => self.indent = self.indent.saturating_add(1),
            '\t' => {
                // One character that indents by four: the length must still equal the
                // indent afterwards.
                self.indent = self.indent.saturating_add(CODE_INDENT);
                self.length = self.indent - 1;
            }
            '>' | '|' | '<' | '{' | '}' => self.is_structured = true,
            '#' | '[' | ']' => self.starts_structured = true,
            '-' | '*' | '+' | '•' | '·' | '–' | '—' | '◦' | '▪' | '‣' | '●' | '○' =>
            {
                self.maybe_bullet = true;
            }
            'a'..='z' | 'A'..='Z' => {
                self.first_word_is_upper = c.is_ascii_uppercase();
                self.first_word = add_letter(0, c.to_ascii_uppercase() as u8);
            }
            _ => self.starts_structured = class == CharClass::Digit,
        }
        self.starts_structured |=
            self.follows_structured && self.indent > 0 && self.length == self.indent;
    }

    /// Counts what separates the cells of a table or of data.
    #[inline(always)]
    fn track_cells(&mut self, c: char, class: CharClass) {
        if class == CharClass::Blank {
            self.after_separator = false;
            self.trailing_blanks = self.trailing_blanks.saturating_add(1);
            if c == '\t' || self.trailing_blanks == 3 {
                self.gaps = self.gaps.saturating_add(u32::from(self.length > self.indent));
            }
            return;
        }
        self.trailing_blanks = 0;
        self.separators = self.separators.saturating_add(u32::from(self.after_separator));
        self.after_separator = matches!(c, ',' | ';');
        self.bars = self.bars.saturating_add(u32::from(c == '|'));
    }

    /// Returns whether a line loaded from a snapshot is possible.
    pub fn is_valid(&self) -> bool {
        self.indent <= self.length && self.trailing_blanks <= self.length
    }
}
