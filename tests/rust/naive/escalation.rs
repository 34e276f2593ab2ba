//! How far a detection has escalated, worked out from all that was said before.

use loophound::{Action, Rung};

/// How many loops are remembered.
const REMEMBERED: usize = 16;
/// How many pieces of new information move a loop down by one rung.
const EASING: u64 = 3;
/// How many turns after a message about one loop no other is brought up.
const QUIET: u64 = 3;

/// A loop was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    pub about: String,
    /// How many calls there had been.
    pub calls: u64,
    /// How many turns.
    pub turn: u64,
    /// How much was new until then.
    pub new_info: u64,
    /// For so many turns it stays on its rung.
    pub cooldown: u64,
    /// It is about a call that has not run yet.
    pub before_call: bool,
    /// It counts only where a refusal was announced.
    pub only_if_announced: bool,
}

/// What a detection does to its loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// One rung higher, less what news brought it down.
    Climbs,
    /// It stays where it is, since there was no time yet to do anything about it.
    CoolsDown,
    /// What was announced is done, and that is all.
    CarriesOut,
}

/// A detection that counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub detection: Detection,
    pub step: Step,
    /// How many times its loop has been detected.
    pub rank: u64,
    /// The refusal of the loop's next call was announced with it.
    pub announces: bool,
    /// Something was said about it.
    pub spoken: bool,
}

/// What is to be thought of a detection, after all those that counted; nothing, if
/// it does not count.
pub fn judge(before: &[Judged], this: Detection, memory: u64) -> Option<Judged> {
    let own = remembered(before, &this, memory);
    let moved = own.iter().rposition(|one| one.step != Step::CoolsDown);
    let announced = moved.is_some_and(|at| own[at..].iter().any(|one| one.announces));
    let carries_out = announced && this.before_call;
    if this.only_if_announced && !carries_out {
        return None;
    }
    let spoken_of = |one: &Judged| one.detection.cooldown > 0 && one.spoken;
    let just_now = |one: &Judged| this.turn - one.detection.turn < QUIET;
    if own.is_empty()
        && this.cooldown > 0
        && before.iter().any(|one| spoken_of(one) && just_now(one))
    {
        return None;
    }
    let cools_down = moved.is_some_and(|at| this.turn - own[at].detection.turn < this.cooldown);
    let step = match (carries_out, cools_down) {
        (true, _) => Step::CarriesOut,
        (false, true) => Step::CoolsDown,
        (false, false) => Step::Climbs,
    };
    let climbed = own.iter().rfind(|one| one.step == Step::Climbs);
    let rank = match (climbed, step) {
        (None, _) => 1,
        (Some(last), Step::Climbs) => {
            let eased = (this.new_info - last.detection.new_info) / EASING;
            (last.rank + 1).saturating_sub(eased).max(1)
        }
        (Some(last), _) => last.rank,
    };
    Some(Judged { detection: this, step, rank, announces: false, spoken: false })
}

/// The detections of the same loop since it was last forgotten: after many calls
/// without it, or many other loops.
fn remembered<'a>(before: &'a [Judged], this: &Detection, memory: u64) -> Vec<&'a Judged> {
    let (mut own, mut calls, mut others) = (vec![], this.calls, vec![]);
    for one in before.iter().rev() {
        if one.detection.about == this.about {
            if calls - one.detection.calls > memory || others.len() >= REMEMBERED {
                break;
            }
            calls = one.detection.calls;
            others.clear();
            own.insert(0, one);
        } else if !others.contains(&&one.detection.about) {
            others.push(&one.detection.about);
        }
    }
    own
}

/// The highest rung that is reached.
pub fn rung(rungs: &[Rung], rank: u64) -> Rung {
    let reached = |rung: &&Rung| u64::from(rung.at) <= rank;
    *rungs.iter().rfind(reached).unwrap_or(&rungs[0])
}

/// What is said about it. A result cannot be refused any more, and a loop that
/// cools_down on its rung is not spoken of again.
pub fn action(rung: Rung, before_call: bool, step: Step) -> Action {
    let action = match rung.action {
        Action::Block if !before_call => Action::Nudge,
        action => action,
    };
    if step == Step::CoolsDown && action == Action::Nudge { Action::Continue } else { action }
}
