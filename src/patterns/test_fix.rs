//! Test runs that fail one after the other, whatever is done in between.

use super::consecutive_counter::ConsecutiveCounter;
use super::{Pattern, ResultEvent, Signal};

pub(super) fn on_result(
    failures: &mut ConsecutiveCounter,
    outcome: &ResultEvent<'_>,
) -> Option<Signal> {
    if !outcome.fingerprint.runs_tests {
        return None;
    }
    if !outcome.failed {
        failures.restart();
        return None;
    }
    failures.add(Some(outcome.index))
}
