//! Detects calls that a whole swarm of workers keeps making.
//!
//! How workers reach it is up to the host. Memory is bounded: when `capacity` fingerprints
//! are known, a new one replaces the least recently recorded. A fingerprint that a swarm is
//! stuck on is recorded all the time, so it is the last to be replaced.

mod config;
#[cfg(feature = "serde")]
mod options;
mod store;

pub use config::SwarmConfig;

use crate::call::readable;
use crate::config::{Messages, RecognisedBy, summary};
use crate::error::Error;
use crate::event::Args;
use crate::hash;
use crate::quote::defuse;
use crate::render::{Facts, render};
use crate::snapshot::{self, Snapshot};
use crate::tools::{Tables, classify};
use crate::verdict::{Action, Level, LoopKind, Verdict, count};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use store::{Entry, KeyedHash, SavedStore, Store};

/// What is known about one fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FingerprintInfo {
    /// The fingerprint.
    pub fingerprint: String,
    /// The tool it is a call of.
    pub tool: String,
    /// How many calls were made.
    #[serde(serialize_with = "count")]
    pub total_calls: u64,
    /// How many workers made them; saturates at [`SwarmConfig::max_workers`].
    #[serde(serialize_with = "count")]
    pub worker_count: u64,
    /// Whether it is a global loop.
    #[serde(rename = "loop")]
    pub is_loop: bool,
}

/// Totals over all fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SwarmStats {
    /// How many fingerprints are known.
    #[serde(serialize_with = "count")]
    pub fingerprints: u64,
    /// Calls recorded since the last `clear`, including those of evicted fingerprints.
    #[serde(serialize_with = "count")]
    pub total_calls: u64,
    /// How many fingerprints are global loops.
    #[serde(serialize_with = "count")]
    pub loops: u64,
    /// How many fingerprints were evicted to make room.
    #[serde(serialize_with = "count")]
    pub evicted: u64,
    /// How many fingerprints can be kept.
    #[serde(serialize_with = "count")]
    pub capacity: u64,
}

/// Counts the calls of all workers together.
///
/// ```
/// use loophound::{Action, SwarmDetector};
///
/// let mut swarm = SwarmDetector::default();
/// for call in 0..9 {
///     let worker = if call % 2 == 0 { "a" } else { "b" };
///     assert_eq!(swarm.record(worker, "fetch", r#"{"url":"x"}"#).action, Action::Continue);
/// }
/// assert_eq!(swarm.record("a", "fetch", r#"{"url":"x"}"#).action, Action::Nudge);
/// ```
pub struct SwarmDetector {
    config: SwarmConfig,
    tables: Tables,
    messages: Messages,
    store: Store,
    verdict: Verdict,
}

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
struct SavedSwarm {
    store: SavedStore,
    verdict: Verdict,
}

/// The name of these snapshots in their envelope.
const KIND: &str = "swarm";

#[cfg(feature = "std")]
impl Default for SwarmDetector {
    fn default() -> Self {
        Self::build(SwarmConfig::default(), random_seed())
    }
}

/// Returns a seed that nobody outside can guess. If the host offers no randomness (some
/// edge runtimes, outside a request), the seed is fixed: hash collisions can be forged
/// then, and cost a scan of the bounded map.
#[cfg(feature = "std")]
fn random_seed() -> [u64; 2] {
    let mut bytes = [0u8; 16];
    if getrandom::fill(&mut bytes).is_err() {
        return [0x6C6F_6F70, 0x686F_756E];
    }
    let number = u128::from_le_bytes(bytes);
    [number as u64, (number >> 64) as u64]
}

impl SwarmDetector {
    /// Makes a detector with this configuration. The seed protects the hash map from keys
    /// that were chosen to collide: take it from a random source.
    ///
    /// # Errors
    /// When a value is not allowed.
    pub fn new(config: SwarmConfig, seed: [u64; 2]) -> Result<Self, Error> {
        config.check()?;
        Ok(Self::build(config, seed))
    }

    /// Makes a detector with this configuration and a seed from the system's random source.
    ///
    /// # Errors
    /// When a value is not allowed.
    #[cfg(feature = "std")]
    pub fn with_random_seed(config: SwarmConfig) -> Result<Self, Error> {
        Self::new(config, random_seed())
    }

    fn build(config: SwarmConfig, seed: [u64; 2]) -> Self {
        let (capacity, max_workers) = (config.capacity as usize, config.max_workers as usize);
        let store = Store::new(capacity, max_workers, KeyedHash::new(seed));
        let mut messages = Messages::default();
        if let Some(message) = &config.message {
            messages.set(LoopKind::Global, None, message);
        }
        Self { config, tables: Tables::default(), messages, store, verdict: Verdict::default() }
    }

    /// Records that a worker is about to make this call.
    pub fn record<'a>(
        &mut self,
        worker: &str,
        tool: &'a str,
        args: impl Into<Args<'a>>,
    ) -> &Verdict {
        let fingerprint = readable(tool, args.into(), classify(tool), &self.tables);
        self.record_fingerprint(worker, tool, &fingerprint)
    }

    /// Records that a worker is about to make the call with this fingerprint.
    pub fn record_fingerprint(&mut self, worker: &str, tool: &str, fingerprint: &str) -> &Verdict {
        let worker = hash::bytes(worker.as_bytes());
        self.verdict = match self.store.record(fingerprint, tool, worker) {
            Some((fingerprint, entry)) if is_loop(&self.config, entry) => {
                loop_verdict(&self.messages, fingerprint, entry)
            }
            _ => Verdict::default(),
        };
        &self.verdict
    }

    /// Returns the latest verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Returns what is known about a fingerprint.
    pub fn info(&self, fingerprint: &str) -> Option<FingerprintInfo> {
        let (fingerprint, entry) = self.store.find(fingerprint)?;
        Some(self.describe(fingerprint, entry))
    }

    /// Returns the global loops, most recently recorded first.
    pub fn loops(&self) -> Vec<FingerprintInfo> {
        self.looping().map(|(fingerprint, entry)| self.describe(fingerprint, entry)).collect()
    }

    /// Returns totals over all fingerprints.
    pub fn stats(&self) -> SwarmStats {
        SwarmStats {
            fingerprints: self.store.len() as u64,
            total_calls: self.store.total_calls,
            loops: self.looping().count() as u64,
            evicted: self.store.evicted,
            capacity: self.config.capacity.into(),
        }
    }

    /// Forgets all calls; the options stay.
    pub fn clear(&mut self) {
        self.store.clear();
        self.verdict = Verdict::default();
    }

    /// Returns the state, to continue from later.
    pub fn snapshot(&self) -> Snapshot {
        let saved = SavedSwarm { store: self.store.save(), verdict: self.verdict.clone() };
        snapshot::save(KIND, String::new(), &saved)
    }

    /// Continues from a snapshot. If it has more fingerprints than `capacity`, the least
    /// recently recorded ones are left out.
    ///
    /// # Errors
    ///
    /// If it is not a snapshot of this version or is damaged. The detector is
    /// unchanged then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let saved: SavedSwarm = snapshot::load(KIND, "", snapshot)?;
        // The verdict of a swarm is about one fingerprint.
        if saved.verdict.pattern.len() > 1 {
            return Err(snapshot::damaged());
        }
        self.store = self.store.restored(saved.store).ok_or_else(snapshot::damaged)?;
        self.verdict = saved.verdict;
        Ok(())
    }

    fn looping(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.store.latest_first().filter(|(_, entry)| is_loop(&self.config, entry))
    }

    fn describe(&self, fingerprint: &str, entry: &Entry) -> FingerprintInfo {
        FingerprintInfo {
            fingerprint: fingerprint.into(),
            tool: entry.tool.clone(),
            total_calls: entry.total_calls,
            worker_count: entry.worker_count() as u64,
            is_loop: is_loop(&self.config, entry),
        }
    }
}

fn is_loop(config: &SwarmConfig, entry: &Entry) -> bool {
    entry.total_calls >= u64::from(config.threshold)
        && entry.worker_count() >= config.min_workers as usize
}

fn loop_verdict(messages: &Messages, fingerprint: &str, entry: &Entry) -> Verdict {
    let wasted = entry.total_calls.saturating_sub(1);
    let mut facts = Facts {
        tool: &entry.tool,
        count: entry.total_calls,
        wasted,
        workers: entry.worker_count() as u64,
        ..Facts::default()
    };
    let summary = render(summary(LoopKind::Global, RecognisedBy::Default), &facts);
    facts.summary = &summary;
    let message = render(messages.get(LoopKind::Global, Level::Critical), &facts);
    Verdict {
        action: Action::Nudge,
        level: Level::Critical,
        kind: Some(LoopKind::Global),
        tool: Some(entry.tool.clone()),
        count: entry.total_calls,
        pattern: vec![defuse(fingerprint)],
        wasted,
        message: Some(message),
        summary: Some(summary),
        ..Verdict::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_snapshot_is_refused_and_changes_nothing() {
        let config = SwarmConfig { threshold: 2, ..SwarmConfig::default() };
        let mut swarm = SwarmDetector::build(config, [1, 2]);
        swarm.record("a", "fetch", "{}");
        swarm.record("b", "fetch", "{}");
        let before = swarm.snapshot();
        let forge = |change: fn(&mut SavedSwarm)| {
            let mut saved: SavedSwarm = snapshot::load(KIND, "", &before).expect("our own");
            change(&mut saved);
            snapshot::save(KIND, String::new(), &saved)
        };
        let forged = [
            forge(|saved| saved.verdict.pattern.push("another".into())),
            forge(|saved| saved.store.total_calls = 1),
            snapshot::save(KIND, String::new(), &(u64::MAX, u64::MAX, u64::MAX)),
        ];
        for snapshot in &forged {
            assert!(swarm.restore(snapshot).is_err());
            assert_eq!(swarm.snapshot(), before);
        }
        assert_eq!(swarm.restore(&forge(|_| {})), Ok(()));
        assert_eq!(swarm.snapshot(), before);
    }
}
