//! Calls of one tool, each much like the one before it, all with one result.

use super::outcomes::{Outcome, is_varied_loop};
use super::outputs::Evidence;
use super::signal::Signal;
use super::tools::{Call, Effect};
use loophound::{Config, LoopKind};

/// One more of the kind is about to be made.
pub fn on_call(all: &[Outcome], call: &Call, config: &Config) -> Option<Signal> {
    let run = run(all, call.kind(), config);
    let last = run.first()?;
    let percent = likeness(call.effect == Effect::Read, config);
    let varies = last.call.same_as != call.same_as && last.call.is_like(call, percent);
    let count = run.len() as u64 + 1;
    (varies && !call.is_polling && is_varied_loop(LoopKind::Variant, &run, config))
        .then(|| Signal { before_call: true, ..signal(&run, count) })
}

/// The last of `all` is new.
pub fn on_result(all: &[Outcome], config: &Config) -> Option<Signal> {
    let this = all.last().filter(|this| counts(this))?;
    let run = run(all, this.call.kind(), config);
    is_varied_loop(LoopKind::Variant, &run, config).then(|| signal(&run, run.len() as u64))
}

fn counts(outcome: &Outcome) -> bool {
    outcome.evidence() == Evidence::Informative && !outcome.call.is_polling
}

/// The last calls of a kind that are alike and brought the same, newest first.
/// A change makes the next call a new experiment.
fn run<'a>(all: &'a [Outcome], kind: (&str, Effect), config: &Config) -> Vec<&'a Outcome> {
    let from = all.iter().rposition(Outcome::is_acknowledged_write).map_or(0, |at| at + 1);
    let of_kind =
        all[from..].iter().rev().filter(|other| counts(other) && other.call.kind() == kind);
    let mut run: Vec<&Outcome> = vec![];
    for other in of_kind {
        if run.last().is_some_and(|later| !varies(other, later, config)) {
            break;
        }
        run.push(other);
    }
    run
}

/// Whether the later call is the earlier one in other words.
fn varies(earlier: &Outcome, later: &Outcome, config: &Config) -> bool {
    let output = later.output.copied().unwrap_or_default();
    let looks = later.call.effect == Effect::Read;
    let alike = |strict| later.call.is_like(earlier.call, likeness(strict, config));
    let fresh = later.call.targets.iter().any(|target| !earlier.call.targets.contains(target));
    earlier.reply() == later.reply()
        && if later.failed() {
            alike(looks)
        } else if later.call.tests {
            false
        } else if output.complains {
            alike(looks)
        } else if looks {
            // To look for one thing after the other, and find nothing, takes much the
            // same words.
            !fresh && alike(output.in_vain)
        } else {
            // Many things that work say the same.
            !fresh && output.in_vain && alike(false)
        }
}

fn likeness(strict: bool, config: &Config) -> u32 {
    if strict { config.patience.look_likeness } else { config.patience.likeness }
}

fn signal(run: &[&Outcome], count: u64) -> Signal {
    let last = run[0];
    Signal {
        count,
        period: 1,
        since: Some(run[run.len() - 1].index),
        wasted: count - 1,
        ..Signal::new(LoopKind::Variant, format!("{:?} {:?}", last.call.kind(), last.reply()))
    }
}
