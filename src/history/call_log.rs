//! The last calls, as far back as patterns look, with a readable label for each.

use super::push_bounded;
use crate::call::first_characters;
use crate::concat::cat;
use crate::quote::{clean, defuse};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// How much of a call is kept for people to read, in characters.
const MAX_NAME: usize = 256;
const MAX_ARGS: usize = 100;
const MAX_TARGET: usize = 80;
/// How many changed files a message names.
const MAX_FILES_SHOWN: usize = 3;
/// How many tool names are kept for prompts to people.
const MAX_RECENT_NAMES: usize = 5;

/// One remembered call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct LoggedCall {
    /// Its index among all recorded calls.
    pub index: u64,
    /// Its exact fingerprint.
    pub exact: u64,
    /// The tool's name, cut if it is very long.
    pub name: String,
    args: String,
    args_cut: bool,
    /// The file it writes to, if it does.
    target: String,
}

impl LoggedCall {
    /// Writes the call as a person would: `read_file({"path":"a.ts"})`.
    pub fn label(&self) -> String {
        let dots = if self.args_cut { "…" } else { "" };
        cat(&[&defuse(&self.name), "(", &defuse(&self.args), dots, ")"])
    }

    /// Returns the beginning of its arguments.
    pub fn args(&self) -> &str {
        &self.args
    }

    /// Overwrites the call, reusing its text buffers so that a full log allocates nothing.
    fn fill(&mut self, index: u64, exact: u64, name: &str, args: &str) {
        self.index = index;
        self.exact = exact;
        replace(&mut self.name, first_characters(name, MAX_NAME));
        let shown = first_characters(args, MAX_ARGS);
        self.args_cut = shown.len() < args.len();
        replace(&mut self.args, shown);
        self.target.clear();
    }

    fn is_valid(&self) -> bool {
        fits(&self.name, MAX_NAME) && fits(&self.args, MAX_ARGS) && fits(&self.target, MAX_TARGET)
    }
}

fn replace(buffer: &mut String, text: &str) {
    buffer.clear();
    // Reserves a little more: the next text is rarely the same length.
    buffer.reserve(text.len() | 31);
    buffer.push_str(text);
}

fn fits(text: &str, most: usize) -> bool {
    first_characters(text, most).len() == text.len()
}

/// The last calls, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct CallLog {
    calls: VecDeque<LoggedCall>,
    /// How many times in a row the newest call was made.
    consecutive: u64,
    #[serde(skip)]
    capacity: usize,
}

impl CallLog {
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), ..Self::default() }
    }

    pub fn push(&mut self, index: u64, exact: u64, name: &str, args: &str) {
        let repeats = self.back(0).is_some_and(|newest| newest.exact == exact);
        self.consecutive = if repeats { self.consecutive.saturating_add(1) } else { 1 };
        let full = self.calls.len() >= self.capacity;
        let mut call = if full { self.calls.pop_front() } else { None }.unwrap_or_default();
        call.fill(index, exact, name, args);
        self.calls.push_back(call);
    }

    /// Records the file that the newest call writes to.
    pub fn set_target(&mut self, path: &str) {
        if let Some(call) = self.calls.back_mut() {
            replace(&mut call.target, first_characters(path, MAX_TARGET));
        }
    }

    /// Lists the files written between two calls, newest first, without duplicates.
    pub fn written_between(&self, from: u64, to: u64) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for call in self.calls.iter().rev() {
            let between = call.index > from && call.index < to && !call.target.is_empty();
            if between && files.len() < MAX_FILES_SHOWN {
                let file = clean(&call.target);
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        files
    }

    /// Returns the call made `ago` calls before the newest; 0 is the newest.
    pub fn back(&self, ago: usize) -> Option<&LoggedCall> {
        self.calls.get(self.calls.len().checked_sub(ago)?.checked_sub(1)?)
    }

    /// Finds the call with this index, if it is still in the log.
    pub fn find(&self, index: u64) -> Option<&LoggedCall> {
        self.calls.iter().rev().find(|call| call.index == index)
    }

    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns how many times in a row the newest call was made.
    pub fn consecutive(&self) -> u64 {
        self.consecutive
    }

    pub fn clear(&mut self) {
        self.calls.clear();
        self.consecutive = 0;
    }

    /// Sets the capacity of a log loaded from a snapshot; false if the log is invalid. With
    /// `calls`, indices must increase and stay below it; without, calls are in the order of
    /// their results, so indices may have any order.
    pub fn restore(&mut self, capacity: usize, calls: Option<u64>) -> bool {
        self.capacity = capacity.max(1);
        let numbers = self.calls.iter().map(|call| call.index);
        let in_order = calls.is_none_or(|calls| {
            numbers.clone().is_sorted_by(|a, b| a < b) && numbers.clone().all(|at| at < calls)
        });
        in_order
            && self.calls.len() <= self.capacity
            && self.calls.iter().all(LoggedCall::is_valid)
            && (self.consecutive == 0) == self.calls.is_empty()
    }
}

/// The names of the last tools called, oldest first, for prompts to people.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct RecentNames {
    names: VecDeque<String>,
}

impl RecentNames {
    pub fn push(&mut self, name: &str) {
        let full = self.names.len() >= MAX_RECENT_NAMES;
        let mut newest = if full { self.names.pop_front() } else { None }.unwrap_or_default();
        replace(&mut newest, first_characters(name, MAX_NAME));
        push_bounded(&mut self.names, newest, MAX_RECENT_NAMES);
    }

    pub fn to_vec(&self) -> Vec<String> {
        self.names.iter().cloned().collect()
    }

    pub fn last(&self) -> Option<&str> {
        self.names.back().map(String::as_str)
    }

    pub fn is_valid(&self) -> bool {
        self.names.len() <= MAX_RECENT_NAMES && self.names.iter().all(|name| fits(name, MAX_NAME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_newest_calls_and_finds_them_by_index() {
        let mut log = CallLog::new(3);
        for index in 0..10 {
            log.push(index * 2, index, "t", "{}");
        }
        assert_eq!(log.len(), 3);
        assert_eq!(log.back(0).map(|call| call.index), Some(18));
        assert_eq!(log.back(2).map(|call| call.index), Some(14));
        assert_eq!(log.back(3), None);
        assert_eq!(log.find(16).map(|call| call.exact), Some(8));
        assert_eq!(log.find(17), None);
        assert_eq!(log.find(2), None);
    }

    #[test]
    fn labels_are_short_and_clean() {
        let mut log = CallLog::new(2);
        log.push(0, 0, "bash", "{\"command\":\"a\nb\"}");
        log.push(1, 0, "write", &"é".repeat(5000));
        let labels: Vec<String> =
            (0..2).filter_map(|ago| log.back(1 - ago)).map(LoggedCall::label).collect();
        assert_eq!(labels[0], "bash({\"command\":\"a b\"})");
        assert_eq!(labels[1], ["write(", &"é".repeat(100), "…)"].concat());
    }

    #[test]
    fn counts_consecutive_equal_calls() {
        let mut log = CallLog::new(2);
        let counts: Vec<u64> = [1, 1, 1, 2, 1, 1]
            .into_iter()
            .map(|exact| {
                log.push(0, exact, "t", "");
                log.consecutive()
            })
            .collect();
        assert_eq!(counts, [1, 2, 3, 1, 1, 2]);
        log.clear();
        assert_eq!(log.consecutive(), 0);
    }
}
