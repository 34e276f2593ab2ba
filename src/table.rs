//! A small hash table from 64-bit hashes to values.
//!
//! Open addressing with linear probing; removing moves later entries back, so
//! there are no tombstones and nothing slows down with age. Keys are hashes
//! already. Where a stranger chooses what is hashed, the hash has to be keyed
//! (see `swarm`); where the number of entries is small and bounded, a forged
//! collision costs at most one pass over them. A general-purpose map is faster
//! at a million entries, which no detector has, and costs five times the wasm.

use crate::vec_ext::swap;
use alloc::vec;
use alloc::vec::Vec;

/// See the module's text.
pub(crate) struct Table<V> {
    /// A power of two of places, at most half of them taken.
    places: Vec<Option<(u64, V)>>,
    taken: usize,
}

impl<V: Copy> Default for Table<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Copy> Table<V> {
    pub fn new() -> Self {
        Self { places: vec![None; 8], taken: 0 }
    }

    pub fn get(&self, key: u64) -> Option<V> {
        self.places.get(self.place(key)).copied().flatten().map(|(_, value)| value)
    }

    /// Sets the value of a key; a warm table allocates nothing.
    pub fn set(&mut self, key: u64, value: V) {
        if (self.taken + 1) * 2 > self.places.len() {
            self.grow();
        }
        let at = self.place(key);
        if let Some(place) = self.places.get_mut(at) {
            self.taken += usize::from(place.is_none());
            *place = Some((key, value));
        }
    }

    pub fn remove(&mut self, key: u64) {
        let mut hole = self.place(key);
        if self.places.get_mut(hole).and_then(Option::take).is_none() {
            return;
        }
        self.taken -= 1;
        let mut at = hole;
        loop {
            at = self.after(at);
            let Some(Some(entry)) = self.places.get(at).copied() else { return };
            // An entry may move back to the hole unless that lies before its home.
            let from_home = self.distance(self.home(entry.0), at);
            if from_home >= self.distance(hole, at) {
                swap(&mut self.places, hole, at);
                hole = at;
            }
        }
    }

    pub fn clear(&mut self) {
        self.places.fill(None);
        self.taken = 0;
    }

    /// Where the key is, or where it would go.
    fn place(&self, key: u64) -> usize {
        let mut at = self.home(key);
        while let Some(Some((other, _))) = self.places.get(at) {
            if *other == key {
                break;
            }
            at = self.after(at);
        }
        at
    }

    fn home(&self, key: u64) -> usize {
        key as usize & (self.places.len() - 1)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.places.len() - 1)
    }

    fn distance(&self, from: usize, to: usize) -> usize {
        to.wrapping_sub(from) & (self.places.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![None; self.places.len() * 2];
        for (key, value) in core::mem::replace(&mut self.places, larger).into_iter().flatten() {
            let at = self.place(key);
            if let Some(place) = self.places.get_mut(at) {
                *place = Some((key, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn equals_a_naive_map(acts in proptest::collection::vec((0u64..24, any::<u8>(), any::<bool>()), 0..200)) {
            let mut table = Table::new();
            let mut naive = BTreeMap::new();
            for (key, value, set) in acts {
                // Keys with the same low bits, so that they collide.
                let key = (key % 4) | (key / 4) << 40;
                if set {
                    table.set(key, value);
                    naive.insert(key, value);
                } else {
                    table.remove(key);
                    naive.remove(&key);
                }
                prop_assert_eq!(table.taken, naive.len());
                for probe in 0u64..24 {
                    let probe = (probe % 4) | (probe / 4) << 40;
                    prop_assert_eq!(table.get(probe), naive.get(&probe).copied());
                }
            }
        }
    }
}
