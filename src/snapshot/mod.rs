//! The envelope around snapshots: what it is, of which version, and a check
//! that tells a damaged one. The check is no signature: whoever forges it gets
//! a state that is still validated value by value.

pub(crate) mod codec;

use crate::concat::cat;
use crate::error::Error;
use crate::hash;
use crate::value::{Fields, Problem, Record, Value, describe, hex};
use alloc::string::String;
use codec::{Reader, Writer};

const FORMAT: &str = "loophound";

/// Raised whenever an older reader would misunderstand the state.
const VERSION: u32 = 1;

/// Puts state in its envelope. `shape` tells what its form depends on.
pub(crate) fn seal(kind: &str, shape: String, state: Writer) -> Value {
    let state = state.finish();
    let check = check(kind, &shape, &state);
    let mut envelope = Record::default();
    envelope.text("format", FORMAT);
    envelope.number("version", VERSION);
    envelope.text("kind", kind);
    envelope.value("shape", shape.into());
    envelope.value("state", state.into());
    envelope.value("check", check);
    envelope.finish()
}

/// Takes the state out again, if it is one of ours, whole, and of that shape.
pub(crate) fn open(kind: &str, shape: &str, snapshot: &Value) -> Result<Reader, Error> {
    let problem = Problem::default();
    let fields = Fields::of(snapshot, "snapshot".into(), &[], &problem);
    expect(&fields, "format", FORMAT.into());
    expect(&fields, "version", VERSION.into());
    expect(&fields, "kind", kind.into());
    let given = fields.text("shape");
    let found = given.unwrap_or_default();
    let state = fields.text("state").unwrap_or_default();
    // Fuzzers cannot guess a hash, and what lies behind it is what they are for.
    let fits = cfg!(fuzzing) || fields.get("check") == Some(&check(kind, found, state));
    if !fits {
        problem.refuse(Error::out_of_range(String::from(
            "snapshot.check does not fit its content: the snapshot was changed or damaged",
        )));
    }
    if given != Some(shape) {
        let made = "snapshot was made with other options (";
        let message = cat(&[made, found, ") than this detector's (", shape, ")"]);
        problem.refuse(Error::out_of_range(message));
    }
    match Reader::new(state) {
        Some(reader) => problem.or(reader),
        None => Err(damaged()),
    }
}

fn expect(fields: &Fields<'_>, name: &str, wanted: Value) {
    let given = fields.get(name).unwrap_or(&Value::Null);
    if *given != wanted {
        let (wanted, got) = (describe(&wanted), describe(given));
        let message = cat(&["snapshot.", name, " must be ", &wanted, "; got ", &got]);
        fields.problem().refuse(Error::out_of_range(message));
    }
}

/// The error for state that cannot be what it says.
pub(crate) fn damaged() -> Error {
    Error::out_of_range(String::from("snapshot.state cannot be read"))
}

fn check(kind: &str, shape: &str, state: &str) -> Value {
    let both = hash::pair(hash::bytes(kind.as_bytes()), hash::bytes(shape.as_bytes()));
    hex(hash::pair(both, hash::bytes(state.as_bytes())))
}
