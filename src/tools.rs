//! What kind of tool a name stands for, and the words that shells, test runners
//! and file commands are known by. Data, in one place: options extend it.

use crate::verdict::named;
use alloc::string::String;
use alloc::vec::Vec;

named! {
    /// What a tool does, as far as patterns care.
    #[derive(Default)]
    ToolClass {
        /// Runs a shell command.
        Shell = "shell",
        /// Changes part of a file.
        Edit = "edit",
        /// Writes a whole file.
        Write = "write",
        /// Reads a file.
        Read = "read",
        /// Looks for something: files, code, the web.
        Search = "search",
        /// Runs tests.
        Test = "test",
        /// Anything else.
        #[default]
        Other = "other",
    }
}

/// What a call does to the world, as far as that can be told beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Deed {
    /// Reads or searches: the world stays as it is.
    Look,
    /// Edits or writes.
    Change,
    /// Runs something; what that does is not known.
    #[default]
    Run,
}

impl Deed {
    pub const ALL: &'static [Self] = &[Deed::Look, Deed::Change, Deed::Run];

    pub fn at(place: usize) -> Option<Self> {
        Self::ALL.get(place).copied()
    }
}

/// Tool names of the agents and frameworks in use, folded as [`fold`] does.
const KNOWN: &[(ToolClass, &[&str])] = &[
    (
        ToolClass::Shell,
        &[
            "bash",
            "shell",
            "sh",
            "zsh",
            "terminal",
            "exec",
            "execute",
            "run",
            "cmd",
            "command",
            "powershell",
            "pwsh",
            "runcommand",
            "runcommands",
            "runshell",
            "runshellcommand",
            "runbash",
            "runbashcommand",
            "runterminalcmd",
            "runterminalcommand",
            "runinterminal",
            "execcommand",
            "executecommand",
            "executebash",
            "executeshell",
            "shellcommand",
            "shelltool",
            "bashtool",
            "localshell",
            "containerexec",
            "executeinterminal",
        ],
    ),
    (
        ToolClass::Edit,
        &[
            "edit",
            "editfile",
            "editor",
            "multiedit",
            "strreplace",
            "strreplaceeditor",
            "strreplacebasededittool",
            "applypatch",
            "applydiff",
            "patch",
            "patchfile",
            "replace",
            "replaceinfile",
            "searchreplace",
            "searchandreplace",
            "insert",
            "insertcontent",
            "updatefile",
            "modifyfile",
            "notebookedit",
            "textedit",
        ],
    ),
    (
        ToolClass::Write,
        &[
            "write",
            "writefile",
            "writetofile",
            "createfile",
            "savefile",
            "newfile",
            "overwritefile",
        ],
    ),
    (
        ToolClass::Read,
        &[
            "read",
            "readfile",
            "readfiles",
            "readmanyfiles",
            "view",
            "viewfile",
            "openfile",
            "open",
            "cat",
            "getfile",
            "getfilecontents",
            "readtextfile",
            "notebookread",
        ],
    ),
    (
        ToolClass::Search,
        &[
            "grep",
            "glob",
            "search",
            "searchfiles",
            "searchcode",
            "codebasesearch",
            "grepsearch",
            "filesearch",
            "findfiles",
            "find",
            "ripgrep",
            "rg",
            "ls",
            "list",
            "listdir",
            "listdirectory",
            "listfiles",
            "websearch",
            "googlewebsearch",
            "webfetch",
            "fetch",
        ],
    ),
    (
        ToolClass::Test,
        &[
            "test",
            "tests",
            "runtest",
            "runtests",
            "runtestsuite",
            "executetests",
            "testrunner",
            "pytest",
            "jest",
            "vitest",
            "runpytest",
            "rununittests",
        ],
    ),
];

/// The class a tool has unless options say otherwise. Case, `_` and `-` do not
/// count, nor does what stands before the last `__`, `.`, `/` or `:` (servers
/// and namespaces).
pub(crate) fn classify(name: &str) -> ToolClass {
    let mut buffer = [0u8; 32];
    let Some(folded) = fold(base_name(name), &mut buffer) else { return ToolClass::Other };
    KNOWN
        .iter()
        .find(|(_, names)| names.iter().any(|known| known.as_bytes() == folded))
        .map_or(ToolClass::Other, |(class, _)| *class)
}

fn base_name(name: &str) -> &str {
    let last = name.rsplit(['.', '/', ':']).next().unwrap_or(name);
    let server = last.as_bytes().windows(2).rposition(|two| two == b"__");
    server.and_then(|at| last.get(at + 2..)).unwrap_or(last)
}

/// Lower case without separators. Longer than the buffer: not a name we know.
fn fold<'b>(name: &str, buffer: &'b mut [u8; 32]) -> Option<&'b [u8]> {
    let mut length = 0;
    for byte in name.bytes().filter(|byte| !matches!(byte, b'_' | b'-')) {
        *buffer.get_mut(length)? = byte.to_ascii_lowercase();
        length += 1;
    }
    buffer.get(..length)
}

/// A list of words: ours, or the options'. Ours are not copied into every detector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// A list that comes with the crate.
    Known(&'static [&'static str]),
    /// A list of the host's own.
    Own(Vec<String>),
}

impl Words {
    /// Hands over the words, in order, until one is accepted; tells whether one was.
    pub fn any(&self, accept: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            Words::Known(known) => known.iter().any(|word| accept(word)),
            Words::Own(own) => own.iter().any(|word| accept(word)),
        }
    }

    /// The same for the words that begin with this byte. Looking at one byte is
    /// nearly all that a long list costs.
    pub(crate) fn any_from(&self, first: u8, accept: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            Words::Known(known) => any_from(known, first, accept),
            Words::Own(own) => {
                own.iter().any(|word| word.as_bytes().first() == Some(&first) && accept(word))
            }
        }
    }

    /// Hands over every word, in order.
    pub fn each(&self, visit: &mut dyn FnMut(&str)) {
        self.any(&mut |word| {
            visit(word);
            false
        });
    }

    /// Whether the list has the word.
    pub fn has(&self, word: &str) -> bool {
        self.any(&mut |known| known == word)
    }
}

/// See [`Words::any_from`].
pub(crate) fn any_from(known: &[&str], first: u8, accept: &mut dyn FnMut(&str) -> bool) -> bool {
    known.iter().any(|word| word.as_bytes().first() == Some(&first) && accept(word))
}

/// The words that shell commands and arguments are recognised by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// Arguments that say what a call is about; the others are optional extras.
    pub primary_keys: Words,
    /// Commands that print one file.
    pub read_commands: Words,
    /// Commands that an agent abuses in place of file tools.
    pub file_commands: Words,
    /// Commands that run tests, as leading words; a last word may end in `*`.
    pub test_commands: Words,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            primary_keys: Words::Known(PRIMARY_KEYS),
            read_commands: Words::Known(READ_COMMANDS),
            file_commands: Words::Known(FILE_COMMANDS),
            test_commands: Words::Known(TEST_COMMANDS),
        }
    }
}

const PRIMARY_KEYS: &[&str] = &[
    "path",
    "file_path",
    "command",
    "pattern",
    "query",
    "url",
    "content",
    "filename",
    "offset",
    "limit",
];

/// `sed -n` and `awk` are left out on purpose: reading on through a file with
/// other line ranges is progress.
const READ_COMMANDS: &[&str] = &["cat", "head", "tail", "less", "more", "bat", "nl", "tac"];

const FILE_COMMANDS: &[&str] = &["cat", "echo", "sed", "printf", "tee", "head", "tail"];

const TEST_COMMANDS: &[&str] = &[
    "pytest",
    "py.test",
    "python -m pytest",
    "python -m unittest",
    "python manage.py test",
    "python setup.py test",
    "manage.py test",
    "runtests.py",
    "python runtests.py",
    "tox",
    "nox",
    "nosetests",
    "trial",
    "npm test",
    "npm t",
    "npm run test*",
    "yarn test*",
    "yarn run test*",
    "pnpm test*",
    "pnpm run test*",
    "bun test",
    "bun run test*",
    "deno test",
    "deno task test*",
    "node --test",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "tap",
    "jasmine",
    "karma start",
    "playwright test",
    "cypress run",
    "ng test",
    "nx test",
    "turbo test",
    "turbo run test*",
    "cargo test",
    "cargo nextest",
    "cargo t",
    "go test",
    "gotestsum",
    "ginkgo",
    "mvn test",
    "mvn verify",
    "mvnw test",
    "mvnw verify",
    "gradle test",
    "gradle check",
    "gradlew test",
    "gradlew check",
    "sbt test",
    "lein test",
    "dotnet test",
    "make test*",
    "make check",
    "ctest",
    "meson test",
    "ninja test",
    "bazel test",
    "rspec",
    "rake test",
    "rake spec",
    "rails test",
    "phpunit",
    "pest",
    "php artisan test",
    "mix test",
    "swift test",
    "xcodebuild test",
    "flutter test",
    "dart test",
    "zig build test",
    "prove",
    "busted",
    "stack test",
    "cabal test",
    "dune test",
    "rebar3 eunit",
    "rebar3 ct",
    "bats",
];

/// Words that may stand before the command that matters.
pub(crate) const WRAPPERS: &[&str] = &[
    "sudo",
    "time",
    "env",
    "exec",
    "command",
    "nice",
    "nohup",
    "stdbuf",
    "timeout",
    "xvfb-run",
    "npx",
    "bunx",
    "pnpx",
    "yarn",
    "yarn run",
    "yarn exec",
    "pnpm",
    "pnpm exec",
    "pnpm dlx",
    "npm exec",
    "bun x",
    "poetry run",
    "uv run",
    "pipenv run",
    "pdm run",
    "rye run",
    "hatch run",
    "bundle exec",
    "coverage run -m",
    "dotenv",
    "cross-env",
];

/// Arguments that hold a shell's command.
pub(crate) const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "input", "code"];

/// Arguments that name the file a call is about.
pub(crate) const PATH_KEYS: &[&str] =
    &["path", "file_path", "filePath", "filename", "file", "target_file", "notebook_path"];

/// Arguments that differ from call to call and mean nothing.
pub(crate) const VOLATILE_KEYS: &[&str] = &[
    "request_id",
    "requestId",
    "trace_id",
    "traceId",
    "correlation_id",
    "correlationId",
    "idempotency_key",
    "idempotencyKey",
    "nonce",
    "timestamp",
    "ts",
];

/// Arguments in which a model tells people what it is doing. Not where a tool is
/// not known: there they may be what it is given.
pub(crate) const TALK_KEYS: &[&str] = &["description", "explanation", "reason", "thought"];

/// Arguments that hold what an edit takes out.
pub(crate) const OLD_TEXT_KEYS: &[&str] =
    &["old_str", "old_string", "oldString", "old_text", "oldText", "old", "search", "find"];

/// Arguments that hold what an edit puts in.
pub(crate) const NEW_TEXT_KEYS: &[&str] =
    &["new_str", "new_string", "newString", "new_text", "newText", "new", "replace", "replacement"];

/// Arguments that hold a whole file.
pub(crate) const CONTENT_KEYS: &[&str] =
    &["content", "contents", "file_text", "text", "code_edit", "new_source"];

/// What editors that do everything do, by their `command`.
pub(crate) const EDITOR_COMMANDS: &[(&str, Deed)] =
    &[("view", Deed::Look), ("read", Deed::Look), ("open", Deed::Look), ("find", Deed::Look)];

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

/// Commands that change files or what is installed, as leading words.
pub(crate) const CHANGE_COMMANDS: &[&str] = &[
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
pub(crate) const LOOK_COMMANDS: &[&str] = &[
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

/// Flags of read commands that take their value as the next word. What is not
/// listed stands alone.
pub(crate) const VALUE_FLAGS: &[(&str, &[&str])] = &[
    ("head", &["-n", "-c", "--lines", "--bytes"]),
    ("tail", &["-n", "-c", "-s", "--lines", "--bytes", "--pid", "--sleep-interval"]),
    ("nl", &["-b", "-d", "-f", "-h", "-i", "-l", "-n", "-s", "-v", "-w"]),
    ("tac", &["-s", "--separator"]),
    ("bat", &["-r", "--line-range", "-l", "--language", "-H", "--highlight-line", "--style"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_known_agents_have_their_class() {
        for (name, class) in [
            ("bash", ToolClass::Shell),
            ("Bash", ToolClass::Shell),
            ("run_terminal_cmd", ToolClass::Shell),
            ("execute_bash", ToolClass::Shell),
            ("mcp__shell__run-command", ToolClass::Shell),
            ("functions.shell", ToolClass::Shell),
            ("str_replace_editor", ToolClass::Edit),
            ("write_file", ToolClass::Write),
            ("ReadFile", ToolClass::Read),
            ("grep_search", ToolClass::Search),
            ("run_tests", ToolClass::Test),
            ("book_flight", ToolClass::Other),
            ("", ToolClass::Other),
            ("a_name_far_longer_than_any_tool_that_anyone_would_register", ToolClass::Other),
        ] {
            assert_eq!(classify(name), class, "{name}");
        }
    }

    #[test]
    fn the_table_is_folded_and_has_no_duplicates() {
        let all: Vec<&str> = KNOWN.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for (i, name) in all.iter().enumerate() {
            let mut buffer = [0; 32];
            assert_eq!(fold(name, &mut buffer), Some(name.as_bytes()));
            assert!(!all[..i].contains(name), "{name}");
        }
    }
}
