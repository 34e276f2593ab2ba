//! Whether a stretch of repetition is a loop, by what it consists of.

use super::counters::Counters;
use super::limits::Limits;
use super::runs::{RepeatRun, Runs};

/// Something that repeats, and how much of it there is.
struct Stretch {
    /// The length of what is repeated, in symbols.
    unit: u32,
    /// How many numbers changed.
    changed: u32,
    /// What the repeats consist of.
    whole: Counters,
    /// What they consist of since the last changed number.
    clean: Counters,
}

/// Whether a run of one unit is a loop. `word` is the length of the word that
/// the text ends with.
pub(super) fn run_is_loop(run: &RepeatRun, now: &Counters, word: u32, limits: &Limits) -> bool {
    let length = now.place.wrapping_sub(run.first);
    let unit = run.distance;
    let all = length.saturating_add(run.carried);
    if !passes(all, unit, limits) {
        return false;
    }
    // It was followed late: these repeat as well.
    let late = run.start.place.wrapping_sub(run.first);
    let mut stretch = Stretch {
        unit,
        changed: run.changed,
        whole: now.since(&run.start),
        clean: now.since(&run.clean),
    };
    for marks in [&mut stretch.whole, &mut stretch.clean] {
        marks.place = marks.place.saturating_add(late);
        marks.weight = marks.weight.saturating_add(late);
        // A word that repeats from its start on is chanted without gaps, and no blob.
        if word.abs_diff(length) <= unit.saturating_add(32) {
            marks.blob = 0;
        }
    }
    let whole = &stretch.whole;
    let least = if unit <= 2 { limits.tiny } else { limits.short };
    let repeats = all >= unit.saturating_mul(limits.repeats - 1)
        && whole.weight.saturating_add(run.carried).saturating_add(unit) >= least
        && whole.letters.saturating_mul(4) >= whole.weight;
    is_loop(&stretch, repeats, limits)
}

/// Whether text that only repeats what was said shortly before, in whatever
/// order, is a loop.
pub(super) fn stale_is_loop(runs: &Runs, now: &Counters, limits: &Limits) -> bool {
    if now.weight.wrapping_sub(runs.fresh.weight) < limits.stale {
        return false;
    }
    let whole = now.since(&runs.fresh);
    let stretch = Stretch { unit: runs.reach, changed: runs.changed, whole, clean: whole };
    // Shuffled data is data; only words can go in circles without a fixed unit.
    whole.letters.saturating_mul(2) >= whole.weight
        && is_prose(&whole)
        && is_loop(&stretch, false, limits)
}

fn is_prose(marks: &Counters) -> bool {
    structure(marks).saturating_mul(4) <= marks.weight
}

fn structure(marks: &Counters) -> u32 {
    marks.shaped.saturating_add(marks.blob).min(marks.weight)
}

fn passes(length: u32, unit: u32, limits: &Limits) -> bool {
    length.saturating_mul(4) >= unit.saturating_mul(limits.repeats)
}

fn is_loop(stretch: &Stretch, repeats: bool, limits: &Limits) -> bool {
    let Stretch { unit, changed, whole, clean } = stretch;
    let copied = passes(whole.place, *unit, limits) && whole.weight >= limits.copied;
    if !repeats && !copied {
        return false;
    }
    let signs = whole.letters.saturating_add(whole.numbers).saturating_mul(4) < whole.weight;
    if signs && is_prose(whole) {
        return clean.weight >= limits.signs;
    }
    if !signs && !is_series(whole, *changed) {
        let prose = whole.weight - structure(whole);
        if is_prose(whole) || prose >= limits.mixed {
            return true;
        }
    }
    let (length, times) =
        if whole.code.saturating_mul(2) > whole.weight { limits.code } else { limits.shaped };
    clean.weight >= length && clean.place >= unit.saturating_mul(times)
}

/// Numbers that change are a series, unless whole sentences stand around them.
/// One number on each line needs a longer one: that is how series are written.
fn is_series(whole: &Counters, changed: u32) -> bool {
    let (letters, words) = if whole.lines.saturating_mul(2) >= changed { (20, 4) } else { (12, 3) };
    whole.letters / letters < changed || whole.halves / (2 * words) < changed
}
