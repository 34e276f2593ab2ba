//! Edits that undo one another: by content, file by file. A replacement is undone
//! by the opposite one; a whole file by writing again what it held before.
//! Deleting something is not undoing, nor is editing on.

use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
use crate::call::Edit;
use crate::config::{Config, Rule};
use crate::history::push_bounded;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use alloc::vec;
use serde::{Deserialize, Serialize};

/// How many edits are remembered.
const MAX_EDITS: usize = 32;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct MadeEdit {
    edit: Edit,
    index: u64,
    /// It undid an earlier one.
    undid: bool,
}

/// Remembers the last edits.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Oscillation {
    #[serde(skip)]
    threshold: u32,
    #[serde(skip)]
    window: u64,
    /// Oldest first.
    edits: VecDeque<MadeEdit>,
    active: bool,
}

impl Oscillation {
    fn undoes(&self, edit: &Edit, now: u64) -> bool {
        if edit.old != 0 {
            return self
                .recent(edit.path, now)
                .any(|made| made.edit.old == edit.new && made.edit.new == edit.old);
        }
        let newest = self.recent(edit.path, now).last();
        newest.is_some_and(|newest| newest.edit.new != edit.new)
            && self.recent(edit.path, now).any(|made| made.edit == *edit)
    }

    /// The recent edits of a file, oldest first.
    fn recent(&self, path: u64, now: u64) -> impl Iterator<Item = &MadeEdit> {
        let window = self.window;
        self.edits.iter().filter(move |made| {
            made.edit.path == path && made.index < now && now - made.index <= window
        })
    }
}

impl Pattern for Oscillation {
    const KIND: LoopKind = LoopKind::Oscillation;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.threshold = rule.threshold;
        self.window = config.window.into();
    }

    /// An edit is known by its content before it is made.
    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let edit = call.fingerprint.intent.edit;
        if edit.new == 0 {
            return None;
        }
        self.active = false;
        if !self.undoes(&edit, call.index) {
            return None;
        }
        let recent = || self.recent(edit.path, call.index);
        let count = 1 + recent().filter(|made| made.undid).count();
        if count < self.threshold as usize {
            return None;
        }
        let mut signal = Signal::new(Self::KIND, edit.path);
        signal.count = count as u64;
        signal.period = 2;
        signal.since = recent().next().map(|made| made.index);
        signal.wasted = count as u64;
        // The last edit that was undone, and this one, are the loop.
        signal.calls = vec![call.index];
        if let Some(undone) = recent().last() {
            signal.calls = vec![undone.index, call.index];
        }
        signal.before_call = true;
        self.active = true;
        Some(signal)
    }

    /// An edit that failed changed nothing.
    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        result.outcome?;
        let edit = result.fingerprint.intent.edit;
        if edit.new != 0 && !result.result.failed {
            let undid = self.undoes(&edit, result.index);
            let made = MadeEdit { edit, index: result.index, undid };
            push_bounded(&mut self.edits, made, MAX_EDITS);
        }
        None
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn reset(&mut self) {
        self.edits.clear();
        self.active = false;
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.edits.len() <= MAX_EDITS
    }
}
