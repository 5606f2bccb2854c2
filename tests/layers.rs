//! Types point down: no module of `host/` imports from one above it, and problems do not import from one another. So there is no
//! circle among the modules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The modules from the ground up. Those of one layer do not know one another.
const LAYERS: &[&[&str]] = &[
    &["error", "named", "threads"],
    &["memory"],
    &["device", "text"],
    &["algorithm", "cpu"],
    &["alignment"],
    &["infix", "pairwise"],
    &["distance", "io", "lcs", "search"],
    &["best", "diff", "measure", "pairs", "view"],
    &["machine"],
    &["verify"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The modules that a source names as `crate::module` or in `crate::{…}`, comments left out.
fn named(source: &str) -> BTreeSet<String> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut names = BTreeSet::new();
    for (at, start) in code.match_indices("crate::") {
        // Not the end of a longer name.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + start.len()..];
        let word =
            |text: &str| text.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned();
        match rest.strip_prefix('{') {
            Some(list) => names.extend(list.split('}').next().unwrap().split(',').map(word)),
            None => drop(names.insert(word(rest))),
        }
    }
    names
}

/// What is wrong with the imports of a file of a module.
fn faults(module: &str, path: &str, source: &str) -> Vec<String> {
    let Some(own) = layer(module) else { return vec![format!("{path}: the module {module} is in no layer")] };
    let wrong = |name: &String| name != module && layer(name).is_some_and(|other| other >= own);
    named(source)
        .into_iter()
        .filter(wrong)
        .map(|name| format!("{path} imports from {name}, which is not below it"))
        .collect()
}

#[test]
fn types_point_down() {
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("host");
    let mut files = Vec::new();
    sources(&host, &mut files);
    assert!(files.len() > 90, "{} files", files.len());
    let mut found = Vec::new();
    for file in files {
        let path = file.strip_prefix(&host).unwrap();
        let module = path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        // The crate's root names all.
        if module != "lib" {
            found.extend(faults(module, path.to_str().unwrap(), &std::fs::read_to_string(&file).unwrap()));
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn what_is_above_is_found() {
    let found = |module, source| faults(module, "x.rs", source).len();
    assert_eq!(found("alignment", "use crate::search::Hit;"), 1);
    assert_eq!(found("search", "use crate::lcs::Run;\nfn f() -> crate::infix::Run {}"), 1);
    assert_eq!(found("search", "use crate::{Error, lcs, memory};"), 1);
    assert_eq!(found("search", "// use crate::lcs::Run;\nuse crate::search::Hit;\nuse carrywave_crate::lcs;"), 0);
    assert_eq!(found("elsewhere", ""), 1);
}
