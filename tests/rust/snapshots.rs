//! A run that is saved and restored at any point gives the verdicts of an uninterrupted
//! one; anything but an intact snapshot changes nothing.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{
    Call, Channel, Config, LoopDetector, Preset, Snapshot, SwarmConfig, SwarmDetector, ToolResult,
    Verdict,
};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Act {
    Call(u8, u8, bool),
    Batch(Vec<u8>),
    Result(Option<u8>, Option<bool>, u8),
    Text(u8),
    Chunk(u8, u8),
    Turn,
    User,
    Feedback,
    Extend,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    proptest::collection::vec(
        prop_oneof![
            6 => (0u8..TOOLS.len() as u8, 0u8..2, any::<bool>()).prop_map(|(tool, args, id)| Act::Call(tool, args, id)),
            1 => proptest::collection::vec(0u8..TOOLS.len() as u8, 0..4).prop_map(Act::Batch),
            6 => (any::<Option<u8>>(), any::<Option<bool>>(), 0u8..OUTPUTS.len() as u8).prop_map(|(id, ok, output)| Act::Result(id, ok, output)),
            1 => (0u8..3).prop_map(Act::Text),
            3 => (0u8..3, 0u8..3).prop_map(|(text, channel)| Act::Chunk(text, channel)),
            1 => Just(Act::Turn),
            1 => Just(Act::User),
            1 => Just(Act::Feedback),
            1 => Just(Act::Extend),
        ],
        0..60,
    )
}

const TOOLS: &[(&str, &str)] = &[
    ("bash", r#"{"command":"npm test"}"#),
    ("bash", r#"{"command":"cat foo.ts"}"#),
    ("read_file", r#"{"path":"a.ts","limit":5}"#),
    ("skip_me", r#"{"n":1}"#),
    ("edit_file", r#"{"path":"a.ts","old_str":"1","new_str":"0"}"#),
    ("edit_file", r#"{"path":"a.ts","old_str":"0","new_str":"1"}"#),
    ("write_file", r#"{"path":"a.ts","content":"1"}"#),
    ("get_status", r#"{"job":1}"#),
    ("search", r#"{"query":"alpha beta 1"}"#),
    ("search", r#"{"query":"beta alpha 1"}"#),
];

const TEXTS: [&str; 3] =
    ["I will check the file again. ", "Step 7 is done, 👩‍💻 and now the next one. ", "```\n"];

const OUTPUTS: &[Option<&str>] = &[
    Some("1 failed, 2 passed"),
    Some("ok"),
    Some("exit code: 1"),
    Some("Error: no such thing"),
    Some("Error: 503 Service Unavailable"),
    Some("took 12ms"),
    None,
];

fn to_json(snapshot: &Snapshot) -> String {
    serde_json::to_string(snapshot).expect("plain data")
}

fn parse(text: &str) -> Snapshot {
    serde_json::from_str(text).expect("a snapshot")
}

fn perform(detector: &mut LoopDetector, act: &Act) -> Verdict {
    match act {
        Act::Call(tool, variant, with_id) => {
            let (name, args) = TOOLS[*tool as usize];
            let args = args.replace('1', &variant.to_string());
            let id = format!("id{variant}");
            let id = with_id.then_some(id.as_str());
            detector
                .record_call(&Call { name, args: args.as_str().into(), id, ..Call::default() })
                .clone()
        }
        Act::Batch(tools) => {
            let calls: Vec<Call> = tools
                .iter()
                .map(|tool| Call::new(TOOLS[*tool as usize].0, TOOLS[*tool as usize].1))
                .collect();
            detector.record_batch(&calls).clone()
        }
        Act::Result(id, ok, output) => {
            let id = id.map(|id| format!("id{}", id % 2));
            let output = OUTPUTS[*output as usize];
            detector
                .record_result(&ToolResult {
                    id: id.as_deref(),
                    name: None,
                    ok: *ok,
                    output,
                    at: None,
                })
                .clone()
        }
        Act::Text(text) => detector.record_text(TEXTS[*text as usize]).clone(),
        Act::Chunk(text, channel) => {
            let channel = Channel::ALL[*channel as usize % Channel::ALL.len()];
            detector.push_text(&TEXTS[*text as usize].repeat(4), channel).clone()
        }
        Act::Turn => detector.begin_turn().clone(),
        Act::User => {
            detector.user_message();
            detector.verdict().clone()
        }
        Act::Feedback => {
            detector.clear_after_feedback();
            detector.verdict().clone()
        }
        Act::Extend => {
            detector.extend(1);
            detector.verdict().clone()
        }
    }
}

/// Returns a configuration with all patterns enabled, and limits low enough that each
/// occurs.
fn busy_config(preset: Preset) -> Config {
    let mut config = preset.config();
    config.rules.iter_mut().for_each(|rule| rule.on = true);
    config.iteration_cap = Some(3);
    config
        .tools
        .push(("skip_me".into(), loophound::ToolSettings { exempt: true, ..Default::default() }));
    config.tools.push((
        "read_file".into(),
        loophound::ToolSettings { threshold: Some(2), ..Default::default() },
    ));
    config
}

fn busy(preset: Preset) -> LoopDetector {
    LoopDetector::new(busy_config(preset)).expect("valid")
}

/// Makes such a detector that compares the results of repeats and cycles, with low
/// thresholds.
fn impatient() -> LoopDetector {
    let mut config = busy_config(Preset::Balanced);
    let patience = &mut config.patience;
    patience.unsure = 3;
    patience.poll = 3;
    patience.infrastructure = 3;
    patience.after_changes = 2;
    patience.same_edit = 2;
    patience.stale = 2;
    for rule in &mut config.rules {
        rule.results = true;
        rule.threshold = rule.threshold.min(2);
    }
    let mut detector = LoopDetector::new(config).expect("valid");
    detector.set_clock(|| 7);
    detector
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_hop_at_any_point_changes_nothing(acts in acts(), hop in any::<prop::sample::Index>(), preset in 0usize..5) {
        let preset = Preset::ALL[preset];
        let mut unbroken = busy(preset);
        let mut hopping = busy(preset);
        unbroken.set_clock(|| 7);
        hopping.set_clock(|| 7);
        let hop = hop.index(acts.len().max(1));
        for (position, act) in acts.iter().enumerate() {
            if position == hop {
                let text = to_json(&hopping.snapshot());
                hopping = busy(preset);
                hopping.set_clock(|| 7);
                hopping.restore(&parse(&text)).expect("our own snapshot");
            }
            prop_assert_eq!(perform(&mut unbroken, act), perform(&mut hopping, act));
            prop_assert_eq!(unbroken.is_stuck(), hopping.is_stuck());
            prop_assert_eq!(unbroken.state(), hopping.state());
            prop_assert_eq!(unbroken.recent_names(), hopping.recent_names());
        }
        prop_assert_eq!(unbroken.snapshot(), hopping.snapshot());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn hopping_before_every_event_changes_nothing(acts in acts()) {
        let mut unbroken = impatient();
        let mut hopping = impatient();
        for act in &acts {
            let snapshot = hopping.snapshot();
            hopping = impatient();
            hopping.restore(&snapshot).expect("our own snapshot");
            prop_assert_eq!(perform(&mut unbroken, act), perform(&mut hopping, act));
            prop_assert_eq!(unbroken.is_stuck(), hopping.is_stuck());
            prop_assert_eq!(unbroken.state(), hopping.state());
        }
        prop_assert_eq!(unbroken.snapshot(), hopping.snapshot());
    }
}

fn filled() -> LoopDetector {
    let mut detector = busy(Preset::Nudge);
    for (name, args) in TOOLS {
        detector.record(name, *args);
        detector.record_result(&ToolResult { output: Some("Error: no"), ..ToolResult::default() });
        detector.record(name, *args);
        detector.record_result(&ToolResult { output: Some("fine"), ..ToolResult::default() });
    }
    for _ in 0..6 {
        detector.record("bash", r#"{"command":"cat é.ts"}"#);
        detector.record_result(&ToolResult { ok: Some(false), ..ToolResult::default() });
        detector.record_call(&Call { id: Some("x"), ..Call::new("read_file", "{}") });
    }
    detector
}

#[test]
fn every_prefix_is_refused_and_changes_nothing() {
    let text = to_json(&filled().snapshot());
    let mut target = filled();
    let before = target.snapshot();
    for end in 0..text.len() {
        if let Some(Ok(snapshot)) = text.get(..end).map(serde_json::from_str) {
            assert!(target.restore(&snapshot).is_err());
        }
    }
    assert_eq!(target.snapshot(), before);
}

#[test]
fn every_single_byte_change_is_refused_and_changes_nothing() {
    let text = to_json(&filled().snapshot());
    let mut target = filled();
    let before = target.snapshot();
    for at in 0..text.len() {
        for flip in [1u8, 4, 32] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= flip;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            let Ok(snapshot) = serde_json::from_str(&changed) else { continue };
            assert!(target.restore(&snapshot).is_err(), "{changed}");
        }
    }
    assert_eq!(target.snapshot(), before);
}

#[test]
fn other_versions_kinds_and_shapes_are_refused_by_name() {
    let text = to_json(&filled().snapshot());
    let refusal = |detector: &mut LoopDetector, text: &str| {
        detector.restore(&parse(text)).expect_err("refused").to_string()
    };
    let mut nudge = busy(Preset::Nudge);
    let later = text.replace("\"version\":5", "\"version\":6");
    assert_eq!(refusal(&mut nudge, &later), "snapshot.version must be 5; got 6");
    let mut swarm = SwarmDetector::default();
    let swarm_text = to_json(&swarm.snapshot());
    assert_eq!(
        refusal(&mut nudge, &swarm_text),
        "snapshot.kind must be \"detector\"; got \"swarm\""
    );
    assert!(swarm.restore(&parse(&text)).is_err());
    let mut narrow = Preset::Nudge.config();
    narrow.window = 5;
    let mut narrow = LoopDetector::new(narrow).expect("valid");
    let message = refusal(&mut narrow, &text);
    assert!(message.starts_with("snapshot was made with other options"), "{message}");
    assert!(message.contains("window 10") && message.contains("window 5"), "{message}");
}

#[test]
fn thresholds_and_texts_may_change_between_saving_and_loading() {
    let mut before = LoopDetector::with_preset(Preset::Nudge);
    before.record("read", "{}");
    before.record("read", "{}");
    let mut config: Config = Preset::Nudge.config();
    config.set_threshold(4);
    let mut after = LoopDetector::new(config).expect("valid");
    after.restore(&before.snapshot()).expect("the same shape");
    assert_eq!(after.record("read", "{}").count, 0);
    assert_eq!(after.record("read", "{}").count, 4);
}

proptest! {
    #[test]
    fn a_swarm_goes_on_where_it_was(calls in proptest::collection::vec((0u8..3, 0u8..6), 0..80), hop in any::<prop::sample::Index>()) {
        let config = SwarmConfig { threshold: 4, capacity: 3, ..SwarmConfig::default() };
        let mut unbroken = SwarmDetector::new(config.clone(), [1, 2]).expect("valid");
        let mut hopping = SwarmDetector::new(config.clone(), [3, 4]).expect("valid");
        let hop = hop.index(calls.len().max(1));
        for (position, (worker, call)) in calls.iter().enumerate() {
            if position == hop {
                let text = to_json(&hopping.snapshot());
                hopping = SwarmDetector::new(config.clone(), [5, 6]).expect("valid");
                hopping.restore(&parse(&text)).expect("our own snapshot");
            }
            let (worker, args) = (format!("w{worker}"), format!("{{\"path\":\"{call}\"}}"));
            prop_assert_eq!(unbroken.record(&worker, "read", args.as_str()), hopping.record(&worker, "read", args.as_str()));
        }
        prop_assert_eq!(unbroken.loops(), hopping.loops());
        prop_assert_eq!(unbroken.stats(), hopping.stats());
    }
}
