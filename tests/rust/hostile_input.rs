//! Whatever the input, the detector answers and keeps working.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{
    Action, Call, Channel, Config, LoopDetector, Preset, ToolResult, compute_tool_fingerprint,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn snapshot_size(detector: &LoopDetector) -> usize {
    serde_json::to_string(&detector.snapshot()).expect("plain data").len()
}

fn works(detector: &mut LoopDetector) {
    detector.reset();
    let mut hardest = Action::Continue;
    for _ in 0..8 {
        hardest = hardest.max(detector.record("read", r#"{"path":"x"}"#).action);
        hardest = hardest.max(
            detector
                .record_result(&ToolResult { output: Some("y"), ..ToolResult::default() })
                .action,
        );
    }
    assert_ne!(hardest, Action::Continue);
}

#[test]
fn arguments_cut_inside_a_character_do_not_panic() {
    // The reference implementation cuts at byte 200, which panics here; the detector counts
    // characters.
    for character in ["é", "漢", "😀"] {
        for shift in 0..8 {
            let same = format!("{}{}", "a".repeat(shift), character.repeat(300));
            let other = format!("{same}!");
            let mut detector = LoopDetector::with_preset(Preset::Guard);
            for _ in 0..2 {
                detector.record("Read", same.as_str());
                detector.record("Read", other.as_str());
            }
            assert_eq!(detector.record("Read", same.as_str()).action, Action::Nudge);
            let early = format!("!{same}");
            assert_eq!(detector.record("Read", early.as_str()).action, Action::Continue);
        }
    }
}

#[test]
fn sizes_nobody_sends() {
    let ten_megabytes = "x".repeat(10_000_000);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let keys: Vec<String> = (0..100_000).map(|key| format!("\"k{key}\":{key}")).collect();
    let wide = format!("{{{}}}", keys.join(","));
    for preset in Preset::ALL {
        let mut detector = LoopDetector::with_preset(*preset);
        for args in [&ten_megabytes, &deep, &wide] {
            detector.record("t", args.as_str());
            detector.record(args, "{}");
            let result = ToolResult { output: Some(args), id: Some(args), ..ToolResult::default() };
            detector.record_result(&result);
            detector.record_text(args);
            assert!(compute_tool_fingerprint("t", args.as_str()).chars().count() <= 200);
            assert!(compute_tool_fingerprint(args, "{}").chars().count() <= 200);
        }
        assert!(snapshot_size(&detector) < 100_000);
        works(&mut detector);
    }
}

#[test]
fn a_million_distinct_tools() {
    let mut detector = LoopDetector::with_preset(Preset::Nudge);
    for tool in 0..1_000_000u32 {
        assert_eq!(detector.record(&tool.to_string(), "{}").action, Action::Continue);
    }
    assert!(snapshot_size(&detector) < 100_000);
    works(&mut detector);
}

/// Returns texts that are hard to scan, as outputs and as arguments.
fn hostile_texts(length: usize) -> Vec<String> {
    let fill = |part: &str| part.repeat(length / part.len());
    vec![
        fill("x"),
        fill("7"),
        fill("1:"),
        fill("0x"),
        fill("12:30:01 "),
        fill("1763280000123 "),
        fill("deadbeef0 "),
        fill("/tmp/"),
        fill("/tmp/tmp1"),
        fill("\n"),
        fill("\r1"),
        fill("pid 1 "),
        fill("["),
        fill("{\"a\":"),
        fill("`"),
        fill("'"),
        fill("\""),
        fill("\\"),
        fill("\0"),
        fill("error "),
        fill("error\n"),
        fill("e"),
        fill("Traceback\n"),
        fill("a: b\n"),
        fill("é"),
        fill("漢"),
        fill("😀"),
        fill("1 failed "),
        fill("exit code "),
    ]
}

/// Records a call with the text in it, then the text as its output, failed and not.
fn record_everywhere(detector: &mut LoopDetector, text: &str) {
    let quoted = json!(text).to_string();
    let edit = format!("{{\"path\":{quoted},\"old_str\":{quoted},\"new_str\":{quoted}}}");
    let command = format!("{{\"command\":{quoted}}}");
    for (name, args) in [("edit", edit.as_str()), ("bash", &command), ("t", text), ("read", "{}")] {
        for ok in [None, Some(true), Some(false)] {
            detector.record(name, args);
            detector.record_result(&ToolResult { ok, output: Some(text), ..ToolResult::default() });
        }
    }
}

#[test]
fn texts_nobody_sends() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    for text in hostile_texts(100_000) {
        record_everywhere(&mut detector, &text);
        assert!(snapshot_size(&detector) < 100_000);
    }
    works(&mut detector);
}

/// Ten times the length must not cost a hundred times as much: with quadratic cost this
/// test would not end.
#[test]
fn ten_megabytes_of_output_are_read_in_one_go() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    for text in hostile_texts(10_000_000) {
        for (name, ok) in [("bash", None), ("read", Some(true)), ("pytest", Some(false))] {
            detector.record(name, "{}");
            detector.record_result(&ToolResult {
                ok,
                output: Some(&text),
                ..ToolResult::default()
            });
        }
    }
    works(&mut detector);
}

/// Memory does not grow with the history, whatever is reported.
#[test]
fn a_million_events_are_kept_in_the_same_space() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let mut largest = 0;
    for number in 0..250_000u32 {
        let args =
            format!("{{\"path\":\"file{number}\",\"old_str\":\"{number}\",\"new_str\":\"x\"}}");
        let output = format!("output number {number}");
        let name = ["read", "edit", "bash", "t"][number as usize % 4];
        let result = ToolResult { output: Some(&output), ..ToolResult::default() };
        assert_eq!(detector.record(name, args.as_str()).action, Action::Continue);
        assert_eq!(detector.record_result(&result).action, Action::Continue);
        // A call without a result, and a result without a call.
        assert_eq!(detector.record(name, output.as_str()).action, Action::Continue);
        let unasked = ToolResult { id: Some("nobody"), ..result };
        assert_eq!(detector.record_result(&unasked).action, Action::Continue);
        if number % 25_000 == 1_000 {
            largest = snapshot_size(&detector);
        }
    }
    // Only numbers grow, by a digit or two.
    let last = snapshot_size(&detector);
    assert!(last < largest + largest / 20 && last < 200_000, "{largest} {last}");
    works(&mut detector);
}

#[test]
fn a_batch_of_any_size() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    detector.begin_batch();
    for number in 0..200_000u32 {
        let args = format!("{{\"path\":\"file{number}\"}}");
        detector.record("read", args.as_str());
    }
    assert_eq!(detector.end_batch().action, Action::Continue);
    works(&mut detector);
}

#[test]
fn options_that_are_written_out_hold_the_tools() {
    let sandbox =
        json!({ "class": "shell", "ignore": ["id"], "threshold": 4, "fuzzyThreshold": 5 });
    let tools = json!({ "poll": { "exempt": true }, "sandbox": sandbox });
    let options = json!({ "preset": "nudge", "tools": tools });
    let config = Config::from_options(options).expect("valid");
    assert_eq!(config.tools.len(), 2);
    let again = Config::from_options(written(&config)).expect("what we wrote ourselves");
    assert_eq!(again.tools, config.tools);
}

fn written(config: &Config) -> Value {
    serde_json::to_value(config).expect("plain data")
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::from),
        (-5i32..300).prop_map(Value::from),
        "[a-z-]{0,12}".prop_map(Value::from),
        prop_oneof![Just("nudge"), Just("raw"), Just("count"), Just("stop"), Just("shell")]
            .prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("preset"),
        Just("threshold"),
        Just("fuzzyThreshold"),
        Just("window"),
        Just("maxPeriod"),
        Just("iterationCap"),
        Just("identity"),
        Just("rawLength"),
        Just("batch"),
        Just("tools"),
        Just("detectors"),
        Just("messages"),
        Just("tables"),
        Just("cycle"),
        Just("exact-repeat"),
        Just("rungs"),
        Just("at"),
        Just("action"),
        Just("level"),
        Just("climb"),
        Just("class"),
        Just("primaryKeys"),
        Just("bash"),
        Just("ignore"),
        Just("exempt"),
    ]
    .prop_map(String::from);
    leaf.prop_recursive(4, 30, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn options_are_taken_or_refused_with_a_name(options in values()) {
        match Config::from_options(&options) {
            Ok(config) => {
                let again = Config::from_options(written(&config)).expect("what we wrote ourselves");
                prop_assert_eq!(written(&again), written(&config));
                let mut detector = LoopDetector::new(config).expect("checked");
                for _ in 0..20 {
                    detector.record("bash", r#"{"command":"ls"}"#);
                    detector.record_result(&ToolResult { ok: Some(false), ..ToolResult::default() });
                }
            }
            Err(error) => prop_assert!(error.to_string().starts_with("options"), "{}", error),
        }
    }

    #[test]
    fn no_event_makes_it_panic(name in ".*", args in ".*", id in any::<Option<String>>(), output in ".*", ok in any::<Option<bool>>(), preset in 0usize..5) {
        let mut detector = LoopDetector::with_preset(Preset::ALL[preset]);
        for _ in 0..6 {
            detector.record_call(&Call { name: &name, args: args.as_str().into(), id: id.as_deref(), ..Call::default() });
            detector.record_call(&Call { name: "bash", args: args.as_str().into(), id: id.as_deref(), ..Call::default() });
            detector.record_result(&ToolResult { id: id.as_deref(), name: None, ok, output: Some(&output), at: None });
            detector.push_text(&args, Channel::Text);
            detector.record_text(&args);
            detector.begin_turn();
        }
        let _ = compute_tool_fingerprint(&name, args.as_str());
        works(&mut detector);
    }
}
