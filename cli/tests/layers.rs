//! Commands do not import from one another, and shared code imports from no command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Returns the modules of the program that a source refers to as `crate::module`, without comments.
fn named(source: &str) -> BTreeSet<&str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let rests = code.flat_map(|line| line.split("crate::").skip(1));
    rests.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()).collect()
}

#[test]
fn commands_import_from_themselves_and_from_what_is_shared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = 0;
    for path in sources(&root) {
        let place = path.strip_prefix(&root).unwrap();
        let own = place.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        // The top-level module, and its tests.
        if matches!(own, "main" | "documented") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let others: Vec<&str> = named(&source).into_iter().filter(|&name| name != own && name != "shared").collect();
        assert!(others.is_empty(), "{} imports from {others:?}", place.display());
        files += 1;
    }
    assert!(files > 50);
}

#[test]
fn a_forbidden_import_is_found() {
    let source = "use crate::shared::json;\n// crate::best\nlet x = crate::search::run();\n";
    assert_eq!(named(source).into_iter().collect::<Vec<_>>(), ["search", "shared"]);
}
