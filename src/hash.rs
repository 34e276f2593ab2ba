//! The 64-bit hash behind every fingerprint.
//!
//! Deterministic on purpose: the same call has the same fingerprint on every machine, in
//! every process and every release, so that snapshots and swarms can be compared. That is
//! why it is our own: hashes from crates are seeded, or may change between versions. It is
//! not a cryptographic hash. Someone who forges a collision can only make their own agent
//! look stuck; hash *maps* whose keys an attacker can choose are seeded separately (see
//! `swarm`).

use alloc::string::String;

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
const SEED: u64 = 0x2545_F491_4F6C_DD1D;

/// Hashes bytes. Equal input gives equal output, everywhere.
pub(crate) const fn bytes(input: &[u8]) -> u64 {
    let mut state = SEED ^ (input.len() as u64).wrapping_mul(MULTIPLIER);
    let mut rest = input;
    while let Some((word, others)) = rest.split_first_chunk::<8>() {
        state = step(state, u64::from_le_bytes(*word));
        rest = others;
    }
    finish(step(state, last_word(input, rest)))
}

/// Reads the bytes after the last whole word as a word, lowest byte first.
#[inline(always)]
const fn last_word(input: &[u8], rest: &[u8]) -> u64 {
    // If there are eight bytes, a shifted load of the last eight is cheaper than the others.
    match (rest, input.last_chunk::<8>()) {
        ([], _) => 0,
        (_, Some(end)) => u64::from_le_bytes(*end) >> (64 - 8 * rest.len()),
        ([one, two, three, four, others @ ..], None) => {
            let start = u32::from_le_bytes([*one, *two, *three, *four]);
            start as u64 | (up_to_three(others) as u64) << 32
        }
        (few, None) => up_to_three(few) as u64,
    }
}

#[inline(always)]
const fn up_to_three(bytes: &[u8]) -> u32 {
    match bytes {
        [one] => *one as u32,
        [one, two] => u32::from_le_bytes([*one, *two, 0, 0]),
        [one, two, three, ..] => u32::from_le_bytes([*one, *two, *three, 0]),
        [] => 0,
    }
}

/// Writes a hash as text: sixteen digits.
pub(crate) fn hex(hash: u64) -> String {
    let digit = |shift: u32| char::from_digit((hash >> shift & 0xF) as u32, 16).unwrap_or('0');
    (0..16).rev().map(|place| digit(4 * place)).collect()
}

/// Combines two hashes; order matters.
pub(crate) const fn pair(first: u64, second: u64) -> u64 {
    pair_inline(first, second)
}

/// As [`pair`], without a call: for loops over every value or word of a text.
#[inline(always)]
pub(crate) const fn pair_inline(first: u64, second: u64) -> u64 {
    finish(step(step(SEED, first), second))
}

/// Adds a word to the state, bijectively: for a given state, different words give different
/// states.
#[inline(always)]
const fn step(state: u64, word: u64) -> u64 {
    let mixed = (state ^ word).wrapping_mul(MULTIPLIER);
    mixed ^ (mixed >> 32)
}

/// Spreads every input bit over every output bit, so that sums of hashes
/// (objects, whose keys have no order) do not cancel.
#[inline(always)]
const fn finish(state: u64) -> u64 {
    let mut value = state ^ (state >> 33);
    value = value.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    value ^= value >> 33;
    value = value.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    value ^ (value >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    #[test]
    fn known_values_never_change() {
        // Snapshots and swarm stores outlive releases: if this test has to be
        // edited, the change log must say that fingerprints changed.
        assert_eq!(bytes(b""), 0xc3d6_a242_8796_9a66);
        assert_eq!(bytes(b"read_file"), 0x87c1_2b9f_7996_8645);
        assert_eq!(pair(1, 2), 0xcdf1_a538_cdf7_cdbe);
    }

    #[test]
    fn order_and_length_matter() {
        assert_ne!(pair(1, 2), pair(2, 1));
        assert_ne!(bytes(b"a"), bytes(b"a\0"));
        assert_ne!(bytes(b""), bytes(b"\0"));
    }

    /// Hashes by the definition, byte by byte.
    fn naive(input: &[u8]) -> u64 {
        let mut state = SEED ^ (input.len() as u64).wrapping_mul(MULTIPLIER);
        let word =
            |part: &[u8]| part.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte));
        let whole = input.len() / 8 * 8;
        for part in input[..whole].chunks(8) {
            state = step(state, word(part));
        }
        finish(step(state, word(&input[whole..])))
    }

    proptest! {
        #[test]
        fn words_are_read_like_bytes(input in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(bytes(&input), naive(&input));
        }

        #[test]
        fn one_changed_byte_changes_the_hash(input in proptest::collection::vec(any::<u8>(), 1..200), at in any::<prop::sample::Index>(), flip in 1u8..) {
            let mut changed: Vec<u8> = input.clone();
            let position = at.index(changed.len());
            if let Some(byte) = changed.get_mut(position) {
                *byte ^= flip;
            }
            prop_assert_ne!(bytes(&input), bytes(&changed));
        }
    }
}
