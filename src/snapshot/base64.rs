//! Bytes as text: base64 in the alphabet for URLs, without padding.
//!
//! `base64ct` does the same in constant time, for secrets. For a snapshot that took half of
//! the time of restoring it.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

const DIGITS: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The value of a byte that is no digit.
const NO_DIGIT: u8 = 0x80;

/// The value of each byte as a digit.
static VALUES: [u8; 256] = values();

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, which checks the bounds")]
const fn values() -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
}

/// Writes bytes as text.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut rest = bytes;
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    while let Some((group, others)) = rest.split_first_chunk::<3>() {
        text.extend_from_slice(&digits_of(*group));
        rest = others;
    }
    let last = match *rest {
        [one] => digits_of([one, 0, 0]),
        [one, two] => digits_of([one, two, 0]),
        _ => [0; 4],
    };
    let used = if rest.is_empty() { 0 } else { rest.len() + 1 };
    text.extend(last.iter().take(used));
    String::from_utf8(text).unwrap_or_default()
}

fn digits_of([one, two, three]: [u8; 3]) -> [u8; 4] {
    let bits = u32::from_be_bytes([0, one, two, three]);
    [18, 12, 6, 0].map(|shift| DIGITS.get((bits >> shift & 63) as usize).copied().unwrap_or(0))
}

/// Reads what [`encode`] wrote; `None` for any other text.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut rest = text.as_bytes();
    let mut bytes = vec![0; rest.len() / 4 * 3];
    for decoded in bytes.as_chunks_mut::<3>().0 {
        let (group, others) = rest.split_first_chunk::<4>()?;
        *decoded = bytes_of(*group)?;
        rest = others;
    }
    let (last, length) = match *rest {
        [] => return Some(bytes),
        [one, two] => ([one, two, b'A', b'A'], 1),
        [one, two, three] => ([one, two, three, b'A'], 2),
        _ => return None,
    };
    let decoded = bytes_of(last)?;
    let (used, unused) = decoded.split_at_checked(length)?;
    bytes.extend(used);
    unused.iter().all(|byte| *byte == 0).then_some(bytes)
}

#[inline(always)]
fn bytes_of([one, two, three, four]: [u8; 4]) -> Option<[u8; 3]> {
    let value = |digit: u8| u32::from(VALUES.get(usize::from(digit)).copied().unwrap_or(NO_DIGIT));
    let (one, two, three, four) = (value(one), value(two), value(three), value(four));
    let [_, bytes @ ..] = (one << 18 | two << 12 | three << 6 | four).to_be_bytes();
    ((one | two | three | four) < u32::from(NO_DIGIT)).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_texts() {
        // The examples of RFC 4648, and the two digits in which the alphabets differ.
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg"),
            (b"fo", "Zm8"),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg"),
            (b"fooba", "Zm9vYmE"),
            (b"foobar", "Zm9vYmFy"),
            (&[0xFB, 0xEF, 0xBE, 0xFF], "----_w"),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
        // A single digit, other alphabets, padding, and bits beyond the last byte.
        for text in ["Z", "Zm9vY", "Zm+v", "Zm/v", "Zg==", "Zm9 ", "Zm9\u{e9}", "Zh", "Zm9"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }

        #[test]
        fn every_valid_text_is_one_that_is_written(text in "[A-D_9-]{0,9}") {
            prop_assert!(decode(&text).is_none_or(|bytes| encode(&bytes) == text));
        }
    }
}
