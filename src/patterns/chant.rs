//! Text that repeats itself while it streams. `text_loop` recognises it; this file turns it
//! into a signal.

use super::{Memory, Pattern, Progress, Signal, TextEvent};
use crate::channel::Channel;
use crate::config::{Config, Rule};
use crate::quote::clean;
use crate::text_loop::{Limits, Streams, TextLoopKind};
use crate::verdict::{LoopKind, TextDetails};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The text streams of a model, and the limits that make them loops.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Chant {
    /// By channel; empty until configured.
    #[serde(skip)]
    limits: Vec<Limits>,
    streams: Streams,
}

impl Chant {
    fn on_chunk(&mut self, chunk: &str, channel: Channel) -> Option<Signal> {
        if channel != Channel::Arguments {
            // The model moved on, so further arguments belong to another call.
            self.streams.end_channel(Channel::Arguments);
        }
        let limits = self.limits.get(channel as usize)?;
        let found = self.streams.push(chunk, channel, limits)?;
        // All repeated text counts as one loop.
        let mut signal = Signal::new(LoopKind::Chant, 0);
        // Text that repeats itself in other words starts one rung lower.
        signal.rank_bonus = u64::from(found.kind == TextLoopKind::Repetition);
        signal.count = found.repeats;
        signal.period = signal.rank_bonus as u32;
        signal.text = Some(TextDetails {
            channel,
            since: found.since,
            unit: clean(&found.unit),
            repeats: found.repeats,
            wasted: found.wasted,
        });
        Some(signal)
    }
}

impl Pattern for Chant {
    const KIND: LoopKind = LoopKind::Chant;

    fn configure(&mut self, rule: &Rule, _: &Config) {
        self.limits = Channel::ALL.iter().map(|of| Limits::new(rule.threshold, *of)).collect();
    }

    fn on_any_call(&mut self) {
        self.reset();
    }

    fn on_text(&mut self, text: &TextEvent<'_>) -> Option<Signal> {
        match text {
            TextEvent::Chunk(chunk, channel) => self.on_chunk(chunk, *channel),
            // A whole turn is a stream of its own.
            TextEvent::Turn(text) => {
                self.reset();
                let signal = self.on_chunk(text, Channel::Text);
                self.reset();
                signal
            }
        }
    }

    fn on_turn(&mut self) -> Option<Signal> {
        self.reset();
        None
    }

    fn is_active(&self) -> bool {
        self.streams.is_looping()
    }

    fn progress(&self) -> Progress {
        Progress::new(u64::from(self.streams.is_looping()), 1u64)
    }

    fn reset(&mut self) {
        self.streams.end();
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.streams.is_valid()
    }
}
