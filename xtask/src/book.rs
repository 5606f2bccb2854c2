//! `cargo xtask book`: builds the pages of the book into `target/book`, and checks them.

pub mod listings;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::{playground, shell};

/// Parts of every chapter: the name, and a piece of Markdown that the text has for it.
const PARTS: [(&str, &str); 6] = [
    ("a picture", "](picture.svg)"),
    ("a kernel", "{{#include kernels.rs:"),
    ("an output of the simulator", "{{#include output/"),
    ("a prediction", "\n## Predict, then measure\n"),
    ("exercises", "\n## Exercises\n"),
    ("a hidden solution", "<details>"),
];

/// Builds the pages, with the playground if this machine can build it.
pub fn build() -> Outcome {
    let book = pages()?;
    let playground = match playground::build() {
        Ok(_) => {
            let page = shell::scratch("playground")?;
            shell::copy(&page, &book.join("playground")).map_err(|error| format!("the playground: {error}"))?;
            String::new()
        }
        Err(Stop::Unavailable(reason)) => format!(", without the playground: {reason}"),
        Err(failed) => return Err(failed),
    };
    Ok(format!("{} is there{playground}", book.join("index.html").display()))
}

/// Checks the pages, and the code that they quote, if this machine can compile and assemble it.
pub fn check() -> Outcome {
    let code = match listings::check() {
        Ok(line) => line,
        Err(Stop::Unavailable(reason)) => format!("the quoted code is not compared: {reason}"),
        Err(failed) => return Err(failed),
    };
    Ok(format!("{}; {code}", complete_pages()?))
}

/// Builds the pages without the playground, and checks that they are complete.
fn complete_pages() -> Result<String, Stop> {
    let book = pages()?;
    let mut wrong = Vec::new();
    let chapters = chapters()?;
    for chapter in &chapters {
        let text = read(&chapter.join("index.md"))?;
        let missing = PARTS.iter().filter(|(_, part)| !text.contains(part));
        wrong.extend(missing.map(|(name, _)| format!("{}: {name} is missing", chapter.display())));
    }
    let files = files(&book)?;
    let pages: Vec<&PathBuf> =
        files.iter().filter(|path| path.extension().is_some_and(|kind| kind == "html")).collect();
    for page in &pages {
        let text = read(page)?;
        if text.contains("{{#") {
            wrong.push(format!("{}: a file or an anchor that the text includes is missing", page.display()));
        }
        wrong.extend(broken_links(page, &text).into_iter().map(|link| format!("{}: no file {link}", page.display())));
    }
    if wrong.is_empty() {
        return Ok(format!("{} chapters and {} pages are complete", chapters.len(), pages.len()));
    }
    Err(Stop::Failed(wrong.join("\n")))
}

/// Runs the tests of the listings and the solutions on a GPU.
pub fn on_gpu() -> Outcome {
    let mut cargo = tool("gpu", "book-gpu")?;
    shell::show(cargo.args(["test", "--", "--test-threads=1"]))?;
    Ok("the listings and the solutions are right on the GPU".to_owned())
}

/// Builds the pages with mdBook.
fn pages() -> Result<PathBuf, Stop> {
    let book = shell::scratch("book")?;
    shell::show(tool("build", "book-tool")?.args(["run", "--quiet", "--locked", "--"]).arg(folder()))?;
    Ok(book)
}

/// Returns a cargo command in a package of the book outside the workspace.
fn tool(package: &str, target: &str) -> Result<Command, String> {
    let mut cargo = shell::cargo();
    cargo.current_dir(folder().join(package)).env("CARGO_TARGET_DIR", shell::scratch(target)?);
    Ok(cargo)
}

fn folder() -> PathBuf {
    shell::project().join("book")
}

/// Returns the folders of the chapters.
fn chapters() -> Result<Vec<PathBuf>, String> {
    let texts = files(&folder().join("chapters"))?;
    let texts = texts.into_iter().filter(|path| path.ends_with("index.md"));
    let folders = texts.filter_map(|path| path.parent().map(Path::to_owned));
    Ok(folders.filter(|path| path.join("kernels.rs").exists()).collect())
}

/// Returns all files below a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let error = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(error)? {
        let path = entry.map_err(error)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the links of a page to files of the book that do not exist, except to the playground.
fn broken_links(page: &Path, text: &str) -> BTreeSet<String> {
    let folder = page.parent().unwrap_or(page);
    let starts = [" href=\"", " src=\""];
    let links = starts.iter().flat_map(|start| text.split(start).skip(1)).filter_map(|rest| rest.split('"').next());
    let files = links.filter_map(|link| link.split(['#', '?']).next()).filter(|file| {
        let is_elsewhere = file.is_empty() || file.contains(':') || file.starts_with('/');
        !is_elsewhere && !file.contains("playground/") && !folder.join(file).exists()
    });
    files.map(str::to_owned).collect()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_missing_files_are_found() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/book.html");
        let text = r##"<a href="main.rs#top"></a><a href="none.html"></a><a href="#here"></a><a href="https://a.b/c">
            <img src="none.svg"><iframe src="../playground/index.html#matmul"></iframe>"##;
        let broken = broken_links(&page, text);
        assert_eq!(Vec::from_iter(broken), ["none.html", "none.svg"]);
    }
}
