//! Classifies a result: whether it failed, which results are the same, and what kind
//! of evidence it is.

use super::envelope::unwrap_output;
use super::error_signature::ErrorLines;
use super::evidence::Evidence;
use super::failure::{begins_with_program, count_problems, failed};
use super::output_signals::{is_complaint, is_negative_result, is_still_pending, reports_problems};
use super::phrases::{ACKNOWLEDGEMENTS, HOST_PHRASES};
use crate::call::Fingerprint;
use crate::event::ToolResult;
use crate::hash;
use crate::normalize::{Numbers, Source, normalized_hash, words_hash};
use crate::tools::Effect;
use memchr::memchr2_iter;

/// A result, as patterns see it. Results are compared in layers, by ever less of
/// what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassifiedResult {
    /// Equal for results that are the same byte by byte.
    pub exact: u64,
    /// Equal for results that differ in nothing but volatile tokens.
    pub hash: u64,
    /// Equal for results with the same words, however ids and numbers differ. Only for
    /// failures and complaints, and for acknowledgements, where plain numbers count;
    /// otherwise 0.
    pub words: u64,
    /// How many problems a failure counts, if it does.
    pub problems: Option<u64>,
    /// The signature of the error; 0 if the call did not fail or has no output.
    pub error: u64,
    pub failed: bool,
    /// A success of moderate length that says that something is wrong.
    pub complains: bool,
    /// A success of moderate length that says that there is nothing.
    pub is_negative: bool,
    pub evidence: Evidence,
}

/// The result of a call where the host reports none.
pub(crate) const NO_RESULTS: ClassifiedResult = ClassifiedResult {
    exact: 0,
    hash: 0,
    words: 0,
    problems: None,
    error: 0,
    failed: false,
    complains: false,
    is_negative: false,
    evidence: Evidence::NoResults,
};

/// The longest output that can be an acknowledgement.
const MAX_ACKNOWLEDGEMENT: usize = 160;

/// How many words an acknowledgement may have that the call does not have.
const MAX_OWN_WORDS: usize = 4;

/// With more words than this it says something, however many the call has.
const MAX_WORDS: usize = 8;

/// The longest output that can say that something is still pending; and that of a call
/// that asks for it.
const MAX_PENDING: usize = 512;
const MAX_POLLED: usize = 4096;

/// The call that a result belongs to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CalledTool<'c> {
    pub name: &'c str,
    /// The beginning of its arguments.
    pub args: &'c str,
    /// The same call was answered before. Otherwise some of what only matters for repeats
    /// is not looked for, since that takes time.
    pub is_repeat: bool,
}

/// A result with the parts of its output that matter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadResult<'o> {
    pub result: ClassifiedResult,
    /// The output without what the host put around it; empty if it is not known.
    pub body: &'o str,
    /// The line that says what went wrong; empty if the call did not fail.
    pub error_line: &'o str,
}

/// Classifies the result of a call.
pub(crate) fn classify_result<'o>(
    fingerprint: &Fingerprint,
    called: CalledTool<'_>,
    result: &ToolResult<'o>,
) -> ReadResult<'o> {
    let failed = failed(fingerprint, result);
    let Some(output) = result.output else {
        // A failure is evidence even without its output.
        let evidence = if failed { Evidence::Informative } else { Evidence::Unknown };
        let hash = u64::from(failed);
        let result = ClassifiedResult { exact: hash, hash, failed, evidence, ..NO_RESULTS };
        return ReadResult { result, body: "", error_line: "" };
    };
    let tag = |hash| hash::pair(hash, u64::from(failed));
    let body = unwrap_output(output);
    let mut classified = ClassifiedResult {
        exact: tag(hash::bytes(body.as_bytes())),
        hash: tag(normalized_hash(body, Source::Output)),
        failed,
        evidence: Evidence::Informative,
        ..NO_RESULTS
    };
    let mut error_line = "";
    if is_host_made(result.ok, output) {
        classified.evidence = Evidence::HostMade;
    } else if failed {
        let lines = ErrorLines::find(body);
        classified.error = lines.signature();
        if called.is_repeat {
            classified.words = tag(words_hash(body, Numbers::Dropped));
            classified.problems = count_problems(body);
        }
        if lines.is_infrastructure_error() {
            classified.evidence = Evidence::Infrastructure;
        }
        error_line = lines.line();
    } else {
        classified.evidence = evidence_of_success(fingerprint, called, body);
        let is_inspected = called.is_repeat && body.len() <= MAX_POLLED;
        classified.complains = is_inspected && is_complaint(body);
        if classified.evidence == Evidence::Acknowledgement {
            classified.words = tag(words_hash(body, Numbers::Kept));
        } else if classified.complains {
            classified.words = tag(words_hash(body, Numbers::Dropped));
            classified.problems = count_problems(body);
        }
        classified.is_negative = is_inspected && is_negative_result(body);
    }
    ReadResult { result: classified, body, error_line }
}

/// Whether the host answered in place of the tool. What a tool returned when it
/// worked is its own, whatever it says.
fn is_host_made(ok: Option<bool>, output: &str) -> bool {
    if ok == Some(true) {
        return false;
    }
    let start = output.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let start = start.strip_prefix("tool_use_error>").unwrap_or(start);
    HOST_PHRASES.begins(start.as_bytes())
}

fn evidence_of_success(
    fingerprint: &Fingerprint,
    called: CalledTool<'_>,
    output: &str,
) -> Evidence {
    let intent = &fingerprint.intent;
    let is_pending = || {
        let longest = if intent.is_polling { MAX_POLLED } else { MAX_PENDING };
        called.is_repeat && output.len() <= longest && is_still_pending(output)
    };
    match intent.effect {
        _ if intent.is_polling && is_pending() => return Evidence::Waiting,
        // What an editor prints after a successful edit says that it was made, however
        // long it is; a shell command that prints an error does not.
        Effect::Write if !fingerprint.is_shell || ErrorLines::find(output).line().is_empty() => {
            return Evidence::Acknowledgement;
        }
        // That a read finds nothing is information.
        Effect::Execute if !fingerprint.runs_tests => {
            if says_nothing(output) {
                return Evidence::Empty;
            }
            if !fingerprint.is_shell && is_acknowledgement(called, output) {
                return Evidence::Acknowledgement;
            }
        }
        _ => {}
    }
    if is_pending() {
        return Evidence::Waiting;
    }
    // Some clients say that they cannot connect, and exit with zero.
    let is_complaint = fingerprint.is_shell && begins_with_program(fingerprint, output);
    if is_complaint && ErrorLines::find(output).is_infrastructure_error() {
        return Evidence::Infrastructure;
    }
    Evidence::Informative
}

fn says_nothing(output: &str) -> bool {
    !output.bytes().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        || matches!(output, "null" | "undefined" | "None")
}

/// Whether a short success says no more than the call did: "ok", or "Moved right." to
/// `move({"direction":"right"})`.
fn is_acknowledgement(called: CalledTool<'_>, output: &str) -> bool {
    if output.len() > MAX_ACKNOWLEDGEMENT {
        return false;
    }
    let text = output.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if ACKNOWLEDGEMENTS.contains(text.as_bytes()) {
        return true;
    }
    let mut echoed = 0;
    let mut own = 0;
    for word in text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2) {
        let is_echo = || {
            called.is_repeat
                && (has_word_like(called.name, word) || has_word_like(called.args, word))
        };
        if ACKNOWLEDGEMENTS.contains(word.as_bytes()) || is_echo() {
            echoed += 1;
        } else {
            own += 1;
        }
        if own > MAX_WORDS {
            return false;
        }
    }
    let is_short = own <= MAX_OWN_WORDS || own <= 2 * echoed;
    echoed > 0 && is_short && !is_negative_result(output) && !reports_problems(output)
}

/// How many letters two words have in common if they are forms of one word.
const STEM: usize = 4;

/// Whether the text has a word that begins like this one: "move" and "moved".
fn has_word_like(text: &str, word: &str) -> bool {
    let stem = word.get(..STEM).unwrap_or(word).as_bytes();
    let Some(first) = stem.first() else { return false };
    let capital = first.to_ascii_uppercase();
    let small = first.to_ascii_lowercase();
    let text = text.as_bytes();
    memchr2_iter(capital, small, text).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        // Words also begin with a capital inside a name: `moveRight`.
        let begins = text.get(at) == Some(&capital) || !before.is_some_and(u8::is_ascii_alphabetic);
        let start = text.get(at..at + stem.len()).unwrap_or_default();
        begins && start.eq_ignore_ascii_case(stem)
    })
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
            searches: false,
            program: 0,
            intent,
        }
    }

    const REPEATED: CalledTool<'_> = CalledTool { name: "", args: "", is_repeat: true };

    fn classify(fingerprint: &Fingerprint, ok: Option<bool>, output: &str) -> ClassifiedResult {
        classify_result(
            fingerprint,
            REPEATED,
            &ToolResult { ok, output: Some(output), ..ToolResult::default() },
        )
        .result
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
            (&tool, None, "null", Evidence::Empty),
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
            classify_result(&tool, REPEATED, &silent).result.hash,
            classify_result(&tool, REPEATED, &ToolResult::default()).result.hash
        );
        assert_ne!(
            classify_result(&tool, REPEATED, &silent).result.hash,
            classify(&tool, Some(false), "").hash
        );
    }
}
