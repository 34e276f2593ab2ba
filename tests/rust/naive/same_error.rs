//! A tool that fails in one way, whatever the arguments.

use super::outcomes::{Outcome, is_varied_loop};
use super::outputs::Evidence;
use super::signal::Signal;
use super::tools::{Call, Effect};
use loophound::{Config, LoopKind};

/// One more call of the kind is about to be made.
pub fn on_call(all: &[Outcome], call: &Call, config: &Config) -> Option<Signal> {
    let run = run(all, call.kind());
    let count = run.len() as u64 + 1;
    (is_varied_loop(LoopKind::SameError, &run, config) && !call.tests && !call.is_polling)
        .then(|| Signal { before_call: true, only_if_announced: true, ..signal(&run, count) })
}

/// The last of `all` is new.
pub fn on_result(all: &[Outcome], config: &Config) -> Option<Signal> {
    let this = all.last().filter(|this| counts(this))?;
    let run = run(all, this.call.kind());
    is_varied_loop(LoopKind::SameError, &run, config).then(|| signal(&run, run.len() as u64))
}

/// The last calls of a kind, all of which failed in one way, newest first. A
/// change makes the next call a new experiment.
fn run<'a>(all: &'a [Outcome], kind: (&str, Effect)) -> Vec<&'a Outcome> {
    let changed = |one: &Outcome| one.call.effect == Effect::Write && !one.failed();
    let from = all.iter().rposition(changed).map_or(0, |at| at + 1);
    let of_kind: Vec<&Outcome> =
        all[from..].iter().rev().filter(|one| counts(one) && one.call.kind() == kind).collect();
    let same = |one: &&Outcome| is_error(one) && error(one) == error(of_kind[0]);
    of_kind.iter().copied().take_while(same).collect()
}

/// Busy services and tests neither make a run nor end one.
fn counts(outcome: &Outcome) -> bool {
    outcome.evidence() != Evidence::Infrastructure
        && !outcome.call.tests
        && !outcome.call.is_polling
}

/// A search that fails without a word found nothing: that is an answer.
fn is_error(outcome: &Outcome) -> bool {
    let silent = outcome.output.is_none_or(|output| output.is_blank());
    outcome.failed() && !(outcome.call.effect == Effect::Read && silent)
}

fn error(outcome: &Outcome) -> u64 {
    outcome.output.map_or(0, |output| output.error)
}

fn signal(run: &[&Outcome], count: u64) -> Signal {
    let last = run[0];
    Signal {
        count,
        since: Some(run[run.len() - 1].index),
        wasted: count - 1,
        ..Signal::new(LoopKind::SameError, format!("{:?} {:?}", last.call.kind(), error(last)))
    }
}
