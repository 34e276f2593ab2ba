//! What a result is the same as, and what it is worth as evidence.

use super::Fingerprint;
use super::outcome::{TestOutcome, begins_with_error, exit_code_failed, test_outcome};
use super::phrases::ACKNOWLEDGEMENTS;
use super::remarks;
use super::telling::Told;
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

/// Reads the result of a call; and the line that tells what went wrong, if something did.
pub(crate) fn read<'o>(print: &Fingerprint, result: &ToolResult<'o>) -> (Reply, &'o str) {
    let Some(output) = result.output else {
        // A failure is known even without its text.
        let failed = result.ok == Some(false);
        let worth = if failed { Worth::Evidence } else { Worth::Unknown };
        return (Reply { hash: u64::from(failed), failed, worth, error: 0 }, "");
    };
    let failed = failed(print, result.ok, output);
    let mut reply = Reply {
        hash: hash::pair(steady_hash(output, Source::Output), u64::from(failed)),
        failed,
        worth: Worth::Evidence,
        error: 0,
    };
    if failed {
        let told = Told::by(output);
        reply.error = told.signature();
        if told.blames_infrastructure() {
            reply.worth = Worth::Infrastructure;
        }
        return (reply, told.line());
    }
    if acknowledges(print, output) {
        reply.worth = Worth::Acknowledgement;
    } else if print.intent.waits || (output.len() <= BRIEF && remarks::waits(output)) {
        reply.worth = Worth::Waiting;
    }
    (reply, "")
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
        Deed::Change => !print.shell || Told::by(output).line().is_empty(),
        Deed::Look => false,
        Deed::Run if print.shell || print.tests => false,
        Deed::Run => {
            let text = output.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            output.len() <= SHORT
                && ACKNOWLEDGEMENTS.iter().any(|known| text.eq_ignore_ascii_case(known))
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Intent;

    fn call(deed: Deed, shell: bool, tests: bool) -> Fingerprint {
        let intent = Intent { deed, ..Intent::default() };
        Fingerprint { tool: 0, exact: 0, fuzzy: 0, shell, tests, files: false, intent }
    }

    fn reply(print: &Fingerprint, ok: Option<bool>, output: &str) -> Reply {
        read(print, &ToolResult { ok, output: Some(output), ..ToolResult::default() }).0
    }

    #[test]
    fn what_a_result_is_worth() {
        let look = call(Deed::Look, false, false);
        let edit = call(Deed::Change, false, false);
        let shell = call(Deed::Run, true, false);
        let shell_edit = call(Deed::Change, true, false);
        let tool = call(Deed::Run, false, false);
        let tests = call(Deed::Run, true, true);
        for (print, ok, output, worth) in [
            (&look, None, "", Worth::Evidence),
            (&look, None, "ok", Worth::Evidence),
            (
                &edit,
                None,
                "The file a.ts has been edited. Here is a snippet",
                Worth::Acknowledgement,
            ),
            (&edit, Some(false), "No replacement was performed", Worth::Evidence),
            (&edit, None, "Error: no match", Worth::Evidence),
            (&shell, Some(true), "", Worth::Evidence),
            (&shell, Some(true), "ok", Worth::Evidence),
            (&shell_edit, Some(true), "", Worth::Acknowledgement),
            (&shell_edit, Some(true), "<returncode>0</returncode>", Worth::Acknowledgement),
            (&shell_edit, Some(true), "Successfully installed x", Worth::Evidence),
            (&tool, None, "ok", Worth::Acknowledgement),
            (&tool, None, "Done.", Worth::Acknowledgement),
            (&tool, None, "{\"ok\":true}", Worth::Acknowledgement),
            (&tool, None, "null", Worth::Acknowledgement),
            (&tool, None, "sent to 3 people", Worth::Evidence),
            (&tool, Some(false), "ok", Worth::Evidence),
            (&tool, Some(false), "HTTP 429 Too Many Requests", Worth::Infrastructure),
            (&tool, Some(true), "HTTP 429 Too Many Requests", Worth::Evidence),
            (&shell, None, "curl: (7) Connection refused\nexit code: 7", Worth::Infrastructure),
            (&tests, Some(true), "1 failed, 2 passed", Worth::Evidence),
        ] {
            assert_eq!(reply(print, ok, output).worth, worth, "{output} {ok:?} {print:?}");
        }
    }

    #[test]
    fn whether_it_failed() {
        let shell = call(Deed::Run, true, false);
        let tool = call(Deed::Run, false, false);
        let tests = call(Deed::Run, true, true);
        for (print, ok, output, failed) in [
            (&shell, None, "x: command not found\nexit code: 127", true),
            (&shell, None, "error: but nobody says so", false),
            (&shell, Some(true), "exit code: 1", false),
            (&tool, None, "Error: bad", true),
            (&tool, None, "{\"error\":\"bad\"}", true),
            (&tool, None, "no error at all", false),
            (&tests, Some(true), "1 failed, 2 passed in 0.1s", true),
            (&tests, None, "3 passed in 0.1s", false),
        ] {
            assert_eq!(reply(print, ok, output).failed, failed, "{output} {ok:?}");
        }
    }

    #[test]
    fn a_failure_is_not_the_same_as_a_success_that_says_the_same() {
        let tool = call(Deed::Run, false, false);
        let one = reply(&tool, Some(true), "3 items");
        assert_eq!(one.hash, reply(&tool, None, " 3 items\n").hash);
        assert_ne!(one.hash, reply(&tool, Some(false), "3 items").hash);
        assert_ne!(one.hash, reply(&tool, Some(true), "4 items").hash);
        let silent = ToolResult { ok: Some(false), ..ToolResult::default() };
        assert_ne!(read(&tool, &silent).0.hash, read(&tool, &ToolResult::default()).0.hash);
        assert_ne!(read(&tool, &silent).0.hash, reply(&tool, Some(false), "").hash);
    }
}
