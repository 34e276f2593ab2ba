//! The only file that knows JavaScript. It moves data in and out and decides
//! nothing.
//!
//! Strings come through one scratch buffer: the façade writes them back to back
//! and passes their lengths, which is several times cheaper than a string
//! argument each. Events are answered with an [`Answer`]; the verdict behind it is
//! fetched only when it is not `Continue`.

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
use crate::verdict::{Action, Verdict};
use alloc::string::String;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};
use wasm_bindgen::prelude::*;

/// The address of at least so many bytes, valid until the next call.
#[wasm_bindgen(js_name = scratch)]
pub fn reserve_scratch(bytes: usize) -> usize {
    scratch().map_or(0, |mut scratch| scratch.reserve(bytes))
}

/// What the pieces of a call are. The façade adds up those that apply.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum CallFlag {
    /// There is an id.
    HasId = 1,
    /// The arguments are a key that the host made for them.
    IsKey = 2,
    /// There are no arguments.
    NoArgs = 4,
}

/// What the pieces of a result are.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum ResultFlag {
    /// There is an id.
    HasId = 1,
    /// There is a tool name.
    HasName = 2,
    /// The host knows whether the call succeeded.
    HasOk = 4,
    /// It did.
    IsOk = 8,
    /// There is an output.
    HasOutput = 16,
}

/// The answer to an event: the verdict's action, or that the event was not
/// recorded.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum Answer {
    /// Nothing is wrong.
    Continue = 0,
    /// Tell the model.
    Nudge = 1,
    /// Refuse the call.
    Block = 2,
    /// End the run.
    Stop = 3,
    /// The scratch buffer is in use, or does not hold what the lengths say.
    Failed = 4,
}

impl Answer {
    fn of(verdict: &Verdict) -> Self {
        match verdict.action {
            Action::Continue => Self::Continue,
            Action::Nudge => Self::Nudge,
            Action::Block => Self::Block,
            Action::Stop => Self::Stop,
        }
    }
}

fn arguments(text: &str, flags: u32) -> Args<'_> {
    if flags & CallFlag::NoArgs as u32 != 0 {
        Args::None
    } else if flags & CallFlag::IsKey as u32 != 0 {
        Args::Key(text)
    } else {
        Args::Text(text)
    }
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

    /// A call; pieces: arguments, name, id.
    pub fn record(&mut self, args: usize, name: usize, id: usize, flags: u32) -> Answer {
        self.try_record(args, name, id, flags).unwrap_or(Answer::Failed)
    }

    /// The calls up to `endBatch` are one turn's.
    #[wasm_bindgen(js_name = beginBatch)]
    pub fn begin_batch(&mut self) {
        self.detector.begin_batch();
    }

    /// The verdict on the turn.
    #[wasm_bindgen(js_name = endBatch)]
    pub fn end_batch(&mut self) -> Answer {
        Answer::of(self.detector.end_batch())
    }

    /// A result; pieces: output, id, name.
    #[wasm_bindgen(js_name = recordResult)]
    pub fn record_result(&mut self, output: usize, id: usize, name: usize, flags: u32) -> Answer {
        self.try_record_result(output, id, name, flags).unwrap_or(Answer::Failed)
    }

    /// A turn of text.
    #[wasm_bindgen(js_name = recordText)]
    pub fn record_text(&mut self, length: usize) -> Answer {
        self.try_record_text(length).unwrap_or(Answer::Failed)
    }

    /// Streamed text.
    #[wasm_bindgen(js_name = pushText)]
    pub fn push_text(&mut self, length: usize, is_reasoning: bool) -> Answer {
        self.try_push_text(length, is_reasoning).unwrap_or(Answer::Failed)
    }

    /// A turn begins.
    #[wasm_bindgen(js_name = beginTurn)]
    pub fn begin_turn(&mut self) -> Answer {
        Answer::of(self.detector.begin_turn())
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

/// Events, as far as their pieces can be read.
impl Engine {
    fn try_record(&mut self, args: usize, name: usize, id: usize, flags: u32) -> Option<Answer> {
        let scratch = scratch()?;
        let id = scratch.piece(args + name, id)?;
        let call = Call {
            name: scratch.piece(args, name)?,
            args: arguments(scratch.piece(0, args)?, flags),
            id: (flags & CallFlag::HasId as u32 != 0).then_some(id),
        };
        Some(Answer::of(self.detector.record_call(&call)))
    }

    fn try_record_result(
        &mut self,
        output: usize,
        id: usize,
        name: usize,
        flags: u32,
    ) -> Option<Answer> {
        let scratch = scratch()?;
        let has = |flag: ResultFlag| flags & flag as u32 != 0;
        let name = scratch.piece(output + id, name)?;
        let id = scratch.piece(output, id)?;
        let output = scratch.piece(0, output)?;
        let result = ToolResult {
            id: has(ResultFlag::HasId).then_some(id),
            name: has(ResultFlag::HasName).then_some(name),
            ok: has(ResultFlag::HasOk).then_some(has(ResultFlag::IsOk)),
            output: has(ResultFlag::HasOutput).then_some(output),
        };
        Some(Answer::of(self.detector.record_result(&result)))
    }

    fn try_record_text(&mut self, length: usize) -> Option<Answer> {
        let scratch = scratch()?;
        Some(Answer::of(self.detector.record_text(scratch.piece(0, length)?)))
    }

    fn try_push_text(&mut self, length: usize, is_reasoning: bool) -> Option<Answer> {
        let channel = if is_reasoning { Channel::Reasoning } else { Channel::Text };
        let scratch = scratch()?;
        Some(Answer::of(self.detector.push_text(scratch.piece(0, length)?, channel)))
    }
}

/// A readable fingerprint; pieces: arguments, name. `None` if they cannot be read.
#[wasm_bindgen]
pub fn fingerprint(args: usize, name: usize, flags: u32) -> Option<String> {
    let scratch = scratch()?;
    let name = scratch.piece(args, name)?;
    let arguments = arguments(scratch.piece(0, args)?, flags);
    Some(crate::compute_tool_fingerprint(name, arguments))
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

    /// A worker's call; pieces: arguments, worker, name.
    pub fn record(&mut self, args: usize, worker: usize, name: usize, flags: u32) -> Answer {
        self.try_record(args, worker, name, flags).unwrap_or(Answer::Failed)
    }

    /// A worker's call by fingerprint; pieces: fingerprint, worker, tool.
    #[wasm_bindgen(js_name = recordFingerprint)]
    pub fn record_fingerprint(&mut self, fingerprint: usize, worker: usize, tool: usize) -> Answer {
        self.try_record_fingerprint(fingerprint, worker, tool).unwrap_or(Answer::Failed)
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

/// Events, as far as their pieces can be read.
impl Swarm {
    fn try_record(
        &mut self,
        args: usize,
        worker: usize,
        name: usize,
        flags: u32,
    ) -> Option<Answer> {
        let scratch = scratch()?;
        let name = scratch.piece(args + worker, name)?;
        let worker = scratch.piece(args, worker)?;
        let args = arguments(scratch.piece(0, args)?, flags);
        Some(Answer::of(self.detector.record(worker, name, args)))
    }

    fn try_record_fingerprint(
        &mut self,
        fingerprint: usize,
        worker: usize,
        tool: usize,
    ) -> Option<Answer> {
        let scratch = scratch()?;
        let tool = scratch.piece(fingerprint + worker, tool)?;
        let worker = scratch.piece(fingerprint, worker)?;
        let fingerprint = scratch.piece(0, fingerprint)?;
        Some(Answer::of(self.detector.record_fingerprint(worker, tool, fingerprint)))
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Date, js_name = now, catch)]
    fn milliseconds() -> Result<JsValue, JsValue>;

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

/// The latest time that the host's clock gave.
static LATEST: AtomicU64 = AtomicU64::new(0);

/// Returns the time; the latest good one where the host's clock throws or gives
/// no time. An exception that unwound through the engine would end it.
fn now() -> u64 {
    let time = milliseconds().ok().and_then(|time| time.as_f64());
    if let Some(time) = time.filter(|time| *time >= 0.0) {
        LATEST.store(time as u64, Ordering::Relaxed);
    }
    LATEST.load(Ordering::Relaxed)
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
