//! Everything together, as `balanced` has it: which pattern is spoken of, how
//! hard, which calls are refused, and that what was refused counts for nothing.

use super::streams::{Pair, acts, all_calls, all_outputs, config, each, patience, said};
use crate::naive::twin::settings;
use loophound::{Action, Config, Preset};
use proptest::prelude::*;

fn agree(config: &Config, acts: &[super::streams::Act]) -> Result<u64, TestCaseError> {
    let mut pair = Pair::new(config);
    let mut refusals = 0;
    for act in acts {
        pair.perform(act, &mut |pair, expected| {
            prop_assert_eq!(said(pair.detector.verdict()), expected);
            refusals += u64::from(expected.is_some_and(|said| said.action >= Action::Block));
            Ok(())
        })?;
    }
    Ok(refusals)
}

#[test]
fn every_pattern_and_every_rung() {
    let values = (patience(), 6u32..20, 1u32..8, 2u32..5, 0u32..4);
    let streams = acts(&all_calls(), &all_outputs(), 50);
    each((values, streams), 10_000, |((patience, window, period, threshold, cooldown), acts)| {
        let mut config = config(&patience, window, period, threshold);
        config.rules.iter_mut().for_each(|rule| rule.cooldown = cooldown);
        agree(&config, &acts)
    });
}

#[test]
fn the_preset_as_it_is() {
    each(acts(&all_calls(), &all_outputs(), 80), 10_000, |acts| {
        let mut config = Preset::Balanced.config();
        config.tools = settings();
        agree(&config, &acts)
    });
}
