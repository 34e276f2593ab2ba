//! What time it is, where that can be known.

use alloc::boxed::Box;

/// A clock of the host's, in milliseconds since 1970.
pub(crate) type Clock = Box<dyn Fn() -> u64 + Send + Sync>;

/// Milliseconds since 1970. Without `std` there is no clock: hosts pass their
/// own with [`crate::LoopDetector::set_clock`].
#[cfg(all(feature = "std", not(target_family = "wasm")))]
pub(crate) fn system() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(0))
}

#[cfg(not(all(feature = "std", not(target_family = "wasm"))))]
pub(crate) fn system() -> u64 {
    0
}
