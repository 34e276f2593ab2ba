//! What happened, event by event; and, worked out from the start each time,
//! which results belong to which calls and which of them count.

use super::alphabet::{CALLS, Call, OUTPUTS, Output, Worth};

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
        /// It was answered with a block or a stop.
        refused: bool,
    },
    Result {
        about: About,
        output: usize,
    },
    UserMessage,
    Feedback,
}

/// A call, and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Exchange {
    /// The call's number.
    pub index: u64,
    pub call: &'static Call,
    /// Nothing, where the host never reports results.
    pub output: Option<&'static Output>,
    /// Which event brought it.
    pub event: usize,
}

impl Exchange {
    pub fn worth(&self) -> Worth {
        self.output.map_or(Worth::Unheard, |output| output.worth(self.call))
    }

    pub fn failed(&self) -> bool {
        self.output.is_some_and(Output::failed)
    }

    pub fn reply(&self) -> (Option<u64>, bool) {
        self.output.map_or((None, false), Output::reply)
    }

    /// A change was made, as far as one can tell.
    pub fn made_a_change(&self) -> bool {
        self.call.deed == super::alphabet::Deed::Change && self.worth() == Worth::Acknowledgement
    }
}

/// What is known after some events.
#[derive(Default)]
pub struct Known {
    /// Everything that counts.
    pub exchanges: Vec<Exchange>,
    /// What came before one of these places was forgotten there: a person spoke, a
    /// nudge was delivered, or the first result made the calls before it no evidence.
    pub forgotten: Vec<usize>,
    /// The host has reported a result.
    pub heard: bool,
    /// How many calls there were.
    pub calls: u64,
    /// The last event, if it is one that patterns look at.
    pub now: Option<Now>,
}

/// What the last event was.
pub enum Now {
    Call {
        index: u64,
        call: &'static Call,
    },
    /// It is the last of the exchanges.
    Exchange,
}

impl Known {
    /// What was not forgotten.
    pub fn recent(&self) -> &[Exchange] {
        &self.exchanges[self.forgotten.last().copied().unwrap_or(0)..]
    }
}

struct Waiting<'e> {
    index: u64,
    call: &'static Call,
    id: &'e Option<String>,
    counts: bool,
}

/// The same call stands earlier in its turn.
fn is_echo(events: &[Event], at: usize) -> bool {
    let Event::Call { call: this, turn: Some(now), .. } = &events[at] else { return false };
    events[..at].iter().any(|event| match event {
        Event::Call { call, turn, .. } => {
            *turn == Some(*now) && CALLS[*call].same_as == CALLS[*this].same_as
        }
        _ => false,
    })
}

/// Starts over, and goes through all events.
pub fn replay(events: &[Event]) -> Known {
    let mut known = Known::default();
    let mut waiting: Vec<Waiting> = vec![];
    for (at, event) in events.iter().enumerate() {
        known.now = None;
        match event {
            Event::Call { call, id, refused, .. } => {
                let call = &CALLS[*call];
                let index = known.calls;
                known.calls += 1;
                let looked_at = !call.exempt && !is_echo(events, at);
                waiting.push(Waiting { index, call, id, counts: looked_at && !refused });
                if looked_at && !known.heard {
                    known.exchanges.push(Exchange { index, call, output: None, event: at });
                    known.now = Some(Now::Exchange);
                } else if looked_at {
                    known.now = Some(Now::Call { index, call });
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
                if !known.heard {
                    known.heard = true;
                    known.forgotten.push(known.exchanges.len());
                }
                let output = Some(&OUTPUTS[*output]);
                known.exchanges.push(Exchange { index, call, output, event: at });
                known.now = Some(Now::Exchange);
            }
            Event::UserMessage | Event::Feedback => {
                known.forgotten.push(known.exchanges.len());
            }
        }
    }
    known
}
