//! The texts, as templates that options can replace.
//!
//! `{tool}`, `{count}` and the other [`Facts`] are filled in; what is not known
//! stays as it is. The texts are written for the model: they say what was seen
//! and what to do instead.

use crate::concat::{cat, join, number};
use crate::config::Preset;
use crate::config::Rung;
use crate::history::on_one_line;
use crate::tools::ToolClass;
use crate::verdict::{Action, Level, LoopKind};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a template can speak of.
#[derive(Default)]
pub(crate) struct Facts<'a> {
    pub tool: &'a str,
    pub count: u64,
    pub period: u32,
    pub wasted: u64,
    /// The repeated calls.
    pub pattern: &'a [String],
    /// What kinds of tools repeat, in the order of the pattern.
    pub classes: &'a [ToolClass],
    /// The failing commands belong to file tools.
    pub files: bool,
    /// The last tools used.
    pub recent: &'a [String],
    pub workers: u64,
    /// Files that were changed between the repeats.
    pub changed: &'a [String],
    /// The line that told what went wrong last.
    pub quote: &'a str,
    /// A service is busy or away.
    pub busy: bool,
    /// The rung it stands on.
    pub rung: Option<Rung>,
    /// The call is refused now.
    pub refused: bool,
    /// The stream that text was found in.
    pub channel: &'a str,
}

/// The templates in force: the options', then the preset's, then the common ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Messages {
    preset: Preset,
    own: Vec<(LoopKind, Option<Level>, String)>,
}

impl Messages {
    pub(crate) fn of(preset: Preset) -> Self {
        Self { preset, own: Vec::new() }
    }

    /// Replaces a text: for one level, or for all of them.
    pub fn set(&mut self, kind: LoopKind, level: Option<Level>, template: &str) {
        self.own.retain(|(k, l, _)| (*k, *l) != (kind, level));
        self.own.push((kind, level, template.to_string()));
    }

    /// The template for a kind and level.
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
            .or_else(|| known(preset_texts(self.preset)))
            .or_else(|| known(COMMON))
            .unwrap_or_default()
    }
}

/// Fills in a template. One pass: what is filled in is not looked at again.
pub(crate) fn render(template: &str, facts: &Facts<'_>) -> String {
    let mut out = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(['{']) {
        out.push_str(before);
        let filled =
            after.split_once(['}']).and_then(|(name, tail)| Some((fact(name, facts)?, tail)));
        match filled {
            Some((text, tail)) => {
                out.push_str(&text);
                rest = tail;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn fact(name: &str, facts: &Facts<'_>) -> Option<String> {
    Some(match name {
        "tool" => facts.tool.into(),
        "count" | "N" | "totalCalls" => number(facts.count),
        "period" => number(facts.period.into()),
        "wasted" => number(facts.wasted),
        "workerCount" => number(facts.workers),
        "calls" => numbered(facts.pattern),
        "unit" => on_one_line(facts.pattern.first().map_or("", String::as_str)),
        "channel" => facts.channel.into(),
        "recent" => join(facts.recent, ", "),
        "alternatives" if facts.busy => BUSY_ADVICE.into(),
        "alternatives" if !facts.changed.is_empty() => CHANGED_ADVICE.into(),
        "alternatives" => alternatives(facts.classes),
        "changes" => changes(facts.changed),
        "quote" if facts.quote.is_empty() => String::new(),
        "quote" => cat(&["\nIt said: ", facts.quote]),
        "consequence" => consequence(facts).into(),
        "advice" => if facts.files { FILE_ADVICE } else { SHELL_ADVICE }.into(),
        _ => return None,
    })
}

/// ", after changes to a.ts, b.ts"; nothing where nothing was changed.
fn changes(files: &[String]) -> String {
    if files.is_empty() { String::new() } else { cat(&[", after changes to ", &join(files, ", ")]) }
}

/// What comes next if the model goes on like this.
fn consequence(facts: &Facts<'_>) -> &'static str {
    match facts.rung.map(|rung| rung.action) {
        Some(Action::Stop) => "The run ends here.",
        Some(Action::Block) if facts.refused => {
            "This call was not run. If you repeat it, the run ends."
        }
        Some(Action::Block) if facts.changed.is_empty() => {
            "If you go on, the next such call is refused."
        }
        Some(Action::Block) => "If this goes on, the run ends.",
        _ => "If you go on like this, such calls will be refused.",
    }
}

fn numbered(calls: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (call, place) in calls.iter().zip(1u64..) {
        lines.push(cat(&["  ", &number(place), ". ", call]));
    }
    join(&lines, "\n")
}

/// One suggestion for each kind of tool that repeats, and a way out.
fn alternatives(classes: &[ToolClass]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for class in classes.iter().chain(&[ToolClass::Other]) {
        let line = alternative(*class);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    join(&lines, "\n")
}

fn alternative(class: ToolClass) -> &'static str {
    match class {
        ToolClass::Shell => {
            "- Do not run that command again: read its last output in full, then run a different command or change what it depends on"
        }
        ToolClass::Edit => {
            "- Do not send that edit again: read the file as it is now, then make one different, smaller change"
        }
        ToolClass::Write => {
            "- Do not write that content again: check what is in the file now and what is still missing"
        }
        ToolClass::Read => {
            "- You already have that content: use it, or read another part or another file"
        }
        ToolClass::Search => {
            "- You already have those results: open one of them, or search for something else"
        }
        ToolClass::Test => {
            "- The tests will not change by themselves: fix one failing test before you run them again"
        }
        ToolClass::Other => {
            "- Use another tool or other arguments, or explain what is blocking you and ask for help"
        }
    }
}

const BUSY_ADVICE: &str = "- A service is busy or away, and asking it again at once does not help: wait, or do what can be done without it";

const CHANGED_ADVICE: &str = "- Your changes do not reach what fails: check that what you edit is what runs (path, build, cache), and read the failing code again\n- Take back what did not help, and test one assumption at a time";

const FILE_ADVICE: &str = "These are file operations. Use the proper tools instead of shell commands:\n- write_file to create or overwrite a file\n- edit_file to change part of a file\n- read_file to look at a file";

const SHELL_ADVICE: &str = "Do not retry variations of the same command:\n1. Read the error output of the last failure carefully\n2. Check your assumptions (working directory, paths, installed programs) with one simple command\n3. Try a DIFFERENT approach or tool";

type Text = (LoopKind, Option<Level>, &'static str);

fn preset_texts(preset: Preset) -> &'static [Text] {
    match preset {
        Preset::Guard => GUARD,
        Preset::Balanced => BALANCED,
        _ => &[],
    }
}

const GUARD: &[Text] = &[(
    LoopKind::ExactRepeat,
    None,
    "'{tool}' called {count} times consecutively with identical arguments",
)];

/// Its cycles are told by what they brought.
const BALANCED: &[Text] = &[
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

    #[test]
    fn fills_in_once_and_leaves_the_rest() {
        let facts = Facts { tool: "{count}", count: 3, ..Facts::default() };
        assert_eq!(render("{tool} {count} {N} {what} { {", &facts), "{count} 3 3 {what} { {");
        assert_eq!(render("{\"a\":{count}}", &facts), "{\"a\":3}");
    }

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
        let mut messages = Messages::of(Preset::Nudge);
        messages.set(LoopKind::ExactRepeat, None, "any");
        messages.set(LoopKind::ExactRepeat, Some(Level::Warning), "warning");
        assert_eq!(messages.get(LoopKind::ExactRepeat, Level::Warning), "warning");
        assert_eq!(messages.get(LoopKind::ExactRepeat, Level::Critical), "any");
        assert!(messages.get(LoopKind::FuzzyRepeat, Level::Notice).starts_with("[System]"));
    }
}
