//! Decides whether the numbers in repeated text count up or down: "file 10 of 60, file 11
//! of 60" is progress, however similar the words are.
//!
//! In text that counts, some number goes up in every pass, or down by the same step each
//! time. Which number does not matter: when a day goes back to 1, the month goes up.
//! Numbers that stay the same, alternate or are random soon stop advancing.

use serde::{Deserialize, Serialize};

/// Text still counts if no number advances in one pass, plus one more per this many passes.
const PASSES_PER_STALL: u32 = 48;

/// How many changes distinguish counting from chance.
const MIN_CHANGES: u32 = 3;

/// How the numbers of repeated text change from pass to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Counting {
    /// How many numbers differ from the ones they repeat.
    pub changes: u32,
    /// The place of the last number that advanced.
    last_advance: u32,
    /// How many passes before that had no advance.
    stalls: u32,
    /// The place of the last number that went down, and by how much.
    last_fall: u32,
    fall: i16,
}

impl Counting {
    /// Starts where text is found to repeat.
    pub fn since(place: u32) -> Self {
        Self { last_advance: place, ..Self::default() }
    }

    /// Continues after other text between two repeats of the same unit.
    pub fn resumed(self, place: u32) -> Self {
        Self { last_advance: place, ..self }
    }

    /// Handles a number that differs by `step` from the one `unit` symbols before it.
    pub fn on_change(&mut self, step: i16, place: u32, unit: u32) {
        self.changes = self.changes.saturating_add(1);
        let counts_down = step == self.fall && place.wrapping_sub(self.last_fall) == unit;
        if step < 0 {
            self.fall = step;
            self.last_fall = place;
        }
        if step > 0 || counts_down {
            // The previous step down was an advance, too.
            let first = if counts_down { place.saturating_sub(unit) } else { place };
            self.stalls = self.stalls_until(first, unit);
            self.last_advance = place;
        }
    }

    /// Returns whether text of that length counts and has changed a few times.
    pub fn is_established(&self, place: u32, unit: u32, length: u32) -> bool {
        self.changes >= MIN_CHANGES && self.is_going_on(place, unit, length)
    }

    /// Returns whether text of that length counts.
    pub fn is_going_on(&self, place: u32, unit: u32, length: u32) -> bool {
        let passes = length.checked_div(unit).unwrap_or(0);
        let stalls = self.stalls_until(place, unit);
        self.changes > 0 && stalls <= 1 + passes / PASSES_PER_STALL
    }

    /// Counts the passes without an advance. An advance may come a quarter of a pass late:
    /// at the start of a month, the month goes up instead of the day.
    fn stalls_until(&self, place: u32, unit: u32) -> u32 {
        let since = place.saturating_sub(self.last_advance);
        let passes = since.saturating_add(unit / 4 * 3).saturating_sub(1).checked_div(unit);
        self.stalls.saturating_add(passes.unwrap_or(0).saturating_sub(1))
    }

    /// Returns whether state loaded from a snapshot is possible at that place.
    pub fn is_valid(&self, now: u32) -> bool {
        self.changes <= now
            && self.last_advance <= now
            && self.stalls <= now
            && self.last_fall <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether these numbers count, with one in each pass of ten symbols.
    fn counts(numbers: impl IntoIterator<Item = i16>) -> bool {
        let mut counting = Counting::since(0);
        let mut before = 0;
        let mut place = 0;
        for number in numbers {
            place += 10;
            if number != before {
                counting.on_change(number - before, place, 10);
            }
            before = number;
        }
        counting.is_going_on(place, 10, place)
    }

    #[test]
    fn numbers_count_up_or_down_by_steps() {
        assert!(counts(1..40));
        assert!(counts((1..40).map(|n| n * 7 % 300)));
        assert!(counts([1, 4, 5, 11, 12, 30, 31, 60, 61, 90]));
        assert!(counts((0..40).rev()));
        assert!(counts((0..20).map(|n| 500 - 20 * n)));
    }

    #[test]
    fn constant_and_alternating_numbers_do_not_count() {
        assert!(!counts([0; 12]));
        assert!(!counts([7; 12]));
        assert!(!counts((0..12).map(|n| n % 2)));
        assert!(!counts((0..12).map(|n| n % 5)));
        assert!(!counts((0..20).map(|n| 37 * n % 101)));
        assert!(!counts((0..30).map(|n| (n / 10) * 10)));
        // It counted at first, then stopped.
        assert!(!counts((0..12).chain([12; 4])));
    }

    #[test]
    fn any_number_of_a_pass_may_advance() {
        // Days and months, with the day first: 28 days each.
        let mut counting = Counting::since(0);
        for day in 1..100u32 {
            let place = day * 10;
            let is_first = day % 28 == 0;
            counting.on_change(if is_first { -27 } else { 1 }, place, 10);
            if is_first {
                counting.on_change(1, place + 2, 10);
            }
            assert!(counting.is_going_on(place + 9, 10, place), "{day}");
        }
    }

    #[test]
    fn impossible_state_is_refused() {
        assert!(Counting::since(100).is_valid(100));
        assert!(!Counting::since(101).is_valid(100));
        assert!(!Counting { changes: 101, ..Counting::default() }.is_valid(100));
        assert!(!Counting { stalls: 101, ..Counting::default() }.is_valid(100));
        assert!(!Counting { last_fall: 101, ..Counting::default() }.is_valid(100));
    }
}
