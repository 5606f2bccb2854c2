//! Section 4 of `docs/kernels.md` compares the names with those of `cuda_std`: the names listed as
//! missing are missing, and those listed as equal are there. (The page's tests compile the list.)

use std::collections::HashSet;
use std::path::Path;

/// Returns the identifiers of the code of this package without the simulator and the comments.
fn identifiers() -> HashSet<String> {
    let mut words = HashSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("simulator") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(path).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                words.extend(code.flat_map(split).map(String::from));
            }
        }
    }
    words
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns a part of section 9.
fn part(from: &str, to: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kernels.md");
    let page = std::fs::read_to_string(page).unwrap();
    let start = page.find(from).unwrap_or_else(|| panic!("no {from}"));
    page[start..].split(to).next().unwrap_or_default().to_string()
}

#[test]
fn names_that_the_page_calls_missing_are_missing() {
    let table = part("| module | missing here |", "\n\n");
    let known = identifiers();
    let names =
        table.lines().filter_map(|line| line.split('|').nth(2)).flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let names: Vec<&str> = names.filter(|name| !matches!(*name, "u128" | "i128")).collect();
    assert!(names.len() > 30, "{names:?}");
    let there: Vec<_> = names.into_iter().filter(|name| known.contains(*name)).collect();
    assert!(there.is_empty(), "docs/kernels.md, section 4, calls these names missing: {there:?}");
}

#[test]
fn names_that_the_page_calls_equal_are_there() {
    let listing = part("use simt_std::float::GpuFloat;", "```");
    let code = listing.lines().map(|line| line.split("//").next().unwrap_or_default());
    let names: HashSet<&str> = code.flat_map(split).filter(|word| !matches!(*word, "use" | "simt_std")).collect();
    assert!(names.len() > 40, "{names:?}");
    let known = identifiers();
    let missing: Vec<_> = names.into_iter().filter(|name| !known.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
