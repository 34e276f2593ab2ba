//! Classifies a result: whether it failed, which results are the same, and what kind
//! of evidence it is.

use super::error_signature::ErrorLines;
use super::failure::failed;
use super::output_signals::is_still_pending;
use super::phrases::ACKNOWLEDGEMENTS;
use crate::call::Fingerprint;
use crate::event::ToolResult;
use crate::hash;
use crate::normalize::{Source, normalized_hash};
use crate::tools::Effect;
use serde::{Deserialize, Serialize};

/// What kind of evidence a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Evidence {
    /// It says something about what the call found or did.
    Informative,
    /// "ok", "done", or nothing: it says that something was done, not what.
    Acknowledgement,
    /// "pending", "running": what the call asks for has not happened yet.
    Waiting,
    /// The service was busy or not reachable, which is not the agent's fault.
    Infrastructure,
    /// The host did not report what the call returned.
    Unknown,
    /// The host has not reported a single result: only calls are known.
    NoResults,
}

/// A result, as patterns see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassifiedResult {
    /// Equal for results that differ in nothing but volatile tokens.
    pub hash: u64,
    pub failed: bool,
    pub evidence: Evidence,
    /// The signature of the error; 0 if the call did not fail or has no output.
    pub error: u64,
}

/// The result of a call where the host reports none.
pub(crate) const NO_RESULTS: ClassifiedResult =
    ClassifiedResult { hash: 0, failed: false, evidence: Evidence::NoResults, error: 0 };

/// The longest output that can be an acknowledgement.
const MAX_ACKNOWLEDGEMENT: usize = 64;

/// The longest output that can say that something is still pending.
const MAX_PENDING: usize = 256;

/// Classifies the result of a call. Also returns the line that says what went wrong;
/// it is empty if the call did not fail.
pub(crate) fn classify_result<'o>(
    fingerprint: &Fingerprint,
    result: &ToolResult<'o>,
) -> (ClassifiedResult, &'o str) {
    let failed = failed(fingerprint, result);
    let Some(output) = result.output else {
        // A failure is evidence even without its output.
        let evidence = if failed { Evidence::Informative } else { Evidence::Unknown };
        return (ClassifiedResult { hash: u64::from(failed), failed, evidence, error: 0 }, "");
    };
    let mut classified = ClassifiedResult {
        hash: hash::pair(normalized_hash(output, Source::Output), u64::from(failed)),
        failed,
        evidence: Evidence::Informative,
        error: 0,
    };
    if failed {
        let lines = ErrorLines::find(output);
        classified.error = lines.signature();
        if lines.is_infrastructure_error() {
            classified.evidence = Evidence::Infrastructure;
        }
        return (classified, lines.line());
    }
    if is_acknowledgement(fingerprint, output) {
        classified.evidence = Evidence::Acknowledgement;
    } else if fingerprint.intent.is_polling
        || (output.len() <= MAX_PENDING && is_still_pending(output))
    {
        classified.evidence = Evidence::Waiting;
    }
    (classified, "")
}

/// Whether the output only says that something was done. What an editor prints after
/// a successful edit is no more than that, however long. Reads and shell commands
/// are different: that they print nothing is information.
fn is_acknowledgement(fingerprint: &Fingerprint, output: &str) -> bool {
    match fingerprint.intent.effect {
        Effect::Write => !fingerprint.is_shell || ErrorLines::find(output).line().is_empty(),
        Effect::Read => false,
        Effect::Execute if fingerprint.is_shell || fingerprint.runs_tests => false,
        Effect::Execute => {
            let text = output.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            output.len() <= MAX_ACKNOWLEDGEMENT
                && (text.is_empty() || ACKNOWLEDGEMENTS.contains(text.as_bytes()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Intent;

    fn call(effect: Effect, is_shell: bool, runs_tests: bool) -> Fingerprint {
        let intent = Intent { effect, ..Intent::default() };
        Fingerprint {
            tool: 0,
            exact: 0,
            fuzzy: 0,
            is_shell,
            runs_tests,
            is_file_command: false,
            intent,
        }
    }

    fn classify(fingerprint: &Fingerprint, ok: Option<bool>, output: &str) -> ClassifiedResult {
        classify_result(
            fingerprint,
            &ToolResult { ok, output: Some(output), ..ToolResult::default() },
        )
        .0
    }

    #[test]
    fn classifies_the_evidence() {
        let look = call(Effect::Read, false, false);
        let edit = call(Effect::Write, false, false);
        let shell = call(Effect::Execute, true, false);
        let shell_edit = call(Effect::Write, true, false);
        let tool = call(Effect::Execute, false, false);
        let tests = call(Effect::Execute, true, true);
        for (fingerprint, ok, output, evidence) in [
            (&look, None, "", Evidence::Informative),
            (&look, None, "ok", Evidence::Informative),
            (
                &edit,
                None,
                "The file a.ts has been edited. Here is a snippet",
                Evidence::Acknowledgement,
            ),
            (&edit, Some(false), "No replacement was performed", Evidence::Informative),
            (&edit, None, "Error: no match", Evidence::Informative),
            (&shell, Some(true), "", Evidence::Informative),
            (&shell, Some(true), "ok", Evidence::Informative),
            (&shell_edit, Some(true), "", Evidence::Acknowledgement),
            (&shell_edit, Some(true), "<returncode>0</returncode>", Evidence::Acknowledgement),
            (&shell_edit, Some(true), "Successfully installed x", Evidence::Informative),
            (&tool, None, "ok", Evidence::Acknowledgement),
            (&tool, None, "Done.", Evidence::Acknowledgement),
            (&tool, None, "{\"ok\":true}", Evidence::Acknowledgement),
            (&tool, None, "null", Evidence::Acknowledgement),
            (&tool, None, "sent to 3 people", Evidence::Informative),
            (&tool, Some(false), "ok", Evidence::Informative),
            (&tool, Some(false), "HTTP 429 Too Many Requests", Evidence::Infrastructure),
            (&tool, Some(true), "HTTP 429 Too Many Requests", Evidence::Informative),
            (&shell, None, "curl: (7) Connection refused\nexit code: 7", Evidence::Infrastructure),
            (&tests, Some(true), "1 failed, 2 passed", Evidence::Informative),
        ] {
            assert_eq!(
                classify(fingerprint, ok, output).evidence,
                evidence,
                "{output} {ok:?} {fingerprint:?}"
            );
        }
    }

    #[test]
    fn decides_whether_it_failed() {
        let shell = call(Effect::Execute, true, false);
        let tool = call(Effect::Execute, false, false);
        let tests = call(Effect::Execute, true, true);
        for (fingerprint, ok, output, failed) in [
            (&shell, None, "x: command not found\nexit code: 127", true),
            (&shell, None, "error: but nobody says so", false),
            (&shell, Some(true), "exit code: 1", false),
            (&tool, None, "Error: bad", true),
            (&tool, None, "{\"error\":\"bad\"}", true),
            (&tool, None, "no error at all", false),
            (&tests, Some(true), "1 failed, 2 passed in 0.1s", true),
            (&tests, None, "3 passed in 0.1s", false),
        ] {
            assert_eq!(classify(fingerprint, ok, output).failed, failed, "{output} {ok:?}");
        }
    }

    #[test]
    fn a_failure_is_not_the_same_as_a_success_that_says_the_same() {
        let tool = call(Effect::Execute, false, false);
        let one = classify(&tool, Some(true), "3 items");
        assert_eq!(one.hash, classify(&tool, None, " 3 items\n").hash);
        assert_ne!(one.hash, classify(&tool, Some(false), "3 items").hash);
        assert_ne!(one.hash, classify(&tool, Some(true), "4 items").hash);
        let silent = ToolResult { ok: Some(false), ..ToolResult::default() };
        assert_ne!(
            classify_result(&tool, &silent).0.hash,
            classify_result(&tool, &ToolResult::default()).0.hash
        );
        assert_ne!(classify_result(&tool, &silent).0.hash, classify(&tool, Some(false), "").hash);
    }
}
