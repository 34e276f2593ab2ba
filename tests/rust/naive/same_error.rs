//! A tool that fails in one way, whatever the arguments.

use super::alphabet::{Deed, Worth};
use super::transcript::Exchange;
use super::twin::Signal;
use loophound::{Config, LoopKind};

/// The last of `all` is new.
pub fn on_result(all: &[Exchange], config: &Config) -> Option<Signal> {
    let this = all.last().filter(|this| counts(this) && is_error(this))?;
    let changed = |one: &Exchange| one.call.deed == Deed::Change && !one.failed();
    let from = all.iter().rposition(changed).map_or(0, |at| at + 1);
    let run: Vec<&Exchange> = all[from..]
        .iter()
        .rev()
        .filter(|other| counts(other) && other.call.kind() == this.call.kind())
        .take_while(|other| is_error(other) && error(other) == error(this))
        .collect();
    let varied = run.iter().any(|other| other.call.same_as != this.call.same_as);
    let count = run.len() as u64;
    let threshold = config.rule(LoopKind::SameError)?.threshold;
    (varied && count >= threshold.into()).then(|| Signal {
        kind: LoopKind::SameError,
        about: format!("{:?} {:?}", this.call.kind(), error(this)),
        count,
        period: 0,
        since: Some(run[run.len() - 1].index),
        wasted: count - 1,
        refusable: false,
    })
}

/// Busy services and tests neither make a run nor end one.
fn counts(exchange: &Exchange) -> bool {
    exchange.worth() != Worth::Infrastructure && !exchange.call.tests && !exchange.call.waits
}

/// A search that fails without a word found nothing: that is an answer.
fn is_error(exchange: &Exchange) -> bool {
    let silent = exchange.output.is_none_or(|output| output.is_blank());
    exchange.failed() && !(exchange.call.deed == Deed::Look && silent)
}

fn error(exchange: &Exchange) -> u64 {
    exchange.output.map_or(0, |output| output.error)
}
