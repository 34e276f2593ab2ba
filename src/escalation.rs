//! Escalates: detecting the same loop again moves to the next rung; another loop starts at
//! the first. How a loop is recognised does not matter here; the kind of evidence limits
//! how far it may escalate.

use crate::config::{Climb, Rung};
use crate::history::{keep_only, push_bounded, take_first};
use crate::verdict::Action;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many loops are remembered. For an agent that alternates between more loops than
/// this, each starts at the first rung again.
const MAX_LOOPS: usize = 16;

/// For how many turns after a message about one loop no other loop is reported: it is
/// usually the same loop, detected in another way. Multiplied by the number of loops
/// already reported.
const QUIET_TURNS: u64 = 3;

/// A loop counts as over once something new was learned or done this many times.
const NEW_INFO_TO_FORGET: u64 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct KnownLoop {
    loop_id: u64,
    /// How many times this loop has been detected.
    detections: u64,
    last_call: u64,
    /// The turns in which it was last detected and last counted.
    seen_at: u64,
    counted_at: u64,
    /// The value of [`Detection::new_info`] when it was last detected.
    new_info: u64,
    /// The most severe action that its evidence allows.
    at_most: Action,
    /// The number of detections at which the next nudge is due or, if only nudges are
    /// allowed, the number of repeats.
    next_nudge: u64,
    next_count: u64,
    /// The turns of the first nudge about it and of the first refusal.
    nudged_at: Option<u64>,
    refused_at: Option<u64>,
    /// How many of its calls were refused.
    refusals: u64,
}

/// A detected loop, and when it was detected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detection {
    pub loop_id: u64,
    /// How many times the repeated call, cycle or text was seen.
    pub count: u64,
    /// How many calls were made so far.
    pub call: u64,
    /// How many model turns these calls took, as far as the host tells turns apart.
    pub turn: u64,
    /// How many times something new was learned or done.
    pub new_info: u64,
    /// A loop last detected more calls ago than this counts as a new one.
    pub memory: u64,
    /// A loop is counted at most once in this many turns.
    pub cooldown: u64,
    /// The newest call has not run yet, so it can still be refused.
    pub before_call: bool,
    /// This is one more repeat, not just a call that may become one.
    pub is_repeat: bool,
    /// How many rungs higher than other signals of its kind it starts.
    pub rank_bonus: u64,
    /// The lowest value that is a detection.
    pub first: u64,
    /// The most severe action that its evidence allows.
    pub at_most: Action,
}

/// The loops detected so far, and how many times each.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Escalation {
    /// Least recently detected first.
    loops: VecDeque<KnownLoop>,
    /// How many nudges the host has delivered.
    delivered_nudges: u64,
    /// The turn of the last message about a loop with a cooldown.
    last_message: Option<u64>,
}

impl Escalation {
    /// Decides what is done about a detection; `None` if it is not reported.
    pub fn decide(&mut self, climb: Climb, rungs: &[Rung], found: &Detection) -> Option<Rung> {
        let value = match climb {
            Climb::Count => found.count,
            Climb::Feedback => self.delivered_nudges.saturating_add(1),
            Climb::Occurrence => self.count(found).detections,
            Climb::Evidence => return self.decide_by_evidence(rungs, found),
        };
        rung(rungs, value.saturating_add(found.rank_bonus), found.first)
    }

    /// Counts the detection, unless the loop was already counted within the cooldown.
    fn count(&mut self, found: &Detection) -> KnownLoop {
        self.forget_old(found);
        let known = take_first(&mut self.loops, |known| known.loop_id == found.loop_id);
        let mut known = known.unwrap_or(KnownLoop {
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
        // Once calls of this loop are refused, a call that has yet to run is not a repeat.
        let is_refused = found.before_call && known.refusals > 0;
        if found.is_repeat && !is_refused && (known.detections == 0 || !is_early) {
            known.detections = known.detections.saturating_add(1);
            known.counted_at = found.turn;
        }
        push_bounded(&mut self.loops, known, MAX_LOOPS);
        known
    }

    /// Forgets loops that are over: not detected for a long time, or followed by much new
    /// information. An occasional new call does not end a loop.
    fn forget_old(&mut self, found: &Detection) {
        keep_only(&mut self.loops, |known| {
            found.call.saturating_sub(known.last_call) <= found.memory
                && found.new_info.saturating_sub(known.new_info) < NEW_INFO_TO_FORGET
        });
    }

    /// Decides by the kind of evidence. A refusal requires a nudge about the same loop in
    /// an earlier turn, and a stop requires a refusal. Nudges come further and further
    /// apart.
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

    /// Returns whether a new loop is kept back because another one was reported recently,
    /// or was reported and is still going on. The latter does not count if the new loop
    /// allows a refusal and the other one does not.
    fn is_quiet(&self, found: &Detection) -> bool {
        let reported = || self.loops.iter().filter(|known| known.nudged_at.is_some());
        let goes_on = |known: &KnownLoop| {
            let is_harder = found.at_most > Action::Nudge && known.at_most == Action::Nudge;
            found.turn.saturating_sub(known.seen_at) < QUIET_TURNS && !is_harder
        };
        let wait = QUIET_TURNS.saturating_mul(reported().count() as u64);
        reported().any(goes_on)
            || self.last_message.is_some_and(|last| found.turn.saturating_sub(last) < wait)
    }

    /// Records what the host is told about a loop.
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

    /// Records that the host delivered a nudge.
    pub fn feedback(&mut self) {
        self.delivered_nudges = self.delivered_nudges.saturating_add(1);
    }

    /// Forgets all loops: each starts at its first rung again.
    pub fn reset(&mut self) {
        self.loops.clear();
        self.last_message = None;
    }

    pub fn is_valid(&self) -> bool {
        self.loops.len() <= MAX_LOOPS
    }
}

/// Finds the highest rung that is reached, or the first if none is. A call is never refused
/// at the `first` value that is a detection: if there is a weaker rung, it must warn of the
/// refusal first.
pub(crate) fn rung(rungs: &[Rung], value: u64, first: u64) -> Option<Rung> {
    let is_allowed = |rung: &&Rung| rung.action != Action::Block || value > first;
    let is_reached = |rung: &&Rung| u64::from(rung.at) <= value;
    rungs.iter().rev().filter(is_allowed).find(is_reached).or(rungs.first()).copied()
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

    const BY_EVIDENCE: &[Rung] = &[
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

    /// Decides about a detection, and records the verdict.
    fn report(escalation: &mut Escalation, found: &Detection) -> Option<Action> {
        let action = escalation.decide(Climb::Evidence, BY_EVIDENCE, found)?.action;
        escalation.note_verdict(found.loop_id, action, found.count, found.turn);
        Some(action)
    }

    #[test]
    fn the_highest_reached_rung_applies() {
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
            // The call is about to be repeated; if it is not refused, it returns the same.
            let before = Detection { before_call: true, is_repeat: false, ..detection(1, turn) };
            let action = report(&mut escalation, &before);
            said.push(action);
            if action.is_none() {
                said.push(report(&mut escalation, &detection(1, turn)));
            }
        }
        let reported: Vec<Action> = said.into_iter().flatten().collect();
        use Action::{Block, Nudge, Stop};
        assert_eq!(reported, [Nudge, Nudge, Block, Block, Stop]);
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
                match report(&mut escalation, &found) {
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
            actions.extend(report(&mut escalation, &found));
        }
        assert!(actions.iter().all(|action| *action == Action::Nudge), "{actions:?}");
        let next = Detection { before_call: true, ..detection(1, 6) };
        assert_eq!(report(&mut escalation, &next), Some(Action::Block));
    }

    #[test]
    fn one_loop_is_reported_at_a_time() {
        let mut escalation = Escalation::default();
        let mut climb = |id, turn| report(&mut escalation, &detection(id, turn));
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
            escalation.decide(Climb::Occurrence, BY_EVIDENCE, &found);
        }
        assert_eq!(escalation.loops.len(), MAX_LOOPS);
    }
}
