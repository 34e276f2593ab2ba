//! The envelope around saved state: what was saved, the version, and a checksum that
//! detects damage. The checksum is not a signature: forged state is still validated value
//! by value.

mod base64;
mod reader;

use crate::error::Error;
use crate::hash;
#[cfg(feature = "serde")]
use crate::plain_data::Plain;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
#[cfg(feature = "serde")]
use serde::Deserializer;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const FORMAT: &str = "loophound";

/// Raised whenever an older reader would misunderstand the state.
const VERSION: u32 = 5;

/// The saved state of a detector, to store and continue from later.
///
/// Its contents are private: store it with any serde format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    format: String,
    version: u32,
    /// What was saved: a detector, or a swarm.
    kind: String,
    /// The options that the layout of the state depends on.
    config_signature: String,
    /// The state: postcard, as base64.
    state: String,
    checksum: String,
}

impl Snapshot {
    fn checksum(&self) -> String {
        let text = |text: &str| hash::bytes(text.as_bytes());
        let about = hash::pair(text(&self.kind), text(&self.config_signature));
        hash::hex(hash::pair(about, text(&self.state)))
    }

    /// Reads a snapshot from plain data. [`Deserialize`] does the same; its errors
    /// are those of the format that the snapshot comes in.
    ///
    /// # Errors
    ///
    /// If it is not a snapshot of this version.
    #[cfg(feature = "serde")]
    pub fn from_data<'de, D: Deserializer<'de>>(data: D) -> Result<Self, Error> {
        Self::from_plain(&Plain::read(data, "snapshot")?)
    }

    #[cfg(feature = "serde")]
    fn from_plain(data: &Plain) -> Result<Self, Error> {
        let Plain::Object(_) = data else {
            let got = data.describe();
            return Err(Error::wrong_type("snapshot", format!("must be an object; got {got}")));
        };
        let field = |name| data.get(name).unwrap_or(&Plain::Null);
        let (format, version) = (Plain::from(FORMAT), Plain::from(VERSION));
        for (name, wanted) in [("format", format), ("version", version)] {
            let (wanted, got) = (wanted.describe(), field(name).describe());
            if got != wanted {
                return Err(must_be(name, &wanted, &got));
            }
        }
        let text = |name| match field(name) {
            Plain::Text(text) => Ok(text.clone()),
            other => {
                let problem = format!("must be a string; got {}", other.describe());
                Err(Error::wrong_type(format!("snapshot.{name}"), problem))
            }
        };
        Ok(Self {
            format: FORMAT.into(),
            version: VERSION,
            kind: text("kind")?,
            config_signature: text("configSignature")?,
            state: text("state")?,
            checksum: text("checksum")?,
        })
    }
}

/// Puts state into an envelope. `config_signature` names the options that the layout of the
/// state depends on.
pub(crate) fn save<T: Serialize>(kind: &str, config_signature: String, state: &T) -> Snapshot {
    envelope(kind, config_signature, &postcard::to_allocvec(state).unwrap_or_default())
}

fn envelope(kind: &str, config_signature: String, state: &[u8]) -> Snapshot {
    let mut snapshot = Snapshot {
        format: FORMAT.into(),
        version: VERSION,
        kind: kind.into(),
        config_signature,
        state: base64::encode(state),
        checksum: String::new(),
    };
    snapshot.checksum = snapshot.checksum();
    snapshot
}

/// Takes state out of its envelope, if it is intact, of this kind, and was saved under
/// options with that signature.
pub(crate) fn load<T: DeserializeOwned>(
    kind: &str,
    config_signature: &str,
    snapshot: &Snapshot,
) -> Result<T, Error> {
    let state = saved_state(kind, config_signature, snapshot)?;
    reader::read(&state).ok_or_else(damaged)
}

/// Checks the envelope; returns the bytes in it.
fn saved_state(kind: &str, config_signature: &str, snapshot: &Snapshot) -> Result<Vec<u8>, Error> {
    let quoted = |text: &str| format!("\"{text}\"");
    if snapshot.format != FORMAT {
        return Err(must_be("format", &quoted(FORMAT), &quoted(&snapshot.format)));
    }
    if snapshot.version != VERSION {
        return Err(must_be("version", &VERSION.to_string(), &snapshot.version.to_string()));
    }
    if snapshot.kind != kind {
        return Err(must_be("kind", &quoted(kind), &quoted(&snapshot.kind)));
    }
    // Fuzzers cannot guess a checksum, and should test what comes after it.
    if !cfg!(fuzzing) && snapshot.checksum != snapshot.checksum() {
        return Err(Error::out_of_range(
            "snapshot.checksum",
            "does not fit its content: the snapshot was changed or damaged",
        ));
    }
    if snapshot.config_signature != config_signature {
        let made = &snapshot.config_signature;
        return Err(Error::out_of_range(
            "snapshot",
            format!(
                "was made with other options ({made}) than this detector's ({config_signature})"
            ),
        ));
    }
    base64::decode(&snapshot.state).ok_or_else(damaged)
}

fn must_be(name: &str, wanted: &str, got: &str) -> Error {
    Error::out_of_range(format!("snapshot.{name}"), format!("must be {wanted}; got {got}"))
}

/// Makes the error for damaged state.
pub(crate) fn damaged() -> Error {
    Error::out_of_range("snapshot.state", "cannot be read")
}
