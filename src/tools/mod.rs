//! What kind of tool a name stands for, and the words that shells, test runners
//! and file commands are known by. Data, in one place: options extend it.

mod arguments;
mod class;
mod command_line;
mod effect;
mod tables;
mod words;

pub(crate) use arguments::{
    COMMAND_KEYS, CONTENT_KEYS, NEW_TEXT_KEYS, OLD_TEXT_KEYS, PATH_KEYS, TALK_KEYS, VOLATILE_KEYS,
};
pub use class::ToolClass;
pub(crate) use class::classify;
pub(crate) use command_line::{VALUE_FLAGS, WRAPPERS};
pub(crate) use effect::{
    EDITOR_COMMANDS, Effect, POLL_COMMANDS, POLL_WORDS, READ_ONLY_COMMANDS, WRITE_COMMANDS,
};
pub use tables::Tables;
pub use words::Words;
pub(crate) use words::any_from;
