//! Calls that come round again, each with the result it had before.

use super::alphabet::{Call, Deed, Worth};
use super::exchanges::{is_news, is_stale, last_of, run_of, stale_row, still};
use super::transcript::Exchange;
use super::twin::{Signal, needed};
use loophound::{Config, LoopKind};

/// The call `index` is about to be made; `going_on` if the last exchange was
/// part of a round, or a call since.
pub fn on_call(
    all: &[Exchange],
    index: u64,
    call: &Call,
    going_on: bool,
    config: &Config,
) -> Option<Signal> {
    let last = last_of(all, call.same_as, index, config.window)?;
    let in_a_row = last + 1 == all.len();
    let news_since = (last + 1..all.len()).any(|at| is_news(all, at, config.window));
    let made = call.deed == Deed::Change && all[last].worth() == Worth::Acknowledgement;
    if in_a_row || made || news_since {
        return None;
    }
    let run = run_of(all, last, config.window);
    let passes = run.len() as u32 + 1;
    let needed = needed(config, LoopKind::Cycle, call, all[last].worth());
    let (row, _) = stale_row(all, config.window);
    if passes < needed && !(going_on && row >= config.patience.stale) {
        return None;
    }
    signal(all, all, &run, passes, true, config)
}

/// The last of `all` is new.
pub fn on_result(all: &[Exchange], config: &Config) -> Option<Signal> {
    let (this, before) = all.split_last()?;
    let in_a_row = before.last().is_some_and(|last| last.call.same_as == this.call.same_as);
    if !is_stale(all, before.len(), config.window) || in_a_row || this.call.waits {
        return None;
    }
    let run = run_of(all, before.len(), config.window);
    let passes = still(all, &run, config.window);
    let needed = needed(config, LoopKind::Cycle, this.call, this.worth());
    let (row, _) = stale_row(all, config.window);
    let patience = match this.output {
        Some(_) => config.patience.stale,
        None => config.patience.stale * 2,
    };
    let came_round = passes >= needed && !this.made_a_change();
    if !came_round && row < patience {
        return None;
    }
    signal(all, before, &run, passes, false, config)
}

/// `before`: what came before the call that it is about.
fn signal(
    all: &[Exchange],
    before: &[Exchange],
    run: &[usize],
    passes: u32,
    refusable: bool,
    config: &Config,
) -> Option<Signal> {
    let call = all[run[0]].call.same_as;
    let remembered = all.len().min(config.window as usize) - (all.len() - before.len());
    let ago = before.iter().rev().take(remembered).position(|other| other.call.same_as == call)?;
    let period = ago as u64 + 1;
    if period > u64::from(config.max_period) {
        return None;
    }
    let (row, row_since) = stale_row(all, config.window);
    let count = u64::from(passes).max(u64::from(row) / period + 1);
    Some(Signal {
        kind: LoopKind::Cycle,
        about: if row > 0 { format!("row {row_since}") } else { format!("call {call}") },
        count,
        period: period as u32,
        since: Some(all[run[run.len() - 1]].index),
        wasted: u64::from(row).max(count - 1),
        refusable,
    })
}
