//! Turns characters into the symbols that are compared.
//!
//! White space is one symbol whatever its kind, a number is one symbol whatever its digits,
//! and case does not matter.
//!
//! A symbol has 16 bits: its identity (12), how many UTF-16 units it stands for, minus one
//! (3), and whether it is a number (1). All numbers are alike; the 12 bits of a number are
//! its value modulo a prime, which shows whether it changed, and whether it went up.

/// Sixteen bits that stand for one or more characters.
pub(super) type Symbol = u16;

const NUMBER: Symbol = 0x8000;
const IDENTITY: Symbol = 0x8FFF;
/// The modulus for the values of numbers. Because it is a prime, steps of a thousand or of
/// a power of two are visible.
const MODULUS: u32 = 4_093;
/// The most UTF-16 units that one symbol stands for; longer runs take several.
pub(super) const MAX_UNITS: u32 = 8;

/// The kind of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharClass {
    Letter,
    Digit,
    Blank,
    Punctuation,
}

impl CharClass {
    #[inline(always)]
    pub fn of(c: char) -> Self {
        match ascii_traits(c) {
            Some(traits) => traits.class,
            None => class_beyond_ascii(c),
        }
    }
}

/// What is known of an ASCII character.
#[derive(Clone, Copy)]
pub(super) struct AsciiTraits {
    class: CharClass,
    /// How strongly it suggests data or code: 2, or 1 if prose has it too.
    pub code_sign: u8,
    /// Whether it may occur in base64, paths and identifiers.
    pub is_word_part: bool,
}

/// A table is smaller and faster than a chain of comparisons.
const ASCII: [AsciiTraits; 128] = {
    let none = AsciiTraits { class: CharClass::Punctuation, code_sign: 0, is_word_part: false };
    let mut table = [none; 128];
    let mut code = 0u8;
    let mut rest: &mut [AsciiTraits] = &mut table;
    while let [traits, others @ ..] = rest {
        traits.class = match code {
            b'a'..=b'z' | b'A'..=b'Z' => CharClass::Letter,
            b'0'..=b'9' => CharClass::Digit,
            b' ' | b'\t'..=b'\r' => CharClass::Blank,
            _ => CharClass::Punctuation,
        };
        traits.code_sign = match code {
            b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'=' | b';' | b'|' | b'\\' | b'$' => 2,
            b'"' => 1,
            _ => 0,
        };
        traits.is_word_part =
            code.is_ascii_alphanumeric() || matches!(code, b'+' | b'/' | b'=' | b'-' | b'_');
        code += 1;
        rest = others;
    }
    table
};

/// Looks up an ASCII character; `None` for all others.
#[inline(always)]
pub(super) fn ascii_traits(c: char) -> Option<AsciiTraits> {
    ASCII.get(c as usize).copied()
}

fn class_beyond_ascii(c: char) -> CharClass {
    match c {
        '\u{80}'..='\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' => CharClass::Blank,
        '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' => CharClass::Blank,
        '\u{3000}' | '\u{FEFF}' => CharClass::Blank,
        // Digits of other scripts, and the numerals that Chinese and Japanese count with.
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{966}'..='\u{96F}' => CharClass::Digit,
        '\u{9E6}'..='\u{9EF}' | '\u{E50}'..='\u{E59}' => CharClass::Digit,
        '\u{FF10}'..='\u{FF19}' => CharClass::Digit,
        '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' | '百' | '千' => {
            CharClass::Digit
        }
        // Punctuation, arrows, lines and boxes. Pictures from 2600 on are used like words.
        '\u{A1}'..='\u{BF}' | '×' | '÷' | '\u{200B}'..='\u{25FF}' => CharClass::Punctuation,
        '\u{3001}'..='\u{303F}' | '\u{FF01}'..='\u{FF20}' => CharClass::Punctuation,
        '\u{FE10}'..='\u{FE6F}' => CharClass::Punctuation,
        _ => CharClass::Letter,
    }
}

/// Returns whether a character is a word, a syllable or a picture by itself: it says as
/// much as two letters of an alphabet.
pub(super) fn is_wide(c: char) -> bool {
    c >= '\u{2E80}'
}

/// Returns the symbol of a letter or a sign.
pub(super) fn of_char(c: char) -> Symbol {
    let code = c.to_ascii_lowercase() as u32;
    if code < 0x80 {
        return code as Symbol;
    }
    let identity = (code.wrapping_mul(0x9E37_79B1) >> 20) as Symbol | 0x80;
    identity | length_bits(c.len_utf16() as u32)
}

/// Returns the symbol of a run of white space.
pub(super) fn of_blanks(units: u32) -> Symbol {
    ' ' as Symbol | length_bits(units)
}

/// Returns the symbol of a number.
pub(super) fn of_number(value: u32, units: u32) -> Symbol {
    NUMBER | (value % MODULUS) as Symbol | length_bits(units)
}

/// Returns the value of a number after appending this digit.
#[inline(always)]
pub(super) fn add_digit(value: u32, digit: char) -> u32 {
    let code = digit as u32;
    if code < 0x80 {
        return value.wrapping_mul(10).wrapping_add(code & 0xF);
    }
    add_digit_beyond_ascii(value, digit)
}

fn add_digit_beyond_ascii(value: u32, digit: char) -> u32 {
    let code = digit as u32;
    // Chinese: 二十三 is 2 × 10 + 3.
    let numeral = match digit {
        '一' => 1,
        '二' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' | '百' | '千' => {
            let times = match digit {
                '十' => 10,
                '百' => 100,
                _ => 1_000,
            };
            let last = value % 10;
            return (value - last).wrapping_add(last.max(1) * times);
        }
        // The digits of a script have consecutive codes, in the order of their values.
        '\u{966}'..='\u{96F}' | '\u{9E6}'..='\u{9EF}' => (code & 0xF) - 6,
        _ => code & 0xF,
    };
    if (0x4E00..0xA000).contains(&code) && value > 0 && value.is_multiple_of(10) {
        return value.wrapping_add(numeral);
    }
    value.wrapping_mul(10).wrapping_add(numeral)
}

fn length_bits(units: u32) -> Symbol {
    ((units.saturating_sub(1) & 7) << 12) as Symbol
}

/// Returns how many UTF-16 units a symbol stands for.
pub(super) fn units(symbol: Symbol) -> u32 {
    u32::from(symbol >> 12 & 7) + 1
}

/// Returns whether two symbols are equal except for a number's digits or a gap's length.
pub(super) fn are_alike(one: Symbol, other: Symbol) -> bool {
    (one ^ other) & IDENTITY == 0 || one & other & NUMBER != 0
}

/// Returns whether two alike symbols are different numbers.
pub(super) fn is_changed_number(one: Symbol, other: Symbol) -> bool {
    (one ^ other) & IDENTITY != 0
}

/// Returns the numbers in a text. Only the first digits of a long number count.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = u32> {
    let mut rest = text.chars();
    core::iter::from_fn(move || {
        let is_digit = |c: &char| CharClass::of(*c) == CharClass::Digit;
        let first = rest.find(is_digit)?;
        let mut value = add_digit(0, first);
        for (at, digit) in (1..).zip(rest.by_ref().take_while(is_digit)) {
            if at < MAX_UNITS {
                value = add_digit(value, digit);
            }
        }
        Some(value)
    })
}

/// Returns by how much a number differs from an earlier one. A step of more than half the
/// modulus looks like a step in the other direction.
pub(super) fn step(from: Symbol, to: Symbol) -> i16 {
    let (modulus, half) = (MODULUS as i32, MODULUS as i32 / 2);
    let step = i32::from(to & 0xFFF) - i32::from(from & 0xFFF);
    let step = match step {
        _ if step > half => step - modulus,
        _ if step < -half => step + modulus,
        _ => step,
    };
    step as i16
}

/// Returns whether a number is the code of a control character, as in `\u0000`.
pub(super) fn is_control_code(symbol: Symbol) -> bool {
    symbol & NUMBER != 0 && units(symbol) == 4 && symbol & 0xFFF < 20
}

/// Returns a byte for the hash of a sequence: the same for alike symbols.
pub(super) fn sequence_byte(symbol: Symbol) -> u8 {
    if symbol & NUMBER != 0 { b'0' } else { symbol as u8 ^ (symbol >> 8 & 0xF) as u8 }
}

/// Returns whether a symbol is white space, or ends a sentence or a clause.
pub(super) fn is_closing(symbol: Symbol) -> bool {
    if symbol & NUMBER != 0 {
        return false;
    }
    let equals = |c: char| (of_char(c) ^ symbol) & IDENTITY == 0;
    [' ', '.', ',', ';', ':', '!', '?', ')', '。', '、', '，', '！', '？'].into_iter().any(equals)
}
