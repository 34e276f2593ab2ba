//! Classifies a result: whether the call failed, which results it equals, and what kind of
//! evidence it is.

use super::answer::answer_hash;
use super::envelope::unwrap_output;
use super::error_signature::ErrorLines;
use super::evidence::Evidence;
use super::failure::{begins_with_program, failed_with_body};
use super::http;
use super::output_signals::{
    is_complaint, is_negative_result, is_still_pending, reports_problems, says_none,
};
use super::phrases::{ACKNOWLEDGEMENTS, HOST_PHRASES};
use super::problem::{Problem, count_problems};
use crate::call::Fingerprint;
use crate::event::ToolResult;
use crate::hash;
use crate::normalize::{Numbers, output_hashes, words_hash};
use crate::phrase_set::is_one_of;
use crate::tools::Effect;
use memchr::memchr2_iter;

/// A result, as patterns see it. Results are compared in layers, each of which ignores more
/// than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassifiedResult {
    /// Equal for results with the same bytes.
    pub exact: u64,
    /// Equal for results that differ only in volatile tokens.
    pub hash: u64,
    /// Equal for results with the same words, ignoring ids and numbers. Set only for
    /// failures and complaints, and for acknowledgements, where plain numbers count;
    /// otherwise 0.
    pub words: u64,
    /// Equal for the same answer to different questions; see [`answer_hash`]. 0 if the call
    /// asks nothing, or only the same text is the same answer.
    pub answer: u64,
    /// How many problems a failure reports, if it gives a number.
    pub problems: Option<u64>,
    /// The signature of the error; 0 if the call did not fail or has no output.
    pub error: u64,
    pub failed: bool,
    /// A success of moderate length that says that something is wrong.
    pub complains: bool,
    /// A success of moderate length that says that nothing was found or done.
    pub is_negative: bool,
    pub evidence: Evidence,
    /// The kind of problem that the call ran into, which decides the advice.
    pub problem: Problem,
}

/// The result of a call if the host never reports results.
pub(crate) const NO_RESULTS: ClassifiedResult = ClassifiedResult {
    exact: 0,
    hash: 0,
    words: 0,
    answer: 0,
    problems: None,
    error: 0,
    failed: false,
    complains: false,
    is_negative: false,
    evidence: Evidence::NoResults,
    problem: Problem::Other,
};

/// The longest output that can be an acknowledgement.
const MAX_ACKNOWLEDGEMENT: usize = 160;

/// How many words an acknowledgement may have that the call does not have.
const MAX_OWN_WORDS: usize = 4;

/// With more words than this, it is not an acknowledgement, whatever words the call has.
const MAX_WORDS: usize = 8;

/// The longest answer that can say no more than that nothing was found, in bytes.
pub(crate) const MAX_SENTENCE: usize = 512;

/// The longest output that can say that something is still pending, in general and for a
/// polling call.
const MAX_PENDING: usize = 512;
const MAX_POLLED: usize = 4096;

/// The call that a result belongs to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CalledTool<'c> {
    pub name: &'c str,
    /// The beginning of its arguments.
    pub args: &'c str,
    /// The same call had a result before. Otherwise some work that only matters for repeats
    /// is skipped.
    pub is_repeat: bool,
}

/// A result with the parts of its output that matter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadResult<'o> {
    pub result: ClassifiedResult,
    /// The output without its envelope; empty if unknown.
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
    let output = result.output.unwrap_or_default();
    let body = unwrap_output(output);
    let failed = failed_with_body(fingerprint, result, body);
    if result.output.is_none() {
        // A failure is evidence even without its output.
        let evidence = if failed { Evidence::Informative } else { Evidence::Unknown };
        let hash = u64::from(failed);
        let result = ClassifiedResult { exact: hash, hash, failed, evidence, ..NO_RESULTS };
        return ReadResult { result, body: "", error_line: "" };
    }
    let tag = |hash| hash::pair(hash, u64::from(failed));
    let (exact, normalized) = output_hashes(body);
    let mut classified = ClassifiedResult {
        exact: tag(exact),
        hash: tag(normalized),
        failed,
        evidence: Evidence::Informative,
        ..NO_RESULTS
    };
    let mut error_line = "";
    if is_host_made(result.ok, output) {
        classified.evidence = Evidence::HostMade;
    } else if failed {
        let lines = ErrorLines::find(body);
        classified.error = lines.signature(called.name);
        if called.is_repeat {
            classified.words = tag(words_hash(body, Numbers::Dropped));
            classified.problems = count_problems(body);
        }
        if lines.is_infrastructure_error() || http::status_of(output).is_some_and(http::is_busy) {
            classified.evidence = Evidence::Infrastructure;
        } else if fingerprint.intent.is_polling && is_pending(fingerprint, called, body) {
            // Some polls exit with an error while what they ask for is under way.
            classified.evidence = Evidence::Waiting;
        }
        error_line = lines.line();
        classified.problem = Problem::of_failure(error_line, fingerprint.runs_tests);
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
        let reads = fingerprint.intent.effect == Effect::Read;
        let is_short_read = reads && body.len() <= MAX_SENTENCE;
        classified.is_negative = (is_inspected || is_short_read) && is_negative_result(body);
        if reads && !fingerprint.is_shell {
            classified.answer = answer_hash(called.args, body, classified.is_negative);
        }
        let finds_nothing = || says_nothing(body) || classified.is_negative && says_none(body);
        if reads && finds_nothing() {
            classified.problem = Problem::NothingFound;
        }
    }
    ReadResult { result: classified, body, error_line }
}

/// Returns whether the host made the result in place of the tool. The result of a
/// successful call is always the tool's own.
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
    let is_pending = || is_pending(fingerprint, called, output);
    match intent.effect {
        _ if intent.is_polling && is_pending() => return Evidence::Waiting,
        // The output of a successful edit only confirms the edit, however long it is,
        // unless a shell command made the edit and prints an error.
        Effect::Write if !fingerprint.is_shell || ErrorLines::find(output).line().is_empty() => {
            return Evidence::Acknowledgement;
        }
        // Finding nothing is information if the call reads.
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
    // Some clients report that they cannot connect, but exit with zero.
    let is_complaint = fingerprint.is_shell && begins_with_program(fingerprint, output);
    if is_complaint && ErrorLines::find(output).is_infrastructure_error() {
        return Evidence::Infrastructure;
    }
    Evidence::Informative
}

/// Returns whether a repeated call was told that what it asks for has not happened yet.
fn is_pending(fingerprint: &Fingerprint, called: CalledTool<'_>, output: &str) -> bool {
    let longest = if fingerprint.intent.is_polling { MAX_POLLED } else { MAX_PENDING };
    called.is_repeat && output.len() <= longest && is_still_pending(output)
}

fn says_nothing(output: &str) -> bool {
    !output.bytes().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        || matches!(output, "null" | "undefined" | "None")
}

/// Returns whether the word has the form of one that says what was done: "Moved".
fn is_participle(word: &[u8]) -> bool {
    matches!(word, [_, .., before, b'e', b'd'] if *before != b'e')
}

/// Returns whether a short success says no more than the call did: "ok", or "Moved right."
/// to `move({"direction":"right"})`.
fn is_acknowledgement(called: CalledTool<'_>, output: &str) -> bool {
    if output.len() > MAX_ACKNOWLEDGEMENT {
        return false;
    }
    let text = output.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if is_one_of(text.as_bytes(), ACKNOWLEDGEMENTS) {
        return true;
    }
    let words = text.as_bytes().split(|byte| !byte.is_ascii_alphabetic());
    let mut echoed = usize::from(words.clone().next().is_some_and(is_participle));
    let mut own = 0;
    for word in words.filter(|word| word.len() > 2) {
        let is_echo = || {
            called.is_repeat
                && (has_word_like(called.name, word) || has_word_like(called.args, word))
        };
        if is_one_of(word, ACKNOWLEDGEMENTS) || is_echo() {
            echoed += 1;
        } else {
            own += 1;
        }
        if own > MAX_WORDS {
            return false;
        }
    }
    let is_short = own <= MAX_OWN_WORDS || own <= 2 * echoed;
    let is_good =
        || !is_negative_result(output) && !reports_problems(output) && !is_complaint(output);
    echoed > 0 && is_short && is_good()
}

/// How many leading letters two forms of the same word share.
const STEM: usize = 4;

/// Returns whether the text has another form of this word: "move" and "moved".
fn has_word_like(text: &str, word: &[u8]) -> bool {
    let stem = word.get(..STEM).unwrap_or(word);
    let Some(first) = stem.first() else { return false };
    let capital = first.to_ascii_uppercase();
    let small = first.to_ascii_lowercase();
    let text = text.as_bytes();
    memchr2_iter(capital, small, text).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        // A capital inside a name also begins a word: `moveRight`.
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
            changes_directory: false,
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
            (&shell, Some(true), "", Evidence::Empty),
            (&shell, Some(true), "Exit code: 0\nOutput: (empty)", Evidence::Empty),
            (&shell, Some(true), "ok", Evidence::Informative),
            (&shell_edit, Some(true), "", Evidence::Acknowledgement),
            (&shell_edit, Some(true), "<returncode>0</returncode>", Evidence::Acknowledgement),
            (&shell_edit, Some(true), "Successfully installed x", Evidence::Informative),
            (&tool, None, "ok", Evidence::Acknowledgement),
            (&tool, None, "Done.", Evidence::Acknowledgement),
            (&tool, None, "{\"ok\":true}", Evidence::Acknowledgement),
            (&tool, None, "null", Evidence::Empty),
            (&tool, None, "sent to 3 people", Evidence::Acknowledgement),
            (&tool, None, "Mined 1 cobblestone", Evidence::Acknowledgement),
            (&tool, None, "3 passed", Evidence::Informative),
            (&tool, None, "Feed the cat", Evidence::Informative),
            (&tool, None, "The door is locked", Evidence::Informative),
            (&tool, None, "Expected 3, found 4", Evidence::Informative),
            (&tool, None, "the third floor is closed to visitors", Evidence::Informative),
            (&tool, None, "{\"status\":\"running\"}", Evidence::Waiting),
            (&look, None, "build\tpending", Evidence::Waiting),
            (&edit, None, "Saved; the build is running", Evidence::Acknowledgement),
            (&tool, None, "Cancelled: a sibling call failed", Evidence::HostMade),
            (&shell, Some(false), "The user doesn't want to run this", Evidence::HostMade),
            (
                &edit,
                Some(false),
                "<tool_use_error>Sibling tool call errored</tool_use_error>",
                Evidence::HostMade,
            ),
            (&tool, Some(true), "Cancelled your order", Evidence::Acknowledgement),
            (&tool, Some(false), "Nothing was cancelled", Evidence::Informative),
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
            (&shell, None, "error: but nobody says so", true),
            (&shell, Some(true), "exit code: 1", true),
            (&shell, Some(true), "the tool prints exit code: 1 here", false),
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
    fn an_acknowledgement_says_no_more_than_the_call() {
        let tool = call(Effect::Execute, false, false);
        let evidence = |name, args, output| {
            let result =
                ToolResult { ok: Some(true), output: Some(output), ..ToolResult::default() };
            classify_result(&tool, CalledTool { name, args, is_repeat: true }, &result)
                .result
                .evidence
        };
        for (name, args, output) in [
            ("move", "{\"direction\":\"right\"}", "Moved right."),
            ("browser_scroll", "{\"by\":800}", "Scrolled down by 800 pixels"),
            ("game.moveRight", "{}", "You move to the right by one."),
            ("press_key", "{\"key\":\"Enter\"}", "Pressed the Enter key"),
            ("anything", "{}", "Success!"),
        ] {
            assert_eq!(evidence(name, args, output), Evidence::Acknowledgement, "{output}");
        }
        for (name, args, output) in [
            ("move", "{\"direction\":\"right\"}", "A wall stands there, grey and tall and cold"),
            ("move", "{\"direction\":\"right\"}", "Did not move right"),
            ("scroll", "{}", "Scroll error: no window"),
            ("add", "{\"a\":1}", "The total comes to five, twice what it was at noon yesterday"),
        ] {
            assert_eq!(evidence(name, args, output), Evidence::Informative, "{output}");
        }
        let long = "Moved right. ".repeat(20);
        assert_eq!(evidence("move", "{}", &long), Evidence::Informative);
    }

    #[test]
    fn results_are_compared_in_layers() {
        let tool = call(Effect::Execute, false, false);
        let shell = call(Effect::Execute, true, false);
        let failed = |output| classify(&shell, Some(false), output);
        let (one, other) = (failed("took 3s, no room"), failed("took 4s, no room"));
        assert_eq!((one.exact == other.exact, one.hash), (false, other.hash));
        let (one, other) = (failed("retry 1/9: no room left"), failed("retry 2/9: no room left"));
        assert_eq!((one.hash == other.hash, one.words), (false, other.words));
        let (one, other) =
            (failed("error: cannot read 'a' today"), failed("error: cannot read 'bc' today"));
        assert_eq!((one.words == other.words, one.error), (false, other.error));
        // In a success, a changed number may be progress.
        let works = |output| classify(&shell, Some(true), output);
        assert_eq!((works("9 rows").words, works("9 rows").error), (0, 0));
        assert_ne!(works("9 rows").hash, works("8 rows").hash);
        let sent = |output| classify(&tool, Some(true), output).words;
        assert_eq!(sent("sent as a-17"), sent("sent as a-18"));
        assert_ne!(sent("sent 17"), sent("sent 18"));
        // The envelope does not count.
        assert_eq!(
            works("Chunk ID: a1\nOutput:\n9 rows").exact,
            works("Chunk ID: b2\nOutput:\n9 rows").exact
        );
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
