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

/// What a short result says while something has not happened yet.
pub(super) static PENDING_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "building",
    "deploying",
    "in progress",
    "in_progress",
    "not ready",
    "pending",
    "processing",
    "provisioning",
    "queued",
    "running",
    "starting",
    "waiting",
]);

/// What an error says when a service is busy or not reachable.
pub(super) static INFRASTRUCTURE_PHRASES: PhraseSet = PhraseSet::ignoring_case(&[
    "bad gateway",
    "connection refused",
    "connection reset",
    "eai_again",
    "econnrefused",
    "econnreset",
    "etimedout",
    "network is unreachable",
    "overloaded",
    "rate limit",
    "ratelimit",
    "service unavailable",
    "temporarily unavailable",
    "timed out",
    "timeout",
    "too many requests",
]);

/// HTTP status codes that say the same.
pub(super) const BUSY_CODES: &[&str] = &["429", "502", "503", "504", "529"];

/// Whole results that only say that something was done.
pub(super) static ACKNOWLEDGEMENTS: PhraseSet = PhraseSet::ignoring_case(&[
    "completed",
    "created",
    "deleted",
    "done",
    "none",
    "null",
    "ok",
    "okay",
    "ok\":true",
    "saved",
    "sent",
    "status\":\"ok",
    "succeeded",
    "success",
    "successful",
    "success\":true",
    "true",
    "undefined",
    "updated",
]);

/// Whether the line begins with a phrase, in any case.
pub(super) fn starts_with_ignoring_case(line: &str, phrase: &str) -> bool {
    let start = line.as_bytes().get(..phrase.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(phrase.as_bytes()))
}
