//! What a result is the same as, and what it is as evidence.

use super::error_signature::ErrorLines;
use super::failure::{TestOutcome, begins_with_error, exit_code_failed, test_outcome};
use super::output_signals;
use super::phrases::ACKNOWLEDGEMENTS;
use crate::call::Fingerprint;
use crate::event::ToolResult;
use crate::hash;
use crate::normalize::{Source, normalized_hash};
use crate::tools::Effect;
use serde::{Deserialize, Serialize};

/// What a result is as evidence that nothing comes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Evidence {
    /// It tells something.
    Informative,
    /// "ok", "done", nothing at all: it says that something was done, not what.
    Acknowledgement,
    /// "pending", "running": what the call asks for has not happened yet.
    Waiting,
    /// The service was busy or away. That is not the agent's fault.
    Infrastructure,
    /// It is not known what came of the call.
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
    /// What the error is the same as, whatever it was about; 0 if there is none.
    pub error: u64,
}

/// The reply to a call where the host reports none.
pub(crate) const NO_RESULTS: ClassifiedResult =
    ClassifiedResult { hash: 0, failed: false, evidence: Evidence::NoResults, error: 0 };

/// Longer texts say more than "ok".
const SHORT: usize = 64;

/// Longer texts say more than how far something is.
const BRIEF: usize = 256;

/// Reads the result of a call; and the line that tells what went wrong, if something did.
pub(crate) fn read<'o>(
    fingerprint: &Fingerprint,
    result: &ToolResult<'o>,
) -> (ClassifiedResult, &'o str) {
    let Some(output) = result.output else {
        // A failure is known even without its text.
        let failed = result.ok == Some(false);
        let evidence = if failed { Evidence::Informative } else { Evidence::Unknown };
        return (ClassifiedResult { hash: u64::from(failed), failed, evidence, error: 0 }, "");
    };
    let failed = failed(fingerprint, result.ok, output);
    let mut reply = ClassifiedResult {
        hash: hash::pair(normalized_hash(output, Source::Output), u64::from(failed)),
        failed,
        evidence: Evidence::Informative,
        error: 0,
    };
    if failed {
        let told = ErrorLines::of(output);
        reply.error = told.signature();
        if told.blames_infrastructure() {
            reply.evidence = Evidence::Infrastructure;
        }
        return (reply, told.line());
    }
    if acknowledges(fingerprint, output) {
        reply.evidence = Evidence::Acknowledgement;
    } else if fingerprint.intent.is_polling
        || (output.len() <= BRIEF && output_signals::says_still_waiting(output))
    {
        reply.evidence = Evidence::Waiting;
    }
    (reply, "")
}

/// Whether the call failed; where the host does not say, by what it printed.
fn failed(fingerprint: &Fingerprint, ok: Option<bool>, output: &str) -> bool {
    match ok {
        Some(false) => true,
        _ if fingerprint.runs_tests => test_outcome(output) == TestOutcome::Failed,
        Some(true) => false,
        None if fingerprint.is_shell => exit_code_failed(output),
        None => begins_with_error(output),
    }
}

/// Looking finds nothing, and commands run silently: there an empty result tells
/// something. What an editor prints when it worked tells nothing, however long.
fn acknowledges(fingerprint: &Fingerprint, output: &str) -> bool {
    match fingerprint.intent.effect {
        Effect::Write => !fingerprint.is_shell || ErrorLines::of(output).line().is_empty(),
        Effect::Read => false,
        Effect::Execute if fingerprint.is_shell || fingerprint.runs_tests => false,
        Effect::Execute => {
            let text = output.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            output.len() <= SHORT
                && ACKNOWLEDGEMENTS.iter().any(|known| text.eq_ignore_ascii_case(known))
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

    fn reply(fingerprint: &Fingerprint, ok: Option<bool>, output: &str) -> ClassifiedResult {
        read(fingerprint, &ToolResult { ok, output: Some(output), ..ToolResult::default() }).0
    }

    #[test]
    fn evidence_of_results() {
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
                reply(fingerprint, ok, output).evidence,
                evidence,
                "{output} {ok:?} {fingerprint:?}"
            );
        }
    }

    #[test]
    fn whether_it_failed() {
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
            assert_eq!(reply(fingerprint, ok, output).failed, failed, "{output} {ok:?}");
        }
    }

    #[test]
    fn a_failure_is_not_the_same_as_a_success_that_says_the_same() {
        let tool = call(Effect::Execute, false, false);
        let one = reply(&tool, Some(true), "3 items");
        assert_eq!(one.hash, reply(&tool, None, " 3 items\n").hash);
        assert_ne!(one.hash, reply(&tool, Some(false), "3 items").hash);
        assert_ne!(one.hash, reply(&tool, Some(true), "4 items").hash);
        let silent = ToolResult { ok: Some(false), ..ToolResult::default() };
        assert_ne!(read(&tool, &silent).0.hash, read(&tool, &ToolResult::default()).0.hash);
        assert_ne!(read(&tool, &silent).0.hash, reply(&tool, Some(false), "").hash);
    }
}
