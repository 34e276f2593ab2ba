//! JSON text: strings, the direct children of arrays and objects, numbers by decimal
//! value, and the canonical hash. Nothing here builds a tree.

mod canonical;
mod number;

pub(crate) use canonical::{
    EMPTY_STRING, Entry, Scanned, Scanner, entry_of, key_hash, key_hashes, object_hash,
};
pub(crate) use number::{Decimal, scan_number};

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

/// Returns how far the text of a JSON string is plain: up to the closing quote, an
/// escape, or a control character, which JSON forbids in strings.
#[inline(always)]
pub(crate) fn plain_length(text: &[u8]) -> usize {
    let mut rest = text;
    while let Some((word, others)) = rest.split_first_chunk::<8>() {
        let special = special_bytes(*word);
        if special != 0 {
            return text.len() - rest.len() + special.trailing_zeros() as usize / 8;
        }
        rest = others;
    }
    let mut end = [b'"'; 8];
    for (padded, byte) in end.iter_mut().zip(rest) {
        *padded = *byte;
    }
    let plain = special_bytes(end).trailing_zeros() as usize / 8;
    text.len() - rest.len() + plain.min(rest.len())
}

/// Marks the first byte of eight that is a quote, a backslash or a control character, by its
/// highest bit; 0 if there is none. Bytes after the first may be marked wrongly.
#[inline(always)]
const fn special_bytes(word: [u8; 8]) -> u64 {
    let word = u64::from_le_bytes(word);
    // With one bit flipped, a quote comes right after the control characters,
    let controls_and_quotes = word ^ each(b'"' ^ b' ');
    let backslashes = word ^ each(b'\\');
    // and what is below a limit has its highest bit set by subtracting the limit.
    let below =
        controls_and_quotes.wrapping_sub(each(b' ' + 1)) | backslashes.wrapping_sub(each(1));
    below & !word & each(0x80)
}

/// Repeats a byte eight times.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Reads a JSON string from after its opening quote to its closing one, and appends what it
/// stands for to `out`. Returns how many bytes were read; `None` if the string is not
/// valid. A lone surrogate, which UTF-8 cannot express, becomes U+FFFD and its code, as
/// when JavaScript passes one (`js/input/surrogates.ts`): different surrogates stay
/// different.
pub(crate) fn unescape(text: &str, out: &mut String) -> Option<usize> {
    let mut bytes = mem::take(out).into_bytes();
    let length = unescape_bytes(text.as_bytes(), &mut bytes);
    *out = String::from_utf8(bytes).unwrap_or_default();
    length
}

/// As [`unescape`], for text in UTF-8, which `out` then is too.
pub(crate) fn unescape_bytes(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let mut rest = text;
    loop {
        let (plain, after) = rest.split_at_checked(plain_length(rest))?;
        out.extend_from_slice(plain);
        rest = match after {
            [b'"', after @ ..] => return Some(text.len() - after.len()),
            [b'\\', b'u', ..] => {
                let (code, length) = unescape_code(after)?;
                match char::from_u32(code) {
                    Some(character) => push(character, out),
                    None => push_lone_surrogate(code, out),
                }
                after.get(length..)?
            }
            [b'\\', escape, after @ ..] => {
                out.push(match escape {
                    b'"' | b'\\' | b'/' => *escape,
                    b'b' => b'\x08',
                    b'f' => b'\x0C',
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    _ => return None,
                });
                after
            }
            _ => return None,
        };
    }
}

/// Reads `\u0041`, or a pair of surrogates such as `\ud83d\ude00`. Returns the code
/// of the character, or of a lone surrogate, and how many bytes it takes.
fn unescape_code(text: &[u8]) -> Option<(u32, usize)> {
    let first = hex_code(text.get(2..6)?)?;
    if (0xD800..0xDC00).contains(&first)
        && let Some([b'\\', b'u', digits @ ..]) = text.get(6..12)
        && let Some(second @ 0xDC00..0xE000) = hex_code(digits)
    {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return Some((code, 12));
    }
    Some((first, 6))
}

fn push(character: char, out: &mut Vec<u8>) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

fn push_lone_surrogate(code: u32, out: &mut Vec<u8>) {
    push(char::REPLACEMENT_CHARACTER, out);
    for shift in [12, 8, 4, 0] {
        if let Some(digit) = char::from_digit(code >> shift & 15, 16) {
            push(digit, out);
        }
    }
}

fn hex_code(digits: &[u8]) -> Option<u32> {
    let mut code = 0;
    for digit in digits {
        code = code * 16 + char::from(*digit).to_digit(16)?;
    }
    Some(code)
}

/// Appends a JSON string, with the escapes that JSON demands and no others.
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

/// Iterates over the items of an array, as text. The array must be valid JSON; it is not
/// checked again.
pub(crate) fn items(array: &str) -> impl Iterator<Item = &str> {
    Children { rest: inside(array) }
}

/// Iterates over the entries of an object: the key with its quotes, and the value.
/// The object must be valid JSON.
pub(crate) fn entries(object: &str) -> impl Iterator<Item = (&str, &str)> {
    Children { rest: inside(object) }.filter_map(|entry| {
        let (key, rest) = entry.split_at_checked(string_end(entry)?)?;
        Some((key, rest.trim_ascii_start().strip_prefix(':')?.trim_ascii()))
    })
}

fn inside(container: &str) -> &str {
    let trimmed = container.trim_ascii();
    trimmed.get(1..trimmed.len().saturating_sub(1)).unwrap_or_default()
}

/// Returns the end of the string that the text begins with, including its closing quote.
fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    let inner = text.as_bytes().get(1..)?;
    let end = inner.iter().position(|byte| {
        let closes = !escaped && *byte == b'"';
        escaped = !escaped && *byte == b'\\';
        closes
    })?;
    Some(end + 2)
}

/// Splits at the commas outside strings and inner containers.
struct Children<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Children<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let mut depth = 0usize;
        let mut inside_string = false;
        let mut escaped = false;
        let comma = self.rest.bytes().position(|byte| {
            if inside_string {
                inside_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
                return false;
            }
            match byte {
                b'"' => inside_string = true,
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' => return depth == 0,
                _ => {}
            }
            false
        });
        let child = match comma {
            Some(at) => {
                let child = self.rest.get(..at)?;
                self.rest = self.rest.get(at + 1..)?;
                child
            }
            None => core::mem::take(&mut self.rest),
        };
        let child = child.trim_ascii();
        (!child.is_empty()).then_some(child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unescaped(text: &str) -> Option<(String, usize)> {
        let mut out = String::new();
        unescape(text, &mut out).map(|length| (out, length))
    }

    #[test]
    fn resolves_escapes_up_to_the_closing_quote() {
        for (text, expected) in [
            (r#"plain" and more"#, "plain"),
            (r#"\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#"\u0041\u00e9é""#, "Aéé"),
            (r#"\ud83d\ude00""#, "😀"),
            (r#"\ud83d\u0041""#, "\u{FFFD}d83dA"),
            (r#"\ude00x""#, "\u{FFFD}de00x"),
            (r#"\ud83d""#, "\u{FFFD}d83d"),
        ] {
            let length = text.rfind('"').filter(|_| !text.contains(' ')).unwrap_or(5) + 1;
            assert_eq!(unescaped(text), Some((expected.into(), length)), "{text}");
        }
        for text in [r#"\u+a81""#, r#"\u00""#, r#"\x""#, "\n\"", "open", "\\", r"\u12", ""] {
            assert_eq!(unescaped(text), None, "{text}");
        }
    }

    #[test]
    fn splits_containers_into_children() {
        let array = r#" [1, "a,]\"", {"b":[2,3]} , [] ] "#;
        assert_eq!(items(array).collect::<Vec<_>>(), ["1", r#""a,]\"""#, r#"{"b":[2,3]}"#, "[]"]);
        let object = r#"{"a":1, "b\"":{"c":","} }"#;
        let expected = [("\"a\"", "1"), (r#""b\"""#, r#"{"c":","}"#)];
        assert_eq!(entries(object).collect::<Vec<_>>(), expected);
        assert_eq!(items("[]").count() + entries("{}").count(), 0);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(text in ".*") {
            let mut json = String::new();
            write_string(&text, &mut json);
            let inside = json.get(1..).expect("a quote");
            prop_assert_eq!(unescaped(inside), Some((text, inside.len())));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".*", escapes in "[\\\\\"u0-9a-fnx]{0,40}") {
            for text in [&text, &escapes] {
                let _ = unescaped(text);
                let _ = (items(text).count(), entries(text).count());
            }
        }
    }
}
