//! One swarm, as JavaScript sees it.

use super::{Answer, arguments, read_snapshot, to_exception, to_js};
use crate::plain_data::PlainData;
use crate::scratch::scratch;
use js_sys::TypeError;
use loophound::{SwarmConfig, SwarmDetector};
use wasm_bindgen::prelude::*;

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
        let mut pieces = scratch.written(args + worker + name)?;
        let args = arguments(pieces.next(args)?, flags);
        let (worker, name) = (pieces.next(worker)?, pieces.next(name)?);
        Some(Answer::of(self.detector.record(worker, name, args)))
    }

    fn try_record_fingerprint(
        &mut self,
        fingerprint: usize,
        worker: usize,
        tool: usize,
    ) -> Option<Answer> {
        let scratch = scratch()?;
        let mut pieces = scratch.written(fingerprint + worker + tool)?;
        let fingerprint = pieces.next(fingerprint)?;
        let (worker, tool) = (pieces.next(worker)?, pieces.next(tool)?);
        Some(Answer::of(self.detector.record_fingerprint(worker, tool, fingerprint)))
    }
}
