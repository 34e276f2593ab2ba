//! Fingerprints across workers: one call that the whole swarm keeps making.
//!
//! It knows nothing of how workers reach it. Memory is bounded: when `capacity`
//! fingerprints are known, the least recently recorded one is forgotten for the
//! next. A fingerprint that a swarm is stuck on is recorded all the time, so it
//! is the last to go.

mod options;
mod recency;
mod snapshot;
mod store;

pub use options::SwarmConfig;

use crate::call::{first_characters, readable};
use crate::concat::cat;
use crate::config::Preset;
use crate::config::messages::{Facts, Messages, render};
use crate::error::Error;
use crate::event::Args;
use crate::hash;
use crate::snapshot::Snapshot;
use crate::tools::{Tables, classify};
use crate::value::{Record, Value};
use crate::verdict::{Action, Level, LoopKind, Verdict};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use store::{Entry, Store};

/// Longer fingerprints and names are cut (and told apart by a hash).
const LONGEST: usize = 256;

/// What is known of one fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FingerprintInfo {
    /// The fingerprint.
    pub fingerprint: String,
    /// The tool it is a call of.
    pub tool: String,
    /// Calls in all.
    pub total_calls: u64,
    /// Workers that made them; saturates at [`SwarmConfig::max_workers`].
    pub worker_count: u64,
    /// Whether it is a global loop.
    pub is_loop: bool,
}

impl FingerprintInfo {
    /// As plain data, with the field names of the JavaScript API.
    pub fn to_value(&self) -> Value {
        let mut fields = Record::default();
        fields.text("fingerprint", &self.fingerprint);
        fields.text("tool", &self.tool);
        fields.count("totalCalls", self.total_calls);
        fields.count("workerCount", self.worker_count);
        fields.flag("loop", self.is_loop);
        fields.finish()
    }
}

/// Sums over all fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwarmStats {
    /// How many fingerprints are known.
    pub fingerprints: u64,
    /// Calls recorded since the last `clear`, also of forgotten fingerprints.
    pub total_calls: u64,
    /// How many fingerprints are global loops.
    pub loops: u64,
    /// How many fingerprints were forgotten for lack of room.
    pub evicted: u64,
    /// How many fingerprints there is room for.
    pub capacity: u64,
}

impl SwarmStats {
    /// As plain data, with the field names of the JavaScript API.
    pub fn to_value(&self) -> Value {
        let mut fields = Record::default();
        fields.count("fingerprints", self.fingerprints);
        fields.count("totalCalls", self.total_calls);
        fields.count("loops", self.loops);
        fields.count("evicted", self.evicted);
        fields.count("capacity", self.capacity);
        fields.finish()
    }
}

/// Aggregates the calls of all workers.
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
    total_calls: u64,
    verdict: Verdict,
}

#[cfg(feature = "std")]
impl Default for SwarmDetector {
    fn default() -> Self {
        Self::build(SwarmConfig::default(), random_seed())
    }
}

/// A seed that nobody outside can guess. Where the host gives no randomness
/// (some edge runtimes, outside a request), a fixed one: the map is then only as
/// strong as its bound on entries.
#[cfg(any(feature = "std", feature = "wasm"))]
pub(crate) fn random_seed() -> [u64; 2] {
    let mut bytes = [0u8; 16];
    if getrandom::fill(&mut bytes).is_err() {
        return [0x6C6F_6F70, 0x686F_756E];
    }
    let number = u128::from_le_bytes(bytes);
    [number as u64, (number >> 64) as u64]
}

impl SwarmDetector {
    /// A detector with these values. The seed protects the hash map from keys
    /// that were chosen to collide: take it from a random source.
    ///
    /// # Errors
    /// When a value is not allowed.
    pub fn new(config: SwarmConfig, seed: [u64; 2]) -> Result<Self, Error> {
        config.check()?;
        Ok(Self::build(config, seed))
    }

    fn build(config: SwarmConfig, seed: [u64; 2]) -> Self {
        let store = Store::new(config.capacity as usize, seed);
        let mut messages = Messages::of(Preset::default());
        if let Some(message) = &config.message {
            messages.set(LoopKind::Global, None, message);
        }
        Self {
            config,
            tables: Tables::default(),
            messages,
            store,
            total_calls: 0,
            verdict: Verdict::default(),
        }
    }

    /// A worker is about to make this call.
    pub fn record<'a>(
        &mut self,
        worker: &str,
        tool: &'a str,
        args: impl Into<Args<'a>>,
    ) -> &Verdict {
        let fingerprint = readable(tool, args.into(), classify(tool), &self.tables);
        self.record_fingerprint(worker, tool, &fingerprint)
    }

    /// A worker is about to make the call with this fingerprint.
    pub fn record_fingerprint(&mut self, worker: &str, tool: &str, fingerprint: &str) -> &Verdict {
        self.total_calls = self.total_calls.saturating_add(1);
        let max_workers = self.config.max_workers as usize;
        let worker = hash::bytes(worker.as_bytes());
        let verdict = match self.store.enter(&bounded(fingerprint), tool) {
            Some(entry) => {
                entry.total = entry.total.saturating_add(1);
                if entry.workers.len() < max_workers && !entry.workers.contains(&worker) {
                    entry.workers.push(worker);
                }
                let entry = entry.clone();
                self.judge(&entry)
            }
            None => Verdict::default(),
        };
        self.verdict = verdict;
        &self.verdict
    }

    /// The latest verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// What is known of a fingerprint.
    pub fn info(&self, fingerprint: &str) -> Option<FingerprintInfo> {
        self.store.find(&bounded(fingerprint)).map(|entry| self.info_of(entry))
    }

    /// The global loops, the one recorded last first.
    pub fn loops(&self) -> Vec<FingerprintInfo> {
        let found = self.store.in_order().filter(|entry| self.is_loop(entry));
        let loops: Vec<FingerprintInfo> = found.map(|entry| self.info_of(entry)).collect();
        loops.into_iter().rev().collect()
    }

    /// Sums over all fingerprints.
    pub fn stats(&self) -> SwarmStats {
        SwarmStats {
            fingerprints: self.store.len() as u64,
            total_calls: self.total_calls,
            loops: self.store.in_order().filter(|entry| self.is_loop(entry)).count() as u64,
            evicted: self.store.evicted,
            capacity: self.config.capacity.into(),
        }
    }

    /// Forgets all calls; the options stay.
    pub fn clear(&mut self) {
        self.store.clear();
        self.total_calls = 0;
        self.verdict = Verdict::default();
    }

    /// The state, to continue from later.
    pub fn snapshot(&self) -> Snapshot {
        snapshot::save(self)
    }

    /// Continues from a snapshot. If it holds more fingerprints than there is
    /// room for, the least recently recorded ones are left out.
    ///
    /// # Errors
    /// When it is not a snapshot of this version or was damaged. Nothing has
    /// changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        snapshot::load(self, snapshot)
    }

    fn info_of(&self, entry: &Entry) -> FingerprintInfo {
        FingerprintInfo {
            fingerprint: entry.fingerprint.clone(),
            tool: entry.tool.clone(),
            total_calls: entry.total,
            worker_count: entry.workers.len() as u64,
            is_loop: self.is_loop(entry),
        }
    }

    fn is_loop(&self, entry: &Entry) -> bool {
        entry.total >= u64::from(self.config.threshold)
            && entry.workers.len() >= self.config.min_workers as usize
    }

    fn judge(&self, entry: &Entry) -> Verdict {
        if !self.is_loop(entry) {
            return Verdict::default();
        }
        let facts = Facts {
            tool: &entry.tool,
            count: entry.total,
            wasted: entry.total - 1,
            workers: entry.workers.len() as u64,
            ..Facts::default()
        };
        Verdict {
            action: Action::Nudge,
            level: Level::Critical,
            kind: Some(LoopKind::Global),
            tool: Some(entry.tool.clone()),
            count: entry.total,
            period: 0,
            pattern: vec![entry.fingerprint.clone()],
            since: None,
            wasted: entry.total - 1,
            message: Some(render(self.messages.get(LoopKind::Global, Level::Critical), &facts)),
            details: None,
        }
    }
}

/// A fingerprint of bounded length. What is cut off lives on in its hash.
fn bounded(fingerprint: &str) -> Cow<'_, str> {
    let short = first_characters(fingerprint, LONGEST);
    if short.len() == fingerprint.len() {
        return Cow::Borrowed(fingerprint);
    }
    let digest = hash::hex(hash::bytes(fingerprint.as_bytes()));
    Cow::Owned(cat(&[first_characters(short, LONGEST - 18), "…#", &digest]))
}
