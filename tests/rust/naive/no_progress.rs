//! The same call with the same result: in a row, whatever else is learned or
//! changed, or the same edit made again and again.

use super::outcomes::{
    Outcome, changed, last_of, looked_back_at, run_of, successes, unchanged_repeats,
};
use super::outputs::Evidence;
use super::signal::{Signal, needed};
use super::tools::{Call, Effect};
use super::transcript::Known;
use loophound::{Config, LoopKind};

/// How often something came, in all and with nothing new in between.
struct Times {
    same: u32,
    unchanged_repeats: u32,
    successes: u32,
    run: Vec<usize>,
}

fn times(all: &[Outcome], at: usize, config: &Config) -> Times {
    let window = looked_back_at(config);
    let run = run_of(all, at, window);
    let (same, unchanged_repeats) = (run.len() as u32, unchanged_repeats(all, &run));
    Times { same, unchanged_repeats, successes: successes(all, at, window), run }
}

/// The call is about to be made.
pub fn on_call(known: &Known, call: &Call, config: &Config) -> Option<Signal> {
    let all = known.recent();
    let at = last_of(all, call, looked_back_at(config))?;
    let (last, times) = (&all[at], times(all, at, config));
    // It is the result of a change that tells, and only that it failed.
    let change = call.effect == Effect::Write;
    let known_by_now = times.unchanged_repeats + u32::from(!change);
    let again = known.is_newest(call)
        && (!change || last.failed())
        && known_by_now >= needed(config, LoopKind::NoProgress, call, last.evidence());
    let edited = is_edit(last) && times.successes >= config.patience.same_edit;
    let failing = last.failed() && goes_on(last, &times, config) && !changed(all, &times.run);
    if !again && !edited && !failing {
        return None;
    }
    let count = if edited { times.successes } else { times.same } + 1;
    Some(Signal {
        before_call: true,
        only_if_announced: !again,
        ..signal(all, &times, count, about(last, edited))
    })
}

/// The last of `all` is new.
pub fn on_result(all: &[Outcome], config: &Config) -> Option<Signal> {
    let (this, before) = all.split_last()?;
    let times = times(all, before.len(), config);
    let needed = needed(config, LoopKind::NoProgress, this.call, this.evidence());
    let count = if is_edit(this) {
        (times.successes >= config.patience.same_edit).then_some(times.successes)
    } else if this.in_a_row && times.unchanged_repeats >= needed {
        Some(times.unchanged_repeats)
    } else {
        goes_on(this, &times, config).then_some(times.same)
    };
    Some(Signal {
        changed: !is_edit(this) && changed(all, &times.run),
        ..signal(all, &times, count?, about(this, is_edit(this)))
    })
}

/// An editor made a change.
fn is_edit(outcome: &Outcome) -> bool {
    outcome.is_acknowledged_write() && !outcome.call.shell
}

/// Whether a check says the same, again and again, although there was news.
fn goes_on(this: &Outcome, times: &Times, config: &Config) -> bool {
    let tells = this.evidence() == Evidence::Informative && !this.call.is_polling;
    tells
        && times.unchanged_repeats < times.same
        && enough(this, config).is_some_and(|most| times.same >= most)
}

/// How often a check may say the same; any number of times if it says nothing wrong.
fn enough(this: &Outcome, config: &Config) -> Option<u32> {
    if this.failed() {
        return Some(config.patience.after_changes);
    }
    let check = this.call.effect == Effect::Execute && !this.call.tests;
    (check && this.output?.complains).then_some(config.patience.complaints)
}

/// Another result makes it another loop; but not of an edit, whatever its tool says.
fn about(last: &Outcome, edit: bool) -> String {
    match edit {
        true => format!("{}", last.call.same_as),
        false => format!("{} {:?}", last.call.same_as, last.reply()),
    }
}

fn signal(all: &[Outcome], times: &Times, count: u32, about: String) -> Signal {
    let first = times.run[times.run.len() - 1];
    Signal {
        count: count.into(),
        period: 1,
        since: Some(all[first].index),
        wasted: u64::from(count) - 1,
        ..Signal::new(LoopKind::NoProgress, about)
    }
}
