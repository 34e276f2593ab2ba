//! Reads what a test runner prints about a run: its summary lines and their counts.

use super::lines::{Words, inspected_lines, parse_number};
use crate::phrase_set::{PhraseSet, is_one_of};

/// What the output of a test run says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestOutcome {
    Passed,
    Failed,
    /// It contains no known summary.
    Unknown,
}

/// Words that count failures if a number comes before or after them.
const FAILURE_WORDS: &[&str] =
    &["error", "errored", "errors", "fail", "failed", "failing", "fails", "failure", "failures"];

/// Words that count successes.
const SUCCESS_WORDS: &[&str] = &["ok", "pass", "passed", "passes", "passing", "succeeded"];

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
pub(super) fn test_outcome(output: &str) -> TestOutcome {
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

/// Returns whether the line counts failures, and there are none: "Errors: 0".
pub(super) fn counts_no_failures(line: &str) -> bool {
    let counts = Counts::read(line);
    counts.has_zero_failures && counts.failures == 0
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
            let is_failure = is_one_of(word.as_bytes(), FAILURE_WORDS);
            if !is_failure && !is_one_of(word.as_bytes(), SUCCESS_WORDS) {
                words_since_number += 1;
                continue;
            }
            // "Failures: 1" has its number after a sign, "1 failed" before the word.
            let count =
                take_number_after_sign(&mut words).or(number.filter(|_| words_since_number <= 1));
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

/// Takes the number that follows after `:` or `=`, if there is one.
fn take_number_after_sign(words: &mut Words<'_>) -> Option<u64> {
    let rest = words.rest.trim_start_matches([' ', '"']);
    let mut ahead = match rest.strip_prefix([':', '=']) {
        Some(after_sign) => Words { rest: after_sign },
        // "# fail 1" ends with its number, without a sign.
        None if rest.bytes().all(|byte| byte.is_ascii_digit()) => Words { rest },
        None => return None,
    };
    let value = parse_number(ahead.next()?)?;
    *words = ahead;
    Some(value)
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

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*", times in 1usize..400) {
            let long: String = output.repeat(times);
            let _ = test_outcome(&long);
        }
    }
}
