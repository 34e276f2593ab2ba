//! The boundary to JavaScript. It moves data in and out and decides nothing.
//!
//! Options, verdicts, state, statistics and snapshots cross as serde types. Events take a
//! faster path: the façade writes their texts back to back into one scratch buffer and
//! passes their lengths, which is several times cheaper than one string argument each. They
//! return an [`Answer`]; the full verdict is fetched only if it is not `Continue`.

mod clock;
mod engine;
mod plain_data;
mod scratch;
mod swarm;

use js_sys::{RangeError, TypeError};
use loophound::{
    Action, Args, Error, ErrorKind, Preset, Snapshot, Verdict, compute_tool_fingerprint,
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

/// Which pieces a call has; an id, if it is not empty. The façade adds up the flags that apply.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum CallFlag {
    /// The arguments are a key that the host computed.
    IsKey = 1,
    /// There are no arguments.
    NoArgs = 2,
    /// A replacement is shown instead of the arguments.
    HasShown = 4,
}

/// Which pieces a result has; an id, if it is not empty.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum ResultFlag {
    /// There is a tool name.
    HasName = 1,
    /// The host knows whether the call succeeded.
    HasOk = 2,
    /// The call succeeded.
    IsOk = 4,
    /// There is an output.
    HasOutput = 8,
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

/// Computes a readable fingerprint; pieces: arguments, name. `None` if they cannot be read.
#[wasm_bindgen]
pub fn fingerprint(args: usize, name: usize, flags: u32) -> Option<String> {
    let scratch = scratch()?;
    let mut pieces = scratch.written(args + name)?;
    let arguments = arguments(pieces.next(args)?, flags);
    let name = pieces.next(name)?;
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
