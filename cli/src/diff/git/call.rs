//! Finds git's words among the program's arguments. They are never options, whatever the files are
//! called.

use super::patch::Change;
use std::ffi::OsString;
use std::path::Path;

/// Returns the program's arguments with `--` before git's words, so that no word is taken for an
/// option.
///
/// `words_of` returns the positional words among the arguments of `carrywave diff`, or `None` if
/// the arguments are wrong.
pub fn guarded(arguments: Vec<OsString>, words_of: impl Fn(&[OsString]) -> Option<Vec<OsString>>) -> Vec<OsString> {
    let Some(command) = arguments.iter().position(|word| word == "diff") else { return arguments };
    let count = arguments.len() - command - 1;
    let last = |count: usize| arguments.get(arguments.len() - count..).unwrap_or_default();
    let is_change = |&words: &usize| words <= count && Change::parse(last(words)).is_some();
    if let Some(words) = (7..=9).find(is_change) {
        return separated(arguments, words);
    }
    // Other calls by git have no form of their own: the name of an unmerged file, or two files of a
    // difftool.
    let is_called_by_git = std::env::var_os("GIT_DIFF_PATH_COUNTER").is_some();
    let is_separated = arguments.iter().rev().skip(1).any(|word| word == "--");
    if !is_called_by_git || is_separated {
        return arguments;
    }
    let is_there = |word: &OsString| Path::new(word).symlink_metadata().is_ok();
    for words in [2, 1] {
        if words > count || words == 2 && !last(2).iter().all(is_there) {
            continue;
        }
        let separated = separated(arguments.clone(), words);
        if words_of(&separated).is_some_and(|found| found.len() == words) {
            return separated;
        }
    }
    arguments
}

/// Inserts `--` before the last `words` words, unless it is there already.
fn separated(mut arguments: Vec<OsString>, words: usize) -> Vec<OsString> {
    let at = arguments.len().saturating_sub(words);
    if at == 0 || arguments.get(at - 1).is_none_or(|before| before != "--") {
        arguments.insert(at, "--".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "0123456789012345678901234567890123456789";

    fn guard(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from).collect();
        guarded(arguments, |_| None).join(" ".as_ref()).into_string().unwrap()
    }

    #[test]
    fn words_of_git_are_no_options() {
        for name in ["-q", "--help", "-", "--", "diff"] {
            let words = format!("{name} {name} {HEX} 100644 {name} {HEX} 100755");
            assert_eq!(guard(&format!("carrywave diff {words}")), format!("carrywave diff -- {words}"));
            let call = format!("carrywave diff --unit words -- {words} to about");
            assert_eq!(guard(&call), call);
            assert_eq!(guard(&format!("carrywave diff -u {words} to")), format!("carrywave diff -u -- {words} to"));
        }
        for other in ["carrywave diff -q a b", "carrywave lcs a b", "carrywave diff", "carrywave"] {
            assert_eq!(guard(other), other);
        }
    }
}
