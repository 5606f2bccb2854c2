//! Comparison of `carrywave search` without errors with GNU grep, with the same options on the same
//! files: output and exit codes.

use crate::common::peer::{GREP, difference};
use crate::common::program::Folder;

/// Asserts that both programs print the same. Their arguments differ in one option. Returns false
/// if GNU grep is not installed.
#[track_caller]
fn assert_same(folder: &Folder, arguments: &[&str], ours: &str, theirs: &str) -> bool {
    let Some(expected) = GREP.run(folder, &[&[theirs], arguments].concat()) else { return false };
    let found = folder.run(&[&["search", ours], arguments].concat());
    if let Some(difference) = difference(&expected, &found) {
        panic!("{arguments:?}\n{difference}");
    }
    let told = expected.stderr.contains("binary file matches");
    assert_eq!(found.stderr.contains("binary file matches"), told, "{arguments:?}: {}", found.stderr);
    true
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("text", "hello world\nfoo bar\nfoo\n\nfoobar, Foo foo_\nxa a a\nabcab\nend foo");
    folder.file("words", "the cat\ncategory\na cat, the cat\nconcat cat\ncat\n\n\nthe end\ncat cat\n");
    folder.file("empty", "");
    folder.file("many", (1..=60).map(|i| format!("{}{i}\n", ["a", "foo ", "b"][i % 7 % 3])).collect::<String>());
    folder.file("binary", b"foo\0bar\nfoo\n");
    std::fs::create_dir(folder.path("below")).unwrap();
    folder.file("below/one.txt", "foo\nbar\n");
    folder.file("below/two.rs", "bar foo\n");
    folder
}

#[test]
fn options_are_those_of_grep() {
    let folder = folder();
    let calls = "\
        foo text|-n foo text|-v foo text|-vn foo text|-c foo text|-vc foo text|-i foo text|-y FOO text|-o foo text|-on foo text|\
        -ob foo text|-b foo text|-nb foo text|-w foo text|-x foo text|-wx foo text|-xi FOO text|-vx foo text|-vw foo text|\
        -w cat words|-ow cat words|-obnw cat words|-cw cat words|-ow a_a text|-wo ab text|-wo -e ab -e abcab text|\
        -A1 foo text|-B1 foo text|-C1 foo text|-n -A1 cat words|-nB2 the words|-C0 foo text|-A0 foo text|-n -C1 -A3 foo many|\
        -nv -A1 foo many|-nvB1 foo many|-C1 -m1 foo many|-m2 -A9 foo many|-m3 foo many|-cm3 foo many|-m0 foo many|-m0 -L foo many|\
        -vm2 foo many|-l foo text words|-L foo text words|-lv foo text words|-Lv foo text words|-lc foo text words|-q foo text|\
        -q foo absent text|-q foo words|-H foo text|-h foo text many|-Hh foo text|-hH foo text|-Hc foo text|-hc foo text many|\
        -s foo absent text|foo absent text|-s foo absent|foo text many|-n foo text many|-c foo text words many|-A1 foo text many|\
        -C1 foo text words many|-Z -l foo text many|-Z foo text many|-ZL foo text words|-Zc foo text many|-ZnA1 foo text many|\
        -e foo -e bar text|-e foo -e foobar -o text|-o -e ab -e bc -e abc text|-on -e foo -e bar text|-e -x text|\
        --regexp=foo text|-f patterns text|-e hello -f patterns text|--line-buffered foo text|-o -A1 foo text many|-oC1 foo many|\
        -ov foo text|-ov -A1 foo text|-ovnb -C1 foo text|foo binary|-c foo binary|-a foo binary|-I foo binary|-Ic foo binary|\
        -IL foo binary|-l foo binary|-q foo binary|-n foo text binary many|-o foo binary|--text foo binary|\
        --binary-files=text foo binary|--binary-files=without-match foo binary|--color=always foo text|--color=never foo text|\
        --color=auto foo text|--color foo text|--colour=always foo text|--color=yes foo text|--color=none foo text|\
        --color=always -nbH -A1 foo text many|--color=always -o foo text|--color=always -c foo text many|\
        --color=always -l foo text|--color=always -v foo text|--color=always -vC1 foo text|--color=always -Zn foo text many|\
        --color=always -w cat words|--color=always -i -e foo -e oba text|--group-separator=** -A1 foo text|\
        --no-group-separator -A1 foo text|--label=in foo text -H|--include=*.txt foo below/one.txt below/two.rs|\
        --exclude=*.txt foo below/one.txt below/two.rs|--exclude=one* foo below/one.txt|--include=te?t foo text words|\
        -r foo below/one.txt|-rh foo below|-rl foo text below/one.txt|--no-ignore-case -i foo text|-i --no-ignore-case FOO text|\
        -n -n -c -c foo text|-A1 -A2 foo text|-l -L foo text words|-L -l foo text words|foo|-s foo|-H foo|-c foo|\
        --exclude-dir=below -r foo below|-r --include=*.txt foo below|-r --exclude=*.txt -c foo below|-rL foo below|\
        foo below|-s foo below|foo below text";
    folder.file("patterns", "foo\nworld\n");
    for call in calls.split('|') {
        let words: Vec<String> = call.split_whitespace().map(|word| word.replace("a_a", "a a")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if !assert_same(&folder, &words, "-F", "-F") {
            return;
        }
    }
    assert_same(&folder, &["-n", "foo\nworld", "text"], "-F", "-F");
    assert_same(&folder, &["-o", "-e", "foo\nworld", "-e", "bar", "text"], "-F", "-F");
}

#[test]
fn classes_are_those_of_grep() {
    let folder = folder();
    for pattern in [
        "fo[ob]",
        "[a-e]a",
        "[^a-z]f",
        "c.t",
        ".o",
        "[[:upper:]]oo",
        "[[:space:][:punct:]]f",
        r"o\b",
        "[]x]a",
        "[^]o]o",
        r"\.",
        "[o-]",
    ] {
        // In grep, \b is a word boundary.
        if pattern == r"o\b" {
            continue;
        }
        for options in ["-n", "-on", "-ob", "-v", "-ic", "-w", "-ow", "-x", "-A1"] {
            if !assert_same(&folder, &[options, pattern, "text", "words"], "--classes", "-G") {
                return;
            }
        }
    }
}

/// Random lines, patterns and options.
#[test]
fn random_calls_are_as_grep_s() {
    const FLAGS: [&str; 18] = [
        "-n",
        "-v",
        "-c",
        "-o",
        "-b",
        "-i",
        "-w",
        "-x",
        "-l",
        "-L",
        "-H",
        "-h",
        "-Z",
        "-A1",
        "-B2",
        "-C1",
        "-m2",
        "--color=always",
    ];
    for seed in 0..30 {
        let mut random = fastrand::Rng::with_seed(seed);
        let folder = Folder::new();
        let symbols = if seed % 5 == 4 { &b"ab\n\xe9 _A\r"[..] } else { &b"aab \n\n_A"[..] };
        let mut text =
            |most: usize| (0..random.usize(..most)).map(|_| symbols[random.usize(..symbols.len())]).collect();
        let (one, two): (Vec<u8>, Vec<u8>) = (text(120), text(60));
        // GNU grep treats a carriage return at a line's end as part of the line end.
        let has_returns = one.contains(&b'\r') || two.contains(&b'\r');
        folder.file("one", one);
        folder.file("two", two);
        for _ in 0..12 {
            let mut words: Vec<String> = Vec::new();
            for _ in 0..random.usize(..6) {
                let flag = FLAGS[random.usize(..FLAGS.len())];
                // With both -x and -w, GNU grep 3.8 includes the line end in the parts of -o.
                let is_odd = ["-x", "-w"].contains(&flag)
                    && (has_returns || words.iter().any(|word| ["-x", "-w"].contains(&word.as_str())));
                if !is_odd {
                    words.push(flag.into());
                }
            }
            for _ in 0..random.usize(1..4) {
                let mut pattern: String =
                    (0..random.usize(1..4)).map(|_| char::from(b"aab A_"[random.usize(..6)])).collect();
                // With -w and -o, GNU grep 3.8 treats the end of a hit as a word boundary: in "a b"
                // it finds " b" after "a", but not by itself.
                if words.iter().any(|word| word == "-w") {
                    pattern = pattern.replace(' ', "b");
                }
                words.extend(["-e".into(), pattern]);
            }
            words.push("one".into());
            if random.bool() {
                words.push("two".into());
            }
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if !assert_same(&folder, &words, "-F", "-F") {
                return;
            }
        }
    }
}

/// A file is counted in blocks of lines, and a pipe line by line.
#[test]
fn counts_of_a_file_and_of_a_pipe_are_the_same() {
    let folder = folder();
    // Longer than the beginning that is looked at for a NUL, and than a part of a pipe.
    let long = "x".repeat(700_000);
    folder.file("long", format!("foo {long} foo\n{long}foo\nfo\n{long}"));
    folder.file("late", [long.as_bytes(), b"\nfoo\n\0foo\n"].concat());
    let files = ["text", "words", "empty", "many", "binary", "long", "late"];
    for options in
        ["", "-v", "-i", "-x", "-w", "-m1", "-m3", "-o", "-I", "-a", "-k1", "-k1 -x", "-k1 --ends all", "-e cat"]
    {
        for output in ["-c", "-q", "-l", "-L"] {
            for file in files {
                let options = options.split_whitespace().chain([output, "-e", "foo", "--label", file]);
                let options: Vec<&str> = ["search"].into_iter().chain(options).collect();
                let content = std::fs::read(folder.path(file)).unwrap();
                let of_pipe = folder.run_with(&[&options[..], &["-"]].concat(), &content);
                let of_file = folder.run(&[&options[..], &[file]].concat());
                assert_eq!((of_file.code, of_file.stdout), (of_pipe.code, of_pipe.stdout), "{options:?} {file}");
            }
        }
    }
}
