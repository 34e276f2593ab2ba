//! Normalises text: leaves out volatile tokens, which differ from run to run and carry no
//! information: times, durations, process ids, ports, addresses, ids, hashes, temporary
//! paths and the counters of progress bars. Two outputs that differ only in these are the
//! same output.
//!
//! Every such token contains a digit, so text without digits is hashed as it is. Text with
//! little besides volatile tokens (the output of `md5sum`) is not normalised: there they
//! are the information.

mod tokens;

use crate::byte_class::ByteClasses;
use crate::hash;
use crate::phrase_set::{PhraseSet, is_one_of};
use memchr::{memchr, memchr2_iter, memchr3_iter, memrchr};
use tokens::{
    TIME_UNITS, ephemeral_port, is_address, is_clock, is_date, is_duration, is_epoch, is_hash,
    is_number, is_random_id, is_timestamp, is_uuid, long_number, temporary_name, uuid_in_path,
};

/// Where the text comes from. In arguments most volatile tokens are targets: a date to
/// search for, a commit to check out. Only tokens that nobody would use twice on purpose
/// are left out there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Arguments,
    Output,
}

/// With fewer letters than this besides the volatile tokens, text is not normalised.
const MIN_LETTERS: usize = 4;

/// How many bytes of a long text are normalised at each end. The middle is hashed as it is.
const MAX_END: usize = 32 * 1024;

/// Hashes an output without its volatile tokens.
pub(crate) fn normalized_hash(text: &str) -> u64 {
    output_hashes(text).1
}

/// Hashes an output, without surrounding white space, twice: as it is, and without its
/// volatile tokens.
pub(crate) fn output_hashes(text: &str) -> (u64, u64) {
    let text = text.trim_ascii().as_bytes();
    let exact = hash::bytes(text);
    let strip = |part: &[u8]| strip_volatile(part, Source::Output);
    let hash_part = |part: &[u8]| strip(part).unwrap_or_else(|| hash::bytes(part));
    let long = text.split_at_checked(MAX_END).and_then(|(head, rest)| {
        let (middle, tail) = rest.split_at_checked(rest.len().checked_sub(MAX_END)?)?;
        Some(hash::pair(hash_part(head), hash::pair(hash::bytes(middle), hash_part(tail))))
    });
    (exact, long.unwrap_or_else(|| strip(text).unwrap_or(exact)))
}

/// Hashes a text without its volatile tokens, whatever its length. `None` if it has no
/// volatile tokens, or little else.
pub(crate) fn strip_volatile(text: &[u8], source: Source) -> Option<u64> {
    let mut reader = Reader { text, source, has_progress: None, line: Line::default() };
    let mut state = 0;
    let mut letters = 0;
    let mut kept_from = 0;
    let mut found = false;
    for token in (NumberedTokens { text, at: 0 }) {
        if let Some((from, to)) = reader.volatile_part(token) {
            let kept = text.get(kept_from..from).unwrap_or_default();
            letters = count_letters(kept, letters);
            state = hash::pair(state, hash::bytes(kept));
            kept_from = to;
            found = true;
        }
    }
    let rest = text.get(kept_from..).unwrap_or_default();
    if !found || count_letters(rest, letters) < MIN_LETTERS {
        return None;
    }
    Some(hash::pair(state, hash::bytes(rest)))
}

/// The longest number that counts something, in digits.
const MAX_NUMBER: usize = 6;

/// Which numbers [`words_hash`] leaves out, besides ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Words that contain a digit, plain numbers among them.
    Dropped,
    /// None: a plain number may be new information.
    Kept,
}

/// Hashes only the words of a text, whatever the order of its lines. Words that look like
/// ids are left out: those with letters and digits, and those with capitals in the middle.
pub(crate) fn words_hash(text: &str, numbers: Numbers) -> u64 {
    let text = text.as_bytes();
    let (head, rest) = text.split_at_checked(MAX_END).unwrap_or((text, &[]));
    let tail = rest.get(rest.len().saturating_sub(MAX_END)..).unwrap_or_default();
    // A sum has no order.
    sum_of_lines(head, numbers).wrapping_add(sum_of_lines(tail, numbers))
}

/// Sums the hashes of the lines; the hash of a line is that of its words.
fn sum_of_lines(text: &[u8], numbers: Numbers) -> u64 {
    let mut sum = 0u64;
    let mut line = 0;
    let mut start = 0;
    let mut classes = 0;
    let mut at = 0;
    while at <= text.len() {
        // The last line may lack a line end.
        let byte = text.get(at).copied().unwrap_or(b'\n');
        let class = WORD_CLASSES.of(byte);
        at += 1;
        if class != 0 {
            classes |= class;
            continue;
        }
        let word = text.get(start..at - 1).unwrap_or_default();
        // Few words have digits or capitals, as ids do.
        let is_plain = match classes & MAY_BE_ID {
            0 => word.len() > 1,
            _ => is_plain_word(word, numbers),
        };
        if is_plain {
            line = hash::pair(line, hash::bytes(word));
        }
        if byte == b'\n' {
            sum = sum.wrapping_add(line);
            line = 0;
        }
        start = at;
        classes = 0;
    }
    sum
}

/// The bytes that words consist of; all others separate words.
static WORD_CLASSES: ByteClasses = ByteClasses::new(&[
    (b'a', b'z', 1),
    (b'A', b'Z', MAY_BE_ID),
    (b'0', b'9', MAY_BE_ID),
    (0x80, 0xFF, 1),
])
.and(b"_-", 1);

/// The class of digits and capitals.
const MAY_BE_ID: u8 = 2;

fn is_plain_word(word: &[u8], numbers: Numbers) -> bool {
    let [first, rest @ ..] = word else { return false };
    let has_digits = word.iter().any(u8::is_ascii_digit);
    if has_digits {
        // A long number is an id.
        let is_number = word.len() <= MAX_NUMBER && word.iter().all(u8::is_ascii_digit);
        return numbers == Numbers::Kept && is_number;
    }
    let has_small = first.is_ascii_lowercase() || rest.iter().any(u8::is_ascii_lowercase);
    let is_mixed = has_small && rest.iter().any(u8::is_ascii_uppercase);
    // The dots and letters of a progress line, `..F.`, change their order each time.
    !rest.is_empty() && !is_mixed
}

/// Adds the number of letters in the text to a count, which stops at [`MIN_LETTERS`].
fn count_letters(text: &[u8], mut letters: usize) -> usize {
    for byte in text {
        if letters >= MIN_LETTERS {
            break;
        }
        letters += usize::from(is(*byte, LETTER));
    }
    letters
}

/// A token: where it starts and ends, and the classes of its bytes.
struct Token {
    start: usize,
    end: usize,
    classes: u8,
}

/// Iterates over the tokens that contain a digit.
struct NumberedTokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl Iterator for NumberedTokens<'_> {
    type Item = Token;

    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        let rest = self.text.get(self.at..)?;
        let (before, after) = rest.split_at_checked(find_digit(rest)?)?;
        let mut token =
            Token { start: self.at + before.len(), end: self.at + before.len(), classes: 0 };
        for byte in before.iter().rev() {
            let class = CLASSES.of(*byte);
            if class & TOKEN == 0 {
                break;
            }
            token.classes |= class;
            token.start -= 1;
        }
        for byte in after {
            let class = CLASSES.of(*byte);
            if class & TOKEN == 0 {
                break;
            }
            token.classes |= class;
            token.end += 1;
        }
        self.at = token.end;
        Some(token)
    }
}

/// Finds the first digit.
fn find_digit(text: &[u8]) -> Option<usize> {
    let digit_in = |part: &[u8]| part.iter().position(u8::is_ascii_digit);
    let (words, rest) = text.as_chunks::<8>();
    let in_words = words.iter().zip(0..).find_map(|(word, place)| match may_have_digit(*word) {
        true => digit_in(word).map(|at| 8 * place + at),
        false => None,
    });
    in_words.or_else(|| digit_in(rest).map(|at| 8 * words.len() + at))
}

/// Returns whether one of eight bytes is between 0x30 and 0x3F. Digits are, and few other
/// bytes of common text.
#[inline(always)]
fn may_have_digit(word: [u8; 8]) -> bool {
    /// Repeats a byte eight times.
    const fn each(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    // Zero for such a byte,
    let others = u64::from_le_bytes(word) & each(0xF0) ^ each(0x30);
    // and subtracting one from zero borrows.
    others.wrapping_sub(each(1)) & !others & each(0x80) != 0
}

/// Classes of bytes. What is not `TOKEN` ends a token.
const TOKEN: u8 = 1;
const LETTER: u8 = 2;
const LETTER_BEYOND_HEX: u8 = 4;
const COLON: u8 = 8;
const DASH: u8 = 16;
const SLASH: u8 = 32;
const DIGIT: u8 = 64;

static CLASSES: ByteClasses = ByteClasses::new(&[
    (b'0', b'9', TOKEN | DIGIT),
    (b'a', b'z', TOKEN | LETTER),
    (b'A', b'Z', TOKEN | LETTER),
    (b'g', b'z', LETTER_BEYOND_HEX),
    (b'G', b'Z', LETTER_BEYOND_HEX),
    (0x80, 0xFF, LETTER),
])
// Bytes that join the parts of a token: `2026-01-02T03:04:05.6+01:00`, `/tmp/x`, `a.b:80`.
.and(b"_.+", TOKEN)
.and(b"-", TOKEN | DASH)
.and(b":", TOKEN | COLON)
.and(b"/", TOKEN | SLASH);

#[inline(always)]
fn is(byte: u8, class: u8) -> bool {
    CLASSES.of(byte) & class != 0
}

/// Returns the classes of all bytes of a token together.
fn classes_of(token: &[u8]) -> u8 {
    token.iter().fold(0, |classes, byte| classes | CLASSES.of(*byte))
}

/// Words in lines that state what was expected, without their first letter, which may be a
/// capital.
static ASSERTION_WORDS: PhraseSet =
    PhraseSet::new(&["ctual =", "ctual v", "ctual:", "eceived", "ssert", "xpected"]);

/// Names whose values are volatile.
const VOLATILE_NAMES: &[&str] = &[
    "chunk id",
    "job",
    "message_id",
    "ms",
    "messageid",
    "pid",
    "port",
    "ppid",
    "process",
    "request id",
    "request_id",
    "requestid",
    "seed",
    "thread",
    "tid",
    "timestamp",
    "time",
    "tokens",
    "took",
    "tool uses",
    "tool_uses",
    "total_tokens",
    "trace_id",
    "traceid",
];

/// Beginnings of names whose values are durations: `duration_seconds`, `elapsedTime`.
static DURATION_NAMES: PhraseSet =
    PhraseSet::ignoring_case(&["duration", "elapsed", "latency", "uptime"]);

/// The longest name that is looked at, in bytes.
const MAX_NAME: usize = 24;

/// Decides which tokens of a text are volatile.
struct Reader<'t> {
    text: &'t [u8],
    source: Source,
    /// Whether the text draws progress bars anywhere, once known.
    has_progress: Option<bool>,
    /// The line that was inspected last.
    line: Line,
}

#[derive(Default)]
struct Line {
    end: usize,
    /// It draws a progress bar.
    is_progress: bool,
    /// It states what was expected, so a date or a duration in it is data.
    is_assertion: bool,
}

impl Reader<'_> {
    /// Returns the start and end of the volatile part of a token, if there is one.
    fn volatile_part(&mut self, token: Token) -> Option<(usize, usize)> {
        let Token { start, end, classes } = token;
        let mut from = start;
        let mut to = end;
        // A colon between a name and its value does not belong to the token,
        while matches!(self.text.get(from), Some(b':')) {
            from += 1;
        }
        // nor does punctuation at the end of a sentence.
        while to > from && matches!(self.text.get(to - 1), Some(b'.' | b':' | b'-')) {
            to -= 1;
        }
        let token = self.text.get(from..to)?;
        let is_whole = from == start && to == end;
        let classes = if is_whole { classes } else { classes_of(token) };
        let has = |class: u8| classes & class != 0;
        let is_plain = !has(LETTER | COLON | DASH | SLASH);
        if (is_plain && is_epoch(token)) || (has(DASH) && (is_uuid(token) || is_timestamp(token))) {
            return Some((from, to));
        }
        if has(SLASH)
            && let Some((start, length)) = temporary_name(token, self.source)
        {
            return Some((from + start, from + start + length));
        }
        if self.source == Source::Arguments {
            let before = self.text.get(..from).unwrap_or_default();
            return before.ends_with(b"earer ").then_some((from, to));
        }
        if has(SLASH)
            && let Some((start, length)) = uuid_in_path(token)
        {
            return Some((from + start, from + start + length));
        }
        let is_volatile = if self.has_volatile_name(from) {
            true
        } else if is_plain {
            is_number(token) && (self.is_followed_by_unit(to) || self.is_process_id(from, to))
        } else if has(COLON) {
            is_clock(token) && !self.is_position(token, from) || is_hash(token)
        } else if has(DASH | SLASH) {
            is_date(token)
        } else if has(LETTER_BEYOND_HEX) {
            is_address(token)
                || is_duration(token)
                || is_random_id(token)
                || self.is_followed_by_seconds(token, to)
        } else {
            is_hash(token) || is_duration(token)
        };
        let port = if has(COLON) { ephemeral_port(token) } else { None };
        let has_progress = *self.has_progress.get_or_insert_with(|| draws_progress(self.text));
        if !is_volatile && port.is_none() && !has_progress {
            let is_name = has(LETTER) && !has(SLASH);
            let id = if is_name { long_number(token) } else { None };
            return id.map(|(start, length)| (from + start, from + start + length));
        }
        self.inspect_line(from);
        match (is_volatile || self.line.is_progress, port) {
            _ if self.line.is_assertion => None,
            (true, _) => Some((from, to)),
            (false, port) => port.map(|start| (from + start, to)),
        }
    }

    /// Returns whether `12:30` is a line and a column, as at the start of a linter's line,
    /// and not a time of day.
    fn is_position(&self, token: &[u8], from: usize) -> bool {
        let colon = memchr(b':', token).unwrap_or_default();
        let (hours, minutes) = token.split_at_checked(colon).unwrap_or_default();
        if minutes.len() != 3 {
            return false;
        }
        let before = self.text.get(..from).unwrap_or_default();
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let begins_line = matches!(before.get(..from - blanks), Some([] | [.., b'\n']));
        begins_line || matches!(hours, [b'2', b'4'..=b'9'] | [b'3'..=b'9', _])
    }

    /// Returns whether a unit of time follows the number: `3.11 seconds`.
    fn is_followed_by_unit(&self, end: usize) -> bool {
        let Some([b' ', rest @ ..]) = self.text.get(end..) else { return false };
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = rest.get(..length).unwrap_or_default();
        TIME_UNITS.iter().any(|unit| unit.as_bytes() == word)
    }

    /// Returns whether the token is the first half of a duration in two words: `1m 02s`.
    fn is_followed_by_seconds(&self, token: &[u8], end: usize) -> bool {
        let Some((b'm' | b'h', digits)) = token.split_last() else { return false };
        let Some([b' ', rest @ ..]) = self.text.get(end..) else { return false };
        let length = rest.iter().take_while(|byte| is(**byte, TOKEN)).count();
        let next = rest.get(..length).unwrap_or_default();
        digits.iter().all(u8::is_ascii_digit) && !next.is_empty() && is_duration(next)
    }

    /// Returns whether the name in front of the token says that its value is volatile:
    /// `pid 4711`, `port=8080`, `"durationMs": 812`, `"requestId":"a1"`.
    fn has_volatile_name(&self, from: usize) -> bool {
        let before = self.text.get(..from).unwrap_or_default();
        let is_between = |byte: &&u8| matches!(byte, b' ' | b'=' | b'#' | b':' | b'"' | b'\'');
        let gap = before.iter().rev().take_while(is_between).count();
        if gap == 0 {
            return false;
        }
        let before = before.get(..from - gap).unwrap_or_default();
        let is_name = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b'_';
        let length_before = |end: usize| {
            let before = before.get(..end).unwrap_or_default();
            before.iter().rev().take(MAX_NAME).take_while(is_name).count()
        };
        let mut length = length_before(before.len());
        let is_id = |name: &[u8]| name.eq_ignore_ascii_case(b"id");
        let name = before.get(before.len() - length..).unwrap_or_default();
        // "Chunk ID" is a name of two words.
        if is_id(name) && before.len() > length {
            length += 1 + length_before(before.len() - length - 1);
        }
        let name = before.get(before.len() - length..).unwrap_or_default();
        // The lines of an interactive shell are numbered: "bash: line 4711".
        let numbers_shell = name == b"line"
            && before.get(..before.len() - length).is_some_and(|before| before.ends_with(b"sh: "));
        numbers_shell
            || name.ends_with(b"_ms")
            || name.ends_with(b"Ms")
            || is_one_of(name, VOLATILE_NAMES)
            || DURATION_NAMES.begins(name)
    }

    /// Returns whether the number is the process id of a shell's job, `[1] 4711` on a line
    /// of its own, or of a log entry, `sshd[4711]:`.
    fn is_process_id(&self, from: usize, to: usize) -> bool {
        let before = self.text.get(..from).unwrap_or_default();
        let after = self.text.get(to..).unwrap_or_default();
        if let [name @ .., b'['] = before {
            return name.last().is_some_and(u8::is_ascii_alphabetic) && after.starts_with(b"]:");
        }
        matches!(after.first(), None | Some(b'\n' | b'\r'))
            && matches!(before, [line @ .., b' '] if ends_with_job(line))
    }

    /// Sets `self.line` to the line that contains `at`. Tokens come in order, so each line
    /// is inspected once.
    fn inspect_line(&mut self, at: usize) {
        if at < self.line.end {
            return;
        }
        let before = self.text.get(..at).unwrap_or_default();
        let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
        let after = self.text.get(at..).unwrap_or_default();
        let end = memchr(b'\n', after).map_or(self.text.len(), |end| at + end);
        let line = self.text.get(start..end).unwrap_or_default();
        // While the progress bar is the last line, its numbers are the information.
        let is_last = self.text.get(end..).is_none_or(|after| after.trim_ascii().is_empty());
        self.line = Line {
            end,
            is_progress: self.has_progress == Some(true) && !is_last && draws_progress(line),
            is_assertion: ASSERTION_WORDS.occurs_in(line),
        };
    }
}

/// Returns whether the text draws a progress bar: with `\r` that rewrites a line,
/// `4.2it/s`, `12 MB/s`, `[==`, `[##`, `ETA`, or with block and line characters.
fn draws_progress(text: &[u8]) -> bool {
    let around = |at: usize| {
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        (before.last(), rest)
    };
    memchr3_iter(b'\r', b'/', b'[', text).any(|at| match around(at) {
        (_, [b'\r', rest @ ..]) => !matches!(rest, [] | [b'\n', ..]),
        (before, [b'/', rest @ ..]) => {
            matches!(before, Some(b't' | b'B')) && matches!(rest, [b's', ..])
        }
        (_, rest) => matches!(rest, [b'[', b'=', b'=', ..] | [b'[', b'#', b'#', ..]),
    }) || memchr2_iter(b'E', 0xE2, text).any(|at| match around(at) {
        (before, [b'E', b'T', b'A', after, ..]) => {
            !before.is_some_and(u8::is_ascii_alphabetic) && !after.is_ascii_alphabetic()
        }
        // The blocks U+2588 and U+2591, and the line U+2501.
        (_, rest) => {
            matches!(rest, [0xE2, 0x96, 0x88 | 0x91, ..] | [0xE2, 0x94, 0x81, ..])
        }
    })
}

/// Returns whether the last line of the text is a shell's `[1]` so far. Does not search for
/// the start of the line, which can be megabytes away.
fn ends_with_job(text: &[u8]) -> bool {
    let [text @ .., b']'] = text else { return false };
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let start = text.get(..text.len() - digits).unwrap_or_default();
    digits > 0 && matches!(start, [b'['] | [.., b'\n', b'['])
}

#[cfg(test)]
mod tests;
