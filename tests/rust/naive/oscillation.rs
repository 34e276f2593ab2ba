//! Edits that undo one another, file by file.

use super::outcomes::Outcome;
use super::signal::Signal;
use super::tools::{Call, Edit};
use loophound::{Config, LoopKind};

/// So many edits are remembered.
const EDITS: usize = 32;

#[derive(Clone, Copy)]
struct Made {
    edit: Edit,
    index: u64,
}

/// The edits that were made, oldest first. One that failed changed nothing.
fn made(all: &[Outcome]) -> Vec<Made> {
    let edits = all.iter().filter(|one| !one.failed());
    edits.filter_map(|one| one.call.edit.map(|edit| Made { edit, index: one.index })).collect()
}

/// Those of the same file that call number `now` can be about.
fn of_file(made: &[Made], path: &str, now: u64, config: &Config) -> Vec<Made> {
    let newest = &made[made.len().saturating_sub(EDITS)..];
    let near = |one: &&Made| one.index < now && now - one.index <= u64::from(config.window);
    newest.iter().filter(near).filter(|one| one.edit.path == path).copied().collect()
}

/// A replacement is undone by its opposite; a file by writing what stood in it
/// before it was last written.
fn undoes(before: &[Made], edit: &Edit) -> bool {
    match edit.old {
        Some(old) => before.iter().any(|one| one.edit.old == Some(edit.new) && one.edit.new == old),
        None => {
            before.last().is_some_and(|last| last.edit.new != edit.new)
                && before.iter().any(|one| one.edit == *edit)
        }
    }
}

/// The edit is about to be made.
pub fn on_call(all: &[Outcome], index: u64, call: &Call, config: &Config) -> Option<Signal> {
    let edit = call.edit?;
    let made = made(all);
    let before = of_file(&made, edit.path, index, config);
    if !undoes(&before, &edit) {
        return None;
    }
    let mut count = 1;
    for (at, one) in made.iter().enumerate() {
        let counts = before.iter().any(|other| other.index == one.index);
        let then = of_file(&made[..at], edit.path, one.index, config);
        count += u64::from(counts && undoes(&then, &one.edit));
    }
    let threshold = config.rule(LoopKind::Oscillation)?.threshold;
    (count >= threshold.into()).then(|| Signal {
        count,
        period: 2,
        since: before.first().map(|one| one.index),
        wasted: count,
        before_call: true,
        ..Signal::new(LoopKind::Oscillation, edit.path.into())
    })
}
