//! Tests that the program accepts its command lines in the pages about papers.

#[path = "../../tests/papers/commands.rs"]
mod commands;

use crate::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::path::Path;

/// Returns the reason why the program would refuse a command line, or `None` if it would accept the
/// line.
fn refusal(words: &[&str]) -> Option<String> {
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

#[test]
fn lines_of_the_papers_pages_are_taken() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/papers");
    let mut pages = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let refused = refused(&std::fs::read_to_string(&path).unwrap());
        assert!(refused.is_empty(), "{}: {refused:#?}", path.display());
        pages += 1;
    }
    assert!(pages > 1);
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
