//! Shell commands as models write them, quotes unbalanced and all.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loophound::{LoopDetector, Preset, ToolResult, compute_tool_fingerprint};

fuzz_target!(|command: &str| {
    let quoted = serde_json::Value::from(command).to_string();
    let args = format!("{{\"command\":{quoted}}}");
    let print = compute_tool_fingerprint("bash", args.as_str());
    assert!(print.chars().count() <= 200);
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let list = format!("{{\"command\":[\"bash\",\"-lc\",{quoted}]}}");
    for args in [&args, &list, &args] {
        for ok in [None, Some(true), Some(false)] {
            detector.record("bash", args.as_str());
            detector.record_result(&ToolResult {
                ok,
                output: Some(command),
                ..ToolResult::default()
            });
        }
    }
});
