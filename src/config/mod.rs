//! The values a detector runs on, and what is allowed of them.

mod messages;
#[cfg(feature = "serde")]
mod options;
mod presets;

pub use messages::Messages;
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

/// How many calls can be looked at. More would only cost memory: no agent
/// remembers them either.
const WINDOW: RangeInclusive<u32> = 2..=10_000;
/// The longest cycle that can be looked for; each period costs a comparison per call.
pub(crate) const MAX_PERIOD: u32 = 1_000;
/// The highest threshold of rules that count events rather than calls in the window.
pub(crate) const MAX_THRESHOLD: u32 = 1_000_000;
const ITERATION_CAP: RangeInclusive<u32> = 1..=u32::MAX;
/// How much of the arguments is compared if they are compared as text.
const RAW_LENGTH: u32 = 200;

named! {
    /// When the calls of one model turn are judged.
    Batch {
        /// One by one; the hardest verdict counts.
        Each = "each",
        /// Once, after the last one is recorded.
        End = "end",
    }
}

named! {
    /// Which turns of text without a tool call make a summary loop.
    TextTurns {
        /// All that follow one another.
        Any = "any",
        /// Those that say the same, word by word or in other words.
        Alike = "alike",
    }
}

named! {
    /// What decides how high a detection stands.
    Climb {
        /// How often the repeated thing was seen.
        Count = "count",
        /// The how-manieth detection of this same loop it is.
        Occurrence = "occurrence",
        /// How often the host has delivered a nudge, plus one.
        Feedback = "feedback",
        /// The how-manieth detection of this same loop it is, within what its evidence
        /// allows: a refusal follows a nudge, and a stop follows a refusal.
        Evidence = "evidence",
    }
}

/// From which climb value on a detection means what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// The climb value.
    pub at: u32,
    /// What the host should do.
    pub action: Action,
    /// How serious it is.
    pub level: Level,
}

/// When a pattern becomes a loop, and what is done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The pattern.
    pub kind: LoopKind,
    /// Whether it is looked for.
    pub on: bool,
    /// How many repeats make a loop.
    pub threshold: u32,
    /// What decides how high a detection stands.
    pub climb: Climb,
    /// The escalation.
    pub rungs: Vec<Rung>,
    /// A call is the same only if its result is; for repeats and cycles.
    pub results: bool,
    /// For so many calls a loop stays on its rung, and is not spoken of again.
    pub cooldown: u32,
    /// The hardest action, whatever the evidence; where escalation goes by evidence.
    pub at_most: Option<Action>,
}

/// How long the patterns that look at results wait. Each number is a count of
/// calls, but for the two shares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Patience {
    /// Repeats without evidence: no result is known, a message is sent again, or the call
    /// works and says that something is wrong.
    pub unsure: u32,
    /// Successful executions that print the same, byte by byte.
    pub execution: u32,
    /// Successful executions that print the same but for times and ids.
    pub timed_execution: u32,
    /// Executions that work and print nothing.
    pub empty: u32,
    /// Repeats that are only acknowledged.
    pub acknowledgement: u32,
    /// Repeats of a call that checks whether something has happened.
    pub poll: u32,
    /// The same, where the result says that it goes on.
    pub wait: u32,
    /// Repeats of a call to a service that is busy or away.
    pub infrastructure: u32,
    /// Failures of one call in a row, whatever they say.
    pub failures: u32,
    /// The same failure of a check, with changes in between.
    pub after_changes: u32,
    /// The same complaint of a check that worked, with changes in between.
    pub complaints: u32,
    /// The same edit, made successfully again and again.
    pub same_edit: u32,
    /// Failing edits of one file with the same error.
    pub failing_edits: u32,
    /// Failures of one tool in a row, with one error and another.
    pub mixed_errors: u32,
    /// The same answer to calls that are each about something else.
    pub sweep: u32,
    /// Searches in ever other words that find nothing.
    pub rewordings: u32,
    /// Equal calls in one turn that are still one decision.
    pub parallel: u32,
    /// Calls in a row that bring only what is known.
    pub stale: u32,
    /// How alike variants are, in percent of their words.
    pub likeness: u32,
    /// The same for calls that look for something.
    pub look_likeness: u32,
}

impl Patience {
    /// Each value: its name, where it is, and what is allowed of it.
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

/// What is special about one tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolSettings {
    /// What it does, if the name does not tell.
    pub class: Option<ToolClass>,
    /// Arguments that do not count.
    pub ignore: Vec<String>,
    /// No pattern looks at its calls.
    pub exempt: bool,
    /// Whether it waits for something, if the name does not tell.
    pub poll: Option<bool>,
    /// Its own threshold for the exact and windowed repeat and for no progress.
    pub threshold: Option<u32>,
    /// Its own threshold for the fuzzy repeat.
    pub fuzzy_threshold: Option<u32>,
    /// The hardest action about its calls; where escalation goes by evidence.
    pub at_most: Option<Action>,
}

/// The values a detector runs on. Start from [`Preset::config`] and change what
/// you need; [`crate::LoopDetector::new`] checks the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Where the values came from.
    pub preset: Preset,
    /// The rule that "the threshold" means.
    pub main: LoopKind,
    /// How many recent calls are looked at.
    pub window: u32,
    /// The longest cycle looked for.
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
    /// How long the patterns that look at results wait.
    pub patience: Patience,
    /// The hardest action that each kind of evidence allows; where escalation goes by
    /// evidence.
    pub at_most: Vec<(EvidenceClass, Action)>,
    /// What is special about single tools, by name.
    pub tools: Vec<(String, ToolSettings)>,
    /// The words that commands and arguments are recognised by.
    pub tables: Tables,
    /// The texts.
    pub messages: Messages,
}

impl Config {
    /// The rule for a pattern, if it is switched on.
    pub fn rule(&self, kind: LoopKind) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.kind == kind && rule.on)
    }

    /// The hardest action that a kind of evidence allows.
    pub fn at_most(&self, evidence: EvidenceClass) -> Action {
        let known = self.at_most.iter().find(|(class, _)| *class == evidence);
        known.map_or(Action::Nudge, |(_, action)| *action)
    }

    /// Whether a pattern that is switched on compares results as well.
    pub(crate) fn result_aware(&self, kind: LoopKind) -> bool {
        self.rule(kind).is_some_and(|rule| rule.results)
    }

    /// The rule for a pattern, on or off; `None` for a pattern without a detector.
    pub fn rule_mut(&mut self, kind: LoopKind) -> Option<&mut Rule> {
        self.rules.iter_mut().find(|rule| rule.kind == kind)
    }

    /// What is special about a tool.
    pub fn tool(&self, name: &str) -> Option<&ToolSettings> {
        self.tools.iter().find(|(known, _)| known == name).map(|(_, tool)| tool)
    }

    /// Sets the threshold of the main rule. The fuzzy one follows, one above the exact
    /// one, and so does the patience with executions that print the same.
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

    /// What is allowed as a rule's threshold. A streak longer than the window
    /// could never be seen.
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

    /// Checks that every value is allowed, by itself and beside the others.
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
        if let Some(cycle) = self.rule(LoopKind::Cycle) {
            // The window has to hold that many passes of the longest cycle; where results
            // are looked at, each pass is counted as it goes.
            let passes = if cycle.results { 1 } else { cycle.threshold };
            within("max_period", self.max_period, 1..=self.window / passes.max(1))?;
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
    /// The default preset's values.
    fn default() -> Self {
        Preset::default().config()
    }
}

fn within(path: &str, value: u32, bounds: RangeInclusive<u32>) -> Result<(), Error> {
    if bounds.contains(&value) { Ok(()) } else { Err(Error::not_within(path, &bounds, value)) }
}
