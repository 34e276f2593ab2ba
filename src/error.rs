//! The one error type: what was wrong, said so that the caller can mend it.

use alloc::string::String;
use core::fmt;

/// Whether the caller passed the wrong kind of thing or a value that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The wrong type, or a name that does not exist.
    Type,
    /// The right type, but outside what is allowed.
    Range,
}

/// A refused option or snapshot. Its message names the field, what was given
/// and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    pub(crate) fn wrong_type(message: String) -> Self {
        Self { kind: ErrorKind::Type, message }
    }

    pub(crate) fn out_of_range(message: String) -> Self {
        Self { kind: ErrorKind::Range, message }
    }

    /// What was wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Which of the two kinds of mistake it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}
