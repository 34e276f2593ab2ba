//! Sorts without code that can panic. The standard library's sorts panic if the order is
//! inconsistent, and a test proves that the event path cannot panic.

/// Sorts in place; equal items may change places. Uses insertion sort for short lists, the
/// usual case, and heap sort for long ones, so that no input is slow.
pub(crate) fn sort<T>(items: &mut [T], before: fn(&T, &T) -> bool) {
    if items.len() <= 16 {
        for end in 1..items.len() {
            let mut at = end;
            while at > 0 && less(items, at, at - 1, before) {
                swap(items, at, at - 1);
                at -= 1;
            }
        }
        return;
    }
    for root in (0..items.len() / 2).rev() {
        sift_down(items, root, before);
    }
    let mut end = items.len();
    while end > 1 {
        end -= 1;
        swap(items, 0, end);
        if let Some(heap) = items.get_mut(..end) {
            sift_down(heap, 0, before);
        }
    }
}

/// Moves an item down until neither child comes after it.
fn sift_down<T>(heap: &mut [T], mut root: usize, before: fn(&T, &T) -> bool) {
    loop {
        let mut child = 2 * root + 1;
        if child >= heap.len() {
            return;
        }
        if less(heap, child, child + 1, before) {
            child += 1;
        }
        if !less(heap, root, child, before) {
            return;
        }
        swap(heap, root, child);
        root = child;
    }
}

fn swap<T>(items: &mut [T], one: usize, other: usize) {
    if let Ok([one, other]) = items.get_disjoint_mut([one, other]) {
        core::mem::swap(one, other);
    }
}

fn less<T>(items: &[T], one: usize, other: usize, before: fn(&T, &T) -> bool) -> bool {
    match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => before(one, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_like_the_standard_library(items in proptest::collection::vec(0u16..300, 0..300)) {
            let mut sorted: Vec<u16> = items.clone();
            sorted.sort_unstable();
            let mut ours = items;
            sort(&mut ours, |a, b| a < b);
            prop_assert_eq!(ours, sorted);
        }
    }
}
