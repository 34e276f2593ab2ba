//! Reading a [`Value`] with errors that name the field, what was given and
//! what is allowed.

use super::Value;
use crate::error::Error;
use crate::text::{cat, join, number};
use alloc::string::String;
use alloc::vec::Vec;

/// The fields of a map, and the path that leads to them.
pub(crate) struct Fields<'a> {
    path: String,
    fields: &'a [(String, Value)],
}

impl<'a> Fields<'a> {
    /// Takes a value that has to be a map.
    pub fn of(value: &'a Value, path: &str) -> Result<Self, Error> {
        match value {
            Value::Map(fields) => Ok(Self { path: path.into(), fields }),
            other => Err(wrong_type(path, "an object", other)),
        }
    }

    /// Refuses field names that are not in the list.
    pub fn only(&self, allowed: &[&str]) -> Result<(), Error> {
        for (name, _) in self.fields {
            if !allowed.contains(&name.as_str()) {
                return Err(self.unknown(name, "an option", allowed));
            }
        }
        Ok(())
    }

    /// The error for a name that does not exist.
    pub fn unknown(&self, name: &str, what: &str, allowed: &[&str]) -> Error {
        let allowed = join(allowed, ", ");
        Error::wrong_type(cat(&[&self.path_of(name), " is not ", what, "; allowed: ", &allowed]))
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

    pub fn map(&self, name: &str) -> Result<Option<Fields<'a>>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => Fields::of(value, &self.path_of(name)).map(Some),
        }
    }

    pub fn list(&self, name: &str) -> Result<Option<&'a [Value]>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::List(items)) => Ok(Some(items)),
            Some(other) => Err(wrong_type(&self.path_of(name), "a list", other)),
        }
    }

    pub fn text(&self, name: &str) -> Result<Option<&'a str>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_type(&self.path_of(name), "a string", other)),
        }
    }

    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, Error> {
        let Some(items) = self.list(name)? else { return Ok(None) };
        let mut texts = Vec::new();
        for item in items {
            match item {
                Value::Text(text) => texts.push(text.clone()),
                other => return Err(wrong_type(&self.path_of(name), "a list of strings", other)),
            }
        }
        Ok(Some(texts))
    }

    pub fn bool(&self, name: &str) -> Result<Option<bool>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(wrong_type(&self.path_of(name), "true or false", other)),
        }
    }

    /// A whole number within the bounds.
    pub fn number(&self, name: &str, least: u32, most: u32) -> Result<Option<u32>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => whole(value, &self.path_of(name), least, most).map(Some),
        }
    }

    /// One of the given words, by its place among them.
    pub fn one_of(&self, name: &str, words: &[&str]) -> Result<Option<usize>, Error> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        if let Some(at) = words.iter().position(|word| *word == text) {
            return Ok(Some(at));
        }
        let mut allowed = String::new();
        for word in words {
            let comma = if allowed.is_empty() { "" } else { ", " };
            allowed = cat(&[&allowed, comma, "\"", word, "\""]);
        }
        let got = describe(&Value::from(text));
        let message = [&self.path_of(name), " must be one of ", &allowed, "; got ", &got];
        Err(Error::out_of_range(cat(&message)))
    }

    /// Refuses an absent field.
    pub fn required<T>(&self, name: &str, value: Option<T>) -> Result<T, Error> {
        value.ok_or_else(|| Error::wrong_type(cat(&[&self.path_of(name), " is missing"])))
    }
}

fn wrong_type(path: &str, expected: &str, given: &Value) -> Error {
    Error::wrong_type(cat(&[path, " must be ", expected, "; got ", &describe(given)]))
}

fn whole(value: &Value, path: &str, least: u32, most: u32) -> Result<u32, Error> {
    let Value::Number(given) = value else {
        return Err(wrong_type(path, "a number", value));
    };
    let rounded = *given as u32;
    // A comparison with NaN is false, so NaN ends up refused like 1.5.
    if f64::from(rounded) == *given && rounded >= least && rounded <= most {
        return Ok(rounded);
    }
    Err(outside(path, least, most, &describe(value)))
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
            let short = crate::fingerprint::first_characters(text, 40);
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
