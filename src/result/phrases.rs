//! The words and phrases by which outputs are understood. Data, all in lower case.

use crate::phrase_set::PhraseSet;

/// What a line says that mentions an error.
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

/// What the output of a successful run says when it reports problems nevertheless.
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

/// Beginnings of words and phrases that say that something cannot be done.
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

/// What a line says that counts problems and finds none.
pub(super) static NO_PROBLEM_PHRASES: PhraseSet =
    PhraseSet::ignoring_case(&["0 error", "0 fail", "no error"]);

/// Words of a result that says that the call achieved or found nothing.
pub(super) static NEGATIVE_WORDS: PhraseSet = PhraseSet::ignoring_case(&[
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
]);

/// States of something that has not happened yet, as the value of a field or as the
/// whole answer.
pub(super) static PENDING_STATES: PhraseSet = PhraseSet::ignoring_case(&[
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
]);

/// States of something that will not happen any more.
pub(super) static BAD_STATES: PhraseSet = PhraseSet::ignoring_case(&[
    "aborted",
    "crashed",
    "dead",
    "error",
    "exited",
    "failed",
    "killed",
    "terminated",
]);

/// Phrases that say the same in a sentence.
pub(super) static PENDING_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    " in progress",
    "_in_progress",
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

/// What hosts answer in place of a tool, at the beginning: a sibling of the call
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

/// What an error says when a service is busy or not reachable.
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

/// HTTP status codes that say the same.
pub(super) const BUSY_CODES: &[&str] = &["429", "502", "503", "504", "529"];

/// Words that say that something was done: as whole results, and in short ones.
pub(super) static ACKNOWLEDGEMENTS: PhraseSet = PhraseSet::ignoring_case(&[
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
]);

/// Whether the line begins with a phrase, in any case.
pub(super) fn starts_with_ignoring_case(line: &str, phrase: &str) -> bool {
    let start = line.as_bytes().get(..phrase.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(phrase.as_bytes()))
}
