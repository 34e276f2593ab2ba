//! A text in 128 bytes, by which its words can be compared with another's.
//!
//! Each word falls into one of 64 places, and each place keeps the smallest hash
//! that fell into it. The share of places that agree is about the share of words
//! that two texts have in common.

use super::low_novelty::LowNovelty;
use super::symbol::{class, is_wide};
use crate::snapshot::codec::{Reader, Writer};

const PLACES: usize = 64;
const EMPTY: u16 = u16::MAX;
/// The share of common words from which on a text says the same, in percent.
/// Chosen on real runs: repeated and rephrased summaries are above it, turns of
/// one conversation below.
const ALIKE: usize = 55;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sketch {
    places: [u16; PLACES],
}

impl Sketch {
    pub fn of(text: &str) -> Self {
        let mut sketch = Self { places: [EMPTY; PLACES] };
        let mut words = LowNovelty::default();
        // The blank ends the last word.
        for c in text.chars().chain(Some(' ')) {
            sketch.add(words.take(c, class(c), is_wide(c)));
        }
        sketch
    }

    fn add(&mut self, word: u32) {
        if word == 0 {
            return;
        }
        let mut hash = (word ^ word >> 16).wrapping_mul(0x85EB_CA6B);
        hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
        if let Some(place) = self.places.get_mut((hash >> 26) as usize % PLACES) {
            *place = (*place).min(hash as u16);
        }
    }

    /// Whether two texts say about the same.
    pub fn like(&self, other: &Self) -> bool {
        let mut used = 0;
        let mut equal = 0;
        for (one, other) in self.places.iter().zip(&other.places) {
            used += usize::from(*one != EMPTY || *other != EMPTY);
            equal += usize::from(one == other && *one != EMPTY);
        }
        equal * 100 >= used * ALIKE
    }

    pub fn save(&self, out: &mut Writer) {
        self.places.iter().for_each(|place| out.count((*place).into()));
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut sketch = Self { places: [EMPTY; PLACES] };
        for place in &mut sketch.places {
            *place = u16::try_from(from.small()).ok()?;
        }
        Some(sketch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    #[test]
    fn the_same_in_other_words() {
        let like = |one, other| Sketch::of(one).like(&Sketch::of(other));
        assert!(like(
            "I've made the required changes to the module. I consider this task complete.",
            "I have made the required changes to the module, and consider the task complete."
        ));
        assert!(!like(
            "I've made the required changes to the module. I consider this task complete.",
            "The tests fail because the port is taken; I will look for the process that holds it."
        ));
        assert!(like("", "…"));
        assert!(!like("", "Done."));
        assert!(like(
            "我已经完成了所有需要的修改，测试也都通过了，任务已经完成。",
            "我已经完成了全部需要的修改，测试也都通过了，任务已经完成。"
        ));
        assert!(!like("我已经完成了所有需要的修改。", "测试失败是因为端口被占用。"));
    }

    proptest! {
        /// Against the share of common words, counted one by one.
        #[test]
        fn about_the_share_of_common_words(
            common in proptest::collection::btree_set("[a-z]{3,8}", 0..80),
            one in proptest::collection::btree_set("[A-Z]{3,8}1", 0..80),
            other in proptest::collection::btree_set("[A-Z]{3,8}2", 0..80),
        ) {
            let text = |own: &BTreeSet<String>| {
                common.iter().chain(own).cloned().collect::<Vec<_>>().join(" ")
            };
            let all = common.len() + one.len() + other.len();
            let share = if all == 0 { 1.0 } else { common.len() as f64 / all as f64 };
            let like = Sketch::of(&text(&one)).like(&Sketch::of(&text(&other)));
            if share > 0.85 {
                prop_assert!(like);
            }
            if share < 0.25 {
                prop_assert!(!like);
            }
        }
    }
}
