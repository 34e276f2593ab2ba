//! Text as symbols that are compared: white space is one symbol whatever its
//! kind, a number is one symbol whatever its digits, capitals are small letters.
//!
//! A symbol is 16 bits: what it is (12), how many UTF-16 units it stands for
//! less one (3), and whether it is a number (1). Numbers are the same symbol but
//! keep a hash of their digits, which tells whether they changed.

/// Sixteen bits of text.
pub(super) type Symbol = u16;

const NUMBER: Symbol = 0x8000;
const KIND: Symbol = 0x8FFF;
/// The most units that one symbol stands for; longer runs take several.
pub(super) const LONGEST: u32 = 8;

/// What a character is, as far as this room cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Letter,
    Digit,
    Blank,
    Mark,
}

#[inline(always)]
pub(super) fn class(c: char) -> Class {
    match ASCII.get(c as usize) {
        Some(known) => known.class,
        None => class_beyond_ascii(c),
    }
}

/// What is known of a character at a glance.
#[derive(Clone, Copy)]
pub(super) struct Known {
    class: Class,
    /// A sign that data and code are full of: 2, or 1 if people use it too.
    pub sign: u8,
    /// May stand in base64, paths and names.
    pub joins: bool,
}

/// A table is smaller and faster than a chain of comparisons.
const ASCII: [Known; 128] = {
    let mut table = [Known { class: Class::Mark, sign: 0, joins: false }; 128];
    let mut code = 0u8;
    let mut rest: &mut [Known] = &mut table;
    while let [known, tail @ ..] = rest {
        known.class = match code {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t'..=b'\r' => Class::Blank,
            _ => Class::Mark,
        };
        known.sign = match code {
            b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'=' | b';' | b'|' | b'\\' | b'$' => 2,
            b'"' => 1,
            _ => 0,
        };
        known.joins =
            code.is_ascii_alphanumeric() || matches!(code, b'+' | b'/' | b'=' | b'-' | b'_');
        code += 1;
        rest = tail;
    }
    table
};

/// `None` for a character beyond ASCII, which is neither a sign nor part of base64.
#[inline(always)]
pub(super) fn known(c: char) -> Option<Known> {
    ASCII.get(c as usize).copied()
}

fn class_beyond_ascii(c: char) -> Class {
    match c {
        '\u{80}'..='\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' => Class::Blank,
        '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}' => Class::Blank,
        // Digits of other scripts, and the numerals that Chinese and Japanese count with.
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{966}'..='\u{96F}' => Class::Digit,
        '\u{9E6}'..='\u{9EF}' | '\u{E50}'..='\u{E59}' | '\u{FF10}'..='\u{FF19}' => Class::Digit,
        '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' | '百' | '千' => {
            Class::Digit
        }
        // Punctuation, arrows, lines and boxes. Pictures from 2600 on are used like words.
        '\u{A1}'..='\u{BF}' | '×' | '÷' | '\u{200B}'..='\u{25FF}' => Class::Mark,
        '\u{3001}'..='\u{303F}' | '\u{FF01}'..='\u{FF20}' | '\u{FE10}'..='\u{FE6F}' => Class::Mark,
        _ => Class::Letter,
    }
}

/// Scripts whose letters are words or syllables, and pictures.
pub(super) fn is_wide(c: char) -> bool {
    c >= '\u{2E80}'
}

pub(super) fn of_char(c: char) -> Symbol {
    let code = c.to_ascii_lowercase() as u32;
    if code < 0x80 {
        return code as Symbol;
    }
    let kind = (code.wrapping_mul(0x9E37_79B1) >> 20) as Symbol | 0x80;
    kind | length_bits(c.len_utf16() as u32)
}

pub(super) fn of_blanks(units: u32) -> Symbol {
    ' ' as Symbol | length_bits(units)
}

pub(super) fn of_number(digits: u32, units: u32) -> Symbol {
    NUMBER | (digits.wrapping_mul(0x9E37_79B1) >> 20) as Symbol | length_bits(units)
}

fn length_bits(units: u32) -> Symbol {
    ((units.saturating_sub(1) & 7) << 12) as Symbol
}

/// How many UTF-16 units it stands for.
pub(super) fn units(symbol: Symbol) -> u32 {
    u32::from(symbol >> 12 & 7) + 1
}

/// Alike but for the digits of a number and the length of a gap.
pub(super) fn alike(one: Symbol, other: Symbol) -> bool {
    (one ^ other) & KIND == 0 || one & other & NUMBER != 0
}

/// Alike, and yet another number.
pub(super) fn other_number(one: Symbol, other: Symbol) -> bool {
    (one ^ other) & KIND != 0
}

/// What of it goes into the hash of a sequence: alike symbols give the same.
pub(super) fn digest(symbol: Symbol) -> u8 {
    if symbol & NUMBER != 0 { b'0' } else { symbol as u8 ^ (symbol >> 8 & 0xF) as u8 }
}

/// White space, and what ends a sentence or a clause.
pub(super) fn is_closing(symbol: Symbol) -> bool {
    if symbol & NUMBER != 0 {
        return false;
    }
    let closing = |c: char| (of_char(c) ^ symbol) & KIND == 0;
    [' ', '.', ',', ';', ':', '!', '?', ')', '。', '、', '，', '！', '？'].into_iter().any(closing)
}
