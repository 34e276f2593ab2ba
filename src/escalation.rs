//! Escalation: the same loop again moves to the next rung, another loop starts at
//! the first. Knows nothing of how a loop is recognised; what kind of evidence it is
//! decides how far it may go.

use crate::config::{Climb, Rung};
use crate::history::{keep_only, push_bounded};
use crate::verdict::Action;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many loops are remembered. An agent that alternates between more loops
/// than this starts anew on each.
const MAX_LOOPS: usize = 16;

/// How many turns after a message about one loop no other is brought up: mostly
/// it is the same trouble, seen from another side. The more loops were brought up
/// lately, the longer.
const QUIET_TURNS: u64 = 3;

/// How much is learned or done after a loop until it counts as over.
const NEW_INFO: u64 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct KnownLoop {
    loop_id: u64,
    /// How many times this loop has been detected.
    detections: u64,
    last_call: u64,
    /// The turn in which it was last seen, and in which it was last counted.
    seen_at: u64,
    counted_at: u64,
    /// How much had been learned or done by then.
    new_info: u64,
    /// The hardest action that its evidence allows.
    at_most: Action,
    /// How many detections it takes until the next nudge; and where nothing but nudges
    /// is allowed, how many repeats.
    next_nudge: u64,
    next_count: u64,
    /// The turn of the first nudge about it, and of the first refusal.
    nudged_at: Option<u64>,
    refused_at: Option<u64>,
    /// How many of its calls were refused.
    refusals: u64,
}

/// When and how a loop was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detection {
    pub loop_id: u64,
    /// How many times the repeated thing was seen.
    pub count: u64,
    /// How many calls were made so far.
    pub call: u64,
    /// How many model turns these were, as far as the host tells them apart.
    pub turn: u64,
    /// How many times something new was learned or done.
    pub new_info: u64,
    /// A loop that was last found more calls ago than this is a new one.
    pub memory: u64,
    /// A loop is counted once in so many turns.
    pub cooldown: u64,
    /// It is about a call that has not run yet, so that can be refused.
    pub before_call: bool,
    /// It is one more repeat, and not only a call that would be one.
    pub is_repeat: bool,
    /// How many rungs above other signals of its kind it starts.
    pub rank_bonus: u64,
    /// The lowest value that is a detection.
    pub first: u64,
    /// The hardest action that its evidence allows.
    pub at_most: Action,
}

/// Which loops were found before, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Escalation {
    /// The most recently found last.
    loops: VecDeque<KnownLoop>,
    /// How many nudges the host has delivered.
    feedbacks: u64,
    /// The turn of the last message about a loop with a cooldown.
    last_message: Option<u64>,
}

impl Escalation {
    /// Decides what is done about a detection; `None` if nothing is said about it.
    pub fn decide(&mut self, climb: Climb, rungs: &[Rung], found: &Detection) -> Option<Rung> {
        let value = match climb {
            Climb::Count => found.count,
            Climb::Feedback => self.feedbacks.saturating_add(1),
            Climb::Occurrence => self.count(found).detections,
            Climb::Evidence => return self.decide_by_evidence(rungs, found),
        };
        rung(rungs, value.saturating_add(found.rank_bonus), found.first)
    }

    /// Counts the detection, unless that was done within the cooldown.
    fn count(&mut self, found: &Detection) -> KnownLoop {
        self.forget_old(found);
        let at = self.loops.iter().position(|known| known.loop_id == found.loop_id);
        let mut known = at.and_then(|at| self.loops.remove(at)).unwrap_or(KnownLoop {
            loop_id: found.loop_id,
            detections: 0,
            last_call: found.call,
            seen_at: found.turn,
            counted_at: 0,
            new_info: found.new_info,
            at_most: found.at_most,
            next_nudge: 1,
            next_count: 0,
            nudged_at: None,
            refused_at: None,
            refusals: 0,
        });
        let is_early = found.turn.saturating_sub(known.counted_at) < found.cooldown;
        known.last_call = found.call;
        known.seen_at = found.turn;
        known.new_info = found.new_info;
        known.at_most = found.at_most;
        // While its calls are refused, a call that would be one more repeat is none.
        let is_refused = found.before_call && known.refusals > 0;
        if found.is_repeat && !is_refused && (known.detections == 0 || !is_early) {
            known.detections = known.detections.saturating_add(1);
            known.counted_at = found.turn;
        }
        push_bounded(&mut self.loops, known, MAX_LOOPS);
        known
    }

    /// Forgets loops that were not found for long, or that much was learned since: those
    /// are over. The odd new call does not end one.
    fn forget_old(&mut self, found: &Detection) {
        keep_only(&mut self.loops, |known| {
            found.call.saturating_sub(known.last_call) <= found.memory
                && found.new_info.saturating_sub(known.new_info) < NEW_INFO
        });
    }

    /// A refusal needs a nudge about the same loop in an earlier turn, and a stop a
    /// refusal. Nudges come further and further apart.
    fn decide_by_evidence(&mut self, rungs: &[Rung], found: &Detection) -> Option<Rung> {
        self.forget_old(found);
        let is_known = self.loops.iter().any(|known| known.loop_id == found.loop_id);
        if !is_known && (!found.is_repeat || self.is_quiet(found)) {
            return None;
        }
        let known = self.count(found);
        let refuses = rungs.iter().any(|rung| rung.action == Action::Block);
        let is_past = |turn: Option<u64>| turn.is_some_and(|turn| turn < found.turn);
        let at_most = match (is_past(known.nudged_at), is_past(known.refused_at)) {
            _ if !found.before_call => Action::Nudge,
            (true, true) => Action::Stop,
            (true, false) if !refuses => Action::Stop,
            (true, false) => Action::Block,
            _ => Action::Nudge,
        };
        let at_most = at_most.min(found.at_most);
        let value = known.detections.saturating_add(known.refusals);
        let is_reached = |rung: &&Rung| u64::from(rung.at) <= value && rung.action <= at_most;
        let rung = rungs.iter().rev().find(is_reached).copied()?;
        let is_due = match found.at_most {
            Action::Nudge => found.count >= known.next_count,
            _ => known.detections >= known.next_nudge,
        } && found.is_repeat;
        (rung.action > Action::Nudge || is_due).then_some(rung)
    }

    /// Whether another loop was brought up a short while ago, or goes on that was brought
    /// up: then this one waits, unless it allows a refusal and that one does not.
    fn is_quiet(&self, found: &Detection) -> bool {
        let spoken_of = || self.loops.iter().filter(|known| known.nudged_at.is_some());
        let goes_on = |known: &KnownLoop| {
            let is_harder = found.at_most > Action::Nudge && known.at_most == Action::Nudge;
            found.turn.saturating_sub(known.seen_at) < QUIET_TURNS && !is_harder
        };
        let wait = QUIET_TURNS.saturating_mul(spoken_of().count() as u64);
        spoken_of().any(goes_on)
            || self.last_message.is_some_and(|last| found.turn.saturating_sub(last) < wait)
    }

    /// Notes what the host is told about a loop.
    pub fn note_verdict(&mut self, loop_id: u64, action: Action, count: u64, turn: u64) {
        let Some(known) = self.loops.iter_mut().find(|known| known.loop_id == loop_id) else {
            return;
        };
        self.last_message = Some(turn);
        match action {
            Action::Continue => {}
            Action::Nudge => {
                known.nudged_at.get_or_insert(turn);
                known.next_nudge = known.detections.saturating_mul(2).saturating_add(1);
                known.next_count = count.saturating_mul(2);
            }
            Action::Block | Action::Stop => {
                known.refused_at.get_or_insert(turn);
                known.refusals = known.refusals.saturating_add(1);
            }
        }
    }

    /// Notes that the host delivered a nudge.
    pub fn feedback(&mut self) {
        self.feedbacks = self.feedbacks.saturating_add(1);
    }

    /// Lets every loop start at its first rung again.
    pub fn reset(&mut self) {
        self.loops.clear();
        self.last_message = None;
    }

    pub fn is_valid(&self) -> bool {
        self.loops.len() <= MAX_LOOPS
    }
}

/// Finds the highest rung that is reached; the first, when none is. A call is never
/// refused at the `first` value that is a detection: a milder rung has to announce
/// the refusal, if there is one.
pub(crate) fn rung(rungs: &[Rung], value: u64, first: u64) -> Option<Rung> {
    let is_announced = |rung: &&Rung| rung.action != Action::Block || value > first;
    let is_reached = |rung: &&Rung| u64::from(rung.at) <= value;
    rungs.iter().rev().filter(is_announced).find(is_reached).or(rungs.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Level;
    use alloc::vec::Vec;

    const RUNGS: &[Rung] = &[
        Rung { at: 3, action: Action::Nudge, level: Level::Notice },
        Rung { at: 6, action: Action::Block, level: Level::Critical },
    ];

    const LADDER: &[Rung] = &[
        Rung { at: 1, action: Action::Nudge, level: Level::Notice },
        Rung { at: 3, action: Action::Nudge, level: Level::Warning },
        Rung { at: 6, action: Action::Block, level: Level::Critical },
        Rung { at: 8, action: Action::Stop, level: Level::Critical },
    ];

    fn detection(loop_id: u64, turn: u64) -> Detection {
        Detection {
            loop_id,
            count: 0,
            call: turn,
            turn,
            new_info: 0,
            memory: 40,
            cooldown: 1,
            before_call: false,
            is_repeat: true,
            rank_bonus: 0,
            first: 0,
            at_most: Action::Stop,
        }
    }

    /// Reports a detection, and what is said about it.
    fn tell(escalation: &mut Escalation, found: &Detection) -> Option<Action> {
        let action = escalation.decide(Climb::Evidence, LADDER, found)?.action;
        escalation.note_verdict(found.loop_id, action, found.count, found.turn);
        Some(action)
    }

    #[test]
    fn the_highest_rung_that_is_reached_counts() {
        let action = |value| rung(RUNGS, value, 1).map(|rung| rung.action);
        assert_eq!(action(1), Some(Action::Nudge));
        assert_eq!(action(5), Some(Action::Nudge));
        assert_eq!(action(6), Some(Action::Block));
        assert_eq!(action(99), Some(Action::Block));
        assert_eq!(rung(&[], 3, 1), None);
        assert_eq!(rung(RUNGS, 8, 8).map(|rung| rung.action), Some(Action::Nudge));
        assert_eq!(rung(RUNGS, 9, 8).map(|rung| rung.action), Some(Action::Block));
    }

    #[test]
    fn each_loop_escalates_by_itself_and_is_forgotten_in_time() {
        let mut escalation = Escalation::default();
        let rungs: Vec<Rung> =
            (1..9).map(|at| Rung { at, action: Action::Nudge, level: Level::Notice }).collect();
        let mut climb = |id, call| {
            let found = Detection { memory: 20, cooldown: 0, ..detection(id, call) };
            escalation.decide(Climb::Occurrence, &rungs, &found).map_or(0, |rung| rung.at)
        };
        assert_eq!(climb(1, 0), 1);
        assert_eq!(climb(2, 1), 1);
        assert_eq!(climb(1, 2), 2);
        assert_eq!(climb(1, 22), 3);
        assert_eq!(climb(1, 43), 1);
        assert_eq!(climb(2, 44), 1);
    }

    #[test]
    fn a_loop_that_goes_on_is_nudged_refused_and_stopped() {
        let mut escalation = Escalation::default();
        let mut said = Vec::new();
        for turn in 1..=9 {
            // The call is about to be repeated; if it is not refused, it brings the same.
            let before = Detection { before_call: true, is_repeat: false, ..detection(1, turn) };
            let action = tell(&mut escalation, &before);
            said.push(action);
            if action.is_none() {
                said.push(tell(&mut escalation, &detection(1, turn)));
            }
        }
        let spoken: Vec<Action> = said.into_iter().flatten().collect();
        use Action::{Block, Nudge, Stop};
        assert_eq!(spoken, [Nudge, Nudge, Block, Block, Stop]);
    }

    #[test]
    fn evidence_limits_the_action_and_nudges_come_further_apart() {
        let mut escalation = Escalation::default();
        let mut nudged = Vec::new();
        for turn in 1..=200 {
            for (before_call, is_repeat) in [(true, false), (false, true)] {
                let found = Detection {
                    before_call,
                    is_repeat,
                    count: turn + 2,
                    at_most: Action::Nudge,
                    ..detection(1, turn)
                };
                match tell(&mut escalation, &found) {
                    None => {}
                    Some(Action::Nudge) => nudged.push(turn),
                    Some(harder) => panic!("{harder:?}"),
                }
            }
        }
        assert_eq!(nudged, [1, 4, 10, 22, 46, 94, 190]);
    }

    #[test]
    fn nothing_is_refused_in_the_turn_of_the_first_nudge() {
        let mut escalation = Escalation::default();
        let mut actions = Vec::new();
        for _ in 0..50 {
            let found = Detection { before_call: true, cooldown: 0, ..detection(1, 5) };
            actions.extend(tell(&mut escalation, &found));
        }
        assert!(actions.iter().all(|action| *action == Action::Nudge), "{actions:?}");
        let next = Detection { before_call: true, ..detection(1, 6) };
        assert_eq!(tell(&mut escalation, &next), Some(Action::Block));
    }

    #[test]
    fn one_loop_is_brought_up_at_a_time() {
        let mut escalation = Escalation::default();
        let mut climb = |id, turn| tell(&mut escalation, &detection(id, turn));
        assert_eq!(climb(1, 10), Some(Action::Nudge));
        assert_eq!(climb(2, 12), None);
        assert_eq!(climb(2, 13), Some(Action::Nudge));
        assert_eq!(climb(3, 18), None);
        assert_eq!(climb(3, 19), Some(Action::Nudge));
    }

    #[test]
    fn memory_is_bounded() {
        let mut escalation = Escalation::default();
        for id in 0..10_000 {
            let found = Detection { memory: u64::MAX, ..detection(id, 0) };
            escalation.decide(Climb::Occurrence, LADDER, &found);
        }
        assert_eq!(escalation.loops.len(), MAX_LOOPS);
    }
}
