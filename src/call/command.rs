//! Where a shell call keeps its command: under one of a few keys, as a string or
//! as a list of words; or the whole argument text is the command.

use super::canonical_json::{self, Entry, Scanned};
use super::json_outline;
use crate::buffer::Buffer;
use crate::call::json_string::unescape;
use crate::tools::COMMAND_KEYS;

/// The command of a shell call. `buffer` holds it when it has to be put together.
pub(crate) fn find<'a>(
    scanned: Option<Scanned>,
    entries: &[Entry],
    text: &'a str,
    buffer: &'a mut Buffer,
) -> Option<&'a str> {
    let value = match scanned {
        None => return Some(text),
        Some(Scanned::Other(_)) => text.trim_ascii(),
        Some(Scanned::Object) => {
            let entry = COMMAND_KEYS.iter().find_map(|key| {
                let wanted = canonical_json::key_hash(key);
                entries.iter().find(|entry| entry.key == wanted)
            })?;
            text.get(entry.start as usize..entry.end as usize)?
        }
    };
    buffer.clear();
    match value.as_bytes().first()? {
        b'"' => {
            unescape(value.as_bytes().get(1..)?, buffer)?;
        }
        b'[' => join(value, buffer)?,
        _ => return None,
    }
    core::str::from_utf8(buffer.bytes()).ok()
}

/// `["bash", "-lc", "cat x"]` is `cat x`; `["cat", "x"]` too.
fn join(list: &str, buffer: &mut Buffer) -> Option<()> {
    let mut position = 0;
    let mut through_shell = false;
    for item in json_outline::items(list) {
        let [b'"', inner @ ..] = item.as_bytes() else { return None };
        let start = buffer.length();
        unescape(inner, buffer)?;
        let word = buffer.bytes().get(start..)?;
        match position {
            0 => {
                let name = word.rsplit(|byte| *byte == b'/').next()?;
                through_shell = matches!(name, b"sh" | b"bash" | b"zsh" | b"dash");
            }
            1 if through_shell && word.starts_with(b"-") && word.ends_with(b"c") => {
                buffer.clear();
                position += 1;
                continue;
            }
            _ => {}
        }
        buffer.push(b' ');
        position += 1;
    }
    buffer.pop();
    Some(())
}
