//! Bounded memory: the last calls, their outcomes, and the calls that have no result yet.

mod call_log;
mod outcome_log;
mod pending;

pub(crate) use call_log::{CallLog, LoggedCall, RecentNames};
pub(crate) use outcome_log::{Answered, Outcome, OutcomeFacts, OutcomeLog};
pub(crate) use pending::{Pending, PendingCall};

use alloc::collections::VecDeque;

/// Appends an item, and drops the oldest items beyond `capacity`.
pub(crate) fn push_bounded<T>(queue: &mut VecDeque<T>, item: T, capacity: usize) {
    while queue.len() >= capacity.max(1) {
        queue.pop_front();
    }
    queue.push_back(item);
}

/// Removes the items that are not wanted. (`VecDeque::retain` contains a panic, which the
/// event path must not have.)
pub(crate) fn keep_only<T>(queue: &mut VecDeque<T>, is_wanted: impl Fn(&T) -> bool) {
    for _ in 0..queue.len() {
        if let Some(item) = queue.pop_front().filter(&is_wanted) {
            queue.push_back(item);
        }
    }
}

/// Removes and returns the first item that is wanted. The others keep their order.
pub(crate) fn take_first<T>(queue: &mut VecDeque<T>, is_wanted: impl Fn(&T) -> bool) -> Option<T> {
    let mut taken = None;
    for _ in 0..queue.len() {
        let item = queue.pop_front()?;
        if taken.is_none() && is_wanted(&item) {
            taken = Some(item);
        } else {
            queue.push_back(item);
        }
    }
    taken
}
