//! The system clock, where there is one.

use alloc::boxed::Box;

/// A clock, in milliseconds since 1970.
pub(crate) type Clock = Box<dyn Fn() -> u64 + Send + Sync>;

/// Returns milliseconds since 1970. Without `std` there is no clock: hosts pass their own
/// with [`crate::LoopDetector::set_clock`].
#[cfg(all(feature = "std", not(target_family = "wasm")))]
pub(crate) fn system() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(0))
}

#[cfg(not(all(feature = "std", not(target_family = "wasm"))))]
pub(crate) fn system() -> u64 {
    0
}
