//! Options of unknown origin: a detector that works, or an error that names the option.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loophound::{Config, LoopDetector, SwarmConfig, ToolResult};
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(options) = serde_json::from_str::<Value>(text) else { return };
    if let Err(error) = SwarmConfig::from_options(&options) {
        assert!(error.to_string().starts_with("options"), "{error}");
    }
    match Config::from_options(&options) {
        Err(error) => assert!(error.to_string().starts_with("options"), "{error}"),
        Ok(config) => {
            let written = serde_json::to_value(&config).expect("plain data");
            let again = Config::from_options(&written).expect("what we wrote ourselves");
            assert_eq!(serde_json::to_value(&again).expect("plain data"), written);
            let mut detector = LoopDetector::new(config).expect("checked");
            for _ in 0..8 {
                detector.record("bash", r#"{"command":"ls"}"#);
                detector.record_result(&ToolResult { ok: Some(false), ..ToolResult::default() });
                detector.record_text("hm");
                detector.begin_turn();
            }
            let saved = serde_json::to_string(&detector.snapshot()).expect("plain data");
            assert!(saved.len() < 10_000_000);
        }
    }
});
