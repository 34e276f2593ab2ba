//! Calls that repeat in turn, each with the same result as before.

use super::outcomes::{
    Outcome, is_waiting, last_of, looked_back_at, nothing_new, remembered, repeats, rotation,
    stale_row,
};
use super::outputs::Evidence;
use super::signal::{Signal, needed, proof};
use super::tools::{Call, Effect};
use super::transcript::Known;
use loophound::{Config, EvidenceClass, LoopKind};

/// The longest cycle that need not repeat exactly.
const SHORT: usize = 20;

/// Judges a call before it is made; `going_on` if the last outcome was part of a cycle.
pub fn on_call(
    known: &Known,
    index: u64,
    call: &Call,
    going_on: bool,
    config: &Config,
) -> Option<Signal> {
    let (all, window) = (known.recent(), looked_back_at(config));
    let at = last_of(all, all.len(), call, window)?;
    let (last, repeats) = (&all[at], repeats(all, at, window));
    if known.is_newest(call)
        || last.is_acknowledged_write()
        || is_waiting(last, &repeats)
        || !nothing_new(all, at, all.len())
    {
        return None;
    }
    let passes = repeats.same + 1;
    let (row, _) = stale_row(all, known.since_compaction());
    let comes_round = passes >= needed(config, LoopKind::Cycle, last, &repeats);
    let goes_on = going_on && row >= config.patience.stale;
    if !comes_round && !goes_on {
        return None;
    }
    let between: Vec<usize> = remembered(all, all.len(), window).collect();
    let period = period(all, &between, last, config)?;
    let found = signal(known, at, passes, period, &between, config)?;
    let is_repeat = found.evidence == EvidenceClass::Proven;
    Some(Signal { before_call: true, is_repeat, newest: index, ..found })
}

/// Judges the last of the outcomes, which is new.
pub fn on_result(known: &Known, config: &Config) -> Option<Signal> {
    let (all, window) = (known.recent(), looked_back_at(config));
    let at = all.len().checked_sub(1)?;
    let (this, repeats) = (&all[at], repeats(all, at, window));
    if this.in_a_row && repeats.same > 1 || is_waiting(this, &repeats) {
        return None;
    }
    let before: Vec<usize> = remembered(all, at, window - 1).collect();
    let stale = || {
        let passes = needed(config, LoopKind::Cycle, this, &repeats);
        let comes_round = repeats.unchanged >= passes && !this.is_acknowledged_write();
        let least = match this.evidence {
            Evidence::NoResults => config.patience.stale * 2,
            _ => config.patience.stale,
        };
        let (row, _) = stale_row(all, known.since_compaction());
        let period = period(all, &before, this, config)?;
        (this.known && (comes_round || row >= least)).then_some(())?;
        signal(known, at, repeats.unchanged, period, &before, config)
    };
    let whole = || {
        let (period, since) = rotation(all, known.since_compaction(), window)?;
        let longest = config.max_period as usize;
        (period > longest.min(SHORT) && period <= longest).then_some(())?;
        let found = signal(known, at, repeats.same, period, &before, config)?;
        let about = Signal::new(LoopKind::Cycle, format!("round {since}"), 0, 0).about;
        Some(Signal { about, ..found })
    };
    stale().or_else(whole)
}

/// Returns how many calls ago the call had the same result, among those `before`, newest
/// first.
fn period(all: &[Outcome], before: &[usize], this: &Outcome, config: &Config) -> Option<usize> {
    // Occasional other calls make a cycle look longer than it is.
    let longest = (config.max_period as usize).min(SHORT);
    let recent = before.iter().take(longest + longest / 4);
    recent.clone().position(|one| all[*one].is_same(this)).map(|ago| ago + 1)
}

/// Makes the signal for the cycle of this period that ends with outcome number `at`, or
/// with a call that is about to repeat it. The other calls of the cycle are the first of
/// `before`.
fn signal(
    known: &Known,
    at: usize,
    passes: u32,
    period: usize,
    before: &[usize],
    config: &Config,
) -> Option<Signal> {
    let (all, window) = (known.recent(), looked_back_at(config));
    let (this, own) = (&all[at], repeats(all, at, window));
    let others: Vec<usize> = before.iter().take(period - 1).copied().collect();
    let counts = |one: &usize| repeats(all, *one, window);
    if others.iter().any(|one| all[*one].call.waits || counts(one).across_waits) {
        return None;
    }
    // A cycle is polling if at least half of its calls are; a few status checks are not
    // enough.
    let polls = others.iter().filter(|one| is_waiting(&all[**one], &counts(one))).count();
    if polls * 2 >= period {
        return None;
    }
    // One call that alternates between results is stepping through something, unless it
    // fails.
    let one_call = others.iter().all(|one| all[*one].call.is_same(this.call));
    if period > 1 && one_call && !this.failed() {
        return None;
    }
    // Checking that nothing is wrong after each new action is work.
    let is_new = |one: &usize| all[*one].evidence == Evidence::Acknowledgement && !all[*one].known;
    if others.iter().any(is_new) && this.is_negative() && !this.complains() {
        return None;
    }
    // Together they are as strong as the weakest; the kinds are listed from the strongest
    // to the weakest.
    let rank = |kind: EvidenceClass| EvidenceClass::ALL.iter().position(|one| *one == kind);
    let proofs = others.iter().map(|one| match all[*one].call.effect {
        Effect::Write if !all[*one].failed() => EvidenceClass::Duplicate,
        _ => proof(&all[*one], &repeats(all, *one, window)),
    });
    let evidence = proofs.chain([proof(this, &own)]).max_by_key(|kind| rank(*kind))?;
    let (row, row_since) = stale_row(all, known.since_compaction());
    let count = passes.max(row / period as u32 + 1).max(2);
    // Twenty calls are enough as well, in three passes or more.
    let is_long = count >= 3 && count as usize * period >= 20;
    let is_unsure = [EvidenceClass::Acknowledgement, EvidenceClass::Waiting].contains(&evidence);
    if is_unsure && count < config.patience.stale && !is_long {
        return None;
    }
    let about = match row {
        0 => format!("call {:?}", this.call.identity()),
        _ => format!("row {row_since}"),
    };
    Some(Signal {
        evidence,
        period: period as u32,
        since: Some(own.since),
        wasted: u64::from(row.max(count - 1)),
        ..Signal::new(LoopKind::Cycle, about, count, this.index)
    })
}
