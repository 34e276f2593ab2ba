//! Text that repeats itself while it streams. How that is recognised is told in
//! `text_loop`; here it becomes a signal.

use super::{Pattern, Signal};
use crate::event::Channel;
use crate::snapshot::codec::{Reader, Writer};
use crate::text_loop::{Limits, Streams, TextLoopKind};
use crate::verdict::{LoopKind, TextDetails};

/// The streams of a model, and when they are loops.
pub(super) struct Chant {
    limits: Limits,
    streams: Streams,
}

impl Chant {
    pub fn new(threshold: u32) -> Self {
        Self { limits: Limits::new(threshold), streams: Streams::default() }
    }

    pub fn on_text(&mut self, chunk: &str, channel: Channel) -> Option<Signal> {
        let found = self.streams.push(chunk, channel, &self.limits)?;
        // Whatever is chanted, the model is chanting again.
        let mut signal = Signal::new(LoopKind::Chant, 0);
        // To say the same in other words is the milder form.
        signal.lift = u64::from(found.kind == TextLoopKind::Repetition);
        signal.count = found.repeats;
        signal.period = signal.lift as u32;
        signal.text = Some(TextDetails {
            channel,
            since: found.since,
            unit: found.unit,
            repeats: found.repeats,
            wasted: found.wasted,
        });
        Some(signal)
    }
}

impl Pattern for Chant {
    fn active(&self) -> bool {
        self.streams.is_looping()
    }

    fn restart(&mut self) {
        self.streams.end();
    }

    fn save(&self, out: &mut Writer) {
        self.streams.save(out);
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.streams.load(from)
    }
}
