//! Just enough shell to take a command line apart: into simple commands, their
//! words and the program that matters; and whether it only reads one file.
//!
//! This is no shell parser and must not become one. Whatever looks complicated
//! is answered with "don't know", which costs a missed match, never a wrong one.

use crate::tools::{VALUE_FLAGS, WRAPPERS, Words, any_from};
use alloc::borrow::ToOwned;
use alloc::string::String;

/// A command is looked at this far; programs and their subcommands stand in front.
const LOOKED_AT: usize = 4096;

/// So many words of a simple command are looked at.
const WORDS: usize = 16;

/// The file that a plain `cat file`, `head -n 5 file` or the like reads.
pub(crate) fn file_read(command: &str, readers: &Words) -> Option<String> {
    if command.len() > LOOKED_AT {
        return None;
    }
    let simple = Commands { rest: command }.next()?;
    let (program, arguments) = simple.words().split_first()?;
    if !readers.has(program) || expands(command) || simple.more {
        return None;
    }
    let mut file = None;
    let mut flags = true;
    let mut value = false;
    for word in arguments {
        let word = unquoted(word);
        if value {
            value = false;
        } else if flags && word == "--" {
            flags = false;
        } else if flags && word.len() > 1 && word.starts_with(['-', '+']) {
            value = takes_value(program, &word);
        } else if file.replace(word).is_some() {
            return None;
        }
    }
    file.map(|file| plain_path(&file)).filter(|file| !file.is_empty() && file != "-")
}

fn takes_value(program: &str, flag: &str) -> bool {
    VALUE_FLAGS.iter().any(|(name, flags)| *name == program && flags.contains(&flag))
}

/// Whether the shell would make something else of the words, or run more than one command.
fn expands(command: &str) -> bool {
    let mut dollar = false;
    command.bytes().any(|byte| {
        let substitutes = dollar && byte == b'(';
        dollar = byte == b'$';
        substitutes
            || ends_command(byte)
            || matches!(byte, b'`' | b'*' | b'?' | b'[' | b'{' | b'<' | b'>')
    })
}

/// Pipes, redirects and lists: more than one simple command.
pub(crate) fn is_complex(command: &str) -> bool {
    command.bytes().any(|byte| matches!(byte, b'|' | b'>' | b'<' | b';' | b'&'))
}

pub(super) fn looked_at(command: &str) -> Commands<'_> {
    let end = command.floor_char_boundary(LOOKED_AT);
    Commands { rest: command.get(..end).unwrap_or(command) }
}

/// The words of one simple command, quotes still on.
pub(super) struct Simple<'c> {
    words: [&'c str; WORDS],
    count: usize,
    /// There are words beyond those.
    more: bool,
}

impl<'c> Simple<'c> {
    pub fn words(&self) -> &[&'c str] {
        self.words.get(..self.count).unwrap_or_default()
    }
}

/// The simple commands of a command line: split at `;`, `&`, `|`, brackets and
/// line ends, outside quotes.
pub(super) struct Commands<'c> {
    rest: &'c str,
}

impl<'c> Iterator for Commands<'c> {
    type Item = Simple<'c>;

    fn next(&mut self) -> Option<Simple<'c>> {
        while !self.rest.is_empty() {
            let mut simple = Simple { words: [""; WORDS], count: 0, more: false };
            while let Some(word) = next_word(&mut self.rest) {
                match simple.words.get_mut(simple.count) {
                    Some(place) => {
                        *place = word;
                        simple.count += 1;
                    }
                    None => simple.more = true,
                }
            }
            if simple.count > 0 {
                return Some(simple);
            }
        }
        None
    }
}

/// Takes the next word off the text; `None` at the end of a simple command,
/// which is taken off as well.
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
    // Every stop is at an ASCII byte, but for an escape of the very last character.
    let word = text.get(start..end).or(text.get(start..)).unwrap_or_default();
    let after = if word.is_empty() { end + 1 } else { end };
    *text = text.get(after..).unwrap_or_default();
    (!word.is_empty()).then_some(word)
}

fn ends_command(byte: u8) -> bool {
    matches!(byte, b';' | b'&' | b'|' | b'\n' | b'(' | b')')
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
    for part in path.split(['/']).filter(|part| !part.is_empty() && *part != ".") {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        out.push_str(part);
    }
    if out.is_empty() { path.to_owned() } else { out }
}

/// Skips `NAME=value` in front of a command.
pub(super) fn after_assignments<'w, 'c>(mut words: &'w [&'c str]) -> &'w [&'c str] {
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

/// Where a command begins: the name of its program, and the words behind it.
#[derive(Clone, Copy)]
pub(super) struct Start<'w, 'c> {
    name: &'c str,
    rest: &'w [&'c str],
}

impl<'w, 'c> Start<'w, 'c> {
    pub fn of(words: &'w [&'c str]) -> Option<Self> {
        let (first, rest) = words.split_first()?;
        Some(Self { name: program_name(first), rest })
    }

    /// The first byte of its name; 0 if there is none.
    pub fn first(&self) -> u8 {
        self.name.as_bytes().first().copied().unwrap_or(0)
    }

    /// Whether the command begins with these words. Flags between them do not count.
    pub fn is(&self, wanted: &str) -> bool {
        // Most comparisons end here.
        if !wanted.as_bytes().starts_with(self.name.as_bytes()) {
            return false;
        }
        let mut wanted = wanted.split([' ']);
        if wanted.next() != Some(self.name) {
            return false;
        }
        let mut rest = self.rest.iter();
        wanted.all(|want| {
            rest.by_ref()
                .find(|word| want.starts_with('-') || !word.starts_with(['-', '+']))
                .is_some_and(|word| match want.strip_suffix('*') {
                    Some(prefix) => word.starts_with(prefix),
                    None => *word == want,
                })
        })
    }

    /// Without the wrapper in front (`sudo`, `timeout 60`, `poetry run`), if there is one.
    pub fn unwrapped(&self) -> Option<Self> {
        let mut length = 0;
        any_from(WRAPPERS, self.first(), &mut |wrapper| {
            if self.is(wrapper) {
                length = length.max(wrapper.split([' ']).count());
            }
            false
        });
        let mut inner = self.rest.get(length.checked_sub(1)?..)?;
        // The wrapper's own flags and numbers: `timeout -k 5 60s`, `nice -n 10`.
        while let Some((first, rest)) = inner.split_first() {
            let own = matches!(first.as_bytes().first(), Some(b'-' | b'0'..=b'9'));
            if !own && !is_assignment(first) {
                break;
            }
            inner = rest;
        }
        Self::of(inner)
    }
}

/// The program without quotes, path and version.
fn program_name(word: &str) -> &str {
    let quotes = ['"', '\''];
    let quoted = word.starts_with(quotes) || word.ends_with(quotes);
    let word = if quoted { word.trim_matches(quotes) } else { word };
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
