//! Work that looks a little like a loop: `balanced` says nothing about it.

use loophound::{LoopDetector, Preset, ToolResult, Verdict};

/// A detector that must not report anything.
struct Silent(LoopDetector);

impl Silent {
    fn new() -> Self {
        Self(LoopDetector::with_preset(Preset::Balanced))
    }

    fn outcome(&mut self, name: &str, args: &str, ok: bool, output: Option<&str>) {
        assert_eq!(self.0.record(name, args), &Verdict::default(), "{args}");
        let result = ToolResult { ok: Some(ok), output, ..ToolResult::default() };
        assert_eq!(self.0.record_result(&result), &Verdict::default(), "{args}");
    }

    fn bash(&mut self, command: &str, ok: bool, output: &str) {
        self.outcome("bash", &format!("{{\"command\":\"{command}\"}}"), ok, Some(output));
    }

    fn edit(&mut self, number: u32, output: Option<&str>) {
        let args = format!(
            "{{\"path\":\"a.ts\",\"old_str\":\"old{number}\",\"new_str\":\"new{number}\"}}"
        );
        self.outcome("edit_file", &args, true, output);
    }
}

#[test]
fn edits_and_builds_of_a_host_that_reports_no_outputs() {
    let mut work = Silent::new();
    for number in 0..30 {
        work.edit(number, None);
        work.outcome("bash", r#"{"command":"npm run build"}"#, true, None);
    }
}

#[test]
fn one_missing_module_after_the_other() {
    let mut work = Silent::new();
    for (number, module) in
        ["flask", "numpy", "yaml", "rich", "attrs", "toml", "jinja", "click"].iter().enumerate()
    {
        let flag = ["", " --debug"][number % 2];
        let error = format!("Traceback:\nModuleNotFoundError: No module named '{module}'");
        work.bash(&format!("python app.py{flag}"), false, &error);
        let installed = format!("Successfully installed {module}-1.{number}");
        work.bash(&format!("pip install {module}"), true, &installed);
    }
}

#[test]
fn one_complaint_of_a_linter_after_the_other() {
    let mut work = Silent::new();
    for number in 0..20 {
        let place = format!("{}:{}", 5 + number, 12 + number % 7);
        let output = format!("/a.js\n  {place}  error  Missing semicolon  semi");
        work.bash("npx eslint a.js", false, &output);
        work.edit(number, Some("edited"));
    }
}

#[test]
fn one_folder_after_the_other() {
    let mut work = Silent::new();
    for number in 0..5 {
        work.bash(&format!("ls /tmp/project-{number}"), true, "README.md");
    }
}
