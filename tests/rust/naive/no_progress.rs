//! The same call with the same result: in a row, whatever else is learned or
//! changed, or the same edit made again and again.

use super::exchanges::{Exchange, changed, last_of, looked_back_at, run_of, still, worked};
use super::outputs::Worth;
use super::signal::{Signal, needed};
use super::tools::{Call, Deed};
use super::transcript::Known;
use loophound::{Config, LoopKind};

/// How often something came, in all and with nothing new in between.
struct Times {
    same: u32,
    still: u32,
    worked: u32,
    run: Vec<usize>,
}

fn times(all: &[Exchange], at: usize, config: &Config) -> Times {
    let window = looked_back_at(config);
    let run = run_of(all, at, window);
    let (same, still) = (run.len() as u32, still(all, &run));
    Times { same, still, worked: worked(all, at, window), run }
}

/// The call is about to be made.
pub fn on_call(known: &Known, call: &Call, config: &Config) -> Option<Signal> {
    let all = known.recent();
    let at = last_of(all, call, looked_back_at(config))?;
    let (last, times) = (&all[at], times(all, at, config));
    // It is the result of a change that tells, and only that it failed.
    let change = call.deed == Deed::Change;
    let known_by_now = times.still + u32::from(!change);
    let again = known.is_newest(call)
        && (!change || last.failed())
        && known_by_now >= needed(config, LoopKind::NoProgress, call, last.worth());
    let edited = is_edit(last) && times.worked >= config.patience.same_edit;
    let failing = last.failed() && goes_on(last, &times, config) && !changed(all, &times.run);
    if !again && !edited && !failing {
        return None;
    }
    let count = if edited { times.worked } else { times.same } + 1;
    Some(Signal {
        refusable: true,
        announced_only: !again,
        ..signal(all, &times, count, about(last, edited))
    })
}

/// The last of `all` is new.
pub fn on_result(all: &[Exchange], config: &Config) -> Option<Signal> {
    let (this, before) = all.split_last()?;
    let times = times(all, before.len(), config);
    let needed = needed(config, LoopKind::NoProgress, this.call, this.worth());
    let count = if is_edit(this) {
        (times.worked >= config.patience.same_edit).then_some(times.worked)
    } else if this.in_a_row && times.still >= needed {
        Some(times.still)
    } else {
        goes_on(this, &times, config).then_some(times.same)
    };
    Some(Signal {
        changed: !is_edit(this) && changed(all, &times.run),
        ..signal(all, &times, count?, about(this, is_edit(this)))
    })
}

/// An editor made a change.
fn is_edit(exchange: &Exchange) -> bool {
    exchange.made_a_change() && !exchange.call.shell
}

/// Whether a check says the same, again and again, although there was news.
fn goes_on(this: &Exchange, times: &Times, config: &Config) -> bool {
    let tells = this.worth() == Worth::Evidence && !this.call.waits;
    tells && times.still < times.same && enough(this, config).is_some_and(|most| times.same >= most)
}

/// How often a check may say the same; any number of times if it says nothing wrong.
fn enough(this: &Exchange, config: &Config) -> Option<u32> {
    if this.failed() {
        return Some(config.patience.after_changes);
    }
    let check = this.call.deed == Deed::Run && !this.call.tests;
    (check && this.output?.complains).then_some(config.patience.complaints)
}

/// Another result makes it another loop; but not of an edit, whatever its tool says.
fn about(last: &Exchange, edit: bool) -> String {
    match edit {
        true => format!("{}", last.call.same_as),
        false => format!("{} {:?}", last.call.same_as, last.reply()),
    }
}

fn signal(all: &[Exchange], times: &Times, count: u32, about: String) -> Signal {
    let first = times.run[times.run.len() - 1];
    Signal {
        count: count.into(),
        period: 1,
        since: Some(all[first].index),
        wasted: u64::from(count) - 1,
        ..Signal::new(LoopKind::NoProgress, about)
    }
}
