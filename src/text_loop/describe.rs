//! What is told about a loop: where it began, what repeats, what it cost.

use super::low_novelty::GROUPS;
use super::recent_text;
use super::runs::RepeatRun;
use super::stream::Stream;
use alloc::string::String;

/// What kind of text loop it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// One unit over and over.
    Repeats,
    /// The same words in ever other sentences.
    Rambles,
}

/// A loop in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub manner: Manner,
    /// Where in the stream the loop began, in UTF-16 units.
    pub since: u64,
    /// The repeated unit, short.
    pub unit: String,
    pub repeats: u64,
    /// UTF-16 units beyond the first occurrence.
    pub wasted: u64,
}

/// What was found, before it is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallEvent {
    /// One unit repeats; which one is in the state.
    RepeatRun,
    /// Nothing is new, but no single unit repeats.
    Stale,
    /// Nothing but white space.
    Blanks,
    /// No new words.
    LowNovelty,
}

impl CallEvent {
    pub fn manner(self) -> Manner {
        if self == CallEvent::LowNovelty { Manner::Rambles } else { Manner::Repeats }
    }
}

/// Where the loop and its first repeat began, how often there was the unit; how
/// long ago its last whole pass ended, and how long that is.
struct Place {
    since: u32,
    repeat: u32,
    repeats: u32,
    ago: u32,
    units: u32,
}

impl Stream {
    /// Describes what was found after the chunk so far and the character.
    pub fn describe(&self, seen: CallEvent, chunk: &str, c: char) -> Found {
        let state = &self.state;
        let place = match seen {
            CallEvent::RepeatRun => self.place_of(state.found),
            CallEvent::Stale => {
                let reach = state.runs.reach.max(1);
                let fresh = &state.runs.fresh;
                Place {
                    since: self.window.raw_at(fresh.place.saturating_sub(reach)),
                    repeat: fresh.raw,
                    repeats: state.now.place.wrapping_sub(fresh.place) / reach + 1,
                    ago: 0,
                    units: u32::MAX,
                }
            }
            CallEvent::Blanks => {
                let since = state.taken.wrapping_sub(state.blanks);
                Place { since, repeat: since, repeats: state.blanks, ago: 0, units: 1 }
            }
            CallEvent::LowNovelty => {
                let since = state.ramble.since;
                Place { since, repeat: since, repeats: GROUPS, ago: 0, units: u32::MAX }
            }
        };
        Found {
            manner: seen.manner(),
            since: place.since.into(),
            unit: recent_text::shown(&self.tail.with(chunk, c), place.ago, place.units),
            repeats: place.repeats.into(),
            wasted: state.taken.wrapping_sub(place.repeat).into(),
        }
    }

    fn place_of(&self, mut run: RepeatRun) -> Place {
        run.settle(&self.window);
        let now = self.state.now.place;
        let unit = run.distance.max(1);
        let length = now.wrapping_sub(run.first);
        // The last whole pass, as it would be cut from where the loop began.
        let passed = length.saturating_sub(run.skipped) % unit;
        let end = now.wrapping_sub(passed);
        let ended = self.window.raw_at(end);
        Place {
            since: run.origin,
            repeat: run.repeat,
            repeats: length.saturating_add(run.carried) / unit + 1,
            ago: self.state.taken.wrapping_sub(ended),
            units: ended.wrapping_sub(self.window.raw_at(end.saturating_sub(unit))),
        }
    }
}
