//! Reads plain data into types that derive `Deserialize`, with errors that say
//! which value is wrong, what was given and what is allowed.
//!
//! The data may come in any self-describing format. It is read into a tree first:
//! some formats hand a struct only the fields it asks for, and in a tree no name is
//! overlooked. From there on errors are our own, with the path to where they arose.

use crate::error::{Error, ErrorKind};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeInclusive;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::{Deserialize, Serialize, Serializer, forward_to_deserialize_any};

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
    /// Reads anything. Errors call it by this name.
    pub fn read<'de, D: Deserializer<'de>>(data: D, name: &str) -> Result<Self, Error> {
        Self::deserialize(data)
            .map_err(|error| Error::wrong_type(name, format!("must be plain data: {error}")))
    }

    /// Reads the data into a type. Errors call it by this name.
    pub fn parse<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        T::deserialize(self).map_err(|mistake| mistake.given(self).explain(name))
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

    /// Describes the data, short enough for an error message.
    pub fn describe(&self) -> String {
        match self {
            Plain::Null => "null".into(),
            Plain::Flag(flag) => flag.to_string(),
            Plain::Number(number) => Number(*number).to_string(),
            Plain::Text(text) if text.chars().count() > MAX_QUOTE => {
                format!("\"{}…\"", text.chars().take(MAX_QUOTE).collect::<String>())
            }
            Plain::Text(text) => format!("\"{text}\""),
            Plain::List(items) => format!("a list of {}", items.len()),
            Plain::Object(_) => "an object".into(),
        }
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

impl<'de> Deserializer<'de> for &'de Plain {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Plain::Null => visitor.visit_unit(),
            Plain::Flag(flag) => visitor.visit_bool(*flag),
            Plain::Number(number) => visitor.visit_f64(*number),
            Plain::Text(text) => visitor.visit_borrowed_str(text),
            Plain::List(items) => visitor.visit_seq(Items::new(items)),
            Plain::Object(fields) => visitor.visit_map(Fields::new(fields)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Plain::Flag(flag) => visitor.visit_bool(*flag),
            _ => Err(Mistake::wrong_type(&visitor)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Plain::Number(number) => visitor.visit_f64(*number),
            _ => Err(Mistake::wrong_type(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Plain::Text(text) => visitor.visit_str(text),
            _ => Err(Mistake::wrong_type(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Plain::List(items) => visitor.visit_seq(Items::new(items)),
            _ => Err(Mistake::wrong_type(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Plain::Object(fields) => visitor.visit_map(Fields::new(fields)),
            _ => Err(Mistake::wrong_type(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Plain::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        match self {
            Plain::Text(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => Err(Mistake::wrong_type(&"a string")),
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
        i8 i16 i32 i64 u8 u16 u32 u64 f32 char str bytes byte_buf
        unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// The items of a list, one after the other.
struct Items<'a> {
    items: core::slice::Iter<'a, Plain>,
    next: usize,
}

impl<'a> Items<'a> {
    fn new(items: &'a [Plain]) -> Self {
        Self { items: items.iter(), next: 0 }
    }
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Mistake;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mistake> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let place = self.next;
        self.next += 1;
        let read = seed.deserialize(item).map(Some);
        read.map_err(|mistake| mistake.in_item(place, item))
    }
}

/// The fields of an object, one after the other.
struct Fields<'a> {
    fields: core::slice::Iter<'a, (String, Plain)>,
    current: Option<&'a (String, Plain)>,
}

impl<'a> Fields<'a> {
    fn new(fields: &'a [(String, Plain)]) -> Self {
        Self { fields: fields.iter(), current: None }
    }
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Mistake;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mistake> {
        self.current = self.fields.next();
        let Some((name, _)) = self.current else { return Ok(None) };
        let name = name.as_str();
        let read = seed.deserialize(IntoDeserializer::<Mistake>::into_deserializer(name));
        read.map(Some).map_err(|mistake| mistake.below(format!(".{name}")))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Mistake> {
        match self.current {
            Some((name, value)) => {
                let read = seed.deserialize(value);
                read.map_err(|mistake| mistake.in_field(name, value))
            }
            None => Err(de::Error::custom("has no field left")),
        }
    }
}

/// What is wrong with a part of the data.
#[derive(Debug)]
pub(crate) struct Mistake(Box<Details>);

#[derive(Debug)]
struct Details {
    kind: ErrorKind,
    problem: String,
    /// What was given is still to be told.
    is_open: bool,
    /// The way to it, the last step first.
    path: Vec<String>,
}

impl Mistake {
    fn new(kind: ErrorKind, problem: String, is_open: bool) -> Self {
        Self(Box::new(Details { kind, problem, is_open, path: Vec::new() }))
    }

    /// The data is of another type than is expected.
    fn wrong_type(expected: &dyn Expected) -> Self {
        let expected = match expected.to_string().as_str() {
            "a boolean" => "true or false".into(),
            "a sequence" => "a list".into(),
            "f64" => "a number".into(),
            other => String::from(other),
        };
        Self::new(ErrorKind::Type, format!("must be {expected}"), true)
    }

    /// Tells what was given.
    fn given(mut self, data: &Plain) -> Self {
        if core::mem::take(&mut self.0.is_open) {
            self.0.problem = format!("{}; got {}", self.0.problem, data.describe());
        }
        self
    }

    /// The same mistake, seen from the list that has the item.
    fn in_item(self, place: usize, item: &Plain) -> Self {
        self.given(item).below(format!("[{place}]"))
    }

    /// The same mistake, seen from the object that has the field.
    fn in_field(self, name: &str, value: &Plain) -> Self {
        self.given(value).below(format!(".{name}"))
    }

    /// The same mistake, seen from one level above.
    fn below(mut self, step: String) -> Self {
        self.0.path.push(step);
        self
    }

    fn explain(self, name: &str) -> Error {
        let Details { kind, problem, path, .. } = *self.0;
        let steps = path.iter().rev().map(String::as_str);
        let path: String = core::iter::once(name).chain(steps).collect();
        match kind {
            ErrorKind::Type => Error::wrong_type(path, problem),
            ErrorKind::Range => Error::out_of_range(path, problem),
        }
    }
}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self::new(ErrorKind::Type, problem.to_string(), false)
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::wrong_type(expected)
    }

    fn unknown_variant(_: &str, allowed: &'static [&'static str]) -> Self {
        let allowed = format!("\"{}\"", allowed.join("\", \""));
        Self::new(ErrorKind::Range, format!("must be one of {allowed}"), true)
    }

    fn unknown_field(_: &str, allowed: &'static [&'static str]) -> Self {
        let allowed = allowed.join(", ");
        Self::new(ErrorKind::Type, format!("is not an option; allowed: {allowed}"), false)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(ErrorKind::Type, "is missing".into(), false).below(format!(".{field}"))
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.problem)
    }
}

impl core::error::Error for Mistake {}

/// A number as it was given, whole or not.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Number(f64);

impl Number {
    /// Returns it if it is a whole number within the bounds.
    pub fn within(self, bounds: RangeInclusive<u32>, path: &str) -> Result<u32, Error> {
        // A comparison with NaN is false, so NaN ends up refused like 1.5.
        let whole = self.0 as u32;
        if f64::from(whole) == self.0 && bounds.contains(&whole) {
            return Ok(whole);
        }
        Err(Error::not_within(path, &bounds, self))
    }
}

impl From<u32> for Number {
    fn from(number: u32) -> Self {
        Self(number.into())
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0 as u32)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // Written out, it would be hundreds of digits.
            number if number.abs() >= 1e15 && number.is_finite() => f.write_str("a huge number"),
            number => number.fmt(f),
        }
    }
}

/// Sets a whole number within the bounds, if one is given.
pub(crate) fn set_whole(
    place: &mut u32,
    given: Option<Number>,
    path: &str,
    bounds: RangeInclusive<u32>,
) -> Result<(), Error> {
    if let Some(given) = given {
        *place = given.within(bounds, path)?;
    }
    Ok(())
}

/// A list of texts. An item of another type is told as a mistake of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Texts(pub Vec<String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut texts = Vec::new();
        for item in Vec::<Plain>::deserialize(deserializer)? {
            let Plain::Text(text) = item else {
                let got = item.describe();
                let problem = format_args!("must be a list of strings; got {got}");
                return Err(de::Error::custom(problem));
            };
            texts.push(text);
        }
        Ok(Self(texts))
    }
}

/// The fields of an object whose names are not known beforehand, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entries<T>(pub Vec<(String, T)>);

impl<T> FromIterator<(String, T)> for Entries<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

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
