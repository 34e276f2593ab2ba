//! The kind of problem that a call ran into, which decides what advice to give.

use super::phrases::{DENIED_PHRASES, MISSING_FILE_PHRASES, MISSING_PROGRAM_PHRASES};
use crate::phrase_set::PhraseSet;
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
}
