//! JSON text for [`Value`]: how Rust hosts store snapshots, and how options and
//! snapshots come in from JavaScript.

use super::{MAX_DEPTH, Value};
use crate::call::first_characters;
use crate::call::json::{scan_number, unescape, write_string};
use crate::concat::cat;
use crate::error::Error;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Value {
    /// Writes the tree as JSON text. Numbers that JSON cannot hold become `null`.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        write(self, &mut out);
        out
    }

    /// Reads JSON text.
    ///
    /// # Errors
    /// When the text is not JSON or nests deeper than 32 levels.
    pub fn parse_json(text: &str) -> Result<Value, Error> {
        let mut reader = Reader { rest: text };
        let value = reader.value(0)?;
        reader.skip_space();
        if reader.rest.is_empty() { Ok(value) } else { Err(reader.unexpected("the end")) }
    }
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) if number.is_finite() => out.push_str(&number.to_string()),
        Value::Number(_) => out.push_str("null"),
        Value::Text(text) => write_string(text, out),
        Value::List(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(fields) => {
            out.push('{');
            for (position, (name, field)) in fields.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_string(name, out);
                out.push(':');
                write(field, out);
            }
            out.push('}');
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn unexpected(&self, wanted: &str) -> Error {
        let found = first_characters(self.rest, 10);
        Error::wrong_type(cat(&["not JSON: expected ", wanted, ", found \"", found, "\""]))
    }

    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::out_of_range(String::from("JSON is nested too deeply")));
        }
        self.skip_space();
        match self.rest.chars().next() {
            Some('{') => self.map(depth),
            Some('[') => self.list(depth),
            Some('"') => self.text().map(Value::Text),
            Some('-' | '0'..='9') => self.number(),
            _ if self.eat("null") => Ok(Value::Null),
            _ if self.eat("true") => Ok(Value::Bool(true)),
            _ if self.eat("false") => Ok(Value::Bool(false)),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, Error> {
        self.eat("{");
        let mut fields = Vec::new();
        self.skip_space();
        if self.eat("}") {
            return Ok(Value::Map(fields));
        }
        loop {
            self.skip_space();
            let name = self.text()?;
            self.skip_space();
            if !self.eat(":") {
                return Err(self.unexpected("\":\""));
            }
            fields.push((name, self.value(depth + 1)?));
            self.skip_space();
            if self.eat("}") {
                return Ok(Value::Map(fields));
            }
            if !self.eat(",") {
                return Err(self.unexpected("\",\" or \"}\""));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Error> {
        self.eat("[");
        let mut items = Vec::new();
        self.skip_space();
        if self.eat("]") {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.eat("]") {
                return Ok(Value::List(items));
            }
            if !self.eat(",") {
                return Err(self.unexpected("\",\" or \"]\""));
            }
        }
    }

    fn number(&mut self) -> Result<Value, Error> {
        match read_number(self.rest.as_bytes()) {
            Some((number, length)) => {
                self.rest = self.rest.get(length..).unwrap_or_default();
                Ok(Value::Number(number))
            }
            None => Err(self.unexpected("a number")),
        }
    }

    fn text(&mut self) -> Result<String, Error> {
        if !self.eat("\"") {
            return Err(self.unexpected("a string"));
        }
        let mut text = String::new();
        match unescape(self.rest, &mut text) {
            Some(length) => {
                self.rest = self.rest.get(length..).unwrap_or_default();
                Ok(text)
            }
            None => Err(self.unexpected("the rest of a string")),
        }
    }
}

/// Reads a number by JSON's grammar; tells how many bytes it takes. Whole
/// numbers up to 2^53 are exact, and no option or snapshot has others; fractions
/// are as good as their first digits. The standard library's parser is right to
/// the last bit and costs ten kilobytes of wasm.
fn read_number(text: &[u8]) -> Option<(f64, usize)> {
    let (_, length) = scan_number(text)?;
    let (mut value, mut scale, mut exponent) = (0f64, 1f64, 0i32);
    let (mut fraction, mut power, mut shrink) = (false, false, false);
    for byte in text.get(..length)? {
        match byte {
            b'.' => fraction = true,
            b'e' | b'E' => power = true,
            b'-' if power => shrink = true,
            b'0'..=b'9' if power => {
                exponent = exponent.saturating_mul(10).saturating_add(i32::from(byte - b'0'));
            }
            b'0'..=b'9' => {
                value = value * 10.0 + f64::from(byte - b'0');
                scale *= if fraction { 10.0 } else { 1.0 };
            }
            _ => {}
        }
    }
    value /= scale;
    for _ in 0..exponent.min(400) {
        value = if shrink { value / 10.0 } else { value * 10.0 };
    }
    let value = if text.first() == Some(&b'-') { -value } else { value };
    value.is_finite().then_some((value, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trees() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<u32>().prop_map(Value::from),
            (-(1i64 << 53)..(1i64 << 53)).prop_map(|n| Value::Number(n as f64)),
            ".*".prop_map(Value::Text),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
                proptest::collection::vec((".*", inner), 0..6).prop_map(Value::Map),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(tree in trees()) {
            prop_assert_eq!(Value::parse_json(&tree.to_json()), Ok(tree));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".*") {
            let _ = Value::parse_json(&text);
        }
    }

    #[test]
    fn escapes_and_depth() {
        let text = r#""\u0041\ud83d\ude00\n\/""#;
        assert_eq!(Value::parse_json(text), Ok(Value::from("A😀\n/")));
        assert_eq!(Value::parse_json(r#""\ud83d\u0041""#), Ok(Value::from("\u{FFFD}A")));
        for text in [r#""\u+a81""#, r#""\u00""#, r#""\x""#, "\"\n\"", "\"open"] {
            assert!(Value::parse_json(text).is_err(), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(Value::parse_json(&deep).is_err());
        assert!(Value::parse_json("{} x").is_err());
    }

    #[test]
    fn numbers() {
        for (text, value) in [("1.5", 1.5), ("-0.25", -0.25), ("1e3", 1000.0), ("25e-2", 0.25)] {
            assert_eq!(Value::parse_json(text), Ok(Value::Number(value)), "{text}");
        }
        for text in ["01", "1.", "-", "1e999", "+1"] {
            assert!(Value::parse_json(text).is_err(), "{text}");
        }
    }
}
