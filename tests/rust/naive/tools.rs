//! A few calls, each with its meaning written by hand. Streams are drawn from these, so
//! that every pattern occurs often.

use loophound::{Action, ToolSettings};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Read,
    Write,
    Execute,
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
    /// The arguments without volatile tokens; calls with equal ones are the same call.
    same_as: &'static str,
    /// The files, hosts, dates and the like that it names.
    targets: &'static [&'static str],
    pub effect: Effect,
    pub shell: bool,
    /// The first program of a shell command.
    program: &'static str,
    pub tests: bool,
    /// A shell command that ends with a search.
    pub searches: bool,
    /// It waits for something, or checks whether it has happened.
    pub polls: bool,
    /// It lets time pass.
    pub waits: bool,
    /// It sends a message or asks a question.
    pub message: bool,
    /// It writes down the model's own plan.
    pub plan: bool,
    /// The file and the line where a read of part of a file begins.
    pub read_from: Option<(&'static str, &'static str)>,
    pub edit: Option<Edit>,
    /// Whether the options exempt its tool.
    pub exempt: bool,
    pub own_threshold: Option<u32>,
    pub at_most: Option<Action>,
    own_poll: Option<bool>,
}

const fn call(name: &'static str, args: &'static str) -> Call {
    Call {
        name,
        args,
        same_as: args,
        targets: &[],
        effect: Effect::Execute,
        shell: false,
        program: name,
        tests: false,
        searches: false,
        polls: false,
        waits: false,
        message: false,
        plan: false,
        read_from: None,
        edit: None,
        exempt: false,
        own_threshold: None,
        at_most: None,
        own_poll: None,
    }
}

const fn read(name: &'static str, args: &'static str) -> Call {
    Call { effect: Effect::Read, ..call(name, args) }
}

const fn part(args: &'static str, start: &'static str) -> Call {
    Call { read_from: Some(("alpha", start)), ..read("read_file", args) }
}

const fn bash(program: &'static str, args: &'static str) -> Call {
    Call { shell: true, program, ..call("bash", args) }
}

const fn bash_read(program: &'static str, args: &'static str) -> Call {
    Call { effect: Effect::Read, ..bash(program, args) }
}

const fn bash_write(program: &'static str, args: &'static str) -> Call {
    Call { effect: Effect::Write, ..bash(program, args) }
}

const fn wait(waits: Call) -> Call {
    Call { polls: true, waits: true, ..waits }
}

const fn edit(args: &'static str, edit: Edit) -> Call {
    let name = if edit.old.is_some() { "edit_file" } else { "write_file" };
    Call { effect: Effect::Write, edit: Some(edit), ..call(name, args) }
}

const FIRST_TEXT: &str = "ash moon star reef";
const SECOND_TEXT: &str = "peak fern moss dove";
const THIRD_TEXT: &str = "hawk kite swan goose";

pub static CALLS: &[Call] = &[
    read("read_file", r#"{"path":"a"}"#),
    Call { same_as: r#"{"path":"a"}"#, ..read("read_file", r#"{"path":"a","ts":1}"#) },
    read("read_file", r#"{"path":"e"}"#),
    part(r#"{"path":"alpha","offset":1,"limit":10}"#, "1"),
    part(r#"{"path":"alpha","offset":1,"limit":11}"#, "1"),
    part(r#"{"path":"alpha","offset":1,"limit":14}"#, "1"),
    part(r#"{"path":"alpha","offset":16,"limit":14}"#, "16"),
    Call {
        read_from: Some(("alpha in a shell", "1")),
        ..bash_read("head", r#"{"cmd":"head -n 10 alpha"}"#)
    },
    Call {
        read_from: Some(("alpha in a shell", "1")),
        ..bash_read("head", r#"{"cmd":"head -n 11 alpha"}"#)
    },
    Call {
        read_from: Some(("alpha in a shell", "3")),
        ..bash_read("sed", r#"{"cmd":"sed -n 3,10p alpha"}"#)
    },
    read("grep", r#"{"query":"alpha beta"}"#),
    read("grep", r#"{"query":"beta alpha"}"#),
    read("grep", r#"{"query":"gamma delta"}"#),
    read("grep", r#"{"query":"alpha gamma"}"#),
    read("grep", r#"{"query":"beta soon"}"#),
    read("grep", r#"{"query":"alpha beta soon"}"#),
    read("grep", r#"{"query":"wind root corn salt iron lead lake glen","in":"ts"}"#),
    Call {
        targets: &["a.ts"],
        ..read("grep", r#"{"query":"wind root corn salt iron lead lake glen","in":"a.ts"}"#)
    },
    Call {
        targets: &["f.ts"],
        ..read("grep", r#"{"query":"wind root corn salt iron lead lake glen","in":"f.ts"}"#)
    },
    Call { targets: &["2024-01-12"], ..read("fetch", r#"{"day":"2024-01-12"}"#) },
    Call { targets: &["2024-01-03"], ..read("fetch", r#"{"day":"2024-01-03"}"#) },
    Call { targets: &["2024-01-04"], ..read("fetch", r#"{"day":"2024-01-04"}"#) },
    bash_read("ls", r#"{"cmd":"ls beta gamma"}"#),
    bash_read("ls", r#"{"cmd":"ls gamma beta"}"#),
    Call { searches: true, ..bash_read("grep", r#"{"cmd":"grep -r delta src"}"#) },
    Call { searches: true, ..bash_read("grep", r#"{"cmd":"grep -r soon src"}"#) },
    bash("npm", r#"{"command":"npm run build"}"#),
    Call {
        same_as: r#"{"command":"npm run build"}"#,
        ..bash("npm", r#"{"command":"npm run build","description":"builds it"}"#)
    },
    bash("build", r#"{"command":"build run npm"}"#),
    bash("make", r#"{"command":"make all for it"}"#),
    Call { targets: &["a.ts"], ..bash("npm", r#"{"command":"npm run build a.ts"}"#) },
    Call { targets: &["f.ts"], ..bash("npm", r#"{"command":"npm run build f.ts"}"#) },
    Call { targets: &["node1"], ..bash("curl", r#"{"command":"curl node1"}"#) },
    Call { targets: &["host2"], ..bash("curl", r#"{"command":"curl host2"}"#) },
    Call { targets: &["host3"], ..bash("curl", r#"{"command":"curl host3"}"#) },
    Call { tests: true, ..bash("pytest", r#"{"command":"pytest"}"#) },
    Call { tests: true, ..bash("pytest", r#"{"command":"pytest -x"}"#) },
    Call { tests: true, ..call("run_tests", "{}") },
    bash_write("touch", r#"{"command":"touch x"}"#),
    bash_write("rm", r#"{"command":"rm -f y"}"#),
    wait(bash("sleep", r#"{"command":"sleep 5"}"#)),
    wait(bash("sleep", r#"{"command":"sleep 5 && cat log"}"#)),
    wait(bash("sleep", r#"{"command":"sleep 5 && npm run build"}"#)),
    wait(call("wait", r#"{"ms":5}"#)),
    wait(call("type_in", r#"{"chars":"","tty":"x"}"#)),
    Call { polls: true, ..bash("docker", r#"{"command":"docker ps"}"#) },
    Call { polls: true, ..read("get_status", "{}") },
    Call { polls: true, own_poll: Some(true), ..call("polled", r#"{"job":"one"}"#) },
    Call { own_poll: Some(false), ..call("unpolled_status", r#"{"job":"one"}"#) },
    edit(
        r#"{"path":"a","old_str":"ash moon star reef","new_str":"peak fern moss dove"}"#,
        Edit { path: "a", old: Some(FIRST_TEXT), new: SECOND_TEXT },
    ),
    edit(
        r#"{"path":"a","old_str":"peak fern moss dove","new_str":"ash moon star reef"}"#,
        Edit { path: "a", old: Some(SECOND_TEXT), new: FIRST_TEXT },
    ),
    edit(
        r#"{"path":"e","old_str":"peak fern moss dove","new_str":"ash moon star reef"}"#,
        Edit { path: "e", old: Some(SECOND_TEXT), new: FIRST_TEXT },
    ),
    edit(
        r#"{"path":"a","old_str":"peak fern moss dove","new_str":"hawk kite swan goose"}"#,
        Edit { path: "a", old: Some(SECOND_TEXT), new: THIRD_TEXT },
    ),
    edit(
        r#"{"path":"a","content":"deer gong bear lynx"}"#,
        Edit { path: "a", old: None, new: "deer gong bear lynx" },
    ),
    edit(
        r#"{"path":"a","content":"whale bell eel"}"#,
        Edit { path: "a", old: None, new: "whale bell eel" },
    ),
    edit(
        r#"{"path":"e","content":"whale bell eel"}"#,
        Edit { path: "e", old: None, new: "whale bell eel" },
    ),
    call("act", r#"{"n":"one"}"#),
    call("act", r#"{"n":"two"}"#),
    call("walk", r#"{"direction":"north"}"#),
    call("walk", r#"{"direction":"east"}"#),
    Call { message: true, ..call("ask", r#"{"about":"please look at the door"}"#) },
    Call {
        message: true,
        ..call("send_message", r#"{"to":"me","say":"supper sits ready outside"}"#)
    },
    Call {
        message: true,
        ..call("send_message", r#"{"to":"me","say":"outside sits supper quite ready"}"#)
    },
    Call {
        message: true,
        ..call("send_message", r#"{"to":"me","say":"something unrelated entirely"}"#)
    },
    Call { plan: true, ..call("update_plan", r#"{"plan":"sow then reap"}"#) },
    Call { plan: true, ..call("update_plan", r#"{"plan":"reap then sow"}"#) },
    Call { exempt: true, ..call("skipped", r#"{"n":"one"}"#) },
    Call { own_threshold: Some(2), ..call("strict", r#"{"key":"one"}"#) },
    Call { own_threshold: Some(4), ..read("grep_search", r#"{"key":"one"}"#) },
    Call { at_most: Some(Action::Nudge), ..read("gentle_search", r#"{"key":"one"}"#) },
    Call { at_most: Some(Action::Stop), ..call("hard", r#"{"key":"one"}"#) },
];

impl Call {
    pub fn exact(&self) -> (&'static str, &'static str) {
        (self.name, self.args)
    }

    /// Returns a value that is equal for equal calls.
    pub fn identity(&self) -> (&'static str, &'static str) {
        (self.name, self.same_as)
    }

    pub fn is_same(&self, other: &Call) -> bool {
        self.identity() == other.identity()
    }

    /// Returns the kind of the call: a tool that does several things counts as several.
    pub fn kind(&self) -> (&'static str, Effect) {
        (self.name, self.effect)
    }

    pub fn program(&self) -> &'static str {
        self.program
    }

    /// Returns its targets. The target of an edit is its file.
    pub fn targets(&self) -> Vec<&'static str> {
        match self.edit {
            Some(edit) => vec![edit.path],
            None => self.targets.to_vec(),
        }
    }

    /// Returns the words of the arguments.
    pub fn words(&self) -> &'static BTreeSet<&'static str> {
        &WORDS[self.args]
    }

    /// Returns whether at least this many percent of the words are the same, or the calls
    /// are equal.
    pub fn is_like(&self, other: &Call, percent: u32) -> bool {
        let both = self.words().intersection(other.words()).count();
        let all = self.words().union(other.words()).count();
        self.is_same(other) || (both * 100).checked_div(all).unwrap_or(100) as u32 >= percent
    }
}

/// The words of all arguments in the table.
static WORDS: LazyLock<HashMap<&str, BTreeSet<&str>>> = LazyLock::new(|| {
    let is_apart = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let words = |args: &'static str| args.split(is_apart).filter(|word| !word.is_empty());
    CALLS.iter().map(|call| (call.args, words(call.args).collect())).collect()
});

/// Returns the settings of the tools in the table.
pub fn settings() -> Vec<(String, ToolSettings)> {
    let own = |call: &Call| ToolSettings {
        exempt: call.exempt,
        threshold: call.own_threshold,
        poll: call.own_poll,
        at_most: call.at_most,
        ..ToolSettings::default()
    };
    CALLS.iter().map(|call| (call.name.into(), own(call))).collect()
}
