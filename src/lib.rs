//! loophound notices when an LLM agent goes round in circles, and says what the
//! host should do about it.
//!
//! # One way through the house
//!
//! ```text
//! agent event -> fingerprint -> history -> detectors -> escalation -> verdict
//! ```
//!
//! A host reports what its agent does: calls before they run, results, turns of
//! text. Each report is answered with a [`Verdict`]: go on, show this message to
//! the model, refuse this call, or stop.
//!
//! ```
//! use loophound::{Action, LoopDetector, Preset};
//!
//! let mut detector = LoopDetector::with_preset(Preset::Cycles);
//! let mut last = Action::Continue;
//! for _ in 0..4 {
//!     detector.record("edit_file", r#"{"path":"a.py"}"#);
//!     last = detector.record("run_tests", "{}").action;
//! }
//! assert_eq!(last, Action::Stop);
//! assert_eq!(detector.verdict().period, 2);
//! ```
//!
//! # Features
//!
//! The core needs `core` and `alloc` only.
//!
//! * `std` (default): the system clock, and a random seed for the swarm's map.
//! * `wasm`: the bindings that the npm package is built from.
#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod byte_class;
mod call;
mod clock;
mod concat;
mod config;
mod detector;
mod error;
mod escalation;
mod event;
mod hash;
mod history;
mod named;
mod normalize;
mod patterns;
mod phrase_set;
#[cfg(feature = "serde")]
mod plain_data;
mod render;
mod result;
mod similarity;
mod snapshot;
mod sort;
mod swarm;
mod text_loop;
mod tools;
mod verdict;

pub use call::Identity;
pub use config::{
    Batch, Climb, Config, Messages, Patience, Preset, Rule, Rung, TextTurns, ToolSettings,
};
pub use detector::{LoopDetectionState, LoopDetector};
pub use error::{Error, ErrorKind};
pub use event::{Args, Call, Channel, ToolResult};
pub use snapshot::Snapshot;
pub use swarm::{FingerprintInfo, SwarmConfig, SwarmDetector, SwarmStats};
pub use tools::{Tables, ToolClass, Words};
pub use verdict::{Action, Level, LoopKind, Status, TextDetails, Verdict};

/// The readable, bounded fingerprint of a call: its tool and the arguments that
/// say what it is about. Equal exactly when two calls count as alike.
///
/// ```
/// use loophound::compute_tool_fingerprint;
///
/// assert_eq!(
///     compute_tool_fingerprint("read_file", r#"{ "timeout": 5, "path": "a.ts" }"#),
///     r#"read_file:{"path":"a.ts"}"#
/// );
/// assert_eq!(
///     compute_tool_fingerprint("bash", r#"{"command":"head -n 20 foo.ts"}"#),
///     "bash:file_read:foo.ts"
/// );
/// ```
pub fn compute_tool_fingerprint<'a>(
    name: &str,
    args: impl Into<Args<'a>>,
) -> alloc::string::String {
    call::readable(name, args.into(), tools::classify(name), &Tables::default())
}

/// The README's Rust, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
