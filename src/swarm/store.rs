//! The fingerprints that are known, in a bounded table: found by a keyed hash,
//! evicted by age.

use super::LONGEST;
use super::recency::Recency;
use crate::call::first_characters;
use crate::table::Table;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::hash::Hasher;
use siphasher::sip::SipHasher13;

/// The calls with one fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Entry {
    pub fingerprint: String,
    pub tool: String,
    pub total: u64,
    /// Hashes of the ids of the workers that made them.
    pub workers: Vec<u64>,
    hash: u64,
}

pub(super) struct Store {
    capacity: usize,
    /// Fingerprints come from models and tools: without a secret key, someone
    /// could choose them to collide.
    seed: [u64; 2],
    index: Table<u32>,
    entries: Vec<Entry>,
    recency: Recency,
    pub evicted: u64,
}

impl Store {
    pub fn new(capacity: usize, seed: [u64; 2]) -> Self {
        Self {
            capacity: capacity.max(1),
            seed,
            index: Table::new(),
            entries: Vec::new(),
            recency: Recency::new(),
            evicted: 0,
        }
    }

    /// An empty store of the same kind.
    pub fn emptied(&self) -> Self {
        Self::new(self.capacity, self.seed)
    }

    pub fn clear(&mut self) {
        *self = self.emptied();
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn find(&self, fingerprint: &str) -> Option<&Entry> {
        self.entries.get(self.index.get(self.hash(fingerprint))? as usize)
    }

    /// All entries, the least recently used first.
    pub fn in_order(&self) -> impl Iterator<Item = &Entry> {
        self.recency.iter().filter_map(|slot| self.entries.get(slot as usize))
    }

    /// The entry of a fingerprint, from now on the most recently used; made if
    /// there is none, in place of the least recently used one if there is no room.
    pub fn enter(&mut self, fingerprint: &str, tool: &str) -> Option<&mut Entry> {
        let hash = self.hash(fingerprint);
        let slot = match self.index.get(hash) {
            Some(slot) => slot,
            None => {
                let tool = first_characters(tool, LONGEST).to_string();
                let fingerprint = fingerprint.to_string();
                self.add(Entry { fingerprint, tool, hash, ..Entry::default() })?
            }
        };
        self.recency.touch(slot);
        self.entries.get_mut(slot as usize)
    }

    fn add(&mut self, entry: Entry) -> Option<u32> {
        let hash = entry.hash;
        let slot = if self.entries.len() < self.capacity {
            self.entries.push(entry);
            self.recency.add()
        } else {
            let slot = self.recency.oldest()?;
            let place = self.entries.get_mut(slot as usize)?;
            let old = core::mem::replace(place, entry);
            self.index.remove(old.hash);
            self.evicted = self.evicted.saturating_add(1);
            slot
        };
        self.index.set(hash, slot);
        Some(slot)
    }

    /// Sixty-four keyed bits stand for the fingerprint: among a million of them,
    /// two would be taken for one with a probability of one in forty million.
    fn hash(&self, fingerprint: &str) -> u64 {
        let [first, second] = self.seed;
        let mut hasher = SipHasher13::new_with_keys(first, second);
        hasher.write(fingerprint.as_bytes());
        hasher.finish()
    }
}
