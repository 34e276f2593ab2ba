//! Options: a configuration as plain data, with the names of the JavaScript API. They are
//! applied to a preset's values, and written out in full.

use super::{
    Batch, Climb, Config, ITERATION_CAP, MAX_PERIOD, MAX_THRESHOLD, Patience, Preset, RAW_LENGTH,
    Rule, Rung, TextTurns, ToolSettings, Topic, WINDOW,
};
use crate::call::Identity;
use crate::error::Error;
use crate::plain_data::{Given, Object, Plain, camel_case};
use crate::result::EvidenceClass;
use crate::tools::{Tables, ToolClass, Words};
use crate::verdict::{Action, Level, LoopKind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

const OPTIONS: &[&str] = &[
    "preset",
    "threshold",
    "fuzzyThreshold",
    "window",
    "maxPeriod",
    "iterationCap",
    "identity",
    "rawLength",
    "batch",
    "textTurns",
    "patience",
    "atMost",
    "tools",
    "detectors",
    "messages",
    "advice",
    "evidence",
    "observe",
    "tables",
];

const EVIDENCE_NAMES: &[&str] = &["quote", "none"];

const TOOL_OPTIONS: &[&str] =
    &["class", "identity", "ignore", "exempt", "poll", "threshold", "fuzzyThreshold", "atMost"];

/// The last one is only for detectors that work both with and without results.
const RULE_OPTIONS: [&str; 6] = ["threshold", "climb", "rungs", "cooldown", "atMost", "results"];

const RUNG_OPTIONS: &[&str] = &["at", "action", "level"];

const TABLES: &[&str] = &["primaryKeys", "readCommands", "fileCommands", "testCommands"];

const IDENTITIES: &[Identity] = &[Identity::Canonical, Identity::Raw { length: RAW_LENGTH }];
const IDENTITY_NAMES: &[&str] = &["canonical", "raw"];

impl Config {
    /// Reads options: a preset's name, or an object with the fields of the
    /// JavaScript API. [`Deserialize`] does the same, but its errors depend on the
    /// format that the options come in.
    ///
    /// # Errors
    /// Names the option, what was given and what is allowed.
    pub fn from_options<'de, D: Deserializer<'de>>(options: D) -> Result<Self, Error> {
        let options = match Plain::read(options, "options")? {
            Plain::Null => Object::default().into(),
            preset @ Plain::Text(_) => {
                let mut options = Object::default();
                options.set("preset", preset);
                options.into()
            }
            options => options,
        };
        read(&Given::new("options", &options))
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_options(deserializer).map_err(D::Error::custom)
    }
}

impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        describe(self).serialize(serializer)
    }
}

// From options to a configuration.

fn read(options: &Given<'_>) -> Result<Config, Error> {
    let options = options.fields(OPTIONS)?;
    let preset = options.one_of("preset", Preset::ALL, Preset::NAMES)?;
    let mut config = preset.unwrap_or_default().config();
    config.window = options.number("window", WINDOW)?.unwrap_or(config.window);
    let max_period = options.number("maxPeriod", 1..=MAX_PERIOD)?;
    config.max_period = max_period.unwrap_or(config.max_period);
    let bounds = config.threshold_bounds(config.main);
    if let Some(threshold) = options.number("threshold", bounds)? {
        config.set_threshold(threshold);
    }
    // One above the exact threshold, but never beyond what the window can show.
    let default = config.threshold_of(LoopKind::FuzzyRepeat).min(config.window);
    let fuzzy = options.number("fuzzyThreshold", 2..=config.window)?;
    config.set_fuzzy_threshold(fuzzy.unwrap_or(default));
    // Here `null` is a value; it means no cap.
    if options.get_or_null("iterationCap").is_some() {
        config.iteration_cap = options.number("iterationCap", ITERATION_CAP)?;
    }
    let identity = options.one_of("identity", IDENTITIES, IDENTITY_NAMES)?;
    config.identity = identity.unwrap_or(config.identity);
    let raw_length = options.number("rawLength", 0..=u32::MAX)?;
    if let (Identity::Raw { length }, Some(given)) = (&mut config.identity, raw_length) {
        *length = given;
    }
    config.batch = options.one_of("batch", Batch::ALL, Batch::NAMES)?.unwrap_or(config.batch);
    let text_turns = options.one_of("textTurns", TextTurns::ALL, TextTurns::NAMES)?;
    config.text_turns = text_turns.unwrap_or(config.text_turns);
    for (name, given) in options.entries("patience")? {
        set_patience(&mut config.patience, name, &given)?;
    }
    for (name, given) in options.entries("atMost")? {
        set_at_most(&mut config, name, &given)?;
    }
    for (name, given) in options.entries("detectors")? {
        set_detector(&mut config, name, &given)?;
    }
    for (name, given) in options.entries("tools")? {
        config.tools.push((name.into(), read_tool(&given, config.window)?));
    }
    for (name, given) in options.entries("messages")? {
        set_message(&mut config, name, &given)?;
    }
    for (name, given) in options.entries("advice")? {
        set_advice(&mut config, name, &given)?;
    }
    let quotes = options.one_of("evidence", &[true, false], EVIDENCE_NAMES)?;
    config.quotes_output = quotes.unwrap_or(config.quotes_output);
    config.observes = options.flag("observe")?.unwrap_or(config.observes);
    for (name, given) in options.entries("tables")? {
        set_table(&mut config.tables, name, &given)?;
    }
    config.check().map_err(|error| {
        let path = option_path(error.path());
        error.renamed(path)
    })?;
    Ok(config)
}

fn set_patience(patience: &mut Patience, name: &str, given: &Given<'_>) -> Result<(), Error> {
    let field = Patience::FIELDS.into_iter().find(|(known, ..)| camel_case(known) == name);
    let (_, place, bounds) = field.ok_or_else(|| {
        let names = Patience::FIELDS.map(|(name, ..)| camel_case(name));
        given.unknown("an option", &names.each_ref().map(String::as_str))
    })?;
    if !given.is_null() {
        *place(patience) = given.number(bounds)?;
    }
    Ok(())
}

fn set_at_most(config: &mut Config, name: &str, given: &Given<'_>) -> Result<(), Error> {
    let known = config.at_most.iter_mut().find(|(class, _)| class.name() == name);
    let unknown = || given.unknown("a kind of evidence", EvidenceClass::NAMES);
    let (_, action) = known.ok_or_else(unknown)?;
    if !given.is_null() {
        *action = given.one_of(Action::ALL, Action::NAMES)?;
    }
    Ok(())
}

fn set_table(tables: &mut Tables, name: &str, given: &Given<'_>) -> Result<(), Error> {
    let table = match name {
        "primaryKeys" => &mut tables.primary_keys,
        "readCommands" => &mut tables.read_commands,
        "fileCommands" => &mut tables.file_commands,
        "testCommands" => &mut tables.test_commands,
        _ => return Err(given.unknown("an option", TABLES)),
    };
    if !given.is_null() {
        *table = Words::Own(given.texts()?);
    }
    Ok(())
}

/// Enables, disables or configures a detector.
fn set_detector(config: &mut Config, name: &str, given: &Given<'_>) -> Result<(), Error> {
    let kind = kind_named(name, given)?;
    if given.is_null() {
        return Ok(());
    }
    let bounds = config.threshold_bounds(kind);
    let rule = config.rule_mut(kind).filter(|rule| rule.kind != LoopKind::IterationCap);
    match (rule, given.as_flag()) {
        (Some(rule), Some(on)) => rule.on = on,
        (Some(rule), None) => set_rule(rule, given, bounds)?,
        (None, Some(false)) => {
            if kind == LoopKind::IterationCap {
                config.iteration_cap = None;
            }
        }
        (None, _) => {
            let why = match kind {
                LoopKind::IterationCap => "is set by options.iterationCap",
                LoopKind::Global => "is the SwarmDetector's",
                _ => "has no detector in this release",
            };
            let problem = format!("{why}; only false is allowed here");
            return Err(Error::out_of_range(given.path(), problem));
        }
    }
    Ok(())
}

/// Returns whether a pattern works both with and without results.
fn results_are_optional(kind: LoopKind) -> bool {
    matches!(kind, LoopKind::ExactRepeat | LoopKind::WindowedRepeat | LoopKind::Cycle)
}

fn set_rule(rule: &mut Rule, given: &Given<'_>, bounds: RangeInclusive<u32>) -> Result<(), Error> {
    let options = given.fields(&RULE_OPTIONS)?;
    rule.on = true;
    rule.threshold = options.number("threshold", bounds)?.unwrap_or(rule.threshold);
    rule.climb = options.one_of("climb", Climb::ALL, Climb::NAMES)?.unwrap_or(rule.climb);
    rule.at_most = options.one_of("atMost", Action::ALL, Action::NAMES)?.or(rule.at_most);
    rule.cooldown = options.number("cooldown", 0..=MAX_THRESHOLD)?.unwrap_or(rule.cooldown);
    if let Some(results) = options.get("results") {
        rule.results = results.flag()?;
        if !results_are_optional(rule.kind) {
            let [others @ .., _] = RULE_OPTIONS;
            return Err(results.unknown("an option of this detector", &others));
        }
    }
    if let Some(rungs) = options.get("rungs") {
        rule.rungs = rungs.items()?.iter().map(read_rung).collect::<Result<_, _>>()?;
    }
    Ok(())
}

fn read_rung(given: &Given<'_>) -> Result<Rung, Error> {
    let options = given.fields(RUNG_OPTIONS)?;
    let (action, level) = (options.require("action")?, options.require("level")?);
    Ok(Rung {
        at: options.require("at")?.number(1..=u32::MAX)?,
        action: read_except_first(action, Action::ALL, Action::NAMES)?,
        level: read_except_first(level, Level::ALL, Level::NAMES)?,
    })
}

/// Reads a name other than the first one, which means that nothing was found.
fn read_except_first<T: Copy>(given: &Given<'_>, all: &[T], names: &[&str]) -> Result<T, Error> {
    given.one_of(all.get(1..).unwrap_or_default(), names.get(1..).unwrap_or_default())
}

fn read_tool(given: &Given<'_>, window: u32) -> Result<ToolSettings, Error> {
    let options = given.fields(TOOL_OPTIONS)?;
    // A function cannot cross as data: the JavaScript side has removed it.
    if let Some(identity) = options.get("identity") {
        return Err(identity.must_be("a function"));
    }
    Ok(ToolSettings {
        class: options.one_of("class", ToolClass::ALL, ToolClass::NAMES)?,
        ignore: options.texts("ignore")?.unwrap_or_default(),
        exempt: options.flag("exempt")?.unwrap_or(false),
        poll: options.flag("poll")?,
        threshold: options.number("threshold", 2..=window)?,
        fuzzy_threshold: options.number("fuzzyThreshold", 2..=window)?,
        at_most: options.one_of("atMost", Action::ALL, Action::NAMES)?,
    })
}

/// Sets one text for all levels, or one for each.
fn set_message(config: &mut Config, name: &str, given: &Given<'_>) -> Result<(), Error> {
    let kind = kind_named(name, given)?;
    if given.is_null() {
        return Ok(());
    }
    if let Some(text) = given.as_text() {
        config.messages.set(kind, None, text);
        return Ok(());
    }
    let neither = |_| given.must_be("a string or an object with texts by level");
    for (name, given) in given.entries().map_err(neither)? {
        let level = Level::ALL.iter().find(|level| level.name() == name);
        let level = level.ok_or_else(|| given.unknown("an option", Level::NAMES))?;
        if !given.is_null() {
            config.messages.set(kind, Some(*level), given.text()?);
        }
    }
    Ok(())
}

fn set_advice(config: &mut Config, name: &str, given: &Given<'_>) -> Result<(), Error> {
    let topic = Topic::ALL.iter().find(|topic| topic.name() == name);
    let topic = topic.ok_or_else(|| given.unknown("a topic of advice", Topic::NAMES))?;
    if !given.is_null() {
        config.advice.set(*topic, given.text()?);
    }
    Ok(())
}

fn kind_named(name: &str, given: &Given<'_>) -> Result<LoopKind, Error> {
    let found = LoopKind::ALL.iter().find(|kind| kind.name() == name);
    found.copied().ok_or_else(|| given.unknown("a kind of loop", LoopKind::NAMES))
}

/// Returns the option that sets a value of the configuration: `max_period` is
/// `options.maxPeriod`, and `rules` are `options.detectors`.
fn option_path(path: &str) -> String {
    let path = camel_case(path);
    match path.strip_prefix("rules.") {
        Some(rule) => format!("options.detectors.{rule}"),
        None => format!("options.{path}"),
    }
}

// From a configuration to options.

fn describe(config: &Config) -> Plain {
    let (identity, raw_length) = match config.identity {
        Identity::Canonical => ("canonical", RAW_LENGTH),
        Identity::Raw { length } => ("raw", length),
    };
    let mut options = Object::default();
    options.text("preset", config.preset.name());
    options.number("threshold", config.threshold_of(config.main));
    options.number("fuzzyThreshold", config.threshold_of(LoopKind::FuzzyRepeat));
    options.number("window", config.window);
    options.number("maxPeriod", config.max_period);
    options.set("iterationCap", config.iteration_cap.into());
    options.text("identity", identity);
    options.number("rawLength", raw_length);
    options.text("batch", config.batch.name());
    options.text("textTurns", config.text_turns.name());
    options.set("patience", describe_patience(&config.patience));
    let mut at_most = Object::default();
    for (class, action) in &config.at_most {
        at_most.text(class.name(), action.name());
    }
    options.set("atMost", at_most.into());
    let mut tools = Object::default();
    for (name, tool) in &config.tools {
        tools.set(name, describe_tool(tool));
    }
    options.set("tools", tools.into());
    let mut detectors = Object::default();
    let mut messages = Object::default();
    for rule in &config.rules {
        if rule.kind != LoopKind::IterationCap {
            detectors.set(rule.kind.name(), describe_rule(config, rule));
        }
        if rule.on {
            messages.set(rule.kind.name(), describe_texts(config, rule));
        }
    }
    options.set("detectors", detectors.into());
    options.set("messages", messages.into());
    let mut advice = Object::default();
    for topic in Topic::ALL {
        advice.text(topic.name(), config.advice.get(*topic));
    }
    options.set("advice", advice.into());
    options.text("evidence", if config.quotes_output { "quote" } else { "none" });
    options.set("observe", config.observes.into());
    let Tables { primary_keys, read_commands, file_commands, test_commands } = &config.tables;
    let mut tables = Object::default();
    for (name, words) in
        TABLES.iter().zip([primary_keys, read_commands, file_commands, test_commands])
    {
        tables.set(name, words.iter().collect());
    }
    options.set("tables", tables.into());
    options.into()
}

fn describe_patience(patience: &Patience) -> Plain {
    let mut copy = patience.clone();
    let mut described = Object::default();
    for (name, value, _) in Patience::FIELDS {
        described.number(&camel_case(name), *value(&mut copy));
    }
    described.into()
}

fn describe_tool(tool: &ToolSettings) -> Plain {
    let mut described = Object::default();
    described.set("class", tool.class.map(ToolClass::name).into());
    described.set("ignore", tool.ignore.iter().map(String::as_str).collect());
    described.set("exempt", tool.exempt.into());
    described.set("poll", tool.poll.into());
    described.set("threshold", tool.threshold.into());
    described.set("fuzzyThreshold", tool.fuzzy_threshold.into());
    described.set("atMost", tool.at_most.map(Action::name).into());
    described.into()
}

fn describe_rule(config: &Config, rule: &Rule) -> Plain {
    if !rule.on {
        return false.into();
    }
    let mut described = Object::default();
    // The thresholds of these are top-level options.
    if rule.kind != config.main && rule.kind != LoopKind::FuzzyRepeat {
        described.number("threshold", rule.threshold);
    }
    described.text("climb", rule.climb.name());
    let mut rungs = Vec::new();
    for rung in &rule.rungs {
        let mut described = Object::default();
        described.number("at", rung.at);
        described.text("action", rung.action.name());
        described.text("level", rung.level.name());
        rungs.push(described.into());
    }
    described.set("rungs", Plain::List(rungs));
    if rule.cooldown > 0 {
        described.number("cooldown", rule.cooldown);
    }
    if results_are_optional(rule.kind) {
        described.set("results", rule.results.into());
    }
    if let Some(action) = rule.at_most {
        described.text("atMost", action.name());
    }
    described.into()
}

fn describe_texts(config: &Config, rule: &Rule) -> Plain {
    let mut texts = Object::default();
    for rung in &rule.rungs {
        let level = rung.level.name();
        if !texts.has(level) {
            texts.text(level, config.messages.get(rule.kind, rung.level));
        }
    }
    texts.into()
}
