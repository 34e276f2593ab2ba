//! The names of arguments that mean something whatever the tool.

/// Arguments that hold a shell's command.
pub(crate) const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "input", "code"];

/// Arguments that name the file a call is about.
pub(crate) const PATH_KEYS: &[&str] =
    &["path", "file_path", "filePath", "filename", "file", "target_file", "notebook_path"];

/// Arguments that differ from call to call and mean nothing.
pub(crate) const VOLATILE_KEYS: &[&str] = &[
    "request_id",
    "requestId",
    "trace_id",
    "traceId",
    "correlation_id",
    "correlationId",
    "idempotency_key",
    "idempotencyKey",
    "nonce",
    "timestamp",
    "ts",
];

/// Arguments in which a model tells people what it is doing. Not where a tool is
/// not known: there they may be what it is given.
pub(crate) const TALK_KEYS: &[&str] = &["description", "explanation", "reason", "thought"];

/// Arguments that hold what an edit takes out.
pub(crate) const OLD_TEXT_KEYS: &[&str] =
    &["old_str", "old_string", "oldString", "old_text", "oldText", "old", "search", "find"];

/// Arguments that hold what an edit puts in.
pub(crate) const NEW_TEXT_KEYS: &[&str] =
    &["new_str", "new_string", "newString", "new_text", "newText", "new", "replace", "replacement"];

/// Arguments that hold a whole file.
pub(crate) const CONTENT_KEYS: &[&str] =
    &["content", "contents", "file_text", "text", "code_edit", "new_source"];
