//! The texts, as templates that options can replace. They are written for the
//! model: they say what was seen and what to do instead.

use crate::verdict::{Level, LoopKind};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A template for a kind of loop: for one level, or for all of them.
pub(super) type Text = (LoopKind, Option<Level>, &'static str);

/// The templates in force: the host's own, then the preset's, then the common ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Messages {
    own: Vec<(LoopKind, Option<Level>, String)>,
    preset: &'static [Text],
}

impl Messages {
    pub(super) fn new(preset: &'static [Text]) -> Self {
        Self { own: Vec::new(), preset }
    }

    /// Replaces a text: for one level, or for all of them.
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

/// The texts of `balanced`, whose cycles are compared by their results.
pub(super) const BALANCED: &[Text] = &[
    (
        LoopKind::Cycle,
        Some(Level::Notice),
        "[System] You are going round in circles. These calls have come {count} times, each with the result it had before:\n{calls}{quote}\nGoing round again will not change that. Instead:\n{alternatives}",
    ),
    (
        LoopKind::Cycle,
        None,
        "[System] WARNING: You are STILL going round in circles. These calls have come {count} times, each with the result it had before ({wasted} calls for nothing):\n{calls}{quote}\n{consequence} Instead:\n{alternatives}",
    ),
];

const REPEAT_NOTICE: &str = "[System] You've called {tool} with the same arguments {count} times.\nThis indicates a stuck state. Either:\n1. Try a DIFFERENT approach or tool\n2. If blocked, explain what's preventing progress\n3. If the task is complete, say so explicitly";

const REPEAT_WARNING: &str = "[System] WARNING: You've called {tool} {count} times with identical arguments.\nThis is a stuck state.\n1. Try a DIFFERENT approach or tool\n2. If blocked, explain the blocker";

const REPEAT_CRITICAL: &str = "[System] CRITICAL: You've called {tool} with the same arguments {count} times.\nYou are in a doom loop. You MUST:\n1. STOP calling {tool} immediately\n2. Explain what you're stuck on\n3. Try a completely different approach\nFurther identical calls will be rejected.";

/// The texts of every preset that has none of its own.
const COMMON: &[Text] = &[
    (LoopKind::ExactRepeat, Some(Level::Notice), REPEAT_NOTICE),
    (LoopKind::ExactRepeat, Some(Level::Warning), REPEAT_WARNING),
    (LoopKind::ExactRepeat, Some(Level::Critical), REPEAT_CRITICAL),
    (LoopKind::FuzzyRepeat, Some(Level::Notice), REPEAT_NOTICE),
    (LoopKind::FuzzyRepeat, Some(Level::Warning), REPEAT_WARNING),
    (LoopKind::FuzzyRepeat, Some(Level::Critical), REPEAT_CRITICAL),
    (
        LoopKind::WindowedRepeat,
        None,
        "Agent stuck in loop: {tool} was called {count} times with the same arguments among the last calls:\n{calls}",
    ),
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
    (
        LoopKind::NoProgress,
        Some(Level::Notice),
        "[System] This call has brought nothing new, {count} times by now{changes}:\n{calls}{quote}\nRepeating it will not change that. Use what you know, or do something different:\n{alternatives}",
    ),
    (
        LoopKind::NoProgress,
        None,
        "[System] WARNING: This call has STILL brought nothing new, {count} times by now{changes}:\n{calls}{quote}\n{consequence} Instead:\n{alternatives}",
    ),
    (
        LoopKind::Variant,
        Some(Level::Notice),
        "[System] The last {count} calls of {tool} were variations of one another, and all brought the same, most recently:\n{calls}{quote}\nAnother variation will not change that: question what they have in common.\n{alternatives}",
    ),
    (
        LoopKind::Variant,
        None,
        "[System] WARNING: You are STILL trying variations of one call of {tool}: {count} by now, and all brought the same, most recently:\n{calls}{quote}\n{consequence} Instead:\n{alternatives}",
    ),
    (
        LoopKind::SameError,
        Some(Level::Notice),
        "[System] {tool} has failed {count} times in a row with the same error, whatever the arguments, most recently:\n{calls}{quote}\nThe arguments are not the cause. Find out what the error means before you call it again: look at what is really there.\n{alternatives}",
    ),
    (
        LoopKind::SameError,
        None,
        "[System] WARNING: {tool} has STILL the same error, {count} times in a row, whatever the arguments, most recently:\n{calls}{quote}\n{consequence} Instead:\n{alternatives}",
    ),
    (
        LoopKind::Oscillation,
        Some(Level::Notice),
        "[System] You are undoing your own edits, {count} times by now:\n{calls}{quote}\nNeither version is what is needed. Find out why both fail before you change it again.\n{alternatives}",
    ),
    (
        LoopKind::Oscillation,
        None,
        "[System] WARNING: You are STILL undoing your own edits, {count} times by now:\n{calls}{quote}\n{consequence} Decide for one version, or make a third one:\n{alternatives}",
    ),
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
    (
        LoopKind::Chant,
        Some(Level::Notice),
        "[System] Your last response was cut off: it kept saying the same in other words, for {wasted} characters, most recently:\n  {unit}\nYou have said that. Say what is new in one or two sentences, then act: call a tool, give the answer, or name what blocks you.",
    ),
    (
        LoopKind::Chant,
        Some(Level::Warning),
        "[System] Your last response was cut off: it went in circles, for {wasted} characters ({count} times):\n  {unit}\nDo not say it again. Continue from before it began: take the next step, give the answer, or name what blocks you.",
    ),
    (
        LoopKind::Chant,
        Some(Level::Critical),
        "[System] The run is stopped: your responses go in circles despite a warning. The last one said this {count} times, {wasted} characters in all:\n  {unit}",
    ),
    (
        LoopKind::Global,
        None,
        "[System] GLOBAL DOOM LOOP: {totalCalls} calls to {tool} across\n{workerCount} workers. The entire swarm is stuck on this approach.\n1. Try a fundamentally different strategy\n2. Do NOT retry the same tool/parameters\n3. Consider whether the task goal itself needs re-evaluation",
    ),
    (
        LoopKind::IterationCap,
        None,
        "The run has used all of its {count} iterations. Recent tools: {recent}.\nStop here, or extend the cap to go on.",
    ),
];

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
    fn own_texts_come_first_by_level_then_for_all() {
        let mut messages = Messages::default();
        messages.set(LoopKind::ExactRepeat, None, "any");
        messages.set(LoopKind::ExactRepeat, Some(Level::Warning), "warning");
        assert_eq!(messages.get(LoopKind::ExactRepeat, Level::Warning), "warning");
        assert_eq!(messages.get(LoopKind::ExactRepeat, Level::Critical), "any");
        assert!(messages.get(LoopKind::FuzzyRepeat, Level::Notice).starts_with("[System]"));
    }
}
