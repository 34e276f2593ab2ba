//! Decides whether a call failed: by the host's flag, by the summary lines of a test
//! runner, by an exit code in a shell's output, or by an output that begins with an error.

use super::envelope::{envelope_of, unwrap_output};
use super::error_signature::{ErrorLines, is_exception};
use super::exit_code::has_failing_exit_code;
use super::http;
use super::lines::{first_line, inspected_lines, is_json, split_at_byte};
use super::phrases::ERROR_PHRASES;
use super::test_summary::{TestOutcome, test_outcome};
use crate::call::Fingerprint;
use crate::event::ToolResult;
use crate::hash;
use crate::phrase_set::{PhraseSet, is_one_of};
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
    const NAMES: &[&str] =
        &["iserror", "is_error", "ok", "outcome", "result", "state", "status", "success"];
    const VALUES: &[&str] = &[
        "aborted",
        "denied",
        "error",
        "failed",
        "failure",
        "forbidden",
        "refused",
        "rejected",
        "unauthorized",
    ];
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
            _ => is_one_of(value, VALUES),
        };
        is_flag && is_one_of(name, NAMES)
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
    const WORDS: &[&str] = &[
        "cannot",
        "denied",
        "error",
        "failed",
        "forbidden",
        "refused",
        "rejected",
        "unable",
        "unauthorized",
    ];
    let mut before = "";
    first_line(output).split([' ']).take(4).any(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_none = matches!(before, "no" | "No" | "0" | "without" | "never");
        before = word;
        !is_none && is_one_of(word.as_bytes(), WORDS)
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
    const WORDS: &[&str] = &["error", "exception", "fail", "failed", "failure", "fatal"];
    let Some((heading, _)) = split_at_byte(line, b':') else { return false };
    let heading = heading.split(['[']).next().unwrap_or_default().trim_ascii();
    // "0 failed: none" counts failures.
    let is_short = heading.len() <= MAX_HEADING
        && heading.split([' ']).count() <= MAX_HEADING_WORDS
        && !heading.bytes().any(|byte| byte.is_ascii_digit());
    let last = heading.rsplit([' ']).next().unwrap_or_default();
    is_short && is_one_of(last.as_bytes(), WORDS)
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

/// Returns whether the output begins with an error: `error`, `TimeoutError:`.
fn begins_with_error(output: &str) -> bool {
    static BEGINNINGS: PhraseSet =
        PhraseSet::ignoring_case(&["error", "exception", "fatal", "traceback", "uncaught"]);
    let start = output.trim_ascii_start().trim_start_matches(['{', '[', '"', '<', '(']);
    let heading = split_at_byte(first_line(start), b':').map_or("", |(heading, _)| heading);
    // A status may follow the name: `HttpError 400`.
    let name = heading.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let is_error_name = name.ends_with("Error") || name.ends_with("Exception");
    BEGINNINGS.begins(start.as_bytes()) || is_error_name && !name.contains([' '])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{Fingerprinter, Identity, Wanted};
    use crate::tools::{Tables, classify};
    use alloc::format;

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
}
