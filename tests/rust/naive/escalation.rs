//! What is done about a detection, worked out from all that were found and all that was
//! said before.

use loophound::{Action, Rung};

/// How many loops are remembered.
const REMEMBERED: usize = 16;
/// After so much that is new, a loop is over.
const NEW_INFO: u64 = 12;
/// How many turns after a message about one loop no other is brought up, for each loop
/// that was.
const QUIET: u64 = 3;

/// A loop was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    pub about: String,
    /// Which event showed it.
    pub event: usize,
    /// How often the repeated thing was seen.
    pub count: u64,
    /// How many calls and turns there had been, and how much that was new.
    pub calls: u64,
    pub turn: u64,
    pub new_info: u64,
    /// It counts once in so many turns.
    pub cooldown: u64,
    /// It is about a call that has not run yet.
    pub before_call: bool,
    /// It is one more repeat, and not only a call that would be one.
    pub is_repeat: bool,
    /// The hardest action that its evidence allows.
    pub at_most: Action,
    /// After so many calls without it, the loop is forgotten.
    pub memory: u64,
}

/// A detection that was taken note of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    pub detection: Detection,
    /// It is one more detection of its loop.
    counts: bool,
    /// What was said about it.
    pub said: Option<Action>,
}

/// Takes note of a detection, and tells on which rung it stands; none if nothing is to be
/// said about it.
pub fn judge(noted: &mut Vec<Noted>, rungs: &[Rung], this: &Detection) -> Option<Rung> {
    let own: Vec<Noted> = remembered(noted, this, &this.about).into_iter().cloned().collect();
    // A call that has yet to be repeated begins no loop.
    if own.is_empty() && (!this.is_repeat || is_quiet(noted, this)) {
        return None;
    }
    let last = own.iter().rfind(|one| one.counts);
    let is_early = last.is_some_and(|last| this.turn - last.detection.turn < this.cooldown);
    let is_refused = this.before_call
        && own.iter().any(|one| one.said.is_some_and(|action| action >= Action::Block));
    let counts = this.is_repeat && !is_early && !is_refused;
    noted.push(Noted { detection: this.clone(), counts, said: None });

    let said =
        |action: fn(Action) -> bool| own.iter().filter(move |one| one.said.is_some_and(action));
    let nudges = || said(|action| action == Action::Nudge);
    let refusals = || said(|action| action >= Action::Block);
    let is_past = |first: Option<&Noted>| first.is_some_and(|one| one.detection.turn < this.turn);
    let earned = match (is_past(nudges().next()), is_past(refusals().next())) {
        _ if !this.before_call => Action::Nudge,
        (false, _) => Action::Nudge,
        (true, false) if !rungs.iter().any(|rung| rung.action == Action::Block) => Action::Stop,
        (true, false) => Action::Block,
        (true, true) => Action::Stop,
    };
    let detections = own.iter().filter(|one| one.counts).count() as u64 + u64::from(counts);
    let value = detections + refusals().count() as u64;
    let is_reached =
        |rung: &&Rung| u64::from(rung.at) <= value && rung.action <= earned.min(this.at_most);
    let rung = *rungs.iter().rfind(is_reached)?;
    if rung.action > Action::Nudge {
        return Some(rung);
    }
    // Nudges come further and further apart: twice as many detections, or repeats where
    // nothing but nudges is allowed.
    let is_due = nudges().next_back().is_none_or(|nudge| {
        let is_before = |one: &&Noted| one.counts && one.detection.event <= nudge.detection.event;
        let before = own.iter().filter(is_before).count() as u64;
        match this.at_most {
            Action::Nudge => this.count >= nudge.detection.count * 2,
            _ => detections > before * 2,
        }
    });
    (this.is_repeat && is_due).then_some(rung)
}

/// Whether another loop was just brought up, or goes on that was brought up, unless only
/// this one allows a refusal.
fn is_quiet(noted: &[Noted], this: &Detection) -> bool {
    let nudged = |one: &&Noted| one.said == Some(Action::Nudge);
    let mut loops: Vec<&str> = noted.iter().map(|one| one.detection.about.as_str()).collect();
    loops.sort();
    loops.dedup();
    let spoken_of: Vec<Vec<&Noted>> = loops
        .into_iter()
        .map(|about| remembered(noted, this, about))
        .filter(|own| own.iter().any(nudged))
        .collect();
    let goes_on = |own: &Vec<&Noted>| {
        let last = own.last().map(|one| &one.detection);
        last.is_some_and(|last| {
            let is_harder = this.at_most > Action::Nudge && last.at_most == Action::Nudge;
            this.turn - last.turn < QUIET && !is_harder
        })
    };
    let last_message = noted.iter().rfind(|one| one.said.is_some());
    let wait = QUIET * spoken_of.len() as u64;
    spoken_of.iter().any(goes_on)
        || last_message.is_some_and(|one| this.turn - one.detection.turn < wait)
}

/// What was noted of a loop since it was last forgotten: after many calls without it,
/// after much that was new, or after many other loops. Oldest first.
fn remembered<'n>(noted: &'n [Noted], now: &Detection, about: &str) -> Vec<&'n Noted> {
    let (mut own, mut others): (Vec<&Noted>, Vec<&str>) = (vec![], vec![]);
    let mut next = now;
    for one in noted.iter().rev() {
        let this = &one.detection;
        if this.about != about {
            if !others.contains(&this.about.as_str()) {
                others.push(&this.about);
            }
            continue;
        }
        let is_old = next.calls - this.calls > now.memory;
        if is_old || next.new_info - this.new_info >= NEW_INFO || others.len() >= REMEMBERED {
            break;
        }
        next = this;
        others.clear();
        own.insert(0, one);
    }
    own
}
