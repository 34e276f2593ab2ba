//! The words and phrases that outputs are searched for. Data only, all in lower case.

use crate::phrase_set::PhraseSet;

/// Phrases in lines that mention an error.
pub(super) static ERROR_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "cannot",
    "can't",
    "could not",
    "denied",
    "did not",
    "error",
    "exception",
    "failed",
    "failure",
    "fatal",
    "invalid",
    "missing",
    "no replacement",
    "no such",
    "not allowed",
    "not found",
    "refused",
    "unable",
    "unknown",
    "unrecognized",
]);

/// Phrases in the output of a successful run that reports problems.
pub(super) static PROBLEM_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "denied",
    "did not",
    "error",
    "exception",
    "expected",
    "fail",
    "incorrect",
    "traceback",
    "warning",
]);

/// Beginnings of words and phrases that say that something is wrong or cannot be done.
pub(super) static COMPLAINTS: PhraseSet = PhraseSet::ignoring_case(&[
    "aborted",
    "blocked",
    "cannot",
    "closed",
    "could not",
    "denied",
    "error:",
    "exception",
    "expired",
    "failed to",
    "failed:",
    "fatal",
    "forbidden",
    "invalid",
    "locked",
    "no effect",
    "not allowed",
    "not found",
    "refused",
    "rejected",
    "traceback",
    "unable",
    "unauthorized",
    "unavailable",
    "unreachable",
    "warning:",
]);

/// Phrases in lines that report zero problems.
pub(super) static NO_PROBLEM_PHRASES: PhraseSet =
    PhraseSet::ignoring_case(&["0 error", "0 fail", "no error"]);

/// Words that say that the call achieved or found nothing.
pub(super) const NEGATIVE_WORDS: &[&str] = &[
    "already",
    "doesn't",
    "don't",
    "empty",
    "incorrect",
    "isn't",
    "never",
    "no",
    "none",
    "not",
    "nothing",
    "null",
    "wasn't",
    "without",
    "wrong",
];

/// States of something that has not happened yet, as the value of a field or as the
/// whole answer.
pub(super) const PENDING_STATES: &[&str] = &[
    "building",
    "creating",
    "deploying",
    "in progress",
    "in-progress",
    "in_progress",
    "initializing",
    "not ready",
    "not started",
    "pending",
    "processing",
    "provisioning",
    "queued",
    "running",
    "scheduled",
    "starting",
    "updating",
    "waiting",
];

/// States of something that will no longer happen.
pub(super) const BAD_STATES: &[&str] =
    &["aborted", "crashed", "dead", "error", "exited", "failed", "killed", "terminated"];

/// Phrases in sentences that say that something has not happened yet.
pub(super) static PENDING_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    " in progress",
    "0 new ",
    "_in_progress",
    "again later",
    "back later",
    "no new ",
    "are still ",
    "is running",
    "is still ",
    "not ready",
    "not yet",
    "process running",
    "still running",
    "still waiting",
    "waiting for",
]);

/// Beginnings of results that hosts make in place of the tool: a sibling of the call
/// failed, or a person or a rule refused it.
pub(super) static HOST_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "aborted by user",
    "cancelled",
    "canceled",
    "command rejected by user",
    "denied by",
    "exec command rejected",
    "interrupted by user",
    "not executed",
    "operation cancelled",
    "operation canceled",
    "permission denied by user",
    "permission to use",
    "request interrupted by user",
    "sibling tool call",
    "skipped",
    "the user denied",
    "the user doesn't want",
    "the user has denied",
    "the user rejected",
    "tool call was cancelled",
    "tool execution was cancelled",
    "tool use was rejected",
    "user cancelled",
    "user canceled",
    "user declined",
    "user denied",
    "user rejected",
]);

/// Phrases in errors of services that are busy or unreachable.
pub(super) static INFRASTRUCTURE_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "bad gateway",
    "connection refused",
    "connection reset",
    "could not resolve host",
    "eai_again",
    "econnrefused",
    "econnreset",
    "etimedout",
    "name or service not known",
    "network is unreachable",
    "no route to host",
    "overloaded",
    "rate limit",
    "ratelimit",
    "service unavailable",
    "temporarily unavailable",
    "temporary failure",
    "timed out",
    "timeout",
    "too many requests",
]);

/// Phrases in errors about a missing file or folder, or another thing that is named.
pub(super) static MISSING_FILE_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "404 not found",
    "cannot find the file",
    "cannot find the path",
    "code 404",
    "directory not found",
    "does not exist",
    "doesn't exist",
    "enoent",
    "file not found",
    "filenotfound",
    "http 404",
    "no such file",
    "not a directory",
    "path not found",
]);

/// Phrases in errors about a missing command or module.
pub(super) static MISSING_PROGRAM_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "cannot find module",
    "cannot find package",
    "command not found",
    "executable file not found",
    "is not recognized as",
    "module not found",
    "modulenotfound",
    "no module named",
    "not installed",
]);

/// Phrases in errors about denied access.
pub(super) static DENIED_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "access denied",
    "eacces",
    "forbidden",
    "not allowed",
    "not authorized",
    "operation not permitted",
    "permission denied",
    "unauthorized",
]);

/// Words for a tool in errors about an unknown tool.
pub(super) static TOOL_WORDS: PhraseSet = PhraseSet::ignoring_case(&["function", "tool"]);

/// Words that say that something was done: as whole results, and in short ones.
pub(super) const ACKNOWLEDGEMENTS: &[&str] = &[
    "accepted",
    "added",
    "applied",
    "clicked",
    "completed",
    "created",
    "deleted",
    "done",
    "executed",
    "has been",
    "moved",
    "none",
    "ok",
    "okay",
    "ok\":true",
    "pressed",
    "saved",
    "scrolled",
    "sent",
    "set",
    "status\":\"ok",
    "submitted",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "success\":true",
    "true",
    "updated",
];

/// Returns whether the line begins with a phrase, in any case.
pub(super) fn starts_with_ignoring_case(line: &str, phrase: &str) -> bool {
    let start = line.as_bytes().get(..phrase.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(phrase.as_bytes()))
}
