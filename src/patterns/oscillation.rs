//! Edits that undo one another, compared by content and per file. A replacement is undone
//! by the opposite replacement; a whole-file write by writing the earlier content again.
//! Deleting something does not undo it, nor does a further edit.

use super::{CallEvent, Memory, Pattern, Progress, ResultEvent, Signal};
use crate::call::Edit;
use crate::config::{Config, Rule};
use crate::history::push_bounded;
use crate::verdict::LoopKind;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// How many edits are remembered.
const MAX_EDITS: usize = 32;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct MadeEdit {
    edit: Edit,
    index: u64,
    /// Whether it undid an earlier edit.
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
    #[serde(skip)]
    undo_count: u32,
    active: bool,
}

impl Oscillation {
    /// Counts how many times edits of this place undid one another, this one included; 0 if
    /// this one undoes nothing.
    fn count_undos(&self, edit: &Edit, now: u64) -> u32 {
        let is_undone = match edit.old {
            // A whole file: it held this content before, and holds something else now.
            0 => {
                let newest = self.recent(edit.path, now).last();
                newest.is_some_and(|newest| newest.edit.new != edit.new)
                    && self.recent(edit.path, now).any(|made| made.edit == *edit)
            }
            _ => self.of_place(edit, now).last().is_some_and(|made| is_opposite(&made.edit, edit)),
        };
        let earlier = self.of_place(edit, now).filter(|made| made.undid).count() as u32;
        if is_undone { earlier + 1 } else { 0 }
    }

    /// Iterates over the recent edits of the same place: this replacement and its opposite
    /// or, for a whole-file write, all whole-file writes.
    fn of_place(&self, edit: &Edit, now: u64) -> impl Iterator<Item = &MadeEdit> {
        let edit = *edit;
        self.recent(edit.path, now).filter(move |made| match edit.old {
            0 => made.edit.old == 0,
            _ => made.edit == edit || is_opposite(&made.edit, &edit),
        })
    }

    /// Iterates over the recent edits of a file, oldest first.
    fn recent(&self, path: u64, now: u64) -> impl Iterator<Item = &MadeEdit> {
        let window = self.window;
        self.edits.iter().filter(move |made| {
            made.edit.path == path && made.index < now && now - made.index <= window
        })
    }

    fn signal(&mut self, edit: &Edit, index: u64) -> Option<Signal> {
        let count = self.count_undos(edit, index);
        self.undo_count = count;
        if count < self.threshold {
            return None;
        }
        let mut signal = Signal::new(LoopKind::Oscillation, edit.path);
        signal.count = count.into();
        signal.period = 2;
        signal.since = self.of_place(edit, index).next().map(|made| made.index);
        signal.wasted = count.into();
        // The loop is the last edit that was undone, and this one.
        signal.calls.extend(self.of_place(edit, index).last().map(|made| made.index));
        signal.calls.push(index);
        Some(signal)
    }
}

fn is_opposite(one: &Edit, other: &Edit) -> bool {
    one.old == other.new && one.new == other.old
}

impl Pattern for Oscillation {
    const KIND: LoopKind = LoopKind::Oscillation;
    const REPEATS_CALLS: bool = true;
    const COUNTS_DUPLICATES: bool = false;

    fn configure(&mut self, rule: &Rule, config: &Config) {
        self.threshold = rule.threshold;
        self.window = config.window.into();
    }

    /// Judges an edit before it is made: its content is already known.
    fn on_call(&mut self, call: &CallEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        let edit = call.fingerprint.intent.edit;
        if edit.new == 0 {
            return None;
        }
        let found = self.signal(&edit, call.index);
        self.active = found.is_some();
        let mut signal = found?;
        signal.before_call = true;
        signal.is_repeat = false;
        Some(signal)
    }

    /// Records an edit, unless it failed and changed nothing.
    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        result.outcome?;
        let edit = result.fingerprint.intent.edit;
        if edit.new == 0 || result.result.failed {
            return None;
        }
        let signal = self.signal(&edit, result.index);
        let undid = self.count_undos(&edit, result.index) > 0;
        push_bounded(&mut self.edits, MadeEdit { edit, index: result.index, undid }, MAX_EDITS);
        self.active = signal.is_some();
        signal
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn progress(&self) -> Progress {
        Progress::new(self.undo_count, self.threshold)
    }

    fn reset(&mut self) {
        self.edits.clear();
        self.undo_count = 0;
        self.active = false;
    }

    fn restore(&mut self, _: &Memory<'_>, _: &Config) -> bool {
        self.edits.len() <= MAX_EDITS
    }
}
