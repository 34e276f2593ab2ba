//! Calls that wait for their results. Bounded: a host that never reports
//! results costs no memory. When there are too many, the older half is given up
//! at once, so that waiting costs next to nothing per call.

use crate::call::{Fingerprint, Intent};
use crate::hash;
use crate::snapshot::codec::{Reader, Writer};
use crate::vec_ext;
use alloc::vec::Vec;

/// Half of it is more than any model calls in parallel.
const CAPACITY: usize = 256;

/// One unanswered call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub id: Option<u64>,
    pub index: u64,
    pub fingerprint: Fingerprint,
    /// No pattern looks at it.
    pub exempt: bool,
    /// The same call stands earlier in its turn: one round, one count.
    pub duplicate_in_turn: bool,
    /// It was refused: its result is ours.
    pub refused: bool,
}

/// The unanswered calls, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Pending {
    calls: Vec<Waiting>,
}

impl Pending {
    pub fn push(&mut self, call: Waiting) {
        if self.calls.len() >= CAPACITY {
            vec_ext::remove(&mut self.calls, 0, CAPACITY / 2);
        }
        self.calls.push(call);
    }

    /// The newest call was refused, or even given up: then no result is expected.
    pub fn refuse_newest(&mut self, given_up: bool) -> Option<Fingerprint> {
        let newest = self.calls.last_mut()?;
        newest.refused = true;
        let fingerprint = newest.fingerprint;
        if given_up {
            self.calls.pop();
        }
        Some(fingerprint)
    }

    /// Takes out the call a result belongs to: the one with its id; without an
    /// id the oldest, of that name if a name is given.
    pub fn answer(&mut self, id: Option<&str>, name: Option<&str>) -> Option<Waiting> {
        let wanted_id = id.map(|id| hash::bytes(id.as_bytes()));
        let wanted_tool = name.map(|name| hash::bytes(name.as_bytes()));
        let at = self.calls.iter().position(|call| match (wanted_id, wanted_tool) {
            (Some(id), _) => call.id == Some(id),
            (None, Some(tool)) => call.fingerprint.tool == tool,
            (None, None) => true,
        })?;
        let found = self.calls.get(at).copied();
        vec_ext::remove(&mut self.calls, at, 1);
        found
    }

    pub fn save(&self, out: &mut Writer) {
        out.length(self.calls.len());
        for call in &self.calls {
            out.maybe(call.id);
            out.count(call.index);
            let fingerprint = &call.fingerprint;
            [fingerprint.tool, fingerprint.exact, fingerprint.fuzzy]
                .into_iter()
                .for_each(|hash| out.hash(hash));
            let flags = [
                fingerprint.is_shell,
                fingerprint.runs_tests,
                fingerprint.is_file_command,
                call.exempt,
                call.duplicate_in_turn,
                call.refused,
            ];
            flags.into_iter().for_each(|flag| out.flag(flag));
            // Where no pattern looks at results, there is none.
            let intent = fingerprint.intent != Intent::default();
            out.flag(intent);
            if intent {
                fingerprint.intent.save(out);
            }
        }
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        let mut pending = Self::default();
        for _ in 0..from.length(CAPACITY) {
            let mut call = Waiting {
                id: from.maybe(),
                index: from.count(),
                fingerprint: Fingerprint {
                    tool: from.hash(),
                    exact: from.hash(),
                    fuzzy: from.hash(),
                    is_shell: from.flag(),
                    runs_tests: from.flag(),
                    is_file_command: from.flag(),
                    intent: Intent::default(),
                },
                exempt: from.flag(),
                duplicate_in_turn: from.flag(),
                refused: from.flag(),
            };
            if from.flag() {
                call.fingerprint.intent = Intent::load(from)?;
            }
            pending.push(call);
        }
        Some(pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(index: u64, tool: &str, id: Option<&str>) -> Waiting {
        Waiting {
            id: id.map(|id| hash::bytes(id.as_bytes())),
            index,
            fingerprint: Fingerprint {
                tool: hash::bytes(tool.as_bytes()),
                exact: 0,
                fuzzy: 0,
                is_shell: false,
                runs_tests: false,
                is_file_command: false,
                intent: Intent::default(),
            },
            exempt: false,
            duplicate_in_turn: false,
            refused: false,
        }
    }

    #[test]
    fn results_find_their_calls() {
        let mut pending = Pending::default();
        pending.push(waiting(0, "a", Some("x")));
        pending.push(waiting(1, "b", None));
        pending.push(waiting(2, "a", None));
        pending.push(waiting(3, "a", Some("y")));
        let index = |call: Option<Waiting>| call.map(|call| call.index);
        assert_eq!(index(pending.answer(Some("y"), None)), Some(3));
        assert_eq!(index(pending.answer(Some("y"), None)), None);
        assert_eq!(index(pending.answer(None, Some("b"))), Some(1));
        assert_eq!(index(pending.answer(None, None)), Some(0));
        assert_eq!(index(pending.answer(None, Some("a"))), Some(2));
        assert_eq!(index(pending.answer(None, None)), None);
    }

    #[test]
    fn a_host_that_never_answers_costs_no_memory() {
        let mut pending = Pending::default();
        for index in 0..10_000 {
            pending.push(waiting(index, "a", None));
        }
        assert!(pending.calls.len() <= CAPACITY);
        let oldest = pending.answer(None, None).map(|call| call.index);
        assert!(oldest.is_some_and(|index| (10_000 - 256..=10_000 - 128).contains(&index)));
    }
}
