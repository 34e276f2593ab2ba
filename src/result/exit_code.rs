//! Finds an exit code in the output of a command: `exit code: 1`, `"exit_code":1`, `[exit 1]`.

use super::lines::{Words, inspected_lines};
use super::phrases::starts_with_ignoring_case;

/// Returns whether the output contains an exit code other than zero.
pub(super) fn has_failing_exit_code(output: &str) -> bool {
    inspected_lines(output).any(|line| {
        let mut words = Words { rest: line };
        if is_exit_note(line) {
            words.next();
            return read_exit_code(words.rest).is_some_and(|code| code != 0);
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
                return read_exit_code(words.rest).is_some_and(|code| code != 0);
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

/// Reads the exit code at the beginning of what follows its announcement.
fn read_exit_code(rest: &str) -> Option<u64> {
    let rest = rest.trim_start_matches([':', '=', ' ', '"', '\\', '(', '>']);
    // A negative code is one other than zero.
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let length = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    // "exit status 1-255" describes codes; it is not one.
    let is_range = rest.as_bytes().get(length) == Some(&b'-');
    if is_range { None } else { rest.get(..length)?.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*", times in 1usize..400) {
            let long: String = output.repeat(times);
            let _ = has_failing_exit_code(&long);
        }
    }
}
