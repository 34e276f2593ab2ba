//! Calls and what came of them; and what the patterns ask about these: how often
//! the same came of a call, and whether anything new came in between.

use super::outputs::{Evidence, Output};
use super::tools::{Call, Effect};
use loophound::{Config, LoopKind};
use std::ops::Range;

/// A call, and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// The call's number.
    pub index: u64,
    pub call: &'static Call,
    /// Nothing, where the host never reports results.
    pub output: Option<&'static Output>,
    /// Which event brought it.
    pub event: usize,
    /// The call before it was the same.
    pub in_a_row: bool,
    /// The same call brought the same before, as far as one looks back.
    pub stale: bool,
}

impl Outcome {
    pub fn new(
        index: u64,
        call: &'static Call,
        output: Option<&'static Output>,
        event: usize,
    ) -> Self {
        Self { index, call, output, event, in_a_row: false, stale: false }
    }

    pub fn evidence(&self) -> Evidence {
        self.output.map_or(Evidence::NoResults, |output| output.evidence(self.call))
    }

    pub fn failed(&self) -> bool {
        self.output.is_some_and(Output::failed)
    }

    pub fn reply(&self) -> (Option<u64>, bool) {
        self.output.map_or((None, false), Output::reply)
    }

    /// The same call with the same result.
    pub fn equals(&self, other: &Self) -> bool {
        self.call.same_as == other.call.same_as && self.reply() == other.reply()
    }

    /// A change was made, as far as one can tell.
    pub fn is_acknowledged_write(&self) -> bool {
        self.call.effect == Effect::Write && self.evidence() == Evidence::Acknowledgement
    }

    /// Something was learned or done.
    pub fn is_new_info(&self) -> bool {
        let tells = match self.evidence() {
            Evidence::Informative | Evidence::NoResults | Evidence::Waiting | Evidence::Unknown => {
                true
            }
            Evidence::Acknowledgement => self.call.effect == Effect::Write,
            Evidence::Infrastructure => false,
        };
        tells && !self.stale
    }

    /// The same, with calls that are new and were only acknowledged.
    fn is_new_action(&self) -> bool {
        self.is_new_info() || (self.evidence() == Evidence::Acknowledgement && !self.stale)
    }

    /// It tells what is known already. To wait is to do that on purpose, and what
    /// is not known tells nothing.
    fn is_old(&self) -> bool {
        let tells = matches!(self.evidence(), Evidence::Informative | Evidence::NoResults);
        self.stale && (tells || self.is_acknowledged_write()) && !self.call.is_polling
    }
}

/// How many outcomes are looked back at.
pub fn looked_back_at(config: &Config) -> usize {
    config.window.min(100) as usize
}

/// The newest of this call among those that are looked back at.
pub fn last_of(before: &[Outcome], call: &Call, window: usize) -> Option<usize> {
    let from = before.len().saturating_sub(window);
    (from..before.len()).rev().find(|at| before[*at].call.same_as == call.same_as)
}

/// Whether nothing new happened there, as far as `outcome` is concerned. Keys
/// that are pressed are only acknowledged, each, and are work.
pub fn nothing_new(all: &[Outcome], there: Range<usize>, outcome: &Outcome) -> bool {
    let moves = outcome.evidence() == Evidence::Acknowledgement;
    !all[there].iter().any(|one| if moves { one.is_new_action() } else { one.is_new_info() })
}

/// The outcomes that led to one without anything in between but other calls:
/// the same call with the same result, each the last of that call before the next.
/// Newest first, itself included.
pub fn run_of(all: &[Outcome], at: usize, window: usize) -> Vec<usize> {
    let calls = calls_of(all, at, window);
    calls.into_iter().take_while(|other| all[*other].equals(&all[at])).collect()
}

/// The same, whatever the results.
fn calls_of(all: &[Outcome], at: usize, window: usize) -> Vec<usize> {
    let mut calls = vec![at];
    let mut this = at;
    while let Some(last) = last_of(&all[..this], all[at].call, window) {
        calls.push(last);
        this = last;
    }
    calls
}

/// How many of a run have had no news in between.
pub fn unchanged_repeats(all: &[Outcome], run: &[usize]) -> u32 {
    let quiet = run.windows(2).take_while(|pair| {
        let (later, earlier) = (pair[0], pair[1]);
        nothing_new(all, earlier + 1..later, &all[earlier])
    });
    quiet.count() as u32 + 1
}

/// Whether something was changed while a run went on.
pub fn changed(all: &[Outcome], run: &[usize]) -> bool {
    let (last, first) = (run[0], run[run.len() - 1]);
    all[first + 1..last.max(first + 1)]
        .iter()
        .any(|one| one.call.effect == Effect::Write && !one.failed() && one.is_new_info())
}

/// How often a call has worked, as far back as it can be followed.
pub fn successes(all: &[Outcome], at: usize, window: usize) -> u32 {
    let calls = calls_of(all, at, window);
    calls.into_iter().filter(|at| !all[*at].failed()).count() as u32
}

/// How many calls in a row brought nothing new, and where that row began. News
/// takes from it instead of clearing it, and immediate repeats do not count.
pub fn stale_row(all: &[Outcome]) -> (u32, u64) {
    let (mut row, mut since) = (0u32, 0);
    for (at, one) in all.iter().enumerate() {
        let repeats = one.in_a_row && one.equals(&all[at - 1]);
        if one.is_new_info() {
            let little = one.call.effect == Effect::Read || one.failed();
            row = row.saturating_sub(if little { 1 } else { 2 });
        } else if one.is_old() && !repeats {
            since = if row == 0 { one.index } else { since };
            row += 1;
        }
    }
    (row, since)
}

/// Whether so many outcomes, not all of the same call, are a loop of this kind.
pub fn is_varied_loop(kind: LoopKind, run: &[&Outcome], config: &Config) -> bool {
    let threshold = config.rule(kind).map_or(0, |rule| rule.threshold);
    let varied = run.iter().any(|one| one.call.same_as != run[0].call.same_as);
    varied && run.len() >= threshold as usize
}
