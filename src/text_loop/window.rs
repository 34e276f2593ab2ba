//! Remembers the last symbols of a stream, and where each short sequence of them
//! was seen last.

use super::symbol::{self, Symbol};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize, Serializer};

/// How many symbols are remembered. A power of two.
const MAX_SYMBOLS: u32 = 4_096;
/// How many symbols make a sequence that is looked up.
pub(super) const SEQUENCE: u32 = 8;
/// The largest distance at which repeats are looked for: after a while of matching, the
/// start of the first occurrence must still be remembered.
pub(super) const MAX_DISTANCE: u32 = 3_600;
/// How many sequences are indexed.
const INDEX_SIZE: usize = 2_048;
/// The position in the text is stored for every 64th symbol.
const STEP: u32 = 64;
const STEPS: usize = (MAX_SYMBOLS / STEP) as usize;

#[derive(Deserialize)]
#[serde(try_from = "SavedWindow")]
pub(super) struct Window {
    symbols: [Symbol; MAX_SYMBOLS as usize],
    /// The low half of the place where a sequence with each hash last ended. An old place
    /// may look recent, but then its symbols differ.
    index: [u16; INDEX_SIZE],
    /// The position in the text of every 64th symbol, in UTF-16 units.
    positions: [u32; STEPS],
    /// The bytes of the last eight symbols.
    sequence: u64,
    /// How many symbols were added: the place of the next one.
    count: u32,
}

impl Window {
    pub const fn new() -> Self {
        Self {
            symbols: [0; MAX_SYMBOLS as usize],
            index: [0; INDEX_SIZE],
            positions: [0; STEPS],
            sequence: 0,
            count: 0,
        }
    }

    /// Starts over. Symbols and index may keep old values: a place only counts if its
    /// symbols match.
    pub fn clear(&mut self) {
        self.positions = [0; STEPS];
        self.sequence = 0;
        self.count = 0;
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the symbol at one of the last [`MAX_SYMBOLS`] places.
    #[inline(always)]
    pub fn at(&self, place: u32) -> Symbol {
        self.symbols.get((place % MAX_SYMBOLS) as usize).copied().unwrap_or(0)
    }

    /// Adds the next symbol, which begins at that position in the text. Returns the
    /// distance to the previous occurrence of the last [`SEQUENCE`] symbols, if there is
    /// one.
    #[inline(always)]
    pub fn push(&mut self, symbol: Symbol, position: u32) -> Option<u32> {
        let place = self.count;
        if let Some(slot) = self.symbols.get_mut((place % MAX_SYMBOLS) as usize) {
            *slot = symbol;
        }
        if place.is_multiple_of(STEP)
            && let Some(slot) = self.positions.get_mut((place / STEP) as usize % STEPS)
        {
            *slot = position;
        }
        self.count = place.wrapping_add(1);
        self.sequence = self.sequence << 8 | u64::from(symbol::sequence_byte(symbol));
        let hash = (self.sequence.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize;
        let slot = self.index.get_mut(hash % INDEX_SIZE)?;
        let distance = u32::from((place as u16).wrapping_sub(*slot));
        *slot = place as u16;
        let is_near = distance > 0 && distance <= MAX_DISTANCE && place >= distance + SEQUENCE - 1;
        (is_near && self.sequence_repeats(place, distance)).then_some(distance)
    }

    /// Returns whether the sequence that ends at a place equals the one that distance
    /// before.
    fn sequence_repeats(&self, place: u32, distance: u32) -> bool {
        for back in 0..SEQUENCE {
            let one = place.wrapping_sub(back);
            if !symbol::are_alike(self.at(one), self.at(one.wrapping_sub(distance))) {
                return false;
            }
        }
        true
    }

    /// Returns the character that a JSON escape of that many symbols stands for, and its
    /// UTF-16 units, if the last symbols are such an escape or repeat one.
    pub fn ending_escape(&self, length: u32) -> Option<(char, u32)> {
        let last = |back: u32| self.at(self.count.wrapping_sub(back));
        let has = |c: char| (1..=length).any(|back| last(back) == symbol::of_char(c));
        match length {
            2 if has('\\') => ['n', 'r', 't'].into_iter().any(has).then_some(('\n', 2)),
            3 if has('\\') && has('u') => {
                (1..=3).any(|back| symbol::is_control_code(last(back))).then_some(('\0', 6))
            }
            _ => None,
        }
    }

    /// Finds where a run begins: the first of the symbols before `place` that all
    /// repeat the symbol that distance before them.
    pub fn run_start(&self, place: u32, distance: u32) -> u32 {
        let mut first = place;
        let oldest = self.count.saturating_sub(MAX_SYMBOLS);
        while first > oldest.saturating_add(distance) {
            let before = first - 1;
            if !symbol::are_alike(self.at(before), self.at(before.wrapping_sub(distance))) {
                break;
            }
            first = before;
        }
        first
    }

    /// Returns the position in the text where the symbol at that place begins, or the
    /// oldest known position.
    pub fn position(&self, place: u32) -> u32 {
        let place = place.clamp(self.oldest_step(), self.count);
        let mut from = place - place % STEP;
        if from == self.count && from > 0 {
            // The next symbol's position is not stored yet.
            from -= STEP;
        }
        let mut position = self.positions.get((from / STEP) as usize % STEPS).copied().unwrap_or(0);
        for passed in from..place {
            position = position.wrapping_add(symbol::units(self.at(passed)));
        }
        position
    }

    /// Returns the first remembered place whose position is stored.
    fn oldest_step(&self) -> u32 {
        self.count.saturating_sub(MAX_SYMBOLS).next_multiple_of(STEP).min(self.count)
    }
}

/// A window as it is saved: only the symbols, because index and positions can be
/// recomputed.
#[derive(Serialize, Deserialize)]
struct SavedWindow {
    count: u32,
    /// The oldest known position.
    position: u32,
    /// Oldest first.
    symbols: Vec<Symbol>,
}

impl Serialize for Window {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let oldest = self.count.saturating_sub(MAX_SYMBOLS);
        SavedWindow {
            count: self.count,
            position: self.position(oldest),
            symbols: (oldest..self.count).map(|place| self.at(place)).collect(),
        }
        .serialize(serializer)
    }
}

impl TryFrom<SavedWindow> for Window {
    type Error = &'static str;

    fn try_from(saved: SavedWindow) -> Result<Self, Self::Error> {
        if saved.symbols.len() != saved.count.min(MAX_SYMBOLS) as usize {
            return Err("a window that does not hold its last symbols");
        }
        let mut window = Self::new();
        window.count = saved.count;
        let first_known = window.oldest_step();
        window.count = saved.count.saturating_sub(MAX_SYMBOLS);
        let mut position = saved.position;
        for symbol in saved.symbols {
            let is_known = window.count >= first_known;
            window.push(symbol, position);
            if is_known {
                position = position.wrapping_add(symbol::units(symbol));
            }
        }
        Ok(window)
    }
}
