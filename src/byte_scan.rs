//! Finding bytes eight at a time, where most of a text is not what is looked for.

/// One in each byte, and the highest bit of each.
pub(crate) const LOW: u64 = 0x0101_0101_0101_0101;
pub(crate) const HIGH: u64 = LOW << 7;

/// Where the next such byte stands, from `from` on.
pub(crate) fn next_byte(text: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let mut at = from;
    for word in text.get(from..)?.as_chunks::<8>().0 {
        let found = equal(u64::from_le_bytes(*word), wanted) & HIGH;
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    while let Some(byte) = text.get(at) {
        if *byte == wanted {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Whether all bytes are ASCII.
pub(crate) fn is_ascii(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    let mut all = 0;
    for word in words {
        all |= u64::from_le_bytes(*word);
    }
    all & HIGH == 0 && rest.iter().all(u8::is_ascii)
}

/// Where the next one of these bytes stands, from `from` on.
#[inline(always)]
pub(crate) fn next_of_five(text: &[u8], from: usize, wanted: [u8; 5]) -> Option<usize> {
    let [a, b, c, d, e] = wanted;
    let mut at = from;
    for word in text.get(from..)?.as_chunks::<8>().0 {
        let word = u64::from_le_bytes(*word);
        let found =
            equal(word, a) | equal(word, b) | equal(word, c) | equal(word, d) | equal(word, e);
        if found & HIGH != 0 {
            return Some(at + ((found & HIGH).trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    while let Some(byte) = text.get(at) {
        if wanted.contains(byte) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The highest bit of each byte that is this one is set; behind the first such
/// byte, that of some others, too. Lower bits mean nothing.
#[inline(always)]
pub(crate) const fn equal(word: u64, wanted: u8) -> u64 {
    let same = word ^ (LOW * wanted as u64);
    same.wrapping_sub(LOW) & !same
}

/// Where the next digit stands, from `from` on.
pub(crate) fn next_digit(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for word in text.get(from..)?.as_chunks::<8>().0 {
        let word = u64::from_le_bytes(*word) ^ (LOW * 0x30);
        // The highest bit of each byte that is no digit.
        let others = ((word & (LOW * 0x7F)) + LOW * 0x76) | word;
        let digits = !others & HIGH;
        if digits != 0 {
            return Some(at + (digits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    while let Some(byte) = text.get(at) {
        if byte.is_ascii_digit() {
            return Some(at);
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_a_loop_finds(text in proptest::collection::vec(prop_oneof![any::<u8>(), 0x2Fu8..0x3B], 0..60), from in 0usize..70, wanted in prop_oneof![any::<u8>(), 0x2Fu8..0x3B]) {
            let first = |is: &dyn Fn(u8) -> bool| (from..text.len()).find(|at| is(text[*at]));
            prop_assert_eq!(next_byte(&text, from, wanted), first(&|byte| byte == wanted));
            let five = [wanted, 0x30, 0x3A, b'a', 0xE2];
            prop_assert_eq!(next_of_five(&text, from, five), first(&|byte| five.contains(&byte)));
            prop_assert_eq!(is_ascii(&text), text.is_ascii());
            prop_assert_eq!(next_digit(&text, from), first(&|byte| byte.is_ascii_digit()));
        }
    }
}
