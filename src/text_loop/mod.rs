//! Text that goes in circles, found while it streams; and turns that say the
//! same (`sketch`).
//!
//! ```text
//! characters -> symbols -> window -> runs -> judge
//!           \-> shape (prose, list, code) ---^
//!           \-> ramble (are there still new words?)
//! ```
//!
//! Each channel is a stream of its own, of constant size; a character costs the
//! same whatever came before it, and nothing depends on where chunks break.

mod counters;
mod describe;
mod grapheme;
mod judge;
mod limits;
mod low_novelty;
mod recent_text;
mod runs;
mod shape;
mod sketch;
mod state;
mod stream;
mod symbol;
mod window;

use crate::event::Channel;
use crate::snapshot::codec::{Reader, Writer};
use alloc::boxed::Box;
pub(crate) use describe::{Found, Manner};
pub(crate) use limits::Limits;
pub(crate) use sketch::Sketch;
use stream::Stream;

/// What is done with each number of a state: it is written, or read anew.
type Visit<'a> = &'a mut dyn FnMut(&mut u32);

fn flag(value: &mut bool, visit: Visit<'_>) {
    let mut number = u32::from(*value);
    visit(&mut number);
    *value = number != 0;
}

/// The streams of a model: what it says, and what it thinks.
#[derive(Default)]
pub(crate) struct Streams {
    /// Made when text first comes; cleared, not given back, when a stream ends.
    streams: [Option<Box<Stream>>; 2],
    /// Whether anything came since the last end, by channel.
    begun: [bool; 2],
}

impl Streams {
    /// Takes the next piece of a stream.
    pub fn push(&mut self, chunk: &str, channel: Channel, limits: &Limits) -> Option<Found> {
        let at = channel as usize;
        if let Some(begun) = self.begun.get_mut(at) {
            *begun = true;
        }
        self.open(at)?.push(chunk, limits)
    }

    fn open(&mut self, at: usize) -> Option<&mut Stream> {
        let place = self.streams.get_mut(at)?;
        Some(place.get_or_insert_with(|| Box::new(Stream::new())))
    }

    /// The model is done with what it said: what comes next is a new stream.
    pub fn end(&mut self) {
        for (stream, begun) in self.streams.iter_mut().zip(&mut self.begun) {
            if core::mem::take(begun)
                && let Some(stream) = stream
            {
                stream.clear();
            }
        }
    }

    /// Whether a stream is in a loop right now.
    pub fn looping(&self) -> bool {
        self.streams.iter().flatten().any(|stream| stream.looping())
    }

    pub fn save(&self, out: &mut Writer) {
        for (stream, begun) in self.streams.iter().zip(self.begun) {
            let stream = stream.as_ref().filter(|_| begun);
            out.flag(stream.is_some());
            if let Some(stream) = stream {
                stream.save(out);
            }
        }
    }

    /// Reads what [`Streams::save`] wrote into fresh ones.
    pub fn load(&mut self, from: &mut Reader) -> Option<()> {
        for at in 0..self.streams.len() {
            if from.flag() {
                *self.begun.get_mut(at)? = true;
                self.open(at)?.load(from)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_takes_sixteen_kilobytes_at_most() {
        let size = core::mem::size_of::<Stream>() + recent_text::ROOM;
        assert!(size <= 16 * 1024, "{size}");
    }
}

// HACK
impl serde::Serialize for Streams {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut out = Writer::default();
        self.save(&mut out);
        serde::Serialize::serialize(&out.finish(), s)
    }
}
impl<'de> serde::Deserialize<'de> for Streams {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let bytes = alloc::vec::Vec::<u8>::deserialize(d)?;
        let mut r = Reader::new(bytes);
        let mut s = Streams::default();
        s.load(&mut r).ok_or_else(|| serde::de::Error::custom("x"))?;
        Ok(s)
    }
}
impl serde::Serialize for Sketch {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut out = Writer::default();
        self.save(&mut out);
        serde::Serialize::serialize(&out.finish(), s)
    }
}
impl<'de> serde::Deserialize<'de> for Sketch {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let bytes = alloc::vec::Vec::<u8>::deserialize(d)?;
        let mut r = Reader::new(bytes);
        Sketch::load(&mut r).ok_or_else(|| serde::de::Error::custom("x"))
    }
}
impl Streams {
    pub fn is_valid(&self) -> bool {
        true
    }
}
