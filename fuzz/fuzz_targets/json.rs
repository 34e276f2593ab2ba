//! Arguments as text, JSON or not: the fingerprint is always bounded, and the same for the
//! same call.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loophound::{Config, LoopDetector, LoopKind, Preset, compute_tool_fingerprint};

fn strict() -> LoopDetector {
    let mut config: Config = Preset::Nudge.config();
    config.set_threshold(2);
    LoopDetector::new(config).expect("allowed")
}

fuzz_target!(|text: &str| {
    let print = compute_tool_fingerprint("tool", text);
    assert!(print.chars().count() <= 200);
    assert_eq!(print, compute_tool_fingerprint("tool", text));
    let mut detector = strict();
    detector.record("tool", text);
    assert_eq!(detector.record("tool", text).kind, Some(LoopKind::ExactRepeat));
    if serde_json::from_str::<serde_json::Value>(text).is_ok() {
        // White space around JSON does not matter.
        let spaced = format!(" \n{text}\t");
        assert_eq!(detector.record("tool", spaced.as_str()).count, 3);
    }
});
