//! The fuzzy fingerprint as text, for people, logs and swarms:
//! `read_file:{"path":"a.ts"}`.

use super::json::{self, Scanned, Scanner};
use super::{first_characters, raw_hash, shell, word_hashes};
use crate::concat::cat;
use crate::event::Args;
use crate::hash;
use crate::sort::sort;
use crate::tools::{Tables, ToolClass};
use alloc::string::String;
use alloc::vec::Vec;

/// The length of the longest readable fingerprint, in characters.
const MAX_LENGTH: usize = 200;

/// Values nested deeper are distinguished only by their hash.
const MAX_DEPTH: usize = 16;

/// Writes the fuzzy fingerprint of a call as bounded text. Two calls have the same text
/// exactly when they have the same fuzzy fingerprint.
pub(crate) fn readable(name: &str, args: Args<'_>, class: ToolClass, tables: &Tables) -> String {
    let text = match args {
        Args::Key(key) => return bounded(name, key, hash::bytes(key.as_bytes()), false),
        Args::Text(text) if !text.trim_ascii().is_empty() => text,
        _ => "{}",
    };
    let mut scanner = Scanner::default();
    let Some(scanned) = scanner.scan(text) else {
        let read = file_read(class, None, &scanner, text, tables);
        return read.unwrap_or_else(|| bounded(name, text, raw_hash(text), false));
    };
    if let Some(read) = file_read(class, Some(scanned), &scanner, text, tables) {
        return read;
    }
    let whole = match scanned {
        Scanned::Object => json::object_hash(scanner.entries().iter()),
        Scanned::Other(hash) => hash,
    };
    let keys = word_hashes(&tables.primary_keys);
    let primary = || scanner.entries().iter().filter(|entry| keys.contains(&entry.key));
    let only_primary = scanned == Scanned::Object
        && !is_complex_command(class, scanned, &scanner, text)
        && primary().next().is_some();
    let hash = if only_primary { json::object_hash(primary()) } else { whole };
    let mut canonical = CanonicalWriter { out: String::new(), is_cut: false };
    if only_primary {
        canonical.object(text, 0, &|key| tables.primary_keys.contains(key));
    } else {
        canonical.value(text, 0);
    }
    bounded(name, &canonical.out, hash, canonical.is_cut)
}

/// Returns the fingerprint of a shell call that only reads one file.
fn file_read(
    class: ToolClass,
    scanned: Option<Scanned>,
    scanner: &Scanner,
    text: &str,
    tables: &Tables,
) -> Option<String> {
    let mut buffer = String::new();
    let command = command_of(class, scanned, scanner, text, &mut buffer)?;
    let file = shell::file_read(command, &tables.read_commands)?;
    Some(bounded("bash", &cat(&["file_read:", &file]), hash::bytes(file.as_bytes()), false))
}

fn is_complex_command(class: ToolClass, scanned: Scanned, scanner: &Scanner, text: &str) -> bool {
    let mut buffer = String::new();
    command_of(class, Some(scanned), scanner, text, &mut buffer).is_some_and(shell::is_complex)
}

fn command_of<'a>(
    class: ToolClass,
    scanned: Option<Scanned>,
    scanner: &Scanner,
    text: &'a str,
    buffer: &'a mut String,
) -> Option<&'a str> {
    match class {
        ToolClass::Shell => shell::find_command(scanned, scanner.entries(), text, buffer),
        _ => None,
    }
}

/// Writes `name:text`. If that is too long, or `text` is incomplete, it ends in the hash of
/// the whole.
fn bounded(name: &str, text: &str, hash: u64, is_cut: bool) -> String {
    let text_start = first_characters(text, MAX_LENGTH);
    let all = cat(&[first_characters(name, MAX_LENGTH), ":", text_start]);
    if !is_cut && first_characters(&all, MAX_LENGTH).len() == all.len() {
        return all;
    }
    let whole = hash::pair(hash::bytes(name.as_bytes()), hash);
    cat(&[first_characters(&all, MAX_LENGTH - 18), "…#", &hash::hex(whole)])
}

/// Writes JSON with sorted keys, until there is more than is shown.
struct CanonicalWriter {
    out: String,
    /// Something was left out.
    is_cut: bool,
}

impl CanonicalWriter {
    fn value(&mut self, text: &str, depth: usize) {
        let text = text.trim_ascii();
        if self.out.len() > MAX_LENGTH * 4 || depth > MAX_DEPTH {
            self.is_cut = true;
            return;
        }
        match text.as_bytes().first() {
            Some(b'{') => self.object(text, depth, &|_| true),
            Some(b'[') => {
                self.out.push('[');
                for (position, item) in json::items(text).enumerate() {
                    if position > 0 {
                        self.out.push(',');
                    }
                    self.value(item, depth + 1);
                    if self.is_cut {
                        return;
                    }
                }
                self.out.push(']');
            }
            Some(b'"') => json::write_string(&unquote(text), &mut self.out),
            Some(b't' | b'f' | b'n') => self.out.push_str(text),
            _ => {
                if let Some((number, _)) = json::Decimal::read(text.as_bytes()) {
                    number.write(&mut self.out);
                }
            }
        }
    }

    fn object(&mut self, text: &str, depth: usize, wanted: &dyn Fn(&str) -> bool) {
        let mut entries: Vec<(String, usize, &str)> = Vec::new();
        for (key, value) in json::entries(text) {
            let key = unquote(key);
            if wanted(&key) {
                entries.push((key, entries.len(), value));
            }
        }
        sort(&mut entries, |a, b| a.0 < b.0 || (a.0 == b.0 && a.1 > b.1));
        // Of equal keys, the last one now comes first and is kept.
        entries.dedup_by(|later, kept| later.0 == kept.0);
        self.out.push('{');
        for (position, (key, _, value)) in entries.iter().enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            json::write_string(key, &mut self.out);
            self.out.push(':');
            self.value(value, depth + 1);
            if self.is_cut {
                return;
            }
        }
        self.out.push('}');
    }
}

/// Returns what a JSON string stands for.
pub(super) fn unquote(json: &str) -> String {
    let mut text = String::new();
    json::unescape(json.get(1..).unwrap_or_default(), &mut text);
    text
}
