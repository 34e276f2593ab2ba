//! The only file that knows JavaScript. It moves data in and out and decides
//! nothing.
//!
//! Strings come through one scratch buffer: the façade writes them back to back
//! and passes their lengths, which is several times cheaper than a string
//! argument each. Events are answered with a number; what is behind it is
//! fetched only when it is not 0 ("continue").

use crate::concat::cat;
use crate::config::Config;
use crate::config::Preset;
use crate::detector::LoopDetector;
use crate::error::{Error, ErrorKind};
use crate::event::{Args, Call, Channel, ToolResult};
use crate::scratch::scratch;
use crate::snapshot::Snapshot;
use crate::swarm::{FingerprintInfo, SwarmConfig, SwarmDetector, random_seed};
use crate::value::{MAX_DEPTH, Record, Value};
use crate::verdict::Verdict;
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::*;

/// The address of at least so many bytes, valid until the next call.
#[wasm_bindgen(js_name = scratch)]
pub fn reserve_scratch(bytes: usize) -> usize {
    scratch().map_or(0, |mut scratch| scratch.reserve(bytes))
}

const HAS_ID: u32 = 1;
const IS_KEY: u32 = 2;
const NO_ARGS: u32 = 4;
const PACKED_ARGS: u32 = 8;
const PACKED_OUTPUT: u32 = 32;

fn arguments(text: &str, flags: u32) -> Args<'_> {
    if flags & NO_ARGS != 0 {
        Args::None
    } else if flags & IS_KEY != 0 {
        Args::Key(text)
    } else {
        Args::Text(text)
    }
}

fn code(verdict: &Verdict) -> u32 {
    verdict.action as u32
}

fn thrown(error: &Error) -> JsValue {
    match error.kind() {
        ErrorKind::Type => type_error(error.message()),
        ErrorKind::Range => range_error(error.message()),
    }
}

/// One detector.
#[wasm_bindgen]
pub struct Engine {
    detector: LoopDetector,
}

#[wasm_bindgen]
impl Engine {
    /// A detector with these options.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Engine, JsValue> {
        let config = Config::from_value(&incoming(&options, "options")?);
        let detector = config.and_then(LoopDetector::new).map_err(|error| thrown(&error))?;
        let mut engine = Engine { detector };
        engine.detector.set_clock(now);
        Ok(engine)
    }

    /// A call; pieces: name, arguments, id.
    pub fn record(&mut self, name: usize, args: usize, id: usize, flags: u32) -> u32 {
        let Some(mut scratch) = scratch() else { return 0 };
        let is_packed = flags & PACKED_ARGS != 0;
        if is_packed {
            scratch.unpack(name, args);
        }
        let id = scratch.piece(name + args, id);
        let call = Call {
            name: scratch.piece(0, name),
            args: arguments(scratch.data(name, args, is_packed), flags),
            id: (flags & HAS_ID != 0).then_some(id),
        };
        code(self.detector.record_call(&call))
    }

    /// The calls up to `endBatch` are one turn's.
    #[wasm_bindgen(js_name = beginBatch)]
    pub fn begin_batch(&mut self) {
        self.detector.begin_batch();
    }

    /// The verdict on the turn.
    #[wasm_bindgen(js_name = endBatch)]
    pub fn end_batch(&mut self) -> u32 {
        code(self.detector.end_batch())
    }

    /// A result; pieces: id, output, name.
    #[wasm_bindgen(js_name = recordResult)]
    pub fn record_result(&mut self, id: usize, output: usize, name: usize, flags: u32) -> u32 {
        let Some(mut scratch) = scratch() else { return 0 };
        let given = |bit: u32| flags & bit != 0;
        if given(PACKED_OUTPUT) {
            scratch.unpack(id, output);
        }
        let result = ToolResult {
            id: given(1).then_some(scratch.piece(0, id)),
            name: given(2).then_some(scratch.piece(id + output, name)),
            ok: given(4).then_some(given(8)),
            output: given(16).then_some(scratch.data(id, output, given(PACKED_OUTPUT))),
        };
        code(self.detector.record_result(&result))
    }

    /// A turn of text.
    #[wasm_bindgen(js_name = recordText)]
    pub fn record_text(&mut self, length: usize) -> u32 {
        scratch().map_or(0, |scratch| code(self.detector.record_text(scratch.piece(0, length))))
    }

    /// Streamed text.
    #[wasm_bindgen(js_name = pushText)]
    pub fn push_text(&mut self, length: usize, channel: u32) -> u32 {
        let channel = if channel == 0 { Channel::Text } else { Channel::Reasoning };
        let Some(scratch) = scratch() else { return 0 };
        code(self.detector.push_text(scratch.piece(0, length), channel))
    }

    /// A turn begins.
    #[wasm_bindgen(js_name = beginTurn)]
    pub fn begin_turn(&mut self) -> u32 {
        code(self.detector.begin_turn())
    }

    /// A person spoke.
    #[wasm_bindgen(js_name = userMessage)]
    pub fn user_message(&mut self) {
        self.detector.user_message();
    }

    /// Whether the agent is in a loop right now.
    #[wasm_bindgen(js_name = isStuck)]
    pub fn is_stuck(&self) -> bool {
        self.detector.is_stuck()
    }

    /// The nudge was delivered.
    #[wasm_bindgen(js_name = clearAfterFeedback)]
    pub fn clear_after_feedback(&mut self) {
        self.detector.clear_after_feedback();
    }

    /// Raises the cap.
    pub fn extend(&mut self, by: u32) -> u32 {
        self.detector.extend(by)
    }

    /// Forgets everything but the options.
    pub fn reset(&mut self) {
        self.detector.reset();
    }

    /// The latest verdict's details.
    pub fn verdict(&self) -> JsValue {
        outgoing(&self.detector.verdict().to_value())
    }

    /// The six fields of the first seed.
    pub fn state(&self) -> JsValue {
        let state = self.detector.state();
        let mut fields = Record::default();
        fields.flag("doomLoopDetected", state.doom_loop_detected);
        fields.maybe_text("lastTool", state.last_tool.as_deref());
        fields.count("consecutiveCount", state.consecutive_count);
        fields.number("threshold", state.threshold);
        fields.number("fuzzyThreshold", state.fuzzy_threshold);
        fields.count("lastWarningTime", state.last_warning_time);
        outgoing(&fields.finish())
    }

    /// The last five tool names.
    #[wasm_bindgen(js_name = recentNames)]
    pub fn recent_names(&self) -> JsValue {
        outgoing(&self.detector.recent_names().into_iter().map(Into::into).collect())
    }

    /// The state as plain data.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn snapshot(&self) -> JsValue {
        outgoing(&self.detector.snapshot().to_value())
    }

    /// Continues from a snapshot.
    pub fn restore(&mut self, snapshot: JsValue) -> Result<(), JsValue> {
        let value = incoming(&snapshot, "snapshot")?;
        let snapshot = Snapshot::from_value(&value).map_err(|error| thrown(&error))?;
        self.detector.restore(&snapshot).map_err(|error| thrown(&error))
    }
}

/// A readable fingerprint; pieces: name, arguments.
#[wasm_bindgen]
pub fn fingerprint(name: usize, args: usize, flags: u32) -> String {
    let Some(scratch) = scratch() else { return String::new() };
    let arguments = arguments(scratch.piece(name, args), flags);
    crate::compute_tool_fingerprint(scratch.piece(0, name), arguments)
}

/// A preset's full options.
#[wasm_bindgen(js_name = presetOptions)]
pub fn preset_options(name: &str) -> JsValue {
    match Preset::ALL.iter().find(|preset| preset.name() == name) {
        Some(preset) => outgoing(&preset.config().to_value()),
        None => JsValue::UNDEFINED,
    }
}

/// One swarm.
#[wasm_bindgen]
pub struct Swarm {
    detector: SwarmDetector,
}

#[wasm_bindgen]
impl Swarm {
    /// A swarm with these options.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Swarm, JsValue> {
        let config = SwarmConfig::from_value(&incoming(&options, "options")?);
        let detector = config.and_then(|config| SwarmDetector::new(config, random_seed()));
        detector.map(|detector| Swarm { detector }).map_err(|error| thrown(&error))
    }

    /// A worker's call; pieces: worker, name, arguments.
    pub fn record(&mut self, worker: usize, name: usize, args: usize, flags: u32) -> u32 {
        let Some(scratch) = scratch() else { return 0 };
        let arguments = arguments(scratch.piece(worker + name, args), flags);
        let name = scratch.piece(worker, name);
        code(self.detector.record(scratch.piece(0, worker), name, arguments))
    }

    /// A worker's call by fingerprint; pieces: worker, tool, fingerprint.
    #[wasm_bindgen(js_name = recordFingerprint)]
    pub fn record_fingerprint(&mut self, worker: usize, tool: usize, fingerprint: usize) -> u32 {
        let Some(scratch) = scratch() else { return 0 };
        let fingerprint = scratch.piece(worker + tool, fingerprint);
        let tool = scratch.piece(worker, tool);
        code(self.detector.record_fingerprint(scratch.piece(0, worker), tool, fingerprint))
    }

    /// The latest verdict's details.
    pub fn verdict(&self) -> JsValue {
        outgoing(&self.detector.verdict().to_value())
    }

    /// What is known of a fingerprint.
    pub fn info(&self, fingerprint: &str) -> JsValue {
        let info = self.detector.info(fingerprint);
        info.map_or(JsValue::UNDEFINED, |info| outgoing(&info.to_value()))
    }

    /// The global loops.
    pub fn loops(&self) -> JsValue {
        outgoing(&self.detector.loops().iter().map(FingerprintInfo::to_value).collect())
    }

    /// Sums over all fingerprints.
    pub fn stats(&self) -> JsValue {
        outgoing(&self.detector.stats().to_value())
    }

    /// The state as plain data.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn snapshot(&self) -> JsValue {
        outgoing(&self.detector.snapshot().to_value())
    }

    /// Continues from a snapshot.
    pub fn restore(&mut self, snapshot: JsValue) -> Result<(), JsValue> {
        let value = incoming(&snapshot, "snapshot")?;
        let snapshot = Snapshot::from_value(&value).map_err(|error| thrown(&error))?;
        self.detector.restore(&snapshot).map_err(|error| thrown(&error))
    }

    /// Forgets all calls.
    pub fn clear(&mut self) {
        self.detector.clear();
    }

    /// A worker id that no other worker has.
    #[wasm_bindgen(js_name = createWorkerId)]
    pub fn create_worker_id(&self) -> Result<String, JsValue> {
        let mut random = [0u8; 16];
        getrandom::fill(&mut random).map_err(|_| {
            type_error(
                "createWorkerId needs crypto.getRandomValues, which this host does not offer here; pass worker ids of your own",
            )
        })?;
        let mut id = String::from("worker-");
        for byte in random {
            for half in [byte >> 4, byte & 15] {
                id.push(char::from_digit(half.into(), 16).unwrap_or('0'));
            }
        }
        Ok(id)
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Date, js_name = now)]
    fn milliseconds() -> f64;

    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn stringify(value: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn parse(text: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = TypeError)]
    fn type_error(message: &str) -> JsValue;

    #[wasm_bindgen(js_name = RangeError)]
    fn range_error(message: &str) -> JsValue;

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

fn now() -> u64 {
    milliseconds() as u64
}

/// A tree of JavaScript's. What is not plain data (dates, functions, cycles)
/// becomes what it is in JSON, or is refused.
fn incoming(value: &JsValue, name: &str) -> Result<Value, JsValue> {
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

fn outgoing(value: &Value) -> JsValue {
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
