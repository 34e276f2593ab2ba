//! What the host is told.

use crate::event::Channel;
use crate::named::named;
use crate::snapshot::codec::{Reader, Writer};
use crate::value::{Record, Value};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

named! {
    /// What the host should do now, mildest first.
    #[derive(Default)]
    Action {
        /// Go on.
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
        /// Evidence a word.
        Notice = "notice",
        /// Stuck.
        Warning = "warning",
        /// Stuck, and told so before.
        Critical = "critical",
    }
}

named! {
    /// Which pattern was recognised.
    LoopKind {
        /// The same call again and again.
        ExactRepeat = "exact-repeat",
        /// The same call but for optional arguments.
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

/// Where text goes in circles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextDetails {
    /// Which stream it is.
    pub channel: Channel,
    /// Where in the stream the loop began, in UTF-16 units.
    pub since: u64,
    /// What is repeated, short.
    pub unit: String,
    /// How often it was there.
    pub repeats: u64,
    /// UTF-16 units spent beyond its first occurrence.
    pub wasted: u64,
}

impl TextDetails {
    fn to_value(&self) -> Value {
        let mut fields = Record::default();
        fields.text("channel", self.channel.name());
        fields.count("since", self.since);
        fields.text("unit", &self.unit);
        fields.count("repeats", self.repeats);
        fields.count("wasted", self.wasted);
        fields.finish()
    }

    fn save(&self, out: &mut Writer) {
        out.count(self.channel as u64);
        [self.since, self.repeats, self.wasted].into_iter().for_each(|number| out.count(number));
        out.text(&self.unit);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        Some(Self {
            channel: Channel::at(from.place(MAX_PATTERN))?,
            since: from.count(),
            repeats: from.count(),
            wasted: from.count(),
            unit: String::from(from.text()),
        })
    }
}

/// What a detector answers to every event.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// What the host should do now.
    pub action: Action,
    /// How serious it is.
    pub level: Level,
    /// Which pattern was recognised.
    pub kind: Option<LoopKind>,
    /// The tool it is about.
    pub tool: Option<String>,
    /// How often the repeated thing was seen.
    pub count: u64,
    /// Calls per cycle; 1 for a plain repeat; 0 when it is not a cycle.
    pub period: u32,
    /// The repeated calls, short and readable.
    pub pattern: Vec<String>,
    /// The index of the call where the loop began.
    pub since: Option<u64>,
    /// Calls spent in the loop beyond its first pass.
    pub wasted: u64,
    /// The text to show to the model.
    pub message: Option<String>,
    /// Where text goes in circles; `None` for every other loop.
    pub details: Option<TextDetails>,
}

impl Verdict {
    /// Whether the run should end because of a loop (and not because of a cap).
    pub fn loop_detected(&self) -> bool {
        self.action == Action::Stop && self.kind != Some(LoopKind::IterationCap)
    }

    /// The verdict as plain data, with the field names of the JavaScript API.
    pub fn to_value(&self) -> Value {
        let mut fields = Record::default();
        fields.text("action", self.action.name());
        fields.text("level", self.level.name());
        fields.maybe_text("kind", self.kind.map(LoopKind::name));
        fields.text("status", if self.loop_detected() { "LOOP_DETECTED" } else { "OK" });
        fields.maybe_text("tool", self.tool.as_deref());
        fields.count("count", self.count);
        fields.number("period", self.period);
        fields.texts("pattern", &self.pattern);
        fields.value("since", Value::Number(self.since.map_or(-1.0, |call| call as f64)));
        fields.count("wasted", self.wasted);
        fields.maybe_text("message", self.message.as_deref());
        fields.value("details", self.details.as_ref().map_or(Value::Null, TextDetails::to_value));
        fields.finish()
    }

    pub(crate) fn save(&self, out: &mut Writer) {
        let kind = self.kind.map_or(0, |kind| kind as u64 + 1);
        let numbers = [self.action as u64, self.level as u64, kind, self.count];
        numbers.into_iter().for_each(|number| out.count(number));
        out.count(self.period.into());
        out.count(self.wasted);
        out.maybe(self.since);
        for text in [&self.tool, &self.message] {
            out.flag(text.is_some());
            out.text(text.as_deref().unwrap_or_default());
        }
        out.length(self.pattern.len());
        self.pattern.iter().for_each(|label| out.text(label));
        out.flag(self.details.is_some());
        if let Some(details) = &self.details {
            details.save(out);
        }
    }

    pub(crate) fn load(from: &mut Reader) -> Option<Self> {
        let mut verdict = Self {
            action: Action::at(from.place(MAX_PATTERN))?,
            level: Level::at(from.place(MAX_PATTERN))?,
            ..Self::default()
        };
        verdict.kind = match from.place(MAX_PATTERN).checked_sub(1) {
            Some(place) => Some(LoopKind::at(place)?),
            None => None,
        };
        verdict.count = from.count();
        verdict.period = from.small();
        verdict.wasted = from.count();
        verdict.since = from.maybe();
        for place in [&mut verdict.tool, &mut verdict.message] {
            let given = from.flag();
            let text = from.text();
            *place = given.then(|| String::from(text));
        }
        for _ in 0..from.length(MAX_PATTERN) {
            verdict.pattern.push(String::from(from.text()));
        }
        if from.flag() {
            verdict.details = Some(TextDetails::load(from)?);
        }
        Some(verdict)
    }
}

/// The longest pattern: that of the longest cycle.
const MAX_PATTERN: usize = 1_000;
