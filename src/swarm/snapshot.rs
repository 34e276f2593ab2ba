//! The swarm's state in its envelope.

use super::store::Store;
use super::{SwarmDetector, bounded};
use crate::error::Error;
use crate::snapshot::codec::{Reader, Writer};
use crate::snapshot::{self, Snapshot};
use crate::verdict::Verdict;
use alloc::string::String;

const KIND: &str = "swarm";

/// No more entries or workers than this are believed.
const MOST: usize = 1 << 20;

pub(super) fn save(swarm: &SwarmDetector) -> Snapshot {
    let mut out = Writer::default();
    out.count(swarm.total_calls);
    out.count(swarm.store.evicted);
    out.length(swarm.store.len());
    for entry in swarm.store.in_order() {
        out.text(&entry.fingerprint);
        out.text(&entry.tool);
        out.count(entry.total);
        out.length(entry.workers.len());
        entry.workers.iter().for_each(|worker| out.hash(*worker));
    }
    swarm.verdict.save(&mut out);
    snapshot::seal(KIND, String::new(), &out.finish())
}

pub(super) fn load(swarm: &mut SwarmDetector, snapshot: &Snapshot) -> Result<(), Error> {
    let mut from = Reader::new(snapshot::open(KIND, "", snapshot)?);
    let max_workers = swarm.config.max_workers as usize;
    let read = read(swarm.store.emptied(), max_workers, &mut from).filter(|_| from.ended());
    let (store, total_calls, verdict) = read.ok_or_else(snapshot::damaged)?;
    swarm.store = store;
    swarm.total_calls = total_calls;
    swarm.verdict = verdict;
    Ok(())
}

fn read(mut store: Store, max_workers: usize, from: &mut Reader) -> Option<(Store, u64, Verdict)> {
    let total_calls = from.count();
    let evicted = from.count();
    for _ in 0..from.length(MOST) {
        let fingerprint = String::from(from.text());
        let entry = store.enter(&bounded(&fingerprint), from.text())?;
        entry.total = from.count();
        for _ in 0..from.length(MOST) {
            let worker = from.hash();
            if entry.workers.len() < max_workers && !entry.workers.contains(&worker) {
                entry.workers.push(worker);
            }
        }
    }
    let verdict = Verdict::load(from)?;
    store.evicted = store.evicted.saturating_add(evicted);
    Some((store, total_calls, verdict))
}
