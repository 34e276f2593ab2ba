//! Everything together, as in `balanced`: which pattern is reported, with which action,
//! which calls are refused, and that refused calls do not count.

use super::streams::{Pair, Stream, all_calls, all_outputs, config, each, patience, said, streams};
use crate::naive::tools::settings;
use loophound::{Action, Config, EvidenceClass, LoopKind, Preset};
use proptest::prelude::*;
use std::cell::Cell;

/// How many calls were refused, and how many runs were stopped.
#[derive(Clone, Copy, Default)]
struct Said {
    blocks: u64,
    stops: u64,
}

fn agree(config: &Config, stream: &Stream) -> Result<Said, TestCaseError> {
    let mut pair = Pair::new(config, stream.times);
    let mut times = Said::default();
    for act in &stream.acts {
        pair.perform(act, &mut |pair, expected| {
            prop_assert_eq!(said(pair.detector.verdict()), expected);
            let is = |action| expected.is_some_and(|said| said.action == action);
            times.blocks += u64::from(is(Action::Block));
            times.stops += u64::from(is(Action::Stop));
            Ok(())
        })?;
    }
    Ok(times)
}

/// Compares the two on streams of calls; refusals and stops must occur.
fn compare<V: Strategy>(values: V, length: usize, stops: u64, config: impl Fn(V::Value) -> Config) {
    let stopped = Cell::new(0);
    let streams = streams(&all_calls(), &all_outputs(), length);
    each((values, streams), 1_000, |(values, stream)| {
        let times = agree(&config(values), &stream)?;
        stopped.set(stopped.get() + times.stops);
        Ok(times.blocks)
    });
    assert!(stopped.get() >= stops, "only {} runs were stopped", stopped.get());
}

/// Chooses one of the actions.
fn action() -> impl Strategy<Value = Action> {
    prop::sample::select(vec![Action::Continue, Action::Nudge, Action::Block, Action::Stop])
}

#[test]
fn every_pattern_and_every_rung() {
    let kinds = LoopKind::ALL.len();
    let cooldowns = proptest::collection::vec(0u32..4, kinds);
    let of_rules = proptest::collection::vec(prop::option::weighted(0.2, action()), kinds);
    let of_evidence = proptest::collection::vec(action(), EvidenceClass::ALL.len());
    let rungs = proptest::collection::btree_set(1u32..9, 4);
    let values = (patience(), 6u32..20, 1u32..8, 2u32..5, cooldowns, of_rules, of_evidence, rungs);
    compare(values, 50, 1_000, |values| {
        let (patience, window, period, threshold, cooldowns, of_rules, of_evidence, rungs) = values;
        let mut config = config(&patience, window, period, threshold);
        config.at_most = EvidenceClass::ALL.iter().copied().zip(of_evidence).collect();
        for (place, rule) in config.rules.iter_mut().enumerate() {
            rule.cooldown = cooldowns[place];
            rule.at_most = of_rules[place];
            for (rung, at) in rule.rungs.iter_mut().zip(&rungs) {
                rung.at = *at;
            }
        }
        config
    });
}

#[test]
fn the_preset_as_it_is() {
    compare(Just(()), 80, 100, |()| {
        let mut config = Preset::Balanced.config();
        config.tools = settings();
        config
    });
}
