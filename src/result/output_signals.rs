//! What the output of a successful call says: that nothing was achieved, that something has
//! not happened yet, or that there are problems despite the success.

use super::error_signature::ErrorLines;
use super::lines::inspected_lines;
use super::phrases::{
    BAD_STATES, COMPLAINTS, NEGATIVE_WORDS, NO_PROBLEM_PHRASES, PENDING_PHRASES, PENDING_STATES,
    PROBLEM_PHRASES, starts_with_ignoring_case,
};
use super::test_summary::counts_no_failures;
use crate::byte_class::ByteClasses;
use crate::phrase_set::is_one_of;

/// Returns whether the output says that the call achieved or found nothing: it has no
/// words, an empty list, or a negative word.
pub(crate) fn is_negative_result(output: &str) -> bool {
    let line = ErrorLines::find(output).line();
    !line.bytes().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()) || denies(line)
}

/// Returns whether the output says with a negative word or an empty list that nothing was
/// found. A bare number is an answer.
pub(super) fn says_none(output: &str) -> bool {
    denies(ErrorLines::find(output).line())
}

fn denies(line: &str) -> bool {
    line.as_bytes().windows(2).any(|two| two == b"[]")
        || line
            .as_bytes()
            .split(|byte| !byte.is_ascii_alphabetic() && *byte != b'\'')
            .any(|word| is_one_of(word, NEGATIVE_WORDS))
}

/// Returns whether the output has words. (A bare number is an answer.)
pub(crate) fn has_words(output: &str) -> bool {
    output.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Returns whether a short output says that something has not happened yet: in a sentence,
/// or as a state (`"status":"running"`, `build<tab>pending`). "Running" at the start of a
/// sentence is not a state.
pub(super) fn is_still_pending(output: &str) -> bool {
    let text = output.trim_ascii();
    if PENDING_PHRASES.occurs_in(text.as_bytes()) {
        return true;
    }
    values(text).any(|value| is_one_of(value, PENDING_STATES))
}

/// Returns whether the output says that something is wrong or cannot be done.
pub(super) fn is_complaint(output: &str) -> bool {
    values(output).any(|value| is_one_of(value, BAD_STATES))
        || inspected_lines(output).any(|line| {
            COMPLAINTS.begins_a_word_of(line.as_bytes())
                && !NO_PROBLEM_PHRASES.occurs_in(line.as_bytes())
        })
}

/// Iterates over the values in JSON, XML and tables: the text between delimiters, without
/// surrounding punctuation. A name before a colon is not a value.
fn values(output: &str) -> impl Iterator<Item = &[u8]> {
    let mut rest = output.as_bytes();
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|byte| SIGNS.of(*byte) != 0).unwrap_or(rest.len());
        let (value, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        rest = after.get(1..).unwrap_or_default();
        let is_name = matches!(after, [b':', ..] | [b'"', b':', ..]);
        Some(if is_name { &[] } else { value.trim_ascii() })
    })
}

/// The delimiters of values.
static SIGNS: ByteClasses = ByteClasses::new(&[]).and(b"\"'<>:=,;\n\t|()[].", 1);

/// Returns whether the output mentions errors, warnings or failed expectations. A line such
/// as "0 errors" does not count.
pub(crate) fn reports_problems(output: &str) -> bool {
    inspected_lines(output).any(|line| {
        let counts_none = starts_with_ignoring_case(line.trim_ascii_start(), "0 ")
            || starts_with_ignoring_case(line, "no ");
        !counts_none
            && PROBLEM_PHRASES.occurs_in(line.as_bytes())
            && !NO_PROBLEM_PHRASES.occurs_in(line.as_bytes())
            && !counts_no_failures(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn recognises_problems_of_successful_runs() {
        assert!(reports_problems("a.py:3: DeprecationWarning: gone soon"));
        assert!(reports_problems("Expected: 'x', actual: y"));
        assert!(!reports_problems("Found 0 errors. Watching for changes."));
        assert!(reports_problems("src/a.rs:3: warning: unused variable"));
        assert!(reports_problems("Traceback (most recent call last):"));
        assert!(!reports_problems("No errors found"));
        assert!(!reports_problems("0 errors, 0 failures"));
        assert!(!reports_problems("3 passed, 0 failed"));
        assert!(!reports_problems("Valid: 14, Invalid: 0, Errors: 0, Skipped: 0"));
        assert!(!reports_problems("Finished dev profile"));
        assert!(!reports_problems(""));
    }

    #[test]
    fn recognises_pending_states_and_sentences() {
        for output in [
            "pending",
            "Running",
            "{\"status\":\"running\",\"id\":3}",
            "{\"state\": \"in_progress\"}",
            "build\tqueued\t2m",
            "phase: Provisioning",
            "status=waiting",
            "<state>starting</state>",
            "The job is still on it",
            "2 checks are still open",
            "process running with pid 3",
            "waiting for the database",
            "not ready",
        ] {
            assert!(is_still_pending(output), "{output}");
        }
        for output in [
            "",
            "Running tests… FAILED",
            "Running 3 tests\n3 passed",
            "Building the app: done",
            "{\"running\": 3}",
            "He was running late",
            "done",
            "the queue is empty",
        ] {
            assert!(!is_still_pending(output), "{output}");
        }
    }

    #[test]
    fn recognises_complaints() {
        for output in [
            "{\"state\":\"failed\"}",
            "web\texited\t3h",
            "warning: nothing changed",
            "the door is locked",
            "cannot find the key",
            "access denied",
        ] {
            assert!(is_complaint(output), "{output}");
        }
        for output in ["", "all good", "no errors: fine", "{\"failed\": 0}", "unlocked"] {
            assert!(!is_complaint(output), "{output}");
        }
    }

    #[test]
    fn recognises_negative_results() {
        for output in ["", "[]", "{\"items\":[]}", "No matches found", "It doesn't exist", "123"] {
            assert!(is_negative_result(output), "{output}");
        }
        for output in ["a.ts:3: found", "{\"items\":[1]}", "note: nobody knows"] {
            assert!(!is_negative_result(output), "{output}");
        }
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*") {
            let _ = reports_problems(&output);
            let _ = is_negative_result(&output);
            let _ = is_still_pending(&output);
        }
    }
}
