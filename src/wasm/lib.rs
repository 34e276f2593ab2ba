//! The boundary to JavaScript. It moves data in and out and decides nothing.
//!
//! Options, verdicts, state, statistics and snapshots cross as serde types. Events take a
//! faster path: the façade writes their texts back to back into one scratch buffer and
//! passes their lengths, which is several times cheaper than one string argument each. They
//! return an [`Answer`]; the full verdict is fetched only if it is not `Continue`.

mod clock;
mod plain_data;
mod scratch;

use js_sys::{RangeError, TypeError};
use loophound::{
    Action, Args, Call, Channel, Config, Error, ErrorKind, LoopDetector, Preset, Snapshot,
    SwarmConfig, SwarmDetector, ToolResult, Verdict, compute_tool_fingerprint,
};
use plain_data::PlainData;
use scratch::scratch;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
#[cfg(target_family = "wasm")]
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};
use wasm_bindgen::prelude::*;

/// The standard allocator can panic, and recording an event must not.
#[cfg(target_family = "wasm")]
#[global_allocator]
static MEMORY: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// Returns the address of at least `bytes` bytes, valid until the next call.
#[wasm_bindgen(js_name = scratch)]
pub fn reserve_scratch(bytes: usize) -> usize {
    scratch().map_or(0, |mut scratch| scratch.reserve(bytes))
}

/// Which pieces a call has. The façade adds up the flags that apply.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum CallFlag {
    /// There is an id.
    HasId = 1,
    /// The arguments are a key that the host computed.
    IsKey = 2,
    /// There are no arguments.
    NoArgs = 4,
    /// A replacement is shown instead of the arguments.
    HasShown = 8,
}

/// Which pieces a result has.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum ResultFlag {
    /// There is an id.
    HasId = 1,
    /// There is a tool name.
    HasName = 2,
    /// The host knows whether the call succeeded.
    HasOk = 4,
    /// The call succeeded.
    IsOk = 8,
    /// There is an output.
    HasOutput = 16,
}

/// The answer to an event: the action of the verdict, or that the event was not recorded.
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
    /// The event was not recorded: the scratch buffer is in use, or the lengths do not fit
    /// it.
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

fn to_exception(error: Error) -> JsValue {
    match error.kind() {
        ErrorKind::Type => TypeError::new(&error.to_string()).into(),
        ErrorKind::Range => RangeError::new(&error.to_string()).into(),
    }
}

/// Converts a value as JSON would: to plain objects, with `null` for absent values.
fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}

fn read_snapshot(snapshot: JsValue) -> Result<Snapshot, Error> {
    Snapshot::from_data(PlainData(snapshot))
}

/// One detector.
#[wasm_bindgen]
pub struct Engine {
    detector: LoopDetector,
}

#[wasm_bindgen]
impl Engine {
    /// Makes a detector with these options.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Engine, JsValue> {
        let config = Config::from_options(PlainData(options));
        let mut detector = config.and_then(LoopDetector::new).map_err(to_exception)?;
        detector.set_clock(clock::host_clock());
        Ok(Engine { detector })
    }

    /// Records a call; pieces: arguments, name, id, replacement for the arguments. `at` is
    /// its time, NaN if unknown.
    pub fn record(
        &mut self,
        args: usize,
        name: usize,
        id: usize,
        shown: usize,
        flags: u32,
        at: f64,
    ) -> Answer {
        self.try_record(args, name, id, shown, flags, at).unwrap_or(Answer::Failed)
    }

    /// Begins a batch: the calls up to `endBatch` are one turn.
    #[wasm_bindgen(js_name = beginBatch)]
    pub fn begin_batch(&mut self) {
        self.detector.begin_batch();
    }

    /// Ends the batch; returns the verdict on the turn.
    #[wasm_bindgen(js_name = endBatch)]
    pub fn end_batch(&mut self) -> Answer {
        Answer::of(self.detector.end_batch())
    }

    /// Records a result; pieces: output, id, name. `at` is its time, NaN if unknown.
    #[wasm_bindgen(js_name = recordResult)]
    pub fn record_result(
        &mut self,
        output: usize,
        id: usize,
        name: usize,
        flags: u32,
        at: f64,
    ) -> Answer {
        self.try_record_result(output, id, name, flags, at).unwrap_or(Answer::Failed)
    }

    /// Records a turn of text.
    #[wasm_bindgen(js_name = recordText)]
    pub fn record_text(&mut self, length: usize) -> Answer {
        self.try_record_text(length).unwrap_or(Answer::Failed)
    }

    /// Records streamed text; `channel` is an index into all channels.
    #[wasm_bindgen(js_name = pushText)]
    pub fn push_text(&mut self, length: usize, channel: usize) -> Answer {
        self.try_push_text(length, channel).unwrap_or(Answer::Failed)
    }

    /// Begins a turn.
    #[wasm_bindgen(js_name = beginTurn)]
    pub fn begin_turn(&mut self) -> Answer {
        Answer::of(self.detector.begin_turn())
    }

    /// Records a message from a person.
    #[wasm_bindgen(js_name = userMessage)]
    pub fn user_message(&mut self) {
        self.detector.user_message();
    }

    /// Records that the model's context was compacted.
    #[wasm_bindgen(js_name = contextCompacted)]
    pub fn context_compacted(&mut self) {
        self.detector.context_compacted();
    }

    /// Returns whether the agent is in a loop right now.
    #[wasm_bindgen(js_name = isStuck)]
    pub fn is_stuck(&self) -> bool {
        self.detector.is_stuck()
    }

    /// Records that the nudge was delivered.
    #[wasm_bindgen(js_name = clearAfterFeedback)]
    pub fn clear_after_feedback(&mut self) {
        self.detector.clear_after_feedback();
    }

    /// Raises the iteration cap; returns by how much.
    pub fn extend(&mut self, by: u32) -> u32 {
        self.detector.extend(by)
    }

    /// Forgets everything but the options.
    pub fn reset(&mut self) {
        self.detector.reset();
    }

    /// Returns the details of the latest verdict.
    pub fn verdict(&self) -> Result<JsValue, JsValue> {
        to_js(self.detector.verdict())
    }

    /// Returns a summary of the state.
    pub fn state(&self) -> Result<JsValue, JsValue> {
        to_js(&self.detector.state())
    }

    /// Explains the latest verdict.
    pub fn explain(&self) -> Result<JsValue, JsValue> {
        to_js(&self.detector.explain())
    }

    /// Returns how many calls were recorded.
    pub fn calls(&self) -> f64 {
        self.detector.call_count() as f64
    }

    /// Returns the last five tool names.
    #[wasm_bindgen(js_name = recentNames)]
    pub fn recent_names(&self) -> Vec<String> {
        self.detector.recent_names()
    }

    /// Returns the state as plain data.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn snapshot(&self) -> Result<JsValue, JsValue> {
        to_js(&self.detector.snapshot())
    }

    /// Continues from a snapshot; returns the verdict that it holds.
    pub fn restore(&mut self, snapshot: JsValue) -> Result<Answer, JsValue> {
        let snapshot = read_snapshot(snapshot).map_err(to_exception)?;
        self.detector.restore(&snapshot).map_err(to_exception)?;
        Ok(Answer::of(self.detector.verdict()))
    }
}

/// The fallible forms of the events: `None` if their pieces cannot be read.
impl Engine {
    fn try_record(
        &mut self,
        args: usize,
        name: usize,
        id: usize,
        shown: usize,
        flags: u32,
        at: f64,
    ) -> Option<Answer> {
        let scratch = scratch()?;
        let shown = scratch.piece(args + name + id, shown)?;
        let id = scratch.piece(args + name, id)?;
        let call = Call {
            name: scratch.piece(args, name)?,
            args: arguments(scratch.piece(0, args)?, flags),
            id: (flags & CallFlag::HasId as u32 != 0).then_some(id),
            at: milliseconds(at),
            shown: (flags & CallFlag::HasShown as u32 != 0).then_some(shown),
        };
        Some(Answer::of(self.detector.record_call(&call)))
    }

    fn try_record_result(
        &mut self,
        output: usize,
        id: usize,
        name: usize,
        flags: u32,
        at: f64,
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
            at: milliseconds(at),
        };
        Some(Answer::of(self.detector.record_result(&result)))
    }

    fn try_record_text(&mut self, length: usize) -> Option<Answer> {
        let scratch = scratch()?;
        Some(Answer::of(self.detector.record_text(scratch.piece(0, length)?)))
    }

    fn try_push_text(&mut self, length: usize, channel: usize) -> Option<Answer> {
        let channel = *Channel::ALL.get(channel)?;
        let scratch = scratch()?;
        Some(Answer::of(self.detector.push_text(scratch.piece(0, length)?, channel)))
    }
}

/// Reads a time; `None` for NaN and times before 1970.
fn milliseconds(at: f64) -> Option<u64> {
    (at >= 0.0).then_some(at as u64)
}

/// Computes a readable fingerprint; pieces: arguments, name. `None` if they cannot be read.
#[wasm_bindgen]
pub fn fingerprint(args: usize, name: usize, flags: u32) -> Option<String> {
    let scratch = scratch()?;
    let name = scratch.piece(args, name)?;
    let arguments = arguments(scratch.piece(0, args)?, flags);
    Some(compute_tool_fingerprint(name, arguments))
}

/// Returns the full options of a preset.
#[wasm_bindgen(js_name = presetOptions)]
pub fn preset_options(name: &str) -> Result<JsValue, JsValue> {
    match Preset::ALL.iter().find(|preset| preset.name() == name) {
        Some(preset) => to_js(&preset.config()),
        None => Ok(JsValue::UNDEFINED),
    }
}

const NO_RANDOMNESS: &str = "createWorkerId needs crypto.getRandomValues, which this host does not offer here; pass worker ids of your own";

/// One swarm.
#[wasm_bindgen]
pub struct Swarm {
    detector: SwarmDetector,
}

#[wasm_bindgen]
impl Swarm {
    /// Makes a swarm with these options.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Swarm, JsValue> {
        let config = SwarmConfig::from_options(PlainData(options));
        let detector = config.and_then(SwarmDetector::with_random_seed).map_err(to_exception)?;
        Ok(Swarm { detector })
    }

    /// Records a worker's call; pieces: arguments, worker, name.
    pub fn record(&mut self, args: usize, worker: usize, name: usize, flags: u32) -> Answer {
        self.try_record(args, worker, name, flags).unwrap_or(Answer::Failed)
    }

    /// Records a worker's call by fingerprint; pieces: fingerprint, worker, tool.
    #[wasm_bindgen(js_name = recordFingerprint)]
    pub fn record_fingerprint(&mut self, fingerprint: usize, worker: usize, tool: usize) -> Answer {
        self.try_record_fingerprint(fingerprint, worker, tool).unwrap_or(Answer::Failed)
    }

    /// Returns the details of the latest verdict.
    pub fn verdict(&self) -> Result<JsValue, JsValue> {
        to_js(self.detector.verdict())
    }

    /// Returns what is known about a fingerprint.
    pub fn info(&self, fingerprint: &str) -> Result<JsValue, JsValue> {
        self.detector.info(fingerprint).map_or(Ok(JsValue::UNDEFINED), |info| to_js(&info))
    }

    /// Returns the global loops.
    pub fn loops(&self) -> Result<JsValue, JsValue> {
        to_js(&self.detector.loops())
    }

    /// Returns totals over all fingerprints.
    pub fn stats(&self) -> Result<JsValue, JsValue> {
        to_js(&self.detector.stats())
    }

    /// Returns the state as plain data.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn snapshot(&self) -> Result<JsValue, JsValue> {
        to_js(&self.detector.snapshot())
    }

    /// Continues from a snapshot.
    pub fn restore(&mut self, snapshot: JsValue) -> Result<(), JsValue> {
        let snapshot = read_snapshot(snapshot).map_err(to_exception)?;
        self.detector.restore(&snapshot).map_err(to_exception)
    }

    /// Forgets all calls.
    pub fn clear(&mut self) {
        self.detector.clear();
    }

    /// Creates a unique worker id.
    #[wasm_bindgen(js_name = createWorkerId)]
    pub fn create_worker_id(&self) -> Result<String, JsValue> {
        let mut random = [0u8; 16];
        getrandom::fill(&mut random).map_err(|_| TypeError::new(NO_RANDOMNESS))?;
        Ok(format!("worker-{:032x}", u128::from_be_bytes(random)))
    }
}

/// The fallible forms of the events: `None` if their pieces cannot be read.
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
