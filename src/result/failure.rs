//! What a result says about success: the outcome lines of test runners, and
//! exit codes in a shell's output.

use crate::byte_scan::{next_byte, next_digit};

/// How much of a long output is read: runners print their summary last, and a
/// few print the failure first.
const HEAD: usize = 2 * 1024;
const TAIL: usize = 16 * 1024;

/// What the outcome lines of a test run say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestOutcome {
    Passed,
    Failed,
    /// No line that tells.
    Unknown,
}

/// Words that count failures when a number stands before or after them.
const FAILURE_WORDS: &[&str] =
    &["failed", "failing", "failure", "failures", "fail", "fails", "error", "errors", "errored"];

/// Words that count successes.
const SUCCESS_WORDS: &[&str] = &["passed", "passing", "pass", "passes", "ok", "succeeded"];

/// Line beginnings that mean failure by themselves.
const FAILURE_LINES: &[&str] = &[
    "FAIL ",
    "FAIL\t",
    "FAIL:",
    "FAILED ",
    "FAILED:",
    "--- FAIL",
    "not ok ",
    "test result: FAILED",
    "BUILD FAILURE",
    "BUILD FAILED",
    "[ERROR] BUILD",
    "[INFO] BUILD FAILURE",
    "FAILURES!",
    "ERRORS!",
    "Test Suites: FAILED",
    "** TEST FAILED",
    "make: ***",
    "npm ERR!",
    "npm error",
    "✗ ",
    "✖ ",
    "E   ",
];

/// Line beginnings that mean success, if nothing means failure.
const SUCCESS_LINES: &[&str] = &[
    "OK",
    "PASS",
    "ok ",
    "ok\t",
    "test result: ok",
    "BUILD SUCCESS",
    "[INFO] BUILD SUCCESS",
    "--- PASS",
    "** TEST SUCCEEDED",
    "✓ ",
    "✔ ",
];

/// Reads a test run's output. Passes and failures together are a failure.
pub(crate) fn test_outcome(output: &str) -> TestOutcome {
    let mut passed = false;
    for line in looked_at(output) {
        let line = line.trim_ascii();
        let tells = line.bytes().next().is_some_and(begins_a_telling_line);
        if tells && (line == "FAIL" || line == "FAILED" || starts_with_any(line, FAILURE_LINES)) {
            return TestOutcome::Failed;
        }
        passed |= tells && starts_with_any(line, SUCCESS_LINES);
        // Without a number nothing is counted.
        if next_digit(line.as_bytes(), 0).is_some() {
            let counts = Counts::of(line.as_bytes());
            if counts.failures > 0 {
                return TestOutcome::Failed;
            }
            passed |= counts.successes > 0 || counts.no_failures;
        }
    }
    if passed { TestOutcome::Passed } else { TestOutcome::Unknown }
}

/// How the lines of [`FAILURE_LINES`] and [`SUCCESS_LINES`] begin; few others do.
#[inline(always)]
fn begins_a_telling_line(byte: u8) -> bool {
    matches!(
        byte,
        b'F' | b'-' | b'n' | b't' | b'B' | b'[' | b'E' | b'T' | b'*' | b'm' | b'O' | b'P' | b'o'
    ) || !byte.is_ascii()
}

/// Whether the output carries an exit code other than zero.
pub(crate) fn exit_code_failed(output: &str) -> bool {
    for line in looked_at(output) {
        let mut words = Words { rest: line.as_bytes() };
        let mut last: [&[u8]; 2] = [b"", b""];
        while let Some(word) = words.next() {
            let [before, previous] = last;
            let announces = match word.len() {
                4 => {
                    is(word, "code")
                        && (is(previous, "exit")
                            || is(previous, "return")
                            || is(before, "exited") && is(previous, "with"))
                }
                6 => is(word, "status") && is(previous, "exit"),
                8 => is(word, "exitcode"),
                9 => is(word, "exit_code"),
                10 => is(word, "returncode"),
                _ => false,
            };
            if announces {
                if words.next_number().is_some_and(|code| code != 0) {
                    return true;
                }
                break;
            }
            last = [previous, word];
        }
    }
    false
}

/// Whether the output speaks of an error before anything else.
pub(crate) fn begins_with_error(output: &str) -> bool {
    let start = output.trim_ascii_start().trim_start_matches(['{', '[', '"', '<', '(']);
    let beginnings: &[&str] = &["error", "traceback", "exception", "fatal", "uncaught"];
    beginnings.iter().any(|beginning| {
        start
            .as_bytes()
            .get(..beginning.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(beginning.as_bytes()))
    })
}

struct Counts {
    failures: u64,
    successes: u64,
    /// "0 failures": as good as a pass.
    no_failures: bool,
}

impl Counts {
    /// Finds "3 failed", "failures: 3", "failures=3", "3 tests failed" in a line.
    fn of(line: &[u8]) -> Self {
        let mut counts = Counts { failures: 0, successes: 0, no_failures: false };
        let mut words = Words { rest: line };
        let mut number: Option<u64> = None;
        // How many plain words have passed since the number.
        let mut gap = 0;
        while let Some(word) = words.next() {
            if let Some(value) = whole_number(word) {
                number = Some(value);
                gap = 0;
                continue;
            }
            let failure = FAILURE_WORDS.iter().any(|known| is(word, known));
            let success = !failure && SUCCESS_WORDS.iter().any(|known| is(word, known));
            if !failure && !success {
                gap += 1;
                continue;
            }
            // "Failures: 1" has its number behind a colon or an equals sign, "1 failed" before it.
            let counted = words.number_after_sign().or(number.filter(|_| gap <= 1));
            match counted {
                Some(0) if failure => counts.no_failures = true,
                Some(value) if failure => counts.failures = counts.failures.saturating_add(value),
                Some(value) => counts.successes = counts.successes.saturating_add(value),
                None => {}
            }
            number = None;
        }
        counts
    }
}

/// Whether it is that word, which is written small, in capitals or not.
#[inline(always)]
fn is(word: &[u8], known: &str) -> bool {
    let known = known.as_bytes();
    let first = word.first().map_or(0, |byte| byte | 0x20);
    known.first() == Some(&first) && word.eq_ignore_ascii_case(known)
}

/// The value of a word that is nothing but digits.
fn whole_number(word: &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for byte in word {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
    }
    (!word.is_empty()).then_some(value)
}

fn starts_with_any(line: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| line.starts_with(beginning))
}

/// The lines at both ends of an output. When it is JSON, line ends are written `\n`.
pub(super) fn looked_at(output: &str) -> impl Iterator<Item = &str> {
    let (head, tail) = if output.len() > HEAD + TAIL {
        let from = output.ceil_char_boundary(output.len() - TAIL);
        let to = output.floor_char_boundary(HEAD);
        (output.get(..to).unwrap_or_default(), output.get(from..).unwrap_or_default())
    } else {
        (output, "")
    };
    let json = output.trim_ascii_start().starts_with(['{', '[']);
    Lines { rest: head, then: tail, json }
}

/// Lines, of one text and then another. In JSON text a line end is written `\n`.
struct Lines<'o> {
    rest: &'o str,
    then: &'o str,
    json: bool,
}

impl<'o> Iterator for Lines<'o> {
    type Item = &'o str;

    fn next(&mut self) -> Option<&'o str> {
        if self.rest.is_empty() {
            self.rest = core::mem::take(&mut self.then);
        }
        if self.rest.is_empty() {
            return None;
        }
        let end = match self.json {
            false => next_byte(self.rest.as_bytes(), 0, b'\n'),
            true => end_of_written_line(self.rest.as_bytes()),
        };
        let (line, rest) = match end {
            Some(end) => (self.rest.get(..end), self.rest.get(end + 1..)),
            None => (Some(self.rest), None),
        };
        self.rest = rest.unwrap_or_default();
        // What remains of a written line end is its backslash.
        line.map(|line| if self.json { line.trim_end_matches('\\') } else { line })
    }
}

fn end_of_written_line(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    for (byte, at) in text.iter().zip(0..) {
        if *byte == b'\n' || escaped && *byte == b'n' {
            return Some(at);
        }
        escaped = *byte == b'\\';
    }
    None
}

/// Letters and digits, the rest between them.
#[derive(Clone, Copy)]
struct Words<'l> {
    rest: &'l [u8],
}

impl<'l> Words<'l> {
    fn next(&mut self) -> Option<&'l [u8]> {
        let mut start = 0;
        while !is_inside(*self.rest.get(start)?) {
            start += 1;
        }
        let mut end = start + 1;
        while self.rest.get(end).is_some_and(|byte| is_inside(*byte)) {
            end += 1;
        }
        let word = self.rest.get(start..end)?;
        self.rest = self.rest.get(end..)?;
        Some(word)
    }

    fn next_number(&mut self) -> Option<u64> {
        let mut start = 0;
        while matches!(self.rest.get(start), Some(b':' | b'=' | b' ' | b'"' | b'\\' | b'(')) {
            start += 1;
        }
        // A code below zero is one other than zero.
        start += usize::from(self.rest.get(start) == Some(&b'-'));
        let mut end = start;
        while self.rest.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        // "exit status 1-255" tells of codes, not of one.
        let alone = self.rest.get(end) != Some(&b'-');
        whole_number(self.rest.get(start..end)?).filter(|_| alone)
    }

    /// The number behind `:` or `=`, taken off the line if there is one.
    fn number_after_sign(&mut self) -> Option<u64> {
        let mut ahead = *self;
        while let [b' ' | b'"', rest @ ..] = ahead.rest {
            ahead.rest = rest;
        }
        if let [b':' | b'=', rest @ ..] = ahead.rest {
            ahead.rest = rest;
        } else if !ahead.rest.iter().all(u8::is_ascii_digit) {
            // "# fail 1" ends with its number and has no sign.
            return None;
        }
        let value = whole_number(ahead.next()?)?;
        *self = ahead;
        Some(value)
    }
}

/// Letters beyond ASCII are part of a word; the tables that tell them from other
/// characters would cost kilobytes of wasm.
#[inline(always)]
fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn every_telling_line_is_looked_for() {
        for line in FAILURE_LINES.iter().chain(SUCCESS_LINES) {
            assert!(begins_a_telling_line(line.as_bytes()[0]), "{line}");
        }
    }

    #[test]
    fn silence_is_unknown() {
        for output in ["", "compiling", "ModuleNotFoundError: no module named x", "3 warnings"] {
            assert_eq!(test_outcome(output), TestOutcome::Unknown, "{output}");
        }
    }

    #[test]
    fn the_summary_of_a_long_output_is_found() {
        let noise = "some line of a log\n".repeat(10_000);
        assert_eq!(test_outcome(&format!("{noise}1 failed, 2 passed")), TestOutcome::Failed);
        assert_eq!(test_outcome(&format!("FAIL a.test.js\n{noise}")), TestOutcome::Failed);
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
            assert!(exit_code_failed(output), "{output}");
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
            assert!(!exit_code_failed(output), "{output}");
        }
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*", times in 1usize..400) {
            let long: String = output.repeat(times);
            let _ = test_outcome(&long);
            let _ = exit_code_failed(&long);
        }
    }
}
