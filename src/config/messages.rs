//! The texts, as templates that options can replace: for the model, what happened and what
//! to do instead; for people, one sentence.

use crate::verdict::{Level, LoopKind};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A template for a kind of loop, for one level or for all.
pub(super) type Text = (LoopKind, Option<Level>, &'static str);

/// The current templates: the host's own, then the preset's, then the common ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Messages {
    own: Vec<(LoopKind, Option<Level>, String)>,
    preset: &'static [Text],
}

impl Messages {
    pub(super) fn new(preset: &'static [Text]) -> Self {
        Self { own: Vec::new(), preset }
    }

    /// Replaces a text, for one level or for all.
    pub fn set(&mut self, kind: LoopKind, level: Option<Level>, template: &str) {
        self.own.retain(|(k, l, _)| (*k, *l) != (kind, level));
        self.own.push((kind, level, template.to_string()));
    }

    /// Returns the template for a kind and level.
    pub fn get(&self, kind: LoopKind, level: Level) -> &str {
        let own = |wanted: Option<Level>| {
            self.own.iter().find(|(k, l, _)| *k == kind && *l == wanted).map(|(_, _, t)| t.as_str())
        };
        let known = |texts: &'static [Text]| {
            let at = |wanted: Option<Level>| {
                texts.iter().find(|t| t.0 == kind && t.1 == wanted).map(|t| t.2)
            };
            at(Some(level)).or_else(|| at(None))
        };
        own(Some(level))
            .or_else(|| own(None))
            .or_else(|| known(self.preset))
            .or_else(|| known(COMMON))
            .unwrap_or_default()
    }
}

/// The texts of `guard`.
pub(super) const GUARD: &[Text] = &[(
    LoopKind::ExactRepeat,
    None,
    "'{tool}' called {count} times consecutively with identical arguments",
)];

const REPEAT_NOTICE: &str = "[System] You've called {tool} with the same arguments {count} times.\nThis indicates a stuck state. Either:\n1. Try a DIFFERENT approach or tool\n2. If blocked, explain what's preventing progress\n3. If the task is complete, say so explicitly";

const REPEAT_WARNING: &str = "[System] WARNING: You've called {tool} {count} times with identical arguments.\nThis is a stuck state.\n1. Try a DIFFERENT approach or tool\n2. If blocked, explain the blocker";

const REPEAT_CRITICAL: &str = "[System] CRITICAL: You've called {tool} with the same arguments {count} times.\nYou are in a doom loop. You MUST:\n1. STOP calling {tool} immediately\n2. Explain what you're stuck on\n3. Try a completely different approach\nFurther identical calls will be rejected.";

/// The texts of `nudge`. They depend on the number of repeats, exact or fuzzy.
pub(super) const NUDGE: &[Text] = &[
    (LoopKind::ExactRepeat, Some(Level::Notice), REPEAT_NOTICE),
    (LoopKind::ExactRepeat, Some(Level::Warning), REPEAT_WARNING),
    (LoopKind::ExactRepeat, Some(Level::Critical), REPEAT_CRITICAL),
    (LoopKind::FuzzyRepeat, Some(Level::Notice), REPEAT_NOTICE),
    (LoopKind::FuzzyRepeat, Some(Level::Warning), REPEAT_WARNING),
    (LoopKind::FuzzyRepeat, Some(Level::Critical), REPEAT_CRITICAL),
    (
        LoopKind::FailureCascade,
        None,
        "[System] {count} shell commands in a row have failed, most recently:\n{calls}\n{advice}",
    ),
    (
        LoopKind::TestFix,
        None,
        "[System] You've had {count} consecutive test failures. Step back and rethink:\n1. Re-read the error messages carefully\n2. Consider whether your approach is fundamentally wrong\n3. Try a DIFFERENT fix strategy instead of iterating on the same one",
    ),
    (
        LoopKind::Summary,
        None,
        "[System] You've written {count} text-only responses in a row without calling a tool.\nStop summarizing. Pick one task that is not done yet and start using tools immediately.\nIf everything is done, say so explicitly.",
    ),
];

/// The texts of `cycles`.
pub(super) const CYCLES: &[Text] = &[
    (
        LoopKind::Cycle,
        Some(Level::Notice),
        "⚠️ Loop detected: You appear to be repeating the same sequence of tool calls\nwithout making progress. The following pattern has repeated {count} times:\n{calls}\n\nPlease try a different approach. Consider:\n- Re-reading error messages more carefully\n- Trying an alternative solution strategy\n- Breaking the problem into smaller steps",
    ),
    (
        LoopKind::Cycle,
        Some(Level::Warning),
        "⚠️ Loop detected again: You were warned and are STILL repeating the same sequence of tool calls.\nThe following pattern has repeated {count} times:\n{calls}\n\nThe session will be stopped if you repeat it once more. Do one of these instead:\n{alternatives}",
    ),
    (
        LoopKind::Cycle,
        Some(Level::Critical),
        "Loop detected: the session is stopped. The following pattern has repeated {count} times, despite two warnings:\n{calls}",
    ),
];

/// The texts of `window`.
pub(super) const WINDOW: &[Text] = &[(
    LoopKind::WindowedRepeat,
    None,
    "Agent stuck in loop: {tool} was called {count} times with the same arguments among the last calls:\n{calls}",
)];

/// The text about repeated calls: what was done about them, what happened, what to do
/// instead.
const PLAIN: &str = "{outcome}{summary}{changes}\n{calls}{quote}\n{alternatives}";

/// The texts for presets without their own. `balanced` uses only these.
const COMMON: &[Text] = &[
    (LoopKind::ExactRepeat, None, PLAIN),
    (LoopKind::FuzzyRepeat, None, PLAIN),
    (LoopKind::WindowedRepeat, None, PLAIN),
    (LoopKind::Cycle, None, PLAIN),
    (LoopKind::NoProgress, None, PLAIN),
    (LoopKind::Variant, None, PLAIN),
    (LoopKind::SameError, None, PLAIN),
    (LoopKind::Oscillation, None, PLAIN),
    (LoopKind::FailureCascade, None, PLAIN),
    (LoopKind::TestFix, None, PLAIN),
    (
        LoopKind::Summary,
        None,
        "{outcome}{summary}\nTake the next step with a tool, give the final answer, or say what is blocking you.",
    ),
    (
        LoopKind::Chant,
        Some(Level::Notice),
        "Your last response {repeated} ({wasted character}), most recently:\n  {unit}\nSay what is new in one or two sentences, then take the next step: call a tool, give the answer, or say what is blocking you.",
    ),
    (
        LoopKind::Chant,
        Some(Level::Warning),
        "Your last response was cut off because it {repeated} ({wasted character}):\n  {unit}\nContinue from before the repetition: take the next step, give the answer, or say what is blocking you.",
    ),
    (
        LoopKind::Chant,
        Some(Level::Critical),
        "The run was stopped because the responses kept repeating themselves. The last one {repeated} ({wasted character}):\n  {unit}",
    ),
    (
        LoopKind::Global,
        None,
        "[System] GLOBAL DOOM LOOP: {totalCalls} calls to {tool} across\n{workerCount} workers. The entire swarm is stuck on this approach.\n1. Try a fundamentally different strategy\n2. Do NOT retry the same tool/parameters\n3. Consider whether the task goal itself needs re-evaluation",
    ),
    (LoopKind::IterationCap, None, "{outcome}{summary} Recent tools: {recent}."),
];

/// How a loop was recognised, where the summary depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum RecognisedBy {
    /// In the usual way of its kind, mostly by calls and their results.
    #[default]
    Default,
    /// Only by the calls.
    CallsOnly,
    /// By the number of text-only turns, whatever they say.
    TextTurns,
    /// By the number of equal calls in one turn.
    InOneTurn,
    /// By failures, whatever the errors.
    MixedErrors,
    /// By successes of the same edit, whatever they print.
    SameEdit,
}

/// Returns the sentence for people that says what happened. `{summary}` in a text
/// stands for it.
pub(crate) fn summary(kind: LoopKind, recognised_by: RecognisedBy) -> &'static str {
    match (kind, recognised_by) {
        (LoopKind::NoProgress, RecognisedBy::InOneTurn) => {
            "{tool} was called {count time} in one turn with the same arguments."
        }
        (LoopKind::NoProgress, RecognisedBy::CallsOnly) => {
            "{tool} was called {count time} with the same arguments."
        }
        (LoopKind::NoProgress, _) => "{tool} {returned} {times time}{again}.",
        (LoopKind::ExactRepeat, _) => {
            "{tool} was called {count time} in a row with identical arguments."
        }
        (LoopKind::FuzzyRepeat, _) => {
            "{tool} was called {count time} in a row with similar arguments."
        }
        (LoopKind::WindowedRepeat, _) => {
            "{tool} was called {count time} with the same arguments among the latest calls."
        }
        (LoopKind::Cycle, RecognisedBy::CallsOnly) => "{sequence} was made {count time}.",
        // Says nothing about passes: a call that was refused is missing from the last one.
        (LoopKind::Cycle, _) => {
            "{wasted call} repeated earlier ones with the same results, most recently {tool}."
        }
        (LoopKind::Variant, _) => "{tool} {returned} in {times similar call}{again}.",
        (LoopKind::SameError, RecognisedBy::MixedErrors) => {
            "{times call} failed, most recently {tool}."
        }
        (LoopKind::SameError, _) => {
            "{times call} failed with the same error, most recently {tool}."
        }
        (LoopKind::FailureCascade, _) => "{count shell command} in a row failed.",
        (LoopKind::TestFix, _) => "{count test run} in a row failed.",
        (LoopKind::Oscillation, _) => {
            "{tool} undid an earlier edit of the same place {times time}{again}."
        }
        (LoopKind::Summary, RecognisedBy::TextTurns) => {
            "The last {count response} had no tool call."
        }
        (LoopKind::Summary, _) => "The last {count response} had no tool call and nothing new.",
        (LoopKind::Chant, _) => "A response repeated itself for {wasted character}.",
        (LoopKind::Global, _) => {
            "{totalCalls call} of {tool} were made across {workerCount worker}."
        }
        (LoopKind::IterationCap, _) => "The run used all of its {count turn}.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;

    #[test]
    fn every_rule_has_a_text_at_every_level() {
        for preset in Preset::ALL {
            let config = preset.config();
            for rule in &config.rules {
                for rung in &rule.rungs {
                    assert!(
                        !config.messages.get(rule.kind, rung.level).is_empty(),
                        "{:?}",
                        rule.kind
                    );
                }
            }
        }
    }

    #[test]
    fn host_texts_come_first_by_level_then_for_all_levels() {
        let mut messages = Messages::default();
        messages.set(LoopKind::ExactRepeat, None, "any");
        messages.set(LoopKind::ExactRepeat, Some(Level::Warning), "warning");
        assert_eq!(messages.get(LoopKind::ExactRepeat, Level::Warning), "warning");
        assert_eq!(messages.get(LoopKind::ExactRepeat, Level::Critical), "any");
        assert!(messages.get(LoopKind::FuzzyRepeat, Level::Notice).contains("{summary}"));
    }
}
