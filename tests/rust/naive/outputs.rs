//! Outputs of tools, each with its meaning written by hand.

use super::tools::{Call, Effect};

/// What kind of evidence a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    Informative,
    Acknowledgement,
    Empty,
    Waiting,
    Infrastructure,
    HostMade,
    Unknown,
    NoResults,
}

/// For which calls a short success says no more than the call did. Only for tools that
/// execute something, not for shells and tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Acknowledges {
    Nothing,
    /// It is a word such as "ok".
    Everything,
    /// It repeats the words of this tool's calls, if these are remembered.
    Tool(&'static str),
}

#[derive(Debug)]
pub struct Output {
    pub text: Option<&'static str>,
    pub ok: Option<bool>,
    /// The text without its envelope. Outputs with an equal body count as having the same
    /// bytes.
    body: &'static str,
    /// Equal for outputs that differ only in volatile tokens.
    same_as: &'static str,
    /// Equal for outputs with the same words; and with the same words and numbers.
    words: &'static str,
    counted_words: &'static str,
    /// Equal for the same error, whatever its target.
    error: &'static str,
    /// How many problems it reports.
    pub problems: Option<u64>,
    /// Whether the text shows a failure, if there is no flag or the flag is overruled.
    fails: fn(&Call) -> bool,
    /// It says that a service was busy or unreachable.
    busy: bool,
    acknowledges: Acknowledges,
    /// The host made it.
    host_made: bool,
    /// It says that something is wrong.
    pub complains: bool,
    /// It mentions errors, warnings or failed expectations.
    pub has_problems: bool,
    /// It says that nothing was found or done.
    pub negative: bool,
    /// It says that something has not happened yet.
    pending: bool,
    /// The targets that it names.
    pub names: &'static [&'static str],
}

const SILENT: Output = Output {
    text: None,
    ok: None,
    body: "",
    same_as: "",
    words: "",
    counted_words: "",
    error: "",
    problems: None,
    fails: |_| false,
    busy: false,
    acknowledges: Acknowledges::Nothing,
    host_made: false,
    complains: false,
    has_problems: false,
    negative: true,
    pending: false,
    names: &[],
};

const fn said(text: &'static str) -> Output {
    Output {
        text: Some(text),
        body: text,
        same_as: text,
        words: text,
        counted_words: text,
        error: text,
        negative: false,
        ..SILENT
    }
}

/// A failure by every sign: an error, an exit code and a failed test.
const fn error(text: &'static str) -> Output {
    Output { fails: |_| true, has_problems: true, problems: Some(1), ..said(text) }
}

const fn succeeds(output: Output) -> Output {
    Output { ok: Some(true), ..output }
}

const fn warning(output: Output) -> Output {
    Output { complains: true, has_problems: true, ..output }
}

const fn fails(output: Output) -> Output {
    Output { ok: Some(false), ..output }
}

fn is_command(call: &Call) -> bool {
    call.shell && !call.tests
}

const LONG: &str =
    "the garden has a fence and a gate and behind it there grows a row of old apple trees";

pub static OUTPUTS: &[Output] = &[
    // Nothing is known, or only whether it worked.
    SILENT,
    succeeds(SILENT),
    fails(SILENT),
    // Plain answers.
    said("alpha beta"),
    Output {
        text: Some(
            "Chunk ID: a1\nWall time: 1.5 seconds\nProcess exited with code 0\nOutput:\nalpha beta",
        ),
        ..said("alpha beta")
    },
    fails(said("alpha beta")),
    Output { same_as: "took so long", words: "took", ..said("took 0.12s altogether") },
    Output { same_as: "took so long", words: "took", ..said("took 4.01s altogether") },
    Output { negative: true, ..said("nothing found") },
    Output {
        negative: true,
        words: "no hits",
        counted_words: "no hits",
        ..said("no hits in 5002043")
    },
    Output {
        negative: true,
        words: "no hits",
        counted_words: "no hits",
        ..said("no hits in 5007326")
    },
    Output {
        text: Some(r#"{"output": "alpha beta", "metadata": {"exit_code": 0}}"#),
        ..said("alpha beta")
    },
    said(LONG),
    succeeds(said("rate limit exceeded for the day")),
    said("Running tests: all fine"),
    said("3 passed"),
    // No output.
    Output { negative: true, ..said("") },
    fails(Output { negative: true, ..said("") }),
    fails(Output { negative: true, words: "", error: "", ..said("0") }),
    // Answers that are the same, whatever the question.
    said(
        "1. the ferry leaves at dawn from here\n2. the bus leaves at noon\n3. the train leaves at dusk",
    ),
    said(
        "1. the train leaves at dusk\n2. the ferry leaves at dawn from here\n3. the bus leaves at noon",
    ),
    Output { negative: true, ..said("nothing found for alpha beta") },
    Output { negative: true, ..said("nothing found for gamma delta") },
    said("alpha beta: the ferry leaves from the second pier at dawn, at noon, and then at dusk"),
    said("gamma delta: the ferry leaves from the second pier at dawn, at noon, and then at dusk"),
    // Acknowledgements.
    Output { acknowledges: Acknowledges::Everything, ..said("ok") },
    Output {
        acknowledges: Acknowledges::Everything,
        counted_words: "sent as",
        ..said("sent as mail-x17")
    },
    Output {
        acknowledges: Acknowledges::Everything,
        counted_words: "sent as",
        ..said("sent as mail-x18")
    },
    Output { acknowledges: Acknowledges::Tool("walk"), ..said("by walking 1 step") },
    Output { acknowledges: Acknowledges::Tool("walk"), ..said("by walking 2 steps") },
    Output { acknowledges: Acknowledges::Everything, ..said("Carried it home") },
    // Successes that complain.
    succeeds(warning(said("a warning: this was expected"))),
    succeeds(warning(Output { negative: true, ..said("warning: nothing to do") })),
    succeeds(warning(Output { words: "slot", ..said("warning: slot 1 is taken") })),
    succeeds(warning(Output { words: "slot", ..said("warning: slot 2 is taken") })),
    succeeds(Output {
        has_problems: true,
        fails: |call| call.tests,
        problems: Some(2),
        ..said("2 failed, 1 passed")
    }),
    // Something is still going on.
    Output { pending: true, ..said("build: pending") },
    Output { pending: true, ..said("it is running") },
    // Failures.
    Output { negative: true, ..error("Error: no such thing\nexit code: 1\n1 failed") },
    Output { error: "cannot open", ..error("Error: cannot open 'x' here\nexit code: 1\n1 failed") },
    Output {
        error: "cannot open",
        ..error("Error: cannot open 'yy' here\nexit code: 1\n1 failed")
    },
    Output {
        error: "attempt",
        words: "attempt",
        ..error("Error: attempt 1 went wrong\nexit code: 1\n1 failed")
    },
    Output {
        error: "attempt",
        words: "attempt",
        ..error("Error: attempt 2 went wrong\nexit code: 1\n1 failed")
    },
    Output {
        words: "two errors",
        ..error("Error: first bad\nError: second bad\nexit code: 1\n1 failed")
    },
    Output {
        words: "two errors",
        ..error("Error: second bad\nError: first bad\nexit code: 1\n1 failed")
    },
    Output {
        error: "cannot use",
        words: "cannot use",
        names: &["a.ts"],
        ..error("Error: cannot use 'a.ts' here\nexit code: 1\n1 failed")
    },
    Output {
        error: "cannot use",
        words: "cannot use",
        names: &["f.ts"],
        ..error("Error: cannot use 'f.ts' here\nexit code: 1\n1 failed")
    },
    Output {
        error: "problems",
        words: "problems",
        problems: Some(9),
        ..error("Error: 9 problems\nexit code: 1\n1 failed")
    },
    Output {
        error: "problems",
        words: "problems",
        problems: Some(5),
        ..error("Error: 5 problems\nexit code: 1\n1 failed")
    },
    Output {
        error: "problems",
        words: "problems",
        problems: Some(3),
        ..error("Error: 3 problems\nexit code: 1\n1 failed")
    },
    // Failures that only some calls can have.
    Output {
        fails: |_| true,
        negative: true,
        complains: true,
        ..said("bash: foo: command not found")
    },
    succeeds(Output {
        fails: |_| true,
        negative: true,
        complains: true,
        ..said("bash: foo: command not found")
    }),
    Output {
        fails: |call| !(call.tests || call.shell && call.effect == Effect::Read),
        negative: true,
        complains: true,
        ..said("fatal: not a repository")
    },
    Output {
        fails: |call| match call.effect {
            Effect::Execute => !call.tests,
            Effect::Write => call.shell,
            Effect::Read => false,
        },
        complains: true,
        has_problems: true,
        ..said("starting up\nTraceback (most recent call last):\n  File x\nValueError: bad thing")
    },
    Output {
        fails: |call| is_command(call) || !call.shell && call.effect == Effect::Write,
        negative: true,
        ..said("cat: log: No such file or directory")
    },
    Output { text: Some("Exit code 1\nbad thing here"), fails: |_| true, ..said("bad thing here") },
    succeeds(Output {
        text: Some("Exit code 1\nbad thing here"),
        fails: |_| true,
        ..said("bad thing here")
    }),
    Output {
        text: Some(r#"{"output":"bad thing here","metadata":{"exit_code":1}}"#),
        fails: |_| true,
        ..said("bad thing here")
    },
    Output {
        fails: |call| is_command(call) && call.effect != Effect::Read,
        negative: true,
        complains: true,
        has_problems: true,
        ..said("Loading\nPHP Fatal error: no memory")
    },
    succeeds(Output {
        fails: |call| !call.shell && !call.tests,
        complains: true,
        ..said(r#"{"status":"rejected"}"#)
    }),
    // Services that are unreachable.
    Output {
        busy: true,
        problems: Some(503),
        ..error("Error: 503 Service Unavailable\nexit code: 1\n1 failed")
    },
    Output {
        busy: true,
        problems: Some(429),
        ..error("Error: 429 Too Many Requests\nexit code: 1\n1 failed")
    },
    Output {
        busy: true,
        fails: |call| match call.effect {
            Effect::Execute => !call.tests,
            Effect::Write => true,
            Effect::Read => false,
        },
        complains: true,
        ..said("curl: (7) Connection refused")
    },
    succeeds(Output { busy: true, complains: true, ..said("curl: (7) Connection refused") }),
    // Results made by the host in place of a tool.
    Output { host_made: true, ..said("Cancelled: a sibling tool call failed") },
    fails(Output { host_made: true, ..said("The user rejected the call") }),
    succeeds(Output { acknowledges: Acknowledges::Everything, ..said("cancelled as you asked") }),
];

/// The longest answer that counts as short, in bytes.
const SHORT: usize = 79;

impl Output {
    pub fn failed(&self, call: &Call) -> bool {
        // A search that finds nothing does not fail.
        let finds_nothing = self.text.is_some() && matches!(self.body, "" | "0");
        if call.searches && finds_nothing {
            return false;
        }
        self.ok == Some(false) || (self.fails)(call)
    }

    pub fn has_letters(&self) -> bool {
        self.body.contains(|c: char| c.is_ascii_alphabetic())
    }

    pub fn is_blank(&self) -> bool {
        self.body.is_empty()
    }

    pub fn is_long(&self) -> bool {
        self.body.len() > SHORT
    }

    /// Returns what kind of evidence it is as the result of a call. Whether it waits, or
    /// says no more than the call, is only checked if the call `is_repeat`.
    pub fn evidence(&self, call: &Call, is_repeat: bool, words_known: bool) -> Evidence {
        let acknowledges = match self.acknowledges {
            Acknowledges::Nothing => false,
            Acknowledges::Everything => true,
            Acknowledges::Tool(name) => words_known && call.name == name,
        };
        let is_pending = is_repeat && self.pending;
        let runs = call.effect == Effect::Execute && !call.tests;
        let writes = call.effect == Effect::Write;
        // Some clients report that they cannot connect, but exit with zero.
        let is_client = call.shell && self.body.starts_with(&format!("{}:", call.program()));
        match (self.text, self.failed(call)) {
            _ if self.host_made => Evidence::HostMade,
            (_, true) if self.busy => Evidence::Infrastructure,
            (_, true) => Evidence::Informative,
            (None, false) => Evidence::Unknown,
            _ if call.polls && is_pending => Evidence::Waiting,
            _ if writes && (!call.shell || self.is_blank()) => Evidence::Acknowledgement,
            _ if runs && self.is_blank() => Evidence::Empty,
            _ if runs && !call.shell && acknowledges => Evidence::Acknowledgement,
            _ if is_pending => Evidence::Waiting,
            _ if self.busy && is_client => Evidence::Infrastructure,
            _ => Evidence::Informative,
        }
    }

    /// Returns whether both have the same bytes.
    pub fn is_identical(&self, other: &Output) -> bool {
        self.text.is_some() == other.text.is_some() && self.body == other.body
    }

    /// Returns the words of the text, or its words and numbers.
    pub fn words(&self) -> Option<&'static str> {
        self.text.map(|_| self.words)
    }

    pub fn counted_words(&self) -> Option<&'static str> {
        self.text.map(|_| self.counted_words)
    }

    /// Returns the error; none if the output is empty.
    pub fn error(&self) -> Option<&'static str> {
        self.text.map(|_| self.error)
    }

    /// Returns a value that is equal for equal outputs.
    pub fn same_as(&self) -> Option<&'static str> {
        self.text.map(|_| self.same_as)
    }
}
