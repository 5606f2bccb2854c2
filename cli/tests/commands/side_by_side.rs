//! Files of folders are searched and compared side by side; the output does not depend on the
//! number of threads.

use crate::common::program::Folder;

/// Returns random lines of letters.
fn lines(random: &mut fastrand::Rng, count: usize) -> String {
    let line = |random: &mut fastrand::Rng| {
        let len = random.usize(..30);
        (0..len).map(|_| b"abcd \t"[random.usize(..6)] as char).chain(['\n']).collect::<String>()
    };
    (0..count).map(|_| line(random)).collect()
}

/// Checks that a command prints the same with any number of threads, and that it prints something.
#[track_caller]
fn check(folder: &Folder, arguments: &[&str]) {
    let on = |threads: &str| folder.run(&[&["--threads", threads], arguments].concat());
    let expected = on("1");
    assert!(!expected.stdout.is_empty() || arguments.contains(&"-q"), "{arguments:?}: {}", expected.stderr);
    for threads in ["2", "5"] {
        let ran = on(threads);
        assert!(ran.stdout == expected.stdout, "{threads} threads, {arguments:?}");
        assert_eq!((ran.code, &ran.stderr), (expected.code, &expected.stderr), "{threads} threads, {arguments:?}");
    }
}

#[test]
fn searches_of_folders() {
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(1);
    for number in 0..300 {
        let name = format!("texts/{}/{number}", number % 7);
        match number % 30 {
            0 => drop(folder.file(&name, format!(">c1\n{}\n>c2\nACCA\n", "GATTACA".repeat(number + 1)))),
            1 => drop(folder.file(&name, "ab\0cd\n")),
            2 => drop(folder.file(&name, b"\xff\xfea\0b\0\n\0")),
            3 => drop(folder.file(&name, "Müller abcd\n")),
            4 => drop(folder.file(&name, "")),
            // Longer than the files that one thread searches, and with more output.
            5 if number < 60 => drop(folder.file(&name, lines(&mut random, 100_000))),
            6 if number < 60 => drop(folder.file(&name, "abcd abcd abcd\n".repeat(60_000))),
            // Records whose alphabet is not certain.
            7 => drop(folder.file(&name, ">p\nACGTACGT\n")),
            count => drop(folder.file(&name, lines(&mut random, count))),
        }
    }
    for options in [
        &["abc"][..],
        &["-n", "-k1", "abcd"],
        &["-c", "abc"],
        &["-l", "abcd"],
        &["-L", "abcd"],
        &["-o", "-b", "ab"],
        &["-m2", "-e", "ab", "-e", "cd"],
        &["-A1", "-B1", "abcda"],
        &["-q", "dcba"],
        &["--format", "bed", "ACA"],
        &["--format", "json", "abcd"],
        &["--color=always", "-i", "ABC"],
        &["-v", "-c", "b"],
    ] {
        check(&folder, &[&["search", "-r"], options, &["texts"]].concat());
    }
    // A file that cannot be read, between others.
    check(&folder, &["search", "-r", "abc", "texts/1", "texts/absent", "texts/2"]);
}

#[test]
fn comparisons_of_folders() {
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(2);
    for number in 0..200 {
        let [old, new] = ["old", "new"].map(|side| format!("{side}/{}/{number}", if number < 150 { "a" } else { "b" }));
        let text = match number {
            // Longer than the files that one thread compares.
            7 => lines(&mut random, 20_000),
            _ => lines(&mut random, 30),
        };
        match number % 20 {
            0 => drop(folder.file(&old, &text)),
            1 => drop(folder.file(&new, &text)),
            2 => {
                folder.file(&old, "a\0b");
                folder.file(&new, "a\0c");
            }
            3 => {
                folder.file(&old, &text);
                folder.file(&new, text.trim_end());
            }
            4..10 => {
                folder.file(&old, &text);
                folder.file(&new, text.replacen("ab", "x\n", 3));
            }
            _ => {
                folder.file(&old, &text);
                folder.file(&new, &text);
            }
        }
    }
    for options in [&[][..], &["-u"], &["-q"], &["-s"], &["-uN"], &["--stat"], &["-y"], &["-e"], &["--json"], &["-l"]] {
        check(&folder, &[&["diff", "-r"], options, &["old", "new"]].concat());
    }
    check(&folder, &["diff", "-ru", "--color=always", "--palette=wrong", "old", "new"]);
}
