//! One detector, as JavaScript sees it.

use super::{Answer, CallFlag, ResultFlag, arguments, clock, read_snapshot, to_exception, to_js};
use crate::plain_data::PlainData;
use crate::scratch::scratch;
use loophound::{Call, Channel, Config, LoopDetector, ToolResult};
use wasm_bindgen::prelude::*;

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
        let mut pieces = scratch.written(args + name + id + shown)?;
        let args = arguments(pieces.next(args)?, flags);
        let (name, id, shown) = (pieces.next(name)?, pieces.next(id)?, pieces.next(shown)?);
        let call = Call {
            name,
            args,
            id: (!id.is_empty()).then_some(id),
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
        let mut pieces = scratch.written(output + id + name)?;
        let (output, id, name) = (pieces.next(output)?, pieces.next(id)?, pieces.next(name)?);
        let result = ToolResult {
            id: (!id.is_empty()).then_some(id),
            name: has(ResultFlag::HasName).then_some(name),
            ok: has(ResultFlag::HasOk).then_some(has(ResultFlag::IsOk)),
            output: has(ResultFlag::HasOutput).then_some(output),
            at: milliseconds(at),
        };
        Some(Answer::of(self.detector.record_result(&result)))
    }

    fn try_record_text(&mut self, length: usize) -> Option<Answer> {
        let scratch = scratch()?;
        let text = scratch.written(length)?.next(length)?;
        Some(Answer::of(self.detector.record_text(text)))
    }

    fn try_push_text(&mut self, length: usize, channel: usize) -> Option<Answer> {
        let channel = *Channel::ALL.get(channel)?;
        let scratch = scratch()?;
        let text = scratch.written(length)?.next(length)?;
        Some(Answer::of(self.detector.push_text(text, channel)))
    }
}

/// Reads a time; `None` for NaN and times before 1970.
fn milliseconds(at: f64) -> Option<u64> {
    (at >= 0.0).then_some(at as u64)
}
