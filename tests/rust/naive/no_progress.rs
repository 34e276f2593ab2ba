//! The same call with the same result: in a row, whatever else is learned or
//! changed, or the same edit made again and again.

use super::outcomes::{Outcome, Repeats, is_waiting, last_of, looked_back_at, repeats};
use super::outputs::Evidence;
use super::signal::{Signal, needed, proof};
use super::tools::{Call, Effect};
use super::transcript::Known;
use loophound::{Config, EvidenceClass, LoopKind};

/// Judges a call before it is made, as if it returned the same as last time.
pub fn on_call(
    known: &Known,
    index: u64,
    call: &'static Call,
    at: Option<u64>,
    config: &Config,
) -> Option<Signal> {
    let window = looked_back_at(config);
    let mut all = known.recent().to_vec();
    let last_at = last_of(&all, all.len(), call, window)?;
    let (last, last_repeats) = (all[last_at], repeats(&all, last_at, window));
    // A call that improves each time is unlikely to return the same.
    if last_repeats.is_improving {
        return None;
    }
    let in_a_row = known.is_newest(call);
    all.push(Outcome {
        index,
        call,
        event: usize::MAX,
        called_at: at,
        in_a_row,
        known: true,
        ..last
    });
    let this = all[all.len() - 1];
    let found = find(&this, &repeats(&all, all.len() - 1, window), config)?;
    let is_check = found.evidence == EvidenceClass::Check;
    let waits = is_waiting(&last, &last_repeats);
    if !(is_edit(&last) || waits || last.failed() && !is_check || in_a_row) {
        return None;
    }
    // Nothing came in between, so the result can only be the same, except for a write.
    let is_sure = matches!(
        found.evidence,
        EvidenceClass::Proven | EvidenceClass::Execution | EvidenceClass::IdenticalExecution
    );
    let is_repeat = in_a_row && is_sure && call.effect != Effect::Write;
    Some(Signal { before_call: true, is_repeat, ..signal(&this, found) })
}

/// Judges the last of `all`, which is new.
pub fn on_result(all: &[Outcome], config: &Config) -> Option<Signal> {
    let this = all.last()?;
    let repeats = repeats(all, all.len() - 1, looked_back_at(config));
    let found = find(this, &repeats, config).or_else(|| complaints(this, &repeats, config))?;
    Some(signal(this, found))
}

/// Too many repeats, and what kind of evidence they are.
struct Found {
    count: u32,
    since: u64,
    evidence: EvidenceClass,
}

fn find(this: &Outcome, repeats: &Repeats, config: &Config) -> Option<Found> {
    let (call, patience) = (this.call, &config.patience);
    let needed = needed(config, LoopKind::NoProgress, this, repeats);
    let evidence = proof(this, repeats);
    let found = |count: u32, least: u32, evidence: EvidenceClass| {
        (count >= least).then_some(Found { count, since: repeats.since, evidence })
    };
    let tells = matches!(this.evidence, Evidence::Informative | Evidence::Waiting);
    if call.waits && !tells || repeats.is_improving {
        return None;
    }
    if is_edit(this) {
        return found(repeats.successes, patience.same_edit, EvidenceClass::Duplicate);
    }
    if evidence == EvidenceClass::Waiting {
        return found(repeats.same, needed, evidence);
    }
    let in_a_row = || found(repeats.unchanged, needed, evidence).filter(|_| this.in_a_row);
    let failures = || {
        let least = patience.failures.max(needed);
        found(repeats.failures_in_a_row, least, EvidenceClass::Duplicate)
    };
    let messages = || {
        found(repeats.calls_in_a_row, patience.unsure, EvidenceClass::Acknowledgement)
            .filter(|_| call.message && !this.failed())
    };
    let in_spite_of_news = || {
        let (count, evidence) = match repeats.written {
            false => (repeats.same, EvidenceClass::Proven),
            // After a write, a changed number may be progress.
            true => (repeats.equal, EvidenceClass::Check),
        };
        found(count, patience.after_changes, evidence)
            .filter(|_| this.failed() && repeats.unchanged < repeats.same)
    };
    in_a_row().or_else(failures).or_else(messages).or_else(in_spite_of_news)
}

/// Finds a run that succeeds but keeps reporting the same problem, although something new
/// came in between.
fn complaints(this: &Outcome, repeats: &Repeats, config: &Config) -> Option<Found> {
    let is_check = this.call.effect == Effect::Execute && !this.call.tests;
    let says_so = this.evidence == Evidence::Informative && this.complains();
    (is_check
        && says_so
        && !is_waiting(this, repeats)
        && repeats.unchanged < repeats.same
        && repeats.same >= config.patience.complaints)
        .then_some(Found {
            count: repeats.same,
            since: repeats.since,
            evidence: EvidenceClass::Check,
        })
}

/// Returns whether an editing tool made a change.
fn is_edit(outcome: &Outcome) -> bool {
    outcome.is_acknowledged_write() && !outcome.call.shell
}

/// Makes the signal. A different success is a different loop; failures are one loop
/// whatever they say, and so are edits.
fn signal(this: &Outcome, found: Found) -> Signal {
    let about = match this.failed() || is_edit(this) {
        true => format!("{:?}", this.call.identity()),
        false => format!("{:?} {:?}", this.call.identity(), this.result()),
    };
    Signal {
        evidence: found.evidence,
        since: Some(found.since),
        ..Signal::new(LoopKind::NoProgress, about, found.count, this.index)
    }
}

/// Finds more equal calls in one turn than count as one decision.
pub fn parallel(index: u64, call: &Call, equal_in_turn: u32, config: &Config) -> Option<Signal> {
    (equal_in_turn > config.patience.parallel).then(|| Signal {
        evidence: EvidenceClass::Duplicate,
        before_call: true,
        ..Signal::new(LoopKind::NoProgress, format!("{:?}", call.identity()), equal_in_turn, index)
    })
}
