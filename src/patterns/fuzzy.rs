//! The same call but for optional arguments, several times in a row.

use super::equal_run::EqualRun;
use super::{CallEvent, Signal};

pub(super) fn on_call(streak: &mut EqualRun, call: &CallEvent<'_>) -> Option<Signal> {
    streak.push(call.fingerprint.fuzzy, call.index, call.fuzzy_threshold)
}
