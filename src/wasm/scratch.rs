//! The buffer through which texts are passed. The host writes them back to back at its
//! address and passes their lengths, which is several times cheaper than an allocation for
//! each.

use std::sync::{Mutex, MutexGuard};

/// A larger buffer is released when less is requested.
const KEPT: usize = 1 << 20;

/// There is only one thread, so locking never waits.
static SCRATCH: Mutex<Scratch> = Mutex::new(Scratch { bytes: Vec::new() });

/// Bytes that the host writes and the engine reads.
pub struct Scratch {
    bytes: Vec<u8>,
}

/// Locks the buffer; `None` while it is locked already.
pub fn scratch() -> Option<MutexGuard<'static, Scratch>> {
    SCRATCH.try_lock().ok()
}

impl Scratch {
    /// Returns the address of at least `bytes` bytes, valid until the next call.
    pub fn reserve(&mut self, bytes: usize) -> usize {
        if bytes > self.bytes.len() {
            self.bytes.resize(bytes, 0);
        } else if self.bytes.len() > KEPT && bytes <= KEPT {
            self.bytes = vec![0; bytes];
        }
        self.bytes.as_ptr() as usize
    }

    /// Returns what was written, to be taken piece by piece: `length` bytes; `None` if the
    /// buffer does not reach that far, or if they are not UTF-8.
    #[inline(never)]
    pub fn written(&self, length: usize) -> Option<Pieces<'_>> {
        // All at once: checking each piece would take longer than most pieces are long.
        let rest = str::from_utf8(self.bytes.get(..length)?).ok()?;
        Some(Pieces { rest })
    }
}

/// Texts that were written back to back.
pub struct Pieces<'t> {
    rest: &'t str,
}

impl<'t> Pieces<'t> {
    /// Returns the next text, of `length` bytes; `None` if there is none.
    #[inline(never)]
    pub fn next(&mut self, length: usize) -> Option<&'t str> {
        let (piece, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_what_was_written() {
        let mut scratch = Scratch { bytes: Vec::new() };
        scratch.reserve(20);
        scratch.bytes[..6].copy_from_slice(b"bash{}");
        let mut pieces = scratch.written(6).expect("UTF-8");
        assert_eq!(
            [4, 2, 0].map(|length| pieces.next(length)),
            [Some("bash"), Some("{}"), Some("")]
        );
        assert_eq!(pieces.next(1), None);
    }

    #[test]
    fn pieces_beyond_the_buffer_or_not_utf_8_are_none() {
        let mut scratch = Scratch { bytes: vec![b'x'; 8] };
        assert!(scratch.written(9).is_none());
        assert!(scratch.written(usize::MAX).is_none());
        scratch.bytes[..3].copy_from_slice("é!".as_bytes());
        assert_eq!(scratch.written(3).and_then(|mut pieces| pieces.next(2)), Some("é"));
        assert_eq!(scratch.written(3).and_then(|mut pieces| pieces.next(1)), None);
        scratch.bytes[0] = 0xFF;
        assert!(scratch.written(2).is_none());
    }

    #[test]
    fn the_buffer_is_locked_once_at_a_time() {
        let held = scratch();
        assert!(held.is_some());
        assert!(scratch().is_none());
        drop(held);
        assert!(scratch().is_some());
    }

    #[test]
    fn a_large_buffer_is_released() {
        let mut scratch = Scratch { bytes: Vec::new() };
        scratch.reserve(3_000_000);
        scratch.reserve(2_000_000);
        assert_eq!(scratch.bytes.len(), 3_000_000);
        scratch.reserve(100);
        assert_eq!(scratch.bytes.len(), 100);
    }
}
