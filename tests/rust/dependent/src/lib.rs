//! Uses the library with only `core` and `alloc`.
#![no_std]

extern crate alloc;

use alloc::string::String;
use loophound::{Action, Config, Error, LoopDetector, Preset, Snapshot, SwarmDetector, ToolResult};

/// Records a call and its result; returns what to tell the model, if anything.
pub fn record(detector: &mut LoopDetector, name: &str, args: &str, ok: bool) -> Option<String> {
    let action = detector.record(name, args).action;
    if action == Action::Continue {
        detector.record_result(&ToolResult { ok: Some(ok), ..ToolResult::default() });
    }
    detector.verdict().message.clone()
}

/// Makes a detector with its own clock and continues from a snapshot.
pub fn resume(snapshot: &Snapshot, boot: u64) -> Result<LoopDetector, Error> {
    let mut config: Config = Preset::Guard.config();
    config.set_threshold(4);
    let mut detector = LoopDetector::new(config)?;
    detector.set_clock(move || boot + 1);
    detector.restore(snapshot)?;
    Ok(detector)
}

/// Counts the calls of several workers.
pub fn swarm(seed: [u64; 2]) -> Result<SwarmDetector, Error> {
    SwarmDetector::new(Default::default(), seed)
}
