//! Classes of bytes, in a table built at compile time: a byte costs one lookup.

/// Up to eight classes, each a bit.
pub(crate) struct ByteClasses([u8; 256]);

impl ByteClasses {
    /// Builds a table from ranges: first byte, last byte, and their classes. Classes of
    /// overlapping ranges add up.
    pub const fn new(ranges: &[(u8, u8, u8)]) -> Self {
        let mut table = Self([0; 256]);
        let mut rest = ranges;
        while let [(first, last, classes), others @ ..] = rest {
            let mut byte = *first;
            table = table.and(&[byte], *classes);
            while byte < *last {
                byte += 1;
                table = table.and(&[byte], *classes);
            }
            rest = others;
        }
        table
    }

    /// Adds classes to single bytes.
    pub const fn and(self, bytes: &[u8], classes: u8) -> Self {
        let Self(mut table) = self;
        let mut rest = bytes;
        while let [byte, others @ ..] = rest {
            #[expect(
                clippy::indexing_slicing,
                reason = "runs in the compiler, which checks the bounds"
            )]
            {
                table[*byte as usize] |= classes;
            }
            rest = others;
        }
        Self(table)
    }

    /// Returns the classes of a byte.
    #[inline(always)]
    pub fn of(&self, byte: u8) -> u8 {
        self.0.get(usize::from(byte)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_add_up() {
        let classes = ByteClasses::new(&[(b'a', b'z', 1), (b'a', b'f', 2), (0xF0, 0xFF, 8)]);
        let classes = classes.and(b"x_", 4);
        let found: [u8; 6] = [b'a', b'g', b'x', b'_', 0xEF, 0xFF].map(|byte| classes.of(byte));
        assert_eq!(found, [3, 1, 5, 4, 0, 8]);
    }
}
