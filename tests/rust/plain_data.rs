//! What hosts in Rust see as plain data: verdicts, errors, options; and commands
//! that come as lists of words.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{
    Channel, Config, Error, ErrorKind, LoopDetector, Preset, Snapshot, SwarmConfig, ToolResult,
    Verdict, compute_tool_fingerprint,
};
use serde_json::{Value, json};

fn read(options: Value) -> Result<Config, Error> {
    Config::from_options(options)
}

fn data(verdict: &Verdict) -> Value {
    serde_json::to_value(verdict).expect("plain data")
}

/// The fields that `js/types.ts` declares, in any order.
fn names(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_verdict_as_data_says_what_the_verdict_says() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let quiet = data(detector.record("read", r#"{"path":"x"}"#));
    assert_eq!(quiet["action"], "continue");
    assert_eq!(quiet["status"], "OK");
    assert_eq!(quiet["kind"], Value::Null);
    assert_eq!(quiet["since"], -1);
    let result = ToolResult { output: Some("y"), ..ToolResult::default() };
    detector.record_result(&result);
    let mut loud = None;
    for _ in 0..20 {
        let verdict = detector.record("read", r#"{"path":"x"}"#);
        if verdict.loop_detected() {
            loud = Some(verdict.clone());
            break;
        }
        detector.record_result(&result);
    }
    let verdict = loud.expect("the same call twenty times");
    let loud = data(&verdict);
    assert_eq!(loud["action"], verdict.action.name());
    assert_eq!(loud["level"], verdict.level.name());
    assert_eq!(loud["kind"], verdict.kind.expect("a loop").name());
    assert_eq!(loud["status"], "LOOP_DETECTED");
    assert_eq!(loud["tool"], "read");
    assert_eq!(loud["count"], verdict.count);
    assert_eq!(loud["period"], verdict.period);
    assert_eq!(loud["since"], verdict.since.expect("a call"));
    assert_eq!(loud["message"], *verdict.message.as_ref().expect("a text"));
    assert_eq!(loud["details"], Value::Null);
    assert_eq!(names(&loud), names(&quiet));
    for data in [&quiet, &loud] {
        let read: Verdict = serde_json::from_value(data.clone()).expect("what we wrote ourselves");
        assert_eq!(serde_json::to_value(read).expect("plain data"), *data);
    }
}

#[test]
fn a_verdict_on_text_says_where() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let chant = "I will now check the file again. ".repeat(12);
    let verdict = data(detector.push_text(&chant, Channel::Text));
    let details = &verdict["details"];
    assert_eq!(names(details), ["channel", "since", "unit", "repeats", "wasted"]);
    assert_eq!(details["channel"], "text");
    let unit = details["unit"].as_str().expect("a text");
    assert!(chant.contains(unit.trim_end_matches('…')), "{unit}");
}

#[test]
fn mistakes_in_options_are_named_and_of_their_kind() {
    use ErrorKind::{Range, Type};
    for (options, kind, message) in [
        (
            json!({"detectors":{"iteration-cap":true}}),
            Range,
            "options.detectors.iteration-cap is set by options.iterationCap; only false is allowed here",
        ),
        (
            json!({"detectors":{"global":{}}}),
            Range,
            "options.detectors.global is the SwarmDetector's; only false is allowed here",
        ),
        (
            json!({"tables":{"primaryKeys":["path",7]}}),
            Type,
            "options.tables.primaryKeys must be a list of strings; got 7",
        ),
        (
            json!({"tools":{"bash":{"exempt":"yes"}}}),
            Type,
            "options.tools.bash.exempt must be true or false; got \"yes\"",
        ),
        (
            json!({"tools":{"bash":{"identity":"x"}}}),
            Type,
            "options.tools.bash.identity must be a function; got \"x\"",
        ),
        (
            json!({"preset":"nudge","window":2}),
            Range,
            "options.window must be at least 3, the threshold of exact-repeat; got 2",
        ),
        (
            json!({"detectors":{"same-error":{"results":true}}}),
            Type,
            "options.detectors.same-error.results is not an option of this detector",
        ),
        (
            json!({"detectors":{"cycle":{"rungs":[
                {"at":1,"action":"nudge","level":"notice"},
                {"at":-1,"action":"stop","level":"critical"},
            ]}}}),
            Range,
            "options.detectors.cycle.rungs[1].at must be a whole number from 1 to 4294967295; got -1",
        ),
        (
            json!({"detectors":{"cycle":{"rungs":[{"at":1,"action":"continue","level":"notice"}]}}}),
            Range,
            "options.detectors.cycle.rungs[0].action must be one of \"nudge\", \"block\", \"stop\"; got \"continue\"",
        ),
        (
            json!({"detectors":{"cycle":{"rungs":[{"at":1,"action":"nudge"}]}}}),
            Type,
            "options.detectors.cycle.rungs[0].level is missing",
        ),
        (
            json!({"detectors":{"cycle":{"rungs":[]}}}),
            Range,
            "options.detectors.cycle.rungs must be a list of rungs with rising \"at\"",
        ),
        (
            json!({"detectors":{"cycle":7}}),
            Type,
            "options.detectors.cycle must be an object; got 7",
        ),
        (
            json!({"detectors":{"cicle":true}}),
            Type,
            "options.detectors.cicle is not a kind of loop; allowed: exact-repeat, fuzzy-repeat, ",
        ),
        (
            json!({"detectors":{"cycle":{"climb":7}}}),
            Type,
            "options.detectors.cycle.climb must be a string; got 7",
        ),
        (
            json!({"messages":{"cycle":{"loud":"x"}}}),
            Type,
            "options.messages.cycle.loud is not an option; allowed: none, notice, warning, critical",
        ),
        (
            json!({"messages":{"cycle":7}}),
            Type,
            "options.messages.cycle must be a string or an object with texts by level; got 7",
        ),
        (
            json!({"patience":{"likeness":101}}),
            Range,
            "options.patience.likeness must be a whole number from 1 to 100; got 101",
        ),
        (
            json!({"patience":{"after_changes":3}}),
            Type,
            "options.patience.after_changes is not an option; allowed: unsure, execution, timedExecution, empty, ",
        ),
        (
            json!({"preset":"cycles","maxPeriod":11}),
            Range,
            "options.maxPeriod must be a whole number from 1 to 10; got 11",
        ),
        (
            json!({"treshold":3}),
            Type,
            "options.treshold is not an option; allowed: preset, threshold, fuzzyThreshold, ",
        ),
        (
            json!("strict"),
            Range,
            "options.preset must be one of \"balanced\", \"nudge\", \"guard\", \"cycles\", \"window\"; got \"strict\"",
        ),
        (json!([]), Type, "options must be an object; got a list of 0"),
        (
            json!({"tools":{"a":["shell",null,[],true,true,3,3]}}),
            Type,
            "options.tools.a must be an object; got a list of 7",
        ),
        (
            json!({"batch":"a text that is longer than what anybody would want to read"}),
            Range,
            "options.batch must be one of \"each\", \"end\"; got \"a text that is longer than what anybody …\"",
        ),
        (json!({"threshold":2.5}), Range, "options.threshold must be a whole number"),
        (json!({"threshold":[1,2]}), Type, "options.threshold must be a number; got a list of 2"),
    ] {
        let error = read(options.clone()).map(|_| options).expect_err("a mistake");
        assert!(error.to_string().starts_with(message), "{error}");
        assert!(message.starts_with(error.path()), "{error}");
        assert_eq!(error.kind(), kind, "{error}");
    }
}

#[test]
fn options_may_come_in_any_format() {
    let config: Config = serde_json::from_str(r#"{"preset":"nudge","window":5.0}"#).expect("valid");
    assert_eq!((config.preset, config.window), (Preset::Nudge, 5));
    assert_eq!(read(json!("guard")), Ok(Preset::Guard.config()));
    assert_eq!(read(Value::Null), Ok(Config::default()));
    let error = serde_json::from_str::<Config>(r#"{"window":1}"#).expect_err("too small");
    let text = error.to_string();
    assert!(text.starts_with("options.window must be a whole number from 2 to"), "{text}");
}

#[test]
fn null_is_absent_but_for_the_cap() {
    let config = read(json!({
        "preset": "guard",
        "threshold": null,
        "iterationCap": null,
        "tools": null,
        "patience": { "poll": null },
        "detectors": { "exact-repeat": null },
        "messages": { "cycle": null },
    }));
    let mut expected = Preset::Guard.config();
    expected.iteration_cap = None;
    assert_eq!(config, Ok(expected));
}

#[test]
fn what_is_written_reads_back_the_same() {
    for preset in Preset::ALL {
        let mut config = preset.config();
        config.window = 50;
        let written = serde_json::to_value(&config).expect("plain data");
        let again = read(written.clone()).expect("what we wrote ourselves");
        assert_eq!(serde_json::to_value(&again).expect("plain data"), written);
        assert_eq!((again.rules, again.patience), (config.rules, config.patience));
    }
    let swarm = SwarmConfig { max_workers: 7, message: Some("x".into()), ..Default::default() };
    let written = serde_json::to_value(&swarm).expect("plain data");
    assert_eq!(SwarmConfig::from_options(written), Ok(swarm));
}

#[test]
fn mistakes_in_a_configuration_are_told_in_its_own_names() {
    type Change = fn(&mut Config);
    let changes: [(Change, &str); 6] = [
        (|c| c.max_period = 0, "max_period must be a whole number from 1 to 1000; got 0"),
        (|c| c.iteration_cap = Some(0), "iteration_cap must be a whole number from 1 to"),
        (|c| c.patience.after_changes = 1, "patience.after_changes must be a whole number from 2"),
        (|c| c.set_threshold(1), "rules.exact-repeat.threshold must be a whole number from 2 to"),
        (|c| c.rules[0].rungs.clear(), "rules.exact-repeat.rungs must be a list of rungs"),
        (
            |c| {
                let settings =
                    loophound::ToolSettings { fuzzy_threshold: Some(1), ..Default::default() };
                c.tools.push(("my_tool".into(), settings));
            },
            "tools.my_tool.fuzzy_threshold must be a whole number from 2 to 10; got 1",
        ),
    ];
    for (change, message) in changes {
        let mut config = Preset::Nudge.config();
        change(&mut config);
        let error = LoopDetector::new(config).err().expect("a mistake");
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(error.kind(), ErrorKind::Range);
    }
}

#[test]
fn mistakes_in_a_swarms_options_are_named() {
    for (options, message) in [
        (
            json!({"minWorkers":300}),
            "options.minWorkers must be a whole number from 1 to 256; got 300",
        ),
        (json!({"maxWorkers":1}), "options.minWorkers must be a whole number from 1 to 1; got 2"),
        (json!({"capacity":0}), "options.capacity must be a whole number from 1 to 1000000; got 0"),
        (json!({"message":7}), "options.message must be a string; got 7"),
        (
            json!({"workers":7}),
            "options.workers is not an option; allowed: threshold, minWorkers, capacity, maxWorkers, message",
        ),
        (json!("nudge"), "options must be an object; got \"nudge\""),
    ] {
        let error = SwarmConfig::from_options(options).expect_err("a mistake");
        assert_eq!(error.to_string(), message);
    }
    let error = SwarmConfig { min_workers: 0, ..Default::default() }.check().expect_err("none");
    assert_eq!(error.path(), "min_workers");
}

#[test]
fn what_is_no_snapshot_is_refused_by_name() {
    let snapshot = LoopDetector::default().snapshot();
    let good = serde_json::to_value(&snapshot).expect("plain data");
    assert_eq!(Snapshot::from_data(&good), Ok(snapshot));
    let with = |name: &str, value: Value| {
        let mut changed = good.clone();
        changed[name] = value;
        changed
    };
    for (data, kind, message) in [
        (json!({}), ErrorKind::Range, "snapshot.format must be \"loophound\"; got null"),
        (json!([]), ErrorKind::Type, "snapshot must be an object; got a list of 0"),
        (json!("{}"), ErrorKind::Type, "snapshot must be an object; got \"{}\""),
        (with("version", json!(1)), ErrorKind::Range, "snapshot.version must be 5; got 1"),
        (with("version", json!("3")), ErrorKind::Range, "snapshot.version must be 5; got \"3\""),
        (with("state", json!(7)), ErrorKind::Type, "snapshot.state must be a string; got 7"),
    ] {
        let error = Snapshot::from_data(data).expect_err("no snapshot");
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }
}

#[test]
fn a_clock_can_be_a_closure_and_a_detector_can_be_sent() {
    fn can_be_sent<T: Send + Sync>(value: T) -> T {
        value
    }
    let boot = 7;
    let mut detector = can_be_sent(LoopDetector::with_preset(Preset::Nudge));
    detector.set_clock(move || boot * 100);
    for _ in 0..3 {
        detector.record("read", "{}");
    }
    assert_eq!(detector.state().last_warning_time, 700);
}

#[test]
fn the_cap_can_be_switched_off_where_patterns_are() {
    let detectors = json!({ "iteration-cap": false, "global": false });
    let config = read(json!({ "iterationCap": 5, "detectors": detectors }));
    let detector = LoopDetector::new(config.expect("allowed")).expect("valid");
    assert_eq!(detector.config().iteration_cap, None);
}

/// `["bash", "-lc", "cat x"]` is what `cat x` is, and so is `["cat", "x"]`.
#[test]
fn a_command_may_come_as_a_list_of_words() {
    let of = |args: &str| compute_tool_fingerprint("shell", args);
    let usual = of(r#"{"command":"head -n 20 foo.ts"}"#);
    assert_eq!(usual, "bash:file_read:foo.ts");
    for same in [
        r#"{"command":["head","-n","20","foo.ts"]}"#,
        r#"{"command":["bash","-lc","head -n 20 foo.ts"]}"#,
        r#"{"command":["/bin/sh", "-c", "head foo.ts"]}"#,
        r#"{"cmd":["zsh","-c","cat foo.ts"]}"#,
        r#"["cat","foo.ts"]"#,
        r#""cat foo.ts""#,
        "cat foo.ts",
    ] {
        assert_eq!(of(same), usual, "{same}");
    }
    for other in [
        // Not a shell command: `bash` would run a file called `cat`.
        r#"{"command":["bash","cat","foo.ts"]}"#,
        r#"{"command":["cat","bar.ts"]}"#,
        r#"{"command":["cat",7]}"#,
        r#"{"command":{"cat":"foo.ts"}}"#,
        r#"{"command":7}"#,
        r#"{"command":[]}"#,
        r#"{"nothing":"cat foo.ts"}"#,
    ] {
        assert_ne!(of(other), usual, "{other}");
        assert_eq!(of(other), of(other));
    }
}

/// Values have the same text exactly if they are equal as JSON.
#[test]
fn readable_fingerprints_hold_any_value() {
    let of = |args: &str| compute_tool_fingerprint("t", args);
    assert_eq!(
        of(r#"{"b":[1.0, true,null,"x",{"d":[],"c":-2e1}], "a":"\u0041"}"#),
        r#"t:{"a":"A","b":[1,true,null,"x",{"c":-20,"d":[]}]}"#
    );
    let deep =
        |depth: usize, core: &str| format!("{}{core}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(of(&deep(40, "1")), of(&deep(40, "1.0")));
    // Too deep to be written out, but still distinct.
    assert_ne!(of(&deep(40, "1")), of(&deep(40, "2")));
    let long = |last: u32| format!("[{}{last}]", "1234567890,".repeat(200));
    assert_ne!(of(&long(1)), of(&long(2)));
    assert!(of(&long(1)).chars().count() <= 200);
}
