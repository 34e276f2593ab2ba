//! Finds text that goes in circles while it streams.
//!
//! Every channel of a model is a [`Stream`](stream) of constant size. A character costs the
//! same whatever came before it, and the result does not depend on where chunks break. Each
//! character goes through these steps:
//!
//! 1. [`symbol`] turns it into a symbol of 16 bits. White space is one symbol, a
//!    number is one symbol whatever its digits, and case does not matter.
//! 2. [`window`] keeps the last 4,096 symbols, and an index of where each sequence
//!    of eight symbols ended last. If the sequence that ends with this symbol was
//!    seen before, the window returns the *distance* to it.
//! 3. [`repeats`] starts a *run* at that distance, which goes on as long as every
//!    symbol equals the one that distance before it. A run of nine times its
//!    distance is ten repeats of one unit. Text that always repeats something, but
//!    at changing distances, is *stale*: the same sentences in any order.
//! 4. [`text_kind`] decides whether the character is part of prose, of structured
//!    text (lists, tables, data) or of code, where repetition is normal.
//! 5. [`counters`] counts letters, numbers, structured text and so on. The counters
//!    now, minus those at the start of a run, are what the run consists of.
//! 6. [`counting`] decides whether the numbers of a run advance from pass to pass.
//! 7. [`limits`] decides from that whether the run is a loop. Prose needs little,
//!    code much more, and numbers that count are progress for a long time. A run of
//!    one character has limits by the kind of character. For the arguments of calls,
//!    which may contain files, only these and the limits for exact repetition apply.
//! 8. [`low_novelty`] looks at the words alone: text with hardly any new words says
//!    the same in other words, even if no sentence repeats.
//! 9. [`recent_text`] keeps the end of the text, to quote what is repeated.
//!
//! A stream reports a loop once. After 256 new symbols it has left the loop, and the next
//! loop is reported again.

mod counters;
mod counting;
mod grapheme;
mod limits;
mod low_novelty;
mod recent_text;
mod repeats;
mod stream;
mod symbol;
mod text_kind;
mod window;

pub(crate) use limits::Limits;
pub(crate) use low_novelty::word_hashes;
pub(crate) use stream::{TextLoop, TextLoopKind};
pub(crate) use symbol::numbers;

use crate::channel::Channel;
use alloc::boxed::Box;
use serde::{Deserialize, Serialize, Serializer};
use stream::Stream;

/// The streams of a model, by channel.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Streams {
    /// Created when text first arrives; cleared and reused when a stream ends.
    #[serde(serialize_with = "serialize_open")]
    streams: ByChannel,
}

type ByChannel = [Option<Box<Stream>>; Channel::ALL.len()];

/// Leaves out the streams that have ended.
fn serialize_open<S: Serializer>(streams: &ByChannel, serializer: S) -> Result<S::Ok, S::Error> {
    let open = streams.each_ref().map(|stream| stream.as_ref().filter(|stream| stream.is_open()));
    open.serialize(serializer)
}

impl Streams {
    /// Adds the next piece of a stream; returns the most severe loop found in it.
    pub fn push(&mut self, chunk: &str, channel: Channel, limits: &Limits) -> Option<TextLoop> {
        let stream = self.streams.get_mut(channel as usize)?;
        stream.get_or_insert_with(|| Box::new(Stream::new())).push(chunk, limits)
    }

    /// Ends the stream of a channel: the next text there starts a new one.
    pub fn end_channel(&mut self, channel: Channel) {
        if let Some(Some(stream)) = self.streams.get_mut(channel as usize)
            && stream.is_open()
        {
            stream.clear();
        }
    }

    /// Ends all streams: the next text starts new ones.
    pub fn end(&mut self) {
        for channel in Channel::ALL {
            self.end_channel(*channel);
        }
    }

    /// Returns whether a stream is in a loop right now.
    pub fn is_looping(&self) -> bool {
        self.streams.iter().flatten().any(|stream| stream.is_looping())
    }

    /// Returns whether streams loaded from a snapshot are possible.
    pub fn is_valid(&self) -> bool {
        self.streams.iter().flatten().all(|stream| stream.is_valid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    #[test]
    fn a_channel_takes_sixteen_kilobytes_at_most() {
        let size = core::mem::size_of::<Stream>() + recent_text::MAX_BYTES;
        assert!(size <= 16 * 1024, "{size}");
    }

    fn limits() -> Limits {
        Limits::new(10, Channel::Text)
    }

    fn streams(text: &str) -> Streams {
        let mut streams = Streams::default();
        streams.push(text, Channel::Text, &limits());
        streams
    }

    fn saved(streams: &Streams) -> Vec<u8> {
        postcard::to_allocvec(streams).expect("in memory")
    }

    fn restored(bytes: &[u8]) -> Option<Streams> {
        postcard::from_bytes(bytes).ok().filter(Streams::is_valid)
    }

    /// Returns letters that hardly repeat, of which every symbol takes the most bytes.
    fn varied() -> String {
        (0..20_000u32).filter_map(|n| char::from_u32(0x4E00 + n * 7 % 20_000)).collect()
    }

    #[test]
    fn a_snapshot_holds_no_more_than_a_channel() {
        let prose = "I look at the path again. The module is not there. ".repeat(200);
        for (text, most) in [("", 1_400), (prose.as_str(), 8_000), (varied().as_str(), 16_384)] {
            let bytes = saved(&streams(text)).len();
            assert!(bytes <= most, "{bytes} for {} characters", text.len());
        }
    }

    #[test]
    fn an_ended_stream_leaves_nothing_in_a_snapshot() {
        let mut ended = streams("I will check the file again. ");
        ended.end();
        assert_eq!(saved(&ended), saved(&Streams::default()));
        assert_eq!(saved(&ended).len(), Channel::ALL.len());
        // The same holds for a stream that begins after it.
        ended.push("", Channel::Text, &limits());
        assert_eq!(saved(&ended), saved(&streams("")));
    }

    #[test]
    fn a_snapshot_that_was_cut_is_refused() {
        let bytes = saved(&streams(&"I will check the file again. ".repeat(9)));
        assert!(restored(&bytes).is_some());
        for end in 0..bytes.len() {
            assert!(restored(&bytes[..end]).is_none(), "{end}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// A snapshot that is not refused works, and is the same when saved again.
        #[test]
        fn a_forged_snapshot_is_refused_or_works(
            unit in "[a-c 0-9.\n]{1,40}",
            times in 1usize..200,
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let text = unit.repeat(times);
            let mut bytes = saved(&streams(&text));
            for (at, byte) in changes {
                // Most bytes are symbols and words; the rest is at the end.
                let at = bytes.len() - 1 - at.index(bytes.len().min(400));
                bytes[at] = byte;
            }
            if let Some(mut forged) = restored(&bytes) {
                prop_assert!(restored(&saved(&forged)).is_some());
                for _ in 0..20 {
                    forged.push(&text, Channel::Text, &limits());
                    forged.push("Something else. ", Channel::Text, &Limits::new(2, Channel::Text));
                }
                prop_assert!(saved(&forged).len() <= 16_384);
            }
        }
    }
}
