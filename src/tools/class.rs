//! Classifies tools by name.

use crate::named::named;

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

named! {
    /// What a call does, as far as is known before it runs.
    #[derive(Default)]
    #[non_exhaustive]
    Effect {
        /// Reads or searches, and changes nothing.
        Read = "read",
        /// Edits or writes files.
        Write = "write",
        /// Runs something, with unknown effects.
        #[default]
        Execute = "execute",
    }
}

/// Tool names of common agents and frameworks, in the form that [`fold`] returns.
const KNOWN: &[(ToolClass, &str)] = &[
    (
        ToolClass::Shell,
        "\
            bash shell sh zsh terminal exec execute run cmd command powershell pwsh \
            runcommand runcommands runshell runshellcommand runbash runbashcommand \
            runterminalcmd runterminalcommand runinterminal execcommand executecommand \
            executebash executeshell shellcommand shelltool bashtool localshell \
            containerexec executeinterminal",
    ),
    (
        ToolClass::Edit,
        "\
            edit editfile editor multiedit strreplace strreplaceeditor \
            strreplacebasededittool applypatch applydiff patch patchfile replace \
            replaceinfile searchreplace searchandreplace insert insertcontent updatefile \
            modifyfile notebookedit textedit",
    ),
    (ToolClass::Write, "write writefile writetofile createfile savefile newfile overwritefile"),
    (
        ToolClass::Read,
        "\
            read readfile readfiles readmanyfiles view viewfile openfile open cat getfile \
            getfilecontents readtextfile notebookread",
    ),
    (
        ToolClass::Search,
        "\
            grep glob search searchfiles searchcode codebasesearch grepsearch filesearch \
            findfiles find ripgrep rg ls list listdir listdirectory listfiles websearch \
            googlewebsearch webfetch fetch",
    ),
    (
        ToolClass::Test,
        "\
            test tests runtest runtests runtestsuite executetests testrunner pytest jest \
            vitest runpytest rununittests",
    ),
];

/// Last words of the names of tools that run a command elsewhere: `ssh_exec`, `aws_cli`.
const SHELL_WORDS: &str = "bash cli exec powershell shell ssh";

/// Words in the names of tools that change part of a file, and the last words of these
/// names: `StrReplaceFile`, `replace_lines`.
const EDIT_WORDS: &str = "edit modify patch replace";
const EDITED_WORDS: &str = "block code file files line lines";

/// Returns the default class of a tool, which options can override. Ignores case, `_`, `-`
/// and the server or namespace: everything before the last `__`, `.`, `/` or `:`.
pub(crate) fn classify(name: &str) -> ToolClass {
    let name = base_name(name);
    let mut buffer = [0u8; 32];
    let Some(folded) = fold(name, &mut buffer) else { return ToolClass::Other };
    let known = KNOWN.iter().find(|(_, names)| has_word(names, folded));
    match known {
        Some((class, _)) => *class,
        None => classify_by_words(name),
    }
}

/// Returns the class of a tool that is not known, by the words in its name.
fn classify_by_words(name: &str) -> ToolClass {
    let mut words = 0;
    let mut edits = false;
    let mut last = ToolClass::Other;
    for_each_word(name, |word| {
        let is_one_of = |words| has_word(words, word.as_bytes());
        last = match () {
            _ if words > 0 && is_one_of(SHELL_WORDS) => ToolClass::Shell,
            _ if edits && is_one_of(EDITED_WORDS) => ToolClass::Edit,
            _ => ToolClass::Other,
        };
        words += 1;
        edits |= is_one_of(EDIT_WORDS);
    });
    last
}

/// Calls `visit` with each word of a name.
pub(crate) fn for_each_word(name: &str, mut visit: impl FnMut(&str)) {
    let mut rest = name;
    while !rest.is_empty() {
        let bytes = rest.as_bytes();
        // Words end at a separator, and where upper case follows lower case.
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let starts_word = end > 0
                && byte.is_ascii_uppercase()
                && bytes.get(end - 1).is_some_and(u8::is_ascii_lowercase);
            if starts_word || !byte.is_ascii_alphanumeric() {
                break;
            }
            end += 1;
        }
        let word = rest.get(..end).unwrap_or_default();
        if !word.is_empty() {
            visit(word);
        }
        let skip = bytes.get(end).is_some_and(|byte| !byte.is_ascii_alphanumeric());
        rest = rest.get(end + usize::from(skip)..).unwrap_or_default();
    }
}

/// Returns whether a word is in a list, ignoring case. (Compares bytes, because each new
/// tool's name is looked up in every list.)
pub(crate) fn has_word(list: &str, word: &[u8]) -> bool {
    list.as_bytes().split(|byte| *byte == b' ').any(|one| one.eq_ignore_ascii_case(word))
}

/// Returns the name without its server or namespace.
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
            ("ssh_exec", ToolClass::Shell),
            ("mcp__cloud__aws-cli", ToolClass::Shell),
            ("nutshell", ToolClass::Other),
            ("StrReplaceFile", ToolClass::Edit),
            ("replace_lines", ToolClass::Edit),
            ("mcp__code__editOneFile", ToolClass::Edit),
            ("edit_profile", ToolClass::Other),
            ("file", ToolClass::Other),
            ("book_flight", ToolClass::Other),
            ("", ToolClass::Other),
            ("a_name_far_longer_than_any_tool_that_anyone_would_register", ToolClass::Other),
        ] {
            assert_eq!(classify(name), class, "{name}");
        }
    }

    #[test]
    fn the_table_is_folded_and_has_no_duplicates() {
        let all: Vec<&str> = KNOWN.iter().flat_map(|(_, names)| names.split([' '])).collect();
        for (i, name) in all.iter().enumerate() {
            let mut buffer = [0; 32];
            assert_eq!(fold(name, &mut buffer), Some(name.as_bytes()));
            assert!(!all[..i].contains(name), "{name}");
        }
    }
}
