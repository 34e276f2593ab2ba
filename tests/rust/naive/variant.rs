//! Calls of one tool, each much like the one before it, all with one result.

use super::alphabet::{Call, Worth};
use super::transcript::Exchange;
use super::twin::Signal;
use loophound::{Config, LoopKind};

/// One more of the kind is about to be made.
pub fn on_call(all: &[Exchange], call: &Call, config: &Config) -> Option<Signal> {
    let run = run(all, call.kind());
    let last = run.first()?;
    let varies = last.call.same_as != call.same_as && last.call.is_like(call);
    (varies && is_loop(&run, config)).then(|| signal(&run, run.len() as u64 + 1, true))
}

/// The last of `all` is new.
pub fn on_result(all: &[Exchange], config: &Config) -> Option<Signal> {
    let this = all.last().filter(|this| counts(this))?;
    let run = run(all, this.call.kind());
    is_loop(&run, config).then(|| signal(&run, run.len() as u64, false))
}

fn counts(exchange: &Exchange) -> bool {
    exchange.worth() == Worth::Evidence && !exchange.call.waits
}

/// The last calls of a kind that are alike and brought the same, newest first.
/// A change makes the next call a new experiment.
fn run<'a>(all: &'a [Exchange], kind: (&str, super::alphabet::Deed)) -> Vec<&'a Exchange> {
    let from = all.iter().rposition(Exchange::made_a_change).map_or(0, |at| at + 1);
    let of_kind =
        all[from..].iter().rev().filter(|other| counts(other) && other.call.kind() == kind);
    let mut run: Vec<&Exchange> = vec![];
    for other in of_kind {
        let belongs = run
            .last()
            .is_none_or(|later| later.call.is_like(other.call) && later.reply() == other.reply());
        if !belongs {
            break;
        }
        run.push(other);
    }
    run
}

fn is_loop(run: &[&Exchange], config: &Config) -> bool {
    let threshold = config.rule(LoopKind::Variant).map_or(0, |rule| rule.threshold);
    let varied = run.iter().any(|one| one.call.same_as != run[0].call.same_as);
    varied && run.len() >= threshold as usize
}

fn signal(run: &[&Exchange], count: u64, refusable: bool) -> Signal {
    let last = run[0];
    Signal {
        kind: LoopKind::Variant,
        about: format!("{:?} {:?}", last.call.kind(), last.reply()),
        count,
        period: 1,
        since: Some(run[run.len() - 1].index),
        wasted: count - 1,
        refusable,
    }
}
