//! Recognises volatile tokens by their shape.

use super::Source;
use memchr::{memchr, memrchr};

/// Unambiguous units of time; `m` and `h` alone are ambiguous.
pub(super) const TIME_UNITS: &[&str] = &[
    "ms", "s", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "ns", "us",
];

pub(super) fn is_number(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_digit)
        && token.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// Recognises `550e8400-e29b-41d4-a716-446655440000`.
pub(super) fn is_uuid(token: &[u8]) -> bool {
    token.len() == 36
        && token.iter().zip(0..).all(|(byte, place)| match place {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Recognises seconds, milliseconds, microseconds or nanoseconds since 1970, for a time
/// between 2017 and 2033; also with a fraction, `1754378432.971519`.
pub(super) fn is_epoch(token: &[u8]) -> bool {
    let mut parts = token.split(|byte| *byte == b'.');
    let whole = parts.next().unwrap_or_default();
    matches!(whole.len(), 10 | 13 | 16 | 19)
        && whole.iter().all(u8::is_ascii_digit)
        && matches!(whole, [b'1', b'5'..=b'9', ..])
        && parts.all(|fraction| fraction.iter().all(u8::is_ascii_digit))
}

/// Recognises `2026-01-02T03:04:05.678Z`: a date and a time in one token.
pub(super) fn is_timestamp(token: &[u8]) -> bool {
    let Some((date, rest)) = token.split_at_checked(10) else { return false };
    is_date(date) && matches!(rest, [b'T' | b'_' | b'-', time @ ..] if starts_with_clock(time))
}

/// Recognises `2026-01-02`, `2026/01/02`.
pub(super) fn is_date(token: &[u8]) -> bool {
    token.len() == 10
        && token.iter().zip(0..).all(|(byte, place)| match place {
            4 | 7 => matches!(byte, b'-' | b'/'),
            _ => byte.is_ascii_digit(),
        })
}

/// Recognises `3:04`, `03:04:05.678`; not `app.ts:3:04`, which is a position in a file.
pub(super) fn is_clock(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_digit) && starts_with_clock(token)
}

pub(super) fn starts_with_clock(token: &[u8]) -> bool {
    let hours = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let Some((_, rest)) = token.split_at_checked(hours) else { return false };
    matches!(hours, 1 | 2) && matches!(rest, [b':', b'0'..=b'5', b'0'..=b'9', ..])
}

/// Recognises `0x7ffd5e8a`.
pub(super) fn is_address(token: &[u8]) -> bool {
    let [b'0', b'x', digits @ ..] = token else { return false };
    digits.len() >= 4 && digits.iter().all(u8::is_ascii_hexdigit)
}

/// Recognises `12ms`, `0.35s`, `1m23s`, `1h30m`.
pub(super) fn is_duration(token: &[u8]) -> bool {
    let mut rest = token;
    let mut parts = 0;
    let mut is_sure = false;
    while !rest.is_empty() {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        let Some((_, after)) = rest.split_at_checked(digits) else { return false };
        let letters = after.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let Some((unit, after)) = after.split_at_checked(letters) else { return false };
        let is_ambiguous = matches!(unit, b"h" | b"m");
        if digits == 0 || !is_ambiguous && !TIME_UNITS.iter().any(|known| known.as_bytes() == unit)
        {
            return false;
        }
        // `500m` can be half a processor.
        is_sure |= !is_ambiguous;
        parts += 1;
        rest = after;
    }
    is_sure || parts > 1
}

/// Recognises seven or more hexadecimal digits, both letters and numbers, as in a hash or
/// an id; also after a colon, as in `sha256:…`.
pub(super) fn is_hash(token: &[u8]) -> bool {
    let last = token.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    last.len() >= 7
        && last.iter().all(u8::is_ascii_hexdigit)
        && last.iter().any(u8::is_ascii_digit)
        && last.iter().any(u8::is_ascii_alphabetic)
}

/// Recognises sixteen or more letters and digits that alternate, or are in mixed case, as
/// in a request id or a token: `req_011CWpX0sJwlQi9Mi00Trbgm`,
/// `adr_22d94e1932cdf2f07d604cc5`.
pub(super) fn is_random_id(token: &[u8]) -> bool {
    const LENGTH: usize = 16;
    /// A word with a number changes from letters to digits once, or twice.
    const CHANGES: usize = 3;
    let mut before = None;
    let mut changes = 0;
    for byte in token {
        if !byte.is_ascii_alphanumeric() && *byte != b'_' {
            return false;
        }
        let is_digit = byte.is_ascii_digit();
        changes += usize::from(*byte != b'_' && before.replace(is_digit) == Some(!is_digit));
    }
    let is_mixed =
        || token.iter().any(u8::is_ascii_lowercase) && token.iter().any(u8::is_ascii_uppercase);
    token.len() >= LENGTH && (changes >= CHANGES || changes > 0 && is_mixed())
}

/// Returns where the first UUID in a path or URL starts, and its length.
pub(super) fn uuid_in_path(token: &[u8]) -> Option<(usize, usize)> {
    const LENGTH: usize = 36;
    let start = token.windows(LENGTH).position(is_uuid)?;
    Some((start, LENGTH))
}

/// Returns where a number of ten digits or more starts that is part of a name, and its
/// length. It is an id, as in `issuecomment-2900009508`.
pub(super) fn long_number(token: &[u8]) -> Option<(usize, usize)> {
    const LENGTH: usize = 10;
    if token.len() < LENGTH {
        return None;
    }
    let mut end = 0;
    for digits in token.split(|byte| !byte.is_ascii_digit()) {
        let start = end;
        end += digits.len() + 1;
        if digits.len() >= LENGTH && start > 0 && token.get(start - 1) != Some(&b'.') {
            return Some((start, digits.len()));
        }
    }
    None
}

/// Returns where the port starts in `localhost:49152`, if it is one that the system
/// picked: 33000 or more.
pub(super) fn ephemeral_port(token: &[u8]) -> Option<usize> {
    let colon = memrchr(b':', token)?;
    let digits = token.get(colon + 1..)?;
    let is_high = matches!(digits, [b'3', b'3'..=b'9', ..] | [b'4'..=b'6', ..]);
    (colon > 0 && digits.len() == 5 && is_high && digits.iter().all(u8::is_ascii_digit))
        .then_some(colon + 1)
}

/// Returns where the generated name in a temporary path starts, and its length:
/// `/tmp/tmpa1b2c3d4`, `/tmp/pytest-12`. Names that an agent chose are not volatile:
/// in arguments that is every name but `tmp…`, such as `/tmp/project-2`.
pub(super) fn temporary_name(token: &[u8], source: Source) -> Option<(usize, usize)> {
    let mut at = 0;
    let mut rest = token;
    let rest = loop {
        let slash = memchr(b'/', rest)?;
        at += slash + 1;
        rest = rest.get(slash + 1..)?;
        if rest.starts_with(b"var/folders/") {
            return Some((at + 12, rest.len() - 12));
        }
        if let [b't', b'm', b'p', b'/', inside @ ..] = rest {
            break inside;
        }
    };
    let start = at + 4;
    let length = memchr(b'/', rest).unwrap_or(rest.len());
    let name = rest.get(..length)?;
    let is_numbered =
        source == Source::Output && name.iter().any(u8::is_ascii_digit) && !name.contains(&b'.');
    let is_generated = is_numbered && length >= 8 || name.starts_with(b"tmp") && length >= 9;
    is_generated.then_some((start, length))
}
