//! The compact form in which state is saved: varints, hashes and texts, one
//! after the other. Reading never trusts what it reads: every length and bound
//! is checked, and anything odd is `None`.

use alloc::string::String;
use alloc::vec::Vec;

/// Writes state.
#[derive(Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub fn count(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub fn length(&mut self, value: usize) {
        self.count(value as u64);
    }

    pub fn hash(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub fn flag(&mut self, value: bool) {
        self.bytes.push(u8::from(value));
    }

    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A value that may be absent.
    pub fn maybe(&mut self, value: Option<u64>) {
        self.flag(value.is_some());
        if let Some(value) = value {
            self.hash(value);
        }
    }

    /// All of it, as text that JSON carries without escapes.
    pub fn finish(self) -> String {
        let mut out = Vec::with_capacity(self.bytes.len() / 3 * 4 + 4);
        let mut rest = self.bytes.as_slice();
        while let [a, b, c, after @ ..] = rest {
            let bits = u32::from_be_bytes([0, *a, *b, *c]);
            for shift in [18, 12, 6, 0] {
                out.push(digit(bits >> shift));
            }
            rest = after;
        }
        if let [a, last @ ..] = rest {
            let bits = u32::from_be_bytes([0, *a, last.first().copied().unwrap_or(0), 0]);
            for shift in [18, 12, 6].into_iter().take(2 + last.len()) {
                out.push(digit(bits >> shift));
            }
        }
        String::from_utf8(out).unwrap_or_default()
    }
}

/// Reads what [`Writer`] wrote, in the same order.
pub(crate) struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (group, after) = rest.split_at_checked(4).unwrap_or((rest, &[]));
            rest = after;
            let mut bits = 0u32;
            for position in 0..4 {
                let value = match group.get(position) {
                    Some(byte) => digit_value(*byte)?,
                    None => 0,
                };
                bits = bits << 6 | value;
            }
            for position in 0..group.len().checked_sub(1).filter(|count| *count > 0)? {
                bytes.push((bits >> (16 - 8 * position)) as u8);
            }
        }
        Some(Self { bytes, at: 0 })
    }

    pub fn count(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64u32).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7F);
            // The tenth byte has room for one bit.
            if part.leading_zeros() < shift {
                return None;
            }
            value |= part << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A count that fits 32 bits.
    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.count()?).ok()
    }

    /// A length that is not beyond the bound.
    pub fn length(&mut self, most: usize) -> Option<usize> {
        usize::try_from(self.count()?).ok().filter(|length| *length <= most)
    }

    pub fn hash(&mut self) -> Option<u64> {
        let piece = self.take(8)?;
        Some(u64::from_le_bytes(piece.try_into().ok()?))
    }

    pub fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub fn text(&mut self) -> Option<&str> {
        let length = self.length(self.bytes.len())?;
        core::str::from_utf8(self.take(length)?).ok()
    }

    pub fn maybe(&mut self) -> Option<Option<u64>> {
        if self.flag()? { self.hash().map(Some) } else { Some(None) }
    }

    /// Whether everything was read.
    pub fn ended(&self) -> bool {
        self.at == self.bytes.len()
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let end = self.at.checked_add(length)?;
        let piece = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(piece)
    }
}

/// Base64 with the alphabet that is safe in addresses and file names.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The character for the lowest six bits.
#[inline(always)]
fn digit(bits: u32) -> u8 {
    DIGITS.get((bits & 63) as usize).copied().unwrap_or(0)
}

#[inline(always)]
fn digit_value(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone, PartialEq)]
    enum Item {
        Count(u64),
        Hash(u64),
        Flag(bool),
        Text(String),
        Maybe(Option<u64>),
    }

    fn items() -> impl Strategy<Value = Vec<Item>> {
        proptest::collection::vec(
            prop_oneof![
                prop_oneof![0u64..1 << 53, any::<u64>(), Just(u64::MAX)].prop_map(Item::Count),
                any::<u64>().prop_map(Item::Hash),
                any::<bool>().prop_map(Item::Flag),
                ".*".prop_map(Item::Text),
                any::<Option<u64>>().prop_map(Item::Maybe),
            ],
            0..30,
        )
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(items in items()) {
            let mut writer = Writer::default();
            for item in &items {
                match item {
                    Item::Count(value) => writer.count(*value),
                    Item::Hash(value) => writer.hash(*value),
                    Item::Flag(value) => writer.flag(*value),
                    Item::Text(value) => writer.text(value),
                    Item::Maybe(value) => writer.maybe(*value),
                }
            }
            let mut reader = Reader::new(&writer.finish()).expect("valid");
            for item in &items {
                let read = match item {
                    Item::Count(_) => reader.count().map(Item::Count),
                    Item::Hash(_) => reader.hash().map(Item::Hash),
                    Item::Flag(_) => reader.flag().map(Item::Flag),
                    Item::Text(_) => reader.text().map(|text| Item::Text(text.into())),
                    Item::Maybe(_) => reader.maybe().map(Item::Maybe),
                };
                prop_assert_eq!(read.as_ref(), Some(item));
            }
            prop_assert!(reader.ended());
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".*") {
            if let Some(mut reader) = Reader::new(&text) {
                while reader.count().is_some() && reader.text().is_some() && reader.maybe().is_some() {}
            }
        }
    }
}
