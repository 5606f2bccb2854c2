//! `carrywave completions` and `carrywave man`: shell completion and the pages of the manual, both
//! generated from the options.

use crate::shared::help::{EXIT_STATUS, OUTPUT, TEMPLATE, few};
use crate::shared::output::print;
use carrywave::{Error, Result};
use clap::{Arg, ArgAction, Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use roff::{Roff, bold, roman};
use std::io;
use std::path::PathBuf;

const COMPLETION_EXAMPLES: &str = "\
Examples:
  carrywave completions bash > ~/.local/share/bash-completion/completions/carrywave
  carrywave completions zsh > ~/.zfunc/_carrywave
  carrywave completions fish > ~/.config/fish/completions/carrywave.fish";

/// Prints a script that completes commands, options and their values in a shell.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave completions SHELL")]
#[command(help_template = TEMPLATE, before_help = few(COMPLETION_EXAMPLES), before_long_help = COMPLETION_EXAMPLES, after_help = EXIT_STATUS)]
pub struct CompletionArguments {
    /// Shell.
    #[arg(value_enum)]
    shell: Shell,
}

const MAN_EXAMPLES: &str = "\
Examples:
  carrywave man pages && man -l pages/carrywave-search.1
  carrywave man ~/.local/share/man/man1";

/// Writes the pages of the manual to a folder: carrywave.1, and one for each command.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave man DIR")]
#[command(help_template = TEMPLATE, before_help = few(MAN_EXAMPLES), before_long_help = MAN_EXAMPLES, after_help = EXIT_STATUS)]
pub struct ManArguments {
    /// Folder for the pages; it is created if it does not exist.
    #[arg(value_name = "DIR", help_heading = OUTPUT)]
    folder: PathBuf,
}

/// Prints the completion script for a shell.
pub fn completions(arguments: &CompletionArguments, mut program: Command) -> Result<()> {
    program.build();
    // Generates in memory first, since the generator panics on write errors.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut completed(&program), "carrywave", &mut script);
    print(|out| out.write_all(&script))
}

/// Returns a command with only the visible options, as shells need no others.
fn completed(command: &Command) -> Command {
    let options = command.get_arguments().filter(|option| !option.is_hide_set()).map(|option| {
        let mut copy = Arg::new(option.get_id().clone())
            .action(completed_action(option.get_action()))
            .value_parser(option.get_value_parser().clone())
            .value_hint(option.get_value_hint())
            .require_equals(option.is_require_equals_set())
            .help(option.get_help().cloned().unwrap_or_default());
        if let Some(short) = option.get_short() {
            copy = copy.short(short);
        }
        if let Some(long) = option.get_long() {
            copy = copy.long(kept(long));
        }
        if let Some(range) = option.get_num_args() {
            copy = copy.num_args(range);
        }
        match option.get_value_names() {
            Some(names) => copy.value_names(names.iter().cloned()),
            None => copy,
        }
    });
    Command::new(kept(command.get_name()))
        .about(command.get_about().cloned().unwrap_or_default())
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .args(options)
        .subcommands(command.get_subcommands().map(completed))
}

/// Returns a name that lives as long as the process, which is what clap takes. The process prints
/// one script and ends.
fn kept(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}

/// Returns an option's action for completion. Help and version actions become plain flags, since
/// they need more than completion has.
fn completed_action(action: &ArgAction) -> ArgAction {
    match action {
        ArgAction::Help | ArgAction::HelpLong | ArgAction::HelpShort | ArgAction::Version => ArgAction::SetTrue,
        other => other.clone(),
    }
}

/// Writes the pages of the manual.
pub fn man(arguments: &ManArguments, program: Command) -> Result<()> {
    let folder = &arguments.folder;
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let write = || -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let commands: Vec<&Command> = std::iter::once(&program).chain(program.get_subcommands()).collect();
        for command in &commands {
            let others = commands.iter().filter(|other| other.get_name() != command.get_name());
            let others: Vec<String> = others.map(|other| page_name(other)).collect();
            std::fs::write(folder.join(format!("{}.1", page_name(command))), page(command, &others)?)?;
        }
        Ok(())
    };
    write().map_err(|source| Error::Io { path: folder.clone(), source })
}

/// Returns the name of a command's page without the section, such as `carrywave-lcs`.
fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or(command.get_name()).to_owned()
}

/// Returns a command's page: clap's sections, those of the command's help, EXAMPLES and SEE ALSO.
fn page(command: &Command, others: &[String]) -> io::Result<Vec<u8>> {
    // Otherwise the options that `-h` hides would have no text.
    let man = Man::new(command.clone().mut_args(|option| option.hide_short_help(false)));
    let man = man.source(concat!("carrywave ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_subcommands().next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    let mut roff = Roff::default();
    let after = command.get_after_long_help().or(command.get_after_help());
    for text in [after, command.get_before_long_help()].into_iter().flatten() {
        sections(&mut roff, &text.to_string());
    }
    roff.control("SH", ["SEE ALSO"]);
    for (index, other) in others.iter().enumerate() {
        let end = if index + 1 < others.len() { "(1)," } else { "(1)" };
        roff.text([bold(other), roman(end)]);
    }
    roff.to_writer(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// Adds the sections of a help text. An unindented line that ends with a colon starts a section;
/// the lines below it are copied.
fn sections(roff: &mut Roff, text: &str) {
    for section in text.split("\n\n") {
        let Some((heading, body)) = section.split_once(":\n") else { continue };
        roff.control("SH", [heading.to_uppercase().as_str()]);
        roff.control("nf", []);
        for line in body.lines() {
            roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
        }
        roff.control("fi", []);
    }
}
