//! Python environments below `target`, and programs from PyPI in them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Stop;
use crate::shell;

/// Installs packages in the environment in a folder of `target`, and returns its Python. Makes the
/// environment if necessary.
pub fn environment(name: &str, packages: &[&str]) -> Result<PathBuf, Stop> {
    let folder = shell::scratch(name)?;
    let python = folder.join("bin/python");
    if !shell::exists(&python, "--version") {
        if !shell::exists("python3", "--version") {
            return Err(Stop::Unavailable("there is no python3".into()));
        }
        let mut venv = Command::new("python3");
        let made = shell::capture(venv.args(["-m", "venv", "--clear"]).arg(folder));
        made.map_err(|error| Stop::Unavailable(format!("python3 makes no environment: {error}")))?;
    }
    pip(&python, &[], packages)?;
    Ok(python)
}

/// Installs packages. If the network or the index is missing, the chore is unavailable.
pub fn pip(python: &Path, options: &[&str], packages: &[&str]) -> Result<(), Stop> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(options).args(packages);
    shell::capture(&mut pip).map_err(|error| Stop::Unavailable(shell::first_error(&error)))?;
    Ok(())
}
