//! Tests the page in Chromium, and takes screenshots of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Stop;
use crate::{apt, shell};

/// Programs that are Chromium, or close enough.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Opens the page, and compares its answers with those of the native program.
pub fn test(page: &Path) -> Result<(), Stop> {
    let browser = browser()?;
    let mut native = shell::cargo();
    native.args(["build", "--quiet", "--release", "--package=simt_playground", "--example=answer"]);
    shell::show(&mut native)?;
    let mut node = Command::new("node");
    node.arg(shell::project().join("simt/playground/tests/browser.mjs")).arg(browser).arg(page);
    node.arg(shell::target().join("release/examples/answer")).arg(shell::scratch("playground-screenshots")?);
    Ok(shell::show(&mut node)?)
}

/// Returns the machine's Chromium, or Debian's, unpacked below `target`.
fn browser() -> Result<PathBuf, Stop> {
    let installed = BROWSERS.into_iter().find(|name| shell::exists(name, "--version"));
    if let Some(name) = installed {
        let path = shell::capture(Command::new("sh").args(["-c", &format!("command -v {name}")]))?;
        return Ok(path.trim().into());
    }
    let place = shell::scratch("chromium")?;
    let start = place.join("chromium");
    if shell::exists(&start, "--version") {
        return Ok(start);
    }
    let root = place.join("root");
    apt::unpack(&["chromium", "fonts-dejavu-core"], &place, &root)?;
    let libraries: Vec<String> = libraries(&root).iter().map(|path| path.display().to_string()).collect();
    let fonts = place.join("fonts.conf");
    let shown = root.display();
    write(
        &fonts,
        &format!(
            "<fontconfig><include ignore_missing=\"yes\">/etc/fonts/fonts.conf</include>\
             <dir>{shown}/usr/share/fonts</dir><cachedir>{}/fonts</cachedir></fontconfig>\n",
            place.display()
        ),
    )?;
    write(
        &start,
        &format!(
            "#!/bin/sh\nLD_LIBRARY_PATH='{}' FONTCONFIG_FILE='{}' exec '{shown}/usr/lib/chromium/chromium' \"$@\"\n",
            libraries.join(":"),
            fonts.display()
        ),
    )?;
    shell::capture(Command::new("chmod").arg("+x").arg(&start))?;
    if shell::exists(&start, "--version") {
        return Ok(start);
    }
    Err(Stop::Unavailable("Debian's chromium does not start here".to_owned()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Returns the directories of libraries of an unpacked system.
fn libraries(root: &Path) -> Vec<PathBuf> {
    let entries = |path: &Path| -> Vec<PathBuf> {
        fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let is_library = |path: &PathBuf| path.to_string_lossy().contains(".so");
    let triples = ["lib", "usr/lib"].iter().flat_map(|name| entries(&root.join(name)));
    let mut found: Vec<PathBuf> = triples.flat_map(|path| [vec![path.clone()], entries(&path)].concat()).collect();
    found.retain(|path| path.is_dir() && entries(path).iter().any(is_library));
    found
}
