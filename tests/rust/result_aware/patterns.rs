//! One pattern at a time, every detection reported: whether it is found at the
//! same events, with the same numbers.

use super::streams::{Act, Pair, acts, all_calls, all_outputs, config, each, found, patience};
use loophound::{Action, Config, Level, LoopKind, Patience, Preset, Rung};
use proptest::prelude::*;

/// Only this rule; nothing is refused, and nothing cools_down.
fn only(kind: LoopKind, mut config: Config) -> Config {
    for rule in &mut config.rules {
        rule.on = rule.kind == kind || rule.kind == LoopKind::IterationCap;
        rule.rungs = vec![Rung { at: 1, action: Action::Nudge, level: Level::Notice }];
        rule.cooldown = 0;
    }
    config
}

/// How often it was found, by both.
fn agree(kind: LoopKind, config: Config, acts: &[Act]) -> Result<u64, TestCaseError> {
    let mut pair = Pair::new(&only(kind, config));
    let mut times = 0;
    for act in acts {
        pair.perform(act, &mut |pair, said| {
            prop_assert_eq!(found(pair.detector.verdict()), said.map(|said| said.found));
            // Whether edits go on undoing one another is asked of edits only.
            if kind != LoopKind::Oscillation {
                let goes_on = pair.twin.goes_on(kind, &pair.twin.known);
                prop_assert_eq!(pair.detector.is_stuck(), goes_on);
            }
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
        (values(), acts(calls, outputs, 50)),
        least,
        |((patience, window, period, threshold), acts)| {
            agree(kind, config(&patience, window, period, threshold), &acts)
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
    compare(LoopKind::NoProgress, &[6, 9, 10, 12, 13, 16], &[0, 1, 3, 4, 13], 10_000);
}

#[test]
fn turns() {
    compare(LoopKind::Cycle, &all_calls(), &all_outputs(), 10_000);
}

#[test]
fn variant() {
    let looks = [3, 4, 5, 28, 29, 30, 31, 36, 37];
    let runs = [6, 7, 8, 9, 32, 33, 34, 35, 38];
    let changes = [10, 12, 13, 14, 15];
    for calls in [[&looks[..], &changes].concat(), [&runs[..], &changes].concat()] {
        compare(LoopKind::Variant, &calls, &all_outputs(), 1_000);
    }
}

#[test]
fn same_error() {
    compare(
        LoopKind::SameError,
        &[2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 19, 20, 35],
        &[0, 3, 4, 5, 6, 9, 12, 14],
        1_000,
    );
}

#[test]
fn oscillation() {
    compare(LoopKind::Oscillation, &[0, 12, 13, 14, 15, 16, 17, 18], &[0, 3, 7, 10], 1_000);
}

/// However long the window is, no more than a hundred outcomes are looked back at.
#[test]
fn a_long_window() {
    let act = |call, output| Act::Outcome { call, output };
    let keys = [act(19, 10), act(19, 10)];
    let answers = [act(19, 0), act(20, 0)];
    for (kind, between) in [(LoopKind::Cycle, keys), (LoopKind::NoProgress, answers)] {
        let times = |others: usize| {
            let pass = || between.iter().cycle().take(others).cloned().chain([act(6, 3)]);
            let acts: Vec<Act> = [act(6, 3)].into_iter().chain(pass()).chain(pass()).collect();
            let mut config = config(&Preset::Balanced.config().patience, 200, 100, 3);
            config.patience.after_changes = 3;
            agree(kind, config, &acts).expect("the same of both")
        };
        assert!(times(98) > 0);
        assert_eq!(times(100), 0);
    }
}

#[test]
fn a_host_that_never_reports_results() {
    for kind in [LoopKind::NoProgress, LoopKind::Cycle] {
        let calls = acts(&all_calls(), &[0], 60).prop_map(|acts| {
            let silent = |act: Act| match act {
                Act::Outcome { call, .. } => Some(Act::Call { call, with_id: true }),
                Act::Answer { .. } => None,
                other => Some(other),
            };
            acts.into_iter().filter_map(silent).collect::<Vec<_>>()
        });
        each((values(), calls), 1_000, |((patience, window, period, threshold), acts)| {
            agree(kind, config(&patience, window, period, threshold), &acts)
        });
    }
}
