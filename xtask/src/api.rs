//! `cargo xtask api`: the public interface of the library, recorded in `docs/public-api.txt` to
//! make changes visible.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::shell;

/// Start of the version of the compiler whose rustdoc writes the JSON that `xtask/api` reads.
const RUSTC: &str = "rustc 1.95.";

/// Returns the file of the listing.
fn kept() -> PathBuf {
    shell::project().join("docs/public-api.txt")
}

/// Writes the listing.
pub fn write() -> Outcome {
    fs::write(kept(), listing()?).map_err(|error| format!("docs/public-api.txt: {error}"))?;
    Ok("docs/public-api.txt is written".to_owned())
}

/// Compares the interface with the listing, and runs the tests of the tool that makes it, because
/// the tool is not part of the workspace.
pub fn check() -> Outcome {
    shell::capture(tool(&shell::scratch("api")?).args(["test", "--quiet", "--release", "--locked"]))?;
    let (now, before) = (listing()?, fs::read_to_string(kept()).unwrap_or_default());
    let (new, old): (Vec<&str>, Vec<&str>) = (now.lines().collect(), before.lines().collect());
    let mut changes: Vec<String> =
        old.iter().filter(|line| !new.contains(line)).map(|line| format!("-{line}")).collect();
    changes.extend(new.iter().filter(|line| !old.contains(line)).map(|line| format!("+{line}")));
    if changes.is_empty() {
        return Ok(format!("the public interface, {} items, is that of docs/public-api.txt", new.len()));
    }
    let advice = "if this is meant, `cargo xtask api` writes docs/public-api.txt anew";
    Err(Stop::Failed(format!("the public interface has changed:\n{}\n{advice}", changes.join("\n"))))
}

fn listing() -> Result<String, Stop> {
    let version = shell::capture(Command::new("rustc").arg("--version"))?;
    if !version.starts_with(RUSTC) {
        return Err(Stop::Unavailable(format!("the listing is made with {RUSTC}x, and this is {}", version.trim())));
    }
    let target = shell::scratch("api")?;
    // Only rustdoc gets the variable that permits its JSON: in cargo's environment, it would change
    // the compilation of all crates.
    let wrapper = target.join("rustdoc.sh");
    fs::write(&wrapper, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n").map_err(|error| error.to_string())?;
    make_executable(&wrapper)?;
    let mut rustdoc = shell::cargo();
    rustdoc.args([
        "rustdoc",
        "--package=carrywave",
        "--lib",
        // All features but `mpi`, which some machines cannot build.
        "--features=io,machine,plot",
        "--",
        "-Zunstable-options",
        "--output-format",
        "json",
        // Public modules re-export from hidden ones; `xtask/api` removes the hidden items.
        "--document-hidden-items",
    ]);
    shell::capture(
        rustdoc.env("RUSTDOC", &wrapper).env_remove("RUSTDOCFLAGS").env("CARGO_TARGET_DIR", target.join("doc")),
    )?;
    let json = target.join("doc/doc/carrywave.json");
    Ok(shell::capture(tool(&target).args(["run", "--quiet", "--release", "--locked", "--"]).arg(json))?)
}

/// Returns a cargo command for the tool in `xtask/api`.
fn tool(target: &Path) -> Command {
    let mut cargo = shell::cargo();
    cargo.current_dir(shell::project().join("xtask/api")).env("CARGO_TARGET_DIR", target.join("tool"));
    cargo
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}
