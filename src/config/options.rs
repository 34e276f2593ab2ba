//! Options: a configuration as plain data, with the names of the JavaScript API.
//! They are read onto a preset's values, and written out complete.

use super::{
    Batch, Climb, Config, ITERATION_CAP, MAX_PERIOD, MAX_THRESHOLD, Patience, Preset, RAW_LENGTH,
    Rule, Rung, TextTurns, ToolSettings, WINDOW,
};
use crate::call::Identity;
use crate::error::Error;
use crate::plain_data::{Given, Plain, camel_case};
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
    "tables",
];

const TOOL_OPTIONS: &[&str] =
    &["class", "identity", "ignore", "exempt", "poll", "threshold", "fuzzyThreshold", "atMost"];

/// The last one only for detectors that work with results and without.
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
            Plain::Null => Plain::object([]),
            preset @ Plain::Text(_) => Plain::object([("preset", preset)]),
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
    // Here `null` is a value: no cap.
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

/// Switches a detector on or off, or describes it.
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

/// Whether a pattern can be looked for with results and without.
fn has_choice(kind: LoopKind) -> bool {
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
        if !has_choice(rule.kind) {
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
        action: read_found(action, Action::ALL, Action::NAMES)?,
        level: read_found(level, Level::ALL, Level::NAMES)?,
    })
}

/// Reads a name other than the first, which stands for "nothing found".
fn read_found<T: Copy>(given: &Given<'_>, all: &[T], names: &[&str]) -> Result<T, Error> {
    given.one_of(all.get(1..).unwrap_or_default(), names.get(1..).unwrap_or_default())
}

fn read_tool(given: &Given<'_>, window: u32) -> Result<ToolSettings, Error> {
    let options = given.fields(TOOL_OPTIONS)?;
    // A function cannot come as data: JavaScript's side has taken it out.
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

/// Sets a text for all levels, or one for each.
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

fn kind_named(name: &str, given: &Given<'_>) -> Result<LoopKind, Error> {
    let found = LoopKind::ALL.iter().find(|kind| kind.name() == name);
    found.copied().ok_or_else(|| given.unknown("a kind of loop", LoopKind::NAMES))
}

/// The option that sets a value of the configuration: `max_period` is
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
    let mut patience = config.patience.clone();
    let patience =
        Patience::FIELDS.map(|(name, value, _)| (camel_case(name), (*value(&mut patience)).into()));
    let Tables { primary_keys, read_commands, file_commands, test_commands } = &config.tables;
    let tables = [primary_keys, read_commands, file_commands, test_commands];
    let tables = TABLES.iter().copied().zip(tables.map(|words| words.iter().collect()));
    let at_most = config.at_most.iter().map(|(class, action)| (class.name(), action.name().into()));
    let tools = config.tools.iter().map(|(name, tool)| (name.as_str(), describe_tool(tool)));
    let described = config.rules.iter().filter(|rule| rule.kind != LoopKind::IterationCap);
    let detectors = described.map(|rule| (rule.kind.name(), describe_rule(config, rule)));
    let on = config.rules.iter().filter(|rule| rule.on);
    let messages = on.map(|rule| (rule.kind.name(), describe_texts(config, rule)));
    Plain::object([
        ("preset", config.preset.name().into()),
        ("threshold", config.threshold_of(config.main).into()),
        ("fuzzyThreshold", config.threshold_of(LoopKind::FuzzyRepeat).into()),
        ("window", config.window.into()),
        ("maxPeriod", config.max_period.into()),
        ("iterationCap", config.iteration_cap.into()),
        ("identity", identity.into()),
        ("rawLength", raw_length.into()),
        ("batch", config.batch.name().into()),
        ("textTurns", config.text_turns.name().into()),
        ("patience", Plain::Object(patience.into())),
        ("atMost", Plain::object(at_most)),
        ("tools", Plain::object(tools)),
        ("detectors", Plain::object(detectors)),
        ("messages", Plain::object(messages)),
        ("tables", Plain::object(tables)),
    ])
}

fn describe_tool(tool: &ToolSettings) -> Plain {
    Plain::object([
        ("class", tool.class.map(ToolClass::name).into()),
        ("ignore", tool.ignore.iter().map(String::as_str).collect()),
        ("exempt", tool.exempt.into()),
        ("poll", tool.poll.into()),
        ("threshold", tool.threshold.into()),
        ("fuzzyThreshold", tool.fuzzy_threshold.into()),
        ("atMost", tool.at_most.map(Action::name).into()),
    ])
}

fn describe_rule(config: &Config, rule: &Rule) -> Plain {
    if !rule.on {
        return false.into();
    }
    // These have their thresholds at the top, where users change them.
    let is_main = rule.kind == config.main || rule.kind == LoopKind::FuzzyRepeat;
    let rungs = rule.rungs.iter().map(|rung| {
        Plain::object([
            ("at", rung.at.into()),
            ("action", rung.action.name().into()),
            ("level", rung.level.name().into()),
        ])
    });
    let threshold = (!is_main).then(|| ("threshold", rule.threshold.into()));
    let cooldown = (rule.cooldown > 0).then(|| ("cooldown", rule.cooldown.into()));
    let results = has_choice(rule.kind).then(|| ("results", rule.results.into()));
    let at_most = rule.at_most.map(|action| ("atMost", action.name().into()));
    let climb = ("climb", rule.climb.name().into());
    let rungs = ("rungs", rungs.collect());
    Plain::object(
        [threshold, Some(climb), Some(rungs), cooldown, results, at_most].into_iter().flatten(),
    )
}

fn describe_texts(config: &Config, rule: &Rule) -> Plain {
    let mut texts: Vec<(&str, Plain)> = Vec::new();
    for rung in &rule.rungs {
        let level = rung.level.name();
        if texts.iter().all(|(known, _)| *known != level) {
            texts.push((level, config.messages.get(rule.kind, rung.level).into()));
        }
    }
    Plain::object(texts)
}
