//! What happened, event by event; recomputes from the start each time which results belong
//! to which calls, and which of them count.

use super::outcomes::{Outcome, last_of, looked_back_at, remembered};
use super::outputs::{Evidence, OUTPUTS};
use super::tools::{CALLS, Call};
use loophound::{Action, Config};

/// A call made again after this many others is not a repeat.
const SHORT_TERM: usize = 40;

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
        /// Calls that the host reports as one batch share a number.
        batch: Option<usize>,
        at: Option<u64>,
        /// The verdict: a call that was blocked or stopped did not run.
        answer: Action,
    },
    Result {
        about: About,
        output: usize,
        at: Option<u64>,
    },
    UserMessage,
    Feedback,
    Compacted,
}

/// What is known after some events.
#[derive(Default)]
pub struct Known {
    /// Everything that counts.
    pub outcomes: Vec<Outcome>,
    /// Everything before this place was forgotten: a person wrote, a nudge was delivered,
    /// or the first result came, after which calls alone are not evidence.
    forgotten: usize,
    /// The event at which patterns started over, and the last compaction since.
    pub restarted: usize,
    pub compacted: Option<usize>,
    /// A call was refused after the newest outcome.
    refused: Option<&'static Call>,
    /// The host has reported a result.
    pub has_results: bool,
    /// How many calls there were.
    pub calls: u64,
    /// How many turns these calls took: parallel calls are one.
    pub turns: u64,
    /// The calls that are remembered by name, by number.
    logged: Vec<u64>,
    /// The last event, if it is one that patterns look at.
    pub now: Option<Now>,
}

/// What the last event was.
pub enum Now {
    Call {
        index: u64,
        call: &'static Call,
        at: Option<u64>,
        /// How many equal calls its turn has so far.
        equal_in_turn: u32,
    },
    /// It is the last of the outcomes.
    Outcome,
}

impl Known {
    /// Returns what was not forgotten since a restart; compaction marks what it forgets.
    pub fn recent(&self) -> &[Outcome] {
        &self.outcomes[self.forgotten..]
    }

    /// Returns where the recent outcomes after the last compaction begin.
    pub fn since_compaction(&self) -> usize {
        let came_before = |one: &Outcome| self.compacted.is_some_and(|event| one.event < event);
        self.recent().iter().filter(|one| came_before(one)).count()
    }

    /// Returns whether the previous call was the same: the last that ran, and the last
    /// refused since.
    pub fn is_newest(&self, call: &Call) -> bool {
        let newest = self.recent().last();
        newest.is_some_and(|last| last.call.is_same(call) && last.forgotten.is_none())
            && self.refused.is_none_or(|refused| refused.is_same(call))
    }

    /// Returns whether a call is still remembered by its name and arguments.
    pub fn is_logged(&self, index: u64, config: &Config) -> bool {
        let kept = config.window.max(config.max_period) as usize + 1;
        self.logged.iter().rev().take(kept).any(|logged| *logged == index)
    }

    fn forget(&mut self) {
        self.forgotten = self.outcomes.len();
        self.refused = None;
    }

    fn restart(&mut self, event: usize) {
        self.forget();
        self.logged.clear();
        self.restarted = event;
        self.compacted = None;
    }

    /// Forgets successes, and what was too long ago before.
    fn compact(&mut self, event: usize, window: usize) {
        let recent = self.recent();
        let kept: Vec<usize> = remembered(recent, recent.len(), window)
            .filter(|one| recent[*one].failed())
            .map(|one| one + self.forgotten)
            .collect();
        for at in self.forgotten..self.outcomes.len() {
            if !kept.contains(&at) {
                self.outcomes[at].forgotten.get_or_insert(event);
            }
        }
        self.compacted = Some(event);
    }

    fn add(&mut self, mut outcome: Outcome, window: usize) {
        outcome.in_a_row = self.is_newest(outcome.call);
        let recent = self.recent();
        outcome.known = remembered(recent, recent.len(), window)
            .take(SHORT_TERM)
            .any(|old| recent[old].is_same(&outcome));
        self.outcomes.push(outcome);
        self.refused = None;
    }
}

struct Waiting<'e> {
    index: u64,
    call: &'static Call,
    turn: u64,
    at: Option<u64>,
    id: &'e Option<String>,
    counts: bool,
    refused: bool,
}

/// Replays all events from the start.
pub fn replay(events: &[Event], config: &Config) -> Known {
    let window = looked_back_at(config);
    let mut known = Known::default();
    let mut waiting: Vec<Waiting> = vec![];
    let mut turn: Vec<&Call> = vec![];
    let mut last_batch = None;
    let mut refused_in_batch: Vec<&Call> = vec![];
    for (event, happened) in events.iter().enumerate() {
        known.now = None;
        match happened {
            Event::Call { call, id, batch, at, answer } => {
                let call = &CALLS[*call];
                let index = known.calls;
                // If results are reported, a call belongs to the same turn while the
                // previous call has no result; after a refused call, if it is a new one.
                let is_new = !turn.iter().any(|one| one.is_same(call));
                let is_unanswered = waiting
                    .last()
                    .is_some_and(|last| last.index + 1 == index && (!last.refused || is_new));
                let goes_on = match batch {
                    Some(_) => *batch == last_batch,
                    None => known.has_results && is_unanswered,
                };
                if !goes_on {
                    known.turns += 1;
                    turn.clear();
                }
                if batch.is_none() || *batch != last_batch {
                    refused_in_batch.clear();
                }
                last_batch = *batch;
                turn.push(call);
                let equal_in_turn = turn.iter().filter(|one| one.is_same(call)).count() as u32;
                known.calls += 1;
                let counts = !call.exempt && equal_in_turn == 1;
                if !call.exempt {
                    known.logged.push(index);
                    known.now = Some(Now::Call { index, call, at: *at, equal_in_turn });
                }
                if counts && !known.has_results {
                    let outcome = Outcome {
                        index,
                        call,
                        output: None,
                        evidence: Evidence::NoResults,
                        event,
                        turn: known.turns,
                        called_at: *at,
                        at: *at,
                        in_a_row: false,
                        known: false,
                        is_repeat: false,
                        forgotten: None,
                    };
                    known.add(outcome, window);
                }
                // A call equal to a refused one of the same batch is refused as well.
                let equals_refused = refused_in_batch.iter().any(|one| one.is_same(call));
                let refused = *answer >= Action::Block || equals_refused;
                if *answer >= Action::Block {
                    known.refused = Some(call);
                }
                if refused && batch.is_some() {
                    refused_in_batch.push(call);
                }
                // If the run was stopped, no result comes.
                if *answer != Action::Stop {
                    let turn = known.turns;
                    waiting.push(Waiting { index, call, turn, at: *at, id, counts, refused });
                }
            }
            Event::Result { about, output, at } => {
                let found = waiting.iter().position(|call| match about {
                    About::Id(id) => call.id.as_ref() == Some(id),
                    About::Name(name) => call.call.name == *name,
                    About::Oldest => true,
                });
                let Some(found) = found else { continue };
                let answered = waiting.remove(found);
                let Waiting { index, call, turn, .. } = answered;
                let output = &OUTPUTS[*output];
                let recent = known.recent();
                let is_repeat = last_of(recent, recent.len(), call, window).is_some();
                let words_known = is_repeat && known.is_logged(index, config);
                let evidence = output.evidence(call, is_repeat, words_known);
                if answered.counts && !answered.refused && !known.has_results {
                    known.has_results = true;
                    known.forget();
                }
                // A refusal or a result made by the host is not evidence.
                if !answered.counts || answered.refused || evidence == Evidence::HostMade {
                    continue;
                }
                let outcome = Outcome {
                    index,
                    call,
                    output: Some(output),
                    evidence,
                    event,
                    turn,
                    called_at: answered.at,
                    at: at.or(answered.at),
                    in_a_row: false,
                    known: false,
                    is_repeat,
                    forgotten: None,
                };
                known.add(outcome, window);
                known.now = Some(Now::Outcome);
            }
            Event::UserMessage | Event::Feedback => known.restart(event),
            Event::Compacted => known.compact(event, window),
        }
    }
    known
}
