//! Counts the calls and workers of each fingerprint, in a map of bounded size that evicts
//! the least recently recorded fingerprint to make room for a new one.

use crate::call::first_characters;
use crate::concat::cat;
use crate::hash;
use crate::sort::sort;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::hash::BuildHasher;
use hashbrown::HashSet;
use hashlink::LinkedHashMap;
use hashlink::linked_hash_map::RawEntryMut;
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;

/// The longest fingerprint or tool name that is kept, in characters.
const MAX_CHARACTERS: usize = 256;

/// Hashes with a secret key: fingerprints come from models and tools, and without a key an
/// attacker could choose them to collide.
#[derive(Debug, Clone)]
pub(super) struct KeyedHash {
    key: [u64; 2],
}

impl KeyedHash {
    pub fn new(key: [u64; 2]) -> Self {
        Self { key }
    }
}

impl BuildHasher for KeyedHash {
    type Hasher = SipHasher13;

    fn build_hasher(&self) -> SipHasher13 {
        let [first, second] = self.key;
        SipHasher13::new_with_keys(first, second)
    }
}

/// The calls with one fingerprint.
pub(super) struct Entry<S = KeyedHash> {
    pub tool: String,
    pub total_calls: u64,
    /// Hashes of the ids of the workers that made the calls.
    workers: HashSet<u64, S>,
}

impl<S: BuildHasher> Entry<S> {
    fn new(tool: &str, hasher: S) -> Self {
        Self {
            tool: first_characters(tool, MAX_CHARACTERS).to_string(),
            total_calls: 0,
            workers: HashSet::with_hasher(hasher),
        }
    }

    /// Returns how many workers made the calls, up to the maximum.
    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }
}

/// The known fingerprints.
pub(super) struct Store<S = KeyedHash> {
    capacity: usize,
    max_workers: usize,
    hasher: S,
    /// The least recently recorded first.
    entries: LinkedHashMap<String, Entry<S>, S>,
    /// All calls, including those of evicted fingerprints.
    pub total_calls: u64,
    /// How many fingerprints were evicted.
    pub evicted: u64,
}

impl<S: BuildHasher + Clone> Store<S> {
    pub fn new(capacity: usize, max_workers: usize, hasher: S) -> Self {
        Self {
            capacity: capacity.max(1),
            max_workers,
            entries: LinkedHashMap::with_hasher(hasher.clone()),
            hasher,
            total_calls: 0,
            evicted: 0,
        }
    }

    pub fn clear(&mut self) {
        *self = Self::new(self.capacity, self.max_workers, self.hasher.clone());
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Finds a fingerprint; returns it as stored, with its entry.
    pub fn find(&self, fingerprint: &str) -> Option<(&str, &Entry<S>)> {
        let fingerprint: &str = &bounded(fingerprint);
        self.entries.raw_entry().from_key(fingerprint).map(|(key, entry)| (key.as_str(), entry))
    }

    /// Returns all fingerprints, most recently recorded first.
    pub fn latest_first(&self) -> impl Iterator<Item = (&str, &Entry<S>)> {
        self.entries.iter().rev().map(|(fingerprint, entry)| (fingerprint.as_str(), entry))
    }

    /// Counts a call of a worker, given by the hash of its id. Returns the fingerprint's
    /// entry.
    pub fn record(
        &mut self,
        fingerprint: &str,
        tool: &str,
        worker: u64,
    ) -> Option<(&str, &Entry<S>)> {
        self.total_calls = self.total_calls.saturating_add(1);
        let fingerprint = bounded(fingerprint);
        let entry = match self.entries.raw_entry_mut().from_key(&*fingerprint) {
            RawEntryMut::Occupied(mut known) => {
                known.to_back();
                known.into_mut()
            }
            RawEntryMut::Vacant(vacant) => {
                let entry = Entry::new(tool, self.hasher.clone());
                vacant.insert(fingerprint.into_owned(), entry).1
            }
        };
        entry.total_calls = entry.total_calls.saturating_add(1);
        if entry.workers.len() < self.max_workers {
            entry.workers.insert(worker);
        }
        if self.entries.len() > self.capacity {
            self.evict_oldest();
        }
        self.entries.back().map(|(fingerprint, entry)| (fingerprint.as_str(), entry))
    }

    fn evict_oldest(&mut self) {
        // The map's own `pop_front` could panic, as far as the compiler can tell.
        if let Some(oldest) = self.entries.front().map(|(fingerprint, _)| fingerprint.clone()) {
            self.entries.remove(&oldest);
            self.evicted = self.evicted.saturating_add(1);
        }
    }

    /// Returns everything that is known, as plain data.
    pub fn save(&self) -> SavedStore {
        let saved = |(fingerprint, entry): (&String, &Entry<S>)| {
            let mut workers: Vec<u64> = entry.workers.iter().copied().collect();
            sort(&mut workers, |one, other| one < other);
            SavedEntry {
                fingerprint: fingerprint.clone(),
                tool: entry.tool.clone(),
                total_calls: entry.total_calls,
                workers,
            }
        };
        SavedStore {
            total_calls: self.total_calls,
            evicted: self.evicted,
            entries: self.entries.iter().map(saved).collect(),
        }
    }

    /// Makes a store of the same kind with the saved fingerprints, as far as there is room:
    /// the least recently recorded ones are left out. `None` if no store can have saved
    /// this.
    pub fn restored(&self, saved: SavedStore) -> Option<Self> {
        if !saved.is_valid() {
            return None;
        }
        let mut store = Self::new(self.capacity, self.max_workers, self.hasher.clone());
        let surplus = saved.entries.len().saturating_sub(self.capacity);
        for entry in saved.entries.into_iter().skip(surplus) {
            let mut workers = HashSet::with_hasher(self.hasher.clone());
            workers.extend(entry.workers.into_iter().take(self.max_workers));
            let known = Entry { tool: entry.tool, total_calls: entry.total_calls, workers };
            if store.entries.insert(entry.fingerprint, known).is_some() {
                return None;
            }
        }
        store.total_calls = saved.total_calls;
        store.evicted = saved.evicted.saturating_add(surplus as u64);
        Some(store)
    }
}

/// Cuts a long fingerprint; a hash of the whole distinguishes it from others with the same
/// start.
fn bounded(fingerprint: &str) -> Cow<'_, str> {
    if is_bounded(fingerprint) {
        return Cow::Borrowed(fingerprint);
    }
    let digest = hash::hex(hash::bytes(fingerprint.as_bytes()));
    let start = first_characters(fingerprint, MAX_CHARACTERS - 18);
    Cow::Owned(cat(&[start, "…#", &digest]))
}

fn is_bounded(text: &str) -> bool {
    first_characters(text, MAX_CHARACTERS).len() == text.len()
}

/// A store as it is saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedStore {
    pub total_calls: u64,
    evicted: u64,
    /// The least recently recorded first.
    entries: Vec<SavedEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SavedEntry {
    fingerprint: String,
    tool: String,
    total_calls: u64,
    /// In ascending order.
    workers: Vec<u64>,
}

impl SavedStore {
    /// Returns whether a store can have saved this.
    fn is_valid(&self) -> bool {
        let mut left = Some(self.total_calls);
        for entry in &self.entries {
            left = left.and_then(|left| left.checked_sub(entry.total_calls));
        }
        left.is_some() && self.entries.iter().all(SavedEntry::is_valid)
    }
}

impl SavedEntry {
    fn is_valid(&self) -> bool {
        is_bounded(&self.fingerprint)
            && is_bounded(&self.tool)
            && !self.workers.is_empty()
            && self.workers.len() as u64 <= self.total_calls
            && self.workers.is_sorted_by(|one, other| one < other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use core::cell::Cell;
    use core::hash::Hasher;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn keyed(capacity: usize, max_workers: usize) -> Store {
        Store::new(capacity, max_workers, KeyedHash::new([1, 2]))
    }

    /// Gives everything the same hash.
    #[derive(Clone)]
    struct Constant;

    impl BuildHasher for Constant {
        type Hasher = Constant;

        fn build_hasher(&self) -> Constant {
            Constant
        }
    }

    impl Hasher for Constant {
        fn write(&mut self, _: &[u8]) {}

        fn finish(&self) -> u64 {
            7
        }
    }

    #[test]
    fn fingerprints_with_the_same_hash_stay_distinct() {
        let mut store = Store::new(3, 4, Constant);
        for (fingerprint, worker) in [("a", 1), ("b", 1), ("a", 2), ("c", 1), ("a", 3), ("d", 1)] {
            let (found, _) = store.record(fingerprint, "tool", worker).expect("recorded");
            assert_eq!(found, fingerprint);
        }
        let counts =
            |name| store.find(name).map(|(_, entry)| (entry.total_calls, entry.worker_count()));
        assert_eq!(counts("a"), Some((3, 3)));
        assert_eq!(counts("b"), None, "the least recently recorded of four");
        assert_eq!(counts("c"), Some((1, 1)));
        assert_eq!(counts("d"), Some((1, 1)));
        assert_eq!(store.evicted, 1);
    }

    /// Counts how many times something is hashed.
    #[derive(Clone)]
    struct Counting {
        inner: KeyedHash,
        hashes: Rc<Cell<usize>>,
    }

    impl BuildHasher for Counting {
        type Hasher = SipHasher13;

        fn build_hasher(&self) -> SipHasher13 {
            self.hashes.set(self.hashes.get() + 1);
            self.inner.build_hasher()
        }
    }

    #[test]
    fn the_cost_per_worker_does_not_grow() {
        const WORKERS: usize = 65_536;
        let hashes = Rc::new(Cell::new(0));
        let hasher = Counting { inner: KeyedHash::new([1, 2]), hashes: hashes.clone() };
        let mut store = Store::new(4, WORKERS, hasher);
        for worker in 0..WORKERS {
            store.record("f", "tool", hash::pair(worker as u64, 0));
        }
        assert_eq!(store.find("f").map(|(_, entry)| entry.worker_count()), Some(WORKERS));
        // One for the fingerprint, one for the worker, and at most two more each time the
        // set of workers doubles.
        assert!(hashes.get() <= 5 * WORKERS, "{}", hashes.get());
        let before = hashes.get();
        for worker in 0..WORKERS {
            store.record("f", "tool", hash::pair(worker as u64, 0));
        }
        assert_eq!(store.find("f").map(|(_, entry)| entry.total_calls), Some(2 * WORKERS as u64));
        assert!(hashes.get() - before <= 2 * WORKERS + 2);
    }

    fn valid() -> SavedStore {
        let mut store = keyed(9, 9);
        for (fingerprint, worker) in [("a", 1), ("b", 1), ("b", 2), ("c", 3), ("b", 3)] {
            store.record(fingerprint, "tool", worker);
        }
        store.save()
    }

    #[test]
    fn impossible_state_is_refused() {
        let store = keyed(9, 9);
        assert_eq!(store.restored(valid()).map(|store| store.save()), Some(valid()));
        let changes: [fn(&mut SavedStore); 10] = [
            |saved| saved.total_calls = 4,
            |saved| saved.entries[0].total_calls = u64::MAX,
            |saved| saved.entries[0].total_calls = 0,
            |saved| saved.entries[0].workers.clear(),
            |saved| saved.entries[0].workers.push(2),
            |saved| saved.entries[2].workers.swap(0, 1),
            |saved| saved.entries[2].workers[1] = 1,
            |saved| saved.entries[0].fingerprint = "a".repeat(MAX_CHARACTERS + 1),
            |saved| saved.entries[0].tool = "a".repeat(MAX_CHARACTERS + 1),
            |saved| saved.entries[1].fingerprint = "a".into(),
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut saved = valid();
            change(&mut saved);
            assert!(store.restored(saved).is_none(), "{number}");
        }
    }

    #[test]
    fn fingerprints_beyond_the_capacity_are_left_out() {
        let small = keyed(2, 1).restored(valid()).expect("valid");
        let known: Vec<&str> = small.latest_first().map(|(fingerprint, _)| fingerprint).collect();
        assert_eq!(known, ["b", "c"]);
        assert_eq!(small.find("b").map(|(_, entry)| entry.worker_count()), Some(1));
        assert_eq!((small.evicted, small.total_calls), (1, 5));
    }

    proptest! {
        #[test]
        fn equals_a_naive_list(
            calls in proptest::collection::vec((0u8..8, 0u64..5), 0..100),
            capacity in 1usize..6,
            max_workers in 1usize..4,
        ) {
            let mut store = keyed(capacity, max_workers);
            let mut order: Vec<String> = Vec::new();
            let mut naive: BTreeMap<String, (u64, BTreeSet<u64>)> = BTreeMap::new();
            for (fingerprint, worker) in calls {
                let fingerprint = fingerprint.to_string();
                store.record(&fingerprint, "tool", worker);
                order.retain(|known| *known != fingerprint);
                order.push(fingerprint.clone());
                let (total, workers) = naive.entry(fingerprint).or_default();
                *total += 1;
                if workers.len() < max_workers {
                    workers.insert(worker);
                }
                if order.len() > capacity {
                    naive.remove(&order.remove(0));
                }
                let found: Vec<_> = store
                    .latest_first()
                    .map(|(name, entry)| (name, entry.total_calls, entry.worker_count()))
                    .collect();
                let wanted: Vec<_> = order
                    .iter()
                    .rev()
                    .map(|name| (name.as_str(), naive[name].0, naive[name].1.len()))
                    .collect();
                prop_assert_eq!(found, wanted);
            }
            let again = keyed(capacity, max_workers).restored(store.save()).expect("our own");
            prop_assert_eq!(again.save(), store.save());
        }
    }
}
