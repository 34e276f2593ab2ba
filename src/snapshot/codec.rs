//! The compact form in which state is saved: varints, hashes and texts, one
//! after the other. Reading never trusts what it reads: every length and bound
//! is checked, and anything odd is `None`.

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

    /// All of it.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what [`Writer`] wrote, in the same order.
pub(crate) struct Reader {
    bytes: Vec<u8>,
    at: usize,
    failed: bool,
}

impl Reader {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, at: 0, failed: false }
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
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
            let mut reader = Reader::new(writer.finish());
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
        fn no_bytes_make_the_reader_panic(bytes in any::<Vec<u8>>()) {
            let mut reader = Reader::new(bytes);
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
