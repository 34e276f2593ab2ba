//! When two calls are "the same".
//!
//! A call has two fingerprints. The *exact* one covers the name and all
//! arguments; the *fuzzy* one only the arguments that say what the call is
//! about, so that an extra `timeout` does not hide a repeat.

mod command;
mod deed;
mod json;
mod number;
mod outcome;
mod outline;
mod phrases;
mod readable;
mod remarks;
mod reply;
mod shell;
mod sketch;
mod telling;
mod volatile;

pub(crate) use deed::{Edit, waits_by_name};
pub(crate) use number::scan as scan_number;
pub(crate) use outcome::{TestOutcome, exit_code_failed, test_outcome};
pub(crate) use readable::readable;
pub(crate) use remarks::{complains, is_in_vain};
pub(crate) use reply::{Reply, UNHEARD, Worth, read as read_reply};
pub(crate) use sketch::Sketch;

use crate::buffer::Buffer;
use crate::codec::{Reader, Writer};
use crate::event::Args;
use crate::hash;
use crate::search::is_ascii;
use crate::tools::{Deed, TALK_KEYS, Tables, ToolClass, VOLATILE_KEYS, Words};
use alloc::vec::Vec;
use json::{Entry, Scanned, Scanner};
use volatile::{Source, without_noise};

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
    pub intent: Intent,
}

/// What a call is for, as patterns that look at results see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Intent {
    /// The exact fingerprint without the volatile tokens of the arguments.
    pub steady: u64,
    pub deed: Deed,
    /// Waits for something, or looks whether it has happened.
    pub waits: bool,
    pub edit: Edit,
    pub sketch: Sketch,
    /// Which things the arguments name.
    pub targets: u64,
}

impl Intent {
    pub fn save(&self, out: &mut Writer) {
        for hash in [self.steady, self.targets, self.edit.path, self.edit.old, self.edit.new] {
            out.hash(hash);
        }
        out.count(self.deed as u64);
        out.flag(self.waits);
        self.sketch.save(out);
    }

    pub fn load(from: &mut Reader) -> Option<Self> {
        Some(Self {
            steady: from.hash(),
            targets: from.hash(),
            edit: Edit { path: from.hash(), old: from.hash(), new: from.hash() },
            deed: Deed::at(from.place(Deed::ALL.len()))?,
            waits: from.flag(),
            sketch: Sketch::load(from)?,
        })
    }
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
        let mut print = Fingerprint {
            tool,
            exact: 0,
            fuzzy: 0,
            shell: class == ToolClass::Shell,
            tests: class == ToolClass::Test,
            files: false,
            intent: Intent::default(),
        };
        let text = match args {
            Args::Key(key) => {
                print.exact = hash::pair(tool, hash::pair(KEY, hash::bytes(key.as_bytes())));
                print.fuzzy = print.exact;
                print.intent.steady = print.exact;
                return print;
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
        print.exact = hash::pair(tool, all);
        print.fuzzy = print.exact;
        if self.wanted.fuzzy {
            let primary = self.primary(scanned, ignored);
            let about = primary.unwrap_or_else(|| self.meaning(scanned, text, ignored));
            print.fuzzy = hash::pair(tool, about);
        }
        if self.wanted.intents {
            print.intent = self.intent(scanned, text, class, ignored);
            print.intent.steady = hash::pair(tool, print.intent.steady);
        }
        if print.shell && looks_inside {
            self.look_at_command(scanned, text, tables, &mut print);
        }
        print
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
        let deed = deed::of_tool(class, entries, text);
        let (sketch, targets) = sketch::look(text);
        Intent {
            steady: self.steady(scanned, text, class, ignored),
            deed,
            waits: false,
            edit: if deed == Deed::Change { deed::edit(entries) } else { Edit::default() },
            sketch,
            targets,
        }
    }

    /// Like [`Fingerprinter::meaning`], without volatile tokens in the values.
    fn steady(
        &self,
        scanned: Option<Scanned>,
        text: &str,
        class: ToolClass,
        ignored: &[u64],
    ) -> u64 {
        if scanned != Some(Scanned::Object) {
            return without_noise(text.as_bytes(), Source::Arguments)
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
                    without_noise(value.as_bytes(), Source::Arguments).unwrap_or(entry.value);
                sum = sum.wrapping_add(hash::pair(entry.key, hash));
            }
        }
        sum
    }

    /// The file that the call taken last is about, as it stands in its arguments.
    pub fn path<'t>(&self, text: &'t str) -> Option<&'t str> {
        deed::path(self.scanner.entries(), text)
    }

    /// The hash of all arguments that count.
    fn meaning(&self, scanned: Option<Scanned>, text: &str, ignored: &[u64]) -> u64 {
        let counts = |entry: &&Entry| !ignored.contains(&entry.key);
        match scanned {
            Some(Scanned::Object) => {
                json::object_hash(self.scanner.entries().iter().filter(counts))
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
        Some(json::object_hash(primary))
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
        if self.wanted.commands || self.wanted.intents {
            let looked = deed::look(command, tables);
            print.tests = looked.tests;
            print.files = looked.files;
            print.intent.deed = looked.deed;
            print.intent.waits = looked.waits;
        }
        if !self.wanted.fuzzy {
            // The fuzzy fingerprint is not asked for.
        } else if shell::is_complex(command) {
            print.fuzzy = print.exact;
        } else if let Some(file) = shell::file_read(command, &tables.read_commands) {
            print.fuzzy = hash::pair(FILE_READ, hash::bytes(file.as_bytes()));
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
    words.each(&mut |word| hashes.push(json::key_hash(word)));
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
