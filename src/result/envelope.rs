//! What hosts put around the output of a command: exit codes, ids of processes and
//! chunks, headings. It differs from call to call and says nothing about the command,
//! so results are compared without it.

use super::phrases::starts_with_ignoring_case;
use memchr::{memchr, memrchr};

/// How many lines of it are looked for at either end.
const MAX_LINES: usize = 12;

/// Beginnings of lines before the output.
const HEADINGS: &[&str] = &[
    "background pids:",
    "chunk id:",
    "command:",
    "directory:",
    "error: (none)",
    "exit code ",
    "exit code:",
    "original token count:",
    "process exited with code ",
    "process group pgid:",
    "<exit_code>",
    "<returncode>",
    "signal:",
    "total output lines:",
    "wall time:",
];

/// Beginnings of lines after the output.
const ENDINGS: &[&str] = &[
    "[command finished with exit code",
    "[current working directory",
    "[exit code",
    "[python interpreter",
    "[the command completed with exit code",
    "<exit_code>",
    "<returncode>",
    "<shellid",
    "<timestamp>",
    "</bash_metadata>",
    "<bash_metadata>",
    "background pids:",
    "error: (none)",
    "exit code ",
    "exit code:",
    "process group pgid:",
    "signal:",
];

/// Headings that the output stands behind, on the same line or the next one.
const OUTPUT: &[&str] = &["output:", "stdout:", "<output>", "<stdout>"];

/// Words for no output.
const NOTHING: &[&str] = &["(empty)", "(none)", "(no output)"];

/// Returns the output without what a host put around it: a part of it, be it empty.
pub(super) fn unwrap_output(output: &str) -> &str {
    let mut body = output.trim_ascii();
    for _ in 0..MAX_LINES {
        let (line, rest) = match memchr(b'\n', body.as_bytes()) {
            Some(end) => (body.get(..end).unwrap_or_default(), body.get(end..).unwrap_or_default()),
            None => (body, body.get(body.len()..).unwrap_or_default()),
        };
        if let Some(heading) = OUTPUT.iter().find(|known| begins(line, known)) {
            body = body.get(heading.len()..).unwrap_or_default().trim_ascii();
            break;
        }
        if !HEADINGS.iter().any(|known| begins(line, known)) {
            break;
        }
        body = rest.trim_ascii();
    }
    for _ in 0..MAX_LINES {
        let start = memrchr(b'\n', body.as_bytes()).map_or(0, |end| end + 1);
        let line = body.get(start..).unwrap_or_default();
        if !ENDINGS.iter().any(|known| begins(line, known)) {
            break;
        }
        body = body.get(..start).unwrap_or_default().trim_ascii();
    }
    body = body.strip_suffix("</output>").or(body.strip_suffix("</stdout>")).unwrap_or(body);
    if NOTHING.contains(&body) { body.get(..0).unwrap_or_default() } else { body.trim_ascii() }
}

/// What the host put around the output: before it, and after it.
pub(super) fn envelope_of(output: &str) -> (&str, &str) {
    let body = unwrap_output(output);
    // The body is a part of the output.
    let start = (body.as_ptr() as usize).saturating_sub(output.as_ptr() as usize);
    let before = output.get(..start).unwrap_or_default();
    (before, output.get(start + body.len()..).unwrap_or_default())
}

/// Whether the line begins with the phrase. Nearly all comparisons end with the first
/// byte.
fn begins(line: &str, phrase: &str) -> bool {
    let (Some(one), Some(other)) = (line.bytes().next(), phrase.bytes().next()) else {
        return false;
    };
    one.eq_ignore_ascii_case(&other) && starts_with_ignoring_case(line, phrase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn envelopes_are_taken_off() {
        for (output, body) in [
            ("Exit code 1\nno such file", "no such file"),
            ("Exit code 1\n", ""),
            (
                "Chunk ID: a08ff4\nWall time: 3.1 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\nup to date\n",
                "up to date",
            ),
            (
                "Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 88",
                "a\nb",
            ),
            (
                "Command: mkdir x\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0",
                "",
            ),
            ("done\n<shellId: 81 completed with exit code 0>", "done"),
            ("\n[The command completed with exit code 1.]", ""),
            ("x\n[Python Interpreter: /bin/python]\n[Command finished with exit code 1]", "x"),
            ("<returncode>0</returncode>\n<output>\nhello\n</output>", "hello"),
            ("plain", "plain"),
            ("", ""),
            ("Errors: 3\nSignals: 4", "Errors: 3\nSignals: 4"),
        ] {
            assert_eq!(unwrap_output(output), body, "{output}");
        }
    }

    #[test]
    fn what_is_taken_off_is_the_envelope() {
        assert_eq!(
            envelope_of("Exit code 1\nx y\n<timestamp>3"),
            ("Exit code 1\n", "\n<timestamp>3")
        );
        assert_eq!(envelope_of("plain"), ("", ""));
        assert_eq!(envelope_of("Exit code 1"), ("Exit code 1", ""));
        assert_eq!(
            envelope_of("Exit code: 1\nOutput: (none)"),
            ("Exit code: 1\nOutput: ", "(none)")
        );
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*", lines in "(Output:|Exit code 1|é|\n){0,9}") {
            let _ = unwrap_output(&output);
            let _ = unwrap_output(&lines);
        }
    }
}
