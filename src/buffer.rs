//! Text that is put together piece by piece. The memory stays, and is filled by
//! words: what copies any number of bytes costs more than short pieces do.

use alloc::vec::Vec;

/// See the module's text.
#[derive(Default)]
pub(crate) struct Buffer {
    /// All of its room; only the first `length` bytes are text.
    room: Vec<u8>,
    length: usize,
}

impl Buffer {
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Gives back what is beyond so many bytes.
    pub fn shrink_to(&mut self, most: usize) {
        if self.room.len() > most {
            self.room.truncate(most);
            self.room.shrink_to_fit();
            self.length = self.length.min(most);
        }
    }

    pub fn length(&self) -> usize {
        self.length
    }

    pub fn bytes(&self) -> &[u8] {
        self.room.get(..self.length).unwrap_or_default()
    }

    pub fn push(&mut self, byte: u8) {
        self.push_some([byte, 0, 0, 0, 0, 0, 0, 0], 1);
    }

    /// Appends the first `count` of these bytes.
    #[inline(always)]
    pub fn push_some(&mut self, word: [u8; 8], count: usize) {
        if self.room.len() < self.length + 8 {
            self.grow();
        }
        if let Some(place) = self.room.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut) {
            *place = word;
            self.length += count;
        }
    }

    pub fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
    }

    fn grow(&mut self) {
        self.room.resize((2 * self.room.len()).max(64), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn holds_what_a_list_would(pieces in proptest::collection::vec((any::<[u8; 8]>(), 0usize..=8), 0..60)) {
            let mut buffer = Buffer::default();
            let mut list = Vec::new();
            for (word, count) in pieces {
                match count {
                    0 => {
                        buffer.pop();
                        list.pop();
                    }
                    1 => {
                        buffer.push(word[0]);
                        list.push(word[0]);
                    }
                    _ => {
                        buffer.push_some(word, count);
                        list.extend_from_slice(&word[..count]);
                    }
                }
                prop_assert_eq!(buffer.bytes(), list.as_slice());
            }
            buffer.shrink_to(16);
            list.truncate(16);
            prop_assert_eq!(buffer.bytes(), list.as_slice());
            buffer.clear();
            prop_assert_eq!(buffer.length(), 0);
        }
    }
}
