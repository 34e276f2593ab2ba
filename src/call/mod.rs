//! Identity of a call: which calls are the same.
//!
//! A call has two fingerprints. The *exact* one covers the tool and all arguments; the
//! *fuzzy* one covers only the arguments that say what the call is about, so that a
//! different `timeout` does not hide a repeat. Result-aware patterns compare the
//! *intent* of calls.

mod effect;
pub(crate) mod json;
mod readable;
mod shell;

pub(crate) use effect::{Edit, NameInfo, inspect_name};
pub(crate) use readable::readable;

use crate::event::Args;
use crate::hash;
use crate::normalize::{Source, strip_volatile};
use crate::similarity::{Accounts, CallSketch, read_words};
use crate::tools::{Effect, NARRATION_KEYS, Tables, ToolClass, VOLATILE_KEYS, Words};
use alloc::string::String;
use alloc::vec::Vec;
use json::{Entry, Scanned, Scanner};
use serde::{Deserialize, Serialize};

/// Tags that keep hashes of different kinds of arguments distinct.
const RAW: u64 = 0x21;
const KEY: u64 = 0x22;
const FILE_READ: u64 = 0x23;

static VOLATILE: [u64; VOLATILE_KEYS.len()] = json::key_hashes(VOLATILE_KEYS);
static NARRATION: [u64; NARRATION_KEYS.len()] = json::key_hashes(NARRATION_KEYS);

/// The capacity in bytes that the buffer for commands keeps between calls.
const MAX_KEPT_COMMAND: usize = 4096;

/// How the arguments are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// By value, as JSON: white space, key order and number formats do not count.
    Canonical,
    /// As text, up to a length.
    Raw {
        /// How many characters are compared.
        length: u32,
    },
}

/// Identity of a call; equal hashes mean equal calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    /// The tool's name.
    pub tool: u64,
    /// The tool and all arguments.
    pub exact: u64,
    /// The tool and the arguments that say what the call is about.
    pub fuzzy: u64,
    pub is_shell: bool,
    pub runs_tests: bool,
    /// A shell command that begins with a file command such as `cat`.
    pub is_file_command: bool,
    /// A shell command that ends with a search such as `grep`.
    pub searches: bool,
    /// The first program of a shell command; otherwise the tool.
    pub program: u64,
    /// It only changes the working directory.
    pub changes_directory: bool,
    pub intent: Intent,
}

/// What a call is for, as result-aware patterns see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Intent {
    /// The exact fingerprint without the volatile tokens of the arguments.
    pub normalized_hash: u64,
    pub effect: Effect,
    /// It waits for something, or checks whether it has happened.
    pub is_polling: bool,
    /// It lets time pass.
    pub lets_time_pass: bool,
    pub edit: Edit,
    pub sketch: CallSketch,
    /// Identity of the file and the line where a read of part of a file begins; 0 for
    /// anything else.
    pub read_from: u64,
    /// It sends a message or asks a question.
    pub is_message: bool,
    /// It writes down the model's own plan, which nothing but the plan depends on.
    pub is_plan: bool,
    /// A bit set of the files, hosts, ids and the like that the arguments name.
    pub targets: u64,
    /// How many words the arguments have, and a sum of them, whatever their order.
    pub words: u32,
    pub word_sum: u32,
}

/// What the enabled patterns look at; the rest is not computed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// The fuzzy fingerprint.
    pub fuzzy: bool,
    /// Whether shell commands run tests or are file commands, and whether they failed.
    pub commands: bool,
    /// The intents of calls, and their results.
    pub intents: bool,
}

/// Computes fingerprints; reuses its buffers.
pub(crate) struct Fingerprinter {
    identity: Identity,
    wanted: Wanted,
    primary_keys: Vec<u64>,
    scanner: Scanner,
    command: String,
}

impl Fingerprinter {
    pub fn new(identity: Identity, wanted: Wanted, tables: &Tables) -> Self {
        let primary_keys = word_hashes(&tables.primary_keys);
        Self { identity, wanted, primary_keys, scanner: Scanner::default(), command: String::new() }
    }

    /// Computes the fingerprint of a call. `tool` is the hash of its name, and `ignored`
    /// are the hashes of the argument names that do not count.
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
            searches: false,
            program: tool,
            changes_directory: false,
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
        let needs_entries = self.wanted.fuzzy || self.wanted.commands || self.wanted.intents;
        let is_canonical = self.identity == Identity::Canonical;
        let scanned = if is_canonical || needs_entries { self.scanner.scan(text) } else { None };
        let class = self.refine(class, scanned, text, tables);
        fingerprint.is_shell = class == ToolClass::Shell;
        let all = match self.identity {
            Identity::Canonical => self.all_arguments(scanned, text, ignored),
            Identity::Raw { length } => {
                // Exactly as given: empty arguments differ from absent ones.
                let given = if let Args::Text(given) = args { given } else { text };
                raw_hash(first_characters(given, length as usize))
            }
        };
        fingerprint.exact = hash::pair(tool, all);
        fingerprint.fuzzy = fingerprint.exact;
        if self.wanted.fuzzy {
            let primary = self.primary_arguments(scanned, ignored);
            let about = primary.unwrap_or_else(|| self.all_arguments(scanned, text, ignored));
            fingerprint.fuzzy = hash::pair(tool, about);
        }
        if self.wanted.intents {
            fingerprint.intent = self.intent(scanned, text, class, ignored);
            fingerprint.intent.normalized_hash =
                hash::pair(tool, fingerprint.intent.normalized_hash);
        }
        if fingerprint.is_shell && needs_entries {
            self.inspect_command(scanned, text, tables, &mut fingerprint);
        }
        fingerprint
    }

    /// Recognises a shell by its arguments, whatever the tool is called; and that a tool with
    /// the name of a shell, `execute`, takes SQL.
    fn refine(
        &self,
        class: ToolClass,
        scanned: Option<Scanned>,
        text: &str,
        tables: &Tables,
    ) -> ToolClass {
        if !self.wanted.intents || scanned != Some(Scanned::Object) {
            return class;
        }
        let entries = self.scanner.entries();
        match class {
            ToolClass::Other if effect::has_command(entries, text, tables) => ToolClass::Shell,
            ToolClass::Shell if effect::has_query(entries) => ToolClass::Other,
            _ => class,
        }
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
        let effect = effect::tool_effect(class, entries, text);
        let words = read_words(text, Accounts::of(class == ToolClass::Shell));
        let lets_time_pass = effect::types_nothing(entries);
        Intent {
            normalized_hash: self.normalized_hash(scanned, text, class, ignored),
            effect,
            is_polling: lets_time_pass,
            lets_time_pass,
            edit: if effect == Effect::Write {
                effect::find_edit(entries)
            } else {
                Edit::default()
            },
            read_from: if effect == Effect::Read { effect::find_read(entries) } else { 0 },
            is_message: false,
            is_plan: false,
            sketch: words.sketch,
            targets: words.targets,
            words: words.count,
            word_sum: words.sum,
        }
    }

    /// Hashes all arguments that count, without volatile tokens, volatile arguments and
    /// the model's narration.
    fn normalized_hash(
        &self,
        scanned: Option<Scanned>,
        text: &str,
        class: ToolClass,
        ignored: &[u64],
    ) -> u64 {
        if scanned != Some(Scanned::Object) {
            return strip_volatile(text.as_bytes(), Source::Arguments)
                .unwrap_or_else(|| self.all_arguments(scanned, text, ignored));
        }
        let mut sum = 0u64;
        for entry in self.scanner.entries() {
            let is_narration = class != ToolClass::Other && NARRATION.contains(&entry.key);
            let counts =
                !is_narration && !ignored.contains(&entry.key) && !VOLATILE.contains(&entry.key);
            if counts {
                let value = text.get(entry.start as usize..entry.end as usize).unwrap_or_default();
                let hash =
                    strip_volatile(value.as_bytes(), Source::Arguments).unwrap_or(entry.value);
                sum = sum.wrapping_add(hash::pair(entry.key, hash));
            }
        }
        sum
    }

    /// Returns the path of the file that the latest call is about. `text` must be the
    /// arguments of that call, of which `ignored` are not shown.
    pub fn path<'t>(&self, text: &'t str, ignored: &[u64]) -> Option<&'t str> {
        effect::find_path(self.scanner.entries(), text, ignored)
    }

    /// Hashes all arguments that count.
    fn all_arguments(&self, scanned: Option<Scanned>, text: &str, ignored: &[u64]) -> u64 {
        let counts = |entry: &&Entry| !ignored.contains(&entry.key);
        match scanned {
            Some(Scanned::Object) => {
                json::object_hash(self.scanner.entries().iter().filter(counts))
            }
            Some(Scanned::Other(hash)) => hash,
            None => raw_hash(text),
        }
    }

    /// Hashes the primary arguments, if there are any.
    fn primary_arguments(&self, scanned: Option<Scanned>, ignored: &[u64]) -> Option<u64> {
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

    /// Adds to the fingerprint what the command of a shell call says.
    fn inspect_command(
        &mut self,
        scanned: Option<Scanned>,
        text: &str,
        tables: &Tables,
        fingerprint: &mut Fingerprint,
    ) {
        let found = shell::find_command(scanned, self.scanner.entries(), text, &mut self.command);
        let Some(command) = found else { return };
        if self.wanted.commands || self.wanted.intents {
            let info = effect::inspect_command(command, tables);
            fingerprint.runs_tests = info.runs_tests;
            fingerprint.is_file_command = info.is_file_command;
            fingerprint.searches = info.searches;
            fingerprint.program = info.program;
            fingerprint.changes_directory = info.changes_directory;
            fingerprint.intent.effect = info.effect;
            fingerprint.intent.is_polling = info.is_polling;
            fingerprint.intent.lets_time_pass = info.lets_time_pass;
            if info.effect == Effect::Read {
                fingerprint.intent.read_from = info.read_from;
            }
        }
        if self.wanted.fuzzy {
            if shell::is_complex(command) {
                fingerprint.fuzzy = fingerprint.exact;
            } else if let Some(file) = shell::file_read(command, &tables.read_commands) {
                fingerprint.fuzzy = hash::pair(FILE_READ, hash::bytes(file.as_bytes()));
            }
        }
        self.command.clear();
        self.command.shrink_to(MAX_KEPT_COMMAND);
    }
}

/// Hashes arguments as written.
fn raw_hash(text: &str) -> u64 {
    hash::pair(RAW, hash::bytes(text.as_bytes()))
}

/// Hashes argument names, to compare them with those of a call.
pub(crate) fn word_hashes(words: &Words) -> Vec<u64> {
    // Collecting a chain of two lists contains a panic; pushing does not.
    let mut hashes = Vec::new();
    for word in words.iter() {
        hashes.push(json::key_hash(word));
    }
    hashes
}

/// Writes an object without the arguments of these names; `None` for anything else.
pub(crate) fn without_arguments(text: &str, ignored: &[u64]) -> Option<String> {
    if !text.trim_ascii_start().starts_with('{') {
        return None;
    }
    let mut out = String::from('{');
    for (key, value) in json::entries(text.trim_ascii()) {
        if ignored.contains(&json::key_hash(&readable::unquote(key))) {
            continue;
        }
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(key);
        out.push(':');
        out.push_str(value.trim_ascii());
    }
    out.push('}');
    Some(out)
}

/// Returns the first `length` characters of a text.
pub(crate) fn first_characters(text: &str, length: usize) -> &str {
    // A text never has more characters than bytes.
    if text.len() <= length {
        return text;
    }
    // Most texts are ASCII, where a character is a byte.
    if let Some(start) = text.get(..length).filter(|start| is_ascii(start.as_bytes())) {
        return start;
    }
    match text.char_indices().nth(length) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

/// Returns whether all bytes are ASCII, eight at a time. (The standard library's check is
/// compiled for size.)
fn is_ascii(text: &[u8]) -> bool {
    let mut rest = text;
    let mut all = 0;
    while let Some((word, others)) = rest.split_first_chunk::<8>() {
        all |= u64::from_le_bytes(*word);
        rest = others;
    }
    all & 0x8080_8080_8080_8080 == 0 && rest.is_ascii()
}

#[cfg(test)]
mod tests;
