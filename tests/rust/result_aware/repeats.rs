//! Exact and windowed repeats that are compared with their results.

use super::streams::{Pair, all_calls, all_outputs, config, each, found, patience, streams};
use crate::naive::answers;
use crate::naive::transcript::Now;
use loophound::{Action, Config, Level, LoopKind, Patience, Rung};
use proptest::prelude::*;

/// Returns a configuration with only this rule, which compares results and reports every
/// detection.
fn only(kind: LoopKind, patience: &Patience, window: u32, threshold: u32) -> Config {
    let mut config = config(patience, window, 1, threshold);
    for rule in &mut config.rules {
        rule.on = rule.kind == kind || rule.kind == LoopKind::IterationCap;
        rule.results = rule.kind == kind;
        rule.rungs = vec![Rung { at: 1, action: Action::Nudge, level: Level::Notice }];
    }
    config
}

fn compare(kind: LoopKind, least: u64) {
    let streams = streams(&all_calls(), &all_outputs(), 50);
    each(
        (patience(), 5u32..12, 2u32..5, streams),
        least,
        |(patience, window, threshold, stream)| {
            let config = only(kind, &patience, window, threshold);
            let mut pair = Pair::new(&config, stream.times);
            let mut times = 0;
            for act in &stream.acts {
                pair.perform(act, &mut |pair, _| {
                    let known = &pair.twin.known;
                    let expected = match (&known.now, kind) {
                        (Some(Now::Outcome), LoopKind::ExactRepeat) => {
                            answers::consecutive(known.recent(), threshold)
                        }
                        (Some(Now::Outcome), _) => {
                            answers::windowed(known.recent(), threshold, &config)
                        }
                        _ => None,
                    };
                    times += u64::from(expected.is_some());
                    prop_assert_eq!(found(pair.detector.verdict()), expected);
                    Ok(())
                })?;
            }
            Ok(times)
        },
    );
}

#[test]
fn exact_repeat() {
    compare(LoopKind::ExactRepeat, 10_000);
}

#[test]
fn windowed_repeat() {
    compare(LoopKind::WindowedRepeat, 10_000);
}
