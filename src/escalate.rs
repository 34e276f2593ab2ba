//! The ladder: the same loop again puts it on the next rung, another loop
//! starts at the first. Knows nothing of how a loop is recognised.

use crate::codec::{Reader, Writer};
use crate::verdict::{Action, Level, named};
use alloc::vec::Vec;

named! {
    /// What decides how high a detection stands.
    Climb {
        /// How often the repeated thing was seen.
        Count = "count",
        /// The how-manieth detection of this same loop it is.
        Occurrence = "occurrence",
        /// How often the host has delivered a nudge, plus one.
        Feedback = "feedback",
    }
}

/// From which climb value on a detection means what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// The climb value.
    pub at: u32,
    /// What the host should do.
    pub action: Action,
    /// How serious it is.
    pub level: Level,
}

/// How many loops are remembered. An agent that alternates between more loops
/// than this starts anew on each.
const REMEMBERED: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    loop_id: u64,
    times: u64,
    last_call: u64,
}

/// Which loops were found before, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ladder {
    known: Vec<Known>,
    feedbacks: u64,
}

impl Ladder {
    /// The climb value of a detection at call number `now`. A loop that was last
    /// found more than `memory` calls ago is a new one.
    pub fn climb(&mut self, climb: Climb, loop_id: u64, seen: u64, now: u64, memory: u64) -> u64 {
        match climb {
            Climb::Count => seen,
            Climb::Feedback => self.feedbacks.saturating_add(1),
            Climb::Occurrence => self.occurrence(loop_id, now, memory),
        }
    }

    fn occurrence(&mut self, loop_id: u64, now: u64, memory: u64) -> u64 {
        self.known.retain(|known| now.saturating_sub(known.last_call) <= memory);
        let at = self.known.iter().position(|known| known.loop_id == loop_id);
        let times = match at {
            Some(at) => self.known.remove(at).times.saturating_add(1),
            None => 1,
        };
        if self.known.len() >= REMEMBERED {
            self.known.remove(0);
        }
        self.known.push(Known { loop_id, times, last_call: now });
        times
    }

    /// The nudge was delivered.
    pub fn feedback(&mut self) {
        self.feedbacks = self.feedbacks.saturating_add(1);
    }

    /// Every loop starts at its first rung again.
    pub fn restart(&mut self) {
        self.known.clear();
    }

    pub fn save(&self, out: &mut Writer) {
        out.count(self.feedbacks);
        out.length(self.known.len());
        for known in &self.known {
            out.hash(known.loop_id);
            out.count(known.times);
            out.count(known.last_call);
        }
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut ladder = Self { feedbacks: from.count()?, known: Vec::new() };
        for _ in 0..from.length(REMEMBERED)? {
            let known =
                Known { loop_id: from.hash()?, times: from.count()?, last_call: from.count()? };
            ladder.known.push(known);
        }
        Some(ladder)
    }
}

/// The highest rung that is reached; the first, when none is. A call is never
/// refused at the `first` value that is a detection: the refusal has to be
/// announced by a milder rung, if the ladder has one.
pub(crate) fn rung(rungs: &[Rung], value: u64, first: u64) -> Option<Rung> {
    let announced = |rung: &&Rung| rung.action != Action::Block || value > first;
    let reached = |rung: &&Rung| u64::from(rung.at) <= value;
    rungs.iter().rev().filter(announced).find(reached).or(rungs.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn each_loop_climbs_by_itself_and_is_forgotten_in_time() {
        let mut ladder = Ladder::default();
        let mut climb = |id, now| ladder.climb(Climb::Occurrence, id, 0, now, 20);
        assert_eq!(climb(1, 0), 1);
        assert_eq!(climb(2, 1), 1);
        assert_eq!(climb(1, 2), 2);
        assert_eq!(climb(1, 22), 3);
        assert_eq!(climb(1, 43), 1);
        assert_eq!(climb(2, 44), 1);
    }

    #[test]
    fn memory_is_bounded() {
        let mut ladder = Ladder::default();
        for id in 0..10_000 {
            assert_eq!(ladder.climb(Climb::Occurrence, id, 0, 0, u64::MAX), 1);
        }
        assert_eq!(ladder.known.len(), REMEMBERED);
    }
}
