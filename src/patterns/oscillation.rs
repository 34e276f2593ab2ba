//! Edits that undo one another: by content, file by file. A replacement is undone
//! by the opposite one; a whole file by writing again what it held before.
//! Deleting something is not undoing, nor is editing on.

use super::{CallEvent, Memory, Pattern, ResultEvent, Signal};
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
    /// How often edits of this one place undid one another, this one included; 0 if
    /// this one undoes nothing.
    fn undoings(&self, edit: &Edit, now: u64) -> u32 {
        let is_undone = match edit.old {
            // A whole file: it held this before, and holds something else now.
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

    /// The recent edits of the same place: the same replacement, there and back; of a
    /// whole file, all that write whole files.
    fn of_place(&self, edit: &Edit, now: u64) -> impl Iterator<Item = &MadeEdit> {
        let edit = *edit;
        self.recent(edit.path, now).filter(move |made| match edit.old {
            0 => made.edit.old == 0,
            _ => made.edit == edit || is_opposite(&made.edit, &edit),
        })
    }

    /// The recent edits of a file, oldest first.
    fn recent(&self, path: u64, now: u64) -> impl Iterator<Item = &MadeEdit> {
        let window = self.window;
        self.edits.iter().filter(move |made| {
            made.edit.path == path && made.index < now && now - made.index <= window
        })
    }

    fn signal(&self, edit: &Edit, index: u64) -> Option<Signal> {
        let count = self.undoings(edit, index);
        if count < self.threshold {
            return None;
        }
        let mut signal = Signal::new(LoopKind::Oscillation, edit.path);
        signal.count = count.into();
        signal.period = 2;
        signal.since = self.of_place(edit, index).next().map(|made| made.index);
        signal.wasted = count.into();
        // The last edit that was undone, and this one, are the loop.
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

    /// An edit is known by its content before it is made.
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

    /// An edit that failed changed nothing.
    fn on_result(&mut self, result: &ResultEvent<'_>, _: &Memory<'_>) -> Option<Signal> {
        result.outcome?;
        let edit = result.fingerprint.intent.edit;
        if edit.new == 0 || result.result.failed {
            return None;
        }
        let signal = self.signal(&edit, result.index);
        let undid = self.undoings(&edit, result.index) > 0;
        push_bounded(&mut self.edits, MadeEdit { edit, index: result.index, undid }, MAX_EDITS);
        self.active = signal.is_some();
        signal
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
