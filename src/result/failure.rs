//! Decides whether a call failed: by the host's flag, by the summary lines of a test
//! runner, by an exit code in a shell's output, or by an output that begins with an error.

use super::envelope::{envelope_of, unwrap_output};
use super::error_signature::{ErrorLines, is_exception};
use super::http;
use super::lines::{first_line, inspected_lines, is_json, split_at_byte};
use super::phrases::{ERROR_PHRASES, starts_with_ignoring_case};
use crate::call::Fingerprint;
use crate::event::ToolResult;
use crate::hash;
use crate::phrase_set::PhraseSet;
use crate::tools::Effect;
use memchr::memchr;

/// Returns whether the call failed. This is the only definition; all patterns use it.
///
/// The host's flag comes first, with some exceptions, because many hosts report every call
/// that returned something as a success. A call also failed if it was a test run that
/// printed failures (`npm test | tail` exits with zero), a command with a failing exit code
/// in the envelope of its output, a command that the shell could not run, or a tool whose
/// answer says so in a field. If the host does not say, the output decides. No output is
/// not a failure.
pub(crate) fn failed(fingerprint: &Fingerprint, result: &ToolResult<'_>) -> bool {
    failed_with_body(fingerprint, result, unwrap_output(result.output.unwrap_or_default()))
}

/// As [`failed`], for a caller that already knows the output without its envelope, the
/// `body`.
pub(super) fn failed_with_body(
    fingerprint: &Fingerprint,
    result: &ToolResult<'_>,
    body: &str,
) -> bool {
    let output = result.output.unwrap_or_default();
    // `grep` exits with one if it finds nothing: that is an answer, not a failure.
    if fingerprint.searches && result.output.is_some() && finds_nothing(body) {
        return false;
    }
    match result.ok {
        Some(false) => true,
        _ if fingerprint.runs_tests => match test_outcome(output) {
            TestOutcome::Failed => true,
            TestOutcome::Passed => is_shell_error(output),
            // A build that broke before any test ran.
            TestOutcome::Unknown => is_shell_error(output) || has_failing_envelope(output, body),
        },
        _ if has_failing_envelope(output, body) => true,
        _ if http::status_of(output).is_some_and(|status| status >= 400) => true,
        Some(true) => is_shell_error(output) || !fingerprint.is_shell && says_failure(body),
        None if fingerprint.is_shell => {
            has_failing_exit_code(output)
                || is_shell_error(output)
                || is_program_error(fingerprint, body)
        }
        None => {
            begins_with_error(body)
                || is_shell_error(output)
                || says_failure(body)
                || match fingerprint.intent.effect {
                    Effect::Write => is_edit_error(body),
                    Effect::Execute => ends_with_traceback(body) || is_refusal(body),
                    Effect::Read => false,
                }
        }
    }
}

/// Returns whether the envelope of the output has an exit code other than zero.
fn has_failing_envelope(output: &str, body: &str) -> bool {
    let (before, after) = envelope_of(output, body);
    has_failing_exit_code(before) || has_failing_exit_code(after)
}

/// How many bytes of an answer are searched for a field that says whether the call failed.
const MAX_FIELDS: usize = 256;

/// Returns whether an answer in JSON says in one of its first fields that the call failed:
/// `{"ok":false`, `{"status":"rejected"`.
fn says_failure(output: &str) -> bool {
    static NAMES: PhraseSet = PhraseSet::ignoring_case(&[
        "iserror", "is_error", "ok", "outcome", "result", "state", "status", "success",
    ]);
    static VALUES: PhraseSet = PhraseSet::ignoring_case(&[
        "aborted",
        "denied",
        "error",
        "failed",
        "failure",
        "forbidden",
        "refused",
        "rejected",
        "unauthorized",
    ]);
    if !is_json(output) {
        return false;
    }
    let start = output.get(..output.floor_char_boundary(MAX_FIELDS)).unwrap_or(output);
    let mut fields = start.as_bytes().split(|byte| matches!(byte, b',' | b'{'));
    fields.any(|field| {
        let Some(colon) = memchr(b':', field) else { return false };
        let (name, value) = field.split_at_checked(colon).unwrap_or_default();
        let name = trim(name, b" \"\n\r\t");
        let value = trim(value.get(1..).unwrap_or_default(), b" \"\n\r\t}");
        let is_flag = match value {
            b"false" => name.eq_ignore_ascii_case(b"ok") || name.eq_ignore_ascii_case(b"success"),
            b"true" => {
                name.eq_ignore_ascii_case(b"isError") || name.eq_ignore_ascii_case(b"is_error")
            }
            _ => VALUES.contains(value),
        };
        is_flag && NAMES.contains(name)
    })
}

/// Trims these bytes from both ends.
fn trim<'t>(mut text: &'t [u8], bytes: &[u8]) -> &'t [u8] {
    while let [first, rest @ ..] = text
        && bytes.contains(first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && bytes.contains(last)
    {
        text = rest;
    }
    text
}

/// Returns whether the first words say that something was not done: "Transfer failed: …".
fn is_refusal(output: &str) -> bool {
    static WORDS: PhraseSet = PhraseSet::ignoring_case(&[
        "cannot",
        "denied",
        "error",
        "failed",
        "forbidden",
        "refused",
        "rejected",
        "unable",
        "unauthorized",
    ]);
    let mut before = "";
    first_line(output).split([' ']).take(4).any(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_none = matches!(before, "no" | "No" | "0" | "without" | "never");
        before = word;
        !is_none && WORDS.contains(word.as_bytes())
    })
}

/// Returns whether a search found nothing: it printed nothing, or a count of zero.
fn finds_nothing(output: &str) -> bool {
    output.is_empty() || output == "0"
}

/// Returns whether the first line says that an edit could not be made.
fn is_edit_error(output: &str) -> bool {
    static SUCCESS: PhraseSet = PhraseSet::new(&["success"]);
    let line = first_line(output).as_bytes();
    ERROR_PHRASES.occurs_in(line) && !SUCCESS.occurs_in(line)
}

/// The longest path of a shell, in bytes.
const MAX_SHELL: usize = 64;

/// Returns whether every line is an error message of the shell itself:
/// `/bin/bash: line 3: mvn: command not found`.
fn is_shell_error(output: &str) -> bool {
    let is_complaint = |line: &[u8]| {
        // The name of a shell is short; most lines have no colon near their beginning.
        let Some(colon) = memchr(b':', line.get(..MAX_SHELL).unwrap_or(line)) else { return false };
        let (shell, rest) = line.split_at_checked(colon).unwrap_or_default();
        let name = shell.rsplit(|byte| matches!(byte, b'/' | b'-')).next().unwrap_or_default();
        matches!(name, b"bash" | b"sh" | b"zsh" | b"dash" | b"ash" | b"ksh")
            && rest.starts_with(b": ")
    };
    if !is_complaint(first_line(output).as_bytes()) {
        return false;
    }
    let lines = output.as_bytes().split(|byte| *byte == b'\n');
    lines.filter(|line| !line.trim_ascii().is_empty()).take(8).all(is_complaint)
}

/// Returns whether the output is an error message of a program: an exception after its
/// traceback, or lines such as `cat: a.txt: No such file or directory` and
/// `fatal: not a git repository`.
fn is_program_error(fingerprint: &Fingerprint, output: &str) -> bool {
    static BEGINNINGS: PhraseSet = PhraseSet::ignoring_case(&[
        "e: ",
        "npm err!",
        "npm error",
        "segmentation fault",
        "syntaxerror:",
    ]);
    static ENDINGS: PhraseSet = PhraseSet::ignoring_case(&[
        ": command not found",
        ": is a directory",
        ": no such file or directory",
        ": not a directory",
        ": permission denied",
        "syntax error near",
    ]);
    let mut lines = 0;
    let mut first = "";
    let mut before_last = "";
    let mut last = "";
    for line in inspected_lines(output).filter(|line| !line.trim_ascii().is_empty()) {
        lines += 1;
        before_last = last;
        last = line;
        if lines == 1 {
            first = line;
        }
    }
    // PowerShell ends an error report with this.
    if last.trim_ascii_start().starts_with("+ FullyQualifiedErrorId") {
        return true;
    }
    // A file that is read may well mention errors.
    let reads = fingerprint.intent.effect == Effect::Read;
    let begins = |line: &str| BEGINNINGS.begins(line.as_bytes()) || has_error_heading(line);
    let cannot_connect = || ErrorLines::find(output).is_infrastructure_error();
    !reads && ends_with_traceback(output)
        || lines <= 2 && !reads && cannot_connect()
        || lines <= 2 && ENDINGS.occurs_in(last.as_bytes())
        || !reads && (begins(first) || begins(last))
        || !reads && begins(before_last) && ERROR_PHRASES.occurs_in(last.as_bytes())
        || lines <= 2
            && begins_with_program(fingerprint, first)
            && ERROR_PHRASES.occurs_in(first.as_bytes())
}

/// The longest heading of an error message, in bytes and in words.
const MAX_HEADING: usize = 40;
const MAX_HEADING_WORDS: usize = 4;

/// Returns whether the line begins with a heading such as `fatal:`, `PHP Fatal error:` or
/// `error[E0382]:`.
fn has_error_heading(line: &str) -> bool {
    static WORDS: PhraseSet =
        PhraseSet::ignoring_case(&["error", "exception", "fail", "failed", "failure", "fatal"]);
    let Some((heading, _)) = split_at_byte(line, b':') else { return false };
    let heading = heading.split(['[']).next().unwrap_or_default().trim_ascii();
    // "0 failed: none" counts failures.
    let is_short = heading.len() <= MAX_HEADING
        && heading.split([' ']).count() <= MAX_HEADING_WORDS
        && !heading.bytes().any(|byte| byte.is_ascii_digit());
    let last = heading.rsplit([' ']).next().unwrap_or_default();
    is_short && WORDS.contains(last.as_bytes())
}

/// Returns whether the output ends with an exception and contains its traceback.
fn ends_with_traceback(output: &str) -> bool {
    let mut in_traceback = false;
    let mut last = "";
    for line in inspected_lines(output).filter(|line| !line.trim_ascii().is_empty()) {
        in_traceback |= line.ends_with("Traceback (most recent call last):")
            || line.ends_with("Traceback (most recent call last)");
        last = line;
    }
    in_traceback && is_exception(last)
}

/// Returns whether the output begins like the error message of a program: with the
/// program's own name, as in `curl: (6) Could not resolve host`.
pub(super) fn begins_with_program(fingerprint: &Fingerprint, output: &str) -> bool {
    let name = split_at_byte(output, b':').map_or("", |(name, _)| name);
    !name.is_empty() && hash::bytes(name.as_bytes()) == fingerprint.program
}

/// Returns whether a test run has no clear outcome: the host does not report a failure, and
/// the output says neither that tests passed nor that they failed.
pub(crate) fn is_unclear_test_run(fingerprint: &Fingerprint, result: &ToolResult<'_>) -> bool {
    let output = result.output.unwrap_or_default();
    // Silence is a success if the host says so.
    let is_silent_success = result.ok == Some(true) && output.trim_ascii().is_empty();
    fingerprint.runs_tests
        && result.ok != Some(false)
        && !is_silent_success
        && test_outcome(output) == TestOutcome::Unknown
}

/// What the output of a test run says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TestOutcome {
    Passed,
    Failed,
    /// It contains no known summary.
    Unknown,
}

/// Words that count failures if a number comes before or after them.
static FAILURE_WORDS: PhraseSet = PhraseSet::ignoring_case(&[
    "error", "errored", "errors", "fail", "failed", "failing", "fails", "failure", "failures",
]);

/// Words that count successes.
static SUCCESS_WORDS: PhraseSet =
    PhraseSet::ignoring_case(&["ok", "pass", "passed", "passes", "passing", "succeeded"]);

/// The beginnings of all these words.
static COUNTING_WORDS: PhraseSet =
    PhraseSet::ignoring_case(&["error", "fail", "ok", "pass", "succeeded"]);

/// Beginnings of lines that mean failure by themselves.
static FAILURE_LINES: PhraseSet = PhraseSet::new(&[
    "** TEST FAILED",
    "--- FAIL",
    "BUILD FAILED",
    "BUILD FAILURE",
    "E   ",
    "ERRORS!",
    "FAIL\t",
    "FAIL ",
    "FAIL:",
    "FAILED ",
    "FAILED:",
    "FAILURES!",
    "Test Suites: FAILED",
    "[ERROR] BUILD",
    "[INFO] BUILD FAILURE",
    "make: ***",
    "not ok ",
    "npm ERR!",
    "npm error",
    "test result: FAILED",
    "✖ ",
    "✗ ",
]);

/// Beginnings of lines that mean success, if nothing means failure.
static SUCCESS_LINES: PhraseSet = PhraseSet::new(&[
    "** TEST SUCCEEDED",
    "--- PASS",
    "BUILD SUCCESS",
    "OK",
    "PASS",
    "[INFO] BUILD SUCCESS",
    "ok\t",
    "ok ",
    "test result: ok",
    "✓ ",
    "✔ ",
]);

/// Reads the output of a test run. Passes and failures together are a failure.
fn test_outcome(output: &str) -> TestOutcome {
    let mut has_passed = false;
    for line in inspected_lines(output) {
        let line = line.trim_ascii();
        if line == "FAIL" || line == "FAILED" || FAILURE_LINES.begins(line.as_bytes()) {
            return TestOutcome::Failed;
        }
        has_passed |= SUCCESS_LINES.begins(line.as_bytes());
        // A count needs both a number and one of these words.
        if line.bytes().any(|byte| byte.is_ascii_digit())
            && COUNTING_WORDS.begins_a_word_of(line.as_bytes())
        {
            let counts = Counts::read(line);
            if counts.failures > 0 {
                return TestOutcome::Failed;
            }
            has_passed |= counts.successes > 0 || counts.has_zero_failures;
        }
    }
    if has_passed { TestOutcome::Passed } else { TestOutcome::Unknown }
}

/// Returns whether the output contains an exit code other than zero.
fn has_failing_exit_code(output: &str) -> bool {
    inspected_lines(output).any(|line| {
        let mut words = Words { rest: line };
        if is_exit_note(line) {
            words.next();
            return words.exit_code().is_some_and(|code| code != 0);
        }
        let mut before = "";
        let mut previous = "";
        while let Some(word) = words.next() {
            let is = |word: &str, known: &str| word.eq_ignore_ascii_case(known);
            let announces_code = is(word, "exitcode")
                || is(word, "exit_code")
                || is(word, "returncode")
                || is(word, "status") && is(previous, "exit")
                || is(word, "code")
                    && (is(previous, "exit")
                        || is(previous, "return")
                        || is(previous, "with") && is(before, "exited"));
            if announces_code {
                return words.exit_code().is_some_and(|code| code != 0);
            }
            (before, previous) = (previous, word);
        }
        false
    })
}

/// Returns whether the line is a host's note such as `[exit 1]` or `exit=1`. A plain
/// `exit 1` may be a line of a script.
fn is_exit_note(line: &str) -> bool {
    let line = line.trim_ascii();
    let inside = line.trim_start_matches(['[', '(', '<']);
    let is_bracketed = inside.len() < line.len();
    starts_with_ignoring_case(inside, if is_bracketed { "exit " } else { "exit=" })
}

/// Returns whether the output begins with an error: `error`, `TimeoutError:`.
fn begins_with_error(output: &str) -> bool {
    static BEGINNINGS: PhraseSet =
        PhraseSet::ignoring_case(&["error", "exception", "fatal", "traceback", "uncaught"]);
    let start = output.trim_ascii_start().trim_start_matches(['{', '[', '"', '<', '(']);
    let name = split_at_byte(first_line(start), b':').map_or("", |(name, _)| name);
    let is_error_name = name.ends_with("Error") || name.ends_with("Exception");
    BEGINNINGS.begins(start.as_bytes()) || is_error_name && is_exception(start)
}

/// Words that count what is left to fix if a number comes before or after them.
static PROBLEM_WORDS: PhraseSet = PhraseSet::ignoring_case(&[
    "error",
    "errors",
    "fail",
    "failed",
    "failing",
    "failure",
    "failures",
    "issue",
    "issues",
    "offense",
    "offenses",
    "problem",
    "problems",
    "remaining",
    "violation",
    "violations",
    "warning",
    "warnings",
]);

/// Words that may come between a number and what it counts: "3 tests failed".
static COUNTED: PhraseSet =
    PhraseSet::ignoring_case(&["assertions", "checks", "files", "lint", "specs", "tests", "type"]);

/// Returns how many problems the output of a failed call reports; the largest number, if
/// several lines give one. A number that is part of something else, such as `r-17`,
/// `pid 17:` or a position in a file, is ignored.
pub(super) fn count_problems(output: &str) -> Option<u64> {
    let mut most = None;
    for line in inspected_lines(output) {
        // The last number, and the word after it, if any, which says what it counts.
        let mut number = None;
        let mut is_named = false;
        for word in line.split([' ']).filter(|word| !word.is_empty()) {
            let name = word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).as_bytes();
            let digits = word.trim_matches(|c: char| matches!(c, '(' | ')' | ',' | '.'));
            if let Some(value) = parse_number(digits) {
                number = Some(value);
                most = if is_named { most.max(number) } else { most };
            } else if PROBLEM_WORDS.contains(name) {
                most = most.max(number);
                is_named = word.ends_with(':');
                number = None;
                continue;
            } else if !COUNTED.contains(name) {
                number = None;
            }
            is_named = false;
        }
    }
    most.filter(|count| *count > 0)
}

/// How many failures and successes a line counts.
#[derive(Default)]
struct Counts {
    failures: u64,
    successes: u64,
    /// It says "0 failures", which is as good as a pass.
    has_zero_failures: bool,
}

impl Counts {
    /// Reads "3 failed", "failures: 3", "failures=3", "3 tests failed" and the like.
    fn read(line: &str) -> Self {
        let mut counts = Counts::default();
        let mut words = Words { rest: line };
        let mut number: Option<u64> = None;
        let mut words_since_number = 0;
        while let Some(word) = words.next() {
            if let Some(value) = parse_number(word) {
                number = Some(value);
                words_since_number = 0;
                continue;
            }
            let is_failure = FAILURE_WORDS.contains(word.as_bytes());
            if !is_failure && !SUCCESS_WORDS.contains(word.as_bytes()) {
                words_since_number += 1;
                continue;
            }
            // "Failures: 1" has its number after a sign, "1 failed" before the word.
            let count = words.number_after_sign().or(number.filter(|_| words_since_number <= 1));
            match count {
                Some(0) if is_failure => counts.has_zero_failures = true,
                Some(value) if is_failure => {
                    counts.failures = counts.failures.saturating_add(value);
                }
                Some(value) => counts.successes = counts.successes.saturating_add(value),
                None => {}
            }
            number = None;
        }
        counts
    }
}

/// Returns the value of a word that is nothing but digits.
fn parse_number(word: &str) -> Option<u64> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { word.parse().ok() } else { None }
}

/// Reads the words of a line: runs of letters, digits and `_`. Every character beyond
/// ASCII counts as a letter.
#[derive(Clone, Copy)]
struct Words<'l> {
    rest: &'l str,
}

impl<'l> Words<'l> {
    fn next(&mut self) -> Option<&'l str> {
        let bytes = self.rest.as_bytes();
        let mut start = 0;
        while !is_word_byte(*bytes.get(start)?) {
            start += 1;
        }
        let mut end = start + 1;
        while bytes.get(end).is_some_and(|byte| is_word_byte(*byte)) {
            end += 1;
        }
        let word = self.rest.get(start..end);
        self.rest = self.rest.get(end..)?;
        word
    }

    /// Reads the exit code that follows.
    fn exit_code(&self) -> Option<u64> {
        let rest = self.rest.trim_start_matches([':', '=', ' ', '"', '\\', '(', '>']);
        // A negative code is one other than zero.
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        let length = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        // "exit status 1-255" describes codes; it is not one.
        let is_range = rest.as_bytes().get(length) == Some(&b'-');
        if is_range { None } else { rest.get(..length)?.parse().ok() }
    }

    /// Takes the number that follows after `:` or `=`, if there is one.
    fn number_after_sign(&mut self) -> Option<u64> {
        let rest = self.rest.trim_start_matches([' ', '"']);
        let mut ahead = match rest.strip_prefix([':', '=']) {
            Some(after_sign) => Words { rest: after_sign },
            // "# fail 1" ends with its number, without a sign.
            None if rest.bytes().all(|byte| byte.is_ascii_digit()) => Words { rest },
            None => return None,
        };
        let value = parse_number(ahead.next()?)?;
        *self = ahead;
        Some(value)
    }
}

#[inline(always)]
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{Fingerprinter, Identity, Wanted};
    use crate::tools::{Tables, classify};
    use alloc::format;
    use alloc::string::String;
    use proptest::prelude::*;

    #[test]
    fn failing_runs_of_common_runners() {
        for output in [
            "==== 1 failed, 3 passed in 0.12s ====",
            "==== 2 errors in 0.12s ====",
            "FAILED (failures=2, errors=1)",
            "Tests:       1 failed, 4 passed, 5 total",
            " Tests  2 failed | 7 passed (9)",
            "  3 passing (10ms)\n  1 failing",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            "--- FAIL: TestX (0.00s)\nFAIL\nexit status 1",
            "FAIL\tgithub.com/a/b\t0.01s",
            "Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
            "Tests run: 5, Failures: 0, Errors: 2, Skipped: 0",
            "12 examples, 1 failure",
            "Failed!  - Failed:     1, Passed:     3, Skipped:     0",
            "# tests 3\n# pass 2\n# fail 1",
            "not ok 3 - it works",
            "FAILURES!\nTests: 2, Assertions: 3, Failures: 1.",
            "5 tests, 2 failures",
            "FAIL src/a.test.js",
            "7 runs, 9 assertions, 1 failures, 0 errors, 0 skips",
            "Executed 4 tests, with 1 failure (0 unexpected) in 0.003 seconds",
            "{\"stdout\":\"collected 3\\n1 failed, 2 passed\\n\",\"exit\":1}",
        ] {
            assert_eq!(test_outcome(output), TestOutcome::Failed, "{output}");
        }
    }

    #[test]
    fn passing_runs_of_common_runners() {
        for output in [
            "==== 4 passed in 0.12s ====",
            "Ran 5 tests in 0.001s\n\nOK",
            "Tests:       5 passed, 5 total",
            "  3 passing (10ms)",
            "test result: ok. 4 passed; 0 failed; 0 ignored",
            "ok  \tgithub.com/a/b\t0.01s",
            "PASS\nok a 0.1s",
            "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
            "12 examples, 0 failures",
            "# tests 3\n# pass 3\n# fail 0",
            "OK (3 tests, 5 assertions)",
            "running error handling tests\n4 passed",
            "Executed 4 tests, with 0 failures (0 unexpected) in 0.003 seconds",
        ] {
            assert_eq!(test_outcome(output), TestOutcome::Passed, "{output}");
        }
    }

    #[test]
    fn output_without_a_summary_is_unknown() {
        for output in ["", "compiling", "ModuleNotFoundError: no module named x", "3 warnings"] {
            assert_eq!(test_outcome(output), TestOutcome::Unknown, "{output}");
        }
    }

    #[test]
    fn the_summary_of_a_long_output_is_found() {
        let log = "some line of a log\n".repeat(10_000);
        assert_eq!(test_outcome(&format!("{log}1 failed, 2 passed")), TestOutcome::Failed);
        assert_eq!(test_outcome(&format!("FAIL a.test.js\n{log}")), TestOutcome::Failed);
    }

    #[test]
    fn exit_codes() {
        for output in [
            "bash: x: command not found\nexit code: 127",
            "Exit code 1",
            "{\"exit_code\":2,\"stdout\":\"\"}",
            "{\"exitCode\": 1}",
            "process exited with code 3",
            "command failed with exit status 1",
            "returncode=-9",
        ] {
            assert!(has_failing_exit_code(output), "{output}");
        }
        for output in [
            "exit code: 0",
            "{\"exit_code\":0}",
            "all good",
            "exit",
            "the exit code",
            "exit status 1-255 is a failure",
            "exit code - 1",
        ] {
            assert!(!has_failing_exit_code(output), "{output}");
        }
    }

    /// Returns whether a call with this result failed.
    fn fails(name: &str, args: &str, ok: Option<bool>, output: &str) -> bool {
        let tables = Tables::default();
        let wanted = Wanted { fuzzy: false, commands: true, intents: true };
        let mut fingerprinter = Fingerprinter::new(Identity::Canonical, wanted, &tables);
        let tool = hash::bytes(name.as_bytes());
        let fingerprint = fingerprinter.take(tool, args.into(), classify(name), &[], &tables);
        failed(&fingerprint, &ToolResult { ok, output: Some(output), ..ToolResult::default() })
    }

    #[test]
    fn without_a_flag_the_output_of_a_command_decides() {
        let fails = |command: &str, output| {
            fails("bash", &format!("{{\"cmd\":\"{command}\"}}"), None, output)
        };
        let traceback =
            "loading\nTraceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'x'";
        for (command, output) in [
            ("mvn -v", "/bin/bash: line 3: mvn: command not found"),
            ("x; y", "sh: 1: x: not found\nsh: 1: y: not found"),
            ("cat log", "cat: log: No such file or directory"),
            ("git push", "fatal: not a git repository"),
            ("npm i", "npm ERR! code ERESOLVE\nmore\nand more"),
            ("python a.py", traceback),
            ("curl a.org", "curl: (6) Could not resolve host: a.org"),
            ("node a.js", "compiled\nexit code: 3"),
            ("./run", "Segmentation fault (core dumped)"),
            ("./run", "step 1\nstep 2\nError: no credentials"),
            ("./run", "step 1\nError: no credentials\nrun: failed at step 2"),
            ("curl -si a.org", "HTTP/2 403 \nserver: x\n\n{}"),
            ("cd x && npm test", "bash: line 3: cd: x: No such file or directory"),
        ] {
            assert!(fails(command, output), "{command}: {output}");
        }
        for (command, output) in [
            ("cat run.log", "error: the log of yesterday"),
            ("cat run.log", traceback),
            ("echo x", "bash: a shell\nis not sh"),
            ("node a.js", "all went well\nerror: none of this\nthe end"),
            ("node a.js", ""),
            ("node a.js", "exit code: 0"),
        ] {
            assert!(!fails(command, output), "{command}: {output}");
        }
    }

    #[test]
    fn a_search_that_finds_nothing_does_not_fail() {
        let fails = |command: &str, ok, output| {
            fails("bash", &format!("{{\"cmd\":\"{command}\"}}"), ok, output)
        };
        for command in ["grep -r x src", "npm test | grep FAIL", "rg x", "diff a b"] {
            assert!(!fails(command, Some(false), ""), "{command}");
            assert!(!fails(command, None, "Exit code 1\n"), "{command}");
        }
        assert!(!fails("grep -c x a.ts", Some(false), "0"));
        assert!(fails("grep -r x src", Some(false), "grep: src: Is a directory"));
        assert!(fails("make", Some(false), ""));
    }

    #[test]
    fn without_a_flag_the_output_of_a_tool_decides() {
        let edit = ("edit_file", r#"{"path":"a","old_str":"x","new_str":"y"}"#);
        let tool = ("transfer", r#"{"amount":3}"#);
        let read = ("read_file", r#"{"path":"a"}"#);
        for ((name, args), ok, output) in [
            (edit, None, "No replacement was performed, the text did not appear"),
            (edit, None, "String to replace not found in file."),
            (tool, None, "Error: no money"),
            (tool, None, "Transfer failed: no money"),
            (tool, None, "start\nTraceback (most recent call last):\n  x\nValueError: no"),
            (tool, Some(true), r#"{"ok": false, "why": "no money"}"#),
            (tool, Some(true), r#"{"status":"rejected"}"#),
            (read, None, "error: no such file"),
            (read, Some(true), "bash: cat: command not found"),
            (read, Some(false), "fine"),
        ] {
            assert!(fails(name, args, ok, output), "{name}: {output}");
        }
        for ((name, args), ok, output) in [
            (edit, None, "The file was edited successfully; error handling was added"),
            (edit, None, "Edited.\nif error then"),
            (tool, None, "no error so far"),
            (tool, Some(true), r#"{"status":"done","note":"was rejected before"}"#),
            (tool, Some(true), "Transfer failed before; this one did not"),
            (read, None, "import x  # no such error"),
            (read, None, ""),
        ] {
            assert!(!fails(name, args, ok, output), "{name}: {output}");
        }
    }

    #[test]
    fn an_exit_code_beside_the_output_counts_whatever_the_host_says() {
        let fails = |output| fails("bash", r#"{"cmd":"./run"}"#, Some(true), output);
        assert!(fails("Exit code 2\nsome text"));
        assert!(fails("some text\n<exit_code>1</exit_code>"));
        assert!(!fails("Exit code: 0\nOutput:\nthe other one had exit code 1 yesterday"));
        assert!(!fails("some text\nexit code 1 means trouble\nthe end"));
    }

    #[test]
    fn problems_are_counted() {
        for (output, problems) in [
            ("Found 12 errors in 3 files", Some(12)),
            ("3 problems (2 errors, 1 warning)", Some(3)),
            ("3 tests failed, 2 passed", Some(3)),
            ("failures: 4", Some(4)),
            ("gateway pid 50000: bind failed", None),
            ("request r-49997 failed", None),
            ("route5.ts(14,7): error TS2322", None),
            ("remaining: 4", Some(4)),
            ("0 errors", None),
            ("no errors", None),
            ("", None),
        ] {
            assert_eq!(count_problems(output), problems, "{output}");
        }
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*", times in 1usize..400) {
            let long: String = output.repeat(times);
            let _ = test_outcome(&long);
            let _ = has_failing_exit_code(&long);
        }
    }
}
