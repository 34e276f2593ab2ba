//! Calls that keep having the same outcome, and whether they have one target.

use super::outcomes::Outcome;
use super::tools::Effect;
use std::collections::BTreeSet;

/// If calls are reworded, at least one in this many returns to earlier words.
const RETURNS: u32 = 4;

/// Whether calls have one target or many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    OneTarget,
    /// Each call has a different target.
    Sweep,
    /// Each call has a different target, and the results name it.
    NamedSweep,
}

/// Returns how many turns the calls took; calls of one turn are one decision.
pub fn count(run: &[&Outcome]) -> u32 {
    (1..run.len()).filter(|at| is_new_turn(run, *at)).count() as u32 + 1
}

fn is_new_turn(run: &[&Outcome], at: usize) -> bool {
    run[at].turn != run[at - 1].turn
}

/// Returns whether there are at least two different calls, and enough.
pub fn is_loop(run: &[&Outcome], least: u32) -> bool {
    let is_varied = run.iter().any(|one| !one.call.is_same(run[0].call));
    is_varied && count(run) >= least
}

/// Returns the words of all calls.
pub fn words_of(run: &[&Outcome]) -> BTreeSet<&'static str> {
    run.iter().flat_map(|one| one.call.words()).copied().collect()
}

/// Returns the targets of a call that no earlier call has.
fn new_targets(run: &[&Outcome], at: usize) -> Vec<&'static str> {
    let is_old = |target: &&str| run[..at].iter().any(|one| one.call.targets().contains(target));
    run[at].call.targets().into_iter().filter(|target| !is_old(target)).collect()
}

/// Returns whether a call without a new target returns to an earlier word that the previous
/// call lacked.
fn returns(run: &[&Outcome], at: usize) -> bool {
    let (earlier, last) = (words_of(&run[..at]), run[at - 1].call.words());
    let is_back = |word: &&str| earlier.contains(word) && !last.contains(word);
    new_targets(run, at).is_empty() && run[at].call.words().iter().any(is_back)
}

/// Returns whether a call replaces one word by a word never used before: then it has a new
/// target. The target of an edit is its file.
fn substitutes(run: &[&Outcome], at: usize) -> bool {
    let (one, other) = (run[at - 1].call.words(), run[at].call.words());
    let is_one = |a: &BTreeSet<_>, b: &BTreeSet<_>| a.difference(b).count() == 1;
    let writes = run[at].call.effect == Effect::Write;
    !writes && !returns(run, at) && is_one(one, other) && is_one(other, one)
}

/// Returns whether half of the calls have a new target, with one program.
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

/// Returns whether half of the calls have no new word and no new target.
pub fn has_nothing_new(run: &[&Outcome]) -> bool {
    let is_old = |at: &usize| {
        let earlier = words_of(&run[..*at]);
        new_targets(run, *at).is_empty()
            && run[*at].call.words().iter().all(|word| earlier.contains(word))
    };
    let old = (1..run.len()).filter(|at| is_new_turn(run, *at)).filter(is_old);
    old.count() as u32 * 2 >= count(run)
}

/// Returns whether the calls return to earlier words.
pub fn is_reworded(run: &[&Outcome]) -> bool {
    (1..run.len()).filter(|at| returns(run, *at)).count() as u32 * RETURNS >= count(run)
}

/// Returns whether the calls are attempts with pauses in between: at least one for six.
pub fn is_retry(all: &[Outcome], run: &[&Outcome]) -> bool {
    let (first, last) = (run[0].event, run[run.len() - 1].event);
    let is_pause = |one: &&Outcome| one.call.waits && first < one.event && one.event <= last;
    all.iter().filter(is_pause).count() as u32 * 6 >= count(run)
}
