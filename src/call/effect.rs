//! The effect of a call, as far as it is known before the call runs: it reads, writes or
//! executes. Also the content of edits.

use super::json::{EMPTY_STRING, Entry, entry_of, key_hash, key_hashes};
use super::shell::{self, Program, simple_commands, skip_assignments};
use crate::hash;
use crate::phrase_set::PhraseSet;
use crate::tools::{
    ACTION_VERBS, CONTENT_KEYS, DIRECTORY_WORDS, EDITOR_COMMANDS, END_KEYS, Effect, INPUT_KEYS,
    MESSAGE_WORDS, NEW_TEXT_KEYS, OLD_TEXT_KEYS, PATH_KEYS, PLAN_WORDS, POLL_COMMANDS, POLL_WORDS,
    QUERY_KEYS, READ_NOUNS, READ_ONLY_COMMANDS, READ_VERBS, RECEIVE_WORDS, SEARCH_COMMANDS,
    START_KEYS, STATUS_COMMANDS, SURE_COMMAND_KEYS, Tables, ToolClass, WAIT_COMMANDS, WAIT_WORDS,
    WRITE_COMMANDS,
};
use crate::tools::{base_name, for_each_word, has_word};
use memchr::memrchr;
use serde::{Deserialize, Serialize};

/// An edit, by hashes: `old` becomes `new` in `path`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Edit {
    pub path: u64,
    /// 0 if the whole file is written.
    pub old: u64,
    /// 0 for a deletion, and for anything that is not an edit.
    pub new: u64,
}

// The hashes of the argument names, so that no call has to hash them.
static EDITOR_COMMAND: [u64; 1] = [key_hash("command")];
static SURE_COMMAND: [u64; SURE_COMMAND_KEYS.len()] = key_hashes(SURE_COMMAND_KEYS);
static QUERY: [u64; QUERY_KEYS.len()] = key_hashes(QUERY_KEYS);
static INPUT: [u64; INPUT_KEYS.len()] = key_hashes(INPUT_KEYS);
static PATH: [u64; PATH_KEYS.len()] = key_hashes(PATH_KEYS);
static START: [u64; START_KEYS.len()] = key_hashes(START_KEYS);
static END: [u64; END_KEYS.len()] = key_hashes(END_KEYS);
static OLD_TEXT: [u64; OLD_TEXT_KEYS.len()] = key_hashes(OLD_TEXT_KEYS);
static NEW_TEXT: [u64; NEW_TEXT_KEYS.len()] = key_hashes(NEW_TEXT_KEYS);
static CONTENT: [u64; CONTENT_KEYS.len()] = key_hashes(CONTENT_KEYS);

/// Returns the effect of a call of a tool that is not a shell.
pub(super) fn tool_effect(class: ToolClass, entries: &[Entry], text: &str) -> Effect {
    match class {
        ToolClass::Read | ToolClass::Search => Effect::Read,
        ToolClass::Write => Effect::Write,
        // Some editors do several things, depending on an argument.
        ToolClass::Edit => value_of(entries, text, &EDITOR_COMMAND)
            .and_then(|command| EDITOR_COMMANDS.iter().find(|(name, _)| *name == command))
            .map_or(Effect::Write, |(_, effect)| *effect),
        ToolClass::Other if is_read_query(entries, text) => Effect::Read,
        _ => Effect::Execute,
    }
}

/// Returns whether the call is a query that only reads, such as `SELECT name FROM users`.
fn is_read_query(entries: &[Entry], text: &str) -> bool {
    static SELECT: PhraseSet = PhraseSet::ignoring_case(&["select "]);
    static FROM: PhraseSet = PhraseSet::ignoring_case(&[" from "]);
    let query = if entries.is_empty() { Some(text) } else { value_of(entries, text, &QUERY) };
    let query = query.unwrap_or_default().trim_start_matches(['"', ' ', '\n', '(']).as_bytes();
    SELECT.begins(query) && FROM.occurs_in(query)
}

/// Returns whether the arguments are a query in a query language, and no command.
pub(super) fn has_query(entries: &[Entry]) -> bool {
    entry_of(entries, &QUERY).is_some() && entry_of(entries, &shell::COMMAND).is_none()
}

/// Returns whether a tool that is not known as a shell runs a shell command: its `command`
/// argument has several words and begins with a known program.
pub(super) fn has_command(entries: &[Entry], text: &str, tables: &Tables) -> bool {
    let command = value_of(entries, text, &SURE_COMMAND).unwrap_or_default();
    let Some(first) = simple_commands(command).next() else { return false };
    let words = skip_assignments(first.words());
    let Some(program) = Program::new(words) else { return false };
    let lists = [
        STATUS_COMMANDS,
        READ_ONLY_COMMANDS,
        WRITE_COMMANDS,
        POLL_COMMANDS,
        WAIT_COMMANDS,
        SEARCH_COMMANDS,
    ];
    let is_known = lists.iter().any(|list| list.iter().any(|known| program.is(known)))
        || tables.test_commands.iter().any(|known| program.is(known));
    words.len() > 1 && is_known
}

/// What is known of a shell command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CommandInfo {
    pub effect: Effect,
    /// It waits for something, or checks whether it has happened.
    pub is_polling: bool,
    /// It lets time pass.
    pub lets_time_pass: bool,
    /// Some part of it runs tests.
    pub runs_tests: bool,
    /// Its first part is a file command such as `cat`, `echo` or `sed`.
    pub is_file_command: bool,
    /// Its last part is a search such as `grep`.
    pub searches: bool,
    /// The name of its first program.
    pub program: u64,
    /// It only changes the working directory.
    pub changes_directory: bool,
    /// The file and the line that a read of its beginning or of some lines begins with;
    /// 0 for anything else.
    pub read_from: u64,
}

/// Inspects a shell command. The effect is the strongest of its parts.
pub(super) fn inspect_command(command: &str, tables: &Tables) -> CommandInfo {
    let mut info = CommandInfo {
        effect: Effect::Read,
        is_polling: false,
        lets_time_pass: false,
        runs_tests: false,
        is_file_command: false,
        searches: false,
        program: 0,
        changes_directory: false,
        read_from: 0,
    };
    let mut is_first = true;
    let mut is_change = None;
    for simple in simple_commands(command) {
        let words = simple.words();
        if redirects_to_file(words) {
            info.effect = Effect::Write;
        }
        let Some(mut program) = Program::new(skip_assignments(words)) else { continue };
        // `sudo env X=1 pytest`: the innermost program counts.
        loop {
            info.runs_tests |= tables.test_commands.iter().any(|test| program.is(test));
            match program.inside_wrapper() {
                Some(inner) => program = inner,
                None => break,
            }
        }
        is_change = Some(is_change != Some(false) && (program.is("cd") || program.is("pushd")));
        if is_first && !program.is("cd") {
            is_first = false;
            info.is_file_command = tables.file_commands.iter().any(|known| program.is(known));
            info.program = hash::bytes(program.name().as_bytes());
            info.read_from = find_read_of_lines(program.name(), words);
        }
        let is_one_of = |commands: &[&str]| commands.iter().any(|known| program.is(known));
        info.searches = is_one_of(SEARCH_COMMANDS);
        info.lets_time_pass |= is_one_of(WAIT_COMMANDS);
        info.is_polling |= info.lets_time_pass || is_one_of(POLL_COMMANDS);
        let writes = is_one_of(WRITE_COMMANDS) && !(program.is("tee") && tees_to_devices(words));
        if info.effect == Effect::Write || writes {
            info.effect = Effect::Write;
        } else if info.effect == Effect::Read && (!is_one_of(READ_ONLY_COMMANDS) || acts(words)) {
            info.effect = Effect::Execute;
        }
    }
    info.changes_directory = is_change == Some(true);
    info
}

/// Identifies the file and the line where a read such as `head -n 20 file` or
/// `sed -n 5,20p file` begins; 0 for other commands.
fn find_read_of_lines(program: &str, words: &[&str]) -> u64 {
    let (start, file) = match (program, words) {
        ("head", [_, _, .., file]) => ("1", file),
        ("sed", [_, "-n", lines, file]) => match lines.split_once([',']) {
            Some((start, _)) => (start.trim_start_matches(['\'', '"']), file),
            None => return 0,
        },
        _ => return 0,
    };
    hash::pair(hash::bytes(file.as_bytes()), hash::bytes(start.as_bytes()))
}

/// Returns whether `tee` only writes to devices:
/// `echo 3 | sudo tee /proc/sys/vm/drop_caches`.
fn tees_to_devices(words: &[&str]) -> bool {
    let mut files = words.iter().skip_while(|word| !word.ends_with("tee")).skip(1);
    files.all(|word| {
        word.starts_with(['-']) || is_device(word.trim_start_matches(['>', '&', '1', '2']))
    })
}

fn is_device(file: &str) -> bool {
    file.starts_with("/dev/") || file.starts_with("/proc/") || file.starts_with("/sys/")
}

/// Returns whether a command that reads also acts: `find … -exec rm`.
fn acts(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "-exec" | "-execdir" | "-delete" | "-ok"))
}

/// Returns whether the output goes into a file. `2>&1` and `>/dev/null` do not count.
fn redirects_to_file(words: &[&str]) -> bool {
    words.iter().zip(1..).any(|(word, next)| {
        let Some(at) = memrchr(b'>', word.as_bytes()) else { return false };
        let (before, after) =
            (word.get(..at).unwrap_or_default(), word.get(at + 1..).unwrap_or_default());
        if before.contains(['"', '\'']) || after.contains(['"', '\'']) && before.is_empty() {
            return false;
        }
        let target = if after.is_empty() { words.get(next).copied() } else { Some(after) };
        target.is_some_and(|target| !is_device(target) && !target.starts_with('='))
    })
}

/// What the words in a tool's name say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NameInfo {
    /// It waits for something, or checks whether it has happened: `get_job_status`.
    pub is_polling: bool,
    /// It lets time pass: `sleep`.
    pub lets_time_pass: bool,
    /// It only reads: `get_weather`, `web_search`.
    pub reads: bool,
    /// It sends a message or asks a question: `send_message`.
    pub sends: bool,
    /// It writes down the model's own plan: `update_plan`.
    pub plans: bool,
    /// It changes the working directory: `set_cwd`.
    pub changes_directory: bool,
}

/// Inspects the words in a tool's name.
pub(crate) fn inspect_name(name: &str) -> NameInfo {
    let mut info = NameInfo::default();
    let is_one_of = |words: &str, word: &str| has_word(words, word.as_bytes());
    let mut reads_by_verb = None;
    let mut reads_by_last = false;
    let mut is_list = false;
    let mut receives = false;
    for_each_word(base_name(name), |word| {
        info.lets_time_pass |= is_one_of(WAIT_WORDS, word);
        info.is_polling |= info.lets_time_pass || is_one_of(POLL_WORDS, word);
        info.sends |= is_one_of(MESSAGE_WORDS, word);
        is_list |= is_one_of("list", word);
        receives |= is_one_of(RECEIVE_WORDS, word);
        info.plans |= is_one_of(PLAN_WORDS, word);
        info.changes_directory |= is_one_of(DIRECTORY_WORDS, word);
        // Many names begin with what the tool belongs to: `notion_update_page`.
        let reads = is_one_of(READ_VERBS, word);
        if reads || is_one_of(ACTION_VERBS, word) {
            reads_by_verb.get_or_insert(reads);
        }
        reads_by_last = is_one_of(READ_NOUNS, word);
    });
    info.reads = reads_by_verb == Some(true) || reads_by_last;
    info.sends &= !info.reads && !info.is_polling && !is_list && !receives;
    info
}

/// Returns whether the call types nothing into a running program, to see what it prints.
pub(super) fn types_nothing(entries: &[Entry]) -> bool {
    entry_of(entries, &INPUT).is_some_and(|entry| entry.value == EMPTY_STRING)
}

/// Finds the old and the new text of an edit in the arguments of a call.
pub(super) fn find_edit(entries: &[Entry]) -> Edit {
    let hash_of = |entry: Option<&Entry>| {
        entry.map(|entry| entry.value).filter(|value| *value != EMPTY_STRING)
    };
    let path = hash_of(entry_of(entries, &PATH)).unwrap_or_default();
    let replaced = entry_of(entries, &OLD_TEXT);
    let new = hash_of(entry_of(entries, &NEW_TEXT));
    match (replaced, hash_of(replaced), new) {
        (Some(_), Some(old), Some(new)) => Edit { path, old, new },
        (Some(_), ..) => Edit::default(),
        _ => {
            let new = hash_of(entry_of(entries, &CONTENT)).unwrap_or_default();
            Edit { path, old: 0, new }
        }
    }
}

/// Identifies the file and the line where a read of part of a file begins; 0 if the whole
/// file is read, or none.
pub(super) fn find_read(entries: &[Entry]) -> u64 {
    let (Some(path), Some(_)) = (entry_of(entries, &PATH), entry_of(entries, &END)) else {
        return 0;
    };
    hash::pair(path.value, entry_of(entries, &START).map_or(0, |start| start.value))
}

/// Returns the path of the file that the call is about, as it is written; not from an
/// ignored argument.
pub(super) fn find_path<'t>(entries: &[Entry], text: &'t str, ignored: &[u64]) -> Option<&'t str> {
    value_of(entries, text, PATH.iter().filter(|key| !ignored.contains(key)))
}

/// Returns a string argument as it is written, escapes included.
fn value_of<'t, 'k>(
    entries: &[Entry],
    text: &'t str,
    keys: impl IntoIterator<Item = &'k u64>,
) -> Option<&'t str> {
    let entry = entry_of(entries, keys)?;
    let value = text.get(entry.start as usize..entry.end as usize)?.trim_ascii();
    value.strip_prefix('"')?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::super::json::{Scanned, Scanner};
    use super::*;
    use proptest::prelude::*;

    fn inspect(command: &str) -> CommandInfo {
        inspect_command(command, &Tables::default())
    }

    #[test]
    fn queries_that_select_only_read() {
        let effect = |args: &str| {
            let mut scanner = Scanner::default();
            let entries = match scanner.scan(args) {
                Some(Scanned::Object) => scanner.entries(),
                _ => &[],
            };
            tool_effect(ToolClass::Other, entries, args)
        };
        for args in [
            r#"{"sql":"SELECT name FROM users"}"#,
            r#"{"db":"x","query":"select 1 from dual"}"#,
            "SELECT * FROM users",
        ] {
            assert_eq!(effect(args), Effect::Read, "{args}");
        }
        for args in [
            r#"{"sql":"DELETE FROM users"}"#,
            r#"{"query":"select a colour"}"#,
            r#"{"text":"select x from y"}"#,
            "{}",
        ] {
            assert_eq!(effect(args), Effect::Execute, "{args}");
        }
    }

    #[test]
    fn a_command_argument_may_make_a_tool_a_shell() {
        let has_command = |args: &str| {
            let mut scanner = Scanner::default();
            scanner.scan(args);
            super::has_command(scanner.entries(), args, &Tables::default())
        };
        assert!(has_command(r#"{"command":"pytest -n 4"}"#));
        assert!(has_command(r#"{"cmd":"CI=1 npm test","cwd":"/a"}"#));
        assert!(!has_command(r#"{"command":"go north"}"#));
        assert!(!has_command(r#"{"command":"ls"}"#));
        assert!(!has_command(r#"{"text":"pytest -n 4"}"#));
    }

    #[test]
    fn only_a_command_that_does_nothing_else_changes_the_directory() {
        assert!(inspect("cd /a/b").changes_directory);
        assert!(inspect("cd /a && pushd b").changes_directory);
        assert!(!inspect("cd /a && ls").changes_directory);
        assert!(!inspect("ls").changes_directory);
        assert!(!inspect("").changes_directory);
    }

    #[test]
    fn commands_read_write_or_execute() {
        for (command, effect) in [
            ("cat a.ts", Effect::Read),
            ("cd src && ls -la | grep x", Effect::Read),
            ("git status", Effect::Execute),
            ("sed -n '1,5p' a.ts", Effect::Read),
            ("grep -rn \"a > b\" src", Effect::Read),
            ("ls 2>/dev/null", Effect::Read),
            ("sed -i 's/a/b/' x", Effect::Write),
            ("echo hi > x.txt", Effect::Write),
            ("cat <<'EOF' > a.py\nprint(1)\nEOF", Effect::Write),
            ("git checkout main", Effect::Write),
            ("sudo rm -rf x", Effect::Write),
            ("pip install x", Effect::Write),
            ("python run.py", Effect::Execute),
            ("python run.py > log.txt 2>&1", Effect::Write),
            ("npm test 2>&1 | tail -5", Effect::Execute),
            ("find . -name x -exec rm {} +", Effect::Execute),
            ("ls | xargs rm", Effect::Execute),
            ("[ -d src ] && ls src", Effect::Read),
            ("", Effect::Read),
            ("git log --oneline | head -5", Effect::Read),
            ("git diff > fix.patch", Effect::Write),
            ("docker logs web --tail 50", Effect::Execute),
            ("kubectl apply -f a.yaml", Effect::Execute),
            ("psql -c 'select 1 where a > 2'", Effect::Execute),
            ("psql -c \"select 1 where a > 2\"", Effect::Execute),
            ("awk '$1 > 3' data.txt", Effect::Read),
            ("awk '{ print $1 }' data.txt", Effect::Read),
            ("grep -c '=>' src/a.ts", Effect::Read),
            ("test 3 -gt 2 && echo yes", Effect::Read),
            ("node -e 'console.log(1 => 2)'", Effect::Execute),
            ("cat a.txt | tee b.txt", Effect::Write),
            ("echo 3 | sudo tee /proc/sys/vm/drop_caches >/dev/null; ./bench", Effect::Execute),
            ("date | tee /dev/tty b.txt", Effect::Write),
            ("cargo build 2>&1 | grep error", Effect::Execute),
            ("cargo build 2>err.log", Effect::Write),
            ("make >/dev/null 2>&1", Effect::Execute),
            ("CI=1 npm ci", Effect::Write),
            ("C:\\tools\\git.exe log", Effect::Read),
            ("apply_patch <<'EOF'\n*** Begin Patch\nEOF", Effect::Write),
        ] {
            assert_eq!(inspect(command).effect, effect, "{command}");
        }
    }

    #[test]
    fn recognises_polling() {
        for name in ["get_job_status", "pollTask", "wait", "check-progress", "mcp__x__read_output"]
        {
            assert!(inspect_name(name).is_polling, "{name}");
        }
        for name in ["statusquo", "edit_file", "search", "", "await_x9", "git_stat", "pingpong"] {
            assert!(!inspect_name(name).is_polling, "{name}");
        }
        assert!(inspect("sleep 5 && cat log").is_polling);
        assert!(inspect("tail -f log").is_polling);
        assert!(inspect("docker ps").is_polling);
        assert!(inspect("kubectl get pods -n web").is_polling);
        assert!(!inspect("kubectl apply -f a.yaml").is_polling);
        assert!(!inspect("echo sleep").is_polling);
        assert!(!inspect("cat log").is_polling);
    }

    #[test]
    fn recognises_test_runs() {
        for command in [
            "pytest",
            "pytest -x tests/",
            "python -m pytest",
            "python3 -m pytest -q",
            "python3.11 -m unittest",
            "npm test",
            "npm run test:unit",
            "npm --silent test",
            "yarn test",
            "npx jest --ci",
            "npx vitest run",
            "cargo test",
            "cargo +nightly test",
            "cd app && npm test",
            "CI=1 npm test",
            "sudo env X=1 pytest",
            "timeout 60 go test ./...",
            "poetry run pytest",
            "./node_modules/.bin/mocha",
            "./gradlew test",
            "mvn -q test",
            "make test",
            "npm test 2>&1 | tail -20",
            "(cd x; cargo test)",
            "bundle exec rspec",
            "uv run pytest",
            "node --test",
            "yarn jest",
        ] {
            assert!(inspect(command).runs_tests, "{command}");
        }
        for command in [
            "ls",
            "npm install",
            "cat test.py",
            "echo pytest",
            "git commit -m 'cargo test'",
            "cargo build",
            "grep -r pytest .",
            "npm run build",
            "python test.py",
            "testing",
            "",
            "pip install pytest",
            "make",
            "yarn",
            "sudo",
            "timeout 5",
            "'npm test'",
            "pytests",
        ] {
            assert!(!inspect(command).runs_tests, "{command}");
        }
    }

    #[test]
    fn recognises_file_commands() {
        for command in [
            "cat x",
            "echo hi > x",
            "sed -i s/a/b/ x",
            "cd src && cat x",
            "sudo cat x",
            "cat x | wc",
        ] {
            assert!(inspect(command).is_file_command, "{command}");
        }
        for command in ["npm i", "ls | cat", "", "cd src", "concat x"] {
            assert!(!inspect(command).is_file_command, "{command}");
        }
    }

    proptest! {
        #[test]
        fn no_command_makes_it_panic(command in ".*") {
            let _ = inspect(&command);
            let _ = inspect_name(&command);
        }
    }

    #[test]
    fn names_say_what_tools_do() {
        for (name, waits, reads, sends) in [
            ("get_weather", false, true, false),
            ("web_search", false, true, false),
            ("listFiles", false, true, false),
            ("mcp__db__query", false, true, false),
            ("sleep", true, false, false),
            ("waitForIt", true, false, false),
            ("send_message", false, false, true),
            ("get_message", false, true, false),
            ("research_topic", false, false, false),
            ("delete_list", false, false, false),
            ("sql_db_list_tables", false, true, false),
            ("jiraGetIssue", false, true, false),
            ("notion_update_page", false, false, false),
            ("spotify_add_view", false, false, false),
            ("awaiting", false, false, false),
            ("", false, false, false),
        ] {
            let info = inspect_name(name);
            assert_eq!(
                (info.lets_time_pass, info.reads, info.sends),
                (waits, reads, sends),
                "{name}"
            );
            assert!(info.is_polling || !info.lets_time_pass, "{name}");
        }
    }

    #[test]
    fn commands_that_let_time_pass_and_commands_that_search() {
        for (command, waits, searches) in [
            ("sleep 5", true, false),
            ("npm test; sleep 5 && cat log", true, false),
            ("tail -f log", true, false),
            ("tail log", false, false),
            ("docker ps", false, false),
            ("cat log | grep x", false, true),
            ("grep x log | head", false, false),
            ("git grep x", false, true),
        ] {
            let info = inspect(command);
            assert_eq!((info.lets_time_pass, info.searches), (waits, searches), "{command}");
        }
    }

    #[test]
    fn reads_are_identified_by_file_and_first_line() {
        let read_of = |args: &str| {
            let mut scanner = Scanner::default();
            assert!(scanner.scan(args).is_some(), "{args}");
            find_read(scanner.entries())
        };
        let first = read_of(r#"{"path":"a","offset":1,"limit":10}"#);
        assert_ne!(first, 0);
        assert_eq!(first, read_of(r#"{"limit":90,"file_path":"a","start_line":1}"#));
        assert_ne!(first, read_of(r#"{"path":"a","offset":11,"limit":10}"#));
        assert_ne!(first, read_of(r#"{"path":"b","offset":1,"limit":10}"#));
        // The whole file, or none.
        assert_eq!(read_of(r#"{"path":"a"}"#), 0);
        assert_eq!(read_of(r#"{"query":"a","limit":3}"#), 0);

        let lines_of = |command| inspect(command).read_from;
        assert_ne!(lines_of("head -n 10 a"), 0);
        assert_eq!(lines_of("head -n 10 a"), lines_of("head -50 a"));
        assert_eq!(lines_of("head -n 10 a"), lines_of("sed -n 1,90p a"));
        assert_eq!(lines_of("sed -n '5,9p' a"), lines_of("sed -n 5,70p a"));
        assert_ne!(lines_of("sed -n 5,9p a"), lines_of("sed -n 10,20p a"));
        assert_ne!(lines_of("head -n 10 a"), lines_of("head -n 10 b"));
        for command in ["cat a", "sed -i s/a/b/ a", "sed -n 3p a", "head", "tail -n 5 a", ""] {
            assert_eq!(lines_of(command), 0, "{command}");
        }
    }

    fn edit_of(args: &str) -> Edit {
        let mut scanner = Scanner::default();
        assert!(scanner.scan(args).is_some(), "{args}");
        find_edit(scanner.entries())
    }

    #[test]
    fn edits_are_identified_by_path_and_content() {
        let there = edit_of(r#"{"path":"a","old_str":"x","new_str":"y"}"#);
        let back = edit_of(r#"{"file_path":"a","new_string":"x","old_string":"y"}"#);
        assert_eq!((there.path, there.old, there.new), (back.path, back.new, back.old));
        // The same content, written differently.
        assert_eq!(there, edit_of(r#"{ "new_str" : "\u0079", "old_str":"x", "path":"a" }"#));
        let whole = edit_of(r#"{"path":"a","content":"y"}"#);
        assert_eq!((whole.path, whole.old, whole.new), (there.path, 0, there.new));
        for args in [
            // Deletions and calls without content do not count.
            r#"{"path":"a","old_str":"x","new_str":""}"#,
            r#"{"path":"a","old_str":"","new_str":"y"}"#,
            r#"{"path":"a","old_str":"x"}"#,
            r#"{"path":"a"}"#,
            "{}",
        ] {
            assert_eq!(edit_of(args).new, 0, "{args}");
        }
    }
}
