//! Options: a configuration as plain data, with the names of the JavaScript API.
//! They are read onto a preset's values, and written out complete.

use super::{
    Batch, Climb, Config, ITERATION_CAP, MAX_PERIOD, MAX_THRESHOLD, Preset, RAW_LENGTH, Rule, Rung,
    TextTurns, ToolSettings, WINDOW,
};
use crate::call::Identity;
use crate::error::Error;
use crate::plain_data::{Entries, Number, Plain, Texts, camel_case, set_whole, unknown_name};
use crate::result::EvidenceClass;
use crate::tools::{Tables, ToolClass, Words};
use crate::verdict::{Action, Level, LoopKind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// Options as they are given. What is absent is the preset's.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object")]
struct Options {
    preset: Option<Preset>,
    threshold: Option<Number>,
    fuzzy_threshold: Option<Number>,
    window: Option<Number>,
    max_period: Option<Number>,
    /// Here `null` is a value: no cap.
    #[serde(default, deserialize_with = "null_or_value")]
    iteration_cap: Option<Option<Number>>,
    identity: Option<IdentityName>,
    raw_length: Option<Number>,
    batch: Option<Batch>,
    text_turns: Option<TextTurns>,
    patience: Option<Entries<Option<Number>>>,
    at_most: Option<Entries<Option<Action>>>,
    tools: Option<Entries<ToolOptions>>,
    detectors: Option<Entries<DetectorOption>>,
    messages: Option<Entries<Option<MessageOption>>>,
    tables: Option<Entries<Option<Texts>>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum IdentityName {
    Canonical,
    Raw,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object")]
struct ToolOptions {
    class: Option<ToolClass>,
    #[serde(skip_serializing)]
    #[expect(dead_code, reason = "it can only be absent or refused")]
    identity: Option<Function>,
    ignore: Option<Texts>,
    exempt: Option<bool>,
    poll: Option<bool>,
    threshold: Option<Number>,
    fuzzy_threshold: Option<Number>,
    at_most: Option<Action>,
}

/// A function cannot come as data: JavaScript's side has taken it out.
enum Function {}

/// A detector is switched on or off, or described.
#[derive(Serialize)]
#[serde(untagged)]
enum DetectorOption {
    Absent,
    Switch(bool),
    Rule(RuleOptions),
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object")]
struct RuleOptions {
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<Number>,
    climb: Option<Climb>,
    rungs: Option<Vec<RungOptions>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cooldown: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Action>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct RungOptions {
    at: Number,
    #[serde(deserialize_with = "read_action")]
    action: Action,
    #[serde(deserialize_with = "read_level")]
    level: Level,
}

/// A text for all levels, or one for each.
#[derive(Serialize)]
#[serde(untagged)]
enum MessageOption {
    Text(String),
    ByLevel(Entries<Option<String>>),
}

impl Config {
    /// Reads options: a preset's name, or an object with the fields of the
    /// JavaScript API. [`Deserialize`] does the same, but its errors depend on the
    /// format that the options come in.
    ///
    /// # Errors
    /// Names the option, what was given and what is allowed.
    pub fn from_options<'de, D: Deserializer<'de>>(options: D) -> Result<Self, Error> {
        let data = Plain::read(options, "options")?;
        let options = match data {
            Plain::Null => Options::default(),
            Plain::Text(_) => {
                Options { preset: data.parse("options.preset")?, ..Options::default() }
            }
            _ => data.parse("options")?,
        };
        options.apply()
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_options(deserializer).map_err(D::Error::custom)
    }
}

impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Options::describe(self).serialize(serializer)
    }
}

// From options to a configuration.

impl Options {
    fn apply(self) -> Result<Config, Error> {
        let mut config = self.preset.unwrap_or_default().config();
        set_whole(&mut config.window, self.window, "options.window", WINDOW)?;
        set_whole(&mut config.max_period, self.max_period, "options.maxPeriod", 1..=MAX_PERIOD)?;
        let bounds = config.threshold_bounds(config.main);
        if let Some(threshold) = read(self.threshold, "options.threshold", bounds)? {
            config.set_threshold(threshold);
        }
        // One above the exact threshold, but never beyond what the window can show.
        let default = config.threshold_of(LoopKind::FuzzyRepeat).min(config.window);
        let fuzzy = read(self.fuzzy_threshold, "options.fuzzyThreshold", 2..=config.window)?;
        config.set_fuzzy_threshold(fuzzy.unwrap_or(default));
        if let Some(cap) = self.iteration_cap {
            config.iteration_cap = read(cap, "options.iterationCap", ITERATION_CAP)?;
        }
        match self.identity {
            Some(IdentityName::Canonical) => config.identity = Identity::Canonical,
            Some(IdentityName::Raw) => config.identity = Identity::Raw { length: RAW_LENGTH },
            None => {}
        }
        let raw_length = read(self.raw_length, "options.rawLength", 0..=u32::MAX)?;
        if let (Identity::Raw { length }, Some(given)) = (&mut config.identity, raw_length) {
            *length = given;
        }
        config.batch = self.batch.unwrap_or(config.batch);
        config.text_turns = self.text_turns.unwrap_or(config.text_turns);
        for (name, given) in entries(self.patience) {
            set_patience(&mut config, &name, given)?;
        }
        for (name, given) in entries(self.at_most) {
            set_at_most(&mut config, &name, given)?;
        }
        for (name, given) in entries(self.detectors) {
            set_detector(&mut config, &name, given)?;
        }
        for (name, given) in entries(self.tools) {
            let settings = given.apply(&format!("options.tools.{name}"), config.window)?;
            config.tools.push((name, settings));
        }
        for (name, given) in entries(self.messages) {
            set_message(&mut config, &name, given)?;
        }
        for (name, given) in entries(self.tables) {
            set_table(&mut config.tables, &name, given)?;
        }
        config.check().map_err(|error| {
            let path = option_path(error.path());
            error.renamed(path)
        })?;
        Ok(config)
    }
}

fn entries<T>(given: Option<Entries<T>>) -> Vec<(String, T)> {
    given.map(|given| given.0).unwrap_or_default()
}

/// Reads a whole number within the bounds, if it is given.
fn read(
    given: Option<Number>,
    path: &str,
    bounds: RangeInclusive<u32>,
) -> Result<Option<u32>, Error> {
    given.map(|given| given.within(bounds, path)).transpose()
}

/// Finds a field by the name that it has in options.
fn field_named<T, const N: usize>(
    fields: [(&'static str, T); N],
    name: &str,
    path: &str,
) -> Result<T, Error> {
    let names = fields.each_ref().map(|(name, _)| camel_case(name));
    let found = fields.into_iter().zip(&names).find(|(_, known)| *known == name);
    found.map(|((_, field), _)| field).ok_or_else(|| unknown_name(path, "an option", &names))
}

fn set_patience(config: &mut Config, name: &str, given: Option<Number>) -> Result<(), Error> {
    let path = format!("options.patience.{name}");
    let (place, bounds) = field_named(config.patience.fields(), name, &path)?;
    set_whole(place, given, &path, bounds)
}

fn set_at_most(config: &mut Config, name: &str, given: Option<Action>) -> Result<(), Error> {
    let known = config.at_most.iter_mut().find(|(class, _)| class.name() == name);
    let path = format!("options.atMost.{name}");
    let (_, action) =
        known.ok_or_else(|| unknown_name(&path, "a kind of evidence", EvidenceClass::NAMES))?;
    *action = given.unwrap_or(*action);
    Ok(())
}

fn set_table(tables: &mut Tables, name: &str, given: Option<Texts>) -> Result<(), Error> {
    let table = field_named(table_fields(tables), name, &format!("options.tables.{name}"))?;
    if let Some(Texts(words)) = given {
        *table = Words::Own(words);
    }
    Ok(())
}

fn table_fields(tables: &mut Tables) -> [(&'static str, &mut Words); 4] {
    [
        ("primary_keys", &mut tables.primary_keys),
        ("read_commands", &mut tables.read_commands),
        ("file_commands", &mut tables.file_commands),
        ("test_commands", &mut tables.test_commands),
    ]
}

fn set_detector(config: &mut Config, name: &str, given: DetectorOption) -> Result<(), Error> {
    let path = format!("options.detectors.{name}");
    let kind = kind_named(name, &path)?;
    let bounds = config.threshold_bounds(kind);
    let rule = config.rule_mut(kind).filter(|rule| rule.kind != LoopKind::IterationCap);
    match (rule, given) {
        (_, DetectorOption::Absent) => Ok(()),
        (Some(rule), DetectorOption::Switch(on)) => {
            rule.on = on;
            Ok(())
        }
        (Some(rule), DetectorOption::Rule(given)) => given.apply(rule, &path, bounds),
        (None, DetectorOption::Switch(false)) => {
            if kind == LoopKind::IterationCap {
                config.iteration_cap = None;
            }
            Ok(())
        }
        (None, _) => {
            let why = match kind {
                LoopKind::IterationCap => "is set by options.iterationCap",
                LoopKind::Global => "is the SwarmDetector's",
                _ => "has no detector in this release",
            };
            Err(Error::out_of_range(path, format!("{why}; only false is allowed here")))
        }
    }
}

/// Whether a pattern can be looked for with results and without.
fn has_choice(kind: LoopKind) -> bool {
    matches!(kind, LoopKind::ExactRepeat | LoopKind::WindowedRepeat | LoopKind::Cycle)
}

impl RuleOptions {
    fn apply(self, rule: &mut Rule, path: &str, bounds: RangeInclusive<u32>) -> Result<(), Error> {
        rule.on = true;
        set_whole(&mut rule.threshold, self.threshold, &format!("{path}.threshold"), bounds)?;
        rule.climb = self.climb.unwrap_or(rule.climb);
        rule.at_most = self.at_most.or(rule.at_most);
        set_whole(
            &mut rule.cooldown,
            self.cooldown,
            &format!("{path}.cooldown"),
            0..=MAX_THRESHOLD,
        )?;
        match self.results {
            Some(results) if has_choice(rule.kind) => rule.results = results,
            Some(_) => {
                let others = ["threshold", "climb", "rungs", "cooldown", "atMost"];
                let path = format!("{path}.results");
                return Err(unknown_name(&path, "an option of this detector", &others));
            }
            None => {}
        }
        if let Some(rungs) = self.rungs {
            rule.rungs.clear();
            for (place, RungOptions { at, action, level }) in rungs.into_iter().enumerate() {
                let at = at.within(1..=u32::MAX, &format!("{path}.rungs[{place}].at"))?;
                rule.rungs.push(Rung { at, action, level });
            }
        }
        Ok(())
    }
}

impl ToolOptions {
    fn apply(self, path: &str, window: u32) -> Result<ToolSettings, Error> {
        let threshold = |given, name| read(given, &format!("{path}.{name}"), 2..=window);
        Ok(ToolSettings {
            class: self.class,
            ignore: self.ignore.unwrap_or_default().0,
            exempt: self.exempt.unwrap_or(false),
            poll: self.poll,
            threshold: threshold(self.threshold, "threshold")?,
            fuzzy_threshold: threshold(self.fuzzy_threshold, "fuzzyThreshold")?,
            at_most: self.at_most,
        })
    }
}

fn set_message(config: &mut Config, name: &str, given: Option<MessageOption>) -> Result<(), Error> {
    let path = format!("options.messages.{name}");
    let kind = kind_named(name, &path)?;
    match given {
        Some(MessageOption::Text(text)) => config.messages.set(kind, None, &text),
        Some(MessageOption::ByLevel(Entries(texts))) => {
            for (name, text) in texts {
                let level = Level::ALL.iter().find(|level| level.name() == name);
                let unknown = || unknown_name(&format!("{path}.{name}"), "an option", Level::NAMES);
                let level = level.ok_or_else(unknown)?;
                if let Some(text) = text {
                    config.messages.set(kind, Some(*level), &text);
                }
            }
        }
        None => {}
    }
    Ok(())
}

fn kind_named(name: &str, path: &str) -> Result<LoopKind, Error> {
    let found = LoopKind::ALL.iter().find(|kind| kind.name() == name);
    found.copied().ok_or_else(|| unknown_name(path, "a kind of loop", LoopKind::NAMES))
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

impl Options {
    fn describe(config: &Config) -> Self {
        let (identity, raw_length) = match config.identity {
            Identity::Canonical => (IdentityName::Canonical, RAW_LENGTH),
            Identity::Raw { length } => (IdentityName::Raw, length),
        };
        let (mut patience, mut tables) = (config.patience.clone(), config.tables.clone());
        let patience = patience.fields().into_iter();
        let tables = table_fields(&mut tables).into_iter();
        let texts = |words: &Words| Texts(words.iter().map(String::from).collect());
        let tools = config.tools.iter();
        let rules = config.rules.iter();
        let described = |rule: &&Rule| rule.kind != LoopKind::IterationCap;
        Self {
            preset: Some(config.preset),
            threshold: Some(config.threshold_of(config.main).into()),
            fuzzy_threshold: Some(config.threshold_of(LoopKind::FuzzyRepeat).into()),
            window: Some(config.window.into()),
            max_period: Some(config.max_period.into()),
            iteration_cap: Some(config.iteration_cap.map(Number::from)),
            identity: Some(identity),
            raw_length: Some(raw_length.into()),
            batch: Some(config.batch),
            text_turns: Some(config.text_turns),
            patience: Some(
                patience
                    .map(|(name, (value, _))| (camel_case(name), Some((*value).into())))
                    .collect(),
            ),
            at_most: Some(
                config
                    .at_most
                    .iter()
                    .map(|(class, action)| (class.name().to_string(), Some(*action)))
                    .collect(),
            ),
            tools: Some(tools.map(|(name, tool)| (name.clone(), tool.describe())).collect()),
            detectors: Some(
                rules
                    .clone()
                    .filter(described)
                    .map(|rule| (rule.kind.name().to_string(), describe_rule(config, rule)))
                    .collect(),
            ),
            messages: Some(
                rules
                    .filter(|rule| rule.on)
                    .map(|rule| (rule.kind.name().to_string(), Some(describe_texts(config, rule))))
                    .collect(),
            ),
            tables: Some(
                tables.map(|(name, words)| (camel_case(name), Some(texts(words)))).collect(),
            ),
        }
    }
}

impl ToolSettings {
    fn describe(&self) -> ToolOptions {
        ToolOptions {
            class: self.class,
            identity: None,
            ignore: Some(Texts(self.ignore.clone())),
            exempt: Some(self.exempt),
            poll: self.poll,
            threshold: self.threshold.map(Number::from),
            fuzzy_threshold: self.fuzzy_threshold.map(Number::from),
            at_most: self.at_most,
        }
    }
}

fn describe_rule(config: &Config, rule: &Rule) -> DetectorOption {
    if !rule.on {
        return DetectorOption::Switch(false);
    }
    // These have their thresholds at the top, where users change them.
    let is_main = rule.kind == config.main || rule.kind == LoopKind::FuzzyRepeat;
    let rungs = rule.rungs.iter();
    DetectorOption::Rule(RuleOptions {
        threshold: (!is_main).then(|| rule.threshold.into()),
        climb: Some(rule.climb),
        rungs: Some(
            rungs
                .map(|rung| RungOptions {
                    at: rung.at.into(),
                    action: rung.action,
                    level: rung.level,
                })
                .collect(),
        ),
        cooldown: (rule.cooldown > 0).then(|| rule.cooldown.into()),
        results: has_choice(rule.kind).then_some(rule.results),
        at_most: rule.at_most,
    })
}

fn describe_texts(config: &Config, rule: &Rule) -> MessageOption {
    let mut texts: Vec<(String, Option<String>)> = Vec::new();
    for rung in &rule.rungs {
        let level = rung.level.name();
        if texts.iter().all(|(known, _)| known != level) {
            let text = config.messages.get(rule.kind, rung.level);
            texts.push((level.into(), Some(text.into())));
        }
    }
    MessageOption::ByLevel(Entries(texts))
}

// Reading what is not one type only.

/// Tells `null` from what is absent.
fn null_or_value<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

fn read_action<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Action, D::Error> {
    read_found(deserializer, Action::ALL, Action::NAMES)
}

fn read_level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
    read_found(deserializer, Level::ALL, Level::NAMES)
}

/// Reads a name other than the first, which stands for "nothing found".
fn read_found<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    all: &[T],
    names: &'static [&'static str],
) -> Result<T, D::Error> {
    let name = String::deserialize(deserializer)?;
    let place = names.iter().position(|known| *known == name).filter(|place| *place > 0);
    let found = place.and_then(|place| all.get(place)).copied();
    found.ok_or_else(|| D::Error::unknown_variant(&name, names.get(1..).unwrap_or_default()))
}

impl<'de> Deserialize<'de> for Function {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let got = Plain::deserialize(deserializer)?.describe();
        Err(D::Error::custom(format_args!("must be a function; got {got}")))
    }
}

impl<'de> Deserialize<'de> for DetectorOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DetectorVisitor;

        impl<'de> Visitor<'de> for DetectorVisitor {
            type Value = DetectorOption;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_unit<E>(self) -> Result<DetectorOption, E> {
                Ok(DetectorOption::Absent)
            }

            fn visit_bool<E>(self, on: bool) -> Result<DetectorOption, E> {
                Ok(DetectorOption::Switch(on))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DetectorOption, A::Error> {
                RuleOptions::deserialize(MapAccessDeserializer::new(map)).map(DetectorOption::Rule)
            }
        }

        deserializer.deserialize_any(DetectorVisitor)
    }
}

impl<'de> Deserialize<'de> for MessageOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MessageVisitor;

        impl<'de> Visitor<'de> for MessageVisitor {
            type Value = MessageOption;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or an object with texts by level")
            }

            fn visit_str<E>(self, text: &str) -> Result<MessageOption, E> {
                Ok(MessageOption::Text(text.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<MessageOption, A::Error> {
                Entries::deserialize(MapAccessDeserializer::new(map)).map(MessageOption::ByLevel)
            }
        }

        deserializer.deserialize_any(MessageVisitor)
    }
}
