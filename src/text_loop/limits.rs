//! From when on repetition is a loop. The figures are data, in one place; they
//! are for a threshold of [`USUAL`] and grow and shrink with it.
//!
//! Lengths are in weights: a letter of a dense script (CJK, emoji) says as much
//! as two of an alphabet.

/// The threshold that the figures are given for.
const USUAL: u64 = 10;

/// The limits for one threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Limits {
    /// Repeats of a short unit of ordinary text.
    pub repeats: u32,
    /// How long these are at least.
    pub short: u32,
    /// The same for one or two characters: `Nooooo` and `hahaha` are allowed some more.
    pub tiny: u32,
    /// A longer unit needs fewer repeats: so much copied text is a loop, if it is
    /// also a quarter of the threshold times the unit.
    pub copied: u32,
    /// So much text that only repeats what came shortly before, in any order.
    pub stale: u32,
    /// Prose among lists, tables and code: an answer that is given over and over.
    pub mixed: u32,
    /// Rulers, and other signs that are no words.
    pub signs: u32,
    /// Lists, tables, data: length, and passes.
    pub shaped: (u32, u32),
    /// Code: length, and passes.
    pub code: (u32, u32),
    /// White space without end, in characters.
    pub blank: u32,
}

impl Limits {
    pub fn new(threshold: u32) -> Self {
        let scaled = |figure: u64| {
            (figure * u64::from(threshold) / USUAL).clamp(1, u64::from(u32::MAX)) as u32
        };
        Self {
            repeats: threshold,
            short: scaled(120),
            tiny: scaled(200),
            copied: scaled(410),
            stale: scaled(500),
            mixed: scaled(800),
            signs: scaled(2_000),
            shaped: (scaled(8_000), scaled(16)),
            code: (scaled(16_000), scaled(64)),
            blank: scaled(2_000),
        }
    }
}
