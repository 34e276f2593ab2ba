//! Everything together, as `balanced` has it: which pattern is spoken of, how
//! hard, which calls are refused, and that what was refused counts for nothing.

use super::streams::{Act, Pair, acts, all_calls, all_outputs, config, each, patience, said};
use crate::naive::escalation::Step;
use crate::naive::twin::settings;
use loophound::{Action, Config, LoopKind, Preset};
use proptest::prelude::*;
use std::cell::Cell;

/// How many calls were refused, and how many of these because that was announced.
#[derive(Clone, Copy, Default)]
struct Refused {
    all: u64,
    announced: usize,
}

fn agree(config: &Config, acts: &[Act]) -> Result<Refused, TestCaseError> {
    let mut pair = Pair::new(config);
    let mut refused = Refused::default();
    for act in acts {
        pair.perform(act, &mut |pair, expected| {
            prop_assert_eq!(said(pair.detector.verdict()), expected);
            refused.all += u64::from(expected.is_some_and(|said| said.action >= Action::Block));
            Ok(())
        })?;
    }
    let announced = pair.twin.judged.iter().filter(|one| one.step == Step::CarriesOut);
    refused.announced = announced.count();
    Ok(refused)
}

/// Compares the two on streams of calls; both kinds of refusals have to come up.
fn compare<V: Strategy>(values: V, length: usize, config: impl Fn(V::Value) -> Config) {
    let announced = Cell::new(0);
    let streams = acts(&all_calls(), &all_outputs(), length);
    each((values, streams), 10_000, |(values, acts)| {
        let refused = agree(&config(values), &acts)?;
        announced.set(announced.get() + refused.announced);
        Ok(refused.all)
    });
    assert!(announced.get() >= 1_000, "only {} refusals were announced", announced.get());
}

#[test]
fn every_pattern_and_every_rung() {
    let cooldowns = proptest::collection::vec(0u32..4, LoopKind::ALL.len());
    let values = (patience(), 6u32..20, 1u32..8, 2u32..5, cooldowns);
    compare(values, 50, |(patience, window, period, threshold, cooldowns)| {
        let mut config = config(&patience, window, period, threshold);
        for (rule, cooldown) in config.rules.iter_mut().zip(cooldowns) {
            rule.cooldown = cooldown;
        }
        config
    });
}

#[test]
fn the_preset_as_it_is() {
    compare(Just(()), 80, |()| {
        let mut config = Preset::Balanced.config();
        config.tools = settings();
        config
    });
}
