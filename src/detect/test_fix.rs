//! Test runs that fail one after the other, whatever is done in between.

use super::tally::Tally;
use super::{Outcome, Pattern, Signal};

pub(super) fn on_result(failures: &mut Tally, outcome: &Outcome<'_>) -> Option<Signal> {
    if !outcome.print.tests {
        return None;
    }
    if !outcome.failed {
        failures.restart();
        return None;
    }
    failures.add(Some(outcome.index))
}
