//! What patterns see, and what they say.

use crate::call::Fingerprint;
use crate::hash;
use crate::result::ClassifiedResult;
use crate::verdict::{LoopKind, TextDetails};
use alloc::vec::Vec;

/// A pattern was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signal {
    pub kind: LoopKind,
    /// The same loop has the same id, whenever it is found.
    pub loop_id: u64,
    /// How often the repeated thing was seen.
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
    /// Numbers of the calls that show it, oldest first.
    pub evidence: Vec<u64>,
    /// The failing commands belong to file tools.
    pub files: bool,
    /// Something was changed between the repeats.
    pub changed: bool,
    /// A service is busy or away.
    pub busy: bool,
    /// It is about a call that has not run yet.
    pub refusable: bool,
    /// It is no detection by itself: the call is refused if that was announced.
    pub announced_only: bool,
    /// Where text goes in circles.
    pub text: Option<TextDetails>,
    /// How many rungs higher than another signal of this kind it stands.
    pub lift: u64,
}

impl Signal {
    /// A signal about the loop that `key` identifies; the rest is filled in by
    /// the pattern.
    pub(super) fn new(kind: LoopKind, key: u64) -> Self {
        Self {
            kind,
            loop_id: hash::pair(kind as u64, key),
            count: 0,
            period: 0,
            since: None,
            wasted: 0,
            evidence: Vec::new(),
            files: false,
            changed: false,
            busy: false,
            refusable: false,
            announced_only: false,
            text: None,
            lift: 0,
        }
    }
}

/// A call, as patterns see it.
pub(crate) struct CallEvent<'a> {
    pub index: u64,
    pub fingerprint: &'a Fingerprint,
    /// The tool's own thresholds, if options give it any.
    pub threshold: Option<u32>,
    pub fuzzy_threshold: Option<u32>,
}

/// A result, as patterns see it.
pub(crate) struct ResultEvent<'a> {
    pub index: u64,
    pub fingerprint: &'a Fingerprint,
    /// Whether it failed, as the failure patterns of the first seed see it.
    pub failed: bool,
    /// The tool's own threshold, if options give it one.
    pub threshold: Option<u32>,
    pub reply: ClassifiedResult,
    /// What the tool returned; empty when it is not known.
    pub output: &'a str,
}

/// Keeps a signal, if there is one; tells whether there was.
pub(super) fn push(signals: &mut Vec<Signal>, signal: Option<Signal>) -> bool {
    match signal {
        Some(signal) => {
            signals.push(signal);
            true
        }
        None => false,
    }
}
