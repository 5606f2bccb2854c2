//! Tests that the program accepts its command lines in the README and in all pages.

#[path = "../../tests/papers/commands.rs"]
mod commands;
#[path = "../../tests/papers/pages.rs"]
mod pages;

use crate::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::path::Path;

/// Reason for a line that is the program's name alone.
const NAME_ONLY: &str = "there is no command";

/// Returns the reason why the program would refuse a command line, or `None` if it would accept the
/// line.
fn refusal(words: &[&str]) -> Option<String> {
    if words.len() == 1 {
        return Some(NAME_ONLY.to_owned());
    }
    // In running text, `carrywave NAME` names the command without its arguments.
    if let [_, name] = words {
        let known = Cli::command().find_subcommand(name).is_some() || name.starts_with('-');
        return (!known).then(|| format!("there is no command {name}"));
    }
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return error.to_string().lines().next().map(str::to_owned),
        Err(_) => return None,
    };
    match cli.command {
        Command::Machine(arguments) => arguments.kernel().err().map(|error| error.to_string()),
        _ => None,
    }
}

/// Returns the line numbers of a page's refused command lines, with the reasons.
fn refused(page: &str) -> Vec<(usize, String)> {
    let reason = |command: commands::Command| Some((command.line, refusal(&command.of_program()?)?));
    commands::commands(page).into_iter().filter_map(reason).collect()
}

/// Words of lines that are no complete command of this build, on pages that explain.
const FORMS: [&str; 11] = [
    "…",
    "...",
    "NAME",
    "COMMAND",
    "KERNEL",
    "SHELL",
    "--max K",
    "--mpi",
    "nothere",
    "carrywave 0.1.0",
    "carrywave = ",
];

/// Returns true if a page that explains may have this refused line: a form, the program's name
/// alone, or options without the arguments.
fn is_form(line: &str, reason: &str) -> bool {
    FORMS.iter().any(|form| line.contains(form))
        || reason == NAME_ONLY
        || reason.starts_with("error: the following required arguments")
}

#[test]
fn lines_of_the_pages_are_taken() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let papers = pages::pages(&project, "docs/papers");
    assert!(papers.len() > 1, "{papers:?}");
    let explaining = ["README.md", "CONTRIBUTING.md"].map(Into::into).into_iter().chain(pages::pages(&project, "docs"));
    let mut faults = Vec::new();
    for (path, has_forms) in papers.into_iter().map(|path| (path, false)).chain(explaining.map(|path| (path, true))) {
        let page = std::fs::read_to_string(project.join(&path)).unwrap();
        let lines: Vec<&str> = page.lines().collect();
        let refused =
            refused(&page).into_iter().filter(|(line, reason)| !(has_forms && is_form(lines[line - 1], reason)));
        faults.extend(refused.map(|(line, reason)| format!("{}:{line}: {reason}", path.display())));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn what_is_refused() {
    let taken = "\
`carrywave search` and `carrywave machine --help`: `carrywave search -k 1 --engine simt --algorithm myers-slices 'a b' f.txt`

    carrywave machine contiguous -n 4096 -p 256 --model dmm     with p
    cargo run --release -- best GATTACA f.fa --algorithm dmm
";
    assert_eq!(refused(taken), []);
    let page = "\
`carrywave serach` `carrywave search --algorithm mysers p f` `carrywave search --fast p f`
`carrywave machine none -n 1` `carrywave machine myers -p 1`
";
    let [command, algorithm, option, kernel, letter] = &refused(page)[..] else { panic!("{:?}", refused(page)) };
    assert_eq!([command.0, algorithm.0, option.0, kernel.0, letter.0], [1, 1, 1, 2, 2]);
    assert_eq!(command.1, "there is no command serach");
    assert!(algorithm.1.contains("mysers") && option.1.contains("--fast"), "{algorithm:?} {option:?}");
    assert!(kernel.1.contains("none") && letter.1.contains("leave p out"), "{kernel:?} {letter:?}");
}
