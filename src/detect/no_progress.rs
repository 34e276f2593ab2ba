//! The same call with the same result, several times in a row. A result that is
//! not known is no evidence: it breaks the run, and a host that reports none
//! never triggers this.

use super::streak::Streak;
use super::{Outcome, Pattern, Signal};
use crate::hash;

pub(super) fn on_result(streak: &mut Streak, outcome: &Outcome<'_>) -> Option<Signal> {
    let Some(output) = outcome.output else {
        streak.restart();
        return None;
    };
    streak.push(hash::pair(outcome.print.exact, output), outcome.index, outcome.threshold)
}
