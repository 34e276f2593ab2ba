//! Reads plain data into types that derive `Deserialize`, with errors that say
//! which value is wrong, what was given and what is allowed.
//!
//! The data may come in any self-describing format. It is read into a tree first:
//! some formats hand a struct only the fields it asks for, and in a tree no name is
//! overlooked; and a mistake can be described by what stands at its place.

use crate::error::Error;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeInclusive;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    self, DeserializeOwned, Deserializer, Expected, IntoDeserializer, MapAccess, Unexpected,
    Visitor,
};
use serde::{Deserialize, Serialize, Serializer, forward_to_deserialize_any};
use serde_json::{Number, Value};
use serde_path_to_error::{Path, Segment};

/// Reads anything into a tree. Errors call it by its name.
pub(crate) fn read_tree<'de, D: Deserializer<'de>>(data: D, name: &str) -> Result<Value, Error> {
    Value::deserialize(data)
        .map_err(|error| Error::wrong_type(name, format!("must be plain data: {error}")))
}

/// Reads a tree into a type.
pub(crate) fn from_tree<T: DeserializeOwned>(tree: &Value, name: &str) -> Result<T, Error> {
    serde_path_to_error::deserialize(Given(tree)).map_err(|error| {
        let path = error.path().clone();
        error.into_inner().explain(tree, name, &path)
    })
}

/// Describes a value, short enough for an error message.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > MAX_QUOTE => {
            format!("\"{}…\"", text.chars().take(MAX_QUOTE).collect::<String>())
        }
        Value::String(text) => format!("\"{text}\""),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// How many characters of a text are quoted.
const MAX_QUOTE: usize = 40;

/// Takes a number that has to be a whole one within the bounds.
pub(crate) fn whole(given: &Number, path: &str, bounds: RangeInclusive<u32>) -> Result<u32, Error> {
    let number = given.as_f64().unwrap_or(f64::NAN);
    let rounded = number as u32;
    if f64::from(rounded) == number && bounds.contains(&rounded) {
        return Ok(rounded);
    }
    Err(Error::not_within(path, &bounds, given))
}

/// Sets a whole number within the bounds, if one is given.
pub(crate) fn set_whole(
    place: &mut u32,
    given: Option<Number>,
    path: &str,
    bounds: RangeInclusive<u32>,
) -> Result<(), Error> {
    if let Some(given) = given {
        *place = whole(&given, path, bounds)?;
    }
    Ok(())
}

/// The error for a name that does not exist.
pub(crate) fn unknown_name<T: AsRef<str>>(path: &str, what: &str, allowed: &[T]) -> Error {
    let allowed: Vec<&str> = allowed.iter().map(AsRef::as_ref).collect();
    Error::wrong_type(path, format!("is not {what}; allowed: {}", allowed.join(", ")))
}

/// The JavaScript name of a field: `max_period` is `maxPeriod`.
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

/// A part of the tree, to be read into a type.
#[derive(Clone, Copy)]
struct Given<'a>(&'a Value);

impl<'de> IntoDeserializer<'de, Mistake> for Given<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Given<'de> {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (_, Some(number)) => visitor.visit_i64(number),
                _ => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(Given))),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.as_str(), Given(value)));
                visitor.visit_map(MapDeserializer::new(fields))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => Err(Mistake::WrongType { expected: "a string".into() }),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// What can be wrong with a value; where it stands is known to who reads it.
#[derive(Debug)]
enum Mistake {
    WrongType { expected: String },
    UnknownWord { allowed: &'static [&'static str] },
    UnknownName { allowed: &'static [&'static str] },
    Missing { field: &'static str },
    Other { problem: String },
}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self::Other { problem: problem.to_string() }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::WrongType { expected: expected.to_string() }
    }

    fn unknown_variant(_: &str, allowed: &'static [&'static str]) -> Self {
        Self::UnknownWord { allowed }
    }

    fn unknown_field(_: &str, allowed: &'static [&'static str]) -> Self {
        Self::UnknownName { allowed }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing { field }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl core::error::Error for Mistake {}

impl Mistake {
    fn explain(self, tree: &Value, name: &str, path: &Path) -> Error {
        let (place, value) = follow(tree, name, path);
        match self {
            // A list of texts is one option: it is named as a whole.
            Self::WrongType { expected } if expected == "a string" && place.ends_with(']') => {
                let list = place.rsplit_once('[').map_or(place.as_str(), |(list, _)| list);
                let got = describe(value);
                Error::wrong_type(list, format!("must be a list of strings; got {got}"))
            }
            Self::WrongType { expected } => {
                let expected = match expected.as_str() {
                    "a boolean" => "true or false",
                    "a sequence" => "a list",
                    "a JSON number" => "a number",
                    other => other,
                };
                Error::wrong_type(place, format!("must be {expected}; got {}", describe(value)))
            }
            Self::UnknownWord { allowed } => {
                let allowed: Vec<String> =
                    allowed.iter().map(|word| format!("\"{word}\"")).collect();
                let (allowed, got) = (allowed.join(", "), describe(value));
                Error::out_of_range(place, format!("must be one of {allowed}; got {got}"))
            }
            Self::UnknownName { allowed } => unknown_name(&place, "an option", allowed),
            Self::Missing { field } => Error::wrong_type(format!("{place}.{field}"), "is missing"),
            Self::Other { problem } => Error::wrong_type(place, problem),
        }
    }
}

/// Writes a path out, and finds what stands there.
fn follow<'a>(tree: &'a Value, name: &str, path: &Path) -> (String, &'a Value) {
    let (mut place, mut value) = (String::from(name), Some(tree));
    for segment in path {
        match segment {
            Segment::Map { key } => {
                place.push_str(&format!(".{key}"));
                value = value.and_then(|value| value.get(key));
            }
            Segment::Seq { index } => {
                place.push_str(&format!("[{index}]"));
                value = value.and_then(|value| value.get(index));
            }
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    (place, value.unwrap_or(&Value::Null))
}

/// The fields of an object whose names are not known beforehand, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entries<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Entries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

impl<T> FromIterator<(String, T)> for Entries<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}
