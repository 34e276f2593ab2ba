//! The envelope around saved state: what it is, of which version, and a
//! checksum that tells a damaged one. The checksum is no signature: whoever
//! forges it gets a state that is still validated value by value.

pub(crate) mod codec;

use crate::concat::{cat, number};
use crate::error::Error;
use crate::hash;
#[cfg(feature = "wasm")]
use crate::value::{Fields, Problem, Record, Value, describe};
use alloc::string::String;
use base64ct::{Base64UrlUnpadded, Encoding};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const FORMAT: &str = "loophound";

/// Raised whenever an older reader would misunderstand the state.
const VERSION: u32 = 2;

/// The saved state of a detector, to store and continue from later.
///
/// How it looks inside is not for hosts: store it with any format of serde's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    format: String,
    version: u32,
    /// What was saved: a detector, or a swarm.
    kind: String,
    /// The options that the form of the state depends on.
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

    #[cfg(feature = "wasm")]
    pub(crate) fn to_value(&self) -> Value {
        let mut fields = Record::default();
        fields.text("format", &self.format);
        fields.number("version", self.version);
        fields.text("kind", &self.kind);
        fields.text("configSignature", &self.config_signature);
        fields.text("state", &self.state);
        fields.text("checksum", &self.checksum);
        fields.finish()
    }

    #[cfg(feature = "wasm")]
    pub(crate) fn from_value(value: &Value) -> Result<Self, Error> {
        let problem = Problem::default();
        let fields = Fields::of(value, "snapshot".into(), &[], &problem);
        for (name, wanted) in [("format", FORMAT.into()), ("version", VERSION.into())] {
            let given = fields.get(name).unwrap_or(&Value::Null);
            if *given != wanted {
                problem.refuse(must_be(name, &describe(&wanted), &describe(given)));
            }
        }
        let text = |name| fields.text(name).map(String::from).unwrap_or_default();
        let read = Self {
            format: FORMAT.into(),
            version: VERSION,
            kind: text("kind"),
            config_signature: text("configSignature"),
            state: text("state"),
            checksum: text("checksum"),
        };
        problem.or(read)
    }
}

/// Puts state in its envelope. `config_signature` names the options that the
/// form of the state depends on.
pub(crate) fn seal<T: Serialize>(kind: &str, config_signature: String, state: &T) -> Snapshot {
    let state = postcard::to_allocvec(state).unwrap_or_default();
    let mut snapshot = Snapshot {
        format: FORMAT.into(),
        version: VERSION,
        kind: kind.into(),
        config_signature,
        state: Base64UrlUnpadded::encode_string(&state),
        checksum: String::new(),
    };
    snapshot.checksum = snapshot.checksum();
    snapshot
}

/// Takes the state out again, if it is one of ours, whole, and was saved under
/// options with that signature.
pub(crate) fn open<T: DeserializeOwned>(
    kind: &str,
    config_signature: &str,
    snapshot: &Snapshot,
) -> Result<T, Error> {
    let quoted = |text: &str| cat(&["\"", text, "\""]);
    if snapshot.format != FORMAT {
        return Err(must_be("format", &quoted(FORMAT), &quoted(&snapshot.format)));
    }
    if snapshot.version != VERSION {
        let version = |version: u32| number(version.into());
        return Err(must_be("version", &version(VERSION), &version(snapshot.version)));
    }
    if snapshot.kind != kind {
        return Err(must_be("kind", &quoted(kind), &quoted(&snapshot.kind)));
    }
    // Fuzzers cannot guess a hash, and what lies behind it is what they are for.
    if !cfg!(fuzzing) && snapshot.checksum != snapshot.checksum() {
        return Err(Error::out_of_range(String::from(
            "snapshot.checksum does not fit its content: the snapshot was changed or damaged",
        )));
    }
    if snapshot.config_signature != config_signature {
        let made = "snapshot was made with other options (";
        let own = ") than this detector's (";
        let message = cat(&[made, &snapshot.config_signature, own, config_signature, ")"]);
        return Err(Error::out_of_range(message));
    }
    let state = Base64UrlUnpadded::decode_vec(&snapshot.state).map_err(|_| damaged())?;
    match postcard::take_from_bytes(&state) {
        Ok((state, [])) => Ok(state),
        _ => Err(damaged()),
    }
}

fn must_be(name: &str, wanted: &str, got: &str) -> Error {
    Error::out_of_range(cat(&["snapshot.", name, " must be ", wanted, "; got ", got]))
}

/// The error for state that cannot be what it says.
pub(crate) fn damaged() -> Error {
    Error::out_of_range(String::from("snapshot.state cannot be read"))
}
