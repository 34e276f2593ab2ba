//! What a call does to the world, and the words in commands and names that tell.

use serde::{Deserialize, Serialize};

/// What a call does to the world, as far as that can be told beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Effect {
    /// Reads or searches: the world stays as it is.
    Read,
    /// Edits or writes.
    Write,
    /// Runs something; what that does is not known.
    #[default]
    Execute,
}

impl Effect {
    pub const ALL: &'static [Self] = &[Effect::Read, Effect::Write, Effect::Execute];

    pub fn at(place: usize) -> Option<Self> {
        Self::ALL.get(place).copied()
    }
}

/// What editors that do everything do, by their `command`.
pub(crate) const EDITOR_COMMANDS: &[(&str, Effect)] = &[
    ("view", Effect::Read),
    ("read", Effect::Read),
    ("open", Effect::Read),
    ("find", Effect::Read),
];

/// Commands that change files or what is installed, as leading words.
pub(crate) const WRITE_COMMANDS: &[&str] = &[
    "sed -i*",
    "perl -i*",
    "perl -pi*",
    "rm",
    "rmdir",
    "mv",
    "cp",
    "mkdir",
    "touch",
    "tee",
    "patch",
    "apply_patch",
    "chmod",
    "chown",
    "ln",
    "dd",
    "truncate",
    "unzip",
    "tar",
    "git checkout",
    "git switch",
    "git apply",
    "git stash",
    "git reset",
    "git commit",
    "git add",
    "git restore",
    "git revert",
    "git mv",
    "git rm",
    "git clean",
    "git merge",
    "git rebase",
    "git pull",
    "git clone",
    "git cherry-pick",
    "pip install",
    "pip3 install",
    "pip uninstall",
    "python -m pip install",
    "uv add",
    "uv pip",
    "poetry add",
    "npm install",
    "npm i",
    "npm ci",
    "npm uninstall",
    "yarn add",
    "pnpm add",
    "pnpm install",
    "bun add",
    "bun install",
    "cargo add",
    "go get",
    "apt install",
    "apt-get install",
    "apt-get update",
    "apt update",
    "brew install",
    "apk add",
    "yum install",
    "dnf install",
    "conda install",
];

/// Commands that only look, as leading words.
pub(crate) const READ_ONLY_COMMANDS: &[&str] = &[
    "cat",
    "ls",
    "find",
    "grep",
    "egrep",
    "rg",
    "ag",
    "head",
    "tail",
    "sed -n",
    "wc",
    "pwd",
    "nl",
    "less",
    "more",
    "tree",
    "git status",
    "git diff",
    "git log",
    "git show",
    "git blame",
    "git grep",
    "git branch",
    "git ls-files",
    "which",
    "whereis",
    "type",
    "file",
    "stat",
    "echo",
    "printf",
    "awk",
    "cut",
    "sort",
    "uniq",
    "tr",
    "du",
    "df",
    "env",
    "printenv",
    "pip show",
    "pip list",
    "pip freeze",
    "npm ls",
    "npm view",
    "cd",
    "true",
    "test",
    "[",
    "export",
    "set",
    "bat",
    "tac",
    "diff",
    "date",
    "whoami",
    "uname",
    "id",
    "jq",
    "column",
    "basename",
    "dirname",
    "realpath",
];

/// Commands that wait for something, or look whether it has happened.
pub(crate) const POLL_COMMANDS: &[&str] = &[
    "sleep",
    "wait",
    "watch",
    "ps",
    "pgrep",
    "top",
    "jobs",
    "tail -f",
    "tail -F",
    "kubectl get",
    "kubectl rollout",
    "kubectl wait",
    "docker ps",
    "gh run",
    "squeue",
    "systemctl status",
    "nc",
];

/// Words in the names of tools that wait for something.
pub(crate) const POLL_WORDS: &[&str] = &[
    "poll",
    "polling",
    "wait",
    "sleep",
    "status",
    "progress",
    "health",
    "ping",
    "watch",
    "output",
    "heartbeat",
];
