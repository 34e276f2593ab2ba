//! What the engine asks of JavaScript: plain data in and out, errors, the time.

use super::thrown;
use crate::error::Error;
use crate::text::cat;
use crate::value::{MAX_DEPTH, Value};
use alloc::vec::Vec;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Date, js_name = now)]
    fn milliseconds() -> f64;

    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn stringify(value: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn parse(text: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = TypeError)]
    pub(super) fn type_error(message: &str) -> JsValue;

    #[wasm_bindgen(js_name = RangeError)]
    pub(super) fn range_error(message: &str) -> JsValue;

    #[wasm_bindgen(js_name = Array)]
    fn new_list() -> Node;

    #[wasm_bindgen(js_name = Object)]
    fn new_map() -> Node;

    #[wasm_bindgen(js_namespace = Array, js_name = isArray)]
    fn is_list(node: &JsValue) -> bool;

    #[wasm_bindgen(js_namespace = Object)]
    fn keys(node: &JsValue) -> Node;

    /// A list or an object: one pair of functions serves both.
    type Node;

    #[wasm_bindgen(method, getter)]
    fn length(this: &Node) -> u32;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn get(this: &Node, key: &JsValue) -> JsValue;

    #[wasm_bindgen(method, structural, indexing_setter)]
    fn set(this: &Node, key: &JsValue, value: &JsValue);
}

pub(super) fn now() -> u64 {
    milliseconds() as u64
}

/// A tree of JavaScript's. What is not plain data (dates, functions, cycles)
/// becomes what it is in JSON, or is refused.
pub(super) fn incoming(value: &JsValue, name: &str) -> Result<Value, JsValue> {
    if value.is_undefined() {
        return Ok(Value::Null);
    }
    let text = stringify(value).ok().filter(JsValue::is_string);
    let Some(plain) = text.and_then(|text| parse(&text).ok()) else {
        return Err(type_error(&cat(&[name, " must be plain data"])));
    };
    read(plain, 0).map_err(|error| thrown(&error))
}

fn read(value: JsValue, depth: usize) -> Result<Value, Error> {
    if depth > MAX_DEPTH {
        return Err(Error::out_of_range("JSON is nested too deeply".into()));
    }
    if let Some(text) = value.as_string() {
        return Ok(Value::Text(text));
    }
    if let Some(number) = value.as_f64() {
        return Ok(Value::Number(number));
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Value::Bool(flag));
    }
    if value.is_null() {
        return Ok(Value::Null);
    }
    let is_list = is_list(&value);
    let names = keys(&value);
    let node = Node::from(value);
    let (mut items, mut fields) = (Vec::new(), Vec::new());
    for place in 0..names.length() {
        let name = names.get(&place.into());
        let item = read(node.get(&name), depth + 1)?;
        match name.as_string().filter(|_| !is_list) {
            Some(name) => fields.push((name, item)),
            None => items.push(item),
        }
    }
    Ok(if is_list { Value::List(items) } else { Value::Map(fields) })
}

pub(super) fn outgoing(value: &Value) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        Value::Bool(value) => (*value).into(),
        Value::Number(value) => (*value).into(),
        Value::Text(value) => value.as_str().into(),
        Value::List(items) => {
            let node = new_list();
            for (place, item) in items.iter().enumerate() {
                node.set(&(place as f64).into(), &outgoing(item));
            }
            node.into()
        }
        Value::Map(fields) => {
            let node = new_map();
            for (name, field) in fields {
                node.set(&name.as_str().into(), &outgoing(field));
            }
            node.into()
        }
    }
}
