//! Checks that files contain what pages quote from them, and that the pages' tables of algorithms
//! match the program.
#![cfg(feature = "published")]

use carrywave::algorithm::{About, Algorithm, Problem};
use carrywave::best::Infix;
use carrywave::device::EngineKind;
use carrywave::diff::Matches;
use carrywave::distance::Global;
use carrywave::lcs::Lcs;
use carrywave::pairs::ManyPairs;
use carrywave::search::Occurrences;
use std::fs;
use std::path::Path;

/// Returns the listings of a page that begin with a comment of a file's path: the path, and the
/// lines after it.
fn quotes(page: &str) -> Vec<(&str, &str)> {
    let listings = page.split("\n```").skip(1).step_by(2);
    let code = listings.filter_map(|listing| listing.split_once('\n')).map(|(_, code)| code);
    let quotes = code.filter_map(|code| code.strip_prefix("// ")?.split_once('\n'));
    quotes.filter(|(path, _)| path.ends_with(".rs")).collect()
}

#[test]
fn quoted_files_have_these_lines() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(project.join("docs/kernels.md")).unwrap();
    let quotes = quotes(&page);
    assert!(quotes.len() >= 2, "{quotes:?}");
    for (path, lines) in quotes {
        let file = fs::read_to_string(project.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(file.contains(lines.trim()), "{path} has not\n{lines}");
    }
}

#[test]
fn a_quote_is_a_listing_with_a_path() {
    let page = "a\n```rust,ignore\n// src/a.rs\nfn f() {}\n```\nb\n```rust\n// no path\nfn g() {}\n```\n";
    assert_eq!(quotes(page), [("src/a.rs", "fn f() {}")]);
}

/// Returns the table of a problem's algorithms in the format of the pages; columns of limits that
/// no algorithm has are left out.
fn table<P: Problem>() -> String {
    let rows: Vec<(&str, &About)> = [("`cpu`", EngineKind::Cpu), ("`gpu`, `simt`", EngineKind::Gpu)]
        .into_iter()
        .flat_map(|(engines, kind)| P::algorithms(kind).iter().map(move |&about| (engines, about)))
        .collect();
    let limited = rows.iter().any(|(_, about)| about.limits.symbols.is_some() || about.limits.errors.is_some());
    let (names, rule) = if limited { (" m | k |", "---|---|") } else { ("", "") };
    let mut text = format!("| `--engine` | `--algorithm` | what |{names} cost | from |\n|---|---|---|{rule}---|---|\n");
    for (engines, About { name, summary, cost, source, limits, .. }) in rows {
        let m = limits.symbols.map_or("any".to_owned(), |most| format!("up to {most}"));
        let k = match limits.errors {
            None => "any".to_owned(),
            Some(0) => "0".to_owned(),
            Some(most) => format!("up to {most}"),
        };
        let limits = if limited { format!(" {m} | {k} |") } else { String::new() };
        text += &format!("| {engines} | `{name}` | {summary} |{limits} {cost} | {source} |\n");
    }
    text
}

/// Returns the type of a problem's algorithm names in the Python package.
fn python_type<P: Problem>(name: &str) -> String {
    let names = std::iter::once(Algorithm::<P>::AUTO).chain(Algorithm::all()).map(Algorithm::name);
    let names: String = names.map(|name| format!("    \"{name}\",\n")).collect();
    format!("{name}: TypeAlias = Literal[\n{names}]\n")
}

/// Returns the types of all problems.
fn python_types() -> String {
    [
        python_type::<Global>("DistanceAlgorithm"),
        python_type::<Lcs>("LcsAlgorithm"),
        python_type::<Infix>("BestAlgorithm"),
        python_type::<Occurrences>("SearchAlgorithm"),
    ]
    .concat()
}

/// Marks around the tables in pages, and around the types in Python.
const MARKS: [&str; 2] = ["<!-- algorithms -->\n", "<!-- end -->"];
const PYTHON_MARKS: [&str; 2] = ["# The names of algorithms.\n", "# End of the names."];

/// Checks the text between two marks in the files, or rewrites it if the environment variable is
/// set.
#[test]
fn tables_of_algorithms_are_those_of_the_program() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        ("docs/lcs.md", MARKS, table::<Lcs>()),
        ("docs/distance.md", MARKS, table::<Global>()),
        ("docs/distance.md", ["<!-- algorithms of many pairs -->\n", "<!-- end -->"], table::<ManyPairs>()),
        ("docs/search.md", MARKS, table::<Occurrences>()),
        ("docs/best.md", MARKS, table::<Infix>()),
        ("docs/diff.md", MARKS, table::<Matches>()),
        ("python/carrywave/_types.py", PYTHON_MARKS, python_types()),
    ];
    for (path, [start, end], table) in files {
        let file = fs::read_to_string(project.join(path)).unwrap();
        let (before, rest) = file.split_once(start).unwrap_or_else(|| panic!("{path} has no mark {start}"));
        let (own, after) = rest.split_once(end).unwrap_or_else(|| panic!("{path} has no second mark"));
        if std::env::var_os("CARRYWAVE_WRITE_DOCS").is_some() {
            fs::write(project.join(path), format!("{before}{start}{table}{end}{after}")).unwrap();
        } else {
            assert_eq!(own, table, "{path}: `cargo xtask docs` writes the table anew");
        }
    }
}
