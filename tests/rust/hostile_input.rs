//! Whatever comes in, the detector answers and works on afterwards.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{
    Action, Call, Channel, Config, LoopDetector, Preset, ToolResult, Value,
    compute_tool_fingerprint,
};
use proptest::prelude::*;

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
    // Seed 001 cuts at byte 200, which panics here; ours counts characters.
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
        assert!(detector.snapshot().to_json().len() < 100_000);
        works(&mut detector);
    }
}

#[test]
fn a_million_distinct_tools() {
    let mut detector = LoopDetector::with_preset(Preset::Nudge);
    for tool in 0..1_000_000u32 {
        assert_eq!(detector.record(&tool.to_string(), "{}").action, Action::Continue);
    }
    assert!(detector.snapshot().to_json().len() < 100_000);
    works(&mut detector);
}

#[test]
fn options_that_are_written_out_hold_the_tools() {
    let options = r#"{"preset":"nudge","tools":{"poll":{"exempt":true},"sandbox":{"class":"shell","ignore":["id"],"threshold":4,"fuzzyThreshold":5}}}"#;
    let config = Config::from_value(&Value::parse_json(options).expect("JSON")).expect("valid");
    assert_eq!(config.tools.len(), 2);
    let again = Config::from_value(&config.to_value()).expect("what we wrote ourselves");
    assert_eq!(again.tools, config.tools);
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::Number),
        (-5i32..300).prop_map(|n| Value::Number(f64::from(n))),
        "[a-z-]{0,12}".prop_map(Value::Text),
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
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            proptest::collection::vec((key.clone(), inner), 0..5).prop_map(Value::Map),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn options_are_taken_or_refused_with_a_name(options in values()) {
        match Config::from_value(&options) {
            Ok(config) => {
                let again = Config::from_value(&config.to_value()).expect("what we wrote ourselves");
                prop_assert_eq!(again.to_value(), config.to_value());
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
            detector.record_call(&Call { name: &name, args: args.as_str().into(), id: id.as_deref() });
            detector.record_call(&Call { name: "bash", args: args.as_str().into(), id: id.as_deref() });
            detector.record_result(&ToolResult { id: id.as_deref(), name: None, ok, output: Some(&output) });
            detector.push_text(&args, Channel::Text);
            detector.record_text(&args);
            detector.begin_turn();
        }
        let _ = compute_tool_fingerprint(&name, args.as_str());
        works(&mut detector);
    }
}
