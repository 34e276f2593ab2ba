//! What hosts in Rust see as plain data: verdicts, errors, options; and commands
//! that come as lists of words.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{
    Channel, Config, Error, ErrorKind, LoopDetector, LoopKind, Preset, ToolResult, Value,
    compute_tool_fingerprint,
};

fn read(options: &str) -> Result<Config, Error> {
    Config::from_value(&Value::parse_json(options).expect("JSON"))
}

/// The fields that `js/types.ts` declares, in any order.
fn names(value: &Value) -> Vec<&str> {
    let Value::Map(fields) = value else { return vec![] };
    let mut names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_verdict_as_data_says_what_the_verdict_says() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let quiet = detector.record("read", r#"{"path":"x"}"#).to_value();
    assert_eq!(quiet.get("action"), Some(&Value::from("continue")));
    assert_eq!(quiet.get("status"), Some(&Value::from("OK")));
    assert_eq!(quiet.get("kind"), Some(&Value::Null));
    assert_eq!(quiet.get("since"), Some(&Value::Number(-1.0)));
    assert_eq!(quiet.get("nothing of that name"), None);
    assert_eq!(Value::Null.get("action"), None);
    let mut loud = None;
    for _ in 0..8 {
        let verdict = detector.record("read", r#"{"path":"x"}"#);
        if verdict.loop_detected() {
            loud = Some((verdict.clone(), verdict.to_value()));
            break;
        }
        detector.record_result(&ToolResult { output: Some("y"), ..ToolResult::default() });
    }
    let (verdict, data) = loud.expect("the same call eight times");
    assert_eq!(data.get("action"), Some(&Value::from(verdict.action.name())));
    assert_eq!(data.get("level"), Some(&Value::from(verdict.level.name())));
    assert_eq!(data.get("kind"), Some(&Value::from(verdict.kind.map(LoopKind::name))));
    assert_eq!(data.get("status"), Some(&Value::from("LOOP_DETECTED")));
    assert_eq!(data.get("tool"), Some(&Value::from("read")));
    assert_eq!(data.get("count"), Some(&Value::Number(verdict.count as f64)));
    assert_eq!(data.get("period"), Some(&Value::from(verdict.period)));
    assert_eq!(data.get("message"), Some(&Value::from(verdict.message.clone())));
    assert_eq!(data.get("details"), Some(&Value::Null));
    assert_eq!(names(&data), names(&quiet));
}

#[test]
fn a_verdict_on_text_says_where() {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let chant = "I will now check the file again. ".repeat(12);
    let data = detector.push_text(&chant, Channel::Text).to_value();
    let details = data.get("details").expect("a field");
    assert_eq!(names(details), ["channel", "repeats", "since", "unit", "wasted"]);
    assert_eq!(details.get("channel"), Some(&Value::from("text")));
    let Some(Value::Text(unit)) = details.get("unit") else { panic!("no unit: {details:?}") };
    assert!(chant.contains(unit.trim_end_matches('…')), "{unit}");
}

#[test]
fn mistakes_in_options_are_named_and_of_their_kind() {
    use ErrorKind::{Range, Type};
    for (options, kind, message) in [
        (
            r#"{"detectors":{"iteration-cap":true}}"#,
            Range,
            "options.detectors.iteration-cap is set by options.iterationCap; only false is allowed here",
        ),
        (
            r#"{"detectors":{"global":{}}}"#,
            Range,
            "options.detectors.global is the SwarmDetector's; only false is allowed here",
        ),
        (
            r#"{"tables":{"primaryKeys":["path",7]}}"#,
            Type,
            "options.tables.primaryKeys must be a list of strings; got 7",
        ),
        (
            r#"{"tools":{"bash":{"exempt":"yes"}}}"#,
            Type,
            "options.tools.bash.exempt must be true or false; got \"yes\"",
        ),
        (
            r#"{"tools":{"bash":{"identity":"x"}}}"#,
            Type,
            "options.tools.bash.identity must be a function; got \"x\"",
        ),
        (
            r#"{"preset":"nudge","window":2}"#,
            Range,
            "options.window must be at least 3, the threshold of exact-repeat; got 2",
        ),
        (
            r#"{"detectors":{"same-error":{"results":true}}}"#,
            Type,
            "options.detectors.same-error.results is not an option of this detector",
        ),
        (r#"{"threshold":2.5}"#, Range, "options.threshold must be a whole number"),
        (r#"{"threshold":[1,2]}"#, Type, "options.threshold must be a number; got a list of 2"),
    ] {
        let error = read(options).map(|_| options).expect_err("a mistake");
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!((error.kind(), error.message()), (kind, error.to_string().as_str()));
    }
}

#[test]
fn the_cap_can_be_switched_off_where_patterns_are() {
    let config = read(r#"{"iterationCap":5,"detectors":{"iteration-cap":false,"global":false}}"#);
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
        // No shell runs this: `bash` is asked to run a file called `cat`.
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

/// Which values have the same text: those that JSON says are equal.
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
    // Too deep to be written out, and told apart all the same.
    assert_ne!(of(&deep(40, "1")), of(&deep(40, "2")));
    let long = |last: u32| format!("[{}{last}]", "1234567890,".repeat(200));
    assert_ne!(of(&long(1)), of(&long(2)));
    assert!(of(&long(1)).chars().count() <= 200);
}
