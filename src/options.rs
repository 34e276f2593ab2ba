//! Options as plain data: read onto a preset's values, with every mistake named;
//! and written out again, so that users can look at what a preset says.

use crate::config::{Batch, Config, MAX_PERIOD, MAX_WINDOW, Rule, ToolSettings};
use crate::error::Error;
use crate::escalate::{CLIMB_NAMES, Rung};
use crate::fingerprint::Identity;
use crate::preset::Preset;
use crate::tools::CLASS_NAMES;
use crate::value::{Fields, Value, describe, map};
use crate::verdict::{ACTION_NAMES, LEVEL_NAMES, Level, LoopKind, name_of};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const NAMES: &[&str] = &[
    "preset",
    "threshold",
    "fuzzyThreshold",
    "window",
    "maxPeriod",
    "iterationCap",
    "identity",
    "rawLength",
    "batch",
    "tools",
    "detectors",
    "messages",
    "tables",
];

const BATCH_NAMES: &[(&str, Batch)] = &[("each", Batch::Each), ("end", Batch::End)];

/// `true` stands for raw text.
const IDENTITY_NAMES: &[(&str, bool)] = &[("canonical", false), ("raw", true)];

const RAW_LENGTH: u32 = 200;
const MOST: u64 = u32::MAX as u64;

impl Config {
    /// Reads options: a preset's name, or an object with the fields of the
    /// JavaScript API.
    ///
    /// # Errors
    /// Names the option, what was given and what is allowed.
    pub fn from_value(options: &Value) -> Result<Self, Error> {
        if matches!(options, Value::Null) {
            return Ok(Preset::default().config());
        }
        if let Value::Text(_) = options {
            let named = map([("preset", options.clone())]);
            return Self::from_value(&named);
        }
        let fields = Fields::of(options, "options")?;
        fields.only(NAMES)?;
        let preset = fields.one_of("preset", Preset::NAMES)?.unwrap_or_default();
        let mut config = preset.config();
        read_scalars(&mut config, &fields)?;
        read_detectors(&mut config, &fields)?;
        read_tools(&mut config, &fields)?;
        read_messages(&mut config, &fields)?;
        read_tables(&mut config, &fields)?;
        config.check()?;
        Ok(config)
    }

    /// The configuration as options, complete.
    pub fn to_value(&self) -> Value {
        let (identity, raw_length) = match self.identity {
            Identity::Canonical => ("canonical", RAW_LENGTH),
            Identity::Raw { length } => ("raw", length),
        };
        let texts = |words: &[String]| words.iter().cloned().map(Value::from).collect::<Value>();
        map([
            ("preset", name_of(Preset::NAMES, &self.preset).into()),
            ("threshold", self.threshold_of(self.main).into()),
            ("fuzzyThreshold", self.threshold_of(LoopKind::FuzzyRepeat).into()),
            ("window", self.window.into()),
            ("maxPeriod", self.max_period.into()),
            ("iterationCap", self.iteration_cap.into()),
            ("identity", identity.into()),
            ("rawLength", raw_length.into()),
            ("batch", name_of(BATCH_NAMES, &self.batch).into()),
            ("tools", Value::Map(Vec::new())),
            ("detectors", self.detectors_to_value()),
            ("messages", self.messages_to_value()),
            (
                "tables",
                map([
                    ("primaryKeys", texts(&self.tables.primary_keys)),
                    ("readCommands", texts(&self.tables.read_commands)),
                    ("fileCommands", texts(&self.tables.file_commands)),
                    ("testCommands", texts(&self.tables.test_commands)),
                ]),
            ),
        ])
    }

    fn detectors_to_value(&self) -> Value {
        let own_threshold =
            |rule: &Rule| rule.kind != self.main && rule.kind != LoopKind::FuzzyRepeat;
        let fields =
            self.rules.iter().filter(|rule| rule.kind != LoopKind::IterationCap).map(|rule| {
                let value = if rule.on {
                    let mut fields = Vec::new();
                    // The others' thresholds stand at the top, where users change them.
                    if own_threshold(rule) {
                        fields.push((String::from("threshold"), rule.threshold.into()));
                    }
                    fields.push(("climb".into(), name_of(CLIMB_NAMES, &rule.climb).into()));
                    fields.push(("rungs".into(), rule.rungs.iter().map(rung_to_value).collect()));
                    Value::Map(fields)
                } else {
                    Value::Bool(false)
                };
                (String::from(rule.kind.name()), value)
            });
        Value::Map(fields.collect())
    }

    fn messages_to_value(&self) -> Value {
        let fields = self.rules.iter().filter(|rule| rule.on).map(|rule| {
            let mut texts: Vec<(String, Value)> = Vec::new();
            for rung in &rule.rungs {
                let level = name_of(LEVEL_NAMES, &rung.level);
                if !texts.iter().any(|(known, _)| known == level) {
                    texts.push((level.into(), self.messages.get(rule.kind, rung.level).into()));
                }
            }
            (String::from(rule.kind.name()), Value::Map(texts))
        });
        Value::Map(fields.collect())
    }
}

fn read_scalars(config: &mut Config, fields: &Fields<'_>) -> Result<(), Error> {
    let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    if let Some(window) = fields.number("window", 2, MAX_WINDOW)? {
        config.window = narrow(window);
    }
    if let Some(period) = fields.number("maxPeriod", 1, MAX_PERIOD)? {
        config.max_period = narrow(period);
    }
    let (least, most) = config.threshold_bounds(config.main);
    if let Some(threshold) = fields.number("threshold", least, most)? {
        config.set_threshold(narrow(threshold));
    }
    if let Some(threshold) = fields.number("fuzzyThreshold", 2, config.window.into())? {
        config.set_fuzzy_threshold(narrow(threshold));
    } else {
        // One above the exact threshold, but never beyond what the window can show.
        let follows = config.threshold_of(LoopKind::FuzzyRepeat).min(config.window);
        config.set_fuzzy_threshold(follows);
    }
    match fields.given("iterationCap") {
        Some(Value::Null) => config.iteration_cap = None,
        _ => {
            if let Some(cap) = fields.number("iterationCap", 1, MOST)? {
                config.iteration_cap = Some(narrow(cap));
            }
        }
    }
    if let Some(raw) = fields.one_of("identity", IDENTITY_NAMES)? {
        config.identity =
            if raw { Identity::Raw { length: RAW_LENGTH } } else { Identity::Canonical };
    }
    if let Some(length) = fields.number("rawLength", 1, MOST)?
        && let Identity::Raw { length: used } = &mut config.identity
    {
        *used = narrow(length);
    }
    if let Some(batch) = fields.one_of("batch", BATCH_NAMES)? {
        config.batch = batch;
    }
    Ok(())
}

fn read_detectors(config: &mut Config, fields: &Fields<'_>) -> Result<(), Error> {
    let Some(detectors) = fields.map("detectors")? else { return Ok(()) };
    for (name, value) in detectors.iter() {
        let kind = kind_named(&detectors, name)?;
        let bounds = config.threshold_bounds(kind);
        let path = detectors.path_of(name);
        let Some(rule) = config.rule_mut(kind).filter(|rule| rule.kind != LoopKind::IterationCap)
        else {
            if matches!(value, Value::Bool(false) | Value::Null) {
                continue;
            }
            return Err(Error::out_of_range(match kind {
                LoopKind::IterationCap => {
                    format!("{path} is set by options.iterationCap; only false is allowed here")
                }
                LoopKind::Global => {
                    format!("{path} is the SwarmDetector's; only false is allowed here")
                }
                _ => format!("{path} has no detector in this release; only false is allowed"),
            }));
        };
        match value {
            Value::Null => {}
            Value::Bool(on) => rule.on = *on,
            _ => {
                let fields = Fields::of(value, &path)?;
                fields.only(&["threshold", "climb", "rungs"])?;
                rule.on = true;
                if let Some(threshold) = fields.number("threshold", bounds.0, bounds.1)? {
                    rule.threshold = u32::try_from(threshold).unwrap_or(u32::MAX);
                }
                if let Some(climb) = fields.one_of("climb", CLIMB_NAMES)? {
                    rule.climb = climb;
                }
                if let Some(rungs) = fields.list("rungs")? {
                    rule.rungs = read_rungs(rungs, &fields.path_of("rungs"))?;
                }
            }
        }
    }
    Ok(())
}

fn read_rungs(rungs: &[Value], path: &str) -> Result<Vec<Rung>, Error> {
    rungs
        .iter()
        .enumerate()
        .map(|(position, value)| {
            let fields = Fields::of(value, &format!("{path}[{position}]"))?;
            fields.only(&["at", "action", "level"])?;
            let at = fields.required("at", fields.number("at", 1, MOST)?)?;
            Ok(Rung {
                at: u32::try_from(at).unwrap_or(u32::MAX),
                action: fields.required(
                    "action",
                    fields.one_of("action", ACTION_NAMES.get(1..).unwrap_or_default())?,
                )?,
                level: fields.required(
                    "level",
                    fields.one_of("level", LEVEL_NAMES.get(1..).unwrap_or_default())?,
                )?,
            })
        })
        .collect()
}

fn rung_to_value(rung: &Rung) -> Value {
    map([
        ("at", rung.at.into()),
        ("action", name_of(ACTION_NAMES, &rung.action).into()),
        ("level", name_of(LEVEL_NAMES, &rung.level).into()),
    ])
}

fn read_tools(config: &mut Config, fields: &Fields<'_>) -> Result<(), Error> {
    let Some(tools) = fields.map("tools")? else { return Ok(()) };
    let most = u64::from(config.window);
    let narrow = |value: Option<u64>| value.map(|value| u32::try_from(value).unwrap_or(u32::MAX));
    for (name, value) in tools.iter() {
        let fields = Fields::of(value, &tools.path_of(name))?;
        fields.only(&["class", "ignore", "exempt", "threshold", "fuzzyThreshold"])?;
        let settings = ToolSettings {
            class: fields.one_of("class", CLASS_NAMES)?,
            ignore: fields.texts("ignore")?.unwrap_or_default(),
            exempt: fields.bool("exempt")?.unwrap_or(false),
            threshold: narrow(fields.number("threshold", 2, most)?),
            fuzzy_threshold: narrow(fields.number("fuzzyThreshold", 2, most)?),
        };
        config.tools.push((name.into(), settings));
    }
    Ok(())
}

fn read_messages(config: &mut Config, fields: &Fields<'_>) -> Result<(), Error> {
    let Some(messages) = fields.map("messages")? else { return Ok(()) };
    for (name, value) in messages.iter() {
        let kind = kind_named(&messages, name)?;
        match value {
            Value::Null => {}
            Value::Text(template) => config.messages.set(kind, None, template),
            Value::Map(_) => {
                let levels = Fields::of(value, &messages.path_of(name))?;
                let names: Vec<&str> = LEVEL_NAMES.iter().map(|(name, _)| *name).collect();
                levels.only(&names)?;
                for (level_name, level) in LEVEL_NAMES {
                    if let Some(template) =
                        levels.text(level_name)?.filter(|_| *level != Level::None)
                    {
                        config.messages.set(kind, Some(*level), template);
                    }
                }
            }
            other => {
                return Err(Error::wrong_type(format!(
                    "{} must be a string or an object with texts by level; got {}",
                    messages.path_of(name),
                    describe(other)
                )));
            }
        }
    }
    Ok(())
}

fn read_tables(config: &mut Config, fields: &Fields<'_>) -> Result<(), Error> {
    let Some(tables) = fields.map("tables")? else { return Ok(()) };
    tables.only(&["primaryKeys", "readCommands", "fileCommands", "testCommands"])?;
    let replace = |table: &mut Vec<String>, name: &str| -> Result<(), Error> {
        if let Some(words) = tables.texts(name)? {
            *table = words;
        }
        Ok(())
    };
    replace(&mut config.tables.primary_keys, "primaryKeys")?;
    replace(&mut config.tables.read_commands, "readCommands")?;
    replace(&mut config.tables.file_commands, "fileCommands")?;
    replace(&mut config.tables.test_commands, "testCommands")
}

fn kind_named(fields: &Fields<'_>, name: &str) -> Result<LoopKind, Error> {
    LoopKind::NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind).ok_or_else(
        || {
            let allowed: Vec<&str> = LoopKind::NAMES.iter().map(|(name, _)| *name).collect();
            Error::wrong_type(format!(
                "{} is not a kind of loop; allowed: {}",
                fields.path_of(name),
                allowed.join(", ")
            ))
        },
    )
}
