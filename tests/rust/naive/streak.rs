//! Calls that keep having the same outcome, and whether they are about one thing.

use super::outcomes::Outcome;
use super::tools::Effect;
use std::collections::BTreeSet;

/// Where calls are reworded, one in so many comes back to words of earlier ones.
const RETURNS: u32 = 4;

/// Whether calls were about one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    OneTarget,
    /// Each was about something else, and
    Sweep,
    /// the results say about what.
    NamedSweep,
}

/// How many turns the calls were made in; those of one turn are one decision.
pub fn count(run: &[&Outcome]) -> u32 {
    (1..run.len()).filter(|at| is_new_turn(run, *at)).count() as u32 + 1
}

fn is_new_turn(run: &[&Outcome], at: usize) -> bool {
    run[at].turn != run[at - 1].turn
}

/// Whether there are at least two different calls, and enough.
pub fn is_loop(run: &[&Outcome], least: u32) -> bool {
    let is_varied = run.iter().any(|one| !one.call.is_same(run[0].call));
    is_varied && count(run) >= least
}

/// The words of all calls.
pub fn words_of(run: &[&Outcome]) -> BTreeSet<&'static str> {
    run.iter().flat_map(|one| one.call.words()).copied().collect()
}

/// The targets of a call that none before it has.
fn new_targets(run: &[&Outcome], at: usize) -> Vec<&'static str> {
    let is_old = |target: &&str| run[..at].iter().any(|one| one.call.targets().contains(target));
    run[at].call.targets().into_iter().filter(|target| !is_old(target)).collect()
}

/// Whether a call has a word again that the one before it did not have.
fn returns(run: &[&Outcome], at: usize) -> bool {
    let (earlier, last) = (words_of(&run[..at]), run[at - 1].call.words());
    run[at].call.words().iter().any(|word| earlier.contains(word) && !last.contains(word))
}

/// Whether a call has one word in place of another, which was not there before: then it
/// is about something else. An edit is about its file.
fn substitutes(run: &[&Outcome], at: usize) -> bool {
    let (one, other) = (run[at - 1].call.words(), run[at].call.words());
    let is_one = |a: &BTreeSet<_>, b: &BTreeSet<_>| a.difference(b).count() == 1;
    let writes = run[at].call.effect == Effect::Write;
    !writes && !returns(run, at) && is_one(one, other) && is_one(other, one)
}

/// Half of the calls are about something that none before was about, with one program.
pub fn breadth(run: &[&Outcome]) -> Breadth {
    let is_new = |at: &usize| {
        is_new_turn(run, *at) && (!new_targets(run, *at).is_empty() || substitutes(run, *at))
    };
    let is_named = |at: &usize| {
        let names = run[*at].output.map_or(&[][..], |output| output.names);
        new_targets(run, *at).iter().any(|target| names.contains(target))
    };
    let new: Vec<usize> = (1..run.len()).filter(is_new).collect();
    let named = new.iter().filter(|at| is_named(at)).count();
    let programs = run.windows(2).filter(|two| two[0].call.program() != two[1].call.program());
    if new.is_empty() || (new.len() as u32) < (count(run) - 1) / 2 || programs.count() > 1 {
        Breadth::OneTarget
    } else if named * 2 > new.len() {
        Breadth::NamedSweep
    } else {
        Breadth::Sweep
    }
}

/// Whether half of the calls have no word and no target that was not there before.
pub fn brings_nothing_new(run: &[&Outcome]) -> bool {
    let is_old = |at: &usize| {
        let earlier = words_of(&run[..*at]);
        new_targets(run, *at).is_empty()
            && run[*at].call.words().iter().all(|word| earlier.contains(word))
    };
    let old = (1..run.len()).filter(|at| is_new_turn(run, *at)).filter(is_old);
    old.count() as u32 * 2 >= count(run)
}

/// Whether the calls come back to words of earlier ones.
pub fn is_reworded(run: &[&Outcome]) -> bool {
    (1..run.len()).filter(|at| returns(run, *at)).count() as u32 * RETURNS >= count(run)
}
