//! When two calls are "the same".
//!
//! A call has two fingerprints. The *exact* one covers the name and all
//! arguments; the *fuzzy* one only the arguments that say what the call is
//! about, so that an extra `timeout` does not hide a repeat.

mod canonical_json;
mod command;
mod effect;
mod json_number;
mod json_outline;
pub(crate) mod json_string;
mod readable;
mod shell;

pub(crate) use effect::{Edit, is_polling_tool};
pub(crate) use readable::readable;

use crate::buffer::Buffer;
use crate::byte_scan::is_ascii;
use crate::event::Args;
use crate::hash;
use crate::normalize::{Source, strip_volatile};
use crate::similarity::{CallSketch, sketch_call};
use crate::tools::{Effect, TALK_KEYS, Tables, ToolClass, VOLATILE_KEYS, Words};
use alloc::vec::Vec;
use canonical_json::{Entry, Scanned, Scanner};
use serde::{Deserialize, Serialize};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    pub tool: u64,
    pub exact: u64,
    pub fuzzy: u64,
    pub is_shell: bool,
    pub runs_tests: bool,
    pub is_file_command: bool,
    pub intent: Intent,
}

/// What a call is for, as patterns that look at results see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Intent {
    /// The exact fingerprint without the volatile tokens of the arguments.
    pub normalized_hash: u64,
    pub effect: Effect,
    /// Waits for something, or looks whether it has happened.
    pub is_polling: bool,
    pub edit: Edit,
    pub sketch: CallSketch,
    /// Which things the arguments name.
    pub targets: u64,
}

/// What of a call and its result the detectors in use look at; the rest is not
/// worked out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// The fuzzy fingerprint.
    pub fuzzy: bool,
    /// Whether a shell command runs tests or handles files, and whether it failed.
    pub commands: bool,
    /// What calls are for, and what came of them.
    pub intents: bool,
}

/// Takes fingerprints; keeps the buffers that this needs.
pub(crate) struct Fingerprinter {
    identity: Identity,
    wanted: Wanted,
    primary_keys: Vec<u64>,
    volatile_keys: Vec<u64>,
    talk_keys: Vec<u64>,
    scanner: Scanner,
    command: Buffer,
}

impl Fingerprinter {
    pub fn new(identity: Identity, wanted: Wanted, tables: &Tables) -> Self {
        let primary_keys = word_hashes(&tables.primary_keys);
        let noise = |words| match wanted.intents {
            true => word_hashes(&Words::Known(words)),
            false => Vec::new(),
        };
        Self {
            identity,
            wanted,
            primary_keys,
            volatile_keys: noise(VOLATILE_KEYS),
            talk_keys: noise(TALK_KEYS),
            scanner: Scanner::default(),
            command: Buffer::default(),
        }
    }

    /// The fingerprint of a call of the tool with this hash. `ignored` are hashes
    /// of argument names that do not count.
    pub fn take(
        &mut self,
        tool: u64,
        args: Args<'_>,
        class: ToolClass,
        ignored: &[u64],
        tables: &Tables,
    ) -> Fingerprint {
        let mut fingerprint = Fingerprint {
            tool,
            exact: 0,
            fuzzy: 0,
            is_shell: class == ToolClass::Shell,
            runs_tests: class == ToolClass::Test,
            is_file_command: false,
            intent: Intent::default(),
        };
        let text = match args {
            Args::Key(key) => {
                fingerprint.exact = hash::pair(tool, hash::pair(KEY, hash::bytes(key.as_bytes())));
                fingerprint.fuzzy = fingerprint.exact;
                fingerprint.intent.normalized_hash = fingerprint.exact;
                return fingerprint;
            }
            Args::Text(text) if !text.trim_ascii().is_empty() => text,
            _ => "{}",
        };
        let looks_inside = self.wanted.fuzzy || self.wanted.commands || self.wanted.intents;
        let by_meaning = self.identity == Identity::Canonical;
        let scanned = if by_meaning || looks_inside { self.scanner.scan(text) } else { None };
        let all = match self.identity {
            Identity::Canonical => self.meaning(scanned, text, ignored),
            Identity::Raw { length } => {
                let given = if matches!(args, Args::Text(_)) { text } else { "" };
                raw(first_characters(given, length as usize))
            }
        };
        fingerprint.exact = hash::pair(tool, all);
        fingerprint.fuzzy = fingerprint.exact;
        if self.wanted.fuzzy {
            let primary = self.primary(scanned, ignored);
            let about = primary.unwrap_or_else(|| self.meaning(scanned, text, ignored));
            fingerprint.fuzzy = hash::pair(tool, about);
        }
        if self.wanted.intents {
            fingerprint.intent = self.intent(scanned, text, class, ignored);
            fingerprint.intent.normalized_hash =
                hash::pair(tool, fingerprint.intent.normalized_hash);
        }
        if fingerprint.is_shell && looks_inside {
            self.look_at_command(scanned, text, tables, &mut fingerprint);
        }
        fingerprint
    }

    fn intent(
        &self,
        scanned: Option<Scanned>,
        text: &str,
        class: ToolClass,
        ignored: &[u64],
    ) -> Intent {
        let entries = match scanned {
            Some(Scanned::Object) => self.scanner.entries(),
            _ => &[],
        };
        let effect = effect::of_tool(class, entries, text);
        let (sketch, targets) = sketch_call(text);
        Intent {
            normalized_hash: self.normalized_hash(scanned, text, class, ignored),
            effect,
            is_polling: false,
            edit: if effect == Effect::Write { effect::edit(entries) } else { Edit::default() },
            sketch,
            targets,
        }
    }

    /// Like [`Fingerprinter::meaning`], without volatile tokens in the values.
    fn normalized_hash(
        &self,
        scanned: Option<Scanned>,
        text: &str,
        class: ToolClass,
        ignored: &[u64],
    ) -> u64 {
        if scanned != Some(Scanned::Object) {
            return strip_volatile(text.as_bytes(), Source::Arguments)
                .unwrap_or_else(|| self.meaning(scanned, text, ignored));
        }
        let mut sum = 0u64;
        for entry in self.scanner.entries() {
            let talk = class != ToolClass::Other && self.talk_keys.contains(&entry.key);
            let noise =
                talk || ignored.contains(&entry.key) || self.volatile_keys.contains(&entry.key);
            if !noise {
                let value = text.get(entry.start as usize..entry.end as usize).unwrap_or_default();
                let hash =
                    strip_volatile(value.as_bytes(), Source::Arguments).unwrap_or(entry.value);
                sum = sum.wrapping_add(hash::pair(entry.key, hash));
            }
        }
        sum
    }

    /// The file that the call taken last is about, as it stands in its arguments.
    pub fn path<'t>(&self, text: &'t str) -> Option<&'t str> {
        effect::path(self.scanner.entries(), text)
    }

    /// The hash of all arguments that count.
    fn meaning(&self, scanned: Option<Scanned>, text: &str, ignored: &[u64]) -> u64 {
        let counts = |entry: &&Entry| !ignored.contains(&entry.key);
        match scanned {
            Some(Scanned::Object) => {
                canonical_json::object_hash(self.scanner.entries().iter().filter(counts))
            }
            Some(Scanned::Other(hash)) => hash,
            None => raw(text),
        }
    }

    /// The hash of the primary arguments, if there are any.
    fn primary(&self, scanned: Option<Scanned>, ignored: &[u64]) -> Option<u64> {
        let counts = |entry: &&Entry| {
            self.primary_keys.contains(&entry.key) && !ignored.contains(&entry.key)
        };
        let mut primary = match scanned {
            Some(Scanned::Object) => self.scanner.entries().iter().filter(counts).peekable(),
            _ => return None,
        };
        primary.peek()?;
        Some(canonical_json::object_hash(primary))
    }

    fn look_at_command(
        &mut self,
        scanned: Option<Scanned>,
        text: &str,
        tables: &Tables,
        fingerprint: &mut Fingerprint,
    ) {
        let found = command::find(scanned, self.scanner.entries(), text, &mut self.command);
        let Some(command) = found else { return };
        if self.wanted.commands || self.wanted.intents {
            let looked = effect::inspect_command(command, tables);
            fingerprint.runs_tests = looked.runs_tests;
            fingerprint.is_file_command = looked.is_file_command;
            fingerprint.intent.effect = looked.effect;
            fingerprint.intent.is_polling = looked.is_polling;
        }
        if !self.wanted.fuzzy {
            // The fuzzy fingerprint is not asked for.
        } else if shell::is_complex(command) {
            fingerprint.fuzzy = fingerprint.exact;
        } else if let Some(file) = shell::file_read(command, &tables.read_commands) {
            fingerprint.fuzzy = hash::pair(FILE_READ, hash::bytes(file.as_bytes()));
        }
        self.command.shrink_to(4096);
    }
}

/// The hash of text that is not looked into.
fn raw(text: &str) -> u64 {
    hash::pair(RAW, hash::bytes(text.as_bytes()))
}

/// The hashes of argument names, to be compared with those of a call.
pub(crate) fn word_hashes(words: &Words) -> Vec<u64> {
    let mut hashes = Vec::new();
    words.each(&mut |word| hashes.push(canonical_json::key_hash(word)));
    hashes
}

/// The first `length` characters: whole ones, wherever they end in bytes.
pub(crate) fn first_characters(text: &str, length: usize) -> &str {
    // Nothing has more characters than bytes.
    if text.len() <= length {
        return text;
    }
    // Texts are mostly ASCII, where a character is a byte.
    if let Some(start) = text.get(..length).filter(|start| is_ascii(start.as_bytes())) {
        return start;
    }
    match text.char_indices().nth(length) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

#[cfg(test)]
mod tests;
