//! What is known of tools: their classes by name, and the words by which commands and
//! arguments are recognised. Options extend and replace these lists.

mod class;
mod tables;
mod words;

pub use class::ToolClass;
pub(crate) use class::{Effect, base_name, classify};
pub use tables::Tables;
pub(crate) use tables::{
    COMMAND_KEYS, CONTENT_KEYS, EDITOR_COMMANDS, END_KEYS, INPUT_KEYS, MESSAGE_WORDS,
    NARRATION_KEYS, NEW_TEXT_KEYS, OLD_TEXT_KEYS, PATH_KEYS, POLL_COMMANDS, POLL_WORDS, READ_NOUNS,
    READ_ONLY_COMMANDS, READ_VERBS, SEARCH_COMMANDS, START_KEYS, VALUE_FLAGS, VOLATILE_KEYS,
    WAIT_COMMANDS, WAIT_WORDS, WRAPPERS, WRITE_COMMANDS,
};
pub use words::Words;
