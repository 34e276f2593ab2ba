//! Bounded memory: the last calls, what came of them, and the calls that wait for a result.

mod outcome_log;
mod pending;

pub(crate) use outcome_log::{Outcome, OutcomeLog};
pub(crate) use pending::{Pending, Waiting};

use crate::call::first_characters;
use crate::concat::cat;
use crate::ring::Ring;
use crate::snapshot::codec::{Reader, Writer};
use alloc::string::String;
use alloc::vec::Vec;

/// How much of a call is kept for people to read.
const NAME_LENGTH: usize = 256;
const ARGS_LENGTH: usize = 100;
const TARGET_LENGTH: usize = 80;
const FILES_SHOWN: usize = 3;

/// One remembered call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Slot {
    /// Its number, counted over all recorded calls.
    pub index: u64,
    /// Its exact fingerprint.
    pub exact: u64,
    /// The tool's name, cut if it is absurdly long.
    pub name: String,
    args: String,
    cut: bool,
    /// The file it changes, if it is a change.
    pub target: String,
}

impl Slot {
    /// The call as a person would write it down: `read_file({"path":"a.ts"})`.
    pub fn label(&self) -> String {
        let dots = if self.cut { "…" } else { "" };
        cat(&[&on_one_line(&self.name), "(", &on_one_line(&self.args), dots, ")"])
    }

    /// Reuses the slot's text buffers: a warm history allocates nothing.
    fn fill(&mut self, index: u64, exact: u64, name: &str, args: &str) {
        self.index = index;
        self.exact = exact;
        replace(&mut self.name, first_characters(name, NAME_LENGTH));
        let shown = first_characters(args, ARGS_LENGTH);
        self.cut = shown.len() < args.len();
        replace(&mut self.args, shown);
        self.target.clear();
    }
}

fn replace(buffer: &mut String, text: &str) {
    buffer.clear();
    buffer.push_str(text);
}

/// Without control characters, which would break the line that a person reads,
/// or forge one.
pub(crate) fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The last calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct History {
    slots: Ring<Slot>,
}

impl History {
    pub fn new(capacity: usize) -> Self {
        Self { slots: Ring::new(capacity) }
    }

    pub fn push(&mut self, index: u64, exact: u64, name: &str, args: &str) {
        if let Some(slot) = self.slots.renew() {
            slot.fill(index, exact, name, args);
        }
    }

    /// Notes the file that the newest call changes.
    pub fn changes(&mut self, path: &str) {
        if let Some(slot) = self.slots.newest_mut() {
            replace(&mut slot.target, first_characters(path, TARGET_LENGTH));
        }
    }

    /// The files that were changed between two calls, newest first, each once.
    pub fn changed_between(&self, from: u64, to: u64) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for ago in 0..self.slots.len() {
            let Some(slot) = self.back(ago) else { break };
            let between = slot.index > from && slot.index < to && !slot.target.is_empty();
            if between && files.len() < FILES_SHOWN {
                let file = on_one_line(&slot.target);
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        files
    }

    /// The call so many calls ago; 0 is the newest.
    pub fn back(&self, ago: usize) -> Option<&Slot> {
        self.slots.back(ago)
    }

    /// The call with that number, if it is still remembered.
    pub fn find(&self, index: u64) -> Option<&Slot> {
        self.slots.find(|slot| slot.index == index)
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn clear(&mut self) {
        self.slots.clear();
    }

    pub fn save(&self, out: &mut Writer) {
        out.length(self.slots.len());
        for ago in (0..self.slots.len()).rev() {
            let Some(slot) = self.back(ago) else { continue };
            out.count(slot.index);
            out.hash(slot.exact);
            out.text(&slot.name);
            out.text(&slot.args);
            out.flag(slot.cut);
            out.text(&slot.target);
        }
    }

    /// Reads what [`History::save`] wrote. Indices have to rise and stay below `calls`;
    /// without it they stand in any order, as calls are answered.
    pub fn load(capacity: usize, from: &mut Reader, calls: Option<u64>) -> Option<Self> {
        let mut history = Self::new(capacity);
        let mut next = 0;
        for _ in 0..from.length(history.slots.capacity()) {
            let index = from.count();
            if calls.is_some_and(|calls| !(next..calls).contains(&index)) {
                return None;
            }
            let mut slot = Slot { index, exact: from.hash(), ..Slot::default() };
            replace(&mut slot.name, first_characters(from.text(), NAME_LENGTH));
            replace(&mut slot.args, first_characters(from.text(), ARGS_LENGTH));
            slot.cut = from.flag();
            replace(&mut slot.target, first_characters(from.text(), TARGET_LENGTH));
            next = slot.index.saturating_add(1);
            history.slots.push(slot);
        }
        Some(history)
    }
}

/// The names of the last tools, for prompts to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecentNames {
    names: Ring<String>,
}

impl Default for RecentNames {
    fn default() -> Self {
        Self { names: Ring::new(Self::SHOWN) }
    }
}

impl RecentNames {
    const SHOWN: usize = 5;

    pub fn push(&mut self, name: &str) {
        if let Some(newest) = self.names.renew() {
            replace(newest, first_characters(name, NAME_LENGTH));
        }
    }

    /// Oldest first.
    pub fn to_vec(&self) -> Vec<String> {
        let mut names = Vec::new();
        for ago in (0..self.names.len()).rev() {
            names.push(self.names.back(ago).cloned().unwrap_or_default());
        }
        names
    }

    pub fn last(&self) -> Option<&str> {
        self.names.back(0).map(String::as_str)
    }

    pub fn save(&self, out: &mut Writer) {
        out.length(self.names.len());
        for ago in (0..self.names.len()).rev() {
            out.text(self.names.back(ago).map_or("", String::as_str));
        }
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut recent = Self::default();
        for _ in 0..from.length(Self::SHOWN) {
            recent.push(from.text());
        }
        Some(recent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_newest_and_finds_them_by_number() {
        let mut history = History::new(3);
        for index in 0..10 {
            history.push(index * 2, index, "t", "{}");
        }
        assert_eq!(history.len(), 3);
        assert_eq!(history.back(0).map(|slot| slot.index), Some(18));
        assert_eq!(history.back(2).map(|slot| slot.index), Some(14));
        assert_eq!(history.back(3), None);
        assert_eq!(history.find(16).map(|slot| slot.exact), Some(8));
        assert_eq!(history.find(17), None);
        assert_eq!(history.find(2), None);
    }

    #[test]
    fn labels_are_short_and_on_one_line() {
        let mut history = History::new(2);
        history.push(0, 0, "bash", "{\"command\":\"a\nb\"}");
        history.push(1, 0, "write", &"é".repeat(5000));
        let labels: Vec<String> =
            (0..2).filter_map(|ago| history.back(1 - ago)).map(Slot::label).collect();
        assert_eq!(labels[0], "bash({\"command\":\"a b\"})");
        assert_eq!(labels[1], ["write(", &"é".repeat(100), "…)"].concat());
    }
}
