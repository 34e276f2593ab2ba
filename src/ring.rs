//! The last so many items. Full, it overwrites the oldest: nothing is moved.

use alloc::vec::Vec;

/// See the module's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ring<T> {
    items: Vec<T>,
    /// Where the oldest item stands, once the ring is full.
    oldest: usize,
    capacity: usize,
}

impl<T> Ring<T> {
    pub fn new(capacity: usize) -> Self {
        Self { items: Vec::new(), oldest: 0, capacity: capacity.max(1) }
    }

    pub fn push(&mut self, item: T) {
        if self.items.len() < self.capacity {
            self.items.push(item);
            return;
        }
        self.oldest = self.place(1);
        if let Some(newest) = self.newest_mut() {
            *newest = item;
        }
    }

    /// The newest item from now on: a new one, or the oldest, to be filled anew. So
    /// what it holds can be used again.
    pub fn renew(&mut self) -> Option<&mut T>
    where
        T: Default,
    {
        if self.items.len() < self.capacity {
            self.items.push(T::default());
        } else {
            self.oldest = self.place(1);
        }
        self.newest_mut()
    }

    pub fn newest_mut(&mut self) -> Option<&mut T> {
        let newest = self.place(self.items.len().checked_sub(1)?);
        self.items.get_mut(newest)
    }

    /// Where the item stands that is so many after the oldest.
    fn place(&self, after: usize) -> usize {
        let at = self.oldest + after;
        if at < self.items.len() { at } else { at - self.items.len() }
    }

    /// The item so many items ago; 0 is the newest.
    pub fn back(&self, ago: usize) -> Option<&T> {
        let after = self.items.len().checked_sub(ago + 1)?;
        self.items.get(self.place(after))
    }

    /// The newest item that is wanted.
    pub fn find(&self, wanted: impl Fn(&T) -> bool) -> Option<&T> {
        let (newer, older) = self.items.split_at_checked(self.oldest)?;
        for item in newer.iter().rev() {
            if wanted(item) {
                return Some(item);
            }
        }
        older.iter().rev().find(|item| wanted(item))
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    pub fn clear(&mut self) {
        self.items.clear();
        self.oldest = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_the_last_ones_like_a_list(capacity in 0usize..6, acts in proptest::collection::vec((0u8..20, any::<bool>()), 0..40)) {
            let mut ring = Ring::new(capacity);
            let mut list: Vec<u8> = Vec::new();
            for (item, renew) in acts {
                if item == 19 {
                    ring.clear();
                    list.clear();
                    continue;
                }
                if renew {
                    *ring.renew().expect("it has room") = item;
                } else {
                    ring.push(item);
                }
                list.push(item);
                let kept: Vec<u8> = list.iter().rev().take(capacity.max(1)).copied().collect();
                let ours: Vec<u8> = (0..ring.len()).filter_map(|ago| ring.back(ago).copied()).collect();
                prop_assert_eq!(&ours, &kept);
                prop_assert_eq!(ring.back(ring.len()), None);
                prop_assert_eq!(ring.find(|found| *found == 3), kept.iter().find(|found| **found == 3));
            }
        }
    }
}
