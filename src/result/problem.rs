//! The problems that a result reports: of which kind, which decides what advice to give,
//! and how many.

use super::lines::{inspected_lines, parse_number};
use super::phrases::{DENIED_PHRASES, MISSING_FILE_PHRASES, MISSING_PROGRAM_PHRASES};
use crate::phrase_set::{PhraseSet, is_one_of};
use serde::{Deserialize, Serialize};

/// The kind of problem behind a failure, or behind a success that found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Problem {
    /// No problem, or one that the error line does not name.
    #[default]
    Other,
    /// A file or folder, or another thing that the call names, does not exist.
    MissingFile,
    /// A command or module is not installed.
    MissingProgram,
    /// Access is denied.
    Denied,
    /// A test run failed.
    FailingTest,
    /// A read or search worked and found nothing.
    NothingFound,
}

impl Problem {
    /// Finds the problem that the error line of a failure names.
    pub(super) fn of_failure(error_line: &str, runs_tests: bool) -> Self {
        let says = |phrases: &PhraseSet| phrases.occurs_in(error_line.as_bytes());
        if runs_tests {
            Self::FailingTest
        } else if says(&MISSING_PROGRAM_PHRASES) {
            Self::MissingProgram
        } else if says(&MISSING_FILE_PHRASES) {
            Self::MissingFile
        } else if says(&DENIED_PHRASES) {
            Self::Denied
        } else {
            Self::Other
        }
    }
}

/// Words that count what is left to fix if a number comes before or after them.
const PROBLEM_WORDS: &[&str] = &[
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
];

/// Words that may come between a number and what it counts: "3 tests failed".
const COUNTED: &[&str] = &["assertions", "checks", "files", "lint", "specs", "tests", "type"];

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
            } else if is_one_of(name, PROBLEM_WORDS) {
                most = most.max(number);
                is_named = word.ends_with(':');
                number = None;
                continue;
            } else if !is_one_of(name, COUNTED) {
                number = None;
            }
            is_named = false;
        }
    }
    most.filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_problem() {
        for (line, problem) in [
            ("ENOENT: no such file or directory, open 'a.ts'", Problem::MissingFile),
            ("cat: a.ts: No such file or directory", Problem::MissingFile),
            ("FileNotFoundError: [Errno 2] 'a'", Problem::MissingFile),
            ("The path a/b does not exist", Problem::MissingFile),
            ("Error: Directory not found: a/b", Problem::MissingFile),
            ("bash: line 1: mvn: command not found", Problem::MissingProgram),
            ("ModuleNotFoundError: No module named 'yaml'", Problem::MissingProgram),
            ("Error: Cannot find module './x'", Problem::MissingProgram),
            ("EACCES: permission denied, mkdir '/x'", Problem::Denied),
            ("HTTP 403 Forbidden", Problem::Denied),
            ("SyntaxError: invalid syntax", Problem::Other),
            ("", Problem::Other),
        ] {
            assert_eq!(Problem::of_failure(line, false), problem, "{line}");
        }
        assert_eq!(Problem::of_failure("1 failed", true), Problem::FailingTest);
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
}
