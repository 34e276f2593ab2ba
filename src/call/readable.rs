//! The fingerprint as text, for people, logs and swarms: `read_file:{"path":"a.ts"}`.

use super::canonical_json::{self, Scanned, Scanner};
use super::{command, first_characters, json_outline, raw, shell, word_hashes};
use crate::buffer::Buffer;
use crate::call::json_string::unescape;
use crate::call::json_string::write_string;
use crate::concat::cat;
use crate::event::Args;
use crate::hash;
use crate::sort::sort;
use crate::tools::{Tables, ToolClass};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The longest readable fingerprint, in characters.
const LONGEST: usize = 200;
/// Deeper values are told apart by their hash only.
const DEEPEST: usize = 16;

/// The fuzzy fingerprint of a call as bounded text. Two calls have the same
/// text exactly when they have the same fuzzy fingerprint.
pub(crate) fn readable(name: &str, args: Args<'_>, class: ToolClass, tables: &Tables) -> String {
    let text = match args {
        Args::Key(key) => return bounded(name, key, hash::bytes(key.as_bytes()), false),
        Args::Text(text) if !text.trim_ascii().is_empty() => text,
        _ => "{}",
    };
    let mut scanner = Scanner::default();
    let Some(scanned) = scanner.scan(text) else {
        let full = shell_read(class, None, &scanner, text, tables);
        let hash = raw(text);
        return full.unwrap_or_else(|| bounded(name, text, hash, false));
    };
    if let Some(read) = shell_read(class, Some(scanned), &scanner, text, tables) {
        return read;
    }
    let whole = match scanned {
        Scanned::Object => canonical_json::object_hash(scanner.entries().iter()),
        Scanned::Other(hash) => hash,
    };
    let keys = word_hashes(&tables.primary_keys);
    let primary = || scanner.entries().iter().filter(|entry| keys.contains(&entry.key));
    let only_primary = scanned == Scanned::Object
        && !is_complex_command(class, scanned, &scanner, text)
        && primary().next().is_some();
    let hash = if only_primary { canonical_json::object_hash(primary()) } else { whole };
    let mut canonical = Canonical { out: String::new(), cut: false };
    if only_primary {
        canonical.object(text, 0, &|key| tables.primary_keys.has(key));
    } else {
        canonical.value(text, 0);
    }
    bounded(name, &canonical.out, hash, canonical.cut)
}

fn shell_read(
    class: ToolClass,
    scanned: Option<Scanned>,
    scanner: &Scanner,
    text: &str,
    tables: &Tables,
) -> Option<String> {
    let mut buffer = Buffer::default();
    let command = command_of(class, scanned, scanner, text, &mut buffer)?;
    let file = shell::file_read(command, &tables.read_commands)?;
    Some(bounded(
        "bash",
        &(String::from("file_read:") + &file),
        hash::bytes(file.as_bytes()),
        false,
    ))
}

fn is_complex_command(class: ToolClass, scanned: Scanned, scanner: &Scanner, text: &str) -> bool {
    let mut buffer = Buffer::default();
    command_of(class, Some(scanned), scanner, text, &mut buffer).is_some_and(shell::is_complex)
}

fn command_of<'a>(
    class: ToolClass,
    scanned: Option<Scanned>,
    scanner: &Scanner,
    text: &'a str,
    buffer: &'a mut Buffer,
) -> Option<&'a str> {
    let shell = class == ToolClass::Shell;
    shell.then(|| command::find(scanned, scanner.entries(), text, buffer)).flatten()
}

/// `name:text`, cut to [`LONGEST`]; what was cut off lives on in the hash.
fn bounded(name: &str, text: &str, hash: u64, cut: bool) -> String {
    let (name_start, start) = (first_characters(name, LONGEST), first_characters(text, LONGEST));
    let all = cat(&[name_start, ":", start]);
    if !cut && first_characters(&all, LONGEST).len() == all.len() {
        return all;
    }
    let whole = hash::pair(hash::bytes(name.as_bytes()), hash);
    cat(&[first_characters(&all, LONGEST - 18), "…#", &hash::hex(whole)])
}

/// Writes canonical JSON until there is more than anyone will read.
struct Canonical {
    out: String,
    cut: bool,
}

impl Canonical {
    fn value(&mut self, text: &str, depth: usize) {
        let text = text.trim_ascii();
        if self.out.len() > LONGEST * 4 || depth > DEEPEST {
            self.cut = true;
            return;
        }
        match text.as_bytes().first() {
            Some(b'{') => self.object(text, depth, &|_| true),
            Some(b'[') => {
                self.out.push('[');
                for (position, item) in json_outline::items(text).enumerate() {
                    if position > 0 {
                        self.out.push(',');
                    }
                    self.value(item, depth + 1);
                    if self.cut {
                        return;
                    }
                }
                self.out.push(']');
            }
            Some(b'"') => write_string(&plain(text), &mut self.out),
            Some(b't' | b'f' | b'n') => self.out.push_str(text),
            _ => {
                if let Some((number, _)) = super::json_number::Decimal::read(text.as_bytes()) {
                    number.write(&mut self.out);
                }
            }
        }
    }

    fn object(&mut self, text: &str, depth: usize, wanted: &dyn Fn(&str) -> bool) {
        let mut entries: Vec<(String, usize, &str)> = Vec::new();
        for (key, value) in json_outline::entries(text) {
            let key = plain(key);
            if wanted(&key) {
                entries.push((key, entries.len(), value));
            }
        }
        sort(&mut entries, |a, b| a.0 < b.0 || (a.0 == b.0 && a.1 > b.1));
        // Of equal keys the last one written comes first now.
        entries.dedup_by(|later, kept| later.0 == kept.0);
        self.out.push('{');
        for (position, (key, _, value)) in entries.iter().enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            write_string(key, &mut self.out);
            self.out.push(':');
            self.value(value, depth + 1);
            if self.cut {
                return;
            }
        }
        self.out.push('}');
    }
}

/// The text of a JSON string, escapes resolved.
fn plain(quoted: &str) -> String {
    let mut bytes = Buffer::default();
    let inner = quoted.as_bytes().get(1..).unwrap_or_default();
    unescape(inner, &mut bytes);
    core::str::from_utf8(bytes.bytes()).unwrap_or_default().to_string()
}
