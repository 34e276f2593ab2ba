//! The modules of `src/` form no cycle: neither the folders and files directly in it, nor
//! the files within one folder. And they keep the order in which an event passes them. Computed from the paths in the code (`crate::…`,
//! `super::…`), without tests.

#![allow(
    clippy::expect_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the names that follow a path prefix such as `crate::`, also in a list:
/// `crate::{call, config::Config}`.
fn named_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(first_names(list)),
            None => names.extend(leading_name(rest)),
        }
    }
    names
}

fn leading_name(path: &str) -> Option<String> {
    let name: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// Returns the first name of each path in a list, up to its closing brace.
fn first_names(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut item = String::new();
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.extend(leading_name(core::mem::take(&mut item).trim())),
            _ if depth == 0 => item.push(c),
            _ => {}
        }
    }
    names.extend(leading_name(item.trim()));
    names
}

/// Returns the code of a file without comments and unit tests.
fn code_of(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a source file");
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_string();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && path.file_stem().is_some_and(|name| name != "tests")
        {
            files.push(path);
        }
    }
    files
}

/// Returns the module that a file belongs to, as seen from a folder above it.
fn module_in(folder: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(folder).expect("a file below the folder");
    let first = inside.iter().next().expect("a name");
    Path::new(first).file_stem().expect("a name").to_string_lossy().into_owned()
}

/// Returns which modules directly in a folder name which others.
fn graph_of(folder: &Path, prefixes: &[String]) -> Graph {
    let files = rust_files(folder);
    let skipped = ["lib", "mod"];
    let modules: BTreeSet<String> = files
        .iter()
        .map(|file| module_in(folder, file))
        .filter(|name| !skipped.contains(&name.as_str()))
        .collect();
    let mut graph = Graph::new();
    for file in &files {
        let module = module_in(folder, file);
        if !modules.contains(&module) {
            continue;
        }
        let code = code_of(file);
        let direct = file.parent() == Some(folder);
        for prefix in prefixes {
            // `super::` means this folder only in the files directly in it.
            if prefix == "super::" && !direct {
                continue;
            }
            let named = named_after(&code, prefix);
            let known = named.into_iter().filter(|name| modules.contains(name) && *name != module);
            graph.entry(module.clone()).or_default().extend(known);
        }
    }
    graph
}

fn find_cycle(graph: &Graph) -> Option<Vec<String>> {
    fn visit(
        name: &str,
        graph: &Graph,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> bool {
        if let Some(at) = path.iter().position(|seen| seen == name) {
            path.drain(..at);
            path.push(name.to_string());
            return true;
        }
        if !done.insert(name.to_string()) {
            return false;
        }
        path.push(name.to_string());
        if graph
            .get(name)
            .is_some_and(|used| used.iter().any(|next| visit(next, graph, path, done)))
        {
            return true;
        }
        path.pop();
        false
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|name| {
        let mut path = Vec::new();
        visit(name, graph, &mut path, &mut done).then_some(path)
    })
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn a_cycle_is_found() {
    let graph = |edges: &[(&str, &[&str])]| -> Graph {
        let used = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        edges.iter().map(|(name, names)| (name.to_string(), used(names))).collect()
    };
    let chain = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(find_cycle(&chain), None);
    let cycle = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
    assert_eq!(find_cycle(&cycle), Some(["b", "c", "b"].map(String::from).to_vec()));
    let code =
        "use crate::{call::{Edit, x}, config};\nlet a = crate::hash::pair(1, 2); mycrate::no";
    assert_eq!(
        named_after(code, "crate::").into_iter().collect::<Vec<_>>(),
        ["call", "config", "hash"]
    );
}

#[test]
fn the_modules_of_the_crate_form_no_cycle() {
    let graph = graph_of(&source(), &["crate::".into()]);
    assert!(graph.len() > 15, "{graph:?}");
    assert!(graph["patterns"].contains("history"), "{graph:?}");
    assert_eq!(find_cycle(&graph), None);
}

/// The way of an event through the modules, as in CONTRIBUTING.md: none knows a later one.
const STAGES: &[&[&str]] = &[
    &["event"],
    &["call", "result", "similarity", "text_loop"],
    &["history"],
    &["patterns"],
    &["escalation"],
    &["detector", "swarm"],
];

/// What else must not know what: events and verdicts each other, text in circles calls,
/// what is done about a loop how it is recognised, options and snapshots who uses them.
const APART: &[(&str, &[&str])] = &[
    ("event", &["verdict"]),
    ("verdict", &["event", "patterns", "escalation"]),
    ("text_loop", &["event", "call", "result", "history"]),
    ("escalation", &["patterns", "call", "text_loop"]),
    ("config", &["history", "patterns", "escalation", "detector"]),
    ("snapshot", &["history", "patterns", "escalation", "detector", "swarm"]),
];

#[test]
fn no_module_knows_a_later_one() {
    let graph = graph_of(&source(), &["crate::".into()]);
    let later = STAGES.iter().zip(1..).flat_map(|(stage, next)| {
        let later: Vec<&str> = STAGES[next..].concat();
        stage.iter().map(move |module| (*module, later.clone()))
    });
    let apart = APART.iter().map(|(module, others)| (*module, others.to_vec()));
    for (module, others) in later.chain(apart) {
        let known = graph.get(module).unwrap_or_else(|| panic!("src/ has no {module}"));
        let wrong: Vec<&str> = others.into_iter().filter(|other| known.contains(*other)).collect();
        assert!(wrong.is_empty(), "{module} knows {wrong:?}");
    }
}

#[test]
fn the_files_of_each_folder_form_no_cycle() {
    for entry in fs::read_dir(source()).expect("src") {
        let folder = entry.expect("an entry").path();
        if folder.is_dir() {
            let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
            let graph = graph_of(&folder, &["super::".into(), format!("crate::{name}::")]);
            assert_eq!(find_cycle(&graph), None, "{name}");
        }
    }
}
