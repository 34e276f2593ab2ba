//! One pattern at a time, with every detection reported: it must be found at the same
//! events, with the same numbers.

use super::streams::{
    Act, Pair, Stream, Times, all_calls, all_outputs, call_of, calls_that, config, each, found,
    output_of, outputs_that, patience, streams,
};
use crate::naive::tools::{Call, Effect};
use loophound::{Action, Climb, Config, Level, LoopKind, Patience, Preset, Rung};
use proptest::prelude::*;

/// Returns a configuration with only this rule, in which every detection is a nudge.
fn only(kind: LoopKind, mut config: Config) -> Config {
    for rule in &mut config.rules {
        rule.on = rule.kind == kind || rule.kind == LoopKind::IterationCap;
        rule.rungs = vec![Rung { at: 1, action: Action::Nudge, level: Level::Notice }];
        rule.climb = Climb::Count;
    }
    config
}

/// Compares both; returns how many times the pattern was found.
fn agree(kind: LoopKind, config: Config, stream: &Stream) -> Result<u64, TestCaseError> {
    let mut pair = Pair::new(&only(kind, config), stream.times);
    let mut times = 0;
    for act in &stream.acts {
        pair.perform(act, &mut |pair, said| {
            prop_assert_eq!(found(pair.detector.verdict()), said.map(|said| said.found));
            prop_assert_eq!(pair.detector.is_stuck(), pair.twin.goes_on(kind));
            times += u64::from(said.is_some());
            Ok(())
        })?;
    }
    Ok(times)
}

type Values = (Patience, u32, u32, u32);

fn values() -> impl Strategy<Value = Values> {
    (patience(), 6u32..16, 1u32..8, 2u32..5)
}

fn compare(kind: LoopKind, calls: &[usize], outputs: &[usize], least: u64) {
    each(
        (values(), streams(calls, outputs, 50)),
        least,
        |((patience, window, period, threshold), stream)| {
            agree(kind, config(&patience, window, period, threshold), &stream)
        },
    );
}

#[test]
fn no_progress() {
    compare(LoopKind::NoProgress, &all_calls(), &all_outputs(), 10_000);
}

/// Checks that fail or complain, with changes in between.
#[test]
fn no_progress_in_spite_of_changes() {
    let checks = calls_that(|call| call.shell || call.effect == Effect::Write);
    let outputs = outputs_that(|output| output.has_problems || output.text == Some("alpha beta"));
    compare(LoopKind::NoProgress, &checks, &outputs, 10_000);
}

/// Calls that are repeated after waits.
#[test]
fn waits_and_polls() {
    let polls = |call: &Call| call.polls || call.name == "read_file" || call.program() == "npm";
    compare(LoopKind::NoProgress, &calls_that(polls), &all_outputs(), 10_000);
    compare(LoopKind::Cycle, &calls_that(polls), &all_outputs(), 1_000);
}

#[test]
fn cycle() {
    compare(LoopKind::Cycle, &all_calls(), &all_outputs(), 10_000);
}

#[test]
fn variant() {
    let writes = |call: &Call| call.program() == "touch";
    let reads = calls_that(|call| call.effect == Effect::Read || writes(call));
    let runs = |call: &Call| call.effect == Effect::Execute && call.shell && !call.polls;
    let runs = calls_that(|call| runs(call) || writes(call));
    let searches = calls_that(|call| call.name == "grep");
    let messages = calls_that(|call| call.message || call.name == "grep");
    let edits = calls_that(|call| call.edit.is_some() || writes(call));
    for calls in [reads, runs, searches, messages, edits] {
        compare(LoopKind::Variant, &calls, &all_outputs(), 1_000);
    }
}

#[test]
fn growing_read() {
    let reads = calls_that(|call| call.read_from.is_some() || call.name == "bash" && !call.polls);
    compare(LoopKind::Variant, &reads, &all_outputs(), 1_000);
}

#[test]
fn same_error() {
    let failures = outputs_that(|output| output.ok != Some(true));
    compare(LoopKind::SameError, &all_calls(), &failures, 1_000);
    let edits = calls_that(|call| call.effect == Effect::Write || call.name == "read_file");
    compare(LoopKind::SameError, &edits, &failures, 1_000);
}

/// One error about one target after the other, with and without their names.
#[test]
fn same_error_of_many_targets() {
    let sweeps = calls_that(|call| !call.targets().is_empty() && call.effect != Effect::Write);
    let errors = outputs_that(|output| output.has_problems && output.ok.is_none());
    compare(LoopKind::SameError, &sweeps, &errors, 1_000);
}

#[test]
fn oscillation() {
    let edits = calls_that(|call| call.edit.is_some() || call.name == "read_file");
    let worked = outputs_that(|output| output.ok != Some(false) && !output.has_problems);
    compare(LoopKind::Oscillation, &edits, &worked, 1_000);
    compare(LoopKind::Oscillation, &edits, &all_outputs(), 100);
}

/// However long the window is, no more than 128 outcomes are kept; and a cycle that need
/// not repeat exactly is no longer than 20 calls plus a quarter.
#[test]
fn a_long_window() {
    let act = |call, output| Act::Outcome { call, output };
    let (one, two) = (call_of(r#"{"n":"one"}"#), call_of(r#"{"n":"two"}"#));
    let build = call_of(r#"{"command":"npm run build"}"#);
    let failure = output_of("Error: no such thing\nexit code: 1\n1 failed");
    let (ok, answer) = (output_of("ok"), output_of("alpha beta"));
    let keys = [act(one, ok), act(one, ok)];
    let answers = [act(one, answer), act(two, answer)];
    for (kind, between, most) in [(LoopKind::Cycle, keys, 24), (LoopKind::NoProgress, answers, 127)]
    {
        let times = |others: usize| {
            let pass = || between.iter().cycle().take(others).cloned().chain([act(build, failure)]);
            let acts: Vec<Act> =
                [act(build, failure)].into_iter().chain(pass()).chain(pass()).collect();
            let mut config = config(&Preset::Balanced.config().patience, 200, 100, 3);
            config.patience.after_changes = 3;
            config.patience.stale = 3;
            config.patience.acknowledgement = 1_000;
            agree(kind, config, &Stream { times: Times::None, acts }).expect("the same of both")
        };
        assert!(times(most) > 0, "{kind:?}");
        assert_eq!(times(most + 1), 0, "{kind:?}");
    }
}

#[test]
fn a_host_that_never_reports_results() {
    for kind in [LoopKind::NoProgress, LoopKind::Cycle] {
        let silent = streams(&all_calls(), &[0], 60).prop_map(|stream| {
            let silent = |act: Act| match act {
                Act::Outcome { call, .. } => Some(Act::Call { call, with_id: true }),
                Act::Answer { .. } => None,
                other => Some(other),
            };
            Stream { acts: stream.acts.into_iter().filter_map(silent).collect(), ..stream }
        });
        each((values(), silent), 1_000, |((patience, window, period, threshold), stream)| {
            agree(kind, config(&patience, window, period, threshold), &stream)
        });
    }
}
