//! Strings as JSON has them: where their plain text ends, and what their escapes
//! stand for. By words of eight bytes, since most of a text is plain.

use crate::buffer::Buffer;
use crate::byte_scan::{HIGH, LOW, equal};
use alloc::string::String;

/// How far a string's text is plain: up to a quote, an escape, or what JSON
/// forbids inside strings. Eight bytes at a time.
pub(crate) fn plain_length(text: &[u8]) -> usize {
    let (words, _) = text.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let found = ends_of_plain(u64::from_le_bytes(*word));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = text.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            break;
        }
        at += 1;
    }
    at
}

/// The highest bit of each byte that ends plain text; bytes behind the first one
/// may be marked wrongly.
#[inline(always)]
pub(crate) const fn ends_of_plain(word: u64) -> u64 {
    let controls = word.wrapping_sub(LOW * b' ' as u64) & !word;
    (equal(word, b'"') | equal(word, b'\\') | controls) & HIGH
}

/// Copies text up to where it is not plain; tells how far that is.
#[inline(always)]
fn copy_plain(text: &[u8], out: &mut Buffer) -> usize {
    let mut at = 0;
    for word in text.as_chunks::<8>().0 {
        let found = ends_of_plain(u64::from_le_bytes(*word));
        // Without an end the zeros are 64: all eight bytes.
        let plain = (found.trailing_zeros() / 8) as usize;
        out.push_some(*word, plain);
        at += plain;
        if found != 0 {
            return at;
        }
    }
    while let Some(byte) = text.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            break;
        }
        out.push(*byte);
        at += 1;
    }
    at
}

/// Reads the inside of a JSON string, resolves its escapes and stops after the
/// closing quote; tells how many bytes were read. Half a surrogate pair, which UTF-8
/// cannot express, becomes U+FFFD and its code, as when JavaScript hands it over
/// (`js/input/surrogates.ts`): different halves stay different.
pub(crate) fn unescape(text: &[u8], out: &mut Buffer) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let plain = copy_plain(rest, out);
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
                    let mut word = [0; 8];
                    match char::from_u32(code) {
                        Some(character) => {
                            let length = character.encode_utf8(&mut word).len();
                            out.push_some(word, length);
                        }
                        None => out.push_some(half_of_pair(code), 7),
                    }
                }
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// Seven bytes: U+FFFD, and the code in hexadecimal.
fn half_of_pair(code: u32) -> [u8; 8] {
    let digit = |shift: u32| match (code >> shift & 15) as u8 {
        value @ 0..10 => b'0' + value,
        value => b'a' + (value - 10),
    };
    [0xEF, 0xBF, 0xBD, digit(12), digit(8), digit(4), digit(0), 0]
}

fn hex4(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 4)?
        .iter()
        .try_fold(0u32, |code, digit| Some(code * 16 + char::from(*digit).to_digit(16)?))
}

/// Writes a JSON string with the escapes JSON demands and no others.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => {
                out.push_str("\\u00");
                for half in [control as u32 >> 4, control as u32 & 15] {
                    out.push(char::from_digit(half, 16).unwrap_or('0'));
                }
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
