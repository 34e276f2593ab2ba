//! What a result is the same as, and what it is worth as evidence.

use super::Fingerprint;
use super::outcome::{TestOutcome, begins_with_error, exit_code_failed, test_outcome};
use super::telling;
use super::volatile::{Source, steady_hash};
use crate::event::ToolResult;
use crate::hash;
use crate::tools::Deed;

/// What a result is worth as evidence that nothing comes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    /// It tells something.
    Evidence,
    /// "ok", "done", nothing at all: it says that something was done, not what.
    Acknowledgement,
    /// "pending", "running": what the call asks for has not happened yet.
    Waiting,
    /// The service was busy or away. That is not the agent's fault.
    Infrastructure,
    /// It is not known what came of the call.
    Unknown,
    /// The host has not reported a single result: only calls are known.
    Unheard,
}

impl Worth {
    pub const ALL: &'static [Self] = &[
        Worth::Evidence,
        Worth::Acknowledgement,
        Worth::Waiting,
        Worth::Infrastructure,
        Worth::Unknown,
        Worth::Unheard,
    ];

    pub fn at(place: usize) -> Option<Self> {
        Self::ALL.get(place).copied()
    }
}

/// A result, as patterns see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reply {
    /// Equal for results that differ in nothing but volatile tokens.
    pub hash: u64,
    pub failed: bool,
    pub worth: Worth,
    /// What the error is the same as, whatever it was about; 0 if there is none.
    pub error: u64,
}

/// The reply to a call where the host reports none.
pub(crate) const UNHEARD: Reply = Reply { hash: 0, failed: false, worth: Worth::Unheard, error: 0 };

/// Longer texts say more than "ok".
const SHORT: usize = 64;

/// Longer texts say more than how far something is.
const BRIEF: usize = 256;

/// Reads the result of a call.
pub(crate) fn read(print: &Fingerprint, result: &ToolResult<'_>) -> Reply {
    let Some(output) = result.output else {
        // A failure is known even without its text.
        let failed = result.ok == Some(false);
        let worth = if failed { Worth::Evidence } else { Worth::Unknown };
        return Reply { hash: u64::from(failed), failed, worth, error: 0 };
    };
    let failed = failed(print, result.ok, output);
    let mut reply = Reply {
        hash: hash::pair(steady_hash(output, Source::Output), u64::from(failed)),
        failed,
        worth: Worth::Evidence,
        error: 0,
    };
    if failed {
        reply.error = telling::signature(output);
        if telling::blames_infrastructure(output) {
            reply.worth = Worth::Infrastructure;
        }
    } else if acknowledges(print, output) {
        reply.worth = Worth::Acknowledgement;
    } else if print.intent.waits || (output.len() <= BRIEF && telling::waits(output)) {
        reply.worth = Worth::Waiting;
    }
    reply
}

/// Whether the call failed; where the host does not say, by what it printed.
fn failed(print: &Fingerprint, ok: Option<bool>, output: &str) -> bool {
    match ok {
        Some(false) => true,
        _ if print.tests => test_outcome(output) == TestOutcome::Failed,
        Some(true) => false,
        None if print.shell => exit_code_failed(output),
        None => begins_with_error(output),
    }
}

/// Looking finds nothing, and commands run silently: there an empty result tells
/// something. What an editor prints when it worked tells nothing, however long.
fn acknowledges(print: &Fingerprint, output: &str) -> bool {
    match print.intent.deed {
        Deed::Change => !print.shell || telling::telling_line(output).is_empty(),
        Deed::Look => false,
        Deed::Run if print.shell || print.tests => false,
        Deed::Run => {
            let text = output.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            output.len() <= SHORT
                && ACKNOWLEDGEMENTS.iter().any(|known| text.eq_ignore_ascii_case(known))
        }
    }
}

const ACKNOWLEDGEMENTS: &[&str] = &[
    "",
    "ok",
    "okay",
    "done",
    "success",
    "successful",
    "succeeded",
    "true",
    "null",
    "none",
    "undefined",
    "sent",
    "saved",
    "updated",
    "created",
    "deleted",
    "completed",
    "status\":\"ok",
    "ok\":true",
    "success\":true",
];
