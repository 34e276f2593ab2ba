//! Just enough shell to know what a command is about: whether it only reads one
//! file, runs tests, or handles files that a file tool should handle.
//!
//! This is no shell parser and must not become one. Whatever looks complicated
//! is answered with "don't know", which costs a missed match, never a wrong one.

use crate::tools::{VALUE_FLAGS, WRAPPERS, Words};
use alloc::borrow::ToOwned;
use alloc::string::String;

/// A command is looked at this far; programs and their subcommands stand in front.
const LOOKED_AT: usize = 4096;

/// The file that a plain `cat file`, `head -n 5 file` or the like reads.
pub(crate) fn file_read(command: &str, readers: &Words) -> Option<String> {
    let expands = |c: char| matches!(c, '\n' | '`' | '*' | '?' | '[' | '{');
    let several = is_complex(command)
        || command.contains(expands)
        || command.as_bytes().windows(2).any(|two| two == b"$(");
    if several || command.len() > LOOKED_AT {
        return None;
    }
    let mut words = CommandWords { rest: command };
    let program = words.next()?;
    if !readers.has(program) {
        return None;
    }
    let mut file = None;
    let mut flags = true;
    while let Some(word) = words.next() {
        let word = unquoted(word);
        if flags && word == "--" {
            flags = false;
        } else if flags && word.len() > 1 && word.starts_with(['-', '+']) {
            if takes_value(program, &word) {
                words.next();
            }
        } else if file.replace(word).is_some() {
            return None;
        }
    }
    file.map(|file| plain_path(&file)).filter(|file| !file.is_empty() && file != "-")
}

fn takes_value(program: &str, flag: &str) -> bool {
    VALUE_FLAGS.iter().any(|(name, flags)| *name == program && flags.contains(&flag))
}

/// Pipes, redirects and lists: more than one simple command.
pub(crate) fn is_complex(command: &str) -> bool {
    command.bytes().any(|byte| matches!(byte, b'|' | b'>' | b'<' | b';' | b'&'))
}

/// Whether any part of the command runs tests.
pub(crate) fn runs_tests(command: &str, runners: &Words) -> bool {
    simple_commands(command).any(|part| {
        let mut at = Some(after_assignments(part));
        while let Some(words) = at {
            if runners.iter().any(|runner| starts_with(words, runner)) {
                return true;
            }
            at = unwrapped(words);
        }
        false
    })
}

/// Whether the command is, first of all, a file command such as `cat`, `echo` or `sed`.
pub(crate) fn handles_files(command: &str, programs: &Words) -> bool {
    simple_commands(command)
        .map(after_assignments)
        .find(|words| !starts_with(*words, "cd"))
        .is_some_and(|words| {
            let words = unwrapped(words).unwrap_or(words);
            programs.iter().any(|program| starts_with(words, program))
        })
}

/// Splits at `;`, `&`, `|` and line ends, outside quotes.
fn simple_commands(command: &str) -> impl Iterator<Item = CommandWords<'_>> {
    let end = command.floor_char_boundary(LOOKED_AT);
    let command = command.get(..end).unwrap_or(command);
    let mut quote = None;
    let mut escaped = false;
    command
        .split(move |c: char| {
            if escaped {
                escaped = false;
            } else if quote == Some(c) {
                quote = None;
            } else if c == '\\' && quote != Some('\'') {
                escaped = true;
            } else if quote.is_none() {
                match c {
                    '"' | '\'' => quote = Some(c),
                    ';' | '&' | '|' | '\n' | '(' | ')' => return true,
                    _ => {}
                }
            }
            false
        })
        .filter(|part| !part.trim().is_empty())
        .map(|part| CommandWords { rest: part })
}

/// The words of a simple command, quotes still on.
#[derive(Clone, Copy)]
struct CommandWords<'c> {
    rest: &'c str,
}

impl<'c> Iterator for CommandWords<'c> {
    type Item = &'c str;

    fn next(&mut self) -> Option<&'c str> {
        let text = self.rest.trim_start();
        let mut quote = None;
        let mut escaped = false;
        let end = text.find(|c: char| {
            if escaped {
                escaped = false;
            } else if quote == Some(c) {
                quote = None;
            } else if c == '\\' && quote != Some('\'') {
                escaped = true;
            } else if quote.is_none() && matches!(c, '"' | '\'') {
                quote = Some(c);
            } else if quote.is_none() && c.is_whitespace() {
                return true;
            }
            false
        });
        let (word, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// The word as the program would get it.
fn unquoted(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut quote = None;
    let mut escaped = false;
    for c in word.chars() {
        if escaped {
            out.push(c);
            escaped = false;
        } else if quote == Some(c) {
            quote = None;
        } else if c == '\\' && quote != Some('\'') {
            escaped = true;
        } else if quote.is_none() && matches!(c, '"' | '\'') {
            quote = Some(c);
        } else {
            out.push(c);
        }
    }
    out
}

/// `./a//b/./c` is `a/b/c`: the same file.
fn plain_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    if path.starts_with('/') {
        out.push('/');
    }
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        out.push_str(part);
    }
    if out.is_empty() { path.to_owned() } else { out }
}

/// Skips `NAME=value` in front of a command.
fn after_assignments(mut words: CommandWords<'_>) -> CommandWords<'_> {
    loop {
        let mut ahead = words;
        match ahead.next() {
            Some(word) if is_assignment(word) => words = ahead,
            _ => return words,
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

/// Without the wrapper in front (`sudo`, `timeout 60`, `poetry run`), if there is one.
fn unwrapped(words: CommandWords<'_>) -> Option<CommandWords<'_>> {
    let wrapper = WRAPPERS.iter().filter(|wrapper| starts_with(words, wrapper));
    let length = wrapper.map(|wrapper| wrapper.split(' ').count()).max()?;
    let mut inner = words;
    for _ in 0..length {
        inner.next();
    }
    // The wrapper's own flags and numbers: `timeout -k 5 60s`, `nice -n 10`.
    loop {
        let mut ahead = inner;
        match ahead.next() {
            Some(word)
                if word.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) =>
            {
                inner = ahead;
            }
            Some(word) if is_assignment(word) => inner = ahead,
            Some(_) => return Some(inner),
            None => return None,
        }
    }
}

/// Whether the command begins with these words. Flags between them do not
/// count; the program may have a path or a version (`python3.11`).
fn starts_with(mut words: CommandWords<'_>, wanted: &str) -> bool {
    let mut wanted = wanted.split(' ');
    let Some(program) = wanted.next() else { return false };
    let Some(first) = words.next() else { return false };
    if !same_program(first, program) {
        return false;
    }
    wanted.all(|want| {
        words
            .by_ref()
            .find(|word| want.starts_with('-') || !word.starts_with(['-', '+']))
            .is_some_and(|word| match want.strip_suffix('*') {
                Some(prefix) => word.starts_with(prefix),
                None => word == want,
            })
    })
}

fn same_program(word: &str, program: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    name == program
        || name.strip_prefix(program).is_some_and(|version| {
            program == "python" && version.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Tables;
    use proptest::prelude::*;

    #[test]
    fn one_file_read_whatever_the_flags() {
        let readers = Tables::default().read_commands;
        for command in [
            "cat foo.ts",
            "head foo.ts",
            "tail foo.ts",
            "head -n 20 foo.ts",
            "head -20 foo.ts",
            "tail -n +5 foo.ts",
            "tail -f foo.ts",
            "cat -A foo.ts",
            "cat -n foo.ts",
            "head -v foo.ts",
            "cat \"foo.ts\"",
            "cat 'foo.ts'",
            "  cat   foo.ts  ",
            "cat ./foo.ts",
            "cat -- foo.ts",
            "less foo.ts",
            "head --lines=3 foo.ts",
            "head --lines 3 foo.ts",
            "nl -b a foo.ts",
        ] {
            assert_eq!(file_read(command, &readers).as_deref(), Some("foo.ts"), "{command}");
        }
        assert_eq!(file_read("cat 'my file.txt'", &readers).as_deref(), Some("my file.txt"));
        assert_eq!(file_read("cat my\\ file.txt", &readers).as_deref(), Some("my file.txt"));
        assert_eq!(file_read("cat /a//b/./c", &readers).as_deref(), Some("/a/b/c"));
    }

    #[test]
    fn what_is_not_a_plain_read_of_one_file_is_left_alone() {
        let readers = Tables::default().read_commands;
        for command in [
            "cat foo.ts | grep x",
            "cat foo.ts > bar",
            "cat < foo.ts",
            "cat foo.ts; ls",
            "cat foo.ts & ",
            "cat foo.ts && ls",
            "cat a b",
            "cat",
            "cat -",
            "cat -n",
            "ls foo.ts",
            "cat *.ts",
            "cat $(ls)",
            "cat `ls`",
            "cat foo.ts\nls",
            "",
            "   ",
            "sed -n 1,5p foo.ts",
            "catalog foo.ts",
        ] {
            assert_eq!(file_read(command, &readers), None, "{command}");
        }
    }

    #[test]
    fn test_runs_are_recognised() {
        let runners = Tables::default().test_commands;
        for command in [
            "pytest",
            "pytest -x tests/",
            "python -m pytest",
            "python3 -m pytest -q",
            "python3.11 -m unittest",
            "npm test",
            "npm run test:unit",
            "npm --silent test",
            "yarn test",
            "npx jest --ci",
            "npx vitest run",
            "cargo test",
            "cargo +nightly test",
            "cd app && npm test",
            "CI=1 npm test",
            "sudo env X=1 pytest",
            "timeout 60 go test ./...",
            "poetry run pytest",
            "./node_modules/.bin/mocha",
            "./gradlew test",
            "mvn -q test",
            "make test",
            "npm test 2>&1 | tail -20",
            "(cd x; cargo test)",
            "bundle exec rspec",
            "uv run pytest",
            "node --test",
            "yarn jest",
        ] {
            assert!(runs_tests(command, &runners), "{command}");
        }
        for command in [
            "ls",
            "npm install",
            "cat test.py",
            "echo pytest",
            "git commit -m 'cargo test'",
            "cargo build",
            "grep -r pytest .",
            "npm run build",
            "python test.py",
            "testing",
            "",
            "pip install pytest",
            "make",
            "yarn",
            "sudo",
            "timeout 5",
        ] {
            assert!(!runs_tests(command, &runners), "{command}");
        }
    }

    #[test]
    fn file_commands_are_recognised_by_their_program() {
        let programs = Tables::default().file_commands;
        for command in [
            "cat x",
            "echo hi > x",
            "sed -i s/a/b/ x",
            "cd src && cat x",
            "sudo cat x",
            "cat x | wc",
        ] {
            assert!(handles_files(command, &programs), "{command}");
        }
        for command in ["npm i", "ls | cat", "", "cd src", "concat x"] {
            assert!(!handles_files(command, &programs), "{command}");
        }
    }

    proptest! {
        #[test]
        fn no_command_makes_it_panic(command in ".*") {
            let tables = Tables::default();
            let _ = file_read(&command, &tables.read_commands);
            let _ = runs_tests(&command, &tables.test_commands);
            let _ = handles_files(&command, &tables.file_commands);
        }

        #[test]
        fn quoting_does_not_change_the_file(name in "[a-z][a-z0-9_./ -]{0,12}[a-z]") {
            let readers = Tables::default().read_commands;
            let quoted = file_read(&alloc::format!("cat '{name}'"), &readers);
            prop_assert_eq!(&quoted, &file_read(&alloc::format!("head -n 3 \"{name}\""), &readers));
            prop_assert!(quoted.is_some());
        }
    }
}
