//! A plain tree of data: how options come in and how verdicts and snapshots go
//! out. It knows neither JSON text (see [`Value::to_json`] and
//! [`Value::parse_json`] for that) nor any host language.

mod json;
mod read;
mod record;

pub(crate) use read::{Fields, Problem, describe, outside};
pub(crate) use record::Record;

use alloc::string::String;
use alloc::vec::Vec;

/// How deep a tree may be. Options and snapshots need five levels; whoever
/// sends more is not sending one of ours.
pub(crate) const MAX_DEPTH: usize = 32;

/// A JSON-like value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `null`, and what JavaScript calls undefined.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number.
    Number(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named fields, in the order they were written.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The field of that name; `None` if this is no map or has no such field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(fields) => {
                fields.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Value::Number(f64::from(value))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Value::List(items.into_iter().collect())
    }
}

/// A hash. Text, since a JSON number cannot hold 64 bits.
pub(crate) fn hex(value: u64) -> Value {
    let mut text = String::with_capacity(16);
    for shift in (0..16).rev() {
        let digit = (value >> (4 * shift)) & 0xF;
        text.push(char::from_digit(digit as u32, 16).unwrap_or('0'));
    }
    Value::Text(text)
}
