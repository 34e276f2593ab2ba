//! Options and snapshots from JavaScript, as data for serde.
//!
//! The façade passes only plain data. serde-wasm-bindgen could read it as well, but its
//! support for all other values (and for printing floats) makes it several times as large.

use js_sys::{Array, Object};
use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use wasm_bindgen::{JsCast, JsValue};

/// `null`, `undefined`, a boolean, a number, a string, an array or an object.
pub(crate) struct PlainData(pub JsValue);

impl<'de> Deserializer<'de> for PlainData {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Self(value) = self;
        if value.is_undefined() || value.is_null() {
            visitor.visit_unit()
        } else if let Some(flag) = value.as_bool() {
            visitor.visit_bool(flag)
        } else if let Some(number) = value.as_f64() {
            visitor.visit_f64(number)
        } else if let Some(text) = value.as_string() {
            visitor.visit_string(text)
        } else if Array::is_array(&value) {
            let items: &Array = value.unchecked_ref();
            visitor.visit_seq(SeqDeserializer::new(items.iter().map(PlainData)))
        } else if value.is_object() {
            let fields = Object::entries(value.unchecked_ref());
            let fields = fields.iter().map(|field| {
                let field: Array = field.unchecked_into();
                (field.get(0).as_string().unwrap_or_default(), PlainData(field.get(1)))
            });
            visitor.visit_map(MapDeserializer::new(fields))
        } else {
            Err(Error::custom(
                "neither null, a boolean, a number, a string, an array nor an object",
            ))
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for PlainData {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
