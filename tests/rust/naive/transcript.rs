//! What happened, event by event; and, worked out from the start each time,
//! which results belong to which calls and which of them count.

use super::outcomes::Outcome;
use super::outputs::OUTPUTS;
use super::tools::{CALLS, Call};
use loophound::Action;

/// How a result says which call it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    Id(String),
    Name(&'static str),
    Oldest,
}

#[derive(Debug, Clone)]
pub enum Event {
    Call {
        call: usize,
        id: Option<String>,
        /// Parallel calls share a number.
        turn: Option<usize>,
        /// What was answered: a call that was blocked or stopped did not run.
        answer: Action,
    },
    Result {
        about: About,
        output: usize,
    },
    UserMessage,
    Feedback,
}

/// What is known after some events.
#[derive(Default)]
pub struct Known {
    /// Everything that counts.
    pub outcomes: Vec<Outcome>,
    /// What came before one of these places was forgotten there: a person spoke, a
    /// nudge was delivered, or the first result made the calls before it no evidence.
    forgotten: usize,
    /// The call that was refused last, if that was after the newest outcome.
    refused: Option<u64>,
    /// The host has reported a result.
    pub has_results: bool,
    /// How many calls there were.
    pub calls: u64,
    /// How many turns these were: parallel calls are one.
    pub turns: u64,
    /// The last event, if it is one that patterns look at.
    pub now: Option<Now>,
}

/// What the last event was.
pub enum Now {
    Call {
        index: u64,
        call: &'static Call,
    },
    /// It is the last of the outcomes.
    Outcome,
}

impl Known {
    /// What was not forgotten.
    pub fn recent(&self) -> &[Outcome] {
        &self.outcomes[self.forgotten..]
    }

    /// Whether the call before this one was the same: the last that ran, and the
    /// last that was refused since.
    pub fn is_newest(&self, call: &Call) -> bool {
        let ran = self.recent().last().is_some_and(|last| last.call.same_as == call.same_as);
        ran && self.refused.is_none_or(|refused| refused == call.same_as)
    }

    fn forget(&mut self) {
        self.forgotten = self.outcomes.len();
        self.refused = None;
    }

    fn add(&mut self, mut outcome: Outcome, window: usize) {
        outcome.in_a_row = self.is_newest(outcome.call);
        outcome.stale = self.recent().iter().rev().take(window).any(|old| old.equals(&outcome));
        self.outcomes.push(outcome);
        self.refused = None;
        self.now = Some(Now::Outcome);
    }
}

struct Waiting<'e> {
    index: u64,
    call: &'static Call,
    id: &'e Option<String>,
    counts: bool,
}

/// Whether a call before this one belongs to its turn, and is such a call.
fn in_turn(events: &[Event], at: usize, such: impl Fn(&Call) -> bool) -> bool {
    let Event::Call { turn: Some(now), .. } = &events[at] else { return false };
    events[..at].iter().any(|event| match event {
        Event::Call { call, turn, .. } => *turn == Some(*now) && such(&CALLS[*call]),
        _ => false,
    })
}

/// Starts over, and goes through all events.
pub fn replay(events: &[Event], window: usize) -> Known {
    let mut known = Known::default();
    let mut waiting: Vec<Waiting> = vec![];
    for (at, event) in events.iter().enumerate() {
        known.now = None;
        match event {
            Event::Call { call, id, answer, .. } => {
                let call = &CALLS[*call];
                let index = known.calls;
                let echo = in_turn(events, at, |other| other.same_as == call.same_as);
                known.calls += 1;
                known.turns += u64::from(!in_turn(events, at, |_| true));
                let counts = !call.exempt && !echo;
                if counts && !known.has_results {
                    known.add(Outcome::new(index, call, None, at), window);
                } else if counts {
                    known.now = Some(Now::Call { index, call });
                }
                let refused = *answer >= Action::Block;
                if refused {
                    known.refused = Some(call.same_as);
                }
                // Where the run was stopped, nobody answers.
                if *answer != Action::Stop {
                    waiting.push(Waiting { index, call, id, counts: counts && !refused });
                }
            }
            Event::Result { about, output } => {
                let found = waiting.iter().position(|call| match about {
                    About::Id(id) => call.id.as_ref() == Some(id),
                    About::Name(name) => call.call.name == *name,
                    About::Oldest => true,
                });
                let Some(found) = found else { continue };
                let Waiting { index, call, counts, .. } = waiting.remove(found);
                if !counts {
                    continue;
                }
                if !known.has_results {
                    known.has_results = true;
                    known.forget();
                }
                known.add(Outcome::new(index, call, Some(&OUTPUTS[*output]), at), window);
            }
            Event::UserMessage | Event::Feedback => known.forget(),
        }
    }
    known
}
