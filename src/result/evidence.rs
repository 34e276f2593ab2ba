//! What kind of evidence a result is, and what kind of evidence its repetition is.

use crate::named::named;

named! {
    /// What kind of evidence a result is.
    #[non_exhaustive]
    Evidence {
        /// It says what the call found or did.
        Informative = "informative",
        /// It confirms that something was done, and says no more than the call did.
        Acknowledgement = "acknowledgement",
        /// It says nothing: no text, an empty list, `null`.
        Empty = "empty",
        /// "pending", "running": what the call asks for has not happened yet.
        Waiting = "waiting",
        /// The service was busy or unreachable, which is not the agent's fault.
        Infrastructure = "unavailable",
        /// The host made it, not the tool: cancelled, rejected, denied.
        HostMade = "host-made",
        /// The host did not report what the call returned.
        Unknown = "unknown",
        /// The host has not reported a single result: only calls are known.
        NoResults = "no-results",
    }
}

named! {
    /// What kind of evidence a loop is, from the strongest to the weakest. Each kind allows
    /// actions up to a limit; those of the default preset are in `config`.
    #[non_exhaustive]
    EvidenceClass {
        /// The same call failing the same way, the same read or search with the same
        /// result, a cycle of such calls, edits that undo one another, text that repeats.
        Proven = "proven",
        /// The same edit again, one error over varying arguments of one target, nearly
        /// equal calls that reveal nothing new, many equal calls in one turn.
        Duplicate = "duplicate",
        /// Calls whose results the host does not report.
        CallsOnly = "calls-only",
        /// An execution that succeeds and prints the same bytes many times in a row with
        /// nothing in between.
        IdenticalExecution = "identical-execution",
        /// An execution that succeeds and prints the same: a passing test, a build, a
        /// status command.
        Execution = "execution",
        /// Different edits with the same failing check.
        Check = "check",
        /// Different targets with the same negative or constant answer.
        Sweep = "sweep",
        /// Waiting and polling; services that are busy or unreachable.
        Waiting = "waiting",
        /// Short successes that say no more than the call did.
        Acknowledgement = "acknowledgement",
    }
}
