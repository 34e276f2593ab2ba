//! Cuts text without splitting what a reader sees as one character: never before a
//! combining mark, inside an emoji sequence, between the halves of a flag, or inside a
//! syllable.
//!
//! A few ranges are enough for that; crates that do it completely bring the full Unicode
//! tables.

/// Characters that extend the one before them.
const EXTENDING: &[(u16, u16)] = &[
    (0x300, 0x36F),
    (0x483, 0x489),
    (0x591, 0x5BD),
    (0x5BF, 0x5C7),
    (0x610, 0x61A),
    (0x64B, 0x65F),
    (0x670, 0x670),
    (0x6D6, 0x6DC),
    (0x6DF, 0x6ED),
    (0xE31, 0xE31),
    (0xE33, 0xE3A),
    (0xE47, 0xE4E),
    (0xEB1, 0xEB1),
    (0xEB3, 0xEBC),
    (0xEC8, 0xECE),
    (0xF71, 0xF87),
    (0xF8D, 0xFBC),
    (0x102B, 0x103E),
    (0x1160, 0x11FF),
    (0x17B4, 0x17D3),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x200C, 0x200D),
    (0x20D0, 0x20FF),
    (0x302A, 0x302F),
    (0x3099, 0x309A),
    (0xFE00, 0xFE0F),
    (0xFE20, 0xFE2F),
];

const ZERO_WIDTH_JOINER: char = '\u{200D}';

fn extends_previous(c: char) -> bool {
    let code = c as u32;
    if code < 0x300 {
        return false;
    }
    if let Some(place) = place_in_indic_block(code) {
        return matches!(place, 0..=3 | 0x3C | 0x3E..=0x4F | 0x51..=0x57 | 0x62 | 0x63);
    }
    let Ok(code) = u16::try_from(code) else {
        // Skin tones, and the tags of flags.
        return matches!(c, '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0020}'..='\u{E01EF}');
    };
    EXTENDING.iter().any(|(from, to)| (*from..=*to).contains(&code))
}

/// Returns the place of a character in its block, for the scripts of India. They share one
/// layout: the same place in each block has the same kind of sign.
fn place_in_indic_block(code: u32) -> Option<u32> {
    (0x900..0xE00).contains(&code).then_some(code & 0x7F)
}

fn joins_next(c: char) -> bool {
    c == ZERO_WIDTH_JOINER || place_in_indic_block(c as u32) == Some(0x4D)
}

fn is_flag_half(c: char) -> bool {
    ('\u{1F1E6}'..='\u{1F1FF}').contains(&c)
}

/// Returns whether text may be cut between two characters. `flag_halves` is how many flag
/// halves in a row end with the first one (0 if it is not one).
fn may_cut(before: char, after: char, flag_halves: u32) -> bool {
    let splits_flag = is_flag_half(after) && flag_halves % 2 == 1;
    !(splits_flag
        || extends_previous(after)
        || joins_next(before)
        || (before, after) == ('\r', '\n'))
}

/// Returns the start of a text, at most that many UTF-16 units long.
pub(super) fn first_units(text: &str, most: usize) -> &str {
    let mut units = 0;
    let mut end = 0;
    let mut flag_halves = 0;
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        if before.is_none_or(|before| may_cut(before, c, flag_halves)) {
            end = at;
        }
        units += c.len_utf16();
        if units > most {
            return text.get(..end).unwrap_or_default();
        }
        flag_halves = if is_flag_half(c) { flag_halves + 1 } else { 0 };
        before = Some(c);
    }
    text
}

/// Returns the text without the rest of a split character at its start.
pub(super) fn from_whole_character(text: &str) -> &str {
    let mut rest = text.chars();
    loop {
        let whole = rest.as_str();
        if !rest.next().is_some_and(extends_previous) {
            return whole;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_split() {
        let family = "👨‍👩‍👧‍👦";
        assert_eq!(first_units(family, 10), "");
        assert_eq!(first_units(family, 11), family);
        assert_eq!(first_units("e\u{301}e\u{301}", 3), "e\u{301}");
        assert_eq!(first_units("🇫🇷🇩🇪", 6), "🇫🇷");
        assert_eq!(first_units("🇫🇷🇩🇪", 8), "🇫🇷🇩🇪");
        assert_eq!(first_units("👍🏽👍🏽", 6), "👍🏽");
        assert_eq!(first_units("✈️✈️", 3), "✈️");
        assert_eq!(first_units("क्षि", 3), "");
        assert_eq!(first_units("कि", 1), "");
        assert_eq!(first_units("กำ", 1), "");
        assert_eq!(first_units("a\r\nb", 2), "a");
        assert_eq!(first_units("日本語", 2), "日本");
        assert_eq!(first_units("plain", 3), "pla");
        assert_eq!(first_units("plain", 9), "plain");
        assert_eq!(from_whole_character("\u{301}\u{200D}x"), "x");
    }
}
