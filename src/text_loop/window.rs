//! The last symbols of a stream, and where each short sequence of them was seen
//! last.

use super::symbol::{self, Symbol};
use crate::snapshot::codec::{Reader, Writer};

/// How many symbols are remembered. A power of two.
pub(super) const REMEMBERED: u32 = 4_096;
/// How many symbols make a sequence that is looked up.
pub(super) const SEQUENCE: u32 = 8;
/// The farthest that a repeat is looked for: the start of its first occurrence
/// must still be there when it has been matched for a while.
pub(super) const FARTHEST: u32 = 3_600;
const PLACES: usize = 2_048;
/// Every so many symbols the position in the text is written down.
const STEP: u32 = 64;
const STEPS: usize = (REMEMBERED / STEP) as usize;

pub(super) struct Window {
    symbols: [Symbol; REMEMBERED as usize],
    /// The low half of the place where a sequence with that hash ended last. An
    /// old one may look new, but then its symbols differ.
    places: [u16; PLACES],
    /// The position in the text of every 64th symbol.
    steps: [u32; STEPS],
    /// The digests of the last eight symbols.
    sequence: u64,
    /// How many symbols there have been.
    count: u32,
}

impl Window {
    pub const fn new() -> Self {
        Self {
            symbols: [0; REMEMBERED as usize],
            places: [0; PLACES],
            steps: [0; STEPS],
            sequence: 0,
            count: 0,
        }
    }

    /// Starts anew. What is left in the tables is not trusted: a place only
    /// counts if its symbols are the same.
    pub fn clear(&mut self) {
        self.count = 0;
        self.sequence = 0;
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// The symbol at a place that is not longer ago than is remembered.
    #[inline(always)]
    pub fn at(&self, place: u32) -> Symbol {
        self.symbols.get((place % REMEMBERED) as usize).copied().unwrap_or(0)
    }

    /// Takes the next symbol, which begins at `raw` in the text. Tells how long
    /// ago the last [`SEQUENCE`] symbols were there last, if they were.
    #[inline(always)]
    pub fn push(&mut self, symbol: Symbol, raw: u32) -> Option<u32> {
        let place = self.count;
        if let Some(slot) = self.symbols.get_mut((place % REMEMBERED) as usize) {
            *slot = symbol;
        }
        if place.is_multiple_of(STEP)
            && let Some(step) = self.steps.get_mut((place / STEP) as usize % STEPS)
        {
            *step = raw;
        }
        self.count = place.wrapping_add(1);
        self.sequence = self.sequence << 8 | u64::from(symbol::digest(symbol));
        let hash = (self.sequence.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize;
        let slot = self.places.get_mut(hash % PLACES)?;
        let ago = u32::from((place as u16).wrapping_sub(*slot));
        *slot = place as u16;
        let known = ago > 0 && ago <= FARTHEST && place >= ago + SEQUENCE - 1;
        (known && self.repeats(place, ago)).then_some(ago)
    }

    /// Whether the sequence that ends at a place is the one that long before.
    fn repeats(&self, place: u32, ago: u32) -> bool {
        for back in 0..SEQUENCE {
            let one = place.wrapping_sub(back);
            if !symbol::alike(self.at(one), self.at(one.wrapping_sub(ago))) {
                return false;
            }
        }
        true
    }

    /// Where the symbols that repeat what was `ago` before them begin, given that
    /// those from `place` on do.
    pub fn begin(&self, place: u32, ago: u32) -> u32 {
        let mut first = place;
        let oldest = self.count.saturating_sub(REMEMBERED);
        while first > oldest.saturating_add(ago) {
            let before = first - 1;
            if !symbol::alike(self.at(before), self.at(before.wrapping_sub(ago))) {
                break;
            }
            first = before;
        }
        first
    }

    /// The position in the text at which the symbol at that place begins, or the
    /// oldest that is known.
    pub fn raw_at(&self, place: u32) -> u32 {
        let place = place.clamp(self.oldest_step(), self.count);
        let mut from = place - place % STEP;
        if from == self.count && from > 0 {
            // The next symbol's position is not written down yet.
            from -= STEP;
        }
        let mut raw = self.steps.get((from / STEP) as usize % STEPS).copied().unwrap_or(0);
        for passed in from..place {
            raw = raw.wrapping_add(symbol::units(self.at(passed)));
        }
        raw
    }

    /// The first remembered symbol whose position is written down.
    fn oldest_step(&self) -> u32 {
        self.count.saturating_sub(REMEMBERED).next_multiple_of(STEP).min(self.count)
    }

    /// The symbols alone: what is looked up follows from them.
    pub fn save(&self, out: &mut Writer) {
        out.count(self.count.into());
        let oldest = self.count.saturating_sub(REMEMBERED);
        out.count(self.raw_at(oldest).into());
        for place in oldest..self.count {
            out.count(self.at(place).into());
        }
    }

    /// Reads what [`Window::save`] wrote into a window that is clear.
    pub fn load(&mut self, from: &mut Reader) -> Option<()> {
        let count = from.small();
        let oldest = count.saturating_sub(REMEMBERED);
        let mut raw = from.small();
        self.count = count;
        let first = self.oldest_step();
        self.count = oldest;
        for place in oldest..count {
            let symbol = Symbol::try_from(from.small()).ok()?;
            self.push(symbol, raw);
            if place >= first {
                raw = raw.wrapping_add(symbol::units(symbol));
            }
        }
        Some(())
    }
}
