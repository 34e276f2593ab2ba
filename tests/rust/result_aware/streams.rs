//! Random streams of events, replayed to a detector and its twin side by side.

use crate::naive::Found;
use crate::naive::outputs::{OUTPUTS, Output};
use crate::naive::tools::{self, CALLS, settings};
use crate::naive::transcript::{About, Event};
use crate::naive::twin::{Said, Twin, is_harder};
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
    /// More than a minute passes.
    Minute,
    UserMessage,
    Feedback,
    Compaction,
}

/// Which call a result says it belongs to; there may be none.
#[derive(Debug, Clone)]
pub enum To {
    Id(u64),
    NameOf(usize),
    Oldest,
}

/// Which events the host gives a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    None,
    Calls,
    All,
}

/// What an agent and its host do.
#[derive(Debug, Clone)]
pub struct Stream {
    pub times: Times,
    pub acts: Vec<Act>,
}

/// Makes an id. Ids recur, because some hosts count from the start in every turn.
fn id(number: u64) -> String {
    format!("c{}", number % 7)
}

/// Makes streams of a few of these calls and outputs.
pub fn streams(calls: &[usize], outputs: &[usize], length: usize) -> BoxedStrategy<Stream> {
    let calls = subsequence(calls.to_vec(), 1..=calls.len().min(4));
    let outputs = subsequence(outputs.to_vec(), 1..=outputs.len().min(3));
    let times = prop_oneof![3 => Just(Times::None), 1 => Just(Times::Calls), 1 => Just(Times::All)];
    (calls, outputs, times)
        .prop_flat_map(move |(calls, outputs, times)| {
            let call = prop::sample::select(calls);
            let output = prop::sample::select(outputs);
            let to = prop_oneof![
                (0u64..7).prop_map(To::Id),
                call.clone().prop_map(To::NameOf),
                Just(To::Oldest),
            ];
            let few = proptest::collection::vec(call.clone(), 1..5);
            let many = (call.clone(), 2usize..12).prop_map(|(call, times)| vec![call; times]);
            let act = prop_oneof![
                80 => (call.clone(), output.clone()).prop_map(|(call, output)| Act::Outcome { call, output }),
                8 => (call, any::<bool>()).prop_map(|(call, with_id)| Act::Call { call, with_id }),
                8 => few.prop_map(Act::Batch),
                1 => many.prop_map(Act::Batch),
                24 => (to, output).prop_map(|(to, output)| Act::Answer { to, output }),
                8 => Just(Act::Minute),
                1 => Just(Act::UserMessage),
                1 => Just(Act::Feedback),
                2 => Just(Act::Compaction),
            ];
            proptest::collection::vec(act, 0..length).prop_map(move |acts| Stream { times, acts })
        })
        .boxed()
}

/// Returns the calls of the table that match.
pub fn calls_that(are_meant: impl Fn(&tools::Call) -> bool) -> Vec<usize> {
    (0..CALLS.len()).filter(|call| are_meant(&CALLS[*call])).collect()
}

pub fn outputs_that(are_meant: impl Fn(&Output) -> bool) -> Vec<usize> {
    (0..OUTPUTS.len()).filter(|output| are_meant(&OUTPUTS[*output])).collect()
}

/// Returns the call with these arguments.
pub fn call_of(args: &str) -> usize {
    CALLS.iter().position(|call| call.args == args).expect("a call of the table")
}

pub fn output_of(text: &str) -> usize {
    OUTPUTS.iter().position(|output| output.text == Some(text)).expect("an output of the table")
}

pub fn all_calls() -> Vec<usize> {
    calls_that(|_| true)
}

pub fn all_outputs() -> Vec<usize> {
    outputs_that(|_| true)
}

/// Makes low thresholds, so that every pattern occurs soon.
pub fn patience() -> impl Strategy<Value = Patience> {
    proptest::collection::vec(2u32..6, 18).prop_map(|numbers| {
        let mut patience = Preset::Balanced.config().patience;
        for (place, number) in [
            &mut patience.unsure,
            &mut patience.execution,
            &mut patience.timed_execution,
            &mut patience.empty,
            &mut patience.acknowledgement,
            &mut patience.poll,
            &mut patience.wait,
            &mut patience.infrastructure,
            &mut patience.failures,
            &mut patience.after_changes,
            &mut patience.complaints,
            &mut patience.same_edit,
            &mut patience.failing_edits,
            &mut patience.mixed_errors,
            &mut patience.sweep,
            &mut patience.rewordings,
            &mut patience.parallel,
            &mut patience.stale,
        ]
        .into_iter()
        .zip(numbers)
        {
            *place = number;
        }
        patience
    })
}

/// Returns the `balanced` configuration with these values.
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
    times: Times,
    /// What the clock says, in milliseconds.
    now: u64,
    calls: u64,
    batches: usize,
}

impl Pair {
    pub fn new(config: &Config, times: Times) -> Self {
        let detector = LoopDetector::new(config.clone()).expect("a valid configuration");
        let twin = Twin::new(config.clone());
        Self { detector, twin, times, now: 0, calls: 0, batches: 0 }
    }

    /// Performs an act; calls back with what both answer to each event.
    pub fn perform(
        &mut self,
        act: &Act,
        answers: &mut dyn FnMut(&Self, Option<Said>) -> TestCaseResult,
    ) -> TestCaseResult {
        self.now += 1_000;
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
                self.batches += 1;
                self.detector.begin_batch();
                let mut hardest: Option<Said> = None;
                for (position, call) in calls.iter().enumerate() {
                    if let Some(said) = self.call(*call, position % 2 == 0, Some(self.batches)) {
                        let stays = |hardest: &Said| is_harder(hardest, &said);
                        hardest = Some(hardest.filter(stays).unwrap_or(said));
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
            Act::Minute => {
                self.now += 60_000;
                Ok(())
            }
            Act::Compaction => {
                self.detector.context_compacted();
                self.twin.happens(Event::Compacted);
                Ok(())
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

    fn call(&mut self, call: usize, with_id: bool, batch: Option<usize>) -> Option<Said> {
        let id = with_id.then(|| id(self.calls));
        let at = (self.times != Times::None).then_some(self.now);
        self.calls += 1;
        let known = &CALLS[call];
        self.detector.record_call(&Call {
            name: known.name,
            args: known.args.into(),
            id: id.as_deref(),
            at,
            ..Call::default()
        });
        self.twin.happens(Event::Call { call, id, batch, at, answer: Action::Continue })
    }

    fn result(&mut self, about: About, output: usize) -> Option<Said> {
        let known = &OUTPUTS[output];
        let at = (self.times == Times::All).then_some(self.now);
        let mut result =
            ToolResult { ok: known.ok, output: known.text, at, ..ToolResult::default() };
        match &about {
            About::Id(id) => result.id = Some(id),
            About::Name(name) => result.name = Some(name),
            About::Oldest => {}
        }
        self.detector.record_result(&result);
        self.twin.happens(Event::Result { about, output, at })
    }
}

/// Tries 10,000 values; `check` returns how many times the pattern occurred. A test in
/// which the pattern never occurs proves nothing.
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
