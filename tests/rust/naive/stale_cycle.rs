//! Calls that come round again, each with the result it had before.

use super::outcomes::{
    Outcome, last_of, looked_back_at, nothing_new, run_of, stale_row, unchanged_repeats,
};
use super::signal::{Signal, needed};
use super::tools::Call;
use super::transcript::Known;
use loophound::{Config, LoopKind};

/// The call is about to be made; `going_on` if the last outcome was part of a
/// round, or a call since.
pub fn on_call(known: &Known, call: &Call, going_on: bool, config: &Config) -> Option<Signal> {
    let all = known.recent();
    let at = last_of(all, call, looked_back_at(config))?;
    let last = &all[at];
    let quiet = nothing_new(all, at + 1..all.len(), last);
    if known.is_newest(call) || last.is_acknowledged_write() || !quiet {
        return None;
    }
    let passes = run_of(all, at, looked_back_at(config)).len() as u32 + 1;
    let comes_round = passes >= needed(config, LoopKind::Cycle, call, last.evidence());
    let (row, _) = stale_row(all);
    let in_row = going_on && row >= config.patience.stale;
    let remembered = looked_back_at(config);
    (comes_round || in_row).then_some(())?;
    Some(Signal { before_call: true, ..signal(all, at, passes, all, remembered, config)? })
}

/// The last of `all` is new.
pub fn on_result(all: &[Outcome], config: &Config) -> Option<Signal> {
    let (this, before) = all.split_last()?;
    // Another result than the last time makes one call go round as well.
    let repeats = this.in_a_row && before.last().is_some_and(|last| last.equals(this));
    if !this.stale || repeats || this.call.is_polling {
        return None;
    }
    let run = run_of(all, before.len(), looked_back_at(config));
    let passes = unchanged_repeats(all, &run);
    let comes_round = passes >= needed(config, LoopKind::Cycle, this.call, this.evidence());
    let (row, _) = stale_row(all);
    let patience = match this.output {
        Some(_) => config.patience.stale,
        None => config.patience.stale * 2,
    };
    let remembered = looked_back_at(config) - 1;
    (comes_round && !this.is_acknowledged_write() || row >= patience).then_some(())?;
    signal(all, before.len(), passes, before, remembered, config)
}

/// The round that is closed by what equals the outcome `at`; it lies in the last
/// ones of `before`.
fn signal(
    all: &[Outcome],
    at: usize,
    passes: u32,
    before: &[Outcome],
    remembered: usize,
    config: &Config,
) -> Option<Signal> {
    let this = &all[at];
    let ago = before.iter().rev().take(remembered).position(|other| other.equals(this))?;
    let period = ago as u32 + 1;
    // Odd calls in between make a round longer than it is.
    if period > config.max_period + config.max_period / 4 {
        return None;
    }
    let (row, row_since) = stale_row(all);
    let count = u64::from(passes.max(row / period + 1));
    let run = run_of(all, at, looked_back_at(config));
    let about = match row {
        0 => format!("call {}", this.call.same_as),
        _ => format!("row {row_since}"),
    };
    Some(Signal {
        count,
        period,
        since: Some(all[run[run.len() - 1]].index),
        wasted: u64::from(row).max(count - 1),
        ..Signal::new(LoopKind::Cycle, about)
    })
}
