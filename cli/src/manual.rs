//! `carrywave completions` and `carrywave man`: what a shell completes, and the manual, both made of the options as they are.

use crate::shared::output::print;
use carrywave::{Error, Result};
use clap::{Args, Command};
use clap_complete::Shell;
use std::path::PathBuf;

/// What a shell completes.
#[derive(Debug, Args)]
pub struct CompletionArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// The manual's pages.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// The folder to write them to: carrywave.1, and a page for each command. It is made if it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints the script for a shell.
pub fn completions(arguments: &CompletionArguments, mut program: Command) -> Result<()> {
    // In memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "carrywave", &mut script);
    print(|out| out.write_all(&script))
}

/// Writes the pages.
pub fn man(arguments: &ManArguments, program: Command) -> Result<()> {
    let folder = &arguments.folder;
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(program, folder));
    written.map_err(|source| Error::Io { path: folder.clone(), source })
}
