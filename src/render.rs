//! Fills templates in: what was seen, and what to do instead.
//!
//! `{tool}`, `{count}` and the other [`Facts`] are replaced; a name that is not
//! known stays as it is.

use crate::concat::{cat, join, number};
use crate::config::Rung;
use crate::history::on_one_line;
use crate::tools::ToolClass;
use crate::verdict::Action;
use alloc::string::String;
use alloc::vec::Vec;

/// What a template can speak of.
#[derive(Default)]
pub(crate) struct Facts<'a> {
    pub tool: &'a str,
    pub count: u64,
    pub period: u32,
    pub wasted: u64,
    /// The repeated calls.
    pub pattern: &'a [String],
    /// What kinds of tools repeat, in the order of the pattern.
    pub classes: &'a [ToolClass],
    /// The failing commands belong to file tools.
    pub files: bool,
    /// The last tools used.
    pub recent: &'a [String],
    pub workers: u64,
    /// Files that were changed between the repeats.
    pub changed: &'a [String],
    /// The line that told what went wrong last.
    pub quote: &'a str,
    /// A service is busy or away.
    pub busy: bool,
    /// The rung it stands on.
    pub rung: Option<Rung>,
    /// The call is refused now.
    pub refused: bool,
    /// The stream that text was found in.
    pub channel: &'a str,
}

/// Fills in a template. One pass: what is filled in is not looked at again.
pub(crate) fn render(template: &str, facts: &Facts<'_>) -> String {
    let mut out = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(['{']) {
        out.push_str(before);
        let filled =
            after.split_once(['}']).and_then(|(name, tail)| Some((fact(name, facts)?, tail)));
        match filled {
            Some((text, tail)) => {
                out.push_str(&text);
                rest = tail;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn fact(name: &str, facts: &Facts<'_>) -> Option<String> {
    Some(match name {
        "tool" => facts.tool.into(),
        "count" | "N" | "totalCalls" => number(facts.count),
        "period" => number(facts.period.into()),
        "wasted" => number(facts.wasted),
        "workerCount" => number(facts.workers),
        "calls" => numbered(facts.pattern),
        "unit" => on_one_line(facts.pattern.first().map_or("", String::as_str)),
        "channel" => facts.channel.into(),
        "recent" => join(facts.recent, ", "),
        "alternatives" if facts.busy => BUSY_ADVICE.into(),
        "alternatives" if !facts.changed.is_empty() => CHANGED_ADVICE.into(),
        "alternatives" => alternatives(facts.classes),
        "changes" => changes(facts.changed),
        "quote" if facts.quote.is_empty() => String::new(),
        "quote" => cat(&["\nIt said: ", facts.quote]),
        "consequence" => consequence(facts).into(),
        "advice" => if facts.files { FILE_ADVICE } else { SHELL_ADVICE }.into(),
        _ => return None,
    })
}

/// ", after changes to a.ts, b.ts"; nothing where nothing was changed.
fn changes(files: &[String]) -> String {
    if files.is_empty() { String::new() } else { cat(&[", after changes to ", &join(files, ", ")]) }
}

/// What comes next if the model goes on like this.
fn consequence(facts: &Facts<'_>) -> &'static str {
    match facts.rung.map(|rung| rung.action) {
        Some(Action::Stop) => "The run ends here.",
        Some(Action::Block) if facts.refused => {
            "This call was not run. If you repeat it, the run ends."
        }
        Some(Action::Block) if facts.changed.is_empty() => {
            "If you go on, the next such call is refused."
        }
        Some(Action::Block) => "If this goes on, the run ends.",
        _ => "If you go on like this, such calls will be refused.",
    }
}

fn numbered(calls: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (call, place) in calls.iter().zip(1u64..) {
        lines.push(cat(&["  ", &number(place), ". ", call]));
    }
    join(&lines, "\n")
}

/// One suggestion for each kind of tool that repeats, and a way out.
fn alternatives(classes: &[ToolClass]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for class in classes.iter().chain(&[ToolClass::Other]) {
        let line = alternative(*class);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    join(&lines, "\n")
}

fn alternative(class: ToolClass) -> &'static str {
    match class {
        ToolClass::Shell => {
            "- Do not run that command again: read its last output in full, then run a different command or change what it depends on"
        }
        ToolClass::Edit => {
            "- Do not send that edit again: read the file as it is now, then make one different, smaller change"
        }
        ToolClass::Write => {
            "- Do not write that content again: check what is in the file now and what is still missing"
        }
        ToolClass::Read => {
            "- You already have that content: use it, or read another part or another file"
        }
        ToolClass::Search => {
            "- You already have those results: open one of them, or search for something else"
        }
        ToolClass::Test => {
            "- The tests will not change by themselves: fix one failing test before you run them again"
        }
        ToolClass::Other => {
            "- Use another tool or other arguments, or explain what is blocking you and ask for help"
        }
    }
}

const BUSY_ADVICE: &str = "- A service is busy or away, and asking it again at once does not help: wait, or do what can be done without it";

const CHANGED_ADVICE: &str = "- Your changes do not reach what fails: check that what you edit is what runs (path, build, cache), and read the failing code again\n- Take back what did not help, and test one assumption at a time";

const FILE_ADVICE: &str = "These are file operations. Use the proper tools instead of shell commands:\n- write_file to create or overwrite a file\n- edit_file to change part of a file\n- read_file to look at a file";

const SHELL_ADVICE: &str = "Do not retry variations of the same command:\n1. Read the error output of the last failure carefully\n2. Check your assumptions (working directory, paths, installed programs) with one simple command\n3. Try a DIFFERENT approach or tool";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_in_once_and_leaves_the_rest() {
        let facts = Facts { tool: "{count}", count: 3, ..Facts::default() };
        assert_eq!(render("{tool} {count} {N} {what} { {", &facts), "{count} 3 3 {what} { {");
        assert_eq!(render("{\"a\":{count}}", &facts), "{\"a\":3}");
    }
}
