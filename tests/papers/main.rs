//! The project's pages, in particular those on the five papers in `docs/papers`: link targets
//! exist, a link to a line names the item on it, and the commands exist.
//!
//! | module | what it checks |
//! |---|---|
//! | [`links`] | files, headings and lines |
//! | [`cargo`] | tests, benches, examples and chores |
//! | [`commands`] | finds the commands on a page; `cli/src/documented.rs` parses the program's |
//! | [`pages`] | lists the pages of a folder |

mod cargo;
mod commands;
mod links;
mod pages;

use cargo::Project;
use commands::commands;
use pages::pages;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns all faults of a page, one per line.
fn faults(project: &Project, path: &Path, page: &str) -> Vec<String> {
    let mut faults = links::faults(&project.folder, path, page);
    // Pages that explain may have commands with placeholders; those of the papers may not.
    let of_paper = path.starts_with("docs/papers");
    let form = |words: &[String]| words.iter().any(|word| word.contains('…') || word == "NAME");
    for command in commands(page).into_iter().filter(|command| of_paper || !form(&command.words)) {
        // The program's arguments are checked where its parser is.
        if let Some(reason) = cargo::fault(project, &command.words).filter(|_| command.words[0] == "cargo") {
            faults.push((command.line, format!("`{}`: {reason}", command.words.join(" "))));
        }
    }
    faults.sort();
    faults.into_iter().map(|(line, reason)| format!("{}:{line}: {reason}", path.display())).collect()
}

/// Returns the pages that the index of their folder does not link.
fn not_listed(index: &str, pages: &[PathBuf]) -> Vec<String> {
    let names = pages.iter().filter_map(|page| page.file_name()?.to_str()).filter(|name| *name != "README.md");
    names
        .filter(|name| !index.contains(&format!("]({name})")))
        .map(|name| format!("README.md does not list {name}"))
        .collect()
}

/// Updates the lines of links if the environment variable is set, as `docs.rs` does for tables.
#[test]
fn pages_say_what_there_is() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = vec!["README.md".into(), "CONTRIBUTING.md".into(), "data/README.md".into()];
    all.extend(pages(project, "docs"));
    let papers = pages(project, "docs/papers");
    assert!(papers.len() > 1, "{papers:?}");
    all.extend(papers.iter().cloned());
    let (read, mut found) = (Project::read(project).unwrap(), Vec::new());
    for path in &all {
        let mut page =
            fs::read_to_string(project.join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if std::env::var_os("CARRYWAVE_WRITE_DOCS").is_some() {
            page = links::with_lines(project, path, &page);
            fs::write(project.join(path), &page).unwrap();
        }
        found.extend(faults(&read, path, &page));
    }
    for folder in ["docs", "docs/papers"] {
        let index = fs::read_to_string(project.join(folder).join("README.md")).unwrap();
        found
            .extend(not_listed(&index, &pages(project, folder)).into_iter().map(|reason| format!("{folder}/{reason}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn faults_have_their_lines() {
    let project = Project::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let page = "# P\n\n`cargo xtask nothing`, `carrywave nothing`\n\n[a](b.md), `cargo test --test papers`\n";
    let expected =
        ["docs/p.md:3: `cargo xtask nothing`: there is no chore nothing", "docs/p.md:5: there is no docs/b.md"];
    assert_eq!(faults(&project, Path::new("docs/p.md"), page), expected);
    let form = "`cargo run --example NAME`";
    assert!(faults(&project, Path::new("docs/p.md"), form).is_empty());
    assert_eq!(faults(&project, Path::new("docs/papers/p.md"), form).len(), 1);
}

#[test]
fn an_index_lists_every_page() {
    let pages = ["docs/papers/README.md", "docs/papers/a.md", "docs/papers/b.md"].map(PathBuf::from);
    assert_eq!(not_listed("[a](a.md) and b.md", &pages), ["README.md does not list b.md"]);
}
