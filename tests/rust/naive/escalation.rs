//! Decides what is done about a detection, from all earlier detections and verdicts.

use loophound::{Action, Rung};

/// How many loops are remembered.
const REMEMBERED: usize = 16;
/// A loop is over once something new was learned or done this many times.
const NEW_INFO: u64 = 12;
/// For how many turns after a message about one loop no other is reported, for each loop
/// already reported.
const QUIET: u64 = 3;

/// A detected loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    pub about: String,
    /// The event at which it was detected.
    pub event: usize,
    /// How many times the repeated call, cycle or text was seen.
    pub count: u64,
    /// How many calls and turns there were by then, and how many times something was new.
    pub calls: u64,
    pub turn: u64,
    pub new_info: u64,
    /// It is counted at most once in this many turns.
    pub cooldown: u64,
    /// The newest call has not run yet.
    pub before_call: bool,
    /// This is one more repeat, not just a call that may become one.
    pub is_repeat: bool,
    /// The most severe action that its evidence allows.
    pub at_most: Action,
    /// After this many calls without a detection, the loop is forgotten.
    pub memory: u64,
}

/// A recorded detection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    pub detection: Detection,
    /// Whether it counts as one more detection of its loop.
    counts: bool,
    /// What was reported about it.
    pub said: Option<Action>,
}

/// Records a detection; returns the rung it reaches, or none if it is not reported.
pub fn judge(noted: &mut Vec<Noted>, rungs: &[Rung], this: &Detection) -> Option<Rung> {
    let own: Vec<Noted> = remembered(noted, this, &this.about).into_iter().cloned().collect();
    // A call that has yet to run does not begin a loop.
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
    // Nudges come further and further apart: after twice as many detections or, if only
    // nudges are allowed, twice as many repeats.
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

/// Returns whether another loop was just reported, or was reported and is still going on,
/// unless only this one allows a refusal.
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

/// Returns what was recorded about a loop since it was last forgotten: after many calls
/// without it, after much new information, or after many other loops. Oldest first.
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
