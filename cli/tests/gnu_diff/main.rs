//! Comparison of `carrywave diff` with GNU diff, with the same options on the same files: output
//! byte by byte, and exit codes.

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod random;

use common::beside_gnu::{assert_same, folder, ours};
use std::process::Command;

/// Options for the format, and for ignored differences.
const OPTIONS: &[&str] = &[
    "",
    "-u",
    "-U 0",
    "-U 1",
    "--unified=2",
    "--unified",
    "-c",
    "-C 0",
    "-C 1",
    "--context=2",
    "-e",
    "-y",
    "-y -W 40",
    "-y -W 41 --left-column",
    "-y -W 7",
    "-y --suppress-common-lines",
    "-y -t -W 50",
    "-q",
    "-s",
    "-u -p",
    "-c -p",
    "--color=always",
    "--color=always -u",
    "--color=always -c",
    "--color=always -y",
    "-u -U 1",
    "-i",
    "-w",
    "-b",
    "-Z",
    "-E",
    "-B",
    "-u -B",
    "-c -B -w",
    "-a",
    "-a -u",
    "--label=x -u",
    "--label x --label y -c",
];

/// Files to compare with each other.
const PAIRS: &[&str] = &[
    "a b",
    "b a",
    "a c",
    "c b",
    "a empty",
    "empty b",
    "empty empty",
    "a a",
    "a blank",
    "blank a",
    "space spaces",
    "spaces space",
    "tabs tabs2",
    "one.c two.c",
    "dots a",
    "a dots",
    "binary binary2",
    "binary a",
    "late late2",
    "/dev/null a",
    "binary binary",
];

#[test]
fn formats_are_those_of_gnu_diff() {
    let folder = folder();
    for options in OPTIONS {
        for pair in PAIRS {
            let words: Vec<&str> = options.split_whitespace().chain(pair.split(' ')).collect();
            if !assert_same(&folder, &words) {
                return;
            }
        }
    }
    assert_same(&folder, &["-u", "a name \"of\"\ttwo", "b"]);
    assert_same(&folder, &["a", "absent"]);
    assert_same(&folder, &["absent", "a"]);
    assert_same(&folder, &["-N", "-u", "absent", "a"].map(|word| if word == "absent" { "/dev/null" } else { word }));
    assert_same(&folder, &["a"]);
    assert_same(&folder, &["a", "b", "c"]);
    assert_same(&folder, &["-", "-"]);
}

/// Calls with options that affect each other, or that affect names and special files.
const CALLS: &[&str] = &[
    "-q -u a b",
    "-q -y a b",
    "-y -q a a",
    "-y -s a a",
    "-L x -q a b",
    "-L x -L y -s a a",
    "-L x a b -u",
    "-c -L x -L y -- a b",
    "-B -u a blank",
    "-B -c blank a",
    "-B -U1 a blank",
    "-B -q a blank",
    "-i upper lower",
    "-u0 a b",
    "-U1 a b",
    "-u1 a b",
    "-1u a b",
    "-U3 -1 a b",
    "-u -U1 a b",
    "-1 a b",
    "-p1 one.c two.c",
    "--ignore-ca upper lower",
    "--uni a b",
    "--unif=0 a b",
    "--unified= a b",
    "-I ^b -I ^[B-F] a b",
    "-u -F one one.c two.c",
    "-cp -F b one.c two.c",
    "-D NAME a c",
    "-T -u tabs tabs2",
    "-t -T tabs tabs2",
    "--tabsize=3 -t tabs tabs2",
    "--tabsize=3 -y tabs tabs2",
    "-E --tabsize=4 tabs spaces",
    "-n a c",
    "-f a c",
    "-l -u a b",
    "-l -r old new",
    "--from-file=a b c",
    "--to-file=a b c empty",
    "--from-file=old/A new",
    "--line-format=%dn:%L a c",
    "--strip-trailing-cr -u a crlf",
    "--suppress-blank-empty -u c blank",
    "--palette=ad=1:de=2 --color=always a b",
    "-q --palette=x --color=always a b",
    "-rN -L x old new",
    "-r -x ? old new",
    "-r -x [[:lower:]] old new",
    "-r -x [b old new",
    "-r -x [!a-z]* old new",
    "-N old new",
    "-P old new",
    "-rP new old",
    "-r --no-dereference old new",
    "-rq old new",
    "--ignore-file-name-case -r old new",
    "-S b -r old new",
    "-N absent a",
    "-P a absent",
    "-N old absent",
    "-rN old absent",
    "-u old/é\u{a0}x new",
    "--horizon-lines=5 c blank",
    "-H a b",
    "-d c blank",
    "-z a b",
    "--bogus a b",
    "-u -c a b",
    "-U x a b",
    "-W 0 -y a b",
    "--tabsize=0 a b",
    "-y -W 7 -W 8 a b",
    "-D X -D Y a b",
    "-D X old new",
    "-I \\( a b",
    "--from-file=a --to-file=b",
    "--from-file=a",
    "-X absent old new",
    "- - -s",
    "- old",
    "-e a b",
    "-eq -w a b",
];

#[test]
fn calls_of_all_kinds_are_those_of_gnu_diff() {
    let folder = folder();
    for (root, name) in [("old", "A"), ("new", "a"), ("old", "é x"), ("new", "é x"), ("old", "[b"), ("old", "c.o")] {
        std::fs::create_dir_all(folder.path(&format!("{root}/sub"))).unwrap();
        folder.file(&format!("{root}/{name}"), root);
    }
    folder.file("old/sub/x", "X\n");
    folder.file("upper", "A\nÉ\nB\nlast\n");
    folder.file("lower", "a\né\nb\nlast\n");
    folder.file("crlf", "a\r\nb\r\nc\nd\ne\n");
    #[cfg(unix)]
    {
        assert!(Command::new("mkfifo").arg(folder.path("old/fifo")).status().unwrap().success());
        std::os::unix::fs::symlink("A", folder.path("old/link")).unwrap();
        std::os::unix::fs::symlink("a", folder.path("new/link")).unwrap();
        std::os::unix::fs::symlink("/dev/null", folder.path("new/fifo")).unwrap();
    }
    for call in CALLS {
        let words: Vec<&str> = call.split(' ').collect();
        if !assert_same(&folder, &words) {
            return;
        }
    }
    assert_same(&folder, &["-u", "old/é x", "new/é x"]);
}

/// The options in the table of docs/diff.md: equal ones are compared with GNU diff, and missing
/// ones are refused.
#[test]
fn the_page_s_table_is_true() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/diff.md")).unwrap();
    let folder = folder();
    // Skips the table of algorithms.
    let (before, rest) = page.split_once("<!-- algorithms -->").unwrap();
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    let rows = before
        .lines()
        .chain(after.lines())
        .filter_map(|line| line.strip_prefix("| `"))
        .filter(|line| line.contains(" | "));
    let (mut same, mut missing) = (0, 0);
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let options = cells[0].trim_end_matches('`').split("`, `");
        for option in options {
            let words = |with: &dyn Fn(&str) -> &'static str| -> Vec<String> {
                option
                    .split(' ')
                    .map(|word| {
                        let (name, value) =
                            word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
                        match value {
                            Some(value) => format!("{name}={}", with(value)),
                            None if !word.starts_with('-') => with(word).to_owned(),
                            None => word.to_owned(),
                        }
                    })
                    .collect()
            };
            let words = words(&|name| match name {
                "N" => "9",
                "LABEL" => "a label",
                "GLOB" => "t*",
                "FILE" => "out",
                "RE" | "NAME" => "x",
                "PALETTE" => "ad=33",
                "FORMAT" => "%%x",
                "WHEN" => "always",
                name => panic!("{option}: what is {name}?"),
            });
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match cells[2] {
                "same" => {
                    same += 1;
                    for pair in [["one.c", "two.c"], ["space", "spaces"]] {
                        if !assert_same(&folder, &[&words[..], &pair].concat()) {
                            return;
                        }
                    }
                }
                "no" => {
                    missing += 1;
                    // Also for a letter that has another meaning here.
                    let ran = ours(&folder, &[&words[..], &["a", "b"]].concat());
                    assert_eq!((ran.code, ran.stdout.len()), (2, 0), "{option} is taken: {}", ran.stderr);
                }
                "other" => (),
                what => panic!("{row}: {what}?"),
            }
        }
    }
    assert!(same > 85 && missing > 1, "{same} {missing}");
}
