//! Snapshots of unknown origin. An accepted one must be usable: it can be saved and read
//! again. (The checksum is not checked here, so that the code behind it is reached.)
#![no_main]

use libfuzzer_sys::fuzz_target;
use loophound::{Channel, LoopDetector, Preset, SwarmDetector, ToolResult};

fuzz_target!(|text: &str| {
    let Ok(snapshot) = serde_json::from_str(text) else { return };
    let _ = SwarmDetector::default().restore(&snapshot);
    for preset in Preset::ALL {
        let mut detector = LoopDetector::with_preset(*preset);
        let before = detector.snapshot();
        if detector.restore(&snapshot).is_err() {
            assert_eq!(detector.snapshot(), before);
            continue;
        }
        for _ in 0..4 {
            detector.record("bash", r#"{"command":"make"}"#);
            detector.record_result(&ToolResult { ok: Some(false), ..ToolResult::default() });
            detector.push_text("again and again ", Channel::Text);
            detector.record_text("again");
            detector.begin_turn();
        }
        let saved = detector.snapshot();
        LoopDetector::with_preset(*preset).restore(&saved).expect("our own snapshot");
        detector.user_message();
        detector.reset();
    }
});
