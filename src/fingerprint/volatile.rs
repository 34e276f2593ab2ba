//! Tokens that differ from run to run and say nothing: times, durations, process
//! ids, ports, addresses, ids, hashes, temporary paths, the counters of progress
//! bars. Two outputs that differ only in these are the same output.
//!
//! Every such token has a digit in it, so text without digits is hashed as it
//! is. Where nothing but such tokens is said (the output of `md5sum`), they are
//! the message, and the text is taken as it stands.

use crate::hash;

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
pub(crate) fn steady_hash(text: &str, source: Source) -> u64 {
    let text = text.trim_ascii().as_bytes();
    let whole = |part: &[u8]| without_noise(part, source).unwrap_or_else(|| hash::bytes(part));
    let ends = text.split_at_checked(ENDS).and_then(|(head, rest)| {
        let (middle, tail) = rest.split_at_checked(rest.len().checked_sub(ENDS)?)?;
        Some(hash::pair(whole(head), hash::pair(hash::bytes(middle), whole(tail))))
    });
    ends.unwrap_or_else(|| whole(text))
}

/// The same, if there are volatile tokens beside something else.
pub(crate) fn without_noise(text: &[u8], source: Source) -> Option<u64> {
    let mut reader = Reader {
        text,
        source,
        bars: None,
        assertions: None,
        line_end: 0,
        progress: false,
        asserts: false,
    };
    let mut state = 0;
    let mut letters = 0;
    let mut plain_from = 0;
    let mut found = false;
    let mut token = 0;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        if !is(*byte, TOKEN) {
            at += 1;
            token = at;
            continue;
        }
        if !is(*byte, DIGIT) {
            at += 1;
            continue;
        }
        let end = reader.token_end(at);
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

/// What a byte can be part of. A look-up is all that most bytes cost.
const TOKEN: u8 = 1;
const DIGIT: u8 = 2;
const LETTER: u8 = 4;
const BAR: u8 = 8;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        let mut class = 0;
        // What holds a token together: `2026-01-02T03:04:05.6+01:00`, `/tmp/x`, `a.b:80`.
        if value.is_ascii_alphanumeric() || matches!(value, b'_' | b'-' | b'.' | b':' | b'/' | b'+')
        {
            class |= TOKEN;
        }
        if value.is_ascii_digit() {
            class |= DIGIT;
        }
        if value.is_ascii_alphabetic() || !value.is_ascii() {
            class |= LETTER;
        }
        // How the marks of a progress bar begin.
        if matches!(value, b'\r' | b'/' | b'[' | b'E' | 0xE2) {
            class |= BAR;
        }
        #[expect(clippy::indexing_slicing, reason = "worked out by the compiler, within bounds")]
        {
            classes[byte] = class;
        }
        byte += 1;
    }
    classes
};

#[inline(always)]
fn is(byte: u8, class: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|classes| classes & class != 0)
}

struct Reader<'t> {
    text: &'t [u8],
    source: Source,
    /// Whether there are progress bars or assertions at all, once that was looked up.
    bars: Option<bool>,
    assertions: Option<bool>,
    /// Up to where `progress` is known to hold.
    line_end: usize,
    progress: bool,
    asserts: bool,
}

/// What a token is made of: most questions are answered by that.
#[derive(Default)]
struct Made {
    letters: bool,
    beyond_hex: bool,
    colons: bool,
    dashes: bool,
    slashes: bool,
    other: bool,
}

impl Made {
    fn of(token: &[u8]) -> Self {
        let mut made = Self::default();
        for byte in token {
            match byte {
                b'0'..=b'9' => {}
                b'a'..=b'f' | b'A'..=b'F' => made.letters = true,
                b'g'..=b'z' | b'G'..=b'Z' => {
                    made.letters = true;
                    made.beyond_hex = true;
                }
                b':' => made.colons = true,
                b'-' => made.dashes = true,
                b'/' => made.slashes = true,
                _ => made.other = true,
            }
        }
        made
    }
}

impl Reader<'_> {
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
        let made = Made::of(token);
        let plain = !made.letters && !made.colons && !made.dashes && !made.slashes;
        if (plain && is_epoch(token)) || (made.dashes && (is_uuid(token) || is_moment(token))) {
            return Some((from, to));
        }
        if made.slashes
            && let Some((start, length)) = temporary(token, self.source)
        {
            return Some((from + start, from + start + length));
        }
        if self.source == Source::Arguments {
            return None;
        }
        self.look_at_line(from);
        if self.asserts {
            return None;
        }
        let whole = if self.is_named_noise(from) {
            true
        } else if plain {
            is_number(token) && (self.unit_follows(to) || self.is_process(from, to))
        } else if made.colons {
            is_clock(token) && !self.is_place(token, from) || is_hash(token)
        } else if made.dashes || made.slashes {
            is_date(token)
        } else if made.beyond_hex {
            is_address(token) || is_duration(token) || self.seconds_follow(token, to)
        } else {
            is_hash(token) || is_duration(token)
        };
        if whole || self.progress {
            return Some((from, to));
        }
        if !made.colons {
            return None;
        }
        ephemeral_port(token).map(|start| (from + start, to))
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
        let gap = before.iter().rev().take_while(|b| b" =#:\"'".contains(b)).count();
        let before = before.get(..from - gap.min(from)).unwrap_or_default();
        let is_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        let length = before.iter().rev().take_while(|byte| is_name(byte)).count();
        let name = before.get(before.len() - length..).unwrap_or_default();
        gap > 0 && NOISE_NAMES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
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
        let bars = *self.bars.get_or_insert_with(|| draws_progress(self.text));
        let assertions = *self.assertions.get_or_insert_with(|| asserts(self.text));
        if at < self.line_end || !bars && !assertions {
            return;
        }
        let before = self.text.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        self.line_end = start + length;
        // While it is the last thing that is said, how far it is, is the message.
        let last = rest.get(length..).is_none_or(|after| after.trim_ascii().is_empty());
        self.progress = bars && !last && draws_progress(line);
        self.asserts = assertions && asserts(line);
    }
}

/// Whether the text says what was expected: there a date or a duration is data.
fn asserts(text: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[b"xpected", b"ssert", b"eceived", b"ctual"];
    text.iter().zip(0..).any(|(byte, at)| {
        matches!(byte, b'x' | b's' | b'e' | b'c')
            && text.get(at..).is_some_and(|rest| WORDS.iter().any(|word| rest.starts_with(word)))
    })
}

const TIME_UNITS: &[&str] = &[
    "ms", "s", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "ns", "us",
];
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

/// `\r` that rewrites a line, `4.2it/s`, `12 MB/s`, `ETA`, `[==`, `[##`, and bars
/// drawn with blocks or lines.
fn draws_progress(text: &[u8]) -> bool {
    for (byte, next) in text.iter().zip(1..) {
        if !is(*byte, BAR) {
            continue;
        }
        let rest = text.get(next..).unwrap_or_default();
        let before = text.get(..next - 1).unwrap_or_default().last();
        let found = match byte {
            b'\r' => !rest.is_empty() && !rest.starts_with(b"\n"),
            b'/' => matches!(before, Some(b't' | b'B')) && rest.starts_with(b"s"),
            b'[' => rest.starts_with(b"==") || rest.starts_with(b"##"),
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

fn is_number(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_digit)
        && token.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// `550e8400-e29b-41d4-a716-446655440000`.
fn is_uuid(token: &[u8]) -> bool {
    token.len() == 36
        && token.iter().zip(0..).all(|(byte, place)| match place {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Seconds, or thousandths, millionths or billionths of them, since 1970, between 2017 and 2033.
fn is_epoch(token: &[u8]) -> bool {
    matches!(token.len(), 10 | 13 | 16 | 19)
        && token.iter().all(u8::is_ascii_digit)
        && matches!(token, [b'1', b'5'..=b'9', ..])
}

/// `2026-01-02T03:04:05.678Z`: a date and a time in one.
fn is_moment(token: &[u8]) -> bool {
    let Some((date, rest)) = token.split_at_checked(10) else { return false };
    is_date(date) && matches!(rest, [b'T' | b'_' | b'-', time @ ..] if starts_with_clock(time))
}

/// `2026-01-02`, `2026/01/02`.
fn is_date(token: &[u8]) -> bool {
    token.len() == 10
        && token.iter().zip(0..).all(|(byte, place)| match place {
            4 | 7 => matches!(byte, b'-' | b'/'),
            _ => byte.is_ascii_digit(),
        })
}

/// `3:04`, `03:04:05.678`; not `app.ts:3:04`, which is a place in a file.
fn is_clock(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_digit) && starts_with_clock(token)
}

fn starts_with_clock(token: &[u8]) -> bool {
    let hours = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let Some((_, rest)) = token.split_at_checked(hours) else { return false };
    matches!(hours, 1 | 2) && matches!(rest, [b':', b'0'..=b'5', b'0'..=b'9', ..])
}

/// `0x7ffd5e8a`.
fn is_address(token: &[u8]) -> bool {
    let [b'0', b'x', digits @ ..] = token else { return false };
    digits.len() >= 4 && digits.iter().all(u8::is_ascii_hexdigit)
}

/// `12ms`, `0.35s`, `1m23s`, `1h30m`.
fn is_duration(token: &[u8]) -> bool {
    let mut rest = token;
    let mut parts = 0;
    let mut sure = false;
    while !rest.is_empty() {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        let Some((_, after)) = rest.split_at_checked(digits) else { return false };
        let letters = after.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let Some((unit, after)) = after.split_at_checked(letters) else { return false };
        let short = matches!(unit, b"h" | b"m");
        if digits == 0 || !short && !TIME_UNITS.iter().any(|known| known.as_bytes() == unit) {
            return false;
        }
        // `500m` of a processor is no time.
        sure |= !short;
        parts += 1;
        rest = after;
    }
    sure || parts > 1
}

/// Seven hexadecimal digits or more, letters and numbers, as a hash or an id is
/// written; also behind a colon, as in `sha256:…`.
fn is_hash(token: &[u8]) -> bool {
    let last = token.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    last.len() >= 7
        && last.iter().all(u8::is_ascii_hexdigit)
        && last.iter().any(u8::is_ascii_digit)
        && last.iter().any(u8::is_ascii_alphabetic)
}

/// A port that the system picked: five digits, 32768 or more, behind a host.
fn ephemeral_port(token: &[u8]) -> Option<usize> {
    let colon = token.iter().rposition(|byte| *byte == b':')?;
    let digits = token.get(colon + 1..)?;
    let high = matches!(digits, [b'3', b'3'..=b'9', ..] | [b'4'..=b'6', ..]);
    (colon > 0 && digits.len() == 5 && high && digits.iter().all(u8::is_ascii_digit))
        .then_some(colon + 1)
}

/// The name in a temporary path that a program made up: `/tmp/tmpa1b2c3d4`,
/// `/tmp/pytest-12`. A name that an agent chose stays: in arguments that is any
/// that does not look like a program's, such as `/tmp/project-2`.
fn temporary(token: &[u8], source: Source) -> Option<(usize, usize)> {
    const FOLDERS: &[&[u8]] = &[b"/tmp/", b"/var/folders/"];
    let (folder, start) = FOLDERS.iter().find_map(|folder| {
        let mut places = 0..token.len();
        let at = places.find(|at| token.get(*at..).is_some_and(|rest| rest.starts_with(folder)))?;
        Some((*folder, at + folder.len()))
    })?;
    let rest = token.get(start..)?;
    if folder.len() > 5 {
        return Some((start, rest.len()));
    }
    let length = rest.iter().position(|byte| *byte == b'/').unwrap_or(rest.len());
    let name = rest.get(..length)?;
    let counted =
        source == Source::Output && name.iter().any(u8::is_ascii_digit) && !name.contains(&b'.');
    let made_up = counted && length >= 8 || name.starts_with(b"tmp") && length >= 9;
    made_up.then_some((start, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

    fn output(text: &str) -> u64 {
        steady_hash(text, Source::Output)
    }

    #[test]
    fn outputs_that_differ_only_in_noise_are_the_same() {
        for (one, other) in [
            ("3 failed in 0.12s", "3 failed in 4.01s"),
            ("3 failed in 0.12 seconds", "3 failed in 11 seconds"),
            ("done after 1m23s", "done after 2m01s"),
            ("started at 12:30:01", "started at 12:31:59"),
            ("drwxr-xr-x Feb  9 23:35 src", "drwxr-xr-x Feb  9 23:41 src"),
            (
                "[2026-01-02T03:04:05.678Z] no such table",
                "[2026-01-02T04:00:00.001Z] no such table",
            ),
            ("2026-01-02 03:04:05 no such table", "2026-01-03 03:04:06 no such table"),
            ("server pid 4711 exited", "server pid 4712 exited"),
            ("listening on port 49152", "listening on port 51000"),
            ("connect 127.0.0.1:49152 refused", "connect 127.0.0.1:51000 refused"),
            ("[1] 615\nstarted", "[1] 721\nstarted"),
            ("Nov 16 sshd[4711]: refused", "Nov 16 sshd[4712]: refused"),
            ("{\"pid\":41000,\"state\":\"idle\"}", "{\"pid\":41001,\"state\":\"idle\"}"),
            ("{\"status\":\"sent\",\"durationMs\":812}", "{\"status\":\"sent\",\"durationMs\":9}"),
            (
                "{\"status\":\"sent\",\"messageId\":\"m-81\"}",
                "{\"status\":\"sent\",\"messageId\":\"m-82\"}",
            ),
            ("cached at 1763280000123456789 again", "cached at 1763280009999123456 again"),
            ("<Foo object at 0x7f3a5e10>", "<Foo object at 0x7f3a7788>"),
            (
                "request 550e8400-e29b-41d4-a716-446655440000 failed",
                "request 6ba7b810-9dad-11d1-80b4-00c04fd430c8 failed",
            ),
            ("HEAD is now at 1a2b3c4d fix", "HEAD is now at 99aa0b1c fix"),
            ("image sha256:1a2b3c4d5e built", "image sha256:aabbcc0011 built"),
            ("wrote /tmp/tmpa1b2c3d4/out.txt", "wrote /tmp/tmpx9y8z7w6/out.txt"),
            ("cached at 1763280000123 again", "cached at 1763280009999 again"),
            (
                "fetch 45% [=====>    ] ETA 00:12\nfailed to fetch",
                "fetch 46% [=====>    ] ETA 00:11\nfailed to fetch",
            ),
            ("train 10/100 4.2it/s\nOut of memory", "train 12/100 4.1it/s\nOut of memory"),
            ("==== 1 failed, 3 passed in 0.12s ====", "==== 1 failed, 3 passed in 0.34s ===="),
            ("1 passed; 1 failed; finished in 0.01s", "1 passed; 1 failed; finished in 0.12s"),
            ("Time:        1.234 s, estimated 2 s", "Time:        2.001 s, estimated 3 s"),
            (
                " Duration  1.23s (transform 45ms, setup 0ms)",
                " Duration  3.21s (transform 51ms, setup 1ms)",
            ),
            ("--- FAIL: TestX (0.01s)", "--- FAIL: TestX (0.03s)"),
            ("ok  \tgithub.com/a/b\t0.012s", "ok  \tgithub.com/a/b\t0.034s"),
            ("Finished dev target(s) in 1m 02s", "Finished dev target(s) in 2m 31s"),
            ("real\t0m1.234s", "real\t0m2.345s"),
            ("Ran 5 tests in 0.001s\n\nOK", "Ran 5 tests in 0.004s\n\nOK"),
            ("container 3f4e5d6c7b8a exited", "container 9a8b7c6d5e4f exited"),
            ("#0 0x00007ffff7a42428 in raise ()", "#0 0x00007ffff7b52428 in raise ()"),
            ("Time: 12.345 ms\n(0 rows)", "Time: 13.345 ms\n(0 rows)"),
            ("tmp dir /tmp/pytest-of-me1/pytest-12", "tmp dir /tmp/pytest-of-me2/pytest-12"),
            ("  45%|████▌     | 45/100\nkilled", "  46%|████▌     | 46/100\nkilled"),
        ] {
            assert_eq!(output(one), output(other), "{one} / {other}");
        }
    }

    #[test]
    fn what_is_said_in_numbers_stays() {
        for (one, other) in [
            ("3 failed, 2 passed", "2 failed, 3 passed"),
            ("src/app.ts:12:30 error", "src/app.ts:14:30 error"),
            ("line 12: syntax error", "line 13: syntax error"),
            ("items[12]: not a number", "items [13]: not a number"),
            ("fetching 45% ETA 00:12", "fetching 46% ETA 00:12"),
            ("expected 2024-02-01, got 2024-02-02", "expected 2024-02-01, got 2024-02-03"),
            ("AssertionError: 250ms != 300ms", "AssertionError: 250ms != 310ms"),
            ("cpu limit 250m reached", "cpu limit 500m reached"),
            ("coverage 81% of lines", "coverage 82% of lines"),
            ("total 3705025700 people", "total 4705025700 people"),
            ("version 1.2.3 installed", "version 1.2.4 installed"),
            ("GET /users/12 404", "GET /users/13 404"),
            ("read /tmp/notes.txt", "read /tmp/plans.txt"),
            ("listening on :3000 now", "listening on :8080 now"),
            // A linter's line and column, with and without something before it.
            (
                "/a.js\n  12:30  error  Missing semicolon",
                "/a.js\n  14:30  error  Missing semicolon",
            ),
            ("/a.js\n  12:5  error  Missing semicolon", "/a.js\n  14:5  error  Missing semicolon"),
            ("at 45:12 in a.js", "at 46:12 in a.js"),
            // Nothing of this draws a progress bar.
            ("METADATA rows: 3", "METADATA rows: 4"),
            ("DETAILS: 3 failed", "DETAILS: 2 failed"),
            ("▶ suite, 3 failed", "▶ suite, 2 failed"),
            ("■ error on line 12", "■ error on line 14"),
            ("a\r\nline 12: error\r\n", "a\r\nline 14: error\r\n"),
            // What common tools print.
            ("Found 3 errors in 2 files.", "Found 2 errors in 2 files."),
            ("src/a.ts(12,5): error TS2345", "src/a.ts(14,5): error TS2345"),
            ("error[E0308]: mismatched types", "error[E0382]: mismatched types"),
            ("  --> src/main.rs:12:30", "  --> src/main.rs:14:30"),
            ("ERROR: relation 3 does not exist", "ERROR: relation 4 does not exist"),
            ("(3 rows)", "(4 rows)"),
            ("HTTP/1.1 404 Not Found", "HTTP/1.1 500 Not Found"),
            ("web-0  1/1  Running  3 restarts", "web-0  1/1  Running  4 restarts"),
            ("Your branch is ahead by 2 commits", "Your branch is ahead by 3 commits"),
            ("3 files changed, 12 insertions(+)", "3 files changed, 14 insertions(+)"),
            ("added 12 packages", "added 14 packages"),
            ("C:\\Temp\\file1.txt missing", "C:\\Temp\\file2.txt missing"),
            ("{\"count\":12,\"items\":[]}", "{\"count\":13,\"items\":[]}"),
            ("{\"page\": 1, \"next\": 2}", "{\"page\": 2, \"next\": 3}"),
            ("4096 bytes of the file", "8192 bytes of the file"),
            // Nothing else is said: the token is the message.
            ("43779a69f74214f3f6166fff83fbe551  -", "4f2e262a9de52bc2fad458be961936a7  -"),
            ("12:30:01", "12:31:59"),
        ] {
            assert_ne!(output(one), output(other), "{one} / {other}");
        }
    }

    #[test]
    fn in_arguments_only_what_nobody_means_twice_is_noise() {
        let arguments = |text| steady_hash(text, Source::Arguments);
        for (one, other) in [
            ("curl /items?ts=1763280000123", "curl /items?ts=1763280000999"),
            (
                r#"{"q":"x","at":"2026-01-02T03:04:05Z"}"#,
                r#"{"q":"x","at":"2026-01-02T03:09:05Z"}"#,
            ),
            (
                "run --request 550e8400-e29b-41d4-a716-446655440000",
                "run --request 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            ),
            ("cat /tmp/tmpa1b2c3d4/log", "cat /tmp/tmpx9y8z7w6/log"),
        ] {
            assert_eq!(arguments(one), arguments(other), "{one} / {other}");
        }
        for (one, other) in [
            // All that is said: whose id that is, matters.
            ("550e8400-e29b-41d4-a716-446655440000", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
            (r#"{"date":"2026-05-13"}"#, r#"{"date":"2026-05-14"}"#),
            ("git show 1a2b3c4d", "git show 99aa0b1c"),
            ("sed -i '396s/a/b/' file", "sed -i '412s/a/b/' file"),
            ("return n | 0xAAAAAAAA", "return n | 0x55555555"),
            ("sleep 5s && check", "sleep 9s && check"),
            ("cat /tmp/a1.txt here", "cat /tmp/a2.txt here"),
            ("ls /tmp/project-1", "ls /tmp/project-2"),
            ("cd /tmp/workdir1 && make", "cd /tmp/workdir2 && make"),
            ("kill 4711 by pid 4711", "kill 4712 by pid 4712"),
            ("curl localhost:49152/items", "curl localhost:51000/items"),
            ("meet at 12:30 with Ann", "meet at 14:30 with Ann"),
        ] {
            assert_ne!(arguments(one), arguments(other), "{one} / {other}");
        }
    }

    #[test]
    fn of_long_texts_the_ends_are_looked_at() {
        let log = |time: &str, middle: &str| {
            let noise = "a line of a log\n".repeat(1000);
            [time, " start\n", &noise, middle, &noise, "done in ", time].concat()
        };
        assert_eq!(output(&log("12:30:01", "x")), output(&log("12:31:02", "x")));
        assert_ne!(output(&log("12:30:01", "x")), output(&log("12:30:01", "y")));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*", digits in "[0-9:./x\\[\\]a-f -]{0,60}") {
            let both: String = [text.as_str(), &digits].concat();
            for source in [Source::Output, Source::Arguments] {
                let _ = steady_hash(&both, source);
            }
        }

        #[test]
        fn text_without_digits_is_hashed_as_it_is(text in "[a-zA-Z ,.:/=\n-]{0,80}") {
            prop_assert_eq!(output(&text), hash::bytes(text.trim_ascii().as_bytes()));
        }
    }
}
