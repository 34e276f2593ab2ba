//! Reading a [`Value`] with errors that name the field, what was given and
//! what is allowed.

use super::Value;
use crate::error::Error;
use alloc::format;
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
                return Err(Error::wrong_type(format!(
                    "{} is not an option; allowed: {}",
                    self.path_of(name),
                    allowed.join(", ")
                )));
            }
        }
        Ok(())
    }

    pub fn path_of(&self, name: &str) -> String {
        format!("{}.{}", self.path, name)
    }

    /// All fields, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value))
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
        self.get(name).map(|value| Fields::of(value, &self.path_of(name))).transpose()
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
        let path = self.path_of(name);
        items
            .iter()
            .map(|item| match item {
                Value::Text(text) => Ok(text.clone()),
                other => Err(wrong_type(&path, "a list of strings", other)),
            })
            .collect::<Result<Vec<_>, _>>()
            .map(Some)
    }

    pub fn bool(&self, name: &str) -> Result<Option<bool>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(wrong_type(&self.path_of(name), "true or false", other)),
        }
    }

    /// A whole number within the bounds.
    pub fn number(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Error> {
        self.get(name).map(|value| number(value, &self.path_of(name), least, most)).transpose()
    }

    /// One of the given words.
    pub fn one_of<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Error> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => Ok(Some(*value)),
            None => Err(Error::out_of_range(format!(
                "{} must be one of {}; got {}",
                self.path_of(name),
                quoted(words.iter().map(|(word, _)| *word)),
                describe(&Value::from(text))
            ))),
        }
    }

    /// Refuses an absent field.
    pub fn required<T>(&self, name: &str, value: Option<T>) -> Result<T, Error> {
        value.ok_or_else(|| Error::wrong_type(format!("{} is missing", self.path_of(name))))
    }
}

fn wrong_type(path: &str, expected: &str, given: &Value) -> Error {
    Error::wrong_type(format!("{path} must be {expected}; got {}", describe(given)))
}

fn number(value: &Value, path: &str, least: u64, most: u64) -> Result<u64, Error> {
    let Value::Number(number) = value else {
        return Err(wrong_type(path, "a number", value));
    };
    // A comparison with NaN is false, so NaN ends up refused like 1.5.
    let inside = *number >= least as f64 && *number <= most as f64;
    let whole = *number as u64;
    if inside && whole as f64 == *number {
        return Ok(whole);
    }
    let allowed =
        if least == most { format!("{least}") } else { format!("from {least} to {most}") };
    Err(Error::out_of_range(format!(
        "{path} must be a whole number {allowed}; got {}",
        describe(value)
    )))
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// What was given, short enough for an error message.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => format!("{value}"),
        // Whole numbers are written without the machinery that prints fractions:
        // it costs kilobytes of wasm, and "1.5" only needs to be told from 1.
        Value::Number(number) => describe_number(*number),
        Value::Text(text) => {
            let short: String = text.chars().take(40).collect();
            let dots = if short.len() < text.len() { "…" } else { "" };
            format!("\"{short}{dots}\"")
        }
        Value::List(items) => format!("a list of {}", items.len()),
        Value::Map(_) => "an object".into(),
    }
}

fn describe_number(number: f64) -> String {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let size = number.abs();
    if size >= 1e18 {
        return format!("{sign}a number beyond 1e18");
    }
    let whole = size as u64;
    let thousandths = ((size - whole as f64) * 1000.0) as u64;
    if size == whole as f64 {
        format!("{sign}{whole}")
    } else if thousandths == 0 {
        format!("{sign}{whole}.000…")
    } else {
        let digits = format!("{thousandths:03}");
        format!("{sign}{whole}.{}", digits.trim_end_matches('0'))
    }
}
