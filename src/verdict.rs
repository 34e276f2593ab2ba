//! Verdicts: what detectors return to the host.

use crate::channel::Channel;
use crate::named::named;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize, Serializer};

named! {
    /// What the host should do now, from mildest to most severe.
    #[derive(Default)]
    Action {
        /// Continue.
        #[default]
        Continue = "continue",
        /// Show the message to the model.
        Nudge = "nudge",
        /// Refuse this call, with the message as its result.
        Block = "block",
        /// End the run.
        Stop = "stop",
    }
}

named! {
    /// How serious it is.
    #[derive(Default)]
    Level {
        /// Nothing found.
        #[default]
        None = "none",
        /// Worth mentioning.
        Notice = "notice",
        /// Stuck.
        Warning = "warning",
        /// Stuck, despite earlier warnings.
        Critical = "critical",
    }
}

named! {
    /// Which pattern was recognised.
    #[non_exhaustive]
    LoopKind {
        /// The same call again and again.
        ExactRepeat = "exact-repeat",
        /// The same call except for optional arguments.
        FuzzyRepeat = "fuzzy-repeat",
        /// The same call several times among the last ones.
        WindowedRepeat = "windowed-repeat",
        /// A sequence of calls, repeated.
        Cycle = "cycle",
        /// The same call with the same result.
        NoProgress = "no-progress",
        /// The same intent in other words.
        Variant = "variant",
        /// One error, whatever the arguments.
        SameError = "same-error",
        /// Shell commands that fail one after the other.
        FailureCascade = "failure-cascade",
        /// Test runs that fail one after the other.
        TestFix = "test-fix",
        /// Edits that undo one another.
        Oscillation = "oscillation",
        /// Turns of text without a tool call.
        Summary = "summary",
        /// Text that repeats itself while it streams.
        Chant = "chant",
        /// One call repeated across a swarm.
        Global = "global",
        /// The run used up its turns.
        IterationCap = "iteration-cap",
    }
}

named! {
    /// Whether the run should end because of a loop.
    #[derive(Default)]
    Status {
        /// It may continue, or has used up its turns.
        #[default]
        Ok = "OK",
        /// Warnings did not end a loop.
        LoopDetected = "LOOP_DETECTED",
    }
}

impl Status {
    pub(crate) fn of(action: Action, kind: LoopKind) -> Self {
        match (action, kind) {
            (Action::Stop, LoopKind::IterationCap) => Self::Ok,
            (Action::Stop, _) => Self::LoopDetected,
            _ => Self::Ok,
        }
    }
}

/// Where text goes in circles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextDetails {
    /// Which stream it is.
    pub channel: Channel,
    /// Where in the stream the loop began, in UTF-16 units.
    #[serde(serialize_with = "count")]
    pub since: u64,
    /// What is repeated, short.
    pub unit: String,
    /// How many times it was seen.
    #[serde(serialize_with = "count")]
    pub repeats: u64,
    /// UTF-16 units spent beyond its first occurrence.
    #[serde(serialize_with = "count")]
    pub wasted: u64,
}

/// The answer of a detector to an event. As plain data, its fields have the names of the
/// JavaScript API.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Verdict {
    /// What the host should do now.
    pub action: Action,
    /// How serious it is.
    pub level: Level,
    /// Which pattern was recognised.
    pub kind: Option<LoopKind>,
    /// Whether the run should end because of a loop (and not because of a cap).
    pub status: Status,
    /// The tool it is about.
    pub tool: Option<String>,
    /// How many times the repeated call, cycle or text was seen.
    #[serde(serialize_with = "count")]
    pub count: u64,
    /// Calls per cycle; 1 for a plain repeat; 0 when it is not a cycle.
    pub period: u32,
    /// The repeated calls, short and readable.
    pub pattern: Vec<String>,
    /// The indices of the newest calls that it is about. For a `block`, these are the
    /// refused calls.
    #[serde(serialize_with = "counts")]
    pub calls: Vec<u64>,
    /// The index of the call where the loop began.
    #[serde(with = "index")]
    pub since: Option<u64>,
    /// Calls spent in the loop beyond its first pass.
    #[serde(serialize_with = "count")]
    pub wasted: u64,
    /// The text to show to the model.
    pub message: Option<String>,
    /// One sentence for people: what happened.
    pub summary: Option<String>,
    /// Where text goes in circles; `None` for every other loop.
    pub details: Option<TextDetails>,
}

impl Verdict {
    /// Returns whether the run should end because of a loop (and not because of a cap).
    pub fn loop_detected(&self) -> bool {
        self.status == Status::LoopDetected
    }
}

/// The largest integer that JavaScript represents exactly. Written counts stop there; only
/// a forged snapshot reaches it.
const MAX_COUNT: u64 = (1 << 53) - 1;

/// Writes a count.
pub(crate) fn count<S: Serializer>(count: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64((*count).min(MAX_COUNT))
}

/// Writes several counts.
fn counts<S: Serializer>(counts: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(counts.iter().map(|count| (*count).min(MAX_COUNT)))
}

/// The index of a call; -1 stands for none.
mod index {
    use super::MAX_COUNT;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(index: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(index.map_or(-1, |index| index.min(MAX_COUNT) as i64))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        i64::deserialize(from).map(|index| u64::try_from(index).ok())
    }
}
