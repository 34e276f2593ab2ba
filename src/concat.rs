//! Joins texts without code that can panic. `format!` can panic because formatting can
//! fail, `[&str]::concat` and `join` because lengths can overflow, and `itoa` because it
//! indexes its table of digits.

use alloc::string::String;

/// Joins the parts.
pub(crate) fn cat(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        out.push_str(part);
    }
    out
}

/// Joins the parts, with a separator between them.
pub(crate) fn join<T: AsRef<str>>(parts: &[T], separator: &str) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push_str(separator);
        }
        out.push_str(part.as_ref());
    }
    out
}

/// Writes a number in decimal digits.
pub(crate) fn number(mut value: u64) -> String {
    let mut digits = [b'0'; 20];
    let mut length = 0;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
        length += 1;
        if value == 0 {
            break;
        }
    }
    let written = digits.get(digits.len() - length..).unwrap_or_default();
    String::from(core::str::from_utf8(written).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn joins_texts_and_writes_numbers() {
        assert_eq!(cat(&["a", "", "b"]), "ab");
        assert_eq!(join(&["a", "b", "c"], ", "), "a, b, c");
        assert_eq!(join::<&str>(&[], ", "), "");
        for value in [0, 7, 10, 1234567890, u64::MAX] {
            assert_eq!(number(value), value.to_string());
        }
    }
}
