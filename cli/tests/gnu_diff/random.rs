//! Random files and folders with random options.
//!
//! `CARRYWAVE_DIFF_CASES=10000` runs 10,000 cases. `CARRYWAVE_DIFF_FIRST` is the number of the
//! first case.

use super::common::beside_gnu::repeated;
use super::common::peer::{DIFF, difference};
use super::common::program::{Folder, Ran, finish};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

/// Options without a value.
const FLAGS: &[&str] = &[
    "-i",
    "-E",
    "-Z",
    "-b",
    "-w",
    "-B",
    "-a",
    "-d",
    "-d",
    "-d",
    "-s",
    "-t",
    "-T",
    "--suppress-blank-empty",
    "--strip-trailing-cr",
    "-p",
    "-H",
    "--color=always",
    "-q",
    "--speed-large-files",
    "--ignore-tab",
    "--report",
    "-bB",
    "-wi",
    "--tabsize=3",
    "--tabsize=5",
    "--horizon-lines=2",
    "--horizon=50",
    "--expand",
    "--binary",
    "--minimal",
    "--no-ignore-file-name-case",
];

/// Options with a value, and values for them.
const OPTIONS_WITH_VALUES: &[(&str, &[&str])] = &[
    (
        "-I",
        &[
            "^a",
            "^[[:space:]]*$",
            "b\\|c",
            "[0-9]\\+$",
            "^[^a-c]",
            "^.\\{2,3\\}$",
            "*",
            "\\<x\\>",
            "^\\(a\\|#\\)*$",
            "é",
        ],
    ),
    ("-F", &["^[a-z]", "(", "one\\|two", "^[[:alpha:]$_]", "\\w:", "^.$", "[]}]"]),
    ("-L", &["one", "a label", "-x", "", "é\t"]),
    ("--label", &["two"]),
    ("--palette", &["ad=33:de=1;35", "rs=:hd=4:ln=7", ":", "zz=1"]),
    ("--color", &["never"]),
    ("--show-f", &["^b"]),
];

/// Default number of cases.
const CASES: u64 = 150;

struct Random(fastrand::Rng);

impl Random {
    fn of<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.0.usize(..all.len())]
    }

    /// True with probability 1 / `times`.
    fn one_in(&mut self, times: usize) -> bool {
        self.0.usize(..times) == 0
    }

    fn number(&mut self, end: usize) -> usize {
        self.0.usize(..end)
    }

    /// Returns a line without its line feed.
    fn line(&mut self, i: usize) -> String {
        let own = match self.number(10) {
            0 => String::new(),
            1 => self.of(&[" ", "\t", "  ", "}", "{", "# x", ".", "..", "return;"]).to_owned(),
            2 => self
                .of(&[
                    "int one(int a)",
                    "_two {",
                    "$three",
                    "Four: a name that is longer than forty columns, by some   ",
                    "   indented",
                ])
                .to_owned(),
            3 => self
                .of(&["é", "日本\tx", "Ab", "aB", "a\tb", "a       b", "ab \t", "x\rz", "q\u{8}r", "\u{7f}", "\t\tz"])
                .to_owned(),
            _ => self.of(&["a", "b", "c", "d"]).to_owned(),
        };
        match self.number(12) {
            0 => format!("{own}{i}"),
            1 => format!("{own} "),
            2 => format!(" {own}"),
            3 => own.to_uppercase(),
            4 if self.one_in(3) => format!("{own}\r"),
            5 if self.one_in(10) => own.repeat(60),
            _ => own,
        }
    }

    /// Returns two texts. Some have most lines in common, others almost none.
    fn texts(&mut self) -> [Vec<u8>; 2] {
        let most = [6, 20, 60, 150][self.number(4)];
        let lines: Vec<String> = (0..self.number(most)).map(|i| self.line(i)).collect();
        let mut other = Vec::new();
        let changed = [2, 5, 15, 60][self.number(4)];
        if self.one_in(5) {
            other = (0..self.number(most)).map(|i| self.line(i)).collect();
        } else {
            for (i, line) in lines.iter().enumerate() {
                match if self.one_in(changed) { self.number(6) } else { 9 } {
                    0 => (),
                    1 => other.push(self.line(i)),
                    2 => other.extend((0..self.number(4)).map(|i| self.line(i))),
                    3 => other.push(line.to_uppercase()),
                    4 => other.push(line.replace(' ', "  ").replace('\t', "        ") + " "),
                    5 => other.extend([line.clone(), line.clone()]),
                    _ => other.push(line.clone()),
                }
            }
        }
        let mut texts = [lines, other]
            .map(|lines| lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect::<Vec<u8>>());
        for text in &mut texts {
            if self.one_in(6) {
                text.pop();
            }
            if self.one_in(60) {
                text.extend([0, b'x']);
            }
            if self.one_in(30) {
                text.extend(b"\xff\n");
            }
        }
        if self.one_in(2) {
            texts.reverse()
        }
        texts
    }

    /// Returns the options of a call.
    fn options(&mut self, of_folders: bool) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        let format = self.format(of_folders);
        options.extend(format.into_iter().filter(|word| !word.is_empty()));
        let times = [6, 20, 60][self.number(3)];
        for &option in FLAGS {
            if self.one_in(times) {
                options.push(option.into());
            }
        }
        for &(option, values) in OPTIONS_WITH_VALUES {
            if !self.one_in(16) {
                continue;
            }
            let value = self.of(values).to_owned();
            match option {
                "--color" | "--palette" => options.push(format!("{option}={value}")),
                _ if option.starts_with("--") && self.one_in(2) => options.push(format!("{option}={value}")),
                _ if !option.starts_with("--") && !value.is_empty() && self.one_in(2) => {
                    options.push(format!("{option}{value}"))
                }
                _ => options.extend([option.into(), value]),
            }
        }
        // GNU diff 3.8 prints characters two columns wide next to its pages instead of in them.
        if self.one_in(40) && !options.iter().any(|option| option.starts_with("-y") || option.starts_with("--side")) {
            options.push("-l".into());
        }
        if of_folders {
            self.options_of_folders(&mut options);
        }
        options
    }

    /// Returns the options that choose a format.
    fn format(&mut self, of_folders: bool) -> Vec<String> {
        let number = self.number(6).to_string();
        let unified = match self.number(14) {
            0..=2 => vec!["-u".into()],
            3 => vec![format!("-U{number}")],
            4 => vec!["-U".into(), number.clone()],
            5 => vec![format!("--unified={number}")],
            6 => vec![format!("-u{number}")],
            7 => vec!["-c".into()],
            8 => vec![format!("-C{number}")],
            9 => vec![format!("-{number}c")],
            10 => vec!["--context".into()],
            11 => vec!["-p".into()],
            12 => vec![format!("-{number}"), "-p".into()],
            _ => vec![format!("-{number}u1")],
        };
        match self.number(20) {
            0..=7 => unified,
            8 | 9 => {
                let mut words: Vec<String> = vec![self.of(&["-y", "--side-by-side", "--side"]).to_owned()];
                if self.one_in(2) {
                    words.push(format!("-W{}", 1 + self.number(90)));
                }
                for option in ["--left-column", "--suppress-common-lines"] {
                    if self.one_in(4) {
                        words.push(option.into());
                    }
                }
                words
            }
            10 => vec![self.of(&["-e", "-f", "--ed"]).to_owned()],
            11 => vec![self.of(&["-n", "--rcs"]).to_owned()],
            12 if !of_folders => vec!["-D".into(), self.of(&["NAME", "a b", "%<x%%"]).to_owned()],
            13 | 14 if !of_folders => self.templates(),
            15 => vec!["-q".into()],
            _ => vec![self.of(&["--normal", "", ""]).to_owned()],
        }
    }

    fn templates(&mut self) -> Vec<String> {
        let groups = [
            "%<",
            "%>",
            "%=",
            "[%df-%dl|%dF,%dL]%<%>",
            "%(n=N?%<:%>)",
            "%(f=1?one:%(e=E?two\n:%5.3xm))%c'\\11'%c'x'%%",
            "",
            "%q%",
            "%-4oMx%04dN\n",
            "%(n=2?x",
        ];
        let lines = ["%l\n", "%L", "", "%dn:%L", "-%l%c'\\12'", "%3dn%%|%l\n", "%5.2Xn %q%l\n"];
        let mut words = Vec::new();
        for name in [
            "--line",
            "--old-line",
            "--new-line",
            "--unchanged-line",
            "--old-group",
            "--new-group",
            "--unchanged-group",
            "--changed-group",
        ] {
            let is_line = name.ends_with("line");
            if self.one_in(if name == "--line" { 8 } else { 3 })
                && !(name != "--line" && is_line && words.iter().any(|word: &String| word.starts_with("--line")))
            {
                words.push(format!("{name}-format={}", self.of(if is_line { &lines[..] } else { &groups[..] })));
            }
        }
        words
    }

    fn options_of_folders(&mut self, options: &mut Vec<String>) {
        for (option, times) in [
            ("-r", 2),
            ("-N", 4),
            ("-P", 6),
            ("--no-dereference", 4),
            ("--ignore-file-name-case", 5),
            ("-r", 4),
            ("--unidirectional-new-file", 12),
            ("--rec", 12),
        ] {
            if self.one_in(times) {
                options.push(option.into());
            }
        }
        for (option, values) in [
            ("-x", &["*.o", "?", "[", "[a-c]*", "[[:upper:]]", "sub", "\\*", "a b", "{x}", "[!a-z]*", "B", "é"][..]),
            ("--exclude", &["a?b", "*\t*", "[[:alpha:]]*"]),
            ("-S", &["b", "B", "sub"]),
        ] {
            if self.one_in(6) {
                options.extend([option.to_owned(), self.of(values).to_owned()]);
            }
        }
    }

    /// Creates two folders with files of all types.
    fn trees(&mut self, folder: &Folder) {
        let names = ["a", "b", "B", "a b", "c\td", "n\nl", "é", "x.o", "*", "[", "q\"\\", "{x}", "same", "link"];
        let below = ["", "/sub", "/sub/deep", "/Sub"].map(|below| (below, self.number(4)));
        for (below, which) in below {
            for (root, bit) in [("old", 1), ("new", 2)] {
                if (below.is_empty() || (which + 1) & bit != 0)
                    && folder.path(root).join(below.trim_start_matches('/')).parent().is_some_and(Path::exists)
                    || below.is_empty()
                {
                    fs::create_dir_all(folder.path(&format!("{root}{below}"))).unwrap();
                }
            }
            for name in names {
                if !self.one_in(3) {
                    continue;
                }
                let texts = if self.one_in(3) { [vec![b'x', b'\n'], vec![b'x', b'\n']] } else { self.texts() };
                for (root, text) in ["old", "new"].into_iter().zip(texts) {
                    let path = folder.path(&format!("{root}{below}/{name}"));
                    if self.one_in(4) || !path.parent().unwrap().exists() {
                        continue;
                    }
                    match self.number(24) {
                        0 => fs::create_dir(&path).unwrap(),
                        1 => drop(Command::new("mkfifo").arg(&path).status()),
                        2 => symlink(self.of(&["a", "b", "nowhere", "/dev/null", "sub"]), &path).unwrap(),
                        3 => symlink("a", &path).unwrap(),
                        4 => fs::write(&path, "").unwrap(),
                        _ => fs::write(&path, text).unwrap(),
                    }
                }
            }
        }
    }
}

/// Sets the times of all files to values other than the time of the run.
fn set_times(random: &mut Random, path: &Path) {
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            set_times(random, &entry.path());
        } else if kind.is_file() {
            let time = UNIX_EPOCH + Duration::new(random.0.u64(..4_000_000_000), random.0.u32(..1_000_000_000));
            fs::File::options().append(true).open(entry.path()).unwrap().set_modified(time).unwrap();
        }
    }
}

/// Runs a call, with a file as standard input if `input` names one.
fn run(folder: &Folder, mut command: Command, input: Option<&str>) -> Ran {
    command.env("TERM", "xterm");
    if let Some(name) = input {
        command.stdin(fs::File::open(folder.path(name)).unwrap());
    }
    finish(command)
}

fn gnu(folder: &Folder, words: &[String], input: Option<&str>) -> Ran {
    run(folder, DIFF.command(folder, words).expect("GNU diff is there"), input)
}

/// Result of a case.
enum Verdict {
    Same,
    /// GNU diff's script is not a shortest one, and with -d both programs print the same.
    Longer,
    Different(String),
}

/// Runs a case, and returns its folder, its words and its verdict.
fn case(number: u64) -> (Folder, Vec<String>, Verdict) {
    let mut random = Random(fastrand::Rng::with_seed(number));
    let folder = Folder::new();
    let of_folders = random.one_in(3);
    let mut input = None;
    let files = if of_folders {
        random.trees(&folder);
        match random.number(12) {
            0 => vec!["old/", "new"],
            1 => vec!["old", "old"],
            2 => vec!["old", "absent"],
            // With a fifo, both programs would wait for a writer.
            3 if folder.path("old/a").is_file() && folder.path("new/a").is_file() => vec!["old/a", "new"],
            _ => vec!["old", "new"],
        }
    } else {
        let [a, b] = random.texts();
        folder.file("a", a);
        folder.file("b", b);
        let [a, b] = random.texts();
        folder.file("c d", a);
        folder.file("é", b);
        match random.number(24) {
            0 => vec!["a", "a"],
            1 => vec!["c d", "é"],
            2 => vec!["/dev/null", "b"],
            3 => {
                input = Some("a");
                // The time of standard input is the time of the run, so a label replaces it.
                vec!["-L", "in", "-L", "b", "-", "b"]
            }
            4 => vec!["--from-file=a", "b", "c d"],
            5 => vec!["--to-file", "a", "b", "é"],
            6 => vec!["-N", "absent", "b"],
            7 => vec!["a", "absent"],
            8 => vec!["-u", "--", "a", "b"],
            _ => vec!["a", "b"],
        }
    };
    set_times(&mut random, &folder.path(""));
    let mut words = random.options(of_folders);
    words.extend(files.iter().map(|file| (*file).to_owned()));
    let compare = |words: &[String]| {
        difference(&gnu(&folder, words, input), &run(&folder, DIFF.ours(&folder, "diff", words), input))
    };
    let verdict = match repeated(|| compare(&words)) {
        None => Verdict::Same,
        Some(difference) => {
            let minimal = [&["-d".to_owned()][..], &words].concat();
            let lines = |words: &[String]| changed_lines(&folder, words, &files, input);
            let is_longer = compare(&minimal).is_none() && lines(&words) > lines(&minimal);
            if is_longer { Verdict::Longer } else { Verdict::Different(difference) }
        }
    };
    (folder, words, verdict)
}

/// Counts the lines that GNU diff deletes and inserts, with the options that affect this number.
fn changed_lines(folder: &Folder, words: &[String], files: &[&str], input: Option<&str>) -> usize {
    let kept = [
        "-d",
        "-i",
        "-E",
        "-Z",
        "-b",
        "-w",
        "-r",
        "-N",
        "-P",
        "-bB",
        "-wi",
        "-a",
        "--strip-trailing-cr",
        "--ignore-file-name-case",
        "--rec",
        "--no-dereference",
        "--unidirectional-new-file",
    ];
    let options = words.iter().map(String::as_str).filter(|word| kept.contains(word));
    let words: Vec<String> =
        ["-U0"].into_iter().chain(options).chain(files.iter().copied()).map(str::to_owned).collect();
    let ran = gnu(folder, &words, input);
    let lines = ran.stdout.split(|&byte| byte == b'\n');
    lines.filter(|line| line.starts_with(b"+") || line.starts_with(b"-")).count()
}

#[test]
fn random_files_folders_and_options() {
    if !DIFF.is_there() {
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("CARRYWAVE_DIFF_FIRST").unwrap_or(0);
    let cases = number("CARRYWAVE_DIFF_CASES").unwrap_or(CASES);
    let (mut failed, mut longer) = (0, 0);
    for i in first..first + cases {
        let (folder, words, verdict) = case(i);
        longer += u64::from(matches!(verdict, Verdict::Longer));
        if let Verdict::Different(difference) = verdict {
            failed += 1;
            println!("=== case {i}: {words:?}\n{difference}");
            if let Ok(keep) = std::env::var("CARRYWAVE_DIFF_KEEP") {
                let copied = Command::new("cp").arg("-a").arg(folder.path("")).arg(format!("{keep}/{i}")).status();
                assert!(copied.unwrap().success());
            }
        }
    }
    println!(
        "{} of {cases} cases are the same; in {longer} others GNU diff's script is longer without -d",
        cases - failed - longer
    );
    assert_eq!(failed, 0, "of {cases} cases");
    // About one case in a thousand.
    assert!(longer <= 1 + cases / 200, "{longer} of {cases} cases");
}
