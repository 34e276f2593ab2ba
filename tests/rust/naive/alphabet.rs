//! A few calls and a few outputs, with what each means written beside it by
//! hand. Streams are drawn from these, so that every pattern comes up all the time.

/// What a call does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Look,
    Change,
    Run,
}

/// What a result is worth as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    Evidence,
    Acknowledgement,
    Infrastructure,
    Unknown,
    Unheard,
}

/// An edit by content; without `old` the whole file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    pub path: &'static str,
    pub old: Option<&'static str>,
    pub new: &'static str,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Call {
    pub name: &'static str,
    pub args: &'static str,
    /// What it is the same as, volatile arguments left out.
    pub same_as: u64,
    /// Calls with the same number here have the same words, others few in common.
    pub words: u64,
    pub deed: Deed,
    pub shell: bool,
    pub tests: bool,
    pub waits: bool,
    pub exempt: bool,
    pub own_threshold: Option<u32>,
    pub edit: Option<Edit>,
}

const PLAIN: Call = Call {
    name: "",
    args: "",
    same_as: 0,
    words: 0,
    deed: Deed::Run,
    shell: false,
    tests: false,
    waits: false,
    exempt: false,
    own_threshold: None,
    edit: None,
};

const fn call(name: &'static str, args: &'static str, same_as: u64, words: u64) -> Call {
    Call { name, args, same_as, words, ..PLAIN }
}

const fn look(name: &'static str, args: &'static str, same_as: u64, words: u64) -> Call {
    Call { deed: Deed::Look, ..call(name, args, same_as, words) }
}

const fn bash(args: &'static str, same_as: u64, words: u64) -> Call {
    Call { shell: true, ..call("bash", args, same_as, words) }
}

const fn edit(args: &'static str, same_as: u64, words: u64, edit: Edit) -> Call {
    let name = if edit.old.is_some() { "edit_file" } else { "write_file" };
    Call { deed: Deed::Change, edit: Some(edit), ..call(name, args, same_as, words) }
}

const RED: &str = "red green blue teal pink gray gold lime";
const OAK: &str = "oak elm ash fir yew bay fig pine";
const ONE: &str = "one two three four five six seven eight";

pub static CALLS: &[Call] = &[
    look("read_file", r#"{"path":"a"}"#, 0, 0),
    look("read_file", r#"{"path":"a","ts":1}"#, 0, 1),
    look("read_file", r#"{"path":"b"}"#, 2, 2),
    look("grep", r#"{"query":"alpha beta"}"#, 3, 3),
    look("grep", r#"{"query":"beta alpha"}"#, 4, 3),
    look("grep", r#"{"query":"gamma delta"}"#, 5, 5),
    bash(r#"{"command":"npm run build"}"#, 6, 6),
    bash(r#"{"command":"build run npm"}"#, 7, 6),
    bash(r#"{"command":"make all of it"}"#, 8, 8),
    Call { tests: true, ..bash(r#"{"command":"pytest"}"#, 9, 9) },
    Call { deed: Deed::Change, ..bash(r#"{"command":"touch x"}"#, 10, 10) },
    Call { waits: true, ..bash(r#"{"command":"sleep 5 && cat log"}"#, 11, 11) },
    edit(
        r#"{"path":"a","old_str":"red green blue teal pink gray gold lime","new_str":"oak elm ash fir yew bay fig pine"}"#,
        12,
        12,
        Edit { path: "a", old: Some(RED), new: OAK },
    ),
    edit(
        r#"{"path":"a","old_str":"oak elm ash fir yew bay fig pine","new_str":"red green blue teal pink gray gold lime"}"#,
        13,
        12,
        Edit { path: "a", old: Some(OAK), new: RED },
    ),
    edit(
        r#"{"path":"b","old_str":"oak elm ash fir yew bay fig pine","new_str":"red green blue teal pink gray gold lime"}"#,
        14,
        12,
        Edit { path: "b", old: Some(OAK), new: RED },
    ),
    edit(
        r#"{"path":"a","old_str":"oak elm ash fir yew bay fig pine","new_str":"one two three four five six seven eight"}"#,
        15,
        15,
        Edit { path: "a", old: Some(OAK), new: ONE },
    ),
    edit(
        r#"{"path":"a","content":"first text of them"}"#,
        16,
        16,
        Edit { path: "a", old: None, new: "first text of them" },
    ),
    edit(
        r#"{"path":"a","content":"another one altogether"}"#,
        17,
        17,
        Edit { path: "a", old: None, new: "another one altogether" },
    ),
    edit(
        r#"{"path":"b","content":"another one altogether"}"#,
        18,
        17,
        Edit { path: "b", old: None, new: "another one altogether" },
    ),
    call("act", r#"{"n":"one"}"#, 19, 19),
    call("act", r#"{"n":"two"}"#, 20, 20),
    Call { waits: true, ..call("get_status", "{}", 21, 21) },
    Call { waits: true, ..call("polled", r#"{"job":"one"}"#, 22, 22) },
    call("unpolled_status", r#"{"job":"one"}"#, 23, 23),
    Call { exempt: true, ..call("skipped", r#"{"n":"one"}"#, 24, 24) },
    Call { own_threshold: Some(2), ..call("strict", r#"{"q":"one"}"#, 25, 25) },
    Call { own_threshold: Some(4), ..look("grep_search", r#"{"q":"one"}"#, 26, 26) },
    Call { tests: true, ..call("run_tests", "{}", 27, 27) },
];

#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    pub text: Option<&'static str>,
    pub ok: Option<bool>,
    /// What the text is the same as, volatile tokens left out.
    pub same_as: u64,
    /// What the error is the same as, whatever it is about.
    pub error: u64,
    /// The text itself tells of a failure, in whatever way a tool tells it.
    pub fails: bool,
    /// A service was busy or away.
    pub busy: bool,
    /// It only says "ok", or nothing.
    pub only_ok: bool,
    pub complains: bool,
}

const SAID: Output = Output {
    text: None,
    ok: None,
    same_as: 0,
    error: 0,
    fails: false,
    busy: false,
    only_ok: false,
    complains: false,
};

const fn said(text: &'static str, same_as: u64) -> Output {
    Output { text: Some(text), same_as, ..SAID }
}

const fn error(text: &'static str, same_as: u64, error: u64) -> Output {
    Output { fails: true, error, ..said(text, same_as) }
}

pub static OUTPUTS: &[Output] = &[
    said("alpha beta", 1),
    said("took 0.12s altogether", 2),
    said("took 4.01s altogether", 2),
    error("Error: no such thing\nexit code: 1\n1 failed", 3, 1),
    error("Error: cannot open 'x' here\nexit code: 1\n1 failed", 4, 2),
    error("Error: cannot open 'yy' here\nexit code: 1\n1 failed", 5, 2),
    Output { busy: true, ..error("Error: 503 Service Unavailable\nexit code: 1\n1 failed", 6, 3) },
    SAID,
    Output { ok: Some(true), ..SAID },
    Output { ok: Some(false), ..SAID },
    Output { only_ok: true, ..said("ok", 7) },
    Output { only_ok: true, ..said("", 8) },
    Output { ok: Some(false), error: 4, ..said("", 8) },
    Output { ok: Some(true), complains: true, ..said("a warning: this was expected", 9) },
    Output { ok: Some(false), error: 5, ..said("alpha beta", 1) },
    Output { ok: Some(true), ..said("rate limit exceeded for the day", 10) },
];

impl Call {
    pub fn exact(&self) -> (&'static str, &'static str) {
        (self.name, self.args)
    }

    /// A tool that does several things counts as several.
    pub fn kind(&self) -> (&'static str, Deed) {
        (self.name, self.deed)
    }

    pub fn is_like(&self, other: &Call) -> bool {
        self.same_as == other.same_as || self.words == other.words
    }
}

impl Output {
    pub fn failed(&self) -> bool {
        self.ok == Some(false) || self.fails
    }

    pub fn is_blank(&self) -> bool {
        self.text.unwrap_or_default().is_empty()
    }

    pub fn worth(&self, call: &Call) -> Worth {
        let acknowledges = match call.deed {
            Deed::Change if call.shell => self.is_blank(),
            Deed::Change => true,
            Deed::Look => false,
            Deed::Run => self.only_ok && !call.shell && !call.tests,
        };
        match (self.text, self.failed()) {
            (_, true) if self.busy => Worth::Infrastructure,
            (_, true) => Worth::Evidence,
            (None, false) => Worth::Unknown,
            _ if acknowledges => Worth::Acknowledgement,
            _ => Worth::Evidence,
        }
    }

    /// What the whole result is the same as.
    pub fn reply(&self) -> (Option<u64>, bool) {
        (self.text.map(|_| self.same_as), self.failed())
    }
}
