//! The one buffer through which texts are handed over. The host writes them back
//! to back at its address and passes their lengths, which is several times
//! cheaper than an allocation for each.

use crate::packed;
use alloc::vec;
use alloc::vec::Vec;
use spin::{Mutex, MutexGuard};

/// What is beyond this is given back when less is asked for.
const KEPT: usize = 1 << 20;

/// One thread runs here, so nobody ever waits for it.
static SCRATCH: Mutex<Scratch> = Mutex::new(Scratch { bytes: Vec::new(), unpacked: Vec::new() });

/// See the module's text.
pub(crate) struct Scratch {
    bytes: Vec<u8>,
    /// The text of a piece that came packed.
    unpacked: Vec<u8>,
}

/// The scratch, for as long as it is held; `None` while somebody else does.
pub(crate) fn scratch() -> Option<MutexGuard<'static, Scratch>> {
    SCRATCH.try_lock()
}

impl Scratch {
    /// The address of at least so many bytes, valid until the next call.
    pub fn reserve(&mut self, bytes: usize) -> usize {
        if bytes > self.bytes.len() {
            self.bytes.resize(bytes, 0);
        } else if self.bytes.len() > KEPT && bytes <= KEPT {
            self.bytes = vec![0; bytes];
        }
        self.bytes.as_ptr() as usize
    }

    /// The text that begins at `start`. Who wrote the pieces and their lengths made
    /// them fit; what did not would be empty.
    pub fn piece(&self, start: usize, length: usize) -> &str {
        let bytes = self.bytes.get(start..start.saturating_add(length));
        core::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    }

    /// The same for a piece that may be packed: [`Scratch::unpack`] comes first.
    pub fn data(&self, start: usize, length: usize, is_packed: bool) -> &str {
        match is_packed {
            false => self.piece(start, length),
            true => core::str::from_utf8(&self.unpacked).unwrap_or_default(),
        }
    }

    /// Writes out a piece that is packed.
    pub fn unpack(&mut self, start: usize, length: usize) {
        let Self { bytes, unpacked } = self;
        unpacked.clear();
        unpacked.shrink_to(KEPT);
        let piece = bytes.get(start..start.saturating_add(length)).unwrap_or_default();
        if packed::unpack(piece, unpacked).is_none() {
            unpacked.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_what_was_written() {
        let mut scratch = Scratch { bytes: Vec::new(), unpacked: Vec::new() };
        scratch.reserve(20);
        scratch.bytes[..10].copy_from_slice(b"bash\x01\x02\0\0\0\"");
        scratch.bytes[10] = b'x';
        assert_eq!(scratch.piece(0, 4), "bash");
        assert_eq!(scratch.data(0, 4, false), "bash");
        scratch.unpack(4, 7);
        assert_eq!(scratch.data(4, 7, true), r#""\"x""#);
    }

    #[test]
    fn what_does_not_fit_is_empty() {
        let mut scratch = Scratch { bytes: vec![b'x'; 8], unpacked: Vec::new() };
        assert_eq!(scratch.piece(4, 5), "");
        assert_eq!(scratch.piece(usize::MAX, 2), "");
        scratch.bytes[0] = 0xFF;
        assert_eq!(scratch.piece(0, 2), "");
        scratch.bytes[1] = 1;
        scratch.unpack(1, 7);
        assert_eq!(scratch.data(1, 7, true), "");
    }

    #[test]
    fn one_at_a_time_has_it() {
        let held = scratch();
        assert!(held.is_some());
        assert!(scratch().is_none());
        drop(held);
        assert!(scratch().is_some());
    }

    #[test]
    fn what_was_large_is_given_back() {
        let mut scratch = Scratch { bytes: Vec::new(), unpacked: Vec::new() };
        scratch.reserve(3_000_000);
        scratch.reserve(2_000_000);
        assert_eq!(scratch.bytes.len(), 3_000_000);
        scratch.reserve(100);
        assert_eq!(scratch.bytes.len(), 100);
        // Six bytes for each: one that is escaped can take more room than it came in.
        scratch.reserve(KEPT);
        scratch.bytes.fill(2);
        scratch.bytes[..5].copy_from_slice(&[1, 0xFB, 0xFF, 0x0F, 0]);
        scratch.unpack(0, KEPT);
        assert_eq!(scratch.data(0, KEPT, true).len(), 6 * (KEPT - 5) + 2);
        scratch.unpack(0, 0);
        assert!(scratch.unpacked.capacity() <= KEPT);
    }
}
