//! Calls that have no result yet. Bounded: a host that never reports results does not use
//! up memory. When there are too many, the older half is dropped at once, so that adding a
//! call stays cheap.

use super::take_first;
use crate::call::Fingerprint;
use crate::hash;
use alloc::collections::VecDeque;
use serde::{Deserialize, Serialize};

/// Half of this is more than any model calls in parallel.
const MAX_PENDING: usize = 256;

/// A call without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingCall {
    /// The hash of the id that its result will have.
    pub id: Option<u64>,
    pub index: u64,
    /// The turn it belongs to.
    pub turn: u64,
    /// When it was made, if the host says.
    pub at: Option<u64>,
    pub fingerprint: Fingerprint,
    /// The options exempt it: no pattern looks at it.
    pub is_exempt: bool,
    /// An equal call came earlier in the same turn; the two count once.
    pub is_duplicate: bool,
    /// It was refused, so its result is the refusal, not the tool's.
    pub is_refused: bool,
}

/// The calls without a result, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Pending {
    calls: VecDeque<PendingCall>,
}

impl Pending {
    pub fn push(&mut self, call: PendingCall) {
        if self.calls.len() >= MAX_PENDING {
            for _ in 0..MAX_PENDING / 2 {
                self.calls.pop_front();
            }
        }
        self.calls.push_back(call);
    }

    pub fn newest(&self) -> Option<&PendingCall> {
        self.calls.back()
    }

    /// Marks the newest call as refused; with `gives_up`, removes it, since no result will
    /// come.
    pub fn refuse_newest(&mut self, gives_up: bool) {
        if gives_up {
            self.calls.pop_back();
        } else if let Some(newest) = self.calls.back_mut() {
            newest.is_refused = true;
        }
    }

    /// Removes and returns the call that a result belongs to: the one with its id or,
    /// without an id, the oldest one (of that name, if given).
    pub fn answer(&mut self, id: Option<&str>, name: Option<&str>) -> Option<PendingCall> {
        let wanted_id = id.map(|id| hash::bytes(id.as_bytes()));
        let wanted_tool = name.map(|name| hash::bytes(name.as_bytes()));
        take_first(&mut self.calls, |call| match (wanted_id, wanted_tool) {
            (Some(id), _) => call.id == Some(id),
            (None, Some(tool)) => call.fingerprint.tool == tool,
            (None, None) => true,
        })
    }

    pub fn is_valid(&self) -> bool {
        self.calls.len() <= MAX_PENDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Intent;

    fn pending_call(index: u64, tool: &str, id: Option<&str>) -> PendingCall {
        PendingCall {
            id: id.map(|id| hash::bytes(id.as_bytes())),
            index,
            turn: 0,
            at: None,
            fingerprint: Fingerprint {
                tool: hash::bytes(tool.as_bytes()),
                exact: 0,
                fuzzy: 0,
                is_shell: false,
                runs_tests: false,
                is_file_command: false,
                searches: false,
                program: 0,
                changes_directory: false,
                intent: Intent::default(),
            },
            is_exempt: false,
            is_duplicate: false,
            is_refused: false,
        }
    }

    #[test]
    fn results_find_their_calls() {
        let mut pending = Pending::default();
        pending.push(pending_call(0, "a", Some("x")));
        pending.push(pending_call(1, "b", None));
        pending.push(pending_call(2, "a", None));
        pending.push(pending_call(3, "a", Some("y")));
        let index = |call: Option<PendingCall>| call.map(|call| call.index);
        assert_eq!(index(pending.answer(Some("y"), None)), Some(3));
        assert_eq!(index(pending.answer(Some("y"), None)), None);
        assert_eq!(index(pending.answer(None, Some("b"))), Some(1));
        assert_eq!(index(pending.answer(None, None)), Some(0));
        assert_eq!(index(pending.answer(None, Some("a"))), Some(2));
        assert_eq!(index(pending.answer(None, None)), None);
    }

    #[test]
    fn a_host_that_never_reports_results_uses_bounded_memory() {
        let mut pending = Pending::default();
        for index in 0..10_000 {
            pending.push(pending_call(index, "a", None));
        }
        assert!(pending.calls.len() <= MAX_PENDING);
        let oldest = pending.answer(None, None).map(|call| call.index);
        assert!(oldest.is_some_and(|index| (10_000 - 256..=10_000 - 128).contains(&index)));
    }
}
