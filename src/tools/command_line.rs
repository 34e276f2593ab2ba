//! What stands around the words that matter in a shell command.

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

/// Flags of read commands that take their value as the next word. What is not
/// listed stands alone.
pub(crate) const VALUE_FLAGS: &[(&str, &[&str])] = &[
    ("head", &["-n", "-c", "--lines", "--bytes"]),
    ("tail", &["-n", "-c", "-s", "--lines", "--bytes", "--pid", "--sleep-interval"]),
    ("nl", &["-b", "-d", "-f", "-h", "-i", "-l", "-n", "-s", "-v", "-w"]),
    ("tac", &["-s", "--separator"]),
    ("bat", &["-r", "--line-range", "-l", "--language", "-H", "--highlight-line", "--style"]),
];
