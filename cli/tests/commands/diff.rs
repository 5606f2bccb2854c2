//! `carrywave diff` and the uses of its output: applying patches, git, and other programs.
//! `gnu_diff` compares it with GNU diff.

use crate::common::beside_gnu::{folder, gnu, ours};
use crate::common::program::{Folder, Ran, assert_mentions};
use std::process::Command;

/// The listing of the JSON on the page is what `--json` prints.
#[test]
fn the_page_s_json_is_true() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/diff.md")).unwrap();
    // `listings` runs the commands of the page.
    assert_eq!(page.matches("\n    $ ").count(), 5);
    let folder = Folder::new();
    folder.file("old.txt", "one\ntwo\nthree\n");
    folder.file("new.txt", "one\n2\nthree\nfour\n");
    // The page's JSON listing, compared without line ends and spaces.
    let (_, rest) = page.split_once("```json\n").unwrap();
    let shown: serde_json::Value = serde_json::from_str(rest.split_once("```").unwrap().0).unwrap();
    let found = ours(&folder, &["--json", "old.txt", "new.txt"]).stdout;
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&found).unwrap(), shown);
}

/// Returns random lines, many of them equal, with or without a last line feed.
fn random_text(random: &mut fastrand::Rng, most: usize) -> String {
    let lines = ["a", "b", "  c", "", "}"];
    let mut text: String =
        (0..random.usize(..most)).map(|_| lines[random.usize(..lines.len())].to_owned() + "\n").collect();
    if random.u8(..4) == 0 {
        text.pop();
    }
    text
}

/// Applies a unified diff by its definition.
fn apply(text: &str, patch: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut result, mut at) = (String::new(), 0);
    let mut patch = patch.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = patch.next() {
        if let Some(place) = line.strip_prefix("@@ -") {
            let (start, count) =
                place.split(' ').next().unwrap().split_once(',').unwrap_or((place.split(' ').next().unwrap(), "1"));
            let start: usize = start.parse().unwrap();
            let start = if count == "0" { start } else { start - 1 };
            result += &lines[at..start].concat();
            at = start;
            continue;
        }
        let (mark, own) = line.split_at(1);
        let own = match patch.peek() {
            Some(next) if next.starts_with('\\') => {
                patch.next();
                own.trim_end_matches('\n')
            }
            _ => own,
        };
        match mark {
            "+" => result += own,
            " " | "-" => {
                assert_eq!(lines[at], own, "{line}");
                at += 1;
                if mark == " " {
                    result += own;
                }
            }
            _ => panic!("{line}"),
        }
    }
    result + &lines[at..].concat()
}

/// Returns the number of deleted and inserted lines of a shortest script, by dynamic programming.
fn shortest(a: &str, b: &str) -> usize {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split_inclusive('\n').collect(), b.split_inclusive('\n').collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..a.len() {
        for j in 0..b.len() {
            table[i + 1][j + 1] = if a[i] == b[j] { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
        }
    }
    a.len() + b.len() - 2 * table[a.len()][b.len()]
}

#[test]
fn patches_apply_and_are_shortest() {
    let mut random = fastrand::Rng::with_seed(1);
    let folder = Folder::new();
    let has_patch = Command::new("patch").arg("--version").output().is_ok();
    for round in 0..150 {
        let (a, b) = (random_text(&mut random, 25), random_text(&mut random, 25));
        folder.file("a", &a);
        folder.file("b", &b);
        for options in [&["-u"][..], &["-U", "0"], &["-U", "1", "--no-indent-heuristic"], &["-u", "--patience"]] {
            let ran = ours(&folder, &[options, &["a", "b"]].concat());
            assert_eq!((ran.code, ran.stderr.as_str()), (i32::from(a != b), ""), "{a:?} {b:?}");
            let patch = String::from_utf8(ran.stdout).unwrap();
            assert_eq!(apply(&a, &patch), b, "{options:?}\n{patch}");
            let changed = patch.lines().skip(2).filter(|line| line.starts_with(['-', '+'])).count();
            if options.contains(&"--patience") {
                assert!(changed >= shortest(&a, &b));
            } else {
                assert_eq!(changed, shortest(&a, &b), "{options:?}\n{patch}");
            }
        }
        if has_patch && round % 5 == 0 && a != b {
            for options in ["-u", "-c", "", "-e"] {
                // An ed script cannot express a missing line feed.
                if options == "-e"
                    && (!a.ends_with('\n')
                        || !b.ends_with('\n')
                        || Command::new("ed").arg("--version").output().is_err())
                {
                    continue;
                }
                let ran = folder.shell(&format!("\"$C\" diff {options} a b >ab.patch; patch -s -o result a ab.patch"));
                assert_eq!(
                    ran.code,
                    0,
                    "{options} {a:?} {b:?}: {} {}",
                    String::from_utf8_lossy(&ran.stdout),
                    ran.stderr
                );
                let result = if folder.path("result").exists() { folder.read("result") } else { Vec::new() };
                assert_eq!(String::from_utf8_lossy(&result), b, "{options} {a:?}");
                let _ = std::fs::remove_file(folder.path("result"));
            }
        }
    }
}

#[test]
fn words_and_characters_are_marked() {
    let mut random = fastrand::Rng::with_seed(1);
    let folder = Folder::new();
    for unit in ["words", "chars", "graphemes"] {
        for _ in 0..40 {
            let mut text = || {
                let words = ["one", " ", "two", "é", "\n", "e\u{301}", ",", "  "];
                (0..random.usize(..20)).map(|_| words[random.usize(..words.len())]).collect::<String>() + "\n"
            };
            let (a, b) = (text(), text());
            folder.file("a", &a);
            folder.file("b", &b);
            let ran = ours(&folder, &["--unit", unit, "-U", "99", "a", "b"]);
            assert_eq!((ran.code, ran.stderr.as_str()), (i32::from(a != b), ""));
            let printed = String::from_utf8(ran.stdout).unwrap();
            if a == b {
                assert_eq!(printed, "");
                continue;
            }
            let (mut left, mut right) = (String::new(), String::new());
            let mut rest = printed.splitn(4, '\n').nth(3).unwrap();
            // A marked part that ends before a line feed includes the line feed, unless the line
            // continues.
            while !rest.is_empty() {
                let own = |rest: &str, end: &str| {
                    let (own, rest) = rest[2..].split_once(end).unwrap();
                    (own.to_owned(), rest.len())
                };
                let (side, (own, left_over)) = if rest.starts_with("[-") {
                    (1, own(rest, "-]"))
                } else if rest.starts_with("{+") {
                    (2, own(rest, "+}"))
                } else {
                    let c = rest.chars().next().unwrap();
                    (3, (c.to_string(), rest.len() - c.len_utf8()))
                };
                rest = &rest[rest.len() - left_over..];
                if side & 1 != 0 {
                    left += &own;
                }
                if side & 2 != 0 {
                    right += &own;
                }
            }
            // Compared without line feeds and their symbols, since the brackets do not always show
            // a marked line feed.
            let without = |text: &str| text.replace(['\n', '↵'], "");
            assert_eq!((without(&left), without(&right)), (without(&a), without(&b)), "{printed}");
        }
    }
    folder.file("a", "a long way\n");
    folder.file("b", "a longer way\n");
    let colored = ours(&folder, &["--unit", "words", "--color=always", "a", "b"]);
    assert!(
        String::from_utf8_lossy(&colored.stdout).ends_with("a \x1b[31mlong\x1b[0m\x1b[32mlonger\x1b[0m way\n"),
        "{colored:?}"
    );
    assert_mentions(&ours(&folder, &["--unit", "words", "-y", "a", "b"]).stderr, &["for lines only"]);
    assert_mentions(&ours(&folder, &["--unit", "words", "-w", "a", "b"]).stderr, &["the unit is lines"]);
}

/// Reconstructs the second text from the first one and the JSON difference.
#[test]
fn json_tells_all() {
    let mut random = fastrand::Rng::with_seed(3);
    let folder = Folder::new();
    for _ in 0..60 {
        let (a, b) = (random_text(&mut random, 25), random_text(&mut random, 25));
        folder.file("a", &a);
        folder.file("b", &b);
        let ran = ours(&folder, &["--json", "a", "b"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (i32::from(a != b), ""));
        let json: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        let lines: Vec<&str> = a.split_inclusive('\n').collect();
        let number = |value: &serde_json::Value, name: &str| value[name].as_u64().unwrap() as usize;
        let (mut result, mut at, mut changed) = (String::new(), 0, 0);
        for hunk in json["hunks"].as_array().unwrap() {
            for change in hunk["changes"].as_array().unwrap() {
                let (start, len) = (number(change, "a_start"), number(change, "a_len"));
                assert!(
                    start >= number(hunk, "a_start") && start + len <= number(hunk, "a_start") + number(hunk, "a_len")
                );
                result += &lines[at..start].concat();
                let texts = |side: &str| {
                    change[side]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|line| line.as_str().unwrap().to_owned())
                        .collect::<Vec<_>>()
                };
                assert_eq!(texts("a"), lines[start..start + len]);
                assert_eq!(texts("b").len(), number(change, "b_len"));
                result += &texts("b").concat();
                at = start + len;
                changed += len + texts("b").len();
            }
        }
        result += &lines[at..].concat();
        assert_eq!((result, changed), (b.clone(), number(&json, "deleted") + number(&json, "inserted")));
        assert_eq!((json["unit"].as_str(), number(&json, "a_len")), (Some("line"), lines.len()));
    }
    folder.file("a", b"\xff\n");
    let ran = ours(&folder, &["--json", "a", "b"]);
    assert_mentions(&String::from_utf8(ran.stdout).unwrap(), &["\"lossy\":true", "\u{fffd}"]);
}

/// `--stat` of folders prints the same as git.
#[test]
fn stat_is_that_of_git() {
    let folder = Folder::new();
    for root in ["old", "new"] {
        std::fs::create_dir_all(folder.path(&format!("{root}/below"))).unwrap();
    }
    let lines = |from: usize, to: usize| (from..to).map(|i| format!("{i}\n")).collect::<String>();
    for (name, a, b) in [
        ("one", lines(0, 10), lines(0, 9)),
        (
            "below/two with a name that is rather long, so that it does not fit with the bar beside it",
            lines(0, 300),
            lines(100, 900),
        ),
        ("three", lines(0, 5), lines(5, 10)),
        ("bin", "\0a".into(), "\0bcd".into()),
        ("same", lines(0, 3), lines(0, 3)),
    ] {
        folder.file(&format!("old/{name}"), a);
        folder.file(&format!("new/{name}"), b);
    }
    folder.file("old/gone", lines(0, 4));
    folder.file("new/added", lines(0, 7));
    folder.file("new/added.bin", "\0xyz");
    std::fs::create_dir(folder.path("new/more")).unwrap();
    folder.file("new/more/below", lines(0, 2));
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command
            .current_dir(folder.path(""))
            .args(["diff", "--no-index", "--no-renames", "--no-color", "--stat=80"])
            .args(words);
        command.output().ok().map(|output| String::from_utf8(output.stdout).unwrap())
    };
    for pair in [["old", "new"], ["old/one", "new/one"], ["old/one", "new/three"]] {
        let Some(expected) = git(&pair) else { return };
        // For single files, git reserves no columns for the options of folders.
        let ran = ours(&folder, &[&["-r", "--stat"][..], &pair].concat());
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected, "{pair:?}");
        assert_eq!(ran.code, 1);
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder();
    let refusal = |words: &[&str]| folder.refusal(2, &[&["diff"], words].concat());
    assert_mentions(&refusal(&["a"]), &["two files"]);
    assert_mentions(&refusal(&["a", "b", "c"]), &["3 files"]);
    assert_mentions(&refusal(&["a", "absent"]), &["absent: No such file"]);
    assert_mentions(&refusal(&["-u", "-c", "a", "b"]), &["two output formats"]);
    assert_mentions(&refusal(&["--label=1", "--label=2", "--label=3", "a", "b"]), &["more than two --label"]);
    assert_mentions(&refusal(&["-I", "\\(", "a", "b"]), &["'\\('", "Unmatched ("]);
    assert_mentions(&refusal(&["-F", "\\(a\\)\\1", "a", "b"]), &["back references"]);
    assert_mentions(&refusal(&["--from-file=a", "--to-file=b"]), &["exclude each other"]);
    assert_mentions(&refusal(&["-W", "20", "-W", "30", "a", "b"]), &["different values"]);
    assert_mentions(
        &refusal(&["-D", "X", "--old-group-format=x", "a", "b"]),
        &["--old-group-format", "different values"],
    );
    let wrong = |words: &[&str], mentions: &[&str]| {
        let ran = ours(&folder, words);
        assert_eq!((ran.code, ran.stdout.len()), (2, 0), "{words:?}");
        assert_mentions(&ran.stderr, mentions);
    };
    wrong(&["-y", "-W", "0", "a", "b"], &["columns from 1 to 1048576"]);
    wrong(&["--tabsize=0", "a", "b"], &["columns from 1 to 1048576"]);
    wrong(&["-U", "x", "a", "b"], &["not a number of lines"]);
    assert_mentions(&refusal(&["--engine", "cpu", "--gpu", "0", "a", "b"]), &["has no GPUs"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_contains_itself() {
    let folder = Folder::new();
    for root in ["old", "new"] {
        std::fs::create_dir_all(folder.path(&format!("{root}/below"))).unwrap();
        std::os::unix::fs::symlink("..", folder.path(&format!("{root}/below/up"))).unwrap();
        folder.file(&format!("{root}/z"), root);
    }
    let ran = ours(&folder, &["-r", "old", "new"]);
    assert_eq!(ran.code, 2);
    assert_mentions(&ran.stderr, &["old/below/up: this folder contains itself"]);
    assert_mentions(&String::from_utf8(ran.stdout).unwrap(), &["< old", "> new"]);
}

#[test]
fn standard_input_and_output_files() {
    let folder = folder();
    let ran = folder.run_with(&["diff", "-", "b"], b"a\nb\nc\nd\ne\n");
    assert_eq!((ran.code, ran.stdout), (1, ours(&folder, &["a", "b"]).stdout));
    let ran = ours(&folder, &["-u", "a", "b", "-o", "ab.patch"]);
    assert_eq!((ran.code, ran.stdout.len(), ran.stderr.as_str()), (1, 0, ""));
    assert_eq!(folder.read("ab.patch"), ours(&folder, &["-u", "a", "b"]).stdout);
    // If the whole output cannot be written, the file is not created.
    let ran = ours(&folder, &["-u", "a", "absent", "-o", "none.patch"]);
    assert_eq!((ran.code, folder.path("none.patch").exists()), (2, false));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = Folder::new();
    folder.file("long", (0..200_000).map(|i| format!("{i}\n")).collect::<String>());
    let ran = folder.shell("\"$C\" diff /dev/null long | head -n 1; \"$C\" diff -y long long | head -n 1");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

/// Files with enough differences that bit-vectors compute the script, on the CPU and by GPU
/// kernels. The scripts are equal, and no longer than GNU diff's shortest script.
#[test]
fn many_differences_on_every_engine() {
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(5);
    let mut text = |kinds: u32| (0..1400).map(|_| format!("line {}\n", random.u32(..kinds))).collect::<String>();
    for kinds in [50, 400] {
        folder.file("a", text(kinds));
        folder.file("b", text(kinds));
        let cpu = ours(&folder, &["-u", "--engine", "cpu", "a", "b"]);
        assert_eq!(cpu.code, 1, "{}", cpu.stderr);
        for engine in ["auto", "simt"] {
            let other = ours(&folder, &["-u", "--engine", engine, "a", "b"]);
            assert_eq!((other.code, &other.stdout), (cpu.code, &cpu.stdout), "{engine}: {}", other.stderr);
        }
        let changed = |ran: &Ran| {
            ran.stdout.split(|&b| b == b'\n').filter(|line| line.starts_with(b"+") || line.starts_with(b"-")).count()
        };
        if let Some(shortest) = gnu(&folder, &["-d", "-u", "a", "b"]) {
            assert_eq!(changed(&cpu), changed(&shortest), "{kinds} kinds of lines");
        }
    }
    let refused = ours(&folder, &["--engine", "abacus", "a", "b"]);
    assert_eq!(refused.code, 2);
    assert_mentions(&refused.stderr, &["abacus", "simt"]);
}

/// Every CPU algorithm returns a difference that applies. --verbose names the algorithm. Algorithms
/// that an engine lacks are refused.
#[test]
fn algorithms_by_name() {
    let folder = Folder::new();
    let (a, b) = ("one\ntwo\nthree\nfour\n", "two\none\nthree\n4\n");
    folder.file("a", a);
    folder.file("b", b);
    let on_cpu = ["bit-parallel", "certain-cells", "furthest-reaching", "hunt-szymanski", "gnu", "patience"];
    for algorithm in on_cpu.into_iter().chain(["auto"]) {
        let ran = ours(&folder, &["--verbose", "-u", "--algorithm", algorithm, "a", "b"]);
        assert_eq!(apply(a, &String::from_utf8(ran.stdout).unwrap()), b, "{algorithm}");
        let name = if algorithm == "auto" { "gnu" } else { algorithm };
        assert!(ran.stderr.contains(&format!("{name} on cpu")), "{algorithm}: {}", ran.stderr);
    }
    for (arguments, word) in [
        (&["--algorithm", "dp", "a", "b"][..], "hunt-szymanski"),
        (&["--algorithm", "wavefront", "--engine", "cpu", "a", "b"], "wavefront"),
        (&["--algorithm", "gnu", "--engine", "simt", "a", "b"], "gnu"),
        (&["--algorithm", "gnu", "--patience", "a", "b"], "patience"),
    ] {
        let ran = ours(&folder, arguments);
        assert!(ran.code == 2 && ran.stderr.contains(word), "{arguments:?}: {}", ran.stderr);
    }
}
