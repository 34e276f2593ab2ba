//! The same call, several times in a row.

use super::streak::Streak;
use super::{Seen, Signal};

pub(super) fn on_call(streak: &mut Streak, call: &Seen<'_>) -> Option<Signal> {
    streak.push(call.print.exact, call.index, call.threshold)
}
