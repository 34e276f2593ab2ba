//! Repeats compared with their results: a call is the same only if its result is. An
//! unknown result equals no other.

use super::Found;
use super::calls::repeat;
use super::outcomes::Outcome;
use super::outputs::Evidence;
use loophound::Config;

type Answer = ((&'static str, &'static str), (Option<&'static str>, bool), Option<u64>);

fn answer(outcome: &Outcome) -> Answer {
    let unlike = outcome.evidence == Evidence::Unknown;
    (outcome.call.exact(), outcome.result(), unlike.then_some(outcome.index))
}

/// Finds a loop if the last outcomes are the same, at least `threshold` of them.
pub fn consecutive(all: &[Outcome], threshold: u32) -> Option<Found> {
    let this = all.last()?;
    let threshold = this.call.own_threshold.unwrap_or(threshold) as usize;
    let same = all.iter().rev().take_while(|one| answer(one) == answer(this));
    let count = same.count();
    (count >= threshold).then(|| repeat(count, all[all.len() - count].index as usize))
}

/// Finds a loop if some outcome occurs `threshold` times among the last ones.
pub fn windowed(all: &[Outcome], threshold: u32, config: &Config) -> Option<Found> {
    let recent = &all[all.len().saturating_sub(config.window as usize)..];
    let count = |one: &Outcome| recent.iter().filter(|other| answer(other) == answer(one)).count();
    let one = recent.iter().rev().find(|one| count(one) >= threshold as usize)?;
    let first = recent.iter().find(|other| answer(other) == answer(one))?;
    Some(repeat(count(one), first.index as usize))
}
