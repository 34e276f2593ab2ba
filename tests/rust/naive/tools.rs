//! A few calls, with what each means written beside it by hand. Streams are drawn
//! from these, so that every pattern comes up all the time.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// What a call does to the world.
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
    /// What it is the same as, volatile arguments left out.
    pub same_as: u64,
    /// The files it names.
    pub targets: &'static [&'static str],
    pub effect: Effect,
    pub shell: bool,
    pub tests: bool,
    pub is_polling: bool,
    pub exempt: bool,
    pub own_threshold: Option<u32>,
    pub edit: Option<Edit>,
}

const PLAIN: Call = Call {
    name: "",
    args: "",
    same_as: 0,
    targets: &[],
    effect: Effect::Execute,
    shell: false,
    tests: false,
    is_polling: false,
    exempt: false,
    own_threshold: None,
    edit: None,
};

const fn call(name: &'static str, args: &'static str, same_as: u64) -> Call {
    Call { name, args, same_as, ..PLAIN }
}

const fn look(name: &'static str, args: &'static str, same_as: u64) -> Call {
    Call { effect: Effect::Read, ..call(name, args, same_as) }
}

const fn bash(args: &'static str, same_as: u64) -> Call {
    Call { shell: true, ..call("bash", args, same_as) }
}

const fn edit(args: &'static str, same_as: u64, edit: Edit) -> Call {
    let name = if edit.old.is_some() { "edit_file" } else { "write_file" };
    Call { effect: Effect::Write, edit: Some(edit), ..call(name, args, same_as) }
}

const RED: &str = "red green blue teal pink gray gold lime";
const OAK: &str = "oak elm ash fir yew bay fig pine";
const ONE: &str = "one two three four five six seven eight";

pub static CALLS: &[Call] = &[
    look("read_file", r#"{"path":"a"}"#, 0),
    look("read_file", r#"{"path":"a","ts":1}"#, 0),
    look("read_file", r#"{"path":"b"}"#, 2),
    look("grep", r#"{"query":"alpha beta"}"#, 3),
    look("grep", r#"{"query":"beta alpha"}"#, 4),
    look("grep", r#"{"query":"gamma delta"}"#, 5),
    bash(r#"{"command":"npm run build"}"#, 6),
    bash(r#"{"command":"build run npm"}"#, 7),
    bash(r#"{"command":"make all of it"}"#, 8),
    Call { tests: true, ..bash(r#"{"command":"pytest"}"#, 9) },
    Call { effect: Effect::Write, ..bash(r#"{"command":"touch x"}"#, 10) },
    Call { is_polling: true, ..bash(r#"{"command":"sleep 5 && cat log"}"#, 11) },
    edit(
        r#"{"path":"a","old_str":"red green blue teal pink gray gold lime","new_str":"oak elm ash fir yew bay fig pine"}"#,
        12,
        Edit { path: "a", old: Some(RED), new: OAK },
    ),
    edit(
        r#"{"path":"a","old_str":"oak elm ash fir yew bay fig pine","new_str":"red green blue teal pink gray gold lime"}"#,
        13,
        Edit { path: "a", old: Some(OAK), new: RED },
    ),
    edit(
        r#"{"path":"b","old_str":"oak elm ash fir yew bay fig pine","new_str":"red green blue teal pink gray gold lime"}"#,
        14,
        Edit { path: "b", old: Some(OAK), new: RED },
    ),
    edit(
        r#"{"path":"a","old_str":"oak elm ash fir yew bay fig pine","new_str":"one two three four five six seven eight"}"#,
        15,
        Edit { path: "a", old: Some(OAK), new: ONE },
    ),
    edit(
        r#"{"path":"a","content":"first text of them"}"#,
        16,
        Edit { path: "a", old: None, new: "first text of them" },
    ),
    edit(
        r#"{"path":"a","content":"another one altogether"}"#,
        17,
        Edit { path: "a", old: None, new: "another one altogether" },
    ),
    edit(
        r#"{"path":"b","content":"another one altogether"}"#,
        18,
        Edit { path: "b", old: None, new: "another one altogether" },
    ),
    call("act", r#"{"n":"one"}"#, 19),
    call("act", r#"{"n":"two"}"#, 20),
    Call { is_polling: true, ..call("get_status", "{}", 21) },
    Call { is_polling: true, ..call("polled", r#"{"job":"one"}"#, 22) },
    call("unpolled_status", r#"{"job":"one"}"#, 23),
    Call { exempt: true, ..call("skipped", r#"{"n":"one"}"#, 24) },
    Call { own_threshold: Some(2), ..call("strict", r#"{"q":"one"}"#, 25) },
    Call { own_threshold: Some(4), ..look("grep_search", r#"{"q":"one"}"#, 26) },
    Call { tests: true, ..call("run_tests", "{}", 27) },
    look("grep", r#"{"query":"alpha beta soon"}"#, 28),
    look("grep", r#"{"query":"one two three four five six seven eight","in":"ts"}"#, 29),
    Call {
        targets: &["a.ts"],
        ..look("grep", r#"{"query":"one two three four five six seven eight","in":"a.ts"}"#, 30)
    },
    Call {
        targets: &["b.ts"],
        ..look("grep", r#"{"query":"one two three four five six seven eight","in":"b.ts"}"#, 31)
    },
    Call { targets: &["a.ts"], ..bash(r#"{"command":"npm run build a.ts"}"#, 32) },
    Call { targets: &["b.ts"], ..bash(r#"{"command":"npm run build b.ts"}"#, 33) },
    bash(r#"{"command":"npm run build","description":"builds it"}"#, 6),
    Call { is_polling: true, ..bash(r#"{"command":"sleep 5 && npm run build"}"#, 35) },
    Call { effect: Effect::Read, ..bash(r#"{"command":"ls one two"}"#, 36) },
    Call { effect: Effect::Read, ..bash(r#"{"command":"ls two one"}"#, 37) },
    Call { tests: true, ..bash(r#"{"command":"pytest -q"}"#, 38) },
];

impl Call {
    pub fn exact(&self) -> (&'static str, &'static str) {
        (self.name, self.args)
    }

    /// A tool that does several things counts as several.
    pub fn kind(&self) -> (&'static str, Effect) {
        (self.name, self.effect)
    }

    /// At least so many percent of their words are the same, or all that counts.
    pub fn is_like(&self, other: &Call, percent: u32) -> bool {
        self.same_as == other.same_as || LIKENESS[&(self.args, other.args)] >= percent
    }
}

/// How many percent of the words of two calls are in both, for all calls.
static LIKENESS: LazyLock<HashMap<(&str, &str), u32>> = LazyLock::new(|| {
    let words = |args: &'static str| -> BTreeSet<&str> {
        let apart = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        args.split(apart).filter(|word| !word.is_empty()).collect()
    };
    let likeness = |one: &Call, other: &Call| {
        let (one, other) = (words(one.args), words(other.args));
        let both = one.intersection(&other).count() * 100;
        both.checked_div(one.union(&other).count()).unwrap_or(100) as u32
    };
    let pairs = CALLS.iter().flat_map(|one| CALLS.iter().map(move |other| (one, other)));
    pairs.map(|(one, other)| ((one.args, other.args), likeness(one, other))).collect()
});
