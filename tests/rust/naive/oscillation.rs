//! Edits that undo one another, place by place.

use super::outcomes::Outcome;
use super::signal::Signal;
use super::tools::{Call, Edit};
use loophound::{Config, LoopKind};

/// How many edits are remembered.
const EDITS: usize = 32;

#[derive(Clone, Copy)]
struct Made {
    edit: Edit,
    index: u64,
}

/// Returns the edits that were made, oldest first. A failed edit changed nothing.
fn made(all: &[Outcome]) -> Vec<Made> {
    let edits = all.iter().filter(|one| !one.failed());
    edits.filter_map(|one| one.call.edit.map(|edit| Made { edit, index: one.index })).collect()
}

/// Returns the recent edits of the same file, as seen from call number `now`.
fn of_file(made: &[Made], path: &str, now: u64, config: &Config) -> Vec<Made> {
    let newest = &made[made.len().saturating_sub(EDITS)..];
    let near = |one: &&Made| one.index < now && now - one.index <= u64::from(config.window);
    newest.iter().filter(near).filter(|one| one.edit.path == path).copied().collect()
}

/// Returns the edits of the same place: this replacement and its opposite, or whole-file
/// writes.
fn of_place(before: &[Made], edit: &Edit) -> Vec<Made> {
    let is_there = |one: &&Made| match edit.old {
        Some(_) => one.edit == *edit || is_opposite(&one.edit, edit),
        None => one.edit.old.is_none(),
    };
    before.iter().filter(is_there).copied().collect()
}

fn is_opposite(one: &Edit, other: &Edit) -> bool {
    one.old == Some(other.new) && other.old == Some(one.new)
}

/// Returns whether an edit undoes an earlier one. A replacement is undone by its opposite,
/// if that is the next edit of the place; a whole-file write by writing the earlier content
/// again.
fn undoes(before: &[Made], edit: &Edit) -> bool {
    match edit.old {
        Some(_) => of_place(before, edit).last().is_some_and(|last| is_opposite(&last.edit, edit)),
        None => {
            before.last().is_some_and(|last| last.edit.new != edit.new)
                && before.iter().any(|one| one.edit == *edit)
        }
    }
}

/// Judges the edit of call number `index`, after those made before.
fn find(made: &[Made], index: u64, edit: &Edit, config: &Config) -> Option<Signal> {
    let before = of_file(made, edit.path, index, config);
    if !undoes(&before, edit) {
        return None;
    }
    let mut count = 1;
    for (at, one) in made.iter().enumerate() {
        let is_near = of_place(&before, edit).iter().any(|other| other.index == one.index);
        let then = of_file(&made[..at], edit.path, one.index, config);
        count += u32::from(is_near && undoes(&then, &one.edit));
    }
    (count >= config.rule(LoopKind::Oscillation)?.threshold).then(|| Signal {
        period: 2,
        since: of_place(&before, edit).first().map(|one| one.index),
        wasted: count.into(),
        ..Signal::new(LoopKind::Oscillation, edit.path.into(), count, index)
    })
}

/// Judges an edit before it is made.
pub fn on_call(all: &[Outcome], index: u64, call: &Call, config: &Config) -> Option<Signal> {
    let found = find(&made(all), index, &call.edit?, config)?;
    Some(Signal { before_call: true, is_repeat: false, ..found })
}

/// Judges the last of `all`, which is new.
pub fn on_result(all: &[Outcome], config: &Config) -> Option<Signal> {
    let (this, before) = all.split_last()?;
    let edit = this.call.edit.filter(|_| !this.failed())?;
    find(&made(before), this.index, &edit, config)
}
