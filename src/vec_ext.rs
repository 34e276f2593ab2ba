//! Operations on lists that the standard library offers only with a check that ends in
//! a panic. Here, indices out of range are ignored. A test proves that the event path has
//! no way to a panic, not even one that is never taken. (For the same reason texts are
//! split at `[' ']`, not at `' '`, whose search has one.)

use alloc::vec::Vec;

/// Exchanges two items.
pub(crate) fn swap<T>(items: &mut [T], one: usize, other: usize) {
    if let Ok([one, other]) = items.get_disjoint_mut([one, other]) {
        core::mem::swap(one, other);
    }
}

/// Removes `count` items from an index on; the others keep their order.
pub(crate) fn remove<T>(items: &mut Vec<T>, from: usize, count: usize) {
    let mut at = 0usize;
    items.retain(|_| {
        let keep = at < from || at - from >= count;
        at += 1;
        keep
    });
}

/// Removes the first item of a list that is full, to make room for one more.
pub(crate) fn make_room<T>(items: &mut Vec<T>, capacity: usize) {
    if items.len() >= capacity {
        remove(items, 0, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn swaps_and_removes_like_the_standard_library(items in proptest::collection::vec(0u8..9, 0..20), one in 0usize..25, other in 0usize..25) {
            let mut ours = items.clone();
            let mut theirs = items.clone();
            swap(&mut ours, one, other);
            if one < items.len() && other < items.len() {
                theirs.swap(one, other);
            }
            prop_assert_eq!(&ours, &theirs);
            remove(&mut ours, one, other);
            let start = one.min(theirs.len());
            theirs.drain(start..one.saturating_add(other).min(theirs.len()).max(start));
            prop_assert_eq!(&ours, &theirs);
        }
    }
}
