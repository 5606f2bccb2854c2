//! What the pages quote from files is there.

use std::fs;
use std::path::Path;

/// The listings of a page that begin with a comment of a file's path: the path, and the lines after it.
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
