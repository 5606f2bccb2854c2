//! `cargo xtask words`: counts phrases that readers stumble over in comments and pages, and checks
//! the width of comments, words of history in pages, and names that are riddles.

mod prose;
mod rules;

use crate::outcome::{Outcome, Stop};
use crate::shell;
use prose::Language;
use rules::{RIDDLES, Rules};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// Largest share of odd lines in a folder, in per cent.
const LIMIT: f64 = 1.0;

/// Largest width of a comment, in columns.
const COLUMNS: usize = 100;

/// Pages that tell history: the logs of changes and of experiments.
const LOGS: [&str; 2] = ["CHANGELOG.md", "docs/performance.md"];

/// Raw results and tables made from them.
const RESULTS: &str = "docs/results/";

/// Files that quote what the rules forbid.
const OWN: &str = "xtask/src/words/";

/// Counts of a folder.
#[derive(Debug, Default)]
struct Count {
    lines: usize,
    odd: usize,
}

impl Count {
    fn share(&self) -> f64 {
        100.0 * self.odd as f64 / self.lines.max(1) as f64
    }

    /// Returns true if the folder has too many odd lines. One line is allowed in any folder.
    fn is_over(&self) -> bool {
        self.odd > 1 && self.share() > LIMIT
    }
}

/// All that is wrong, by file and line.
#[derive(Debug, Default)]
struct Findings {
    folders: BTreeMap<String, Count>,
    odd: Vec<String>,
    faults: Vec<String>,
}

/// Checks all files of the project. `shows_lines` also lists the odd lines of folders within the
/// limit.
pub fn run(shows_lines: bool) -> Outcome {
    let listed = shell::capture(Command::new("git").current_dir(shell::project()).args(["ls-files"]))?;
    let rules = Rules::new();
    let mut findings = Findings::default();
    for path in listed.lines().filter(|path| !path.starts_with(RESULTS) && !path.starts_with(OWN)) {
        let Some(language) = Language::of_path(path) else { continue };
        let text = fs::read_to_string(shell::project().join(path)).map_err(|error| format!("{path}: {error}"))?;
        check(&rules, path, language, &text, &mut findings);
    }
    report(&findings, shows_lines)
}

/// Adds the findings of a file.
fn check(rules: &Rules, path: &str, language: Language, text: &str, findings: &mut Findings) {
    let count = findings.folders.entry(folder(path)).or_default();
    for line in prose::lines(language, text) {
        count.lines += 1;
        let sentences = line.sentences();
        if let Some(sentence) = sentences.iter().find(|sentence| rules.is_odd(sentence)) {
            count.odd += 1;
            findings.odd.push(format!("{path}:{}: {sentence}", line.number));
        }
        let is_page = language == Language::Markdown && !LOGS.contains(&path);
        if is_page && rules.is_history(line.text) {
            let sentence = line.text;
            findings
                .faults
                .push(format!("{path}:{}: a page says how things are, not how they were: {sentence}", line.number));
        }
    }
    if language == Language::Rust {
        findings.faults.extend(wide_comments(path, text));
        findings.faults.extend(riddles(path, text));
    }
}

/// Returns a file's folder: its first two levels.
fn folder(path: &str) -> String {
    let folders = path.rsplit_once('/').map_or(".", |(folders, _)| folders);
    folders.split('/').take(2).collect::<Vec<_>>().join("/")
}

/// Returns comments that are too wide. A single long word, such as a link, cannot be folded.
fn wide_comments(path: &str, text: &str) -> Vec<String> {
    let is_wide = |line: &str| {
        let comment = line.trim_start();
        let can_be_folded = comment.split_whitespace().nth(2).is_some();
        comment.starts_with("//") && line.chars().count() > COLUMNS && can_be_folded
    };
    let wide = text.lines().enumerate().filter(|(_, line)| is_wide(line));
    wide.map(|(index, _)| format!("{path}:{}: a comment of more than {COLUMNS} columns", index + 1)).collect()
}

/// Returns uses of names that are riddles.
fn riddles(path: &str, text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let riddle = |line: &str| line.split(|c| !is_name(c)).find(|word| RIDDLES.contains(word)).map(str::to_owned);
    let found = text.lines().enumerate().filter_map(|(index, line)| Some((index, riddle(line)?)));
    found.map(|(index, name)| format!("{path}:{}: the name `{name}` does not say what it names", index + 1)).collect()
}

/// Returns the table of folders, or an error with all that has to change.
fn report(findings: &Findings, shows_lines: bool) -> Outcome {
    let mut text = format!("{:<28} {:>7} {:>6} {:>7}\n", "folder", "lines", "odd", "share");
    for (folder, count) in &findings.folders {
        let _ = writeln!(text, "{folder:<28} {:>7} {:>6} {:>5.1} %", count.lines, count.odd, count.share());
    }
    let over: Vec<&String> =
        findings.folders.iter().filter(|(_, count)| count.is_over()).map(|(folder, _)| folder).collect();
    for line in &findings.odd {
        if shows_lines || over.iter().any(|over| folder(line) == **over) {
            let _ = writeln!(text, "{line}");
        }
    }
    for fault in &findings.faults {
        let _ = writeln!(text, "{fault}");
    }
    if over.is_empty() && findings.faults.is_empty() {
        return Ok(text.trim_end().to_owned());
    }
    let reason = format!(
        "more than {LIMIT} % of the lines are odd in {} folders; {} other faults",
        over.len(),
        findings.faults.len()
    );
    Err(Stop::Failed(text + &reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Findings {
        let mut findings = Findings::default();
        check(&Rules::new(), path, Language::of_path(path).unwrap(), text, &mut findings);
        findings
    }

    #[test]
    fn a_folder_over_the_limit_fails() {
        let two = "// So many columns.\n// How many there are.\n";
        let plain = "// Number of columns.\n".repeat(100);
        assert!(report(&findings("host/a.rs", two), false).is_err());
        assert!(report(&findings("host/a.rs", &format!("// So many columns.\n{plain}")), false).is_ok());
    }

    #[test]
    fn faults_name_file_and_line() {
        let wide = format!("\n// {}\n", "word ".repeat(30));
        assert_eq!(findings("a.rs", &wide).faults, ["a.rs:2: a comment of more than 100 columns"]);
        assert_eq!(findings("a.rs", &format!("// {}\n", "l".repeat(100))).faults, [""; 0]);
        assert_eq!(
            findings("a.rs", "let so_many = 3;\n").faults,
            ["a.rs:1: the name `so_many` does not say what it names"]
        );
        assert_eq!(findings("docs/a.md", "It was slow.\n").faults.len(), 1);
        assert_eq!(findings("docs/performance.md", "It was slow.\n").faults.len(), 0);
    }

    #[test]
    fn folders_have_two_levels() {
        assert_eq!(folder("host/search/cpu/filter.rs"), "host/search");
        assert_eq!(folder("README.md"), ".");
    }
}
