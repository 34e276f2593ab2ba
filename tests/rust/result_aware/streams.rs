//! Random streams of events, and a detector and its twin taken through them side
//! by side.

use crate::naive::Found;
use crate::naive::outputs::OUTPUTS;
use crate::naive::tools::CALLS;
use crate::naive::transcript::{About, Event};
use crate::naive::twin::{Said, Twin, settings};
use loophound::{
    Action, Call, Config, LoopDetector, LoopKind, Patience, Preset, ToolResult, Verdict,
};
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::test_runner::{TestCaseResult, TestRunner};
use std::cell::Cell;

/// One thing that an agent or its host does.
#[derive(Debug, Clone)]
pub enum Act {
    /// A call, and its result right away.
    Outcome {
        call: usize,
        output: usize,
    },
    Call {
        call: usize,
        with_id: bool,
    },
    Batch(Vec<usize>),
    Answer {
        to: To,
        output: usize,
    },
    UserMessage,
    Feedback,
}

/// Which call a result says it belongs to; there may be none.
#[derive(Debug, Clone)]
pub enum To {
    Id(u64),
    NameOf(usize),
    Oldest,
}

/// Ids come again, as some hosts count them anew in every turn.
fn id(number: u64) -> String {
    format!("c{}", number % 7)
}

/// Streams of a few of these calls and outputs.
pub fn acts(calls: &[usize], outputs: &[usize], length: usize) -> BoxedStrategy<Vec<Act>> {
    let calls = subsequence(calls.to_vec(), 1..=calls.len().min(4));
    let outputs = subsequence(outputs.to_vec(), 1..=outputs.len().min(3));
    (calls, outputs)
        .prop_flat_map(move |(calls, outputs)| {
            let call = prop::sample::select(calls);
            let output = prop::sample::select(outputs);
            let to = prop_oneof![
                (0u64..7).prop_map(To::Id),
                call.clone().prop_map(To::NameOf),
                Just(To::Oldest),
            ];
            let act = prop_oneof![
                40 => (call.clone(), output.clone()).prop_map(|(call, output)| Act::Outcome { call, output }),
                4 => (call.clone(), any::<bool>()).prop_map(|(call, with_id)| Act::Call { call, with_id }),
                4 => proptest::collection::vec(call, 1..5).prop_map(Act::Batch),
                12 => (to, output).prop_map(|(to, output)| Act::Answer { to, output }),
                1 => Just(Act::UserMessage),
                1 => Just(Act::Feedback),
            ];
            proptest::collection::vec(act, 0..length)
        })
        .boxed()
}

pub fn all_calls() -> Vec<usize> {
    (0..CALLS.len()).collect()
}

pub fn all_outputs() -> Vec<usize> {
    (0..OUTPUTS.len()).collect()
}

/// Little patience, so that nothing takes long to come up.
pub fn patience() -> impl Strategy<Value = Patience> {
    proptest::collection::vec(2u32..6, 7).prop_map(|numbers| {
        let mut patience = Preset::Balanced.config().patience;
        patience.unsure = numbers[0];
        patience.poll = numbers[1];
        patience.infrastructure = numbers[2];
        patience.after_changes = numbers[3];
        patience.complaints = numbers[4];
        patience.same_edit = numbers[5];
        patience.stale = numbers[6];
        patience
    })
}

/// The `balanced` configuration with these values.
pub fn config(patience: &Patience, window: u32, max_period: u32, threshold: u32) -> Config {
    let mut config = Preset::Balanced.config();
    config.tools = settings();
    config.patience = patience.clone();
    config.window = window;
    config.max_period = max_period.min(window / 2);
    for rule in &mut config.rules {
        if rule.kind != LoopKind::IterationCap && rule.kind != LoopKind::Summary {
            rule.threshold = threshold;
        }
    }
    config
}

pub fn found(verdict: &Verdict) -> Option<Found> {
    said(verdict).map(|said| said.found)
}

pub fn said(verdict: &Verdict) -> Option<Said> {
    let Verdict { action, level, count, period, since, wasted, .. } = *verdict;
    let found = Found { count, period, since, wasted };
    verdict.kind.map(|kind| Said { action, level, kind, found })
}

/// A detector and its twin, and what they said after each event.
pub struct Pair {
    pub detector: LoopDetector,
    pub twin: Twin,
    calls: u64,
    turns: usize,
}

impl Pair {
    pub fn new(config: &Config) -> Self {
        let detector = LoopDetector::new(config.clone()).expect("a valid configuration");
        Self { detector, twin: Twin::new(config.clone()), calls: 0, turns: 0 }
    }

    /// Does what the act says, and shows what both answer to each event.
    pub fn perform(
        &mut self,
        act: &Act,
        answers: &mut dyn FnMut(&Self, Option<Said>) -> TestCaseResult,
    ) -> TestCaseResult {
        match act {
            Act::Outcome { call, output } => {
                let number = self.calls;
                let said = self.call(*call, true, None);
                answers(self, said)?;
                let said = self.result(About::Id(id(number)), *output);
                answers(self, said)
            }
            Act::Call { call, with_id } => {
                let said = self.call(*call, *with_id, None);
                answers(self, said)
            }
            Act::Batch(calls) => {
                self.turns += 1;
                self.detector.begin_batch();
                let mut hardest: Option<Said> = None;
                for (position, call) in calls.iter().enumerate() {
                    if let Some(said) = self.call(*call, position % 2 == 0, Some(self.turns)) {
                        let harder =
                            |than: &Said| (than.action, than.level) > (said.action, said.level);
                        hardest = Some(hardest.filter(harder).unwrap_or(said));
                    }
                }
                self.detector.end_batch();
                answers(self, hardest)
            }
            Act::Answer { to, output } => {
                let about = match to {
                    To::Id(number) => About::Id(id(*number)),
                    To::NameOf(call) => About::Name(CALLS[*call].name),
                    To::Oldest => About::Oldest,
                };
                let said = self.result(about, *output);
                answers(self, said)
            }
            Act::UserMessage => {
                self.detector.user_message();
                self.twin.happens(Event::UserMessage);
                answers(self, None)
            }
            Act::Feedback => {
                self.detector.clear_after_feedback();
                self.twin.happens(Event::Feedback);
                answers(self, None)
            }
        }
    }

    fn call(&mut self, call: usize, with_id: bool, turn: Option<usize>) -> Option<Said> {
        let id = with_id.then(|| id(self.calls));
        self.calls += 1;
        let known = &CALLS[call];
        self.detector.record_call(&Call {
            name: known.name,
            args: known.args.into(),
            id: id.as_deref(),
            at: None,
        });
        self.twin.happens(Event::Call { call, id, turn, answer: Action::Continue })
    }

    fn result(&mut self, about: About, output: usize) -> Option<Said> {
        let known = &OUTPUTS[output];
        let mut result = ToolResult { ok: known.ok, output: known.text, ..ToolResult::default() };
        match &about {
            About::Id(id) => result.id = Some(id),
            About::Name(name) => result.name = Some(name),
            About::Oldest => {}
        }
        self.detector.record_result(&result);
        self.twin.happens(Event::Result { about, output })
    }
}

/// Tries 10,000 values; `check` tells how often the pattern came up. A test of a
/// pattern that never comes up proves nothing.
pub fn each<S: Strategy>(
    strategy: S,
    least: u64,
    check: impl Fn(S::Value) -> Result<u64, TestCaseError>,
) {
    let times = Cell::new(0);
    let config =
        ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(crate::STREAMS) };
    let outcome = TestRunner::new(config).run(&strategy, |value| {
        times.set(times.get() + check(value)?);
        Ok(())
    });
    let problem = outcome.err().map(|error| error.to_string());
    assert!(problem.is_none(), "{}", problem.unwrap_or_default());
    assert!(times.get() >= least, "it came up only {} times", times.get());
}
