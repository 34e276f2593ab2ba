//! Shell commands: finds the command of a shell call, splits it into simple commands
//! and their words, and recognises one that only reads a file.
//!
//! This is not a shell parser and must not become one. Whatever looks complicated counts as
//! unknown, which can miss a match but never makes a wrong one.

use super::json::{self, Entry, Scanned};
use crate::tools::{COMMAND_KEYS, VALUE_FLAGS, WRAPPERS, Words};
use alloc::borrow::ToOwned;
use alloc::string::String;
use memchr::memchr;

/// How much of a command is inspected; programs and their subcommands come first.
const MAX_INSPECTED: usize = 4096;

/// How many words of a simple command are inspected.
const MAX_WORDS: usize = 16;

pub(super) static COMMAND: [u64; COMMAND_KEYS.len()] = json::key_hashes(COMMAND_KEYS);

/// Finds the command of a shell call: under one of a few keys, as a string or as a list of
/// words, or as the whole argument text. `buffer` holds it if it must be assembled.
pub(super) fn find_command<'a>(
    scanned: Option<Scanned>,
    entries: &[Entry],
    text: &'a str,
    buffer: &'a mut String,
) -> Option<&'a str> {
    let value = match scanned {
        None => return Some(text),
        Some(Scanned::Other(_)) => text.trim_ascii(),
        Some(Scanned::Object) => {
            let entry = json::entry_of(entries, &COMMAND)?;
            text.get(entry.start as usize..entry.end as usize)?
        }
    };
    buffer.clear();
    match value.as_bytes().first()? {
        b'"' => {
            json::unescape(value.get(1..)?, buffer)?;
        }
        b'[' => join_words(value, buffer)?,
        _ => return None,
    }
    Some(buffer)
}

/// Joins a list of words: `["cat", "x"]` is `cat x`, and so is `["bash", "-lc", "cat x"]`.
fn join_words(list: &str, buffer: &mut String) -> Option<()> {
    let mut position = 0;
    let mut is_shell = false;
    for item in json::items(list) {
        let start = buffer.len();
        json::unescape(item.strip_prefix('"')?, buffer)?;
        let word = buffer.get(start..)?;
        match position {
            0 => {
                let name = word.rsplit(['/']).next()?;
                is_shell = matches!(name, "sh" | "bash" | "zsh" | "dash");
            }
            1 if is_shell && word.starts_with('-') && word.ends_with('c') => {
                buffer.clear();
                position += 1;
                continue;
            }
            _ => {}
        }
        buffer.push(' ');
        position += 1;
    }
    buffer.pop();
    Some(())
}

/// Returns the file that the command reads, if that is all it does: `cat file`,
/// `head -n 5 file`.
pub(super) fn file_read(command: &str, readers: &Words) -> Option<String> {
    if command.len() > MAX_INSPECTED {
        return None;
    }
    let simple = SimpleCommands { rest: command }.next()?;
    let (program, arguments) = simple.words().split_first()?;
    if !readers.contains(program) || expands(command) || simple.has_more {
        return None;
    }
    let mut file = None;
    let mut takes_flags = true;
    let mut is_value = false;
    for word in arguments {
        let word = unquote(word);
        if is_value {
            is_value = false;
        } else if takes_flags && word == "--" {
            takes_flags = false;
        } else if takes_flags && word.len() > 1 && word.starts_with(['-', '+']) {
            is_value = takes_value(program, &word);
        } else if file.replace(word).is_some() {
            return None;
        }
    }
    file.map(|file| normalize_path(&file)).filter(|file| !file.is_empty() && file != "-")
}

/// Returns whether the flag takes the next word as its value.
fn takes_value(program: &str, flag: &str) -> bool {
    VALUE_FLAGS.iter().any(|(name, flags)| *name == program && flags.contains(&flag))
}

/// Returns whether the shell would expand the words, or run more than one command.
fn expands(command: &str) -> bool {
    let mut follows_dollar = false;
    command.bytes().any(|byte| {
        let substitutes = follows_dollar && byte == b'(';
        follows_dollar = byte == b'$';
        substitutes
            || ends_command(byte)
            || matches!(byte, b'`' | b'*' | b'?' | b'[' | b'{' | b'<' | b'>')
    })
}

/// Returns whether the command has a pipe, a redirection or a semicolon. (Not `&` and `<`:
/// the reference implementation does not count them.)
pub(super) fn is_complex(command: &str) -> bool {
    command.bytes().any(|byte| matches!(byte, b'|' | b'>' | b';'))
}

/// Splits a command line into its simple commands: at `;`, `&`, `|`, brackets and line ends
/// outside quotes.
pub(super) fn simple_commands(command: &str) -> impl Iterator<Item = SimpleCommand<'_>> {
    let end = command.floor_char_boundary(MAX_INSPECTED);
    SimpleCommands { rest: command.get(..end).unwrap_or(command) }
}

/// One simple command.
pub(super) struct SimpleCommand<'c> {
    words: [&'c str; MAX_WORDS],
    count: usize,
    /// There are more words than fit.
    has_more: bool,
}

impl<'c> SimpleCommand<'c> {
    /// Returns its words, with their quotes.
    pub fn words(&self) -> &[&'c str] {
        self.words.get(..self.count).unwrap_or_default()
    }
}

struct SimpleCommands<'c> {
    rest: &'c str,
}

impl<'c> Iterator for SimpleCommands<'c> {
    type Item = SimpleCommand<'c>;

    fn next(&mut self) -> Option<SimpleCommand<'c>> {
        while !self.rest.is_empty() {
            let mut simple = SimpleCommand { words: [""; MAX_WORDS], count: 0, has_more: false };
            while let Some(word) = next_word(&mut self.rest) {
                match simple.words.get_mut(simple.count) {
                    Some(place) => {
                        *place = word;
                        simple.count += 1;
                    }
                    None => simple.has_more = true,
                }
            }
            if simple.count > 0 {
                return Some(simple);
            }
        }
        None
    }
}

/// Removes the next word from the text; `None` at the end of a simple command, which is
/// removed as well.
fn next_word<'c>(text: &mut &'c str) -> Option<&'c str> {
    let mut start = 0;
    while let Some(b' ' | b'\t' | b'\r') = text.as_bytes().get(start) {
        start += 1;
    }
    let mut end = start;
    let mut quote = 0u8;
    while let Some(byte) = text.as_bytes().get(end).copied() {
        if byte == b'\\' && quote != b'\'' {
            end += 1;
        } else if quote != 0 {
            quote = if byte == quote { 0 } else { quote };
        } else if byte == b'"' || byte == b'\'' {
            quote = byte;
        } else if ends_command(byte) || matches!(byte, b' ' | b'\t' | b'\r') {
            break;
        }
        end += 1;
    }
    // The end is at an ASCII byte, unless the very last character is escaped.
    let word = text.get(start..end).or(text.get(start..)).unwrap_or_default();
    let after = if word.is_empty() { end + 1 } else { end };
    *text = text.get(after..).unwrap_or_default();
    (!word.is_empty()).then_some(word)
}

fn ends_command(byte: u8) -> bool {
    matches!(byte, b';' | b'&' | b'|' | b'\n' | b'(' | b')')
}

/// Removes quotes and backslashes, as the shell does.
fn unquote(word: &str) -> String {
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

/// Normalises the path of a file: `./a//b/./c` becomes `a/b/c`.
fn normalize_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    if path.starts_with('/') {
        out.push('/');
    }
    for part in path.split(['/']).filter(|part| !part.is_empty() && *part != ".") {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        out.push_str(part);
    }
    if out.is_empty() { path.to_owned() } else { out }
}

/// Skips `NAME=value` in front of a command.
pub(super) fn skip_assignments<'w, 'c>(mut words: &'w [&'c str]) -> &'w [&'c str] {
    while let Some((first, rest)) = words.split_first() {
        if !is_assignment(first) {
            break;
        }
        words = rest;
    }
    words
}

fn is_assignment(word: &str) -> bool {
    let name =
        word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    name > 0 && word.as_bytes().get(name) == Some(&b'=')
}

/// A program with the words after it.
#[derive(Clone, Copy)]
pub(super) struct Program<'w, 'c> {
    name: &'c str,
    rest: &'w [&'c str],
}

impl<'w, 'c> Program<'w, 'c> {
    pub fn new(words: &'w [&'c str]) -> Option<Self> {
        let (first, rest) = words.split_first()?;
        Some(Self { name: program_name(first), rest })
    }

    /// Returns its name, without quotes, path and version.
    pub fn name(&self) -> &'c str {
        self.name
    }

    /// Returns whether the command begins with these words. Flags between them do not
    /// count.
    #[inline(always)]
    pub fn is(&self, wanted: &str) -> bool {
        // Nearly all comparisons end with the first byte.
        match (wanted.as_bytes(), self.name.as_bytes()) {
            ([wanted_byte, ..], [byte, ..]) if wanted_byte == byte => self.begins_with(wanted),
            _ => false,
        }
    }

    fn begins_with(&self, wanted: &str) -> bool {
        let Some(arguments) = wanted.strip_prefix(self.name) else { return false };
        // Only a quoted word contains spaces, and it is not a known program.
        if memchr(b' ', self.name.as_bytes()).is_some() {
            return false;
        }
        let Some(arguments) = arguments.strip_prefix(' ') else { return arguments.is_empty() };
        let mut rest = self.rest.iter();
        arguments.split([' ']).all(|want| {
            rest.by_ref()
                .find(|word| want.starts_with('-') || !word.starts_with(['-', '+']))
                .is_some_and(|word| match want.strip_suffix('*') {
                    Some(prefix) => word.starts_with(prefix),
                    None => *word == want,
                })
        })
    }

    /// Returns the program inside a wrapper (`sudo`, `timeout 60`, `poetry run`), if this
    /// is one.
    pub fn inside_wrapper(&self) -> Option<Self> {
        let matching = WRAPPERS.iter().filter(|wrapper| self.is(wrapper));
        let length = matching.map(|wrapper| wrapper.split([' ']).count()).max()?;
        let mut inner = self.rest.get(length.checked_sub(1)?..)?;
        // The wrapper's own flags and numbers: `timeout -k 5 60s`, `nice -n 10`.
        while let Some((first, rest)) = inner.split_first() {
            let is_own = matches!(first.as_bytes().first(), Some(b'-' | b'0'..=b'9'));
            if !is_own && !is_assignment(first) {
                break;
            }
            inner = rest;
        }
        Self::new(inner)
    }
}

/// Returns the name of a program without quotes, path and version.
fn program_name(word: &str) -> &str {
    let quotes = ['"', '\''];
    let is_quoted = word.starts_with(quotes) || word.ends_with(quotes);
    let word = if is_quoted { word.trim_matches(quotes) } else { word };
    let slash = word.bytes().rposition(|byte| matches!(byte, b'/' | b'\\'));
    let name = slash.and_then(|slash| word.get(slash + 1..)).unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let version = name.strip_prefix("python").unwrap_or("x");
    if version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') { "python" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Tables;
    use proptest::prelude::*;

    #[test]
    fn recognises_reads_of_one_file() {
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
    fn anything_else_is_not_a_read_of_one_file() {
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

    proptest! {
        #[test]
        fn no_command_makes_it_panic(command in ".*") {
            let tables = Tables::default();
            let _ = file_read(&command, &tables.read_commands);
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
