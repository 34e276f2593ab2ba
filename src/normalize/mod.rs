//! Tokens that differ from run to run and say nothing: times, durations, process
//! ids, ports, addresses, ids, hashes, temporary paths, the counters of progress
//! bars. Two outputs that differ only in these are the same output.
//!
//! Every such token has a digit in it, so text without digits is hashed as it
//! is. Where nothing but such tokens is said (the output of `md5sum`), they are
//! the message, and the text is taken as it stands.

mod tokens;

use crate::byte_class::ByteClasses;
use crate::byte_scan::{next_byte, next_digit, next_of_five};
use crate::hash;
use tokens::{
    TIME_UNITS, ephemeral_port, is_address, is_clock, is_date, is_duration, is_epoch, is_hash,
    is_moment, is_number, is_uuid, temporary,
};

/// Where the text comes from. In arguments most of these tokens are targets: a
/// date to search for, a commit to check out. Only what no one can mean twice is
/// left out there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Arguments,
    Output,
}

/// Fewer letters than this beside the volatile tokens, and these are the message.
const LETTERS: usize = 4;

/// So much is looked at on either end of a long text. What lies between is
/// compared as it stands: what changes from run to run, stands at the ends.
const ENDS: usize = 8 * 1024;

/// The hash of a text without its volatile tokens.
pub(crate) fn normalized_hash(text: &str, source: Source) -> u64 {
    let text = text.trim_ascii().as_bytes();
    let whole = |part: &[u8]| strip_volatile(part, source).unwrap_or_else(|| hash::bytes(part));
    let ends = text.split_at_checked(ENDS).and_then(|(head, rest)| {
        let (middle, tail) = rest.split_at_checked(rest.len().checked_sub(ENDS)?)?;
        Some(hash::pair(whole(head), hash::pair(hash::bytes(middle), whole(tail))))
    });
    ends.unwrap_or_else(|| whole(text))
}

/// The same, if there are volatile tokens beside something else.
pub(crate) fn strip_volatile(text: &[u8], source: Source) -> Option<u64> {
    let mut reader = Reader { text, source, bars: None, line: Line::default() };
    let mut state = 0;
    let mut letters = 0;
    let mut plain_from = 0;
    let mut found = false;
    let mut at = 0;
    while let Some(digit) = next_digit(text, at) {
        let token = reader.token_start(digit, at);
        let end = reader.token_end(digit);
        if let Some((from, to)) = reader.volatile(token, end) {
            let plain = text.get(plain_from..from).unwrap_or_default();
            letters = letters_in(plain, letters);
            state = hash::pair(state, hash::bytes(plain));
            plain_from = to;
            found = true;
        }
        at = end;
    }
    let rest = text.get(plain_from..).unwrap_or_default();
    if !found || letters_in(rest, letters) < LETTERS {
        return None;
    }
    Some(hash::pair(state, hash::bytes(rest)))
}

/// Whether there are enough letters, counting on from `letters`.
fn letters_in(text: &[u8], mut letters: usize) -> usize {
    for byte in text {
        if letters >= LETTERS {
            break;
        }
        letters += usize::from(is(*byte, LETTER));
    }
    letters
}

/// What a byte can be part of.
const TOKEN: u8 = 1;
const LETTER: u8 = 2;
const BEYOND_HEX: u8 = 4;
const COLON: u8 = 8;
const DASH: u8 = 16;
const SLASH: u8 = 32;
const CLAIM: u8 = 64;

static CLASSES: ByteClasses = ByteClasses::new(&[
    (b'0', b'9', TOKEN),
    (b'a', b'z', TOKEN | LETTER),
    (b'A', b'Z', TOKEN | LETTER),
    (b'g', b'z', BEYOND_HEX),
    (b'G', b'Z', BEYOND_HEX),
    (0x80, 0xFF, LETTER),
])
// What holds a token together: `2026-01-02T03:04:05.6+01:00`, `/tmp/x`, `a.b:80`.
.and(b"_.+", TOKEN)
.and(b"-", TOKEN | DASH)
.and(b":", TOKEN | COLON)
.and(b"/", TOKEN | SLASH)
// By what the words of an assertion are found.
.and(b"xvur", CLAIM);

#[inline(always)]
fn is(byte: u8, class: u8) -> bool {
    CLASSES.of(byte) & class != 0
}

struct Reader<'t> {
    text: &'t [u8],
    source: Source,
    /// Whether there are progress bars at all, once that was looked up.
    bars: Option<bool>,
    line: Line,
}

/// What the line is for that was looked at last.
#[derive(Default)]
struct Line {
    end: usize,
    /// It draws a progress bar.
    progress: bool,
    /// It says what was expected: there a date or a duration is data.
    asserts: bool,
}

/// What a token is made of: most questions are answered by that.
fn made_of(token: &[u8]) -> u8 {
    token.iter().fold(0, |made, byte| made | CLASSES.of(*byte))
}

impl Reader<'_> {
    fn token_start(&self, mut at: usize, least: usize) -> usize {
        while at > least && self.text.get(at - 1).is_some_and(|byte| is(*byte, TOKEN)) {
            at -= 1;
        }
        at
    }

    fn token_end(&self, mut at: usize) -> usize {
        while self.text.get(at).is_some_and(|byte| is(*byte, TOKEN)) {
            at += 1;
        }
        at
    }

    /// Which part of the token is volatile, if any.
    fn volatile(&mut self, mut from: usize, end: usize) -> Option<(usize, usize)> {
        let mut to = end;
        // What a name was told apart by does not belong to the token, either.
        while matches!(self.text.get(from), Some(b':')) {
            from += 1;
        }
        // Punctuation that ends a sentence does not belong to the token.
        while to > from && matches!(self.text.get(to - 1), Some(b'.' | b':' | b'-')) {
            to -= 1;
        }
        let token = self.text.get(from..to)?;
        let made = made_of(token);
        let has = |class: u8| made & class != 0;
        let plain = !has(LETTER | COLON | DASH | SLASH);
        if (plain && is_epoch(token)) || (has(DASH) && (is_uuid(token) || is_moment(token))) {
            return Some((from, to));
        }
        if has(SLASH)
            && let Some((start, length)) = temporary(token, self.source)
        {
            return Some((from + start, from + start + length));
        }
        if self.source == Source::Arguments {
            return None;
        }
        let whole = if self.is_named_noise(from) {
            true
        } else if plain {
            is_number(token) && (self.unit_follows(to) || self.is_process(from, to))
        } else if has(COLON) {
            is_clock(token) && !self.is_place(token, from) || is_hash(token)
        } else if has(DASH | SLASH) {
            is_date(token)
        } else if has(BEYOND_HEX) {
            is_address(token) || is_duration(token) || self.seconds_follow(token, to)
        } else {
            is_hash(token) || is_duration(token)
        };
        let port = if has(COLON) { ephemeral_port(token) } else { None };
        let bars = *self.bars.get_or_insert_with(|| draws_progress(self.text));
        if !whole && port.is_none() && !bars {
            return None;
        }
        self.look_at_line(from);
        match (whole || self.line.progress, port) {
            _ if self.line.asserts => None,
            (true, _) => Some((from, to)),
            (false, port) => port.map(|start| (from + start, to)),
        }
    }

    /// Whether `12:30` is a line and a column, as linters begin their lines with it,
    /// and not a time of day.
    fn is_place(&self, token: &[u8], from: usize) -> bool {
        let colon = token.iter().position(|byte| *byte == b':').unwrap_or_default();
        let (hours, minutes) = token.split_at_checked(colon).unwrap_or_default();
        if minutes.len() != 3 {
            return false;
        }
        let before = self.text.get(..from).unwrap_or_default();
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let begins = matches!(before.get(..from - blanks), Some([] | [.., b'\n']));
        begins || matches!(hours, [b'2', b'4'..=b'9'] | [b'3'..=b'9', _])
    }

    /// Whether the number is followed by a unit of time: `3.11 seconds`.
    fn unit_follows(&self, end: usize) -> bool {
        let Some([b' ', rest @ ..]) = self.text.get(end..) else { return false };
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = rest.get(..length).unwrap_or_default();
        TIME_UNITS.iter().any(|unit| unit.as_bytes() == word)
    }

    /// `1m 02s`: the minutes of a duration that is written in two words.
    fn seconds_follow(&self, token: &[u8], end: usize) -> bool {
        let Some((b'm' | b'h', digits)) = token.split_last() else { return false };
        let Some([b' ', rest @ ..]) = self.text.get(end..) else { return false };
        let length = rest.iter().take_while(|byte| is(**byte, TOKEN)).count();
        let next = rest.get(..length).unwrap_or_default();
        digits.iter().all(u8::is_ascii_digit) && !next.is_empty() && is_duration(next)
    }

    /// `pid 4711`, `port=8080`, `"durationMs": 812`, `"requestId":"a1"`: whether the
    /// name in front says that the value means nothing.
    fn is_named_noise(&self, from: usize) -> bool {
        let before = self.text.get(..from).unwrap_or_default();
        let mut gap = 0;
        while let Some(b' ' | b'=' | b'#' | b':' | b'"' | b'\'') =
            from.checked_sub(gap + 1).and_then(|at| before.get(at))
        {
            gap += 1;
        }
        if gap == 0 {
            return false;
        }
        let before = before.get(..from - gap).unwrap_or_default();
        let is_name = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b'_';
        let length = before.iter().rev().take(LONGEST_NAME + 1).take_while(is_name).count();
        let name = before.get(before.len() - length..).unwrap_or_default();
        let first = name.first().map_or(0, u8::to_ascii_lowercase);
        begins_noise(first)
            && NOISE_NAMES.iter().any(|known| {
                known.as_bytes().first() == Some(&first)
                    && name.eq_ignore_ascii_case(known.as_bytes())
            })
    }

    /// A shell's `[1] 4711` on a line of its own, and a log's `sshd[4711]:`.
    fn is_process(&self, from: usize, to: usize) -> bool {
        let before = self.text.get(..from).unwrap_or_default();
        let after = self.text.get(to..).unwrap_or_default();
        if let [name @ .., b'['] = before {
            return name.last().is_some_and(u8::is_ascii_alphabetic) && after.starts_with(b"]:");
        }
        matches!(after.first(), None | Some(b'\n' | b'\r'))
            && matches!(before, [line @ .., b' '] if ends_with_job(line))
    }

    /// Finds out what the line that `at` stands in is for.
    fn look_at_line(&mut self, at: usize) {
        if at < self.line.end {
            return;
        }
        let before = self.text.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        let length = next_byte(rest, at - start, b'\n').unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        // While it is the last thing that is said, how far it is, is the message.
        let last = rest.get(length..).is_none_or(|after| after.trim_ascii().is_empty());
        self.line = Line {
            end: start + length,
            // No line does, where the whole text does not.
            progress: self.bars == Some(true) && !last && draws_progress(line),
            asserts: asserts(line),
        };
    }
}

/// Whether the text says what was expected: there a date or a duration is data.
/// Each word is found by a letter that is not too common.
fn asserts(text: &[u8]) -> bool {
    let mut next = 0;
    while let Some(byte) = text.get(next) {
        next += 1;
        if !is(*byte, CLAIM) {
            continue;
        }
        let before = text.get(..next - 1).unwrap_or_default();
        let rest = text.get(next..).unwrap_or_default();
        let found = match byte {
            b'x' => matches!(rest, [b'p', b'e', b'c', b't', b'e', b'd', ..]),
            b'v' => matches!((before, rest), ([.., b'e', b'c', b'e', b'i'], [b'e', b'd', ..])),
            b'u' => matches!((before, rest), ([.., b'c', b't'], [b'a', b'l', ..])),
            _ => matches!((before, rest), ([.., b's', b's', b'e'], [b't', ..])),
        };
        if found {
            return true;
        }
    }
    false
}

/// Names whose values mean nothing; none is longer than `LONGEST_NAME`.
const NOISE_NAMES: &[&str] = &[
    "pid",
    "ppid",
    "tid",
    "port",
    "process",
    "thread",
    "job",
    "duration",
    "durationms",
    "duration_ms",
    "elapsed",
    "elapsedms",
    "elapsed_ms",
    "took",
    "latency",
    "uptime",
    "timestamp",
    "messageid",
    "message_id",
    "requestid",
    "request_id",
    "traceid",
    "trace_id",
];
const LONGEST_NAME: usize = 11;

/// How they begin; most other words do not.
fn begins_noise(byte: u8) -> bool {
    matches!(byte, b'p' | b't' | b'j' | b'd' | b'e' | b'l' | b'u' | b'm' | b'r')
}

/// `\r` that rewrites a line, `4.2it/s`, `12 MB/s`, `ETA`, `[==`, `[##`, and bars
/// drawn with blocks or lines.
fn draws_progress(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(mark) = next_of_five(text, at, [b'\r', b'/', b'[', b'E', 0xE2]) {
        at = mark + 1;
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        let [before @ .., byte] = before else { break };
        let before = before.last();
        let found = match byte {
            b'\r' => !matches!(rest, [] | [b'\n', ..]),
            b'/' => matches!(before, Some(b't' | b'B')) && matches!(rest, [b's', ..]),
            b'[' => matches!(rest, [b'=', b'=', ..] | [b'#', b'#', ..]),
            b'E' => {
                let inside = before.is_some_and(u8::is_ascii_alphabetic);
                !inside && matches!(rest, [b'T', b'A', end, ..] if !end.is_ascii_alphabetic())
            }
            _ => matches!(rest, [0x96, 0x88 | 0x91, ..] | [0x94, 0x81, ..]),
        };
        if found {
            return true;
        }
    }
    false
}

/// Whether the last line so far is a shell's `[1]`. Looks no further back than
/// that: a line can be megabytes long, and full of numbers.
fn ends_with_job(text: &[u8]) -> bool {
    let [text @ .., b']'] = text else { return false };
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let start = text.get(..text.len() - digits).unwrap_or_default();
    digits > 0 && matches!(start, [b'['] | [.., b'\n', b'['])
}

#[cfg(test)]
mod tests;
