//! Detects when an LLM agent is stuck in a loop, and says what the host should do
//! about it.
//!
//! # Events in, verdicts out
//!
//! A host reports what its agent does: calls before they run, results, turns of text. Each
//! event returns a [`Verdict`]: continue, show this message to the model, refuse this call,
//! or stop.
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
//! An event passes through these modules, and no module depends on one further right:
//!
//! ```text
//! event -> call, result, text_loop -> history -> patterns -> escalation -> verdict
//! ```
//!
//! # Configuration
//!
//! [`LoopDetector::default`] looks at results and is patient. Start from another
//! [`Preset`], or change single values of its [`Config`]; the error of
//! [`LoopDetector::new`] names the value that is not allowed.
//!
//! ```
//! use loophound::{LoopDetector, Preset};
//!
//! let mut config = Preset::Nudge.config();
//! config.set_threshold(4);
//! config.window = 3;
//! let error = LoopDetector::new(config).err().expect("a window that is too small");
//! assert_eq!(
//!     error.to_string(),
//!     "window must be at least 4, the threshold of exact-repeat; got 3"
//! );
//! ```
//!
//! # Snapshots
//!
//! [`LoopDetector::snapshot`] returns the state as a [`Snapshot`], which can be stored in
//! any serde format; [`LoopDetector::restore`] continues from it, and refuses anything but
//! an intact snapshot of the same kind of detector.
//!
//! # Swarms
//!
//! A [`SwarmDetector`] counts the calls of many workers together.
//!
//! # Features
//!
//! Without any feature, the crate needs only `core` and `alloc`.
//!
//! * `std` (default): the system clock, and a random seed for the swarm's map.
//! * `serde`: [`Config`] and [`SwarmConfig`] implement serde's traits, with the names
//!   and the errors of the JavaScript API. ([`Verdict`] and [`Snapshot`] always do:
//!   state is saved through them.)
#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod byte_class;
mod call;
mod channel;
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
mod quote;
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
pub use channel::Channel;
pub use config::{
    Advice, Batch, Climb, Config, Messages, Patience, Preset, Rule, Rung, TextTurns, ToolSettings,
    Topic,
};
pub use detector::{
    ExplainedCall, ExplainedLoop, ExplainedResult, Explanation, LoopDetectionState, LoopDetector,
};
pub use error::{Error, ErrorKind};
pub use event::{Args, Call, ToolResult};
pub use patterns::PatternCount;
pub use result::{Evidence, EvidenceClass};
pub use snapshot::Snapshot;
pub use swarm::{FingerprintInfo, SwarmConfig, SwarmDetector, SwarmStats};
pub use tools::{Effect, Tables, ToolClass, Words};
pub use verdict::{Action, Level, LoopKind, Status, TextDetails, Verdict};

/// Computes the readable, bounded fingerprint of a call: its tool and the arguments that
/// say what it is about. Two calls have the same fingerprint exactly if they count as
/// alike.
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

/// The Rust examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
