//! The only error type: which value was refused, and why.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::RangeInclusive;

/// Whether the caller passed the wrong kind of thing or a value that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The wrong type, or a name that does not exist.
    Type,
    /// The right type, but outside what is allowed.
    Range,
}

/// A refused configuration or snapshot. Its text names the value, what was given
/// and what is allowed.
///
/// ```
/// use loophound::{LoopDetector, Preset};
///
/// let mut config = Preset::Nudge.config();
/// config.window = 1;
/// let error = LoopDetector::new(config).err().expect("a window of one call");
/// assert_eq!(error.path(), "window");
/// assert_eq!(error.to_string(), "window must be a whole number from 2 to 10000; got 1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Details>);

/// Boxed, so that an error is no larger than a pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    kind: ErrorKind,
    path: String,
    problem: String,
}

impl Error {
    #[cfg(feature = "serde")]
    pub(crate) fn wrong_type(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::new(ErrorKind::Type, path.into(), problem.into())
    }

    pub(crate) fn out_of_range(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::new(ErrorKind::Range, path.into(), problem.into())
    }

    fn new(kind: ErrorKind, path: String, problem: String) -> Self {
        Self(Box::new(Details { kind, path, problem }))
    }

    /// Makes the error for a number that is not allowed.
    pub(crate) fn not_within(
        path: impl Into<String>,
        bounds: &RangeInclusive<u32>,
        got: impl fmt::Display,
    ) -> Self {
        let (least, most) = (bounds.start(), bounds.end());
        let problem = format!("must be a whole number from {least} to {most}; got {got}");
        Self::out_of_range(path, problem)
    }

    /// Returns the same error with another name for the value.
    #[cfg(feature = "serde")]
    pub(crate) fn renamed(mut self, path: String) -> Self {
        self.0.path = path;
        self
    }

    /// Returns the value that was refused: `window`, or `options.window` if it was read as
    /// an option.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns whether the type or the range is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.path, self.0.problem)
    }
}

impl core::error::Error for Error {}
