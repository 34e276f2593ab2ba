//! The same call with the same result: in a row, in spite of changes, or the
//! same edit made again and again.

use super::alphabet::{Call, Deed, Worth};
use super::exchanges::{run_of, still, worked};
use super::transcript::Exchange;
use super::twin::{Signal, needed};
use loophound::{Config, LoopKind};

/// The call is about to be made; `all` is what came of those before it.
pub fn on_call(all: &[Exchange], call: &Call, config: &Config) -> Option<Signal> {
    let last = all.last().filter(|last| last.call.same_as == call.same_as)?;
    let run = run_of(all, all.len() - 1, config.window);
    let change = call.deed == Deed::Change;
    if change && !last.failed() {
        return None;
    }
    let needed = needed(config, LoopKind::NoProgress, call, last.worth());
    let known = run.len() as u32 + u32::from(!change);
    (known >= needed).then(|| signal(all, &run, run.len() as u64 + 1, true))
}

/// The last of `all` is new.
pub fn on_result(all: &[Exchange], config: &Config) -> Option<Signal> {
    let (this, before) = all.split_last()?;
    let run = run_of(all, before.len(), config.window);
    let same = run.len() as u32;
    let still = still(all, &run, config.window);
    let in_a_row = before.last().is_some_and(|last| last.call.same_as == this.call.same_as);
    let needed = needed(config, LoopKind::NoProgress, this.call, this.worth());
    let count = if this.made_a_change() && !this.call.shell {
        let worked = worked(all, before.len(), config.window);
        (worked >= config.patience.same_edit).then_some(worked)
    } else if in_a_row && still >= needed {
        Some(still)
    } else {
        (same >= after_changes(this, config)?).then_some(same)
    };
    let mut signal = signal(all, &run, count?.into(), false);
    if this.made_a_change() {
        // Whatever its tool says to it.
        signal.about = format!("{}", this.call.same_as);
    }
    Some(signal)
}

/// How often a check may say the same whatever is changed; any number of times
/// if it says nothing wrong.
fn after_changes(this: &Exchange, config: &Config) -> Option<u32> {
    let output = this.output?;
    if this.worth() != Worth::Evidence || this.call.waits {
        return None;
    }
    if this.failed() {
        return Some(config.patience.after_changes);
    }
    let check = this.call.deed == Deed::Run && !this.call.tests;
    (check && output.complains).then_some(config.patience.complaints)
}

fn signal(all: &[Exchange], run: &[usize], count: u64, refusable: bool) -> Signal {
    let last = &all[run[0]];
    let since = all[run[run.len() - 1]].index;
    Signal {
        kind: LoopKind::NoProgress,
        about: format!("{} {:?}", last.call.same_as, last.reply()),
        count,
        period: 1,
        since: Some(since),
        wasted: count - 1,
        refusable,
    }
}
