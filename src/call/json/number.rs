//! Compares JSON numbers by decimal value. `1`, `1.0` and `1e0` are one number; integers
//! beyond 2^53, which JavaScript would round to the same number, stay distinct.

use crate::hash;
use alloc::string::String;

const WHOLE: u64 = 0x11;
const DECIMAL: u64 = 0x12;

/// A number as written, without leading and trailing zeros: its value is
/// `0.d1d2d3… × 10^point`.
pub(crate) struct Decimal<'t> {
    negative: bool,
    whole: &'t [u8],
    fraction: &'t [u8],
    point: i64,
}

impl<'t> Decimal<'t> {
    /// Reads the number at the start of `text` by JSON's grammar; also returns how
    /// many bytes it takes.
    pub fn read(text: &'t [u8]) -> Option<(Self, usize)> {
        let negative = text.first() == Some(&b'-');
        let mut at = usize::from(negative);
        let whole = digits(text, at);
        at += whole.len();
        if whole.is_empty() || (whole.len() > 1 && whole.first() == Some(&b'0')) {
            return None;
        }
        let mut fraction: &[u8] = &[];
        if text.get(at) == Some(&b'.') {
            fraction = digits(text, at + 1);
            at += 1 + fraction.len();
            if fraction.is_empty() {
                return None;
            }
        }
        let mut exponent = 0i64;
        if let Some(b'e' | b'E') = text.get(at) {
            at += 1;
            let sign = text.get(at).filter(|sign| matches!(sign, b'+' | b'-'));
            at += usize::from(sign.is_some());
            let figures = digits(text, at);
            if figures.is_empty() {
                return None;
            }
            at += figures.len();
            for figure in figures {
                exponent = exponent.saturating_mul(10).saturating_add(i64::from(figure - b'0'));
            }
            if sign == Some(&b'-') {
                exponent = -exponent;
            }
        }
        Some((Self::normalised(negative, whole, fraction, exponent), at))
    }

    fn normalised(negative: bool, whole: &'t [u8], fraction: &'t [u8], exponent: i64) -> Self {
        let mut point = exponent.saturating_add(whole.len() as i64);
        let whole_kept = trim_start(whole);
        point = point.saturating_sub((whole.len() - whole_kept.len()) as i64);
        let (whole, fraction) = if whole_kept.is_empty() {
            let kept = trim_start(fraction);
            point = point.saturating_sub((fraction.len() - kept.len()) as i64);
            (whole_kept, trim_end(kept))
        } else {
            let kept = trim_end(fraction);
            (if kept.is_empty() { trim_end(whole_kept) } else { whole_kept }, kept)
        };
        let zero = whole.is_empty() && fraction.is_empty();
        Self { negative: negative && !zero, whole, fraction, point: if zero { 0 } else { point } }
    }

    /// Returns the value of the digit at a position.
    fn digit(&self, position: usize) -> u8 {
        let behind = position.wrapping_sub(self.whole.len());
        self.whole.get(position).or(self.fraction.get(behind)).map_or(0, |digit| digit - b'0')
    }

    fn length(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    /// Returns the absolute value, if it is a whole number that fits in 64 bits.
    fn as_whole(&self) -> Option<u64> {
        let length = self.length() as i64;
        if self.point < length || self.point > 19 {
            return None;
        }
        let mut value = 0u64;
        for position in 0..self.length() {
            value = value.checked_mul(10)?.checked_add(self.digit(position).into())?;
        }
        for _ in length..self.point {
            value = value.checked_mul(10)?;
        }
        Some(value)
    }

    pub fn hash(&self) -> u64 {
        if let Some(value) = self.as_whole() {
            return whole(self.negative, value);
        }
        let mut state = hash::pair(DECIMAL + 2 * u64::from(self.negative), self.point as u64);
        let mut group = 0u64;
        for position in 0..self.length() {
            group = group.wrapping_mul(10).wrapping_add(self.digit(position).into());
            if position % 18 == 17 {
                state = hash::pair(state, group);
                group = 0;
            }
        }
        hash::pair(hash::pair(state, group), self.length() as u64)
    }

    /// Writes the number the way JavaScript would: plain up to 21 digits, with
    /// an exponent beyond.
    pub fn write(&self, out: &mut String) {
        if self.length() == 0 {
            out.push('0');
            return;
        }
        if self.negative {
            out.push('-');
        }
        let length = self.length() as i64;
        if self.point > 21 || self.point < -5 {
            for position in 0..self.length() {
                if position == 1 {
                    out.push('.');
                }
                out.push(char::from(b'0' + self.digit(position)));
            }
            out.push('e');
            let exponent = self.point.saturating_sub(1);
            out.push(if exponent < 0 { '-' } else { '+' });
            out.push_str(&crate::concat::number(exponent.unsigned_abs()));
            return;
        }
        if self.point <= 0 {
            out.push_str("0.");
            (self.point..0).for_each(|_| out.push('0'));
        }
        for position in 0..self.length() {
            if position > 0 && position as i64 == self.point {
                out.push('.');
            }
            out.push(char::from(b'0' + self.digit(position)));
        }
        (length..self.point).for_each(|_| out.push('0'));
    }
}

/// Where a short integer ends at the latest: its digits fit in 64 bits.
const MAX_SHORT: usize = 18;

/// Hashes the number at the start of `text`; also returns how many bytes it takes.
pub(crate) fn scan_number(text: &[u8]) -> Option<(u64, usize)> {
    // Most numbers in arguments are short integers, which need no normalising.
    let negative = text.first() == Some(&b'-');
    let from = usize::from(negative);
    let mut end = from;
    let mut value = 0u64;
    while let Some(digit @ b'0'..=b'9') = text.get(end)
        && end < MAX_SHORT
    {
        value = value * 10 + u64::from(digit - b'0');
        end += 1;
    }
    let is_whole = !matches!(text.get(end), Some(b'0'..=b'9' | b'.' | b'e' | b'E'));
    let is_normal = end - from == 1 || end > from && text.get(from) != Some(&b'0');
    if is_whole && is_normal {
        return Some((whole(negative, value), end));
    }
    Decimal::read(text).map(|(number, length)| (number.hash(), length))
}

fn whole(negative: bool, value: u64) -> u64 {
    hash::pair(WHOLE + 2 * u64::from(negative && value != 0), value)
}

fn digits(text: &[u8], from: usize) -> &[u8] {
    let rest = text.get(from..).unwrap_or_default();
    let end = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

fn trim_start(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

fn trim_end(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    digits.get(..digits.len() - zeros).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use proptest::prelude::*;

    fn hash_of(text: &str) -> u64 {
        let (hash, length) = scan_number(text.as_bytes()).expect("a number");
        assert_eq!(length, text.len(), "{text}");
        assert_eq!(Decimal::read(text.as_bytes()).expect("a number").0.hash(), hash, "{text}");
        hash
    }

    fn written(text: &str) -> String {
        let mut out = String::new();
        Decimal::read(text.as_bytes()).expect("a number").0.write(&mut out);
        out
    }

    #[test]
    fn equal_values_are_equal_however_they_are_written() {
        for same in [
            &["1", "1.0", "1e0", "10e-1", "0.1e1", "1.000e+0"][..],
            &["0", "-0", "0.0", "0e99", "-0.000e-3"],
            &["1000", "1e3", "1.0E3", "100000e-2"],
            &["0.5", "5e-1", "0.50"],
            &["1e21", "1000000000000000000000"],
            &["-12.5", "-125e-1", "-1.25e1"],
        ] {
            for text in same {
                assert_eq!(hash_of(text), hash_of(same[0]), "{text}");
                assert_eq!(written(text), written(same[0]), "{text}");
            }
        }
    }

    #[test]
    fn integers_beyond_two_to_the_53_stay_distinct() {
        assert_ne!(hash_of("9007199254740992"), hash_of("9007199254740993"));
        assert_ne!(hash_of("123456789012345678901"), hash_of("123456789012345678902"));
    }

    #[test]
    fn different_values_differ() {
        let all = ["1", "-1", "10", "0.1", "1.5", "15", "1e300", "1e-300", "1.0000000000000000001"];
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                assert_ne!(hash_of(a), hash_of(b), "{a} {b}");
            }
        }
    }

    #[test]
    fn refuses_what_json_forbids() {
        for text in ["01", "-", "1.", ".5", "1e", "1e+", "+1", "-a", "", "00"] {
            let whole = scan_number(text.as_bytes()).filter(|(_, length)| *length == text.len());
            assert_eq!(whole, None, "{text}");
        }
    }

    #[test]
    fn writes_numbers_like_javascript() {
        for (text, expected) in [
            ("1.50", "1.5"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("12345e-7", "0.0012345"),
            ("1e20", "100000000000000000000"),
            ("1e22", "1e+22"),
            ("-1.25e30", "-1.25e+30"),
        ] {
            assert_eq!(written(text), expected);
        }
    }

    proptest! {
        #[test]
        fn shifting_the_point_changes_nothing(digits in 1u64..1_000_000_000_000, shift in 0i64..12) {
            let plain = format!("{digits}");
            let shifted = format!("{digits}{}e-{shift}", "0".repeat(shift as usize));
            prop_assert_eq!(hash_of(&plain), hash_of(&shifted));
        }

        #[test]
        fn floats_equal_their_written_form(value in any::<f64>().prop_filter("finite", |v| v.is_finite())) {
            let plain = format!("{value}");
            let exponent = format!("{value:e}");
            prop_assert_eq!(hash_of(&plain), hash_of(&exponent));
        }
    }
}
