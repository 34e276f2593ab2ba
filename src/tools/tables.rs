//! The known argument names and commands. Data only. Commands are given by their leading
//! words; the last word may end in `*`.

use super::{Effect, Words};

/// The lists that options replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// Arguments that say what a call is about; the others are optional.
    pub primary_keys: Words,
    /// Commands that print one file.
    pub read_commands: Words,
    /// Commands that agents use in place of file tools.
    pub file_commands: Words,
    /// Commands that run tests, as leading words; the last word may end in `*`.
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

/// Arguments that contain a shell command, most likely first.
pub(crate) const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "input", "code"];

/// Arguments that contain a shell command whatever the tool is called.
pub(crate) const SURE_COMMAND_KEYS: &[&str] = &["command", "cmd"];

/// Arguments that name the file a call is about.
pub(crate) const PATH_KEYS: &[&str] =
    &["path", "file_path", "filePath", "filename", "file", "target_file", "notebook_path"];

/// Arguments that say from which line a file is read, and how far.
pub(crate) const START_KEYS: &[&str] = &["offset", "start_line", "line_start", "start", "from"];
pub(crate) const END_KEYS: &[&str] = &["limit", "end_line", "line_end", "end", "to"];

/// Arguments that differ from call to call and do not matter: they identify the call, or
/// say how long it may take.
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
    "timeout",
    "timeout_ms",
    "timeoutMs",
    "timeout_seconds",
    "yield_time_ms",
];

/// Arguments in which a model describes what it is doing. They are left out for known
/// tools only: another tool may act on them.
pub(crate) const NARRATION_KEYS: &[&str] = &["description", "explanation", "reason", "thought"];

/// Arguments that contain the text that an edit replaces.
pub(crate) const OLD_TEXT_KEYS: &[&str] =
    &["old_str", "old_string", "oldString", "old_text", "oldText", "old", "search", "find"];

/// Arguments that contain the replacement text of an edit.
pub(crate) const NEW_TEXT_KEYS: &[&str] =
    &["new_str", "new_string", "newString", "new_text", "newText", "new", "replace", "replacement"];

/// Arguments that contain a whole file.
pub(crate) const CONTENT_KEYS: &[&str] =
    &["content", "contents", "file_text", "text", "code_edit", "new_source"];

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

/// Without `sed -n` and `awk`, on purpose: reading other lines of a file is progress.
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

/// Commands that run another command.
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

/// Flags of read commands that take the next word as their value.
pub(crate) const VALUE_FLAGS: &[(&str, &[&str])] = &[
    ("head", &["-n", "-c", "--lines", "--bytes"]),
    ("tail", &["-n", "-c", "-s", "--lines", "--bytes", "--pid", "--sleep-interval"]),
    ("nl", &["-b", "-d", "-f", "-h", "-i", "-l", "-n", "-s", "-v", "-w"]),
    ("tac", &["-s", "--separator"]),
    ("bat", &["-r", "--line-range", "-l", "--language", "-H", "--highlight-line", "--style"]),
];

/// What an editor with a `command` argument does; any other command writes.
pub(crate) const EDITOR_COMMANDS: &[(&str, Effect)] = &[
    ("view", Effect::Read),
    ("read", Effect::Read),
    ("open", Effect::Read),
    ("find", Effect::Read),
];

/// Commands that change files or what is installed.
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

/// Commands that only read.
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

/// Commands that print the state of something, to be looked at again after each change:
/// executions, though they change nothing.
pub(crate) const STATUS_COMMANDS: &[&str] = &["git status"];

/// Commands that exit with one if they find nothing, or no difference.
pub(crate) const SEARCH_COMMANDS: &[&str] =
    &["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "git grep", "diff", "cmp", "pgrep", "which"];

/// Arguments that contain what is typed into a running program. Typing nothing is waiting.
pub(crate) const INPUT_KEYS: &[&str] = &["chars"];

/// Verbs in the names of tools that only read, if no other verb comes before them:
/// `get_weather`, `jira_get_issue`.
pub(crate) const READ_VERBS: &str = "\
    browse count describe fetch find get inspect list lookup query read retrieve \
    screenshot search show view";

/// Verbs in the names of tools that do something.
pub(crate) const ACTION_VERBS: &str = "\
    add apply call cancel clear click close create delete edit execute insert install \
    move open post press push put remove run save send set start stop store submit type update write";

/// Last words in the names of tools that only read: `web_search`.
pub(crate) const READ_NOUNS: &str = "fetch get lookup query screenshot search";

/// Words in the names of tools that send a message or ask a question. Thinking tools do
/// neither.
pub(crate) const MESSAGE_WORDS: &str = "ask comment delegate email handoff mail message notify question reply sms task think \
     transfer tweet";

/// Words in the names of tools in which a model keeps its own plan.
pub(crate) const PLAN_WORDS: &str = "plan todo todos todowrite";

/// Words in the names of tools that change the working directory.
pub(crate) const DIRECTORY_WORDS: &str = "cd chdir cwd";

/// Words in the names of tools that look for messages or tasks, or sort them, instead of
/// sending them.
pub(crate) const RECEIVE_WORDS: &str =
    "archive check claim delete inbox label mark move next receive unread";

/// Arguments that contain a query in a query language.
pub(crate) const QUERY_KEYS: &[&str] = &["query", "sql", "statement"];

/// Commands that let time pass.
pub(crate) const WAIT_COMMANDS: &[&str] =
    &["sleep", "wait", "watch", "tail -f", "tail -F", "kubectl wait", "gh run watch"];

/// Words in the names of tools that let time pass.
pub(crate) const WAIT_WORDS: &str = "delay pause sleep wait";

/// Commands that check whether something has happened.
pub(crate) const POLL_COMMANDS: &[&str] = &[
    "ps",
    "pgrep",
    "top",
    "jobs",
    "kubectl get",
    "kubectl rollout",
    "docker ps",
    "docker compose ps",
    "gh pr checks",
    "gh run",
    "helm status",
    "squeue",
    "systemctl status",
    "nc",
];

/// Words in the names of tools that check whether something has happened.
pub(crate) const POLL_WORDS: &str =
    "poll polling status progress health ping watch output heartbeat";
