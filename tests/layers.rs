//! Dependencies point down: no folder of `host/` uses a folder above it, files of a crate form no
//! dependency cycle, and every search, comparison or measurement on an engine is a row of a table
//! of algorithms.

mod common {
    pub mod imports;
}

use common::imports::{Arrows, Crate, circles};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders of `host/` from the bottom up. Folders of one layer do not use one another.
const LAYERS: &[&[&str]] = &[
    &["error", "named", "threads"],
    &["memory"],
    &["device", "text"],
    &["algorithm", "cpu", "job"],
    &["alignment", "cost"],
    &["infix", "pairwise"],
    &["distance", "io", "lcs", "search"],
    &["barcodes", "best", "diff", "guides", "pairs", "trim", "view"],
    &["measure", "scorers"],
    &["machine"],
    &["verify"],
    &["internal"],
];

/// The root files of crates.
const ROOTS: &[&str] = &[
    "host/lib.rs",
    "cli/src/main.rs",
    "gpu-kernels/src/lib.rs",
    "python/src/lib.rs",
    "simt/simt_builder/src/lib.rs",
    "simt/simt_launch/src/lib.rs",
    "simt/simt_macros/src/lib.rs",
    "simt/simt_std/src/lib.rs",
    "xtask/src/main.rs",
];

/// Folders whose files are the rows of a table, and the files in them that are not rows: code that
/// rows share, and code that chooses a row.
const TABLES: &[(&str, &str)] = &[
    ("host/best/cpu", "engine mod"),
    ("host/best/gpu", "algorithm batches engine mod nakano numbers published"),
    ("host/diff/cpu", "algorithm mod"),
    ("host/distance/cpu", "algorithm bit_table coded columns lane_cell member mod strip word_parallel"),
    ("host/distance/gpu", "algorithm mod"),
    ("host/distance/items/cpu", "algorithm blocks mod places"),
    ("host/lcs/cpu", "algorithm bit_table columns dp_table few_rows member mod strip subsequence word_parallel"),
    ("host/lcs/gpu", "algorithm mod published"),
    ("host/lcs/items/cpu", "algorithm columns mod strips table"),
    ("host/lcs/items/gpu", "algorithm mod"),
    (
        "host/pairs/cpu",
        "algorithm band bit_tables counter engine estimates mod osa osa_cell recurrence signatures symbols",
    ),
    (
        "host/pairs/gpu",
        "algorithm codes column column_matches device_pairs flight groups launch kernel_cost listed_choice listed_columns listed_input listed_launch listed_order listed_slot listed_source mod on_device plan room",
    ),
    ("host/search/cpu", "engine exact_pieces frame guide_lanes mod pieces query row segment simd"),
    (
        "host/search/gpu",
        "clock least match_table mod needle passes planes published resident row search size stream text witness",
    ),
];

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn layer(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&folder))
}

/// Returns the folder, or file, at the top of `host/` that contains a file.
fn top<'p>(host: &Path, file: &'p Path) -> &'p str {
    let name = file.strip_prefix(host).unwrap().iter().next().unwrap().to_str().unwrap();
    name.trim_end_matches(".rs")
}

/// Returns the wrong dependencies between the folders of a crate at `host`. The crate's root may
/// use all.
fn upward(host: &Path, arrows: &Arrows) -> Vec<String> {
    let mut faults = Vec::new();
    for (from, taken) in arrows.iter().filter(|(from, _)| top(host, from) != "lib") {
        let Some(own) = layer(top(host, from)) else {
            faults.push(format!("{} is in no layer", from.display()));
            continue;
        };
        for (to, names) in taken.iter().filter(|(to, _)| top(host, to) != top(host, from)) {
            if layer(top(host, to)).is_none_or(|other| other >= own) {
                faults.push(format!("{} takes {names:?} from {}, which is not below it", from.display(), to.display()));
            }
        }
    }
    faults
}

#[test]
fn types_point_down() {
    let arrows = Crate::read(&at("host/lib.rs")).arrows();
    assert!(arrows.len() > 300, "{} files", arrows.len());
    let faults = upward(&at("host"), &arrows);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_files_take_from_one_another_in_a_circle() {
    let mut found = Vec::new();
    for root in ROOTS {
        let arrows = Crate::read(&at(root)).arrows();
        for members in circles(&arrows) {
            found.push(format!("a circle of {} files:", members.len()));
            for from in &members {
                for (to, names) in arrows[from].iter().filter(|(to, _)| members.contains(to)) {
                    found.push(format!("  {} takes {names:?} from {}", from.display(), to.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Returns the names of the files and folders of a folder, without extensions.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Returns the files of a table's folder that are neither rows of it nor in `parts`.
fn outside_the_table(folder: &Path, parts: &str) -> Vec<String> {
    let table = std::fs::read_to_string(folder.join("mod.rs")).unwrap();
    let rows = table.split_once("_algorithms! {").unwrap().1.split_once("\n}").unwrap().0;
    let is_row = |name: &String| rows.contains(&format!("mod {name};"));
    names(folder).into_iter().filter(|name| !is_row(name) && !parts.split(' ').any(|part| part == name)).collect()
}

#[test]
fn every_algorithm_is_a_row_of_a_table() {
    for (folder, parts) in TABLES {
        let outside = outside_the_table(&at(folder), parts);
        assert!(
            outside.is_empty(),
            "{folder}: {outside:?} are in no table, and are not among the parts that rows share"
        );
        let missing: Vec<_> =
            parts.split(' ').filter(|part| !names(&at(folder)).contains(*part) && *part != "published").collect();
        assert!(missing.is_empty(), "{folder}: {missing:?} are not there");
    }
}

/// Functions that compute a distance of whole strings, and the files that may use them: rows of
/// tables, and callers of rows.
const ASKED_BY_ROWS: &[(&str, &str, &[&str])] = &[
    ("host/pairwise/similar/search.rs", "similar", &["host/distance/cpu/bands.rs", "host/lcs/cpu/bands.rs"]),
    ("host/pairwise/banded.rs", "Banded", &["host/pairwise/comparison.rs"]),
    ("host/distance/cpu/cut_off.rs", "within", &["host/distance/comparison.rs"]),
];

#[test]
fn distances_of_whole_strings_are_asked_by_rows() {
    let arrows = Crate::read(&at("host/lib.rs")).arrows();
    for (file, name, allowed) in ASKED_BY_ROWS {
        let takes = |taken: &BTreeSet<String>| taken.contains(*name);
        let takers = arrows.iter().filter(|(_, taken)| taken.get(&at(file)).is_some_and(takes));
        let takers: Vec<&Path> = takers.map(|(from, _)| from.strip_prefix(at("")).unwrap()).collect();
        assert_eq!(takers, allowed.iter().map(Path::new).collect::<Vec<_>>(), "{name} of {file}");
    }
}

/// Creates a crate from paths and sources.
fn planted(files: &[(&str, &str)]) -> (tempfile::TempDir, Arrows) {
    let folder = tempfile::tempdir().unwrap();
    for (path, source) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, source).unwrap();
    }
    let arrows = Crate::read(&folder.path().join("lib.rs")).arrows();
    (folder, arrows)
}

#[test]
fn what_is_above_is_found() {
    let root = ("lib.rs", "mod lcs;\nmod search;\nmod elsewhere;");
    let faults = |search: &str, elsewhere: &str| {
        let lcs = ("lcs/mod.rs", "mod run;\npub use run::Run;");
        let files = [root, lcs, ("lcs/run.rs", "pub struct Run;"), ("search.rs", search), ("elsewhere.rs", elsewhere)];
        let (folder, arrows) = planted(&files);
        upward(folder.path(), &arrows).len()
    };
    // The folder `elsewhere` belongs to no layer.
    assert_eq!(faults("", ""), 1);
    assert_eq!(faults("use crate::lcs::Run;", ""), 2);
    assert_eq!(faults("fn f(_: crate::lcs::run::Run) {}", ""), 2);
    assert_eq!(faults("fn f() { println!(\"{}\", size_of::<crate::lcs::Run>()) }", ""), 2);
    assert_eq!(faults("// use crate::lcs::Run;\nuse carrywave::alignment::Run;", ""), 1);
    assert_eq!(faults("#[cfg(test)]\nmod tests {\n    use crate::lcs::Run;\n}", ""), 1);
}

#[test]
fn a_circle_is_found() {
    let found = |b: &str, c: &str| {
        let a = ("a/mod.rs", "mod b;\nmod c;\npub use b::B;\npub use c::C;");
        circles(&planted(&[("lib.rs", "mod a;"), a, ("a/b.rs", b), ("a/c.rs", c)]).1).len()
    };
    assert_eq!(found("pub struct B;", "pub struct C(crate::a::B);"), 0);
    assert_eq!(found("pub struct B(super::C);", "pub struct C(Vec<crate::a::B>);"), 1);
    assert_eq!(found("use super::c::C;\npub struct B(C);", "use crate::a::B;\npub type C = B;"), 1);
    // A file that a macro declares.
    let table = ("lib.rs", "pub struct Row;\ntable! { pub mod row; }");
    assert_eq!(circles(&planted(&[table, ("row.rs", "pub const ALGORITHM: crate::Row = crate::Row;")]).1).len(), 1);
}

#[test]
fn an_algorithm_outside_a_table_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (name, source) in [("mod.rs", "cpu_algorithms! {\n    pub mod one;\n}"), ("one.rs", ""), ("two.rs", "")] {
        std::fs::write(folder.path().join(name), source).unwrap();
    }
    assert_eq!(outside_the_table(folder.path(), "mod"), ["two"]);
    assert!(outside_the_table(folder.path(), "mod two").is_empty());
}
