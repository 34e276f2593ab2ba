//! Escalation: the same loop again moves to the next rung, another loop starts at
//! the first. Knows nothing of how a loop is recognised.

use crate::config::{Climb, Rung};
use crate::history::{keep_only, push_bounded};
use crate::verdict::Action;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many loops are remembered. An agent that alternates between more loops
/// than this starts anew on each.
const MAX_LOOPS: usize = 16;

/// How many pieces of new information move a loop down by one rung.
const NEW_INFO_PER_RUNG: u64 = 3;

/// How many turns after a message about one loop no other is brought up: mostly
/// it is the same trouble, seen from another side.
const QUIET_TURNS: u64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct KnownLoop {
    loop_id: u64,
    /// How many times this loop has been detected.
    detections: u64,
    last_call: u64,
    /// The turn in which it reached its rung.
    reached_at: u64,
    /// How much new information there was until then.
    new_info: u64,
    /// The refusal of its next call was announced.
    is_announced: bool,
}

/// When and how a loop was found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DetectionContext {
    /// How many calls were made so far.
    pub call: u64,
    /// How many model turns these were, as far as the host tells them apart.
    pub turn: u64,
    /// How many times something new was learned or done.
    pub new_info: u64,
    /// A loop that was last found more calls ago than this is a new one.
    pub memory: u64,
    /// How many turns it stays on its rung.
    pub cooldown: u64,
    /// It is about a call that has not run yet.
    pub before_call: bool,
    /// It counts only where a refusal was announced.
    pub only_if_announced: bool,
}

/// How far a detection has escalated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rank {
    pub value: u64,
    /// It had this rank already, and the agent had no time to react yet.
    pub is_cooling_down: bool,
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
    /// Ranks a detection; None if nothing is to be said about it.
    pub fn rank(
        &mut self,
        climb: Climb,
        loop_id: u64,
        count: u64,
        now: DetectionContext,
    ) -> Option<Rank> {
        let value = match climb {
            Climb::Count => count,
            Climb::Feedback => self.feedbacks.saturating_add(1),
            Climb::Occurrence => return self.rank_by_occurrence(loop_id, now),
        };
        (!now.only_if_announced).then_some(Rank { value, is_cooling_down: false })
    }

    fn rank_by_occurrence(&mut self, loop_id: u64, now: DetectionContext) -> Option<Rank> {
        keep_only(&mut self.loops, |known| now.call.saturating_sub(known.last_call) <= now.memory);
        let at = self.loops.iter().position(|known| known.loop_id == loop_id);
        let mut known = at.and_then(|at| self.loops.get(at).copied()).unwrap_or(KnownLoop {
            loop_id,
            detections: 0,
            last_call: now.call,
            reached_at: 0,
            new_info: now.new_info,
            is_announced: false,
        });
        // An announced refusal is carried out once; then escalation goes on from there.
        let is_due = known.is_announced && now.before_call;
        if now.only_if_announced && !is_due {
            return None;
        }
        let is_quiet =
            self.last_message.is_some_and(|turn| now.turn.saturating_sub(turn) < QUIET_TURNS);
        if known.detections == 0 && now.cooldown > 0 && is_quiet {
            return None;
        }
        let is_early = now.turn.saturating_sub(known.reached_at) < now.cooldown;
        let is_cooling_down = known.detections > 0 && is_early && !is_due;
        known.last_call = now.call;
        if is_due {
            known.is_announced = false;
            known.reached_at = now.turn;
        } else if !is_cooling_down {
            let down = now.new_info.saturating_sub(known.new_info) / NEW_INFO_PER_RUNG;
            known.detections = known.detections.saturating_add(1).saturating_sub(down).max(1);
            known.reached_at = now.turn;
            known.new_info = now.new_info;
            known.is_announced = false;
        }
        if let Some(at) = at {
            self.loops.remove(at);
        }
        push_bounded(&mut self.loops, known, MAX_LOOPS);
        Some(Rank { value: known.detections, is_cooling_down })
    }

    /// Notes that a message about a loop goes out; others wait if it has a cooldown.
    pub fn note_message(&mut self, now: DetectionContext) {
        if now.cooldown > 0 {
            self.last_message = Some(now.turn);
        }
    }

    /// Notes that the refusal of the loop's next call was announced.
    pub fn announce(&mut self, loop_id: u64) {
        if let Some(known) = self.loops.iter_mut().find(|known| known.loop_id == loop_id) {
            known.is_announced = true;
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

    const RUNGS: &[Rung] = &[
        Rung { at: 3, action: Action::Nudge, level: Level::Notice },
        Rung { at: 6, action: Action::Block, level: Level::Critical },
    ];

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
        let mut climb = |id, call| {
            let now = DetectionContext { call, memory: 20, ..DetectionContext::default() };
            escalation.rank(Climb::Occurrence, id, 0, now).map_or(0, |rank| rank.value)
        };
        assert_eq!(climb(1, 0), 1);
        assert_eq!(climb(2, 1), 1);
        assert_eq!(climb(1, 2), 2);
        assert_eq!(climb(1, 22), 3);
        assert_eq!(climb(1, 43), 1);
        assert_eq!(climb(2, 44), 1);
    }

    #[test]
    fn a_loop_stays_on_its_rung_and_new_information_moves_it_down() {
        let mut escalation = Escalation::default();
        let mut climb = |call, new_info| {
            let now = DetectionContext {
                call,
                turn: call,
                new_info,
                memory: 40,
                cooldown: 2,
                ..DetectionContext::default()
            };
            let rank = escalation.rank(Climb::Occurrence, 1, 0, now);
            rank.map_or((0, false), |rank| (rank.value, rank.is_cooling_down))
        };
        assert_eq!(climb(10, 5), (1, false));
        assert_eq!(climb(11, 5), (1, true));
        assert_eq!(climb(12, 5), (2, false));
        assert_eq!(climb(14, 7), (3, false));
        assert_eq!(climb(16, 10), (3, false));
        assert_eq!(climb(18, 16), (2, false));
        assert_eq!(climb(20, 99), (1, false));
    }

    #[test]
    fn one_loop_is_brought_up_at_a_time() {
        let mut escalation = Escalation::default();
        let mut climb = |id, turn, cooldown| {
            let now = DetectionContext {
                call: turn,
                turn,
                memory: 40,
                cooldown,
                ..DetectionContext::default()
            };
            let rank = escalation.rank(Climb::Occurrence, id, 0, now)?;
            escalation.note_message(now);
            Some(rank.value)
        };
        assert_eq!(climb(1, 10, 1), Some(1));
        assert_eq!(climb(2, 11, 1), None);
        assert_eq!(climb(3, 11, 0), Some(1));
        assert_eq!(climb(1, 12, 1), Some(2));
        assert_eq!(climb(2, 14, 1), None);
        assert_eq!(climb(2, 15, 1), Some(1));
    }

    #[test]
    fn an_announced_refusal_is_carried_out_once() {
        let mut escalation = Escalation::default();
        let mut climb = |call, before_call, only_if_announced, announce: bool| {
            let now = DetectionContext {
                call,
                turn: call,
                memory: 40,
                before_call,
                only_if_announced,
                ..DetectionContext::default()
            };
            let rank = escalation.rank(Climb::Occurrence, 1, 0, now).map(|rank| rank.value);
            if announce {
                escalation.announce(1);
            }
            rank
        };
        assert_eq!(climb(1, false, false, false), Some(1));
        assert_eq!(climb(2, true, true, false), None);
        assert_eq!(climb(2, false, false, true), Some(2));
        assert_eq!(climb(3, true, true, false), Some(2));
        assert_eq!(climb(4, true, true, false), None);
        assert_eq!(climb(4, false, false, false), Some(3));
    }

    #[test]
    fn memory_is_bounded() {
        let mut escalation = Escalation::default();
        for id in 0..10_000 {
            let now = DetectionContext { memory: u64::MAX, ..DetectionContext::default() };
            let rank = escalation.rank(Climb::Occurrence, id, 0, now);
            assert_eq!(rank, Some(Rank { value: 1, is_cooling_down: false }));
        }
        assert_eq!(escalation.loops.len(), MAX_LOOPS);
    }
}
