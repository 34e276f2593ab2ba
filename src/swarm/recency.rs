//! The order in which slots were last used: a doubly linked list over slot
//! numbers, so that touching and evicting cost the same however many there are.

use alloc::vec::Vec;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Link {
    older: u32,
    newer: u32,
}

/// Slots from the least to the most recently used one.
pub(super) struct Recency {
    links: Vec<Link>,
    oldest: u32,
    newest: u32,
}

impl Recency {
    pub fn new() -> Self {
        Self { links: Vec::new(), oldest: NONE, newest: NONE }
    }

    /// A new slot, the newest of all.
    pub fn add(&mut self) -> u32 {
        let slot = self.links.len() as u32;
        self.links.push(Link { older: NONE, newer: NONE });
        self.append(slot);
        slot
    }

    /// Makes a slot the newest.
    pub fn touch(&mut self, slot: u32) {
        if slot == self.newest {
            return;
        }
        let Some(link) = self.links.get(slot as usize).copied() else { return };
        match self.links.get_mut(link.older as usize) {
            Some(older) => older.newer = link.newer,
            None => self.oldest = link.newer,
        }
        if let Some(newer) = self.links.get_mut(link.newer as usize) {
            newer.older = link.older;
        }
        self.append(slot);
    }

    /// The slot to evict.
    pub fn oldest(&self) -> Option<u32> {
        (self.oldest != NONE).then_some(self.oldest)
    }

    /// All slots, least recently used first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.oldest;
        core::iter::from_fn(move || {
            let link = self.links.get(at as usize)?;
            let slot = at;
            at = link.newer;
            Some(slot)
        })
    }

    fn append(&mut self, slot: u32) {
        let older = self.newest;
        if let Some(link) = self.links.get_mut(slot as usize) {
            *link = Link { older, newer: NONE };
        }
        match self.links.get_mut(older as usize) {
            Some(previous) => previous.newer = slot,
            None => self.oldest = slot,
        }
        self.newest = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_a_naive_list(touches in proptest::collection::vec(0u32..8, 0..100)) {
            let mut recency = Recency::new();
            let mut naive: Vec<u32> = Vec::new();
            for touch in touches {
                if touch as usize >= naive.len() {
                    naive.push(recency.add());
                } else {
                    recency.touch(touch);
                    naive.retain(|slot| *slot != touch);
                    naive.push(touch);
                }
                prop_assert_eq!(recency.oldest(), naive.first().copied());
            }
            prop_assert_eq!(recency.iter().collect::<Vec<_>>(), naive);
        }
    }
}
