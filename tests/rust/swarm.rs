//! Compares the swarm with a naive one, and checks its bound on memory.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{
    Action, ErrorKind, LoopKind, SwarmConfig, SwarmDetector, compute_tool_fingerprint,
};
use proptest::prelude::*;
use std::collections::HashSet;

#[test]
fn ten_calls_in_all_from_two_workers() {
    let mut swarm = SwarmDetector::default();
    for _ in 0..20 {
        assert_eq!(swarm.record("a", "fetch", r#"{"url":"x"}"#).action, Action::Continue);
    }
    let verdict = swarm.record("b", "fetch", r#"{"url":"x"}"#);
    assert_eq!((verdict.action, verdict.kind), (Action::Nudge, Some(LoopKind::Global)));
    assert_eq!(verdict.count, 21);
    assert_eq!(
        verdict.message.as_deref(),
        Some(
            "[System] GLOBAL DOOM LOOP: 21 calls to fetch across\n2 workers. The entire swarm is stuck on this approach.\n1. Try a fundamentally different strategy\n2. Do NOT retry the same tool/parameters\n3. Consider whether the task goal itself needs re-evaluation"
        )
    );
    let fingerprint = compute_tool_fingerprint("fetch", r#"{"url":"x"}"#);
    let info = swarm.info(&fingerprint).expect("known");
    assert_eq!((info.total_calls, info.worker_count, info.is_loop), (21, 2, true));
}

#[test]
fn a_million_distinct_fingerprints_cannot_exhaust_it() {
    let config = SwarmConfig { capacity: 100, ..SwarmConfig::default() };
    let mut swarm = SwarmDetector::new(config, [1, 2]).expect("valid");
    for call in 0..1_000_000u32 {
        swarm.record_fingerprint("a", "t", &call.to_string());
    }
    let stats = swarm.stats();
    assert_eq!((stats.fingerprints, stats.evicted), (100, 999_900));
    assert_eq!(stats.total_calls, 1_000_000);
    assert!(swarm.info("999999").is_some());
    assert!(swarm.info("999899").is_none());
}

#[test]
fn the_worker_count_saturates() {
    let config = SwarmConfig { max_workers: 3, ..SwarmConfig::default() };
    let mut swarm = SwarmDetector::new(config, [1, 2]).expect("valid");
    for worker in 0..1_000 {
        swarm.record_fingerprint(&worker.to_string(), "t", "f");
    }
    assert_eq!(swarm.info("f").map(|info| info.worker_count), Some(3));
}

fn read(options: &str) -> Result<SwarmConfig, loophound::Error> {
    SwarmConfig::from_options(&mut serde_json::Deserializer::from_str(options))
}

#[test]
fn options_are_read_and_mistakes_named() {
    assert_eq!(read("null"), Ok(SwarmConfig::default()));
    assert_eq!(read("{}"), Ok(SwarmConfig::default()));
    let given = read(
        r#"{"threshold":3,"minWorkers":4,"capacity":5,"maxWorkers":6,"message":"Stop, {tool}."}"#,
    );
    let wanted = SwarmConfig {
        threshold: 3,
        min_workers: 4,
        capacity: 5,
        max_workers: 6,
        message: Some("Stop, {tool}.".into()),
    };
    assert_eq!(given, Ok(wanted));
    for (options, kind, named) in [
        ("[]", ErrorKind::Type, "options"),
        (r#"{"treshold":3}"#, ErrorKind::Type, "options.treshold"),
        (r#"{"threshold":"3"}"#, ErrorKind::Type, "options.threshold"),
        (r#"{"threshold":1}"#, ErrorKind::Range, "options.threshold"),
        (r#"{"capacity":2000000}"#, ErrorKind::Range, "options.capacity"),
        (r#"{"minWorkers":4,"maxWorkers":3}"#, ErrorKind::Range, "options.minWorkers"),
        (r#"{"message":7}"#, ErrorKind::Type, "options.message"),
    ] {
        let error = read(options).expect_err(options);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.path() == named, "{error}");
    }
    let unchecked = SwarmConfig { min_workers: 300, ..SwarmConfig::default() };
    let error = SwarmDetector::new(unchecked, [1, 2]).err().expect("more than maxWorkers");
    assert_eq!(error.kind(), ErrorKind::Range);
}

#[test]
fn the_hosts_own_message_is_used() {
    let config = read(r#"{"threshold":2,"message":"Stop, {tool}."}"#).expect("valid");
    let mut swarm = SwarmDetector::new(config, [1, 2]).expect("valid");
    swarm.record("a", "fetch", "{}");
    swarm.record("b", "fetch", "{}");
    assert_eq!(swarm.verdict().message.as_deref(), Some("Stop, fetch."));
}

#[test]
fn loops_come_latest_first_and_clear_forgets_them() {
    let mut swarm =
        SwarmDetector::new(SwarmConfig { threshold: 2, ..SwarmConfig::default() }, [1, 2])
            .expect("valid");
    for (worker, fingerprint) in [("a", "x"), ("a", "y"), ("a", "z"), ("b", "y"), ("b", "x")] {
        swarm.record_fingerprint(worker, "t", fingerprint);
    }
    let loops: Vec<String> = swarm.loops().into_iter().map(|info| info.fingerprint).collect();
    assert_eq!(loops, ["x", "y"]);
    assert_eq!(
        serde_json::to_string(&swarm.loops()[0]).expect("plain data"),
        r#"{"fingerprint":"x","tool":"t","totalCalls":2,"workerCount":2,"loop":true}"#
    );
    assert_eq!(
        serde_json::to_string(&swarm.stats()).expect("plain data"),
        r#"{"fingerprints":3,"totalCalls":5,"loops":2,"evicted":0,"capacity":4096}"#
    );
    swarm.clear();
    assert!(swarm.loops().is_empty() && swarm.info("x").is_none());
    assert_eq!(swarm.verdict().action, Action::Continue);
    assert_eq!((swarm.stats().fingerprints, swarm.stats().total_calls), (0, 0));
}

/// A stored fingerprint is bounded, and two with the same beginning stay distinct.
#[test]
fn long_fingerprints_are_told_apart_by_what_is_cut_off() {
    let mut swarm = SwarmDetector::default();
    let long = "é".repeat(100_000);
    let (one, other) = (format!("{long}1"), format!("{long}2"));
    for _ in 0..20 {
        swarm.record_fingerprint("a", "t", &one);
    }
    assert_eq!(swarm.record_fingerprint("b", "t", &other).action, Action::Continue);
    assert_eq!(swarm.record_fingerprint("b", "t", &one).action, Action::Nudge);
    let kept = swarm.info(&one).expect("known").fingerprint;
    assert!(kept.chars().count() <= 300, "{kept}");
    assert_eq!(swarm.info(&kept).expect("by what was kept").total_calls, 21);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn equals_a_naive_swarm(calls in proptest::collection::vec((0u8..4, 0u8..6), 0..60), threshold in 2u32..8, min_workers in 1u32..4, capacity in 1u32..7) {
        let config = SwarmConfig { threshold, min_workers, capacity, ..SwarmConfig::default() };
        let mut swarm = SwarmDetector::new(config, [1, 2]).expect("valid");
        // Known fingerprints with their calls, the least recently recorded first.
        let mut known: Vec<(u8, Vec<u8>)> = vec![];
        for (worker, call) in calls {
            let mut entry = match known.iter().position(|(other, _)| *other == call) {
                Some(at) => known.remove(at),
                None => (call, vec![]),
            };
            entry.1.push(worker);
            let workers: HashSet<u8> = entry.1.iter().copied().collect();
            let total = entry.1.len();
            known.push(entry);
            if known.len() > capacity as usize {
                known.remove(0);
            }
            let looping = total >= threshold as usize && workers.len() >= min_workers as usize;
            let verdict = swarm.record_fingerprint(&worker.to_string(), "t", &call.to_string());
            prop_assert_eq!(verdict.kind, looping.then_some(LoopKind::Global));
            prop_assert_eq!(verdict.count, if looping { total as u64 } else { 0 });
        }
        prop_assert_eq!(swarm.stats().fingerprints, known.len() as u64);
        for (call, workers) in &known {
            prop_assert_eq!(swarm.info(&call.to_string()).map(|info| info.total_calls), Some(workers.len() as u64));
        }
    }
}
