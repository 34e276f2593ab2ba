//! The words by which outputs are understood. Data only; all in small letters.

/// What a line that speaks of an error says.
pub(super) const ERROR_WORDS: &[&str] = &[
    "error",
    "exception",
    "not found",
    "no such",
    "cannot",
    "can't",
    "could not",
    "unable",
    "failed",
    "failure",
    "invalid",
    "denied",
    "refused",
    "unknown",
    "not allowed",
    "did not",
    "no replacement",
    "missing",
    "unrecognized",
    "fatal",
];

/// What a run that worked can complain of nevertheless.
pub(super) const COMPLAINTS: &[&str] = &[
    "error",
    "warning",
    "fail",
    "expected",
    "traceback",
    "exception",
    "denied",
    "did not",
    "incorrect",
];

/// What an answer says that nothing came of.
pub(super) const VAIN_WORDS: &[&str] = &[
    "no",
    "not",
    "none",
    "nothing",
    "null",
    "never",
    "without",
    "wrong",
    "incorrect",
    "empty",
    "already",
    "doesn't",
    "don't",
    "isn't",
    "wasn't",
];

/// What has not happened yet.
pub(super) const WAITING: &[&str] = &[
    "pending",
    "running",
    "queued",
    "waiting",
    "in progress",
    "in_progress",
    "not ready",
    "processing",
    "starting",
    "deploying",
    "building",
    "provisioning",
];

/// What a service says that is busy or away, or what is said of it.
pub(super) const INFRASTRUCTURE: &[&str] = &[
    "rate limit",
    "ratelimit",
    "too many requests",
    "timed out",
    "timeout",
    "connection refused",
    "connection reset",
    "econnrefused",
    "econnreset",
    "etimedout",
    "eai_again",
    "temporarily unavailable",
    "service unavailable",
    "bad gateway",
    "overloaded",
    "network is unreachable",
];

/// The same in numbers.
pub(super) const BUSY_CODES: &[&str] = &["429", "502", "503", "504", "529"];

/// Whole answers that only say that something was done.
pub(super) const ACKNOWLEDGEMENTS: &[&str] = &[
    "",
    "ok",
    "okay",
    "done",
    "success",
    "successful",
    "succeeded",
    "true",
    "null",
    "none",
    "undefined",
    "sent",
    "saved",
    "updated",
    "created",
    "deleted",
    "completed",
    "status\":\"ok",
    "ok\":true",
    "success\":true",
];
