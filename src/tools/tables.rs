//! The lists that options extend: primary arguments, and the commands that read,
//! stand in for file tools, or run tests.

use super::words::Words;

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
