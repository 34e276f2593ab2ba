//! What a tool does, by its name.

use crate::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// What a tool does.
    #[derive(Default)]
    #[non_exhaustive]
    ToolClass {
        /// Runs a shell command.
        Shell = "shell",
        /// Changes part of a file.
        Edit = "edit",
        /// Writes a whole file.
        Write = "write",
        /// Reads a file.
        Read = "read",
        /// Searches: files, code, the web.
        Search = "search",
        /// Runs tests.
        Test = "test",
        /// Anything else.
        #[default]
        Other = "other",
    }
}

/// What a call does, as far as that is known before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Effect {
    /// Reads or searches, and changes nothing.
    Read,
    /// Edits or writes files.
    Write,
    /// Runs something, with effects that are not known.
    #[default]
    Execute,
}

/// Tool names of the agents and frameworks in use, folded as [`fold`] does.
const KNOWN: &[(ToolClass, &[&str])] = &[
    (
        ToolClass::Shell,
        &[
            "bash",
            "shell",
            "sh",
            "zsh",
            "terminal",
            "exec",
            "execute",
            "run",
            "cmd",
            "command",
            "powershell",
            "pwsh",
            "runcommand",
            "runcommands",
            "runshell",
            "runshellcommand",
            "runbash",
            "runbashcommand",
            "runterminalcmd",
            "runterminalcommand",
            "runinterminal",
            "execcommand",
            "executecommand",
            "executebash",
            "executeshell",
            "shellcommand",
            "shelltool",
            "bashtool",
            "localshell",
            "containerexec",
            "executeinterminal",
        ],
    ),
    (
        ToolClass::Edit,
        &[
            "edit",
            "editfile",
            "editor",
            "multiedit",
            "strreplace",
            "strreplaceeditor",
            "strreplacebasededittool",
            "applypatch",
            "applydiff",
            "patch",
            "patchfile",
            "replace",
            "replaceinfile",
            "searchreplace",
            "searchandreplace",
            "insert",
            "insertcontent",
            "updatefile",
            "modifyfile",
            "notebookedit",
            "textedit",
        ],
    ),
    (
        ToolClass::Write,
        &[
            "write",
            "writefile",
            "writetofile",
            "createfile",
            "savefile",
            "newfile",
            "overwritefile",
        ],
    ),
    (
        ToolClass::Read,
        &[
            "read",
            "readfile",
            "readfiles",
            "readmanyfiles",
            "view",
            "viewfile",
            "openfile",
            "open",
            "cat",
            "getfile",
            "getfilecontents",
            "readtextfile",
            "notebookread",
        ],
    ),
    (
        ToolClass::Search,
        &[
            "grep",
            "glob",
            "search",
            "searchfiles",
            "searchcode",
            "codebasesearch",
            "grepsearch",
            "filesearch",
            "findfiles",
            "find",
            "ripgrep",
            "rg",
            "ls",
            "list",
            "listdir",
            "listdirectory",
            "listfiles",
            "websearch",
            "googlewebsearch",
            "webfetch",
            "fetch",
        ],
    ),
    (
        ToolClass::Test,
        &[
            "test",
            "tests",
            "runtest",
            "runtests",
            "runtestsuite",
            "executetests",
            "testrunner",
            "pytest",
            "jest",
            "vitest",
            "runpytest",
            "rununittests",
        ],
    ),
];

/// Returns the class that a tool has unless options say otherwise. Case, `_` and `-` do
/// not count, nor do servers and namespaces: what stands before the last `__`, `.`, `/`
/// or `:`.
pub(crate) fn classify(name: &str) -> ToolClass {
    let mut buffer = [0u8; 32];
    let Some(folded) = fold(base_name(name), &mut buffer) else { return ToolClass::Other };
    KNOWN
        .iter()
        .find(|(_, names)| names.iter().any(|known| known.as_bytes() == folded))
        .map_or(ToolClass::Other, |(class, _)| *class)
}

/// Returns the name without servers and namespaces.
pub(crate) fn base_name(name: &str) -> &str {
    let last = name.rsplit(['.', '/', ':']).next().unwrap_or(name);
    let server = last.as_bytes().windows(2).rposition(|two| two == b"__");
    server.and_then(|at| last.get(at + 2..)).unwrap_or(last)
}

/// Writes the name in lower case, without separators. `None` if it is longer than any
/// known name.
fn fold<'b>(name: &str, buffer: &'b mut [u8; 32]) -> Option<&'b [u8]> {
    let mut length = 0;
    for byte in name.bytes().filter(|byte| !matches!(byte, b'_' | b'-')) {
        *buffer.get_mut(length)? = byte.to_ascii_lowercase();
        length += 1;
    }
    buffer.get(..length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn names_of_known_agents_have_their_class() {
        for (name, class) in [
            ("bash", ToolClass::Shell),
            ("Bash", ToolClass::Shell),
            ("run_terminal_cmd", ToolClass::Shell),
            ("execute_bash", ToolClass::Shell),
            ("mcp__shell__run-command", ToolClass::Shell),
            ("functions.shell", ToolClass::Shell),
            ("str_replace_editor", ToolClass::Edit),
            ("write_file", ToolClass::Write),
            ("ReadFile", ToolClass::Read),
            ("grep_search", ToolClass::Search),
            ("run_tests", ToolClass::Test),
            ("book_flight", ToolClass::Other),
            ("", ToolClass::Other),
            ("a_name_far_longer_than_any_tool_that_anyone_would_register", ToolClass::Other),
        ] {
            assert_eq!(classify(name), class, "{name}");
        }
    }

    #[test]
    fn the_table_is_folded_and_has_no_duplicates() {
        let all: Vec<&str> = KNOWN.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for (i, name) in all.iter().enumerate() {
            let mut buffer = [0; 32];
            assert_eq!(fold(name, &mut buffer), Some(name.as_bytes()));
            assert!(!all[..i].contains(name), "{name}");
        }
    }
}
