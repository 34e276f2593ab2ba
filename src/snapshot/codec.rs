//! The compact form in which state is saved: varints, hashes and texts, one
//! after the other. Reading never trusts what it reads: every length and bound
//! is checked, and anything odd is `None`.

use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;
use serde::de::DeserializeOwned;

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

    /// State that derives its form.
    pub fn derived<T: Serialize>(&mut self, state: &T) {
        self.bytes.extend(postcard::to_allocvec(state).unwrap_or_default());
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
    failed: bool,
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
        Some(Self { bytes, at: 0, failed: false })
    }

    /// What cannot be read is 0, and from then on so is everything else: it is enough
    /// to ask at the end whether all was read.
    pub fn count(&mut self) -> u64 {
        let mut value = 0u64;
        for shift in (0..64u32).step_by(7) {
            let byte = self.byte();
            let part = u64::from(byte & 0x7F);
            // The tenth byte has room for one bit.
            if part.leading_zeros() < shift {
                break;
            }
            value |= part << shift;
            if byte < 0x80 {
                return value;
            }
        }
        self.fail()
    }

    /// A count that fits 32 bits.
    pub fn small(&mut self) -> u32 {
        match u32::try_from(self.count()) {
            Ok(value) => value,
            Err(_) => self.fail() as u32,
        }
    }

    /// How many items follow: at most so many. Each takes a byte or more, so that a
    /// forged one cannot make work for what is not there.
    pub fn length(&mut self, most: usize) -> usize {
        let length = self.place(most);
        let rest = self.bytes.len().saturating_sub(self.at);
        if length <= rest { length } else { self.fail() as usize }
    }

    /// A number that is not beyond the bound.
    pub fn place(&mut self, most: usize) -> usize {
        match usize::try_from(self.count()) {
            Ok(place) if place <= most => place,
            _ => self.fail() as usize,
        }
    }

    pub fn hash(&mut self) -> u64 {
        match self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
            Some(word) => {
                self.at += 8;
                u64::from_le_bytes(*word)
            }
            None => self.fail(),
        }
    }

    pub fn flag(&mut self) -> bool {
        self.place(1) == 1
    }

    pub fn text(&mut self) -> &str {
        let length = self.length(self.bytes.len());
        let start = self.at;
        self.at += length;
        let piece = self.bytes.get(start..self.at).unwrap_or_default();
        let text = core::str::from_utf8(piece);
        self.failed |= text.is_err();
        text.unwrap_or_default()
    }

    /// State that derives its form.
    pub fn derived<T: DeserializeOwned>(&mut self) -> Option<T> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match postcard::take_from_bytes(rest) {
            Ok((state, after)) => {
                self.at = self.bytes.len() - after.len();
                Some(state)
            }
            Err(_) => {
                self.fail();
                None
            }
        }
    }

    pub fn maybe(&mut self) -> Option<u64> {
        if self.flag() { Some(self.hash()) } else { None }
    }

    /// Whether everything was read, and could be.
    pub fn ended(&self) -> bool {
        self.at == self.bytes.len() && !self.failed
    }

    fn byte(&mut self) -> u8 {
        let Some(byte) = self.bytes.get(self.at) else { return self.fail() as u8 };
        self.at += 1;
        *byte
    }

    fn fail(&mut self) -> u64 {
        self.failed = true;
        self.at = self.bytes.len();
        0
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
                    Item::Count(_) => Item::Count(reader.count()),
                    Item::Hash(_) => Item::Hash(reader.hash()),
                    Item::Flag(_) => Item::Flag(reader.flag()),
                    Item::Text(_) => Item::Text(reader.text().into()),
                    Item::Maybe(_) => Item::Maybe(reader.maybe()),
                };
                prop_assert_eq!(&read, item);
            }
            prop_assert!(reader.ended());
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".*") {
            if let Some(mut reader) = Reader::new(&text) {
                while !reader.failed {
                    let _ = (reader.count(), reader.text().len(), reader.maybe());
                }
                prop_assert!(!reader.ended());
                prop_assert_eq!((reader.count(), reader.hash(), reader.flag()), (0, 0, false));
                prop_assert_eq!((reader.length(9), reader.maybe()), (0, None));
                prop_assert_eq!(reader.text(), "");
            }
        }
    }
}
