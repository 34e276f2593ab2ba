//! Advice for the model, by the problem it ran into. `{alternatives}` in a text stands for
//! these lines.

use crate::named::named;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

named! {
    /// What advice is about: the problem of the repeated call or, if results are not looked
    /// at, the kind of tool.
    #[non_exhaustive]
    Topic {
        /// A service is busy or unreachable.
        Unavailable = "unavailable",
        /// The call waits for something.
        Polling = "polling",
        /// A check fails the same way after different edits.
        NoEffect = "no-effect",
        /// What the call names, such as a file, does not exist.
        MissingFile = "missing-file",
        /// A command or module is not installed.
        MissingProgram = "missing-program",
        /// Access is denied.
        Denied = "denied",
        /// An edit cannot be made.
        FailingEdit = "failing-edit",
        /// A test run fails.
        FailingTest = "failing-test",
        /// A call fails for another reason.
        Failing = "failing",
        /// A read or search finds nothing.
        NothingFound = "nothing-found",
        /// Many different calls get the same answer.
        Sweep = "sweep",
        /// An action is only acknowledged.
        Acknowledged = "acknowledged",
        /// An execution succeeds and prints the same.
        SameOutput = "same-output",
        /// Edits undo one another.
        Undone = "undone",
        /// A shell command.
        Shell = "shell",
        /// An edit of a file.
        Edit = "edit",
        /// A whole file is written.
        Write = "write",
        /// A file is read.
        Read = "read",
        /// A search.
        Search = "search",
        /// A test run.
        Test = "test",
        /// Any other tool; also the last line of most advice.
        Other = "other",
    }
}

impl Topic {
    /// Returns whether the general advice of [`Topic::Other`] is added.
    pub(crate) fn adds_general_advice(self) -> bool {
        !matches!(self, Self::Unavailable | Self::Polling | Self::Other)
    }

    fn text(self) -> &'static str {
        match self {
            Self::Unavailable => {
                "- What this call needs is busy, unreachable or too slow. Wait longer before you try again, or do something that does not need it."
            }
            Self::Polling => {
                "- Nothing has changed yet. Wait longer between checks, or do something else in the meantime."
            }
            Self::NoEffect => {
                "- Your changes do not affect this failure. Check that the code you edit is the code that runs (path, build, cache).\n- Undo what did not help, and test one assumption at a time."
            }
            Self::MissingFile => {
                "- What the call names does not exist. List what there is or search for the name, then use what you find."
            }
            Self::MissingProgram => {
                "- The command or module was not found. Check its name and path, install it if you can, or use one that is available."
            }
            Self::Denied => {
                "- Access is denied, and repeating the call will not grant it. Use something you have access to, or ask for permission."
            }
            Self::FailingEdit => {
                "- Read the error, and the file as it is now. If the text to replace was not found, copy it exactly from there."
            }
            Self::FailingTest => {
                "- Read the first failure, change the code it points to, and only then run the tests again."
            }
            Self::Failing => {
                "- Read the error and change what causes it before you try again, or find the cause with a different call."
            }
            Self::NothingFound => {
                "- The call finds nothing, or nothing new. Look elsewhere, try something shorter or different, or go on without it."
            }
            Self::Sweep => {
                "- Many different calls have had the same answer. Find out why, or decide whether more of them are worth it."
            }
            Self::Acknowledged => {
                "- The action is accepted each time. Look at what it should have changed before you repeat it."
            }
            Self::Undone => "- Find out which version is right before you edit this place again.",
            Self::Edit | Self::Write => {
                "- Making the same change again adds nothing. Check what is there now, and go on to what is still missing."
            }
            Self::SameOutput | Self::Shell | Self::Read | Self::Search => {
                "- It will return the same unless something has changed. Use what you have, or try something else."
            }
            Self::Test => "- Change the code that the tests check before you run them again.",
            Self::Other => {
                "- Use another tool or other arguments, or say what is blocking you and ask for help."
            }
        }
    }
}

/// The current advice: the host's own texts, and the built-in ones for all other topics.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Advice {
    own: Vec<(Topic, String)>,
}

impl Advice {
    /// Replaces the advice on a topic.
    pub fn set(&mut self, topic: Topic, text: &str) {
        self.own.retain(|(known, _)| *known != topic);
        self.own.push((topic, text.to_string()));
    }

    /// Returns the advice on a topic.
    pub fn get(&self, topic: Topic) -> &str {
        let own = self.own.iter().find(|(known, _)| *known == topic);
        own.map_or(topic.text(), |(_, text)| text)
    }
}
