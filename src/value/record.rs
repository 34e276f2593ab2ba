//! Builds a [`Value::Map`] field by field. A list of fields with their values
//! would read as well, but each value would first be laid out where it is listed:
//! that took twice the wasm.

use super::Value;
use alloc::string::String;
use alloc::vec::Vec;

#[derive(Default)]
pub(crate) struct Record {
    fields: Vec<(String, Value)>,
}

impl Record {
    pub fn value(&mut self, name: &str, value: Value) {
        self.fields.push((String::from(name), value));
    }

    pub fn text(&mut self, name: &str, text: &str) {
        self.value(name, Value::Text(String::from(text)));
    }

    /// Text, or null.
    pub fn maybe_text(&mut self, name: &str, text: Option<&str>) {
        match text {
            Some(text) => self.text(name, text),
            None => self.value(name, Value::Null),
        }
    }

    pub fn texts(&mut self, name: &str, texts: &[String]) {
        let mut list = Vec::new();
        for text in texts {
            list.push(Value::Text(text.clone()));
        }
        self.value(name, Value::List(list));
    }

    pub fn flag(&mut self, name: &str, flag: bool) {
        self.value(name, Value::Bool(flag));
    }

    /// A count or an index. Exact up to 2^53, which no run of an agent reaches.
    pub fn count(&mut self, name: &str, count: u64) {
        self.value(name, Value::Number(count as f64));
    }

    pub fn number(&mut self, name: &str, number: u32) {
        self.count(name, number.into());
    }

    /// A number, or null.
    pub fn maybe_number(&mut self, name: &str, number: Option<u32>) {
        match number {
            Some(number) => self.number(name, number),
            None => self.value(name, Value::Null),
        }
    }

    pub fn finish(self) -> Value {
        Value::Map(self.fields)
    }
}
