//! Listings of the README and the pages: each command prints what the page shows below it.

mod common;
#[path = "../../tests/papers/pages.rs"]
mod pages;

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
            // An empty line does not end an indented block.
            None if is_inside && line.is_empty() => found.last_mut().unwrap().output.push('\n'),
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
fn all_pages() -> Vec<(PathBuf, String)> {
    let folders = ["docs", "docs/papers"].into_iter().flat_map(|folder| pages::pages(&project(), folder));
    let paths = std::iter::once("README.md".into()).chain(folders).map(|path| project().join(path));
    paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Runs listings in one folder, so that a listing may use files of an earlier one. Returns them
/// with the outputs of the commands.
fn run(path: &Path, listings: &[Listing]) -> Vec<Listing> {
    let folder = Folder::new();
    std::os::unix::fs::symlink(project().join("data").canonicalize().unwrap(), folder.path("data")).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_carrywave")).parent().unwrap().display().to_string();
    let is_run = |listing: &&Listing| !NOT_RUN.iter().any(|start| listing.command.starts_with(start));
    let printed = |&Listing { line, ref command, .. }: &Listing| {
        let ran = folder.shell(&format!("PATH=\"{bin}:$PATH\"; {command}"));
        assert_eq!(ran.stderr, "", "{}:{line}: {command}", path.display());
        Listing { line, command: command.clone(), output: String::from_utf8(ran.stdout).unwrap() }
    };
    listings.iter().filter(is_run).map(printed).collect()
}

/// Returns a page with other outputs below its commands. Listings that leave out lines stay as they
/// are.
fn with_outputs(page: &str, printed: &[Listing]) -> String {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let shown = listings(page);
    for listing in printed.iter().rev() {
        let old = shown.iter().find(|old| old.line == listing.line).unwrap();
        if old.output.contains(LEFT_OUT) {
            continue;
        }
        let count = without_end(&old.output).lines().count();
        let indented = |line: &str| if line.is_empty() { String::new() } else { format!("    {line}") };
        let output = without_end(&listing.output);
        lines.splice(listing.line..listing.line + count, output.lines().map(indented));
    }
    lines.join("\n") + "\n"
}

/// Mark of left-out lines, alone on a line.
const LEFT_OUT: &str = "⋮";

/// Returns true if an output is the shown one, line by line; a mark stands for any lines.
fn is_shown(shown: &str, printed: &str) -> bool {
    let shown: Vec<&str> = without_end(shown).lines().collect();
    let printed: Vec<&str> = without_end(printed).lines().collect();
    let groups: Vec<&[&str]> = shown.split(|line| line.trim() == LEFT_OUT).collect();
    let [first, middle @ .., last] = &groups[..] else { return shown == printed };
    let Some(mut rest) = printed.strip_prefix(*first).and_then(|rest| rest.strip_suffix(*last)) else { return false };
    for group in middle {
        let Some(start) = rest.windows(group.len()).position(|lines| lines == *group) else { return false };
        rest = &rest[start + group.len()..];
    }
    true
}

/// A page does not show empty lines at the end.
fn without_end(text: &str) -> &str {
    text.trim_end_matches('\n')
}

/// A cell of a table does not show tabs, nor spaces at the ends of lines.
fn in_a_cell(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n").replace('\t', " ")
}

/// Writes the outputs into the pages if the environment variable is set, as `cargo xtask docs`
/// does.
#[test]
fn commands_print_what_the_pages_show() {
    let mut count = 0;
    for (path, page) in all_pages() {
        let shown = listings(&page);
        let printed = run(&path, &shown);
        if std::env::var_os("CARRYWAVE_WRITE_DOCS").is_some() {
            fs::write(&path, with_outputs(&page, &printed)).unwrap();
            continue;
        }
        for listing in &printed {
            let old = shown.iter().find(|old| old.line == listing.line).unwrap();
            let place = format!("{}:{}", path.display(), listing.line);
            assert!(is_shown(&old.output, &listing.output), "{place}: `cargo xtask docs` updates it: {listing:#?}");
        }
        count += printed.len();
    }
    let is_writing = std::env::var_os("CARRYWAVE_WRITE_DOCS").is_some();
    assert!(is_writing || count >= 30, "{count} listings");
}

#[test]
fn the_readme_s_jobs_print_their_outputs() {
    if std::env::var_os("CARRYWAVE_WRITE_DOCS").is_some() {
        // The other test is writing the page.
        return;
    }
    let path = project().join("README.md");
    let shown = rows(&fs::read_to_string(&path).unwrap());
    let printed = run(&path, &shown);
    assert_eq!(printed.len(), 5);
    for (printed, shown) in printed.iter().zip(&shown) {
        assert_eq!(in_a_cell(&printed.output), in_a_cell(&shown.output), "{}", shown.command);
    }
}

#[test]
fn listings_and_rows_of_a_page() {
    let page = "a\n\n    $ one\n    1\n\n    2\n    $ two\nb\n\n    text\n| a | `carrywave b` | `c \\| d`<br>`e` |\n| a | `carrywave b` | c |\n";
    let listing = |line, command: &str, output: &str| Listing { line, command: command.into(), output: output.into() };
    assert_eq!(listings(page), [listing(3, "one", "1\n\n2\n"), listing(7, "two", "")]);
    let printed = [listing(3, "one", "3\n"), listing(7, "two", "4\n5\n")];
    let updated = page.replace("    1\n\n    2\n", "    3\n").replace("$ two\n", "$ two\n    4\n    5\n");
    assert_eq!(with_outputs(page, &printed), updated);
    assert_eq!(rows(page), [listing(11, "carrywave b", "c | d\ne")]);
}

#[test]
fn marks_stand_for_lines() {
    let printed = "a\nb\nc\nd\n";
    for shown in ["a\nb\nc\nd\n", "a\n⋮\nd\n", "⋮\nc\nd\n", "a\nb\n⋮\n", "⋮\nb\n⋮\nd\n"] {
        assert!(is_shown(shown, printed), "{shown}");
    }
    for shown in ["a\nb\n", "b\n⋮\nd\n", "a\n⋮\nc\n", "⋮\nc\n⋮\nb\n⋮\n", "a\n"] {
        assert!(!is_shown(shown, printed), "{shown}");
    }
}
