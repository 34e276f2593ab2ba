//! The line of an output that tells what went wrong, and what that error is the
//! same as: its words without names, numbers, paths and whatever was quoted.

use super::failure::looked_at;
use super::output_signals::{has_any, starts_with};
use super::phrases::{BUSY_CODES, ERROR_WORDS, INFRASTRUCTURE};
use crate::hash;
use crate::normalize::{Source, normalized_hash};

/// So many words of an error are compared. What follows is mostly about details.
const WORDS: usize = 10;

/// How far a quotation in an error is followed; some quote whole files.
const QUOTED: usize = 4 * 1024;

/// The lines of an output that tell what went wrong.
#[derive(Default)]
pub(crate) struct ErrorLines<'o> {
    output: &'o str,
    /// The first that says anything.
    first: &'o str,
    /// The first that speaks of an error.
    error: &'o str,
    /// The last that says anything.
    last: &'o str,
    /// What was raised, if the output ends with a traceback.
    raised: &'o str,
}

impl<'o> ErrorLines<'o> {
    /// One pass over both ends of the output.
    pub fn of(output: &'o str) -> Self {
        let mut told = Self { output, ..Self::default() };
        let mut traceback = false;
        for line in looked_at(output) {
            let line = line.trim_ascii();
            if is_envelope(line) {
                continue;
            }
            if told.first.is_empty() {
                told.first = line;
            }
            told.last = line;
            traceback |= line.starts_with("Traceback");
            told.raised = if traceback && is_raised(line) { line } else { "" };
            if told.error.is_empty() && line.len() > 6 && has_any(line, ERROR_WORDS) {
                told.error = line;
            }
        }
        told
    }

    /// The line that tells what went wrong: the last of a traceback, else the first
    /// that speaks of an error, else the first that says anything.
    pub fn line(&self) -> &'o str {
        match (self.raised.is_empty(), self.error.is_empty()) {
            (false, _) => self.raised,
            (_, false) => self.error,
            _ => self.first,
        }
    }

    /// What an error is the same as, whatever it was about.
    pub fn signature(&self) -> u64 {
        let (output, line) = (self.output, self.line());
        if line.is_empty() {
            return hash::bytes(b"failed without a word");
        }
        let json = output.trim_ascii_start().starts_with(['{', '[']);
        // A quotation may run over several lines: read on from where the line stands.
        let from = line.as_ptr().addr().wrapping_sub(output.as_ptr().addr());
        let rest = output.get(from..).unwrap_or(line);
        let rest = rest.get(..rest.floor_char_boundary(QUOTED)).unwrap_or(rest);
        let mut words = Words { rest: rest.as_bytes(), json };
        let (state, count) = words.hash();
        // Too few words to know it again by.
        let state = if count < 2 { normalized_hash(line, Source::Output) } else { state };
        let quotes_on = rest.len() - words.rest.len() > line.len();
        if quotes_on || !self.raised.is_empty() || line == self.last {
            return state;
        }
        // Some environments complain at every command: then it is the end that tells.
        hash::pair(state, Words { rest: self.last.as_bytes(), json }.hash().0)
    }

    /// Whether an error says that a service was busy or away.
    pub fn blames_infrastructure(&self) -> bool {
        let line = self.line();
        let code =
            line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| BUSY_CODES.contains(&word));
        code || has_any(line, INFRASTRUCTURE)
    }
}

/// `ValueError: bad input`.
fn is_raised(line: &str) -> bool {
    line.split_once([':']).is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_')
    })
}

/// What a harness puts around every output.
fn is_envelope(line: &str) -> bool {
    let wrapped = |open, close| line.starts_with(open) && line.ends_with(close);
    line.len() < 2
        || wrapped('[', ']')
        || wrapped('<', '>')
        || starts_with(line, "exit code")
        || starts_with(line, "exit status")
}

/// The plain words of an error's first line.
struct Words<'o> {
    rest: &'o [u8],
    json: bool,
}

impl<'o> Iterator for Words<'o> {
    type Item = &'o [u8];

    /// An empty word stands for something that was left out.
    fn next(&mut self) -> Option<&'o [u8]> {
        let (first, after) = self.rest.split_first()?;
        let close = match first {
            b'\n' => return None,
            b'`' => b'`',
            b'\'' => b'\'',
            b'"' if !self.json => b'"',
            b'[' if !self.json => b']',
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
        let end = after.iter().position(|byte| *byte == close).map_or(after.len(), |at| at + 1);
        self.rest = after.get(end..).unwrap_or_default();
        Some(&[])
    }
}

impl<'o> Words<'o> {
    /// The hash of the words up to the end of the line, and how many these are.
    fn hash(&mut self) -> (u64, usize) {
        let mut state = 0;
        let mut count = 0;
        while count < WORDS {
            let Some(word) = self.next() else { break };
            if word.is_empty() {
                continue;
            }
            let mut folded = 0;
            for byte in word {
                folded = hash::pair(folded, byte.to_ascii_lowercase().into());
            }
            state = hash::pair(state, folded);
            count += 1;
        }
        (state, count)
    }

    /// Takes the word that begins here; empty if it is a path or carries a number.
    fn word(&mut self) -> &'o [u8] {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'"' | b'[');
        let length = self.rest.iter().position(ends).unwrap_or(self.rest.len()).max(1);
        let (word, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, &[]));
        self.rest = rest;
        let about = word.iter().any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\\'));
        if about { &[] } else { word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn telling_line(output: &str) -> &str {
        ErrorLines::of(output).line()
    }

    fn signature(output: &str) -> u64 {
        ErrorLines::of(output).signature()
    }

    fn blames_infrastructure(output: &str) -> bool {
        ErrorLines::of(output).blames_infrastructure()
    }

    #[test]
    fn the_line_that_tells_is_found() {
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
            assert_eq!(telling_line(output), line, "{output}");
        }
    }

    #[test]
    fn one_error_whatever_it_is_about() {
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
    fn busy_services_are_told_apart() {
        for output in [
            "HTTP 429: slow down",
            "Error: request failed with status code 503",
            "connect ECONNREFUSED 127.0.0.1:5432",
            "Error: Rate limit exceeded, retry after 20s",
            "error: operation timed out",
        ] {
            assert!(blames_infrastructure(output), "{output}");
        }
        for output in [
            "TypeError: x is undefined",
            "error on line 4290",
            "3 tests failed",
            "AssertionError: expected 200, got 404",
            "HTTP/1.1 500 Internal Server Error",
        ] {
            assert!(!blames_infrastructure(output), "{output}");
        }
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*", quotes in "[`'\"\\[\\]a-z\n ]{0,80}") {
            for text in [&output, &quotes] {
                let _ = signature(text);
                let _ = blames_infrastructure(text);
            }
        }
    }
}
