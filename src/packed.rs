//! JSON text in which long strings stand raw: behind a byte of 1, four bytes of
//! length, and no quotes. Whoever hands over data as JSON can leave the escapes
//! to us, and need not look at each character.

use alloc::vec::Vec;
use memchr::memchr;

const RAW: u8 = 1;

/// Writes the strings out, as `JSON.stringify` does. `None` if it is cut off.
pub(crate) fn unpack(packed: &[u8], out: &mut Vec<u8>) -> Option<()> {
    out.clear();
    let mut rest = packed;
    loop {
        let (plain, marked) = split_at_mark(rest);
        out.extend_from_slice(plain);
        let [RAW, a, b, c, d, text @ ..] = marked else {
            return marked.is_empty().then_some(());
        };
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let (text, after) = text.split_at_checked(length)?;
        out.push(b'"');
        text.iter().for_each(|byte| escape_byte(*byte, out));
        out.push(b'"');
        rest = after;
    }
}

fn split_at_mark(text: &[u8]) -> (&[u8], &[u8]) {
    let mark = memchr(RAW, text).unwrap_or(text.len());
    text.split_at_checked(mark).unwrap_or_default()
}

fn escape_byte(byte: u8, out: &mut Vec<u8>) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        8 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        12 => b'f',
        b'\r' => b'r',
        0..0x20 => {
            let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
            let escape = [b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)];
            return out.extend_from_slice(&escape);
        }
        _ => return out.push(byte),
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

    /// A string as `JSON.stringify` writes it, character by character.
    fn naive(text: &str) -> String {
        let mut out = String::from('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\u{8}' => out.push_str("\\b"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\u{c}' => out.push_str("\\f"),
                '\r' => out.push_str("\\r"),
                '\0'..' ' => out.push_str(&alloc::format!("\\u{:04x}", c as u32)),
                _ => out.push(c),
            }
        }
        out + "\""
    }

    fn packed(text: &str) -> Vec<u8> {
        let length = (text.len() as u32).to_le_bytes();
        [&[RAW][..], &length, text.as_bytes()].concat()
    }

    proptest! {
        #[test]
        fn strings_are_written_as_json_has_them(texts in proptest::collection::vec("[\\x00-\\x22a-z\\\\é東]{0,40}", 0..5)) {
            let mut given = Vec::from(*b"[");
            let mut wanted = String::from("[");
            for text in &texts {
                given.extend(packed(text));
                given.extend(b",7,");
                wanted += &naive(text);
                wanted += ",7,";
            }
            let mut out = Vec::new();
            prop_assert_eq!(unpack(&given, &mut out), Some(()));
            prop_assert_eq!(out.as_slice(), wanted.as_bytes());
            given.extend(packed("cut off"));
            given.pop();
            prop_assert_eq!(unpack(&given, &mut out), None);
        }

        #[test]
        fn nothing_makes_it_panic(bytes in proptest::collection::vec(prop_oneof![Just(1u8), 0u8..9, any::<u8>()], 0..60)) {
            let _ = unpack(&bytes, &mut Vec::new());
        }
    }
}
