//! The escalation: the same loop again puts it on the next rung, another loop
//! starts at the first. Knows nothing of how a loop is recognised.

use crate::config::{Climb, Rung};
use crate::snapshot::codec::{Reader, Writer};
use crate::vec_ext;
use crate::verdict::Action;
use alloc::vec::Vec;

/// How many loops are remembered. An agent that alternates between more loops
/// than this starts anew on each.
const REMEMBERED: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    loop_id: u64,
    times: u64,
    last_call: u64,
    /// When it came on its rung.
    climbed: u64,
    /// How much was new until then.
    news: u64,
    /// The refusal of its next call was announced.
    announced: bool,
}

/// So many news bring a loop down by one rung.
const EASING: u64 = 3;

/// For so many turns after one loop was spoken of, no other is brought up: they
/// mostly are the same trouble, seen from another side.
const QUIET: u64 = 3;

/// When a loop was found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DetectionContext {
    /// The number of calls so far.
    pub call: u64,
    /// The number of model turns so far, as far as the host tells them apart.
    pub round: u64,
    /// How often something new was learned or done.
    pub news: u64,
    /// A loop that was last found more calls ago than this is a new one.
    pub memory: u64,
    /// For so many turns it stays on its rung.
    pub rest: u64,
    /// It is about a call that has not run yet.
    pub before: bool,
    /// It counts only where a refusal was announced.
    pub announced_only: bool,
}

/// How high a detection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rank {
    pub value: u64,
    /// It stood there already, and there was no time yet to do anything about it.
    pub resting: bool,
}

/// Which loops were found before, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Escalation {
    known: Vec<Known>,
    feedbacks: u64,
    /// The turn in which a loop with a cooldown was last spoken of.
    spoken: Option<u64>,
}

impl Escalation {
    /// How high a detection stands.
    pub fn climb(
        &mut self,
        climb: Climb,
        loop_id: u64,
        seen: u64,
        now: DetectionContext,
    ) -> Option<Rank> {
        let value = match climb {
            Climb::Count => seen,
            Climb::Feedback => self.feedbacks.saturating_add(1),
            Climb::Occurrence => return self.occurrence(loop_id, now),
        };
        (!now.announced_only).then_some(Rank { value, resting: false })
    }

    fn occurrence(&mut self, loop_id: u64, now: DetectionContext) -> Option<Rank> {
        self.known.retain(|known| now.call.saturating_sub(known.last_call) <= now.memory);
        let at = self.known.iter().position(|known| known.loop_id == loop_id);
        let first = Known {
            loop_id,
            times: 0,
            last_call: now.call,
            climbed: 0,
            news: now.news,
            announced: false,
        };
        let mut known = at.and_then(|at| self.known.get(at).copied()).unwrap_or(first);
        // What was announced is done, and then the loop goes on from there.
        let due = known.announced && now.before;
        if now.announced_only && !due {
            return None;
        }
        let busy = self.spoken.is_some_and(|turn| now.round.saturating_sub(turn) < QUIET);
        if known.times == 0 && now.rest > 0 && busy {
            return None;
        }
        let early = now.round.saturating_sub(known.climbed) < now.rest;
        let resting = known.times > 0 && early && !due;
        known.last_call = now.call;
        if due {
            known.announced = false;
            known.climbed = now.round;
        } else if !resting {
            let eased = now.news.saturating_sub(known.news) / EASING;
            known.times = (known.times.saturating_add(1)).saturating_sub(eased).max(1);
            known.climbed = now.round;
            known.news = now.news;
            known.announced = false;
        }
        match at {
            Some(at) => vec_ext::remove(&mut self.known, at, 1),
            None => vec_ext::make_room(&mut self.known, REMEMBERED),
        }
        self.known.push(known);
        Some(Rank { value: known.times, resting })
    }

    /// The loop was spoken of, and others have to wait if it gives time to react.
    pub fn spoke(&mut self, now: DetectionContext) {
        if now.rest > 0 {
            self.spoken = Some(now.round);
        }
    }

    /// The refusal of the loop's next call was announced.
    pub fn announce(&mut self, loop_id: u64) {
        if let Some(known) = self.known.iter_mut().find(|known| known.loop_id == loop_id) {
            known.announced = true;
        }
    }

    /// The nudge was delivered.
    pub fn feedback(&mut self) {
        self.feedbacks = self.feedbacks.saturating_add(1);
    }

    /// Every loop starts at its first rung again.
    pub fn restart(&mut self) {
        self.known.clear();
        self.spoken = None;
    }

    pub fn save(&self, out: &mut Writer) {
        out.count(self.feedbacks);
        out.maybe(self.spoken);
        out.length(self.known.len());
        for known in &self.known {
            out.hash(known.loop_id);
            for number in [known.times, known.last_call, known.climbed, known.news] {
                out.count(number);
            }
            out.flag(known.announced);
        }
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut escalation =
            Self { feedbacks: from.count(), spoken: from.maybe(), known: Vec::new() };
        for _ in 0..from.length(REMEMBERED) {
            escalation.known.push(Known {
                loop_id: from.hash(),
                times: from.count(),
                last_call: from.count(),
                climbed: from.count(),
                news: from.count(),
                announced: from.flag(),
            });
        }
        Some(escalation)
    }
}

/// The highest rung that is reached; the first, when none is. A call is never
/// refused at the `first` value that is a detection: the refusal has to be
/// announced by a milder rung, if the escalation has one.
pub(crate) fn rung(rungs: &[Rung], value: u64, first: u64) -> Option<Rung> {
    let announced = |rung: &&Rung| rung.action != Action::Block || value > first;
    let reached = |rung: &&Rung| u64::from(rung.at) <= value;
    rungs.iter().rev().filter(announced).find(reached).or(rungs.first()).copied()
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
    fn each_loop_climbs_by_itself_and_is_forgotten_in_time() {
        let mut escalation = Escalation::default();
        let mut climb = |id, call| {
            let now = DetectionContext { call, memory: 20, ..DetectionContext::default() };
            escalation.climb(Climb::Occurrence, id, 0, now).map_or(0, |height| height.value)
        };
        assert_eq!(climb(1, 0), 1);
        assert_eq!(climb(2, 1), 1);
        assert_eq!(climb(1, 2), 2);
        assert_eq!(climb(1, 22), 3);
        assert_eq!(climb(1, 43), 1);
        assert_eq!(climb(2, 44), 1);
    }

    #[test]
    fn a_loop_rests_on_its_rung_and_news_brings_it_down() {
        let mut escalation = Escalation::default();
        let mut climb = |call, news| {
            let now = DetectionContext {
                call,
                round: call,
                news,
                memory: 40,
                rest: 2,
                ..DetectionContext::default()
            };
            let height = escalation.climb(Climb::Occurrence, 1, 0, now);
            height.map_or((0, false), |height| (height.value, height.resting))
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
    fn one_loop_is_spoken_of_at_a_time() {
        let mut escalation = Escalation::default();
        let mut climb = |id, round, rest| {
            let now = DetectionContext {
                call: round,
                round,
                memory: 40,
                rest,
                ..DetectionContext::default()
            };
            let height = escalation.climb(Climb::Occurrence, id, 0, now)?;
            escalation.spoke(now);
            Some(height.value)
        };
        assert_eq!(climb(1, 10, 1), Some(1));
        assert_eq!(climb(2, 11, 1), None);
        assert_eq!(climb(3, 11, 0), Some(1));
        assert_eq!(climb(1, 12, 1), Some(2));
        assert_eq!(climb(2, 14, 1), None);
        assert_eq!(climb(2, 15, 1), Some(1));
    }

    #[test]
    fn what_was_announced_is_done_once() {
        let mut escalation = Escalation::default();
        let mut climb = |call, before, announced_only, announce: bool| {
            let now = DetectionContext {
                call,
                round: call,
                memory: 40,
                before,
                announced_only,
                ..DetectionContext::default()
            };
            let height = escalation.climb(Climb::Occurrence, 1, 0, now).map(|height| height.value);
            if announce {
                escalation.announce(1);
            }
            height
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
            let height = escalation.climb(Climb::Occurrence, id, 0, now);
            assert_eq!(height, Some(Rank { value: 1, resting: false }));
        }
        assert_eq!(escalation.known.len(), REMEMBERED);
    }
}
