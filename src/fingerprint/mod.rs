//! When two calls are "the same".
//!
//! A call has two fingerprints. The *exact* one covers the name and all
//! arguments; the *fuzzy* one only the arguments that say what the call is
//! about, so that an extra `timeout` does not hide a repeat.

mod command;
mod json;
mod number;
mod outcome;
mod outline;
mod readable;
mod shell;

pub(crate) use number::scan as scan_number;
pub(crate) use outcome::{TestOutcome, exit_code_failed, test_outcome};
pub(crate) use readable::readable;

use crate::event::Args;
use crate::hash;
use crate::tools::{Tables, ToolClass, Words};
use alloc::vec::Vec;
use json::{Entry, Scanned, Scanner};

const RAW: u64 = 0x21;
const KEY: u64 = 0x22;
const FILE_READ: u64 = 0x23;

/// How the arguments are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// By meaning: canonical JSON.
    Canonical,
    /// By the first so many characters of the text.
    Raw {
        /// How many characters count.
        length: u32,
    },
}

/// What a call is the same as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    pub tool: u64,
    pub exact: u64,
    pub fuzzy: u64,
    pub shell: bool,
    pub tests: bool,
    pub files: bool,
}

/// What of a call the detectors in use look at; the rest is not worked out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// The fuzzy fingerprint.
    pub fuzzy: bool,
    /// Whether a shell command runs tests or handles files.
    pub commands: bool,
}

/// Takes fingerprints; keeps the buffers that this needs.
pub(crate) struct Fingerprinter {
    identity: Identity,
    wanted: Wanted,
    primary_keys: Vec<u64>,
    scanner: Scanner,
    command: Vec<u8>,
}

impl Fingerprinter {
    pub fn new(identity: Identity, wanted: Wanted, tables: &Tables) -> Self {
        let primary_keys = word_hashes(&tables.primary_keys);
        let scanner = Scanner::default();
        Self { identity, wanted, primary_keys, scanner, command: Vec::new() }
    }

    /// The fingerprint of a call. `ignored` are hashes of argument names that
    /// do not count.
    pub fn take(
        &mut self,
        name: &str,
        args: Args<'_>,
        class: ToolClass,
        ignored: &[u64],
        tables: &Tables,
    ) -> Fingerprint {
        let tool = hash::bytes(name.as_bytes());
        let mut print = Fingerprint {
            tool,
            exact: 0,
            fuzzy: 0,
            shell: class == ToolClass::Shell,
            tests: class == ToolClass::Test,
            files: false,
        };
        let text = match args {
            Args::Key(key) => {
                print.exact = hash::pair(tool, hash::pair(KEY, hash::bytes(key.as_bytes())));
                print.fuzzy = print.exact;
                return print;
            }
            Args::Text(text) if !text.trim_ascii().is_empty() => text,
            _ => "{}",
        };
        let looks_inside = self.wanted.fuzzy || self.wanted.commands;
        let scanned = match self.identity {
            Identity::Raw { .. } if !looks_inside => None,
            _ => self.scanner.scan(text),
        };
        let (all, primary) = self.hashes(scanned, text, ignored);
        print.exact = hash::pair(tool, all);
        print.fuzzy = hash::pair(tool, primary);
        if let Identity::Raw { length } = self.identity {
            let given = if matches!(args, Args::Text(_)) { text } else { "" };
            let counted = first_characters(given, length as usize);
            print.exact = hash::pair(tool, hash::pair(RAW, hash::bytes(counted.as_bytes())));
        }
        if print.shell && looks_inside {
            self.look_at_command(scanned, text, tables, &mut print);
        }
        print
    }

    /// The hash of all arguments, and that of the primary ones.
    fn hashes(&self, scanned: Option<Scanned>, text: &str, ignored: &[u64]) -> (u64, u64) {
        let counts = |entry: &&Entry| !ignored.contains(&entry.key);
        let is_primary = |entry: &&Entry| self.primary_keys.contains(&entry.key) && counts(entry);
        match scanned {
            Some(Scanned::Object) => {
                let entries = self.scanner.entries();
                let all = json::object_hash(entries.iter().filter(counts));
                let some = entries.iter().any(|entry| is_primary(&entry));
                let primary = json::object_hash(entries.iter().filter(is_primary));
                (all, if some { primary } else { all })
            }
            Some(Scanned::Other(hash)) => (hash, hash),
            None => {
                let raw = hash::pair(RAW, hash::bytes(text.as_bytes()));
                (raw, raw)
            }
        }
    }

    fn look_at_command(
        &mut self,
        scanned: Option<Scanned>,
        text: &str,
        tables: &Tables,
        print: &mut Fingerprint,
    ) {
        let found = command::find(scanned, self.scanner.entries(), text, &mut self.command);
        let Some(command) = found else { return };
        if self.wanted.commands {
            print.tests = shell::runs_tests(command, &tables.test_commands);
            print.files = shell::handles_files(command, &tables.file_commands);
        }
        if shell::is_complex(command) {
            print.fuzzy = print.exact;
        } else if let Some(file) = shell::file_read(command, &tables.read_commands) {
            print.fuzzy = hash::pair(FILE_READ, hash::bytes(file.as_bytes()));
        }
        self.command.shrink_to(4096);
    }
}

/// What an output is the same as.
pub(crate) fn output_hash(output: &str) -> u64 {
    hash::bytes(output.as_bytes())
}

/// The hashes of argument names, to be compared with those of a call.
pub(crate) fn word_hashes(words: &Words) -> Vec<u64> {
    let mut hashes = Vec::new();
    words.any(&mut |word| {
        hashes.push(json::key_hash(word));
        false
    });
    hashes
}

/// The first `length` characters: whole ones, wherever they end in bytes.
pub(crate) fn first_characters(text: &str, length: usize) -> &str {
    // Nothing has more characters than bytes.
    if text.len() <= length {
        return text;
    }
    // Texts are mostly ASCII, where a character is a byte.
    if let Some(start) = text.get(..length).filter(|start| start.is_ascii()) {
        return start;
    }
    match text.char_indices().nth(length) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

#[cfg(test)]
mod tests;
