//! What kind of evidence a result is, and what kind of evidence its repetition is.

use crate::named::named;
use serde::{Deserialize, Serialize};

/// What kind of evidence a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Evidence {
    /// It says something about what the call found or did.
    Informative,
    /// It says that something was done, and no more than the call itself said.
    Acknowledgement,
    /// It says nothing: no text, an empty list, `null`.
    Empty,
    /// "pending", "running": what the call asks for has not happened yet.
    Waiting,
    /// The service was busy or not reachable, which is not the agent's fault.
    Infrastructure,
    /// The host made it, not the tool: cancelled, rejected, denied.
    HostMade,
    /// The host did not report what the call returned.
    Unknown,
    /// The host has not reported a single result: only calls are known.
    NoResults,
}

named! {
    /// What kind of evidence a loop is, from the strongest to the weakest. Each kind has
    /// a hardest action; the default preset's are in `config`.
    #[non_exhaustive]
    EvidenceClass {
        /// The same call failing the same way, the same read or search with the same
        /// result, a cycle of such calls, edits that undo one another, text that repeats.
        Proven = "proven",
        /// The same edit again, one error over varying arguments of one target, calls
        /// that are nearly the same and tell nothing new, many equal calls in one turn.
        Duplicate = "duplicate",
        /// Calls whose results the host does not report.
        CallsOnly = "calls-only",
        /// An execution that works and prints the same, byte by byte, many times in a row
        /// with nothing in between.
        IdenticalExecution = "identical-execution",
        /// An execution that works and prints the same: a passing test, a build, a
        /// status command.
        Execution = "execution",
        /// Different edits with the same failing check.
        Check = "check",
        /// Different targets with the same negative or constant answer.
        Sweep = "sweep",
        /// Waiting and polling; services that are busy or not reachable.
        Waiting = "waiting",
        /// Short successes that say no more than the call did.
        Acknowledgement = "acknowledgement",
    }
}
