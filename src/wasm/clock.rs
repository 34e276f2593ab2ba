//! The host's clock, which may be replaced, throw, or return anything.

use std::sync::atomic::{AtomicU64, Ordering};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Calls `Date.now`. Unlike `js_sys::Date::now`, it catches exceptions and detects a
    /// result that is not a number: either would otherwise leave the engine unusable.
    #[wasm_bindgen(catch, js_namespace = Date, js_name = now)]
    fn date_now() -> Result<JsValue, JsValue>;
}

/// The latest time that a `Date` can hold.
const MAX_TIME: f64 = 8.64e15;

/// Makes a clock that returns the last good time if the host's clock fails.
pub fn host_clock() -> impl Fn() -> u64 + Send + Sync {
    let last = AtomicU64::new(0);
    move || {
        if let Some(now) = read_clock() {
            last.store(now, Ordering::Relaxed);
        }
        last.load(Ordering::Relaxed)
    }
}

fn read_clock() -> Option<u64> {
    let now = date_now().ok()?.as_f64()?;
    (0.0..=MAX_TIME).contains(&now).then_some(now as u64)
}
