//! The lines of an output that are inspected: all of a short one, the beginning and
//! the end of a long one; and their words.

use memchr::{memchr, memchr_iter, memchr2_iter};

/// How much of a long output is inspected. Test runners print their summary last,
/// and a few print the first failure first.
const HEAD: usize = 2 * 1024;
const TAIL: usize = 16 * 1024;

/// Iterates over the inspected lines, without their line ends. JSON output, and a string of
/// it, has escaped line ends, `\n`, and is split there.
pub(super) fn inspected_lines(output: &str) -> impl Iterator<Item = &str> {
    inspected_line_indices(output).map(|(_, line)| line)
}

/// As [`inspected_lines`], each line with its start in the output.
pub(super) fn inspected_line_indices(output: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_long = output.len() > HEAD + TAIL;
    let (head_end, tail_start) = match is_long {
        true => (
            output.floor_char_boundary(HEAD),
            output.ceil_char_boundary(output.len().saturating_sub(TAIL)),
        ),
        false => (output.len(), output.len()),
    };
    let is_json = is_json(output) || is_escaped(output);
    InspectedLines { output, at: 0, end: head_end, tail_start, is_json }
}

/// Returns whether the output is a JSON object or array, by its first character.
pub(super) fn is_json(output: &str) -> bool {
    output.trim_ascii_start().starts_with(['{', '['])
}

/// Returns whether the output is one line, and no path of Windows makes its backslashes
/// anything but escapes.
fn is_escaped(output: &str) -> bool {
    memchr(b'\n', output.as_bytes()).is_none()
        && memchr_iter(b'\\', output.as_bytes())
            .all(|at| !output.get(..at).unwrap_or_default().ends_with(':'))
}

/// Splits a text at the first occurrence of a byte, which must be ASCII.
pub(super) fn split_at_byte(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = memchr(byte, text.as_bytes())?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns the first line that is not blank, without leading white space.
pub(super) fn first_line(text: &str) -> &str {
    let text = text.trim_ascii_start();
    split_at_byte(text, b'\n').map_or(text, |(line, _)| line)
}

struct InspectedLines<'o> {
    output: &'o str,
    /// Where the next line starts.
    at: usize,
    /// Where the part that is being read ends.
    end: usize,
    tail_start: usize,
    is_json: bool,
}

impl<'o> Iterator for InspectedLines<'o> {
    type Item = (usize, &'o str);

    fn next(&mut self) -> Option<(usize, &'o str)> {
        if self.at >= self.end {
            self.at = self.at.max(self.tail_start);
            self.end = self.output.len();
        }
        let rest = self.output.get(self.at..self.end).filter(|rest| !rest.is_empty())?;
        let line_end = match self.is_json {
            false => memchr(b'\n', rest.as_bytes()),
            true => find_json_line_end(rest.as_bytes()),
        };
        let line = rest.get(..line_end.unwrap_or(rest.len())).unwrap_or(rest);
        let start = self.at;
        self.at += line.len() + 1;
        // Only the backslash of an escaped line end is left.
        Some((start, if self.is_json { line.trim_end_matches('\\') } else { line }))
    }
}

/// Finds the first line end of JSON text: a real one, or the `n` of an escaped `\n`.
fn find_json_line_end(text: &[u8]) -> Option<usize> {
    memchr2_iter(b'\n', b'\\', text).find_map(|at| match text.get(at..)? {
        [b'\n', ..] => Some(at),
        [_, b'n', ..] => Some(at + 1),
        _ => None,
    })
}

/// Returns the value of a word that is nothing but digits.
pub(super) fn parse_number(word: &str) -> Option<u64> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { word.parse().ok() } else { None }
}

/// Reads the words of a line: runs of letters, digits and `_`. Every character beyond
/// ASCII counts as a letter.
#[derive(Clone, Copy)]
pub(super) struct Words<'l> {
    pub rest: &'l str,
}

impl<'l> Words<'l> {
    pub fn next(&mut self) -> Option<&'l str> {
        let bytes = self.rest.as_bytes();
        let mut start = 0;
        while !is_word_byte(*bytes.get(start)?) {
            start += 1;
        }
        let mut end = start + 1;
        while bytes.get(end).is_some_and(|byte| is_word_byte(*byte)) {
            end += 1;
        }
        let word = self.rest.get(start..end);
        self.rest = self.rest.get(end..)?;
        word
    }
}

#[inline(always)]
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn lines(output: &str) -> Vec<&str> {
        inspected_lines(output).collect()
    }

    #[test]
    fn splits_at_line_ends() {
        assert_eq!(lines("a\n\nb\r\nc"), ["a", "", "b\r", "c"]);
        assert_eq!(lines("a\n"), ["a"]);
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(lines("a\\nb"), ["a", "b"]);
        assert_eq!(lines("a\\nb\nc"), ["a\\nb", "c"]);
        assert_eq!(lines("no file C:\\new"), ["no file C:\\new"]);
        assert_eq!(lines("{\"a\":\"b\\nc\"}\nd"), ["{\"a\":\"b", "c\"}", "d"]);
    }

    #[test]
    fn both_ends_of_a_long_output_are_read() {
        let middle = "é line of a log\n".repeat(4_000);
        let output = format!("first\n{middle}last");
        let lines = lines(&output);
        assert_eq!((lines.first(), lines.last()), (Some(&"first"), Some(&"last")));
        let length: usize = lines.iter().map(|line| line.len() + 1).sum();
        assert!((HEAD + TAIL - 2..=HEAD + TAIL + 2).contains(&length), "{length}");
    }

    proptest! {
        #[test]
        fn lines_start_where_they_say(output in "[a{é\\\\\nn]{0,60}", times in 1usize..600) {
            let output = output.repeat(times);
            for (start, line) in inspected_line_indices(&output) {
                prop_assert!(output.get(start..).is_some_and(|rest| rest.starts_with(line)));
            }
        }

        #[test]
        fn plain_text_is_split_like_the_standard_library_does(output in "[ab\n]{0,60}") {
            prop_assert_eq!(lines(&output), output.lines().collect::<Vec<_>>());
        }
    }
}
