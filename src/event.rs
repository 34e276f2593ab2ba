//! What an agent can do, as hosts report it.

use crate::named::named;

/// The arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Args<'a> {
    /// None were given: the same as an empty object.
    #[default]
    None,
    /// As the model wrote them: JSON, or anything else.
    Text(&'a str),
    /// What the host says identifies the call, instead of its arguments.
    Key(&'a str),
}

impl<'a> From<&'a str> for Args<'a> {
    fn from(text: &'a str) -> Self {
        Args::Text(text)
    }
}

/// A tool call, before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Call<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// Its arguments.
    pub args: Args<'a>,
    /// The id that its result will carry.
    pub id: Option<&'a str>,
    /// When it was made, in milliseconds, if the host says.
    pub at: Option<u64>,
}

impl<'a> Call<'a> {
    /// A call without an id.
    pub fn new(name: &'a str, args: impl Into<Args<'a>>) -> Self {
        Self { name, args: args.into(), id: None, at: None }
    }
}

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolResult<'a> {
    /// The call's id. Without one, the oldest unanswered call is meant.
    pub id: Option<&'a str>,
    /// The tool's name; narrows down which call is meant when there is no id.
    pub name: Option<&'a str>,
    /// Whether it worked, if the host knows.
    pub ok: Option<bool>,
    /// What the tool returned.
    pub output: Option<&'a str>,
    /// When it came, in milliseconds, if the host says.
    pub at: Option<u64>,
}

named! {
    /// Where streamed text appears.
    #[derive(Default)]
    #[non_exhaustive]
    Channel {
        /// What the user sees.
        #[default]
        Text = "text",
        /// What the model thinks.
        Reasoning = "reasoning",
        /// The arguments of a tool call, as the model writes them.
        Arguments = "arguments",
    }
}
