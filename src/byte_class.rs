//! What kinds a byte is of, as a table: a look-up is all that most bytes cost.

/// Up to eight kinds, each a bit.
pub(crate) struct ByteClasses([u8; 256]);

impl ByteClasses {
    /// Every byte from the first to the last of a range is of these kinds, beside
    /// those that other ranges give it.
    pub const fn new(ranges: &[(u8, u8, u8)]) -> Self {
        let mut classes = Self([0; 256]);
        let mut rest = ranges;
        while let [(first, last, kinds), others @ ..] = rest {
            let mut byte = *first;
            classes = classes.and(&[byte], *kinds);
            while byte < *last {
                byte += 1;
                classes = classes.and(&[byte], *kinds);
            }
            rest = others;
        }
        classes
    }

    /// The same for each of these bytes.
    pub const fn and(self, bytes: &[u8], kinds: u8) -> Self {
        let Self(mut table) = self;
        let mut rest = bytes;
        while let [byte, others @ ..] = rest {
            #[expect(
                clippy::indexing_slicing,
                reason = "worked out by the compiler, within bounds"
            )]
            {
                table[*byte as usize] |= kinds;
            }
            rest = others;
        }
        Self(table)
    }

    #[inline(always)]
    pub fn of(&self, byte: u8) -> u8 {
        self.0.get(usize::from(byte)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_add_up() {
        let classes = ByteClasses::new(&[(b'a', b'z', 1), (b'a', b'f', 2), (0xF0, 0xFF, 8)]);
        let classes = classes.and(b"x_", 4);
        let kinds: [u8; 6] = [b'a', b'g', b'x', b'_', 0xEF, 0xFF].map(|byte| classes.of(byte));
        assert_eq!(kinds, [3, 1, 5, 4, 0, 8]);
    }
}
