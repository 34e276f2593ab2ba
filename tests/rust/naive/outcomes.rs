//! Calls and their results, and what patterns need to know about them: how many times a
//! call had the same result, and whether anything new came in between.

use super::outputs::{Evidence, Output};
use super::tools::{Call, Effect};
use loophound::Config;

/// How many outcomes are kept at most, however long the window is.
const MAX_WINDOW: u32 = 128;

/// Repeats further apart than this are polling, in milliseconds.
const FAR_APART: u64 = 60_000;

/// A call and its result.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// The call's number.
    pub index: u64,
    pub call: &'static Call,
    /// None if the host never reports results.
    pub output: Option<&'static Output>,
    pub evidence: Evidence,
    /// The event that recorded it.
    pub event: usize,
    /// The turn of the call.
    pub turn: u64,
    /// When the call was made, and when its result came.
    pub called_at: Option<u64>,
    pub at: Option<u64>,
    /// The previous call was the same.
    pub in_a_row: bool,
    /// The same call recently had the same result.
    pub known: bool,
    /// The same call had a result before. Otherwise some work that only matters for repeats
    /// is skipped.
    pub is_repeat: bool,
    /// The event since which it is forgotten, though earlier ones may not be.
    pub forgotten: Option<usize>,
}

impl Outcome {
    pub fn failed(&self) -> bool {
        self.output.is_some_and(|output| output.failed(self.call))
    }

    pub fn complains(&self) -> bool {
        self.is_repeat && !self.failed() && self.output.is_some_and(|output| output.complains)
    }

    /// Returns whether it is the same call with the same result. For failures, the same
    /// words or the same error are enough; for complaints and acknowledgements, the same
    /// words.
    pub fn is_same(&self, other: &Self) -> bool {
        let same_words = self.words().is_some() && self.words() == other.words();
        let same_error = self.error().is_some() && self.error() == other.error();
        self.call.is_same(other.call)
            && self.failed() == other.failed()
            && (self.is_equal(other) || same_words || same_error)
    }

    /// Returns the error, if it failed and says so.
    fn error(&self) -> Option<&'static str> {
        self.output.filter(|_| self.failed())?.error()
    }

    /// Returns the words by which failures, complaints and acknowledgements are compared.
    /// Numbers are part of an acknowledgement.
    pub fn words(&self) -> Option<&'static str> {
        let output = self.output?;
        match self.evidence {
            Evidence::Acknowledgement => output.counted_words(),
            _ if self.failed() && self.is_repeat || self.complains() => output.words(),
            _ => None,
        }
    }

    /// Returns how many problems a failure or a complaint reports.
    fn problems(&self) -> Option<u64> {
        let complains = self.complains() && self.evidence != Evidence::Acknowledgement;
        self.output?.problems.filter(|_| self.failed() && self.is_repeat || complains)
    }

    /// Returns whether it succeeded and says that nothing was found or done.
    pub fn is_negative(&self) -> bool {
        let says_so = |output: &&Output| output.text.is_some() && output.negative;
        self.is_repeat && !self.failed() && self.output.as_ref().is_some_and(says_so)
    }

    /// Returns whether it is the same call with the same result, except for volatile
    /// tokens.
    pub fn is_equal(&self, other: &Self) -> bool {
        self.call.is_same(other.call) && self.result() == other.result()
    }

    /// Returns a value that is equal for equal results.
    pub fn result(&self) -> (Option<&'static str>, bool) {
        (self.output.and_then(Output::same_as), self.failed())
    }

    fn is_identical(&self, other: &Self) -> bool {
        match (self.output, other.output) {
            (Some(one), Some(other)) => one.is_identical(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Returns whether an editing tool made a change, or a command that writes printed
    /// nothing.
    pub fn is_acknowledged_write(&self) -> bool {
        self.call.effect == Effect::Write && self.evidence == Evidence::Acknowledgement
    }

    /// Returns whether it says something that can be new.
    fn tells(&self) -> bool {
        match self.evidence {
            Evidence::Informative | Evidence::NoResults => true,
            Evidence::Acknowledgement => {
                self.call.effect == Effect::Write || self.call.plan && self.known
            }
            Evidence::Waiting | Evidence::Unknown => !self.known,
            Evidence::Empty | Evidence::Infrastructure | Evidence::HostMade => false,
        }
    }

    /// Returns whether something new was learned or done.
    pub fn is_new_info(&self) -> bool {
        self.tells() && !self.known
    }

    /// As `is_new_info`, or a new call that was only acknowledged.
    fn is_new_action(&self) -> bool {
        self.is_new_info() || self.only_acts() && !self.known
    }

    fn only_acts(&self) -> bool {
        matches!(self.evidence, Evidence::Acknowledgement | Evidence::Empty)
    }

    /// Returns whether something was written that had not been written before.
    fn is_new_write(&self) -> bool {
        self.is_new_info() && self.call.effect == Effect::Write && !self.failed()
    }
}

/// Returns how many outcomes are kept.
pub fn looked_back_at(config: &Config) -> usize {
    config.window.min(MAX_WINDOW) as usize
}

/// Returns the outcomes that were remembered at outcome number `at`, newest first.
pub fn remembered(all: &[Outcome], at: usize, window: usize) -> impl Iterator<Item = usize> {
    let now = all.get(at).map_or(usize::MAX, |one| one.event);
    let is_remembered = move |one: &usize| all[*one].forgotten.is_none_or(|event| event > now);
    (0..at).rev().filter(is_remembered).take(window)
}

/// Returns the newest outcome of this call that was remembered at outcome number `at`.
pub fn last_of(all: &[Outcome], at: usize, call: &Call, window: usize) -> Option<usize> {
    remembered(all, at, window).find(|one| all[*one].call.is_same(call))
}

/// Returns the outcomes of one call up to number `at`, newest first: each is the last one
/// remembered when the next came.
fn outcomes_of_call(all: &[Outcome], at: usize, window: usize) -> Vec<usize> {
    let mut outcomes = vec![at];
    let mut this = at;
    while let Some(last) = last_of(all, this, all[at].call, window) {
        outcomes.push(last);
        this = last;
    }
    outcomes
}

/// Returns whether nothing new came between two outcomes, from the view of the earlier one.
/// Pressing keys is only acknowledged, but it is work: after it, an execution may print the
/// same as before; a read should not.
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

/// How many times a call had the same result.
#[derive(Debug)]
pub struct Repeats {
    /// How many times in a row.
    pub same: u32,
    /// Equal except for volatile tokens.
    pub equal: u32,
    /// With the same bytes; and with no other call in between.
    pub exact: u32,
    pub identical: u32,
    /// With nothing new in between.
    pub unchanged: u32,
    /// Time passed before each but the first.
    pub across_waits: bool,
    /// How many times the call succeeded, whatever its result.
    pub successes: u32,
    /// How many times it was made, and failed, with no other call in between.
    pub calls_in_a_row: u32,
    pub failures_in_a_row: u32,
    /// The call once brought the same for a while and then something else, with no other
    /// call in between.
    pub paid_off: bool,
    /// It counted fewer problems than before.
    pub is_improving: bool,
    /// The first of the row.
    pub since: u64,
    /// Something was written since then.
    pub written: bool,
}

/// Returns how many times the call of outcome number `at` had the same result.
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
    let worked = |one: usize| !all[one].failed();
    let changed = |at: usize| {
        let (later, earlier) = pairs[at];
        let was_repeated =
            pairs.get(at + 1).is_some_and(|(one, other)| all[*one].is_same(&all[*other]));
        all[later].in_a_row
            && worked(later)
            && worked(earlier)
            && !all[later].is_same(&all[earlier])
            && !(all[later].call.message && (all[later].known || all[later].is_negative()))
            && was_repeated
    };
    Repeats {
        same,
        equal: times(&|later, earlier| {
            // A changed line number does not matter while the number of problems is the
            // same.
            let as_many = later.problems().is_some() && later.problems() == earlier.problems();
            let same_words = later.failed() && later.words() == earlier.words();
            later.is_equal(earlier) || as_many && same_words
        }),
        exact: times(&|later, earlier| later.is_identical(earlier)),
        identical: times(&|later, earlier| later.in_a_row && later.is_identical(earlier)),
        unchanged: unchanged.count() as u32 + 1,
        across_waits: same > 1 && after_waits.count() as u32 + 1 >= same,
        successes: outcomes.iter().filter(|one| !all[**one].failed()).count() as u32,
        calls_in_a_row: in_a_row().count() as u32 + 1,
        failures_in_a_row: match all[at].failed() {
            true => in_a_row().take_while(|(_, earlier)| all[*earlier].failed()).count() as u32 + 1,
            false => 0,
        },
        // Messages are no polls once only known answers come.
        paid_off: (0..pairs.len())
            .take_while(|at| !(all[pairs[*at].0].call.message && all[pairs[*at].0].known))
            .any(changed),
        is_improving: matches!(problems, Some((Some(now), Some(before))) if now < before),
        since: all[first].index,
        written: all[first + 1..at.max(first + 1)].iter().any(Outcome::is_new_write),
    }
}

/// Whether the call of an outcome waits for something: by its nature, by what it was
/// told, since it is only repeated across waits, or since asking again has paid off.
pub fn is_waiting(outcome: &Outcome, repeats: &Repeats) -> bool {
    outcome.call.polls
        || outcome.evidence == Evidence::Waiting
        || repeats.across_waits
        || repeats.paid_off && !outcome.failed()
}

/// Returns how many calls in a row revealed nothing new, and where that streak began. New
/// information lowers the count instead of clearing it, and immediate repeats do not count.
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

/// Returns the period of a cycle, once every call of it has repeated with its earlier
/// result; also the index of the first call that repeated. Only outcomes from number `from`
/// on count.
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
