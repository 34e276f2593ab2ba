//! Edits that undo one another: by content, file by file. A replacement is
//! undone by the opposite one; a whole file by writing again what stood in it
//! before the last time. Deleting something is not undoing, nor is editing on.

use super::{CallEvent, Pattern, ResultEvent, Signal};
use crate::call::Edit;
use crate::snapshot::codec::{Reader, Writer};
use crate::vec_ext::{make_room, remove};
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// So many edits are remembered.
const EDITS: usize = 32;

#[derive(Clone, Copy)]
struct Made {
    edit: Edit,
    index: u64,
    /// It undid an earlier one.
    undid: bool,
}

/// See the module's text.
pub(super) struct Oscillation {
    threshold: u32,
    window: u64,
    /// Oldest first.
    made: Vec<Made>,
    active: bool,
}

impl Oscillation {
    pub fn new(threshold: u32, window: u32) -> Self {
        Self { threshold, window: window.into(), made: Vec::new(), active: false }
    }

    /// An edit is about to be made: its content is known already.
    pub fn on_call(&mut self, call: &CallEvent<'_>) -> Option<Signal> {
        let edit = call.fingerprint.intent.edit;
        if edit.new == 0 {
            return None;
        }
        self.active = false;
        if !self.undoes(&edit, call.index) {
            return None;
        }
        let mut signal = Signal::new(LoopKind::Oscillation, edit.path);
        let mut count = 1;
        for made in self.recent(edit.path, call.index) {
            count += u32::from(made.undid);
            signal.since = signal.since.or(Some(made.index));
            signal.evidence.push(made.index);
        }
        if count < self.threshold {
            return None;
        }
        self.active = true;
        signal.count = count.into();
        signal.period = 2;
        signal.wasted = count.into();
        // The last edit that was undone, and this one, are the loop.
        let keep = signal.evidence.len().saturating_sub(1);
        remove(&mut signal.evidence, 0, keep);
        signal.evidence.push(call.index);
        signal.refusable = true;
        Some(signal)
    }

    /// An edit that failed changed nothing.
    pub fn on_result(&mut self, outcome: &ResultEvent<'_>) {
        let edit = outcome.fingerprint.intent.edit;
        if edit.new == 0 || outcome.reply.failed {
            return;
        }
        let undid = self.undoes(&edit, outcome.index);
        make_room(&mut self.made, EDITS);
        self.made.push(Made { edit, index: outcome.index, undid });
    }

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
    fn recent(&self, path: u64, now: u64) -> impl Iterator<Item = &Made> {
        let window = self.window;
        self.made.iter().filter(move |made| {
            made.edit.path == path && made.index < now && now - made.index <= window
        })
    }
}

impl Pattern for Oscillation {
    fn active(&self) -> bool {
        self.active
    }

    fn restart(&mut self) {
        self.made.clear();
        self.active = false;
    }

    fn save(&self, out: &mut Writer) {
        out.flag(self.active);
        out.length(self.made.len());
        for made in &self.made {
            for hash in [made.edit.path, made.edit.old, made.edit.new] {
                out.hash(hash);
            }
            out.count(made.index);
            out.flag(made.undid);
        }
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.active = from.flag();
        for _ in 0..from.length(EDITS) {
            self.made.push(Made {
                edit: Edit { path: from.hash(), old: from.hash(), new: from.hash() },
                index: from.count(),
                undid: from.flag(),
            });
        }
        Some(())
    }
}
