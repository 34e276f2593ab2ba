//! What hosts put around the output of a command: exit codes, ids of processes and
//! chunks, headings; and the head of an HTTP response. It differs from call to call and
//! says nothing about the command, so results are compared without it.

use super::http;
use crate::phrase_set::PhraseSet;
use memchr::{memchr, memchr_iter, memrchr};

/// How many envelope lines are stripped at each end, at most.
const MAX_LINES: usize = 12;

/// Beginnings of lines before the output.
static HEADINGS: PhraseSet = PhraseSet::ignoring_case(&[
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
]);

/// Beginnings of lines after the output.
static ENDINGS: PhraseSet = PhraseSet::ignoring_case(&[
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
]);

/// Headings followed by the output, on the same line or the next.
static OUTPUT: PhraseSet =
    PhraseSet::ignoring_case(&["output:", "stdout:", "<output>", "<stdout>"]);

/// Names of the field with the output, where the envelope is JSON.
const OUTPUT_FIELDS: &[&str] = &["\"output\"", "\"stdout\""];

/// Names of fields with the exit code.
static EXIT_CODES: PhraseSet =
    PhraseSet::ignoring_case(&["exit_code", "exitcode", "return_code", "returncode"]);

/// The longest envelope after the output, where it is JSON.
const MAX_FIELDS: usize = 160;

/// Placeholders for no output.
const NOTHING: &[&str] = &["(empty)", "(none)", "(no output)"];

/// Returns the output without its envelope: a slice of it, possibly empty.
pub(super) fn unwrap_output(output: &str) -> &str {
    let mut body = output.trim_ascii();
    if let Some(field) = output_field(body) {
        return field;
    }
    for _ in 0..MAX_LINES {
        if let Some(heading) = OUTPUT.beginning_of(body.as_bytes()) {
            body = body.get(heading.len()..).unwrap_or_default().trim_ascii();
            break;
        }
        if !HEADINGS.begins(body.as_bytes()) {
            break;
        }
        let end = memchr(b'\n', body.as_bytes()).unwrap_or(body.len());
        body = body.get(end..).unwrap_or_default().trim_ascii();
    }
    for _ in 0..MAX_LINES {
        let start = memrchr(b'\n', body.as_bytes()).map_or(0, |end| end + 1);
        if !ENDINGS.begins(body.as_bytes().get(start..).unwrap_or_default()) {
            break;
        }
        body = body.get(..start).unwrap_or_default().trim_ascii();
    }
    body = body.strip_suffix("</output>").or(body.strip_suffix("</stdout>")).unwrap_or(body);
    body = http::body_of(body);
    if NOTHING.contains(&body) { body.get(..0).unwrap_or_default() } else { body.trim_ascii() }
}

/// Returns the output, as it is written, of an envelope in JSON:
/// `{"output":"…","metadata":{"exit_code":0,"duration_seconds":0.1}}`.
fn output_field(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('{')?.trim_ascii_start();
    let rest = OUTPUT_FIELDS.iter().find_map(|name| rest.strip_prefix(name))?;
    let rest = rest.trim_ascii_start().strip_prefix(':')?.trim_ascii_start().strip_prefix('"')?;
    let is_end = |at: &usize| {
        let before = rest.as_bytes().get(..*at).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
    };
    let end = memchr_iter(b'"', rest.as_bytes()).find(is_end)?;
    let after = rest.get(end..)?;
    // Another text in it, such as what went to the standard error, counts as well.
    let is_short = after.len() <= MAX_FIELDS;
    (is_short && EXIT_CODES.occurs_in(after.as_bytes())).then(|| rest.get(..end))?
}

/// Returns the envelope of the output: what comes before its body, and after it. `body`
/// must be a slice of the output.
pub(super) fn envelope_of<'o>(output: &'o str, body: &str) -> (&'o str, &'o str) {
    let start = (body.as_ptr() as usize).saturating_sub(output.as_ptr() as usize);
    let before = output.get(..start).unwrap_or_default();
    (before, output.get(start + body.len()..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn envelopes_are_stripped() {
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
            (
                r#"{"output":"a \"b\"\nc","metadata":{"exit_code":0,"duration_seconds":1.2}}"#,
                r#"a \"b\"\nc"#,
            ),
            (r#"{ "stdout": "", "exitCode": 1 }"#, ""),
            (r#"{"output":"a","next":"b"}"#, r#"{"output":"a","next":"b"}"#),
            (r#"{"output":"a"#, r#"{"output":"a"#),
            ("Exit code: 0\nOutput:\nHTTP/2 200 \nage: 3\n\nhello", "hello"),
            ("plain", "plain"),
            ("", ""),
            ("Errors: 3\nSignals: 4", "Errors: 3\nSignals: 4"),
        ] {
            assert_eq!(unwrap_output(output), body, "{output}");
        }
    }

    #[test]
    fn what_is_stripped_is_the_envelope() {
        let envelope_of = |output| envelope_of(output, unwrap_output(output));
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
