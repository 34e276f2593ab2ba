//! The configuration of a detector, and which values are allowed.

mod advice;
mod messages;
#[cfg(feature = "serde")]
mod options;
mod presets;

pub use advice::{Advice, Topic};
pub use messages::Messages;
pub(crate) use messages::{RecognisedBy, summary};
pub use presets::Preset;

use crate::call::Identity;
use crate::error::Error;
use crate::named::named;
use crate::result::EvidenceClass;
use crate::tools::{Tables, ToolClass};
use crate::verdict::{Action, Level, LoopKind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// How many calls the window may hold. More would only cost memory: no agent remembers them
/// either.
const WINDOW: RangeInclusive<u32> = 2..=10_000;
/// The longest cycle that can be detected; each period costs a comparison per call.
pub(crate) const MAX_PERIOD: u32 = 1_000;
/// The highest threshold of rules that count events rather than calls in the window.
pub(crate) const MAX_THRESHOLD: u32 = 1_000_000;
const ITERATION_CAP: RangeInclusive<u32> = 1..=u32::MAX;
/// How many characters of the arguments are compared if they are compared as text.
const RAW_LENGTH: u32 = 200;

named! {
    /// When the calls of one model turn are judged.
    Batch {
        /// One by one; the most severe verdict counts.
        Each = "each",
        /// Once, after the last call is recorded.
        End = "end",
    }
}

named! {
    /// Which turns of text without a tool call make a summary loop.
    TextTurns {
        /// All consecutive ones.
        Any = "any",
        /// Those that say the same, word for word or in other words.
        Alike = "alike",
    }
}

named! {
    /// What decides which rung a detection reaches.
    Climb {
        /// How many times the repeated call, cycle or text was seen.
        Count = "count",
        /// How many times this loop has been detected.
        Occurrence = "occurrence",
        /// How many nudges the host has delivered, plus one.
        Feedback = "feedback",
        /// How many times this loop has been detected, within what its evidence allows: a
        /// refusal follows a nudge, and a stop follows a refusal.
        Evidence = "evidence",
    }
}

/// One step of the escalation: what is done from a climb value on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// The lowest climb value of this step.
    pub at: u32,
    /// What the host should do.
    pub action: Action,
    /// How serious it is.
    pub level: Level,
}

/// When a pattern is a loop, and what is done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The pattern.
    pub kind: LoopKind,
    /// Whether the pattern is enabled.
    pub on: bool,
    /// How many repeats make a loop.
    pub threshold: u32,
    /// What decides which rung a detection reaches.
    pub climb: Climb,
    /// The escalation.
    pub rungs: Vec<Rung>,
    /// Whether equal calls must also have equal results; for repeats and cycles.
    pub results: bool,
    /// For how many calls a loop stays on its rung and is not reported again.
    pub cooldown: u32,
    /// The most severe action, whatever the evidence. Only used with [`Climb::Evidence`].
    pub at_most: Option<Action>,
}

/// The thresholds of result-aware patterns. Each is a number of calls, except for the two
/// percentages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Patience {
    /// Repeats with little evidence: no result is known, a message is sent again, or the
    /// call succeeds but reports a problem.
    pub unsure: u32,
    /// Successful executions that print the same bytes.
    pub execution: u32,
    /// Successful executions that print the same except for times and ids.
    pub timed_execution: u32,
    /// Successful executions that print nothing.
    pub empty: u32,
    /// Repeats that are only acknowledged.
    pub acknowledgement: u32,
    /// Repeats of a call that checks whether something has happened.
    pub poll: u32,
    /// Repeats of such a call if the result says that it is still going on.
    pub wait: u32,
    /// Repeats of a call to a service that is busy or unreachable.
    pub infrastructure: u32,
    /// Failures of one call in a row, whatever the error.
    pub failures: u32,
    /// The same failure of a check, with changes in between.
    pub after_changes: u32,
    /// The same complaint from a check that succeeds, with changes in between.
    pub complaints: u32,
    /// The same edit, made successfully again and again.
    pub same_edit: u32,
    /// Failing edits of one file with the same error.
    pub failing_edits: u32,
    /// Failures of one tool in a row, with two different errors.
    pub mixed_errors: u32,
    /// The same answer to calls with different targets.
    pub sweep: u32,
    /// Reworded searches that find nothing.
    pub rewordings: u32,
    /// Equal calls in one turn that still count as one decision.
    pub parallel: u32,
    /// Calls in a row that return only what is already known.
    pub stale: u32,
    /// How similar variants must be, in percent of their words.
    pub likeness: u32,
    /// How similar variants of calls that read or search must be.
    pub look_likeness: u32,
}

impl Patience {
    /// Every value: its name, an accessor, and its bounds.
    const FIELDS: [PatienceField; 20] = [
        ("unsure", |patience| &mut patience.unsure, CALLS),
        ("execution", |patience| &mut patience.execution, CALLS),
        ("timed_execution", |patience| &mut patience.timed_execution, CALLS),
        ("empty", |patience| &mut patience.empty, CALLS),
        ("acknowledgement", |patience| &mut patience.acknowledgement, CALLS),
        ("poll", |patience| &mut patience.poll, CALLS),
        ("wait", |patience| &mut patience.wait, CALLS),
        ("infrastructure", |patience| &mut patience.infrastructure, CALLS),
        ("failures", |patience| &mut patience.failures, CALLS),
        ("after_changes", |patience| &mut patience.after_changes, CALLS),
        ("complaints", |patience| &mut patience.complaints, CALLS),
        ("same_edit", |patience| &mut patience.same_edit, CALLS),
        ("failing_edits", |patience| &mut patience.failing_edits, CALLS),
        ("mixed_errors", |patience| &mut patience.mixed_errors, CALLS),
        ("sweep", |patience| &mut patience.sweep, CALLS),
        ("rewordings", |patience| &mut patience.rewordings, CALLS),
        ("parallel", |patience| &mut patience.parallel, CALLS),
        ("stale", |patience| &mut patience.stale, CALLS),
        ("likeness", |patience| &mut patience.likeness, PERCENT),
        ("look_likeness", |patience| &mut patience.look_likeness, PERCENT),
    ];
}

type PatienceField = (&'static str, fn(&mut Patience) -> &mut u32, RangeInclusive<u32>);

const CALLS: RangeInclusive<u32> = 2..=MAX_THRESHOLD;
const PERCENT: RangeInclusive<u32> = 1..=100;

/// The settings of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolSettings {
    /// What it does, if its name does not say.
    pub class: Option<ToolClass>,
    /// Arguments that do not count.
    pub ignore: Vec<String>,
    /// No pattern looks at its calls.
    pub exempt: bool,
    /// Whether it waits for something, if its name does not say.
    pub poll: Option<bool>,
    /// Its own threshold for exact repeats, windowed repeats and no progress.
    pub threshold: Option<u32>,
    /// Its own threshold for fuzzy repeats.
    pub fuzzy_threshold: Option<u32>,
    /// The most severe action about its calls. Only used with [`Climb::Evidence`].
    pub at_most: Option<Action>,
}

/// The configuration of a detector. Start from [`Preset::config`] and change what you need;
/// [`crate::LoopDetector::new`] checks the result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The preset that the values came from.
    pub preset: Preset,
    /// The rule whose threshold is the option `threshold`.
    pub main: LoopKind,
    /// How many recent calls are looked at.
    pub window: u32,
    /// The longest cycle that is detected.
    pub max_period: u32,
    /// How many turns a run may take.
    pub iteration_cap: Option<u32>,
    /// How arguments are compared.
    pub identity: Identity,
    /// When the calls of one turn are judged.
    pub batch: Batch,
    /// Which turns of text make a summary loop.
    pub text_turns: TextTurns,
    /// One rule per pattern.
    pub rules: Vec<Rule>,
    /// The thresholds of result-aware patterns.
    pub patience: Patience,
    /// The most severe action that each kind of evidence allows. Only used with
    /// [`Climb::Evidence`].
    pub at_most: Vec<(EvidenceClass, Action)>,
    /// The settings of single tools, by name.
    pub tools: Vec<(String, ToolSettings)>,
    /// The words that commands and arguments are recognised by.
    pub tables: Tables,
    /// The texts.
    pub messages: Messages,
    /// What the model can do instead, by topic.
    pub advice: Advice,
    /// Whether messages quote a line of a tool's output.
    pub quotes_output: bool,
    /// Whether calls run whatever the verdict, as in a recorded session; then no call
    /// counts as refused.
    pub observes: bool,
}

impl Config {
    /// Returns the rule for a pattern, if it is enabled.
    pub fn rule(&self, kind: LoopKind) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.kind == kind && rule.on)
    }

    /// Returns the most severe action that a kind of evidence allows.
    pub fn at_most(&self, evidence: EvidenceClass) -> Action {
        let known = self.at_most.iter().find(|(class, _)| *class == evidence);
        known.map_or(Action::Nudge, |(_, action)| *action)
    }

    /// Returns whether a pattern is enabled and compares results.
    pub(crate) fn result_aware(&self, kind: LoopKind) -> bool {
        self.rule(kind).is_some_and(|rule| rule.results)
    }

    /// Returns the rule for a pattern, enabled or not; `None` for a pattern without a rule.
    pub fn rule_mut(&mut self, kind: LoopKind) -> Option<&mut Rule> {
        self.rules.iter_mut().find(|rule| rule.kind == kind)
    }

    /// Returns the settings of a tool.
    pub fn tool(&self, name: &str) -> Option<&ToolSettings> {
        self.tools.iter().find(|(known, _)| known == name).map(|(_, tool)| tool)
    }

    /// Sets the threshold of the main rule. The fuzzy threshold becomes one more than the
    /// exact one, and the patience with executions that print the same is adjusted, too.
    pub fn set_threshold(&mut self, threshold: u32) {
        let main = self.main;
        if let Some(rule) = self.rule_mut(main) {
            rule.threshold = threshold;
        }
        self.patience.execution = threshold;
        if main == LoopKind::ExactRepeat {
            self.set_fuzzy_threshold(threshold.saturating_add(1));
        }
    }

    /// Sets the threshold of the fuzzy rule.
    pub fn set_fuzzy_threshold(&mut self, threshold: u32) {
        if let Some(rule) = self.rule_mut(LoopKind::FuzzyRepeat) {
            rule.threshold = threshold;
        }
    }

    pub(crate) fn threshold_of(&self, kind: LoopKind) -> u32 {
        self.rules.iter().find(|rule| rule.kind == kind).map_or(0, |rule| rule.threshold)
    }

    /// Returns the allowed values of a rule's threshold. A streak longer than the window
    /// would never be detected.
    pub(crate) fn threshold_bounds(&self, kind: LoopKind) -> RangeInclusive<u32> {
        match kind {
            LoopKind::ExactRepeat
            | LoopKind::FuzzyRepeat
            | LoopKind::WindowedRepeat
            | LoopKind::Cycle => 2..=self.window,
            LoopKind::NoProgress | LoopKind::Variant | LoopKind::SameError | LoopKind::Chant => {
                2..=MAX_THRESHOLD
            }
            _ => 1..=MAX_THRESHOLD,
        }
    }

    /// Checks that every value is allowed, by itself and together with the others.
    ///
    /// # Errors
    /// Names the value, what it is and what is allowed.
    pub fn check(&self) -> Result<(), Error> {
        within("window", self.window, WINDOW)?;
        within("max_period", self.max_period, 1..=MAX_PERIOD)?;
        if let Some(cap) = self.iteration_cap {
            within("iteration_cap", cap, ITERATION_CAP)?;
        }
        for rule in self.rules.iter().filter(|rule| rule.on) {
            self.check_rule(rule)?;
        }
        // The window must hold that many passes of the longest cycle. With results, memory
        // limits it anyway.
        if let Some(cycle) = self.rule(LoopKind::Cycle).filter(|cycle| !cycle.results) {
            let longest = self.window / cycle.threshold.max(1);
            within("max_period", self.max_period, 1..=longest)?;
        }
        let mut patience = self.patience.clone();
        for (name, value, bounds) in Patience::FIELDS {
            within(&format!("patience.{name}"), *value(&mut patience), bounds)?;
        }
        for (name, tool) in &self.tools {
            for (field, threshold) in
                [("threshold", tool.threshold), ("fuzzy_threshold", tool.fuzzy_threshold)]
            {
                if let Some(threshold) = threshold {
                    within(&format!("tools.{name}.{field}"), threshold, 2..=self.window)?;
                }
            }
        }
        Ok(())
    }

    fn check_rule(&self, rule: &Rule) -> Result<(), Error> {
        let bounds = self.threshold_bounds(rule.kind);
        let (name, threshold) = (rule.kind.name(), rule.threshold);
        if threshold > *bounds.end() && *bounds.end() == self.window {
            let got = self.window;
            let problem =
                format!("must be at least {threshold}, the threshold of {name}; got {got}");
            return Err(Error::out_of_range("window", problem));
        }
        within(&format!("rules.{name}.threshold"), threshold, bounds)?;
        if rule.rungs.is_empty() || !rule.rungs.is_sorted_by(|a, b| a.at < b.at) {
            let path = format!("rules.{name}.rungs");
            return Err(Error::out_of_range(path, "must be a list of rungs with rising \"at\""));
        }
        Ok(())
    }
}

impl Default for Config {
    /// Returns the configuration of the default preset.
    fn default() -> Self {
        Preset::default().config()
    }
}

fn within(path: &str, value: u32, bounds: RangeInclusive<u32>) -> Result<(), Error> {
    if bounds.contains(&value) { Ok(()) } else { Err(Error::not_within(path, &bounds, value)) }
}
