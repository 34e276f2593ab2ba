//! The events that hosts report.

/// The arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Args<'a> {
    /// No arguments were given: the same as an empty object.
    #[default]
    None,
    /// The arguments as the model wrote them: JSON, or any other text.
    Text(&'a str),
    /// A key by which the host identifies the call, instead of its arguments.
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
    /// The id that its result will have.
    pub id: Option<&'a str>,
    /// When it was made, in milliseconds, if the host says.
    pub at: Option<u64>,
    /// What is shown and remembered instead of the arguments, if they contain secrets.
    pub shown: Option<&'a str>,
}

impl<'a> Call<'a> {
    /// Makes a call without an id.
    pub fn new(name: &'a str, args: impl Into<Args<'a>>) -> Self {
        Self { name, args: args.into(), ..Self::default() }
    }
}

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolResult<'a> {
    /// The call's id. Without one, the result belongs to the oldest call without a result.
    pub id: Option<&'a str>,
    /// The tool's name; without an id, only calls of this tool are considered.
    pub name: Option<&'a str>,
    /// Whether the call succeeded, if the host knows.
    pub ok: Option<bool>,
    /// What the tool returned.
    pub output: Option<&'a str>,
    /// When it came, in milliseconds, if the host says.
    pub at: Option<u64>,
}
