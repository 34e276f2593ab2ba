//! The line of an output that says what went wrong, and the signature of that error: its
//! words without names, numbers, paths and quoted text. Errors with the same signature are
//! the same error, whatever their targets.

use super::http;
use super::lines::{inspected_line_indices, is_json, split_at_byte};
use super::phrases::{
    ERROR_PHRASES, INFRASTRUCTURE_PHRASES, TOOL_WORDS, starts_with_ignoring_case,
};
use crate::hash;
use crate::normalize::normalized_hash;
use memchr::memchr;

/// How many words of an error are compared. The rest is mostly details.
const MAX_WORDS: usize = 10;

/// How far a quotation in an error is read, in bytes; some errors quote whole files.
const MAX_QUOTED: usize = 4 * 1024;

/// The lines of an output that say what went wrong.
#[derive(Default)]
pub(crate) struct ErrorLines<'o> {
    output: &'o str,
    /// The first line that is not part of an envelope.
    first: Line<'o>,
    /// The first line that mentions an error.
    error: Line<'o>,
    /// The last line that is not part of an envelope.
    last: Line<'o>,
    /// The exception at the end of the output, if it ends with a traceback.
    raised: Line<'o>,
}

#[derive(Default, Clone, Copy)]
struct Line<'o> {
    text: &'o str,
    /// Where it starts in the output.
    start: usize,
}

impl<'o> ErrorLines<'o> {
    /// Finds the lines, in one pass over the inspected part of the output.
    pub fn find(output: &'o str) -> Self {
        let mut lines = Self { output, ..Self::default() };
        let mut in_traceback = false;
        for (start, line) in inspected_line_indices(output) {
            let text = line.trim_ascii_start();
            let line = Line { text: text.trim_ascii_end(), start: start + line.len() - text.len() };
            if is_envelope(line.text) {
                continue;
            }
            if lines.first.text.is_empty() {
                lines.first = line;
            }
            lines.last = line;
            in_traceback |= line.text.starts_with("Traceback");
            let is_raised = in_traceback && is_exception(line.text);
            lines.raised = if is_raised { line } else { Line::default() };
            if lines.error.text.is_empty()
                && line.text.len() > 6
                && ERROR_PHRASES.occurs_in(line.text.as_bytes())
            {
                lines.error = line;
            }
        }
        lines
    }

    /// Returns the line that says what went wrong; empty if there is none.
    pub fn line(&self) -> &'o str {
        self.error_line().text
    }

    /// Returns the exception of a traceback, or the first line that mentions an error, or
    /// else the first line.
    fn error_line(&self) -> Line<'o> {
        match (self.raised.text.is_empty(), self.error.text.is_empty()) {
            (false, _) => self.raised,
            (_, false) => self.error,
            _ => self.first,
        }
    }

    /// Hashes the words of the error. If the error is about tools, the tool's name is left
    /// out.
    pub fn signature(&self, tool: &str) -> u64 {
        let line = self.error_line();
        let tool = if TOOL_WORDS.occurs_in(line.text.as_bytes()) { tool } else { "" };
        if line.text.is_empty() {
            return hash::bytes(b"failed without a word");
        }
        let is_json = is_json(self.output);
        // A quotation may run over several lines, so read on beyond the line's end.
        let rest = self.output.get(line.start..).unwrap_or(line.text);
        let rest = rest.get(..rest.floor_char_boundary(MAX_QUOTED)).unwrap_or(rest);
        let mut words = ErrorWords { rest: rest.as_bytes(), is_json };
        let (state, count) = words.hash(tool);
        // One word is too little to recognise an error by.
        let state = if count < 2 { normalized_hash(line.text) } else { state };
        let quotes_beyond_line = rest.len() - words.rest.len() > line.text.len();
        if quotes_beyond_line || !self.raised.text.is_empty() || line.text == self.last.text {
            return state;
        }
        // Some environments print an error for every command, so the last line matters,
        // too.
        hash::pair(state, ErrorWords { rest: self.last.text.as_bytes(), is_json }.hash(tool).0)
    }

    /// Returns whether the error says that a service was busy or unreachable.
    pub fn is_infrastructure_error(&self) -> bool {
        let line = self.line();
        let mut words = line.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
        let has_code = words.any(|word| http::status_code(word).is_some_and(http::is_busy));
        has_code || INFRASTRUCTURE_PHRASES.begins_a_word_of(line.as_bytes())
    }
}

/// Returns whether the line looks like `ValueError: bad input`.
pub(super) fn is_exception(line: &str) -> bool {
    split_at_byte(line, b':').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_')
    })
}

/// Returns whether the line is part of the envelope that hosts put around every output.
fn is_envelope(line: &str) -> bool {
    let is_wrapped_in = |open, close| line.starts_with(open) && line.ends_with(close);
    line.len() < 2
        || is_wrapped_in('[', ']')
        || is_wrapped_in('<', '>')
        || starts_with_ignoring_case(line, "exit code")
        || starts_with_ignoring_case(line, "exit status")
}

/// Iterates over the words of an error up to the end of its line. An empty word marks
/// something left out: a quotation, a path, a number, punctuation.
struct ErrorWords<'o> {
    rest: &'o [u8],
    is_json: bool,
}

impl<'o> Iterator for ErrorWords<'o> {
    type Item = &'o [u8];

    fn next(&mut self) -> Option<&'o [u8]> {
        let (first, after) = self.rest.split_first()?;
        let close = match first {
            b'\n' => return None,
            b'`' => b'`',
            b'\'' => b'\'',
            b'"' if !self.is_json => b'"',
            b'[' if !self.is_json => b']',
            _ if first.is_ascii_alphabetic() || !first.is_ascii() => return Some(self.word()),
            b'0'..=b'9' | b'/' | b'~' | b'\\' => {
                self.word();
                return Some(&[]);
            }
            _ => {
                self.rest = after;
                return Some(&[]);
            }
        };
        let end = memchr(close, after).map_or(after.len(), |at| at + 1);
        self.rest = after.get(end..).unwrap_or_default();
        Some(&[])
    }
}

impl<'o> ErrorWords<'o> {
    /// Hashes the words in lower case, without the tool's name; also returns how many there
    /// are.
    fn hash(&mut self, tool: &str) -> (u64, usize) {
        let mut state = 0;
        let mut count = 0;
        while count < MAX_WORDS {
            let Some(word) = self.next() else { break };
            if word.is_empty() || is_name(word, tool) {
                continue;
            }
            let mut word_hash = 0;
            for byte in word {
                word_hash = hash::pair(word_hash, byte.to_ascii_lowercase().into());
            }
            state = hash::pair(state, word_hash);
            count += 1;
        }
        (state, count)
    }

    /// Takes the word that begins here; empty if it is a path or contains a digit.
    fn word(&mut self) -> &'o [u8] {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'"' | b'[');
        let length = self.rest.iter().position(ends).unwrap_or(self.rest.len()).max(1);
        let (word, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, &[]));
        self.rest = rest;
        let is_name = word.iter().any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\\'));
        if is_name { &[] } else { word }
    }
}

/// Returns whether the word is this name, perhaps with punctuation after it.
fn is_name(word: &[u8], name: &str) -> bool {
    let (start, rest) = word.split_at_checked(name.len()).unwrap_or_default();
    !start.is_empty() && start == name.as_bytes() && rest.iter().all(u8::is_ascii_punctuation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error_line(output: &str) -> &str {
        ErrorLines::find(output).line()
    }

    fn signature(output: &str) -> u64 {
        ErrorLines::find(output).signature("find_it")
    }

    fn is_infrastructure_error(output: &str) -> bool {
        ErrorLines::find(output).is_infrastructure_error()
    }

    #[test]
    fn finds_the_error_line() {
        for (output, line) in [
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'\n[exit code 1]",
                "KeyError: 'x'",
            ),
            ("compiling\nerror: cannot find a\nmore", "error: cannot find a"),
            (
                "ERROR:\nNo replacement was performed, old_str `a\nb` did not appear",
                "No replacement was performed, old_str `a",
            ),
            ("<returncode>1</returncode>\n<output>\nsomething else\n</output>", "something else"),
            ("", ""),
            ("npm warn old\nnpm error code ERESOLVE\nnpm error more", "npm error code ERESOLVE"),
            (
                "Compiling a\nerror[E0308]: mismatched types\n --> a.rs",
                "error[E0308]: mismatched types",
            ),
            ("fatal: not a git repository", "fatal: not a git repository"),
            (
                "psql: error: database \"x\" does not exist",
                "psql: error: database \"x\" does not exist",
            ),
            ("FAIL a.test.ts\n  ● adds\n    Expected: 3", "FAIL a.test.ts"),
            ("{\"ok\":false,\"error\":\"bad\"}", "{\"ok\":false,\"error\":\"bad\"}"),
            ("\r\n\r\n[exit code 1]\r\n", ""),
        ] {
            assert_eq!(error_line(output), line, "{output}");
        }
    }

    #[test]
    fn signatures_leave_out_what_the_error_is_about() {
        for (one, other) in [
            (
                "Error executing query: Unknown column 'a' in 'field list'",
                "Error executing query: Unknown column 'b.c' in 'field list'",
            ),
            (
                "ERROR:\nNo replacement was performed, old_str `x\ny` did not appear verbatim in /a/b.py.",
                "ERROR:\nNo replacement was performed, old_str `z` did not appear verbatim in /c.py.",
            ),
            (
                "Could not find [\"A\"]. Similar: ['x', 'y']",
                "Could not find [\"B (film)\"]. Similar: []",
            ),
            ("cat: a/b.txt: No such file or directory", "cat: c.txt9: No such file or directory"),
            (
                "{\"error\":\"file not found\",\"line\":3}",
                "{\"error\":\"file not found\",\"line\":14}",
            ),
            (
                "curl: (6) Could not resolve host: a1.com",
                "curl: (6) Could not resolve host: b2.com",
            ),
            (
                "Error from server (NotFound): pods \"a\" not found",
                "Error from server (NotFound): pods \"b-2\" not found",
            ),
            ("ERROR:  relation \"a\" does not exist", "ERROR:  relation \"b\" does not exist"),
            (
                "C:\\a\\b.txt: The system cannot find the file",
                "C:\\c.txt: The system cannot find the file",
            ),
        ] {
            assert_eq!(signature(one), signature(other), "{one} / {other}");
        }
        for (one, other) in [
            ("TypeError: x is not a function", "TypeError: y is not iterable"),
            ("{\"error\":\"file not found\"}", "{\"error\":\"permission denied\"}"),
            ("KeyError: 'a'", "KeyError: 'b'"),
            ("Unknown column 'a' in 'field list'", "Table 'a.b' doesn't exist"),
            ("error TS2345: Argument is wrong", "error TS2304: Cannot find name"),
            ("error: expected one of `;`", "error: cannot borrow as mutable"),
            ("fatal: not a git repository", "fatal: bad revision 'x'"),
            ("npm error code ERESOLVE\nnpm error a", "npm error code ENOENT\nnpm error b"),
            ("curl: (6) Could not resolve host: a", "curl: (7) Failed to connect to a"),
            ("bash: foo: command not found", "bash: foo: Permission denied"),
            (
                "Error response from daemon: No such container: a",
                "Error response from daemon: Conflict. The name is in use",
            ),
            (
                "Error from server (NotFound): pods \"a\" not found",
                "Error from server (Forbidden): no",
            ),
        ] {
            assert_ne!(signature(one), signature(other), "{one} / {other}");
        }
    }

    #[test]
    fn recognises_busy_services() {
        for output in [
            "HTTP 429: slow down",
            "Error: request failed with status code 503",
            "connect ECONNREFUSED 127.0.0.1:5432",
            "Error: Rate limit exceeded, retry after 20s",
            "error: operation timed out",
        ] {
            assert!(is_infrastructure_error(output), "{output}");
        }
        for output in [
            "TypeError: x is undefined",
            "error on line 4290",
            "3 tests failed",
            "AssertionError: expected 200, got 404",
            "HTTP/1.1 500 Internal Server Error",
        ] {
            assert!(!is_infrastructure_error(output), "{output}");
        }
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*", quotes in "[`'\"\\[\\]a-z\n ]{0,80}") {
            for text in [&output, &quotes] {
                let _ = signature(text);
                let _ = is_infrastructure_error(text);
            }
        }
    }
}
