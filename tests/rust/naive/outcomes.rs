//! Calls and what came of them; and what the patterns ask about these: how often
//! the same came of a call, and whether anything new came in between.

use super::outputs::{Evidence, Output};
use super::tools::{Call, Effect};
use loophound::Config;

/// So many outcomes are looked back at, however long the window is.
const MAX_WINDOW: u32 = 128;

/// Repeats further apart than this are polling, in milliseconds.
const FAR_APART: u64 = 60_000;

/// A call, and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// The call's number.
    pub index: u64,
    pub call: &'static Call,
    /// Nothing, where the host never reports results.
    pub output: Option<&'static Output>,
    pub evidence: Evidence,
    /// Which event brought it.
    pub event: usize,
    /// The turn of the call.
    pub turn: u64,
    /// When the call was made, and answered.
    pub called_at: Option<u64>,
    pub at: Option<u64>,
    /// The call before it was the same.
    pub in_a_row: bool,
    /// The same call brought the same before, a short while ago.
    pub known: bool,
    /// The same call was answered before. Otherwise some of what only matters for repeats
    /// is not looked for.
    pub is_repeat: bool,
    /// The event since which it is not remembered, though others before it may be.
    pub forgotten: Option<usize>,
}

impl Outcome {
    pub fn failed(&self) -> bool {
        self.output.is_some_and(|output| output.failed(self.call))
    }

    pub fn complains(&self) -> bool {
        self.is_repeat && !self.failed() && self.output.is_some_and(|output| output.complains)
    }

    /// The same call with the same result. Of failures, the same words or the same error
    /// are enough; of complaints and acknowledgements, the same words.
    pub fn is_same(&self, other: &Self) -> bool {
        let same_words = self.words().is_some() && self.words() == other.words();
        let same_error = self.error().is_some() && self.error() == other.error();
        self.call.is_same(other.call)
            && self.failed() == other.failed()
            && (self.is_equal(other) || same_words || same_error)
    }

    /// Which error it is, if it failed and says so.
    fn error(&self) -> Option<&'static str> {
        self.output.filter(|_| self.failed())?.error()
    }

    /// The words by which failures, complaints and acknowledgements are compared. Numbers
    /// are part of an acknowledgement.
    pub fn words(&self) -> Option<&'static str> {
        let output = self.output?;
        match self.evidence {
            Evidence::Acknowledgement => output.counted_words(),
            _ if self.failed() && self.is_repeat || self.complains() => output.words(),
            _ => None,
        }
    }

    /// How many problems a failure or a complaint counts.
    fn problems(&self) -> Option<u64> {
        let complains = self.complains() && self.evidence != Evidence::Acknowledgement;
        self.output?.problems.filter(|_| self.failed() && self.is_repeat || complains)
    }

    /// It works and says that there is nothing.
    pub fn is_negative(&self) -> bool {
        let says_so = |output: &&Output| output.text.is_some() && output.negative;
        self.is_repeat && !self.failed() && self.output.as_ref().is_some_and(says_so)
    }

    /// The same call with the same result but for volatile tokens.
    pub fn is_equal(&self, other: &Self) -> bool {
        self.call.is_same(other.call) && self.result() == other.result()
    }

    /// Equal for equal results.
    pub fn result(&self) -> (Option<&'static str>, bool) {
        (self.output.and_then(Output::same_as), self.failed())
    }

    fn is_identical(&self, other: &Self) -> bool {
        match (self.output, other.output) {
            (Some(one), Some(other)) => one.is_identical(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// An editor made a change, or a command that changes something printed nothing.
    pub fn is_acknowledged_write(&self) -> bool {
        self.call.effect == Effect::Write && self.evidence == Evidence::Acknowledgement
    }

    /// It says something that can be new.
    fn tells(&self) -> bool {
        match self.evidence {
            Evidence::Informative | Evidence::NoResults => true,
            Evidence::Acknowledgement => self.call.effect == Effect::Write,
            Evidence::Waiting | Evidence::Unknown => !self.known,
            Evidence::Empty | Evidence::Infrastructure | Evidence::HostMade => false,
        }
    }

    /// Something was learned or done.
    pub fn is_new_info(&self) -> bool {
        self.tells() && !self.known
    }

    /// The same, or a new call that was only acknowledged.
    fn is_new_action(&self) -> bool {
        self.is_new_info() || self.only_acts() && !self.known
    }

    fn only_acts(&self) -> bool {
        matches!(self.evidence, Evidence::Acknowledgement | Evidence::Empty)
    }

    /// Something was written that had not been written before.
    fn is_new_write(&self) -> bool {
        self.is_new_info() && self.call.effect == Effect::Write && !self.failed()
    }
}

/// How many outcomes are looked back at.
pub fn looked_back_at(config: &Config) -> usize {
    config.window.min(MAX_WINDOW) as usize
}

/// Those that were remembered when number `at` came, newest first.
pub fn remembered(all: &[Outcome], at: usize, window: usize) -> impl Iterator<Item = usize> {
    let now = all.get(at).map_or(usize::MAX, |one| one.event);
    let is_remembered = move |one: &usize| all[*one].forgotten.is_none_or(|event| event > now);
    (0..at).rev().filter(is_remembered).take(window)
}

/// The newest of this call that was remembered when number `at` came.
pub fn last_of(all: &[Outcome], at: usize, call: &Call, window: usize) -> Option<usize> {
    remembered(all, at, window).find(|one| all[*one].call.is_same(call))
}

/// The outcomes of one call up to number `at`, newest first: each is the last that was
/// remembered when the one after it came.
fn outcomes_of_call(all: &[Outcome], at: usize, window: usize) -> Vec<usize> {
    let mut outcomes = vec![at];
    let mut this = at;
    while let Some(last) = last_of(all, this, all[at].call, window) {
        outcomes.push(last);
        this = last;
    }
    outcomes
}

/// Whether nothing new came between two outcomes, as far as the earlier one is
/// concerned. Keys that are pressed are only acknowledged, each, and are work: what is
/// run after that may print the same, what is read should not.
pub fn nothing_new(all: &[Outcome], earlier: usize, later: usize) -> bool {
    let outcome = &all[earlier];
    let runs = outcome.call.effect == Effect::Execute && !outcome.failed();
    let by_actions = match outcome.evidence {
        Evidence::NoResults | Evidence::Unknown => false,
        Evidence::Acknowledgement => true,
        _ => runs,
    };
    let is_new = |one: &Outcome| if by_actions { one.is_new_action() } else { one.is_new_info() };
    !all[earlier + 1..later].iter().any(is_new)
}

/// How often the same came of a call.
#[derive(Debug)]
pub struct Repeats {
    /// How many times in a row.
    pub same: u32,
    /// The same, but for volatile tokens.
    pub equal: u32,
    /// The same byte by byte, with no other call in between.
    pub identical: u32,
    /// With nothing new in between.
    pub unchanged: u32,
    /// Time passed before each but the first.
    pub across_waits: bool,
    /// How many times the call worked, whatever came of it.
    pub successes: u32,
    /// How many times it was made, and failed, with no other call in between.
    pub calls_in_a_row: u32,
    pub failures_in_a_row: u32,
    /// It counted fewer problems than before.
    pub gets_better: bool,
    /// The first of the row.
    pub since: u64,
    /// Something was written since then.
    pub written: bool,
}

/// How often the same came of the call of outcome number `at`.
pub fn repeats(all: &[Outcome], at: usize, window: usize) -> Repeats {
    let outcomes = outcomes_of_call(all, at, window);
    let pairs: Vec<(usize, usize)> = outcomes.windows(2).map(|two| (two[0], two[1])).collect();
    let is_same = |(later, earlier): &&(usize, usize)| all[*later].is_same(&all[*earlier]);
    let times = |goes_on: &dyn Fn(&Outcome, &Outcome) -> bool| {
        let pairs = pairs.iter().take_while(is_same);
        pairs.take_while(|(later, earlier)| goes_on(&all[*later], &all[*earlier])).count() as u32
            + 1
    };
    let same = times(&|_, _| true);
    let unchanged = pairs
        .iter()
        .take_while(is_same)
        .take_while(|(later, earlier)| nothing_new(all, *earlier, *later));
    let after_waits = pairs.iter().take_while(is_same).filter(|(later, earlier)| {
        let apart = all[*earlier].at.zip(all[*later].called_at);
        apart.is_some_and(|(before, now)| now.saturating_sub(before) >= FAR_APART)
            || all[earlier + 1..*later].iter().any(|one| one.call.waits)
    });
    let problems = pairs.first().map(|(now, last)| (all[*now].problems(), all[*last].problems()));
    let in_a_row = || pairs.iter().take_while(|(later, _)| all[*later].in_a_row);
    let first = outcomes[same as usize - 1];
    Repeats {
        same,
        equal: times(&|later, earlier| {
            // Another line number does not matter while the number of problems is the same.
            let as_many = later.problems().is_some() && later.problems() == earlier.problems();
            let same_words = later.failed() && later.words() == earlier.words();
            later.is_equal(earlier) || as_many && same_words
        }),
        identical: times(&|later, earlier| later.in_a_row && later.is_identical(earlier)),
        unchanged: unchanged.count() as u32 + 1,
        across_waits: same > 1 && after_waits.count() as u32 + 1 >= same,
        successes: outcomes.iter().filter(|one| !all[**one].failed()).count() as u32,
        calls_in_a_row: in_a_row().count() as u32 + 1,
        failures_in_a_row: match all[at].failed() {
            true => in_a_row().take_while(|(_, earlier)| all[*earlier].failed()).count() as u32 + 1,
            false => 0,
        },
        gets_better: matches!(problems, Some((Some(now), Some(before))) if now < before),
        since: all[first].index,
        written: all[first + 1..at.max(first + 1)].iter().any(Outcome::is_new_write),
    }
}

/// Whether the call of an outcome waits for something: by its nature, by what it was
/// told, or since it is only repeated across waits.
pub fn is_waiting(outcome: &Outcome, repeats: &Repeats) -> bool {
    outcome.call.polls || outcome.evidence == Evidence::Waiting || repeats.across_waits
}

/// How many calls in a row brought nothing new, and where that row began. News takes
/// from it instead of clearing it, and immediate repeats do not count.
pub fn stale_row(all: &[Outcome], from: usize) -> (u32, u64) {
    let (mut row, mut since) = (0u32, 0);
    for (at, one) in all.iter().enumerate().skip(from) {
        if one.in_a_row && one.is_same(&all[at - 1]) {
            continue;
        }
        if one.is_new_info() {
            let little = one.call.effect == Effect::Read || one.failed();
            row = row.saturating_sub(if little { 1 } else { 2 });
        } else if one.is_new_action() {
            row = row.saturating_sub(1);
        } else if one.tells() && !one.call.polls {
            since = if row == 0 { one.index } else { since };
            row += 1;
        }
    }
    (row, since)
}

/// After how many calls each of the newest came back with the result it had before, if
/// that is so of as many as lie between. Only those from number `from` on are looked at.
/// Also the number of the call that began that row.
pub fn rotation(all: &[Outcome], from: usize, window: usize) -> Option<(usize, u64)> {
    let period = |at: usize| {
        let ago =
            remembered(all, at, window).position(|one| all[one].call.is_same(all[at].call))?;
        let last = remembered(all, at, window).nth(ago)?;
        all[last].is_same(&all[at]).then_some(ago + 1)
    };
    let newest = period(all.len().checked_sub(1)?)?;
    let round = all.len().checked_sub(newest).filter(|start| *start >= from)?..all.len();
    let comes_back = |at: &usize| period(*at) == Some(newest);
    round.clone().all(|at| comes_back(&at)).then_some(())?;
    let first = (from..round.end).rev().take_while(comes_back).last()?;
    Some((newest, all[first].index))
}
