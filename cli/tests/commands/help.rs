//! Help: one form for all commands, short enough to be read.

use crate::common::program::{Folder, assert_mentions};

const COMMANDS: [&str; 15] = [
    "lcs",
    "distance",
    "diff",
    "search",
    "best",
    "guides",
    "trim",
    "barcodes",
    "index",
    "devices",
    "machine",
    "verify",
    "bench",
    "completions",
    "man",
];

/// Lines of a screen.
const SCREEN: usize = 50;

const COLUMNS: usize = 100;

/// Headings of options, in their order. `Machine` is for `machine` only.
const GROUPS: [&str; 10] = [
    "Arguments:",
    "Input:",
    "What counts as a match:",
    "Machine:",
    "Other steps:",
    "Filters:",
    "Output:",
    "Performance:",
    "Diagnostics:",
    "Options of all commands:",
];

/// Returns the help of the program (for "") and of all commands.
fn all_help(folder: &Folder, option: &str) -> Vec<(&'static str, String)> {
    let mut all = vec![("", folder.answer(&[option]))];
    all.extend(COMMANDS.map(|command| (command, folder.answer(&[command, option]))));
    all
}

#[test]
fn the_short_help_fits_a_screen() {
    for (command, help) in all_help(&Folder::new(), "-h") {
        let lines = help.lines().count();
        assert!(lines <= SCREEN, "{command}: {lines} lines");
    }
}

#[test]
fn lines_fit_in_the_columns() {
    let folder = Folder::new();
    for option in ["-h", "--help"] {
        for (command, help) in all_help(&folder, option) {
            let long = help.lines().find(|line| line.chars().count() > COLUMNS);
            assert_eq!(long, None, "{command} {option}");
        }
    }
}

#[test]
fn examples_come_first_and_options_stand_in_groups() {
    let folder = Folder::new();
    for option in ["-h", "--help"] {
        for (command, help) in all_help(&folder, option) {
            let is_heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
            let headings: Vec<&str> = help.lines().filter(is_heading).collect();
            assert_eq!(headings[0], "Examples:", "{command} {option}");
            let last = headings.iter().position(|heading| *heading == "Options of all commands:").unwrap();
            let groups = headings[1..=last].iter().filter(|heading| **heading != "Commands:");
            let positions: Vec<_> = groups.map(|heading| GROUPS.iter().position(|group| group == heading)).collect();
            assert!(positions.iter().all(Option::is_some), "{command} {option}: {headings:?}");
            assert!(positions.is_sorted(), "{command} {option}: {headings:?}");
        }
    }
}

/// In the long help the text of an option is indented by ten columns, and ends at an empty line or
/// at the list of its values.
#[test]
fn the_text_of_an_option_has_two_lines() {
    for (command, help) in all_help(&Folder::new(), "--help") {
        let mut option = "";
        let mut lines = 0;
        let mut options = 0;
        for line in help.lines() {
            let indent = line.len() - line.trim_start().len();
            if !line.starts_with(' ') && !line.is_empty() {
                option = "";
            } else if line.trim_start().starts_with(['-', '<', '[']) && indent < 10 {
                (option, lines) = (line, 0);
                options += 1;
            } else if line.starts_with("          ") && !option.is_empty() && lines < usize::MAX {
                lines =
                    if line.trim().is_empty() || line.trim() == "Possible values:" { usize::MAX } else { lines + 1 };
                assert!(lines == usize::MAX || lines <= 2, "{command}: {option}: {line}");
            }
        }
        assert!(options >= 6, "{command}: {options} options");
    }
}

/// Values of an option have one line each.
#[test]
fn values_have_one_line() {
    for (command, help) in all_help(&Folder::new(), "--help") {
        let mut after = "";
        for line in help.lines() {
            let is_rest = line.starts_with("            ") && after.trim_start().starts_with("- ");
            assert!(!is_rest, "{command}: {after} {line}");
            after = line;
        }
    }
}

#[test]
fn every_command_has_examples_and_exit_codes() {
    for (command, help) in all_help(&Folder::new(), "--help") {
        assert_mentions(&help, &["Examples:", "Exit status:\n  0  "]);
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1).take_while(|line| !line.is_empty());
        assert!(examples.filter(|line| line.contains("carrywave")).count() >= 2, "{command}");
    }
}

/// `-h` is grep's option for file names if there is a pattern.
#[test]
fn search_prints_help_where_h_stands_alone() {
    let folder = Folder::new();
    folder.file("text", "one\n");
    assert_mentions(&folder.answer(&["search", "-h"]), &["Examples:", "carrywave search --help"]);
    assert_eq!(folder.answer(&["search", "-h", "one", "text"]), "one\n");
}
