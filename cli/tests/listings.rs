//! Listings of the README and the pages: each command prints what the page shows below it.

mod common;

use common::program::Folder;
use std::fs;
use std::path::{Path, PathBuf};

/// Commands that need input from elsewhere, print measurements, or change the machine.
const NOT_RUN: [&str; 6] = [
    "carrywave bench",
    "/usr/bin/time ",
    "cargo ",
    "python3 -m venv ",
    "carrywave lcs MG1655",
    "carrywave lcs reads.fa",
];

/// A command, and the output that a page shows below it.
#[derive(Debug, PartialEq)]
struct Listing {
    line: usize,
    command: String,
    output: String,
}

/// Returns the listings of a page: indented lines that begin with `$ `, and the lines below them.
fn listings(page: &str) -> Vec<Listing> {
    let mut found: Vec<Listing> = Vec::new();
    let mut is_inside = false;
    for (index, line) in page.lines().enumerate() {
        match line.strip_prefix("    ") {
            Some(text) if text.starts_with("$ ") => {
                found.push(Listing { line: index + 1, command: text[2..].to_owned(), output: String::new() });
                is_inside = true;
            }
            Some(text) if is_inside => {
                let output = &mut found.last_mut().unwrap().output;
                *output += text;
                output.push('\n');
            }
            _ => is_inside = false,
        }
    }
    found
}

/// Returns the rows of a table of jobs: a description, a command, and its output line by line.
fn rows(page: &str) -> Vec<Listing> {
    let code = |cell: &str| Some(cell.strip_prefix('`')?.strip_suffix('`')?.replace("\\|", "|"));
    let row = |(index, line): (usize, &str)| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [_, command, shown] = cells[..] else { return None };
        let command = code(command).filter(|command| command.starts_with("carrywave "))?;
        let lines: Option<Vec<String>> = shown.split("<br>").map(code).collect();
        Some(Listing { line: index + 1, command, output: lines?.join("\n") })
    };
    page.lines().enumerate().filter_map(row).collect()
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the README and all pages, with their paths.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = vec![project().join("README.md")];
    for folder in ["docs", "docs/papers"] {
        let files = fs::read_dir(project().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Runs the listings of a page in one folder, so that a listing may use files of an earlier one.
fn check(path: &Path, listings: &[Listing]) -> usize {
    let folder = Folder::new();
    std::os::unix::fs::symlink(project().join("data").canonicalize().unwrap(), folder.path("data")).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_carrywave")).parent().unwrap().display().to_string();
    let mut count = 0;
    for Listing { line, command, output } in listings {
        if NOT_RUN.iter().any(|start| command.starts_with(start)) {
            continue;
        }
        let ran = folder.shell(&format!("PATH=\"{bin}:$PATH\"; {command}"));
        // A table has no spaces at the ends of cells.
        let printed: Vec<String> =
            String::from_utf8(ran.stdout).unwrap().lines().map(|l| l.trim().to_owned()).collect();
        let shown: Vec<String> = output.lines().map(|line| line.trim().to_owned()).collect();
        let without_tabs = |lines: Vec<String>| lines.join("\n").replace('\t', " ");
        let place = format!("{}:{line}: {command}", path.display());
        assert_eq!((without_tabs(printed), ran.stderr.as_str()), (without_tabs(shown), ""), "{place}");
        count += 1;
    }
    count
}

#[test]
fn commands_print_what_the_pages_show() {
    let count: usize = pages().iter().map(|(path, page)| check(path, &listings(page))).sum();
    assert!(count >= 30, "{count} listings");
}

#[test]
fn the_readme_s_jobs_print_their_outputs() {
    let path = project().join("README.md");
    let rows = rows(&fs::read_to_string(&path).unwrap());
    assert_eq!(check(&path, &rows), 5, "{rows:#?}");
}

#[test]
fn listings_and_rows_of_a_page() {
    let page = "a\n\n    $ one\n    1\n    $ two\n\n    text\n| a | `carrywave b` | `c \\| d`<br>`e` |\n| a | `carrywave b` | c |\n";
    let listing = |line, command: &str, output: &str| Listing { line, command: command.into(), output: output.into() };
    assert_eq!(listings(page), [listing(3, "one", "1\n"), listing(5, "two", "")]);
    assert_eq!(rows(page), [listing(8, "carrywave b", "c | d\ne")]);
}
