//! Plain data, and reading it as options, with errors that say which value is wrong, what
//! was given and what is allowed.
//!
//! The data may come in any self-describing serde format. It is read into a tree first:
//! some formats give a struct only the fields it asks for, while a tree also shows unknown
//! names.

use crate::error::Error;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// Plain data: what JSON can hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Plain {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Plain>),
    Object(Vec<(String, Plain)>),
}

impl Plain {
    /// Reads any data. Errors refer to it by this name.
    pub fn read<'de, D: Deserializer<'de>>(data: D, name: &str) -> Result<Self, Error> {
        Self::deserialize(data)
            .map_err(|error| Error::wrong_type(name, format!("must be plain data: {error}")))
    }

    /// Returns the field of an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Plain::Object(fields) => {
                fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Describes the data briefly, for an error message.
    pub fn describe(&self) -> String {
        match self {
            Plain::Null => "null".into(),
            Plain::Flag(flag) => flag.to_string(),
            Plain::Number(number) => describe_number(*number),
            Plain::Text(text) if text.chars().count() > MAX_QUOTE => {
                format!("\"{}…\"", text.chars().take(MAX_QUOTE).collect::<String>())
            }
            Plain::Text(text) => format!("\"{text}\""),
            Plain::List(items) => format!("a list of {}", items.len()),
            Plain::Object(_) => "an object".into(),
        }
    }
}

/// An object that is being built.
#[derive(Default)]
pub(crate) struct Object {
    fields: Vec<(String, Plain)>,
}

impl Object {
    pub fn set(&mut self, name: &str, value: Plain) {
        self.fields.push((name.into(), value));
    }

    pub fn text(&mut self, name: &str, text: &str) {
        self.set(name, text.into());
    }

    pub fn number(&mut self, name: &str, number: u32) {
        self.set(name, number.into());
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(known, _)| known == name)
    }
}

impl From<Object> for Plain {
    fn from(object: Object) -> Self {
        Plain::Object(object.fields)
    }
}

/// Writes a number with as many decimals as it has, up to six. (The standard library's
/// exact float printing would add a twentieth to the size of the engine.)
fn describe_number(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    let size = number.abs();
    let whole = size as u64;
    if number.is_nan() {
        "NaN".into()
    } else if size.is_infinite() {
        format!("{sign}inf")
    } else if size >= 1e15 {
        // Written out, it could have hundreds of digits.
        "a huge number".into()
    } else if size == whole as f64 {
        format!("{sign}{whole}")
    } else {
        let millionths = ((size - whole as f64) * 1e6 + 0.5) as u32;
        let decimals = format!("{:06}", millionths.min(999_999));
        // At least one decimal stays, to show that the number is not whole.
        let (first, others) = decimals.split_at_checked(1).unwrap_or_default();
        format!("{sign}{whole}.{first}{}", others.trim_end_matches('0'))
    }
}

/// How many characters of a text are quoted.
const MAX_QUOTE: usize = 40;

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PlainVisitor;

        impl<'de> Visitor<'de> for PlainVisitor {
            type Value = Plain;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("plain data")
            }

            fn visit_unit<E>(self) -> Result<Plain, E> {
                Ok(Plain::Null)
            }

            fn visit_none<E>(self) -> Result<Plain, E> {
                Ok(Plain::Null)
            }

            fn visit_some<D: Deserializer<'de>>(self, data: D) -> Result<Plain, D::Error> {
                Plain::deserialize(data)
            }

            fn visit_bool<E>(self, flag: bool) -> Result<Plain, E> {
                Ok(Plain::Flag(flag))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Plain, E> {
                Ok(Plain::Number(number as f64))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Plain, E> {
                Ok(Plain::Number(number as f64))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Plain, E> {
                Ok(Plain::Number(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Plain, E> {
                Ok(Plain::Text(text.into()))
            }

            fn visit_string<E>(self, text: String) -> Result<Plain, E> {
                Ok(Plain::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Plain, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Plain::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plain, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Plain::Object(fields))
            }
        }

        deserializer.deserialize_any(PlainVisitor)
    }
}

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Plain::Null => serializer.serialize_none(),
            Plain::Flag(flag) => serializer.serialize_bool(*flag),
            Plain::Number(number) if f64::from(*number as u32) == *number => {
                serializer.serialize_u32(*number as u32)
            }
            Plain::Number(number) => serializer.serialize_f64(*number),
            Plain::Text(text) => serializer.serialize_str(text),
            Plain::List(items) => serializer.collect_seq(items),
            Plain::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl From<bool> for Plain {
    fn from(flag: bool) -> Self {
        Plain::Flag(flag)
    }
}

impl From<u32> for Plain {
    fn from(number: u32) -> Self {
        Plain::Number(number.into())
    }
}

impl From<&str> for Plain {
    fn from(text: &str) -> Self {
        Plain::Text(text.into())
    }
}

impl<T: Into<Plain>> From<Option<T>> for Plain {
    fn from(value: Option<T>) -> Self {
        value.map_or(Plain::Null, T::into)
    }
}

impl<T: Into<Plain>> FromIterator<T> for Plain {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Plain::List(items.into_iter().map(T::into).collect())
    }
}

/// A given value, and its name in errors.
pub(crate) struct Given<'a> {
    path: String,
    value: &'a Plain,
}

impl<'a> Given<'a> {
    pub fn new(path: &str, value: &'a Plain) -> Self {
        Self { path: path.into(), value }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// Makes the error for a value of the wrong type.
    pub fn must_be(&self, wanted: &str) -> Error {
        let got = self.value.describe();
        Error::wrong_type(self.path.as_str(), format!("must be {wanted}; got {got}"))
    }

    /// Makes the error for a name that does not exist.
    pub fn unknown(&self, what: &str, allowed: &[&str]) -> Error {
        let allowed = allowed.join(", ");
        Error::wrong_type(self.path.as_str(), format!("is not {what}; allowed: {allowed}"))
    }

    pub fn is_null(&self) -> bool {
        matches!(self.value, Plain::Null)
    }

    /// Returns the boolean, if it is one.
    pub fn as_flag(&self) -> Option<bool> {
        match self.value {
            Plain::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// Returns the text, if it is one.
    pub fn as_text(&self) -> Option<&'a str> {
        match self.value {
            Plain::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn flag(&self) -> Result<bool, Error> {
        self.as_flag().ok_or_else(|| self.must_be("true or false"))
    }

    pub fn text(&self) -> Result<&'a str, Error> {
        self.as_text().ok_or_else(|| self.must_be("a string"))
    }

    /// Reads a whole number within the bounds.
    pub fn number(&self, bounds: RangeInclusive<u32>) -> Result<u32, Error> {
        let Plain::Number(number) = *self.value else { return Err(self.must_be("a number")) };
        // Comparisons with NaN are false, so NaN is refused like 1.5.
        let whole = number as u32;
        if f64::from(whole) == number && bounds.contains(&whole) {
            return Ok(whole);
        }
        Err(Error::not_within(self.path.as_str(), &bounds, self.value.describe()))
    }

    /// Reads the name of one of several values.
    pub fn one_of<T: Copy>(&self, things: &[T], names: &[&str]) -> Result<T, Error> {
        let name = self.text()?;
        let found = things.iter().zip(names).find(|(_, known)| **known == name);
        found.map(|(thing, _)| *thing).ok_or_else(|| self.must_be_one_of(names))
    }

    fn must_be_one_of(&self, names: &[&str]) -> Error {
        let (names, got) = (names.join("\", \""), self.value.describe());
        Error::out_of_range(self.path.as_str(), format!("must be one of \"{names}\"; got {got}"))
    }

    /// Returns the items of a list.
    pub fn items(&self) -> Result<Vec<Given<'a>>, Error> {
        let Plain::List(items) = self.value else { return Err(self.must_be("a list")) };
        let item = |(place, value)| Given { path: format!("{}[{place}]", self.path), value };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// Reads a list of texts. If an item has another type, the error is about the list.
    pub fn texts(&self) -> Result<Vec<String>, Error> {
        let mut texts = Vec::new();
        for item in self.items()? {
            let wrong = || Given::new(&self.path, item.value).must_be("a list of strings");
            texts.push(item.as_text().ok_or_else(wrong)?.into());
        }
        Ok(texts)
    }

    /// Returns the fields of an object, with their names.
    pub fn entries(&self) -> Result<Vec<(&'a str, Given<'a>)>, Error> {
        let Plain::Object(fields) = self.value else { return Err(self.must_be("an object")) };
        let field = |(name, value): &'a (String, Plain)| {
            (name.as_str(), Given { path: format!("{}.{name}", self.path), value })
        };
        Ok(fields.iter().map(field).collect())
    }

    /// Reads an object that may only have fields with these names.
    pub fn fields(&self, names: &[&str]) -> Result<Fields<'a>, Error> {
        let entries = self.entries()?;
        match entries.iter().find(|(name, _)| !names.contains(name)) {
            Some((_, unknown)) => Err(unknown.unknown("an option", names)),
            None => Ok(Fields { path: self.path.clone(), entries }),
        }
    }
}

/// The fields of an object without unknown names.
pub(crate) struct Fields<'a> {
    path: String,
    entries: Vec<(&'a str, Given<'a>)>,
}

impl<'a> Fields<'a> {
    /// Returns a field, even if it is `null`.
    pub fn get_or_null(&self, name: &str) -> Option<&Given<'a>> {
        self.entries.iter().find(|(known, _)| *known == name).map(|(_, field)| field)
    }

    /// Returns a field; `null` counts as absent.
    pub fn get(&self, name: &str) -> Option<&Given<'a>> {
        self.get_or_null(name).filter(|field| !field.is_null())
    }

    /// Returns a required field.
    pub fn require(&self, name: &str) -> Result<&Given<'a>, Error> {
        let missing = || Error::wrong_type(format!("{}.{name}", self.path), "is missing");
        self.get_or_null(name).ok_or_else(missing)
    }

    pub fn flag(&self, name: &str) -> Result<Option<bool>, Error> {
        self.get(name).map(Given::flag).transpose()
    }

    pub fn text(&self, name: &str) -> Result<Option<&'a str>, Error> {
        self.get(name).map(Given::text).transpose()
    }

    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, Error> {
        self.get(name).map(Given::texts).transpose()
    }

    pub fn number(&self, name: &str, bounds: RangeInclusive<u32>) -> Result<Option<u32>, Error> {
        self.get(name).map(|given| given.number(bounds)).transpose()
    }

    pub fn one_of<T: Copy>(
        &self,
        name: &str,
        things: &[T],
        names: &[&str],
    ) -> Result<Option<T>, Error> {
        self.get(name).map(|given| given.one_of(things, names)).transpose()
    }

    /// Returns the fields of a nested object; none if it is absent.
    pub fn entries(&self, name: &str) -> Result<Vec<(&'a str, Given<'a>)>, Error> {
        self.get(name).map_or(Ok(Vec::new()), Given::entries)
    }
}

/// Returns the JavaScript name of a field: `max_period` is `maxPeriod`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut out = String::from(words.next().unwrap_or_default());
    for word in words {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_given() {
        for (number, text) in [
            (0.0, "0"),
            (-1.0, "-1"),
            (2.5, "2.5"),
            (-0.1, "-0.1"),
            (3.000_25, "3.00025"),
            (1_234.567, "1234.567"),
            (999_999_999_999_999.0, "999999999999999"),
            (2.000_000_1, "2.0"),
            (0.999_999_9, "0.999999"),
            (1e15, "a huge number"),
            (-1e300, "a huge number"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(Plain::Number(number).describe(), text);
        }
    }
}
