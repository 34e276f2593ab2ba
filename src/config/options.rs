//! Options as plain data: read onto a preset's values, with every mistake named;
//! and written out again, so that users can look at what a preset says.

use crate::call::Identity;
use crate::concat::{cat, number};
use crate::config::Preset;
use crate::config::{
    Batch, Config, MAX_PERIOD, MAX_THRESHOLD, MAX_WINDOW, Patience, Rule, TextTurns, ToolSettings,
};
use crate::config::{Climb, Rung};
use crate::error::Error;
use crate::tools::{Tables, ToolClass, Words};
use crate::value::{Fields, Problem, Record, Value};
use crate::verdict::{Action, Level, LoopKind};
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
    "textTurns",
    "patience",
    "tools",
    "detectors",
    "messages",
    "tables",
];

const TABLES: &[&str] = &["primaryKeys", "readCommands", "fileCommands", "testCommands"];
const IDENTITIES: &[&str] = &["canonical", "raw"];
const RAW_LENGTH: u32 = 200;

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
            let mut named = Record::default();
            named.value("preset", options.clone());
            return Self::from_value(&named.finish());
        }
        let problem = Problem::default();
        let fields = Fields::of(options, "options".into(), NAMES, &problem);
        let preset = fields.one_of("preset", Preset::NAMES).and_then(Preset::at);
        let mut config = preset.unwrap_or_default().config();
        read_scalars(&mut config, &fields);
        read_detectors(&mut config, &fields);
        read_tools(&mut config, &fields);
        read_messages(&mut config, &fields);
        read_tables(&mut config, &fields);
        if let Err(error) = config.check() {
            problem.refuse(error);
        }
        problem.or(config)
    }

    /// The configuration as options, complete.
    pub fn to_value(&self) -> Value {
        let (identity, raw_length) = match self.identity {
            Identity::Canonical => ("canonical", RAW_LENGTH),
            Identity::Raw { length } => ("raw", length),
        };
        let mut tables = Record::default();
        let Tables { primary_keys, read_commands, file_commands, test_commands } = &self.tables;
        let all = [primary_keys, read_commands, file_commands, test_commands];
        for (name, words) in TABLES.iter().zip(all) {
            tables.value(name, words_to_value(words));
        }
        let mut options = Record::default();
        options.text("preset", self.preset.name());
        options.number("threshold", self.threshold_of(self.main));
        options.number("fuzzyThreshold", self.threshold_of(LoopKind::FuzzyRepeat));
        options.number("window", self.window);
        options.number("maxPeriod", self.max_period);
        options.maybe_number("iterationCap", self.iteration_cap);
        options.text("identity", identity);
        options.number("rawLength", raw_length);
        options.text("batch", self.batch.name());
        options.text("textTurns", self.text_turns.name());
        options.value("patience", self.patience_to_value());
        options.value("tools", self.tools_to_value());
        options.value("detectors", self.detectors_to_value());
        options.value("messages", self.messages_to_value());
        options.value("tables", tables.finish());
        options.finish()
    }

    fn patience_to_value(&self) -> Value {
        let mut patience = Record::default();
        for (name, value) in Patience::NAMES.iter().zip(self.patience.values()) {
            patience.number(name, value);
        }
        patience.finish()
    }

    fn detectors_to_value(&self) -> Value {
        let mut detectors = Record::default();
        for rule in self.rules.iter().filter(|rule| rule.kind != LoopKind::IterationCap) {
            if !rule.on {
                detectors.flag(rule.kind.name(), false);
                continue;
            }
            let mut rungs = Vec::new();
            for rung in &rule.rungs {
                rungs.push(rung_to_value(rung));
            }
            let mut detector = Record::default();
            detector.text("climb", rule.climb.name());
            detector.value("rungs", Value::List(rungs));
            if rule.cooldown > 0 {
                detector.number("cooldown", rule.cooldown);
            }
            if has_choice(rule.kind) {
                detector.flag("results", rule.results);
            }
            // The others' thresholds stand at the top, where users change them.
            if rule.kind != self.main && rule.kind != LoopKind::FuzzyRepeat {
                detector.number("threshold", rule.threshold);
            }
            detectors.value(rule.kind.name(), detector.finish());
        }
        detectors.finish()
    }

    fn tools_to_value(&self) -> Value {
        let mut tools = Record::default();
        for (name, tool) in &self.tools {
            let mut settings = Record::default();
            settings.maybe_text("class", tool.class.map(ToolClass::name));
            settings.texts("ignore", &tool.ignore);
            settings.flag("exempt", tool.exempt);
            settings.value("poll", tool.poll.map_or(Value::Null, Value::Bool));
            settings.maybe_number("threshold", tool.threshold);
            settings.maybe_number("fuzzyThreshold", tool.fuzzy_threshold);
            tools.value(name, settings.finish());
        }
        tools.finish()
    }

    fn messages_to_value(&self) -> Value {
        let mut messages = Record::default();
        for rule in self.rules.iter().filter(|rule| rule.on) {
            let mut texts = Record::default();
            let mut written = 0u8;
            for rung in &rule.rungs {
                // Each level once.
                let bit = 1 << rung.level as u8;
                if written & bit == 0 {
                    written |= bit;
                    texts.text(rung.level.name(), self.messages.get(rule.kind, rung.level));
                }
            }
            messages.value(rule.kind.name(), texts.finish());
        }
        messages.finish()
    }
}

fn words_to_value(words: &Words) -> Value {
    let mut list = Vec::new();
    for word in words.iter() {
        list.push(Value::from(word));
    }
    Value::List(list)
}

fn read_scalars(config: &mut Config, fields: &Fields<'_>) {
    fields.number_into("window", 2, MAX_WINDOW, &mut config.window);
    fields.number_into("maxPeriod", 1, MAX_PERIOD, &mut config.max_period);
    let (least, most) = config.threshold_bounds(config.main);
    if let Some(threshold) = fields.number("threshold", least, most) {
        config.set_threshold(threshold);
    }
    // One above the exact threshold, but never beyond what the window can show.
    let follows = config.threshold_of(LoopKind::FuzzyRepeat).min(config.window);
    let fuzzy = fields.number("fuzzyThreshold", 2, config.window);
    config.set_fuzzy_threshold(fuzzy.unwrap_or(follows));
    if fields.given("iterationCap").is_some() {
        config.iteration_cap = fields.number("iterationCap", 1, u32::MAX);
    }
    match fields.one_of("identity", IDENTITIES) {
        Some(0) => config.identity = Identity::Canonical,
        Some(_) => config.identity = Identity::Raw { length: RAW_LENGTH },
        None => {}
    }
    let length = fields.number("rawLength", 0, u32::MAX);
    if let (Identity::Raw { length: used }, Some(length)) = (&mut config.identity, length) {
        *used = length;
    }
    if let Some(patience) = fields.map("patience", Patience::NAMES) {
        for (name, place) in Patience::NAMES.iter().zip(config.patience.places()) {
            let (least, most) =
                if name.ends_with("ikeness") { (1, 100) } else { (2, MAX_THRESHOLD) };
            patience.number_into(name, least, most, place);
        }
    }
    if let Some(batch) = fields.one_of("batch", Batch::NAMES).and_then(Batch::at) {
        config.batch = batch;
    }
    if let Some(which) = fields.one_of("textTurns", TextTurns::NAMES).and_then(TextTurns::at) {
        config.text_turns = which;
    }
}

fn read_detectors(config: &mut Config, fields: &Fields<'_>) {
    let Some(detectors) = fields.map("detectors", &[]) else { return };
    for (name, value) in detectors.all() {
        let Some(kind) = kind_named(&detectors, name) else { continue };
        let bounds = config.threshold_bounds(kind);
        match config.rule_mut(kind).filter(|rule| rule.kind != LoopKind::IterationCap) {
            Some(rule) => read_rule(rule, value, bounds, &detectors, name),
            None if matches!(value, Value::Bool(false) | Value::Null) => {
                if kind == LoopKind::IterationCap && *value == Value::Bool(false) {
                    config.iteration_cap = None;
                }
            }
            None => {
                let why = match kind {
                    LoopKind::IterationCap => " is set by options.iterationCap",
                    LoopKind::Global => " is the SwarmDetector's",
                    _ => " has no detector in this release",
                };
                let message = [&detectors.path_of(name), why, "; only false is allowed here"];
                detectors.problem().refuse(Error::out_of_range(cat(&message)));
            }
        }
    }
}

/// Whether a pattern can be looked for with results and without.
fn has_choice(kind: LoopKind) -> bool {
    matches!(kind, LoopKind::ExactRepeat | LoopKind::WindowedRepeat | LoopKind::Cycle)
}

const RULE_NAMES: [&str; 5] = ["threshold", "climb", "rungs", "cooldown", "results"];

fn read_rule(
    rule: &mut Rule,
    value: &Value,
    bounds: (u32, u32),
    detectors: &Fields<'_>,
    name: &str,
) {
    match value {
        Value::Null => return,
        Value::Bool(on) => {
            rule.on = *on;
            return;
        }
        _ => rule.on = true,
    }
    let Some(fields) = detectors.map(name, &RULE_NAMES) else { return };
    fields.number_into("threshold", bounds.0, bounds.1, &mut rule.threshold);
    if let Some(climb) = fields.one_of("climb", Climb::NAMES).and_then(Climb::at) {
        rule.climb = climb;
    }
    fields.number_into("cooldown", 0, MAX_THRESHOLD, &mut rule.cooldown);
    if let Some(results) = fields.bool("results") {
        if has_choice(rule.kind) {
            rule.results = results;
        } else {
            fields.unknown(
                "results",
                "an option of this detector",
                RULE_NAMES.get(..4).unwrap_or_default(),
            );
        }
    }
    if let Some(rungs) = fields.list("rungs") {
        rule.rungs.clear();
        for (value, position) in rungs.iter().zip(0u64..) {
            let path = cat(&[&fields.path_of("rungs"), "[", &number(position), "]"]);
            rule.rungs.push(read_rung(value, path, fields.problem()));
        }
    }
}

fn read_rung(value: &Value, path: String, problem: &Problem) -> Rung {
    let names = ["at", "action", "level"];
    let fields = Fields::of(value, path, &names, problem);
    names.iter().for_each(|name| fields.required(name));
    // The first of either stands for "nothing found".
    let actions = Action::NAMES.get(1..).unwrap_or_default();
    let levels = Level::NAMES.get(1..).unwrap_or_default();
    let action = fields.one_of("action", actions).and_then(|place| Action::at(place + 1));
    let level = fields.one_of("level", levels).and_then(|place| Level::at(place + 1));
    Rung {
        at: fields.number("at", 1, u32::MAX).unwrap_or_default(),
        action: action.unwrap_or_default(),
        level: level.unwrap_or_default(),
    }
}

fn rung_to_value(rung: &Rung) -> Value {
    let mut fields = Record::default();
    fields.number("at", rung.at);
    fields.text("action", rung.action.name());
    fields.text("level", rung.level.name());
    fields.finish()
}

const TOOL_NAMES: &[&str] =
    &["class", "identity", "ignore", "exempt", "poll", "threshold", "fuzzyThreshold"];

fn read_tools(config: &mut Config, fields: &Fields<'_>) {
    let Some(tools) = fields.map("tools", &[]) else { return };
    let most = config.window;
    for (name, value) in tools.all() {
        let fields = Fields::of(value, tools.path_of(name), TOOL_NAMES, tools.problem());
        // A function cannot come as data: the host's side has taken it out.
        if let Some(given) = fields.get("identity") {
            fields.wrong_type("identity", "a function", given);
        }
        let settings = ToolSettings {
            class: fields.one_of("class", ToolClass::NAMES).and_then(ToolClass::at),
            ignore: fields.texts("ignore").unwrap_or_default(),
            exempt: fields.bool("exempt").unwrap_or(false),
            poll: fields.bool("poll"),
            threshold: fields.number("threshold", 2, most),
            fuzzy_threshold: fields.number("fuzzyThreshold", 2, most),
        };
        config.tools.push((name.clone(), settings));
    }
}

fn read_messages(config: &mut Config, fields: &Fields<'_>) {
    let Some(messages) = fields.map("messages", &[]) else { return };
    for (name, value) in messages.all() {
        let Some(kind) = kind_named(&messages, name) else { continue };
        match value {
            Value::Null => {}
            Value::Text(template) => config.messages.set(kind, None, template),
            Value::Map(_) => {
                let Some(texts) = messages.map(name, Level::NAMES) else { continue };
                for level in Level::ALL {
                    if let Some(template) = texts.text(level.name()) {
                        config.messages.set(kind, Some(*level), template);
                    }
                }
            }
            other => {
                messages.wrong_type(name, "a string or an object with texts by level", other);
            }
        }
    }
}

fn read_tables(config: &mut Config, fields: &Fields<'_>) {
    let Some(read) = fields.map("tables", TABLES) else { return };
    let Tables { primary_keys, read_commands, file_commands, test_commands } = &mut config.tables;
    let places = [primary_keys, read_commands, file_commands, test_commands];
    for (name, place) in TABLES.iter().zip(places) {
        if let Some(words) = read.texts(name) {
            *place = Words::Own(words);
        }
    }
}

fn kind_named(fields: &Fields<'_>, name: &str) -> Option<LoopKind> {
    let place = LoopKind::NAMES.iter().position(|known| *known == name);
    if place.is_none() {
        fields.unknown(name, "a kind of loop", LoopKind::NAMES);
    }
    place.and_then(LoopKind::at)
}
