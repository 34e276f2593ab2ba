//! What is known about tools: their classes by name, and the words by which commands and
//! arguments are recognised. Options extend or replace these lists.

mod class;
mod tables;
mod words;

pub use class::{Effect, ToolClass};
pub(crate) use class::{base_name, classify, for_each_word, has_word};
pub use tables::Tables;
pub(crate) use tables::{
    ACTION_VERBS, COMMAND_KEYS, CONTENT_KEYS, DIRECTORY_WORDS, EDITOR_COMMANDS, END_KEYS,
    INPUT_KEYS, MESSAGE_WORDS, NARRATION_KEYS, NEW_TEXT_KEYS, OLD_TEXT_KEYS, PATH_KEYS, PLAN_WORDS,
    POLL_COMMANDS, POLL_WORDS, QUERY_KEYS, READ_NOUNS, READ_ONLY_COMMANDS, READ_VERBS,
    RECEIVE_WORDS, SEARCH_COMMANDS, START_KEYS, STATUS_COMMANDS, SURE_COMMAND_KEYS, VALUE_FLAGS,
    VOLATILE_KEYS, WAIT_COMMANDS, WAIT_WORDS, WRAPPERS, WRITE_COMMANDS,
};
pub use words::Words;
