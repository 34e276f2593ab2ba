//! Reading a [`Value`] with errors that name the field, what was given and
//! what is allowed.

use super::Value;
use crate::concat::{cat, join, number};
use crate::error::Error;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

/// The first mistake in what is being read. Reading goes on after it as if the
/// field were absent, which keeps the readers free of error handling; the whole
/// is refused at the end.
#[derive(Default)]
pub(crate) struct Problem {
    first: Cell<Option<Error>>,
}

impl Problem {
    pub fn refuse(&self, error: Error) {
        self.first.set(self.first.take().or(Some(error)));
    }

    /// What was read, unless there was a mistake.
    pub fn or<T>(self, read: T) -> Result<T, Error> {
        match self.first.into_inner() {
            Some(error) => Err(error),
            None => Ok(read),
        }
    }
}

/// The fields of a map, and the path that leads to them.
pub(crate) struct Fields<'a> {
    path: String,
    fields: &'a [(String, Value)],
    problem: &'a Problem,
}

impl<'a> Fields<'a> {
    /// Takes a value that has to be a map with no other fields than these. Any
    /// name will do when none are given.
    pub fn of(value: &'a Value, path: String, allowed: &[&str], problem: &'a Problem) -> Self {
        let fields: &[(String, Value)] = match value {
            Value::Map(fields) => fields,
            _ => &[],
        };
        let read = Self { path, fields, problem };
        if !matches!(value, Value::Map(_)) {
            problem.refuse(wrong_type(&read.path, "an object", value));
        }
        for (name, _) in fields {
            if !allowed.is_empty() && !allowed.contains(&name.as_str()) {
                read.unknown(name, "an option", allowed);
            }
        }
        read
    }

    /// Refuses a name that does not exist.
    pub fn unknown(&self, name: &str, what: &str, allowed: &[&str]) {
        let allowed = join(allowed, ", ");
        let message = [&self.path_of(name), " is not ", what, "; allowed: ", &allowed];
        self.problem.refuse(Error::wrong_type(cat(&message)));
    }

    /// Refuses a field for being of the wrong type.
    pub fn wrong_type(&self, name: &str, expected: &str, given: &Value) {
        self.problem.refuse(wrong_type(&self.path_of(name), expected, given));
    }

    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    pub fn path_of(&self, name: &str) -> String {
        cat(&[&self.path, ".", name])
    }

    /// All fields, in order.
    pub fn all(&self) -> &'a [(String, Value)] {
        self.fields
    }

    /// The field, unless it is absent (a field that is undefined counts as absent
    /// everywhere but where null has a meaning of its own: see [`Fields::given`]).
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.given(name).filter(|value| !matches!(value, Value::Null))
    }

    /// The field, also when it is null.
    pub fn given(&self, name: &str) -> Option<&'a Value> {
        self.fields.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub fn map(&self, name: &str, allowed: &[&str]) -> Option<Fields<'a>> {
        Some(Fields::of(self.get(name)?, self.path_of(name), allowed, self.problem))
    }

    pub fn list(&self, name: &str) -> Option<&'a [Value]> {
        match self.get(name)? {
            Value::List(items) => Some(items),
            other => {
                self.wrong_type(name, "a list", other);
                None
            }
        }
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            other => {
                self.wrong_type(name, "a string", other);
                None
            }
        }
    }

    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        for item in self.list(name)? {
            match item {
                Value::Text(text) => texts.push(text.clone()),
                other => self.wrong_type(name, "a list of strings", other),
            }
        }
        Some(texts)
    }

    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Value::Bool(value) => Some(*value),
            other => {
                self.wrong_type(name, "true or false", other);
                None
            }
        }
    }

    /// A whole number within the bounds.
    pub fn number(&self, name: &str, least: u32, most: u32) -> Option<u32> {
        let value = self.get(name)?;
        let Value::Number(given) = value else {
            self.wrong_type(name, "a number", value);
            return None;
        };
        let rounded = *given as u32;
        // A comparison with NaN is false, so NaN ends up refused like 1.5.
        if f64::from(rounded) == *given && rounded >= least && rounded <= most {
            return Some(rounded);
        }
        self.problem.refuse(outside(&self.path_of(name), least, most, &describe(value)));
        None
    }

    /// Reads a whole number into its place, if it is given.
    pub fn number_into(&self, name: &str, least: u32, most: u32, place: &mut u32) {
        if let Some(number) = self.number(name, least, most) {
            *place = number;
        }
    }

    /// One of the given words, by its place among them.
    pub fn one_of(&self, name: &str, words: &[&str]) -> Option<usize> {
        let text = self.text(name)?;
        let found = words.iter().position(|word| *word == text);
        if found.is_none() {
            let mut allowed = String::new();
            for word in words {
                let comma = if allowed.is_empty() { "" } else { ", " };
                allowed = cat(&[&allowed, comma, "\"", word, "\""]);
            }
            let got = describe(&Value::from(text));
            let message = [&self.path_of(name), " must be one of ", &allowed, "; got ", &got];
            self.problem.refuse(Error::out_of_range(cat(&message)));
        }
        found
    }

    /// Refuses an absent field.
    pub fn required(&self, name: &str) {
        if self.get(name).is_none() {
            let message = cat(&[&self.path_of(name), " is missing"]);
            self.problem.refuse(Error::wrong_type(message));
        }
    }
}

fn wrong_type(path: &str, expected: &str, given: &Value) -> Error {
    Error::wrong_type(cat(&[path, " must be ", expected, "; got ", &describe(given)]))
}

/// The error for a number that is not allowed.
pub(crate) fn outside(path: &str, least: u32, most: u32, got: &str) -> Error {
    let (least, most) = (number(least.into()), number(most.into()));
    let message = [path, " must be a whole number from ", &least, " to ", &most, "; got ", got];
    Error::out_of_range(cat(&message))
}

/// What was given, short enough for an error message.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(true) => "true".into(),
        Value::Bool(false) => "false".into(),
        Value::Number(number) => describe_number(*number),
        Value::Text(text) => {
            let short = crate::call::first_characters(text, 40);
            cat(&["\"", short, if short.len() < text.len() { "…" } else { "" }, "\""])
        }
        Value::List(items) => cat(&["a list of ", &number(items.len() as u64)]),
        Value::Map(_) => "an object".into(),
    }
}

/// Three decimals are enough to tell 1.5 from 1; the machinery that prints
/// fractions exactly costs kilobytes of wasm.
fn describe_number(given: f64) -> String {
    if given.is_nan() {
        return "NaN".into();
    }
    let sign = if given < 0.0 { "-" } else { "" };
    let size = given.abs();
    if size >= 1e15 {
        return cat(&[sign, if size.is_finite() { "a huge number" } else { "Infinity" }]);
    }
    let whole = size as u64;
    let thousandths = ((size - whole as f64) * 1000.0) as u64;
    if size == whole as f64 {
        return cat(&[sign, &number(whole)]);
    }
    let padded = number(1000 + thousandths);
    let decimals = padded.get(1..).unwrap_or_default();
    let decimals = if thousandths == 0 { "000…" } else { decimals.trim_end_matches('0') };
    cat(&[sign, &number(whole), ".", decimals])
}
