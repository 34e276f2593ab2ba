//! Compares each fast detector with a naive one that keeps everything and starts over at
//! every event: obviously right, and slow.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

mod naive;
mod result_aware;

use loophound::{
    Action, Call, Config, Level, LoopDetector, LoopKind, Preset, Rung, ToolResult, Verdict,
};
use naive::{
    Found,
    calls::{consecutive, cycle as naive_cycle, in_cycle, windowed},
    failures::{cascade, failing_tests, text_turns},
};
use proptest::prelude::*;

const STREAMS: u32 = 10_000;

/// Makes a detector with only this rule, which reports every detection.
fn only(kind: LoopKind, change: impl FnOnce(&mut Config)) -> LoopDetector {
    let mut config = Preset::Window.config();
    for rule in &mut config.rules {
        rule.on = rule.kind == kind || rule.kind == LoopKind::IterationCap;
        rule.rungs = vec![Rung { at: 1, action: Action::Nudge, level: Level::Notice }];
    }
    change(&mut config);
    LoopDetector::new(config).expect("a valid configuration")
}

fn set_threshold(config: &mut Config, kind: LoopKind, threshold: u32) {
    config.rule_mut(kind).expect("a rule").threshold = threshold;
}

fn found(verdict: &Verdict) -> Option<Found> {
    verdict.kind.map(|_| Found {
        count: verdict.count,
        period: verdict.period,
        since: verdict.since,
        wasted: verdict.wasted,
    })
}

/// Makes few different calls, so that patterns occur often.
fn calls() -> impl Strategy<Value = Vec<u8>> {
    (1u8..5).prop_flat_map(|kinds| proptest::collection::vec(0..kinds, 0..50))
}

fn args(call: u8) -> String {
    format!("{{\"path\":\"file{call}\"}}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(STREAMS))]

    #[test]
    fn exact_repeat(stream in calls(), threshold in 2u32..6) {
        let mut detector = only(LoopKind::ExactRepeat, |config| set_threshold(config, LoopKind::ExactRepeat, threshold));
        for end in 0..stream.len() {
            let verdict = found(detector.record("read", args(stream[end]).as_str()));
            prop_assert_eq!(verdict, consecutive(&stream[..=end], threshold as usize));
        }
    }

    #[test]
    fn fuzzy_repeat(stream in proptest::collection::vec((0u8..2, 0u8..3), 0..50), threshold in 2u32..6) {
        let mut detector = only(LoopKind::FuzzyRepeat, |config| set_threshold(config, LoopKind::FuzzyRepeat, threshold));
        let primary: Vec<u8> = stream.iter().map(|(path, _)| *path).collect();
        for (end, (path, extra)) in stream.iter().enumerate() {
            let args = format!("{{\"timeout\":{extra},\"path\":\"{path}\"}}");
            let verdict = found(detector.record("read", args.as_str()));
            prop_assert_eq!(verdict, consecutive(&primary[..=end], threshold as usize));
        }
    }

    #[test]
    fn windowed_repeat(stream in calls(), threshold in 2u32..5, more in 0u32..8) {
        let window = threshold + more;
        let mut detector = only(LoopKind::WindowedRepeat, |config| {
            config.window = window;
            config.max_period = 1;
            set_threshold(config, LoopKind::WindowedRepeat, threshold);
        });
        for end in 0..stream.len() {
            let verdict = found(detector.record("read", args(stream[end]).as_str()));
            let expected = windowed(&stream[..=end], threshold as usize, window as usize);
            prop_assert_eq!(detector.is_stuck(), expected.is_some());
            prop_assert_eq!(verdict, expected);
        }
    }

    #[test]
    fn cycle(stream in calls(), passes in 2u32..5, max_period in 1u32..8) {
        let mut detector = only(LoopKind::Cycle, |config| {
            config.window = passes * max_period;
            config.max_period = max_period;
            set_threshold(config, LoopKind::Cycle, passes);
        });
        for end in 0..stream.len() {
            let verdict = found(detector.record("read", args(stream[end]).as_str()));
            let seen = &stream[..=end];
            prop_assert_eq!(verdict, naive_cycle(seen, passes as usize, max_period as usize));
            prop_assert_eq!(detector.is_stuck(), in_cycle(seen, passes as usize, max_period as usize));
        }
    }

    #[test]
    fn failure_cascade(stream in proptest::collection::vec((0usize..5, any::<bool>()), 0..50), threshold in 1u32..5) {
        let mut detector = only(LoopKind::FailureCascade, |config| set_threshold(config, LoopKind::FailureCascade, threshold));
        let tools = [("bash", "ls"), ("bash", "cat x"), ("bash", "npm test"), ("read_file", "x"), ("run_tests", "")];
        for (end, (tool, ok)) in stream.iter().enumerate() {
            let (name, command) = tools[*tool];
            detector.record(name, format!("{{\"command\":\"{command}\"}}").as_str());
            let result = ToolResult { ok: Some(*ok), ..ToolResult::default() };
            let verdict = found(detector.record_result(&result));
            prop_assert_eq!(verdict, cascade(&stream[..=end], threshold as usize));
        }
    }

    #[test]
    fn test_fix(stream in proptest::collection::vec((0usize..5, any::<bool>()), 0..50), threshold in 1u32..5) {
        let mut detector = only(LoopKind::TestFix, |config| set_threshold(config, LoopKind::TestFix, threshold));
        let tools = [("bash", "ls"), ("bash", "cat x"), ("bash", "npm test"), ("edit_file", "x"), ("run_tests", "")];
        for (end, (tool, ok)) in stream.iter().enumerate() {
            let (name, command) = tools[*tool];
            detector.record(name, format!("{{\"command\":\"{command}\"}}").as_str());
            let result = ToolResult { ok: Some(*ok), ..ToolResult::default() };
            let verdict = found(detector.record_result(&result));
            prop_assert_eq!(verdict, failing_tests(&stream[..=end], threshold as usize));
        }
    }

    #[test]
    fn summary(stream in proptest::collection::vec(0u8..3, 0..50), threshold in 1u32..5) {
        let mut detector = only(LoopKind::Summary, |config| set_threshold(config, LoopKind::Summary, threshold));
        for (end, event) in stream.iter().enumerate() {
            let verdict = match event {
                0 | 1 => found(detector.record_text("so far, so good")),
                _ => found(detector.record("read", "{}")),
            };
            prop_assert_eq!(verdict, text_turns(&stream[..=end], threshold as usize));
        }
    }

    #[test]
    fn iteration_cap(stream in proptest::collection::vec(prop::option::weighted(0.1, 0u32..5), 0..50), cap in 1u32..20) {
        let mut detector = only(LoopKind::Cycle, |config| config.iteration_cap = Some(cap));
        let (mut left, mut used) = (u64::from(cap), 0u64);
        for event in stream {
            match event {
                Some(by) => {
                    prop_assert_eq!(detector.extend(by), by);
                    left += u64::from(by);
                }
                None => {
                    let refused = left == 0;
                    let verdict = found(detector.begin_turn());
                    prop_assert_eq!(verdict.map(|found| found.count), refused.then_some(used));
                    left -= u64::from(!refused);
                    used += u64::from(!refused);
                }
            }
        }
    }

    #[test]
    fn a_batch_is_its_calls_one_by_one_with_the_hardest_verdict(batches in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..5), 0..12)) {
        for preset in [Preset::Nudge, Preset::Cycles, Preset::Window] {
            let mut batched = LoopDetector::with_preset(preset);
            let mut single = LoopDetector::with_preset(preset);
            for batch in &batches {
                let args: Vec<String> = batch.iter().map(|call| args(*call)).collect();
                let calls: Vec<Call> = args.iter().map(|args| Call::new("read", args.as_str())).collect();
                let mut hardest = Verdict::default();
                let mut refused: Vec<u64> = Vec::new();
                for call in &calls {
                    let verdict = single.record_call(call);
                    if verdict.action == Action::Block {
                        refused.extend(&verdict.calls);
                    }
                    if verdict.kind.is_some() && (verdict.action, verdict.level) >= (hardest.action, hardest.level) {
                        hardest = verdict.clone();
                    }
                }
                if hardest.action == Action::Block {
                    hardest.calls = refused;
                }
                prop_assert_eq!(batched.record_batch(&calls), &hardest);
            }
        }
    }

    #[test]
    fn guard_judges_a_batch_once_at_its_end(batches in proptest::collection::vec(proptest::collection::vec(0u8..2, 1..8), 0..12)) {
        let mut detector = LoopDetector::with_preset(Preset::Guard);
        let mut seen: Vec<u8> = vec![];
        for batch in &batches {
            let args: Vec<String> = batch.iter().map(|call| args(*call)).collect();
            let calls: Vec<Call> = args.iter().map(|args| Call::new("read", args.as_str())).collect();
            let verdict = found(detector.record_batch(&calls));
            seen.extend(batch);
            prop_assert_eq!(verdict, consecutive(&seen, 5));
        }
    }
}
