//! `carrywave diff` as git's external diff program: it prints the same as git, and git applies it.

use crate::common::program::{Folder, Ran, assert_mentions};
use std::process::Command;

/// Separate settings and a separate user, so that those of the machine have no effect.
const SETTINGS: &str = "export HOME=\"$PWD\" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=\"$PWD/../.none\" TERM=xterm LC_ALL=C \
    GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@y GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@y; \
    unset GIT_EXTERNAL_DIFF GIT_PAGER_IN_USE NO_COLOR GIT_DIR; ";

/// Runs shell command lines. `$C` is the program; `ext` is git with the program as external diff.
fn shell(folder: &Folder, lines: &str) -> Ran {
    folder.shell(&format!("{SETTINGS} ext() {{ git -c diff.external=\"'$C' diff\" \"$@\"; }}; {lines}"))
}

/// Returns the output of shell command lines that succeed without a message.
#[track_caller]
fn printed(folder: &Folder, lines: &str) -> String {
    let ran = shell(folder, lines);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{lines}\n{}", String::from_utf8_lossy(&ran.stdout));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// Returns git's version, or `None` if git is not installed.
fn version() -> Option<[u32; 2]> {
    let Ok(output) = Command::new("git").arg("version").output() else {
        eprintln!("not run: there is no git here");
        return None;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
    Some([numbers.next()?, numbers.next()?])
}

/// Names that need quotes, that look like options, or that look like other words of git's call.
const NAMES: [&str; 22] = [
    "plain",
    "a b",
    "t\tb",
    "n\nl",
    "q\"uote",
    "back\\slash",
    "é",
    "日本 x",
    "-q",
    "--help",
    "-",
    "--",
    "--unit=words",
    " x ",
    "*",
    "\u{1}\u{7f}",
    "sub dir/f",
    "sub/-u",
    "diff",
    "100644",
    ".dot",
    "a b\tc\r",
];

const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";

/// Creates a repository with a commit, and stages a change of each type for each type of name.
fn repository() -> Option<Folder> {
    version()?;
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("sub dir")).unwrap();
    std::fs::create_dir_all(folder.path("sub")).unwrap();
    // A submodule that is not checked out.
    std::fs::create_dir_all(folder.path("module")).unwrap();
    for name in NAMES {
        folder.file(name, LINES);
    }
    let heading =
        "a_function_with_a_name_of_more_than_forty_bytes(and, some, parameters, of, which, one, is, cut, off)  \n";
    folder.file("code.c", format!("{heading}{{\n\n\n\n\n\n\n\n}}\n$x\n\n\n\n\n\n\n\n1\n"));
    for name in ["gone", "gone é", "mode", "mode too", "empty gone", "binary"] {
        folder.file(name, if name.starts_with("empty") { "".into() } else { format!("{name}\n{LINES}") });
    }
    for name in ["moved", "moved\tfar", "moved exactly", "moved with mode"] {
        folder.file(name, format!("{name}\n{LINES}"));
    }
    folder.file("binary", b"\0x");
    folder.file("late zero", [&[b'x'; 5000][..], b"\n\0a\n"].concat());
    folder.file("unended", "a\nb");
    printed(
        &folder,
        "git init -q; ln -s target link; ln -s target was-link; ln -s t 'gone link'; git add -A; \
        git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,module; git commit -qm 1",
    );
    for (i, name) in NAMES.iter().enumerate() {
        folder.file(name, LINES.replace("6\n", "six\nsix\n").replace("12\n", if i % 2 == 0 { "12" } else { "" }));
    }
    folder.file("code.c", format!("{heading}{{\n\n\n\n\n\n\n\n2}}\n$x\n\n\n\n\n\n\n\n3\n"));
    folder.file("binary", b"\0y");
    folder.file("late zero", [&[b'x'; 5000][..], b"\n\0b\n"].concat());
    folder.file("mode too", "other\n");
    folder.file("unended", "a\nb\nc");
    folder.file("new", "new\n");
    folder.file("new \"é\"", "new\n");
    folder.file("empty new", "");
    printed(
        &folder,
        "rm gone 'gone é' 'empty gone' 'gone link' link was-link; ln -s other link; echo file >was-link; rm plain; ln -s x plain; ln -s new 'new link'; \
        chmod +x mode 'mode too' 'moved with mode'; mv moved to; mv 'moved\tfar' 'far\taway'; mv 'moved exactly' 'there é'; \
        mv 'moved with mode' ./-to; echo 13 >>to; echo 13 >>'far\taway'; echo 13 >>./-to; git add -A; \
        git update-index --add --cacheinfo 160000,2222222222222222222222222222222222222222,module",
    );
    Some(folder)
}

/// Asserts that git prints the same with the program as without it.
#[track_caller]
fn assert_as_git(folder: &Folder, settings: &str, words: &str) {
    let ours = shell(folder, &format!("ext {settings} diff {words}"));
    let git = shell(folder, &format!("git {settings} diff --no-ext-diff --minimal {words}"));
    assert_eq!(String::from_utf8_lossy(&ours.stdout), String::from_utf8_lossy(&git.stdout), "{settings} {words}");
    assert_eq!((ours.code, ours.stderr), (git.code, git.stderr), "{settings} {words}");
    assert!(git.stdout.len() > 100, "{settings} {words}");
}

const TEXT: &str = "-- . ':!binary' ':!late zero'";

#[test]
fn heads_and_hunks_are_git_s() {
    let Some(folder) = repository() else { return };
    assert_as_git(&folder, "", &format!("--cached -M {TEXT}"));
    // Different settings, with one file of each type.
    let some = "-- code.c é 'q\"uote' mode 'mode too' to moved new gone was-link 'empty new'";
    for (settings, words) in [
        ("-c core.quotePath=false", "--cached --no-renames"),
        ("-c diff.noprefix", "--cached -M"),
        ("-c core.abbrev=12", "--cached -C --find-copies-harder"),
        ("-c core.abbrev=no -c color.ui=never", "--cached --exit-code"),
    ] {
        assert_as_git(&folder, settings, &format!("{words} {some}"));
    }
    if version() >= Some([2, 45]) {
        assert_as_git(&folder, "-c diff.srcPrefix=old/ -c diff.dstPrefix='né w/'", &format!("--cached -M {some}"));
    }
    // For a binary file the object names are not abbreviated, so that git finds the content.
    assert_as_git(&folder, "", "--cached --full-index -- binary 'late zero'");
    // Files of the working tree, whose objects git has not named yet.
    let undone =
        "git reset -q -- . ':!module' ':!to' ':!./-to'; git add -N new 'new \"é\"' 'empty new'; rm t*b; echo 14 >>to";
    printed(&folder, undone);
    assert_as_git(&folder, "", TEXT);
    assert_as_git(&folder, "", &format!("HEAD -M {some}"));
    printed(&folder, "cd sub; ext diff --relative >../ours; git diff --relative --minimal >../git; cmp ../ours ../git");
    assert_as_git(&folder, "", "HEAD:mode HEAD:code.c");
    // Different names on both sides, a file of the working tree with line ends that git converts,
    // and a repository with SHA-256.
    printed(
        &folder,
        "printf '* text=auto eol=lf\\n' >.gitattributes; printf 'a\\nb\\n' >crlf; git add crlf; printf 'a\\nc\\n' >crlf",
    );
    assert_as_git(&folder, "", "-- crlf");
    let other = "git init -q --object-format=sha256 s; cd s; printf 'a\\nb\\n' >x; git add x; git commit -qm 1; printf 'a\\nc\\n' >x; \
        ext diff >../ours; git diff >../git; cmp ../ours ../git";
    printed(&folder, other);
}

#[test]
fn patches_apply() {
    let Some(folder) = repository() else { return };
    let tree = printed(&folder, "git write-tree; ext diff --cached -M --binary >../patch-$$; echo $$");
    let [tree, patch] = [0, 1].map(|line| tree.lines().nth(line).unwrap().to_owned());
    for apply in ["apply --index", "apply -3"] {
        let found = printed(
            &folder,
            &format!("git reset -q --hard; git {apply} ../patch-{patch} >/dev/null 2>&1; git write-tree"),
        )
        .replace('\n', "");
        assert_eq!(found, tree, "git {apply}");
    }
    // A three-way merge: the file has changed outside the patch, and git finds the old content by
    // its object name.
    let merged = printed(
        &folder,
        &format!(
            "rm ../patch-{patch}; git reset -q --hard; printf '{}' >'a b'; git add -A; git commit -qm 2; printf '{}' >'a b'; ext diff >../three-$$; \
            git commit -qam 3; printf '{}' >'a b'; git commit -qam 4; git apply -3 ../three-$$ 2>/dev/null; rm ../three-$$; cat 'a b'",
            "1\\n2\\n3\\n4\\n", "1\\n2\\n3\\nfour\\n", "one\\n2\\n3\\nfour\\n"
        ),
    );
    assert_eq!(merged, "one\n2\n3\nfour\n");
}

#[test]
fn patch_applies_it() {
    let Some(folder) = repository() else { return };
    if Command::new("patch").arg("--version").output().is_err() {
        return eprintln!("not run: there is no patch here");
    }
    let names = "'a b' code.c gone mode* to moved new unended sub é";
    let lines = format!(
        "git commit -qm 2; git checkout -q HEAD~; ext diff HEAD HEAD@{{1}} -- {names} >p; patch -s -p1 <p; rm -f p; git add -A; \
        git diff --cached --quiet HEAD@{{1}} -- {names}"
    );
    printed(&folder, &lines);
}

#[test]
fn git_s_words_are_no_options() {
    let Some(folder) = repository() else { return };
    let words = printed(&folder, "git -c diff.external=\"'$C' diff --unit words\" diff --cached -- ./-q ./--help ./-");
    assert_eq!(words.matches("[-6-]{+six").count(), 3, "{words}");
    let json = printed(&folder, "git -c diff.external=\"'$C' diff --json --\" diff --cached -- ./-q 't\tb' new");
    assert_mentions(&json, &["\"a\":\"-q\"", "\"b\":\"t\\tb\"", "\"a\":\"/dev/null\",\"b\":\"new\""]);
    let brief = printed(&folder, "git -c diff.external=\"'$C' diff -q\" diff --cached -- ./-q new");
    assert_eq!(brief, "Files a/-q and b/-q differ\nFiles /dev/null and b/new differ\n");
    // A script calls the program with two files, followed by options.
    folder.file("script", "#!/bin/sh\n\"$C\" diff \"$2\" \"$5\" -u --label a; exit 0\n");
    let script = printed(&folder, "chmod +x script; git -c diff.external=./script diff --cached -- code.c");
    assert_mentions(&script, &["--- a\n", "-}\n+2}\n"]);
    let tool = printed(&folder, "git reset -q -- ./-q; git difftool -y -x \"$C diff -u\" -- ./-q");
    assert_mentions(&tool, &["-6\n+six\n"]);
}

#[test]
fn files_that_are_not_merged() {
    let Some(folder) = repository() else { return };
    let conflict = "git commit -qm 2; git checkout -qb other HEAD~; for name in -q --help 'a b'; do echo x >\"./$name\"; done; git commit -qam 3; \
        git merge -q - >/dev/null 2>&1; ext diff --cached -- ./-q ./--help 'a b'; ext diff --cached --diff-filter=U >ours; \
        git diff --cached --diff-filter=U >git; cmp ours git";
    assert_eq!(printed(&folder, conflict), "* Unmerged path --help\n* Unmerged path -q\n* Unmerged path a b\n");
}

#[test]
fn git_calls_it_as_difftool() {
    let Some(folder) = repository() else { return };
    let text = printed(&folder, "git difftool -y -x \"$C diff\" --cached -- code.c new");
    assert_mentions(&text, &["10c10\n< }\n---\n> 2}\n", "0a1\n> new\n"]);
    let settings = "-c difftool.c.cmd='\"$C\" diff -r --stat -- \"$LOCAL\" \"$REMOTE\"'";
    let text = printed(&folder, &format!("git {settings} difftool -d -t c --cached -- code.c new"));
    assert_mentions(&text, &["code.c  | 4 ++--\n"]);
}

#[test]
fn exit_codes_are_trusted_or_not() {
    let (Some(folder), Some(version)) = (repository(), version()) else { return };
    folder.file("space", "a b\n");
    printed(&folder, "git add space; git commit -qm 2; printf 'a  b\\n' >space; printf 'x\\n' >>code.c; chmod -x mode");
    let code = |settings: &str, words: &str| {
        let ran = shell(&folder, &format!("ext {settings} diff {words}"));
        assert_eq!(ran.stderr, "", "{settings} {words}");
        ran.code
    };
    let trusts = "-c diff.trustExitCode=true";
    for settings in ["", trusts] {
        assert_eq!(code(settings, ""), 0, "{settings}");
        for words in ["--exit-code", "--quiet", "--exit-code -- mode", "--quiet -- mode", "--exit-code -- code.c"] {
            assert_eq!(code(settings, words), 1, "{settings} {words}");
        }
        assert_eq!(code(settings, "--exit-code -- plain"), 0, "{settings}");
    }
    if version < [2, 46] {
        return;
    }
    // The program's own options determine which differences count.
    let ignores = format!("{trusts} -c diff.external=\"'$C' diff -w\"");
    assert_eq!(code(&ignores, "--exit-code -- space"), 0);
    assert_eq!(code(&ignores, "--quiet -- space"), 0);
    assert_eq!(code(&ignores, "--quiet -- code.c"), 1);
    assert_eq!(printed(&folder, &format!("ext {ignores} diff -- space")), "");
    let variable = "GIT_EXTERNAL_DIFF=\"'$C' diff\" GIT_EXTERNAL_DIFF_TRUST_EXIT_CODE=1 git -c diff.trustExitCode=false diff --quiet; echo $?";
    assert_eq!(printed(&folder, variable), "1\n");
    assert_eq!(printed(&folder, &format!("GIT_EXTERNAL_DIFF=\"'$C' diff\" git {trusts} diff --quiet; echo $?")), "1\n");
    // A driver named in the attributes has its own setting.
    let driver = |trusts: &str| {
        let settings = format!("-c diff.mine.command=\"'$C' diff\" {trusts}");
        printed(
            &folder,
            &format!(
                "echo '*.c diff=mine' >.git/info/attributes; git {settings} diff --exit-code -- code.c >/dev/null; echo $?"
            ),
        )
    };
    assert_eq!([driver(trusts), driver("-c diff.mine.trustExitCode")], ["1\n", "1\n"]);
}

#[test]
fn colours_are_those_of_git_s_settings() {
    let Some(folder) = repository() else { return };
    let has_colors = |settings: &str, variables: &str| {
        let text = printed(&folder, &format!("{variables} ext {settings} diff --cached -- code.c"));
        let plain = text.contains("\n-}\n+2}\n") && text.starts_with("diff --git");
        let colored =
            text.contains("\n\x1b[31m-}\x1b[0m\n\x1b[32m+2}\x1b[0m\n") && text.starts_with("\x1b[1mdiff --git");
        assert!(plain != colored, "{settings} {variables}: {text:?}");
        colored
    };
    assert!(!has_colors("", ""));
    assert!(has_colors("", "export GIT_PAGER_IN_USE=true;"));
    assert!(has_colors("-c color.diff=always -c color.ui=never", ""));
    assert!(!has_colors("-c color.ui=false", "export GIT_PAGER_IN_USE=true;"));
    assert!(!has_colors("-c color.pager=false", "export GIT_PAGER_IN_USE=true;"));
    assert!(!has_colors("", "export GIT_PAGER_IN_USE=true TERM=dumb;"));
    assert!(!has_colors("-c diff.external=\"'$C' diff --color=never\"", "export GIT_PAGER_IN_USE=true;"));
    assert!(has_colors("-c diff.external=\"'$C' diff --color=always\"", ""));
}

/// Options of GNU diff in git's setting apply together with git's own lines.
#[test]
fn options_count_where_git_calls() {
    let Some(folder) = repository() else { return };
    let lines: String = (1..30).map(|line| format!("  {line}\n")).collect();
    folder.file("code.c", format!("Überschrift\nfunction\n{lines}"));
    printed(&folder, "git add code.c; git commit -qm 2");
    folder.file("code.c", format!("Überschrift\nfunction\n{}", lines.replace("20\n", "twenty\n")));
    let with = |options: &str| {
        printed(&folder, &format!("git -c diff.external=\"'$C' diff {options}\" diff --ext-diff -- code.c"))
    };
    let head = "diff --git a/code.c b/code.c\nindex ";
    for (options, is_head, expected) in [
        ("", true, "@@ -19,7 +19,7 @@ function\n"),
        ("-p", true, "@@ -19,7 +19,7 @@ function\n"),
        ("-F ^.ber", true, "@@ -19,7 +19,7 @@ Überschrift\n"),
        ("-pF ' 1[0-9]'", true, "@@ -19,7 +19,7 @@ 16\n"),
        ("-9", true, "@@ -13,19 +13,19 @@ function\n"),
        ("--unit words -1", true, "@@ -21,3 +21,3 @@ function\n  19\n  [-20-]{+twenty+}\n  21\n"),
        ("-c", true, "\n*** a/code.c\n--- b/code.c\n*************** function\n"),
        ("--color=always --palette=hd=35", true, "\x1b[35m+++ b/code.c\x1b[0m\n"),
        ("-n", false, "d22 1\na22 1\n  twenty\n"),
        ("-f", false, "c22\n  twenty\n.\n"),
        ("--old-line-format=%L --new-line-format= --unchanged-line-format=", false, "  20\n"),
        ("-q", false, "Files a/code.c and b/code.c differ\n"),
        ("-l", true, "  twenty\n"),
        ("-I twenty -I 20", false, ""),
    ] {
        let text = with(options);
        assert_mentions(&text, &[expected]);
        let plain = text.replace("\x1b[35m", "").replace("\x1b[0m", "");
        assert_eq!(plain.contains(head), is_head, "{options}: {text}");
    }
}

const GENESIS: &str = "\
In the beginning God created the heaven and the earth. And the earth was without form, and void; and darkness was upon the face
of the deep. And the Spirit of God moved upon the face of the waters. And God said, Let there be light: and there was light.
And God saw the light, that it was good: and God divided the light from the darkness. And God called the light Day, and the
darkness he called Night. And the evening and the morning were the first day. And God said, Let there be a firmament in the
midst of the waters, and let it divide the waters from the waters.
";

const PSALM: &str = "\
The LORD is my shepherd; I shall not want. He maketh me to lie down in green pastures: he leadeth me beside the still waters.
He restoreth my soul: he leadeth me in the paths of righteousness for his name's sake. Yea, though I walk through the valley of
the shadow of death, I will fear no evil: for thou art with me; thy rod and thy staff they comfort me. Thou preparest a table
before me in the presence of mine enemies: thou anointest my head with oil; my cup runneth over. Surely goodness and mercy shall
follow me all the days of my life: and I will dwell in the house of the LORD for ever.
";

/// Unrelated texts have no more marks than in `git diff --word-diff`, and a changed word is marked
/// separately.
#[test]
fn unrelated_texts_are_not_shredded() {
    if version().is_none() {
        return;
    }
    let folder = Folder::new();
    let marks = |lines: &str| {
        let text = String::from_utf8(shell(&folder, lines).stdout).unwrap();
        text.matches("[-").count() + text.matches("{+").count()
    };
    for (a, b, most) in [(GENESIS, PSALM, 60), (PSALM, GENESIS, 60), (PSALM, &PSALM.replace("the", "ye"), 24)] {
        folder.file("a", a);
        folder.file("b", b);
        let git = marks("git diff --no-index --word-diff a b | tail -n +5");
        let ours = marks("\"$C\" diff --unit words a b | tail -n +3");
        assert!(ours <= git && ours <= most, "{ours} marks, {git} by git");
    }
}

/// Commits of random changes to files with all types of names. Each commit's difference, applied to
/// its parent, gives the commit's tree.
#[test]
fn a_history_is_applied() {
    if version().is_none() {
        return;
    }
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(1);
    let mut names: Vec<String> = NAMES.iter().map(|name| name.replace('/', "_")).collect();
    let mut there: Vec<String> = Vec::new();
    printed(&folder, "git init -q");
    for commit in 0..20 {
        for _ in 0..3 {
            let new = names.get(random.usize(..names.len().max(1))).cloned();
            let old = there.get(random.usize(..there.len().max(1))).cloned();
            let lines = (0..random.usize(..30)).map(|_| random.usize(..9).to_string()).collect::<Vec<_>>();
            let text = lines.join(if random.usize(..4) == 0 { "\r\n" } else { "\n" });
            let is_gone = match (random.usize(..4), &old, &new) {
                (0, Some(old), _) => std::fs::remove_file(folder.path(old)).is_ok(),
                (1, Some(old), Some(new)) => std::fs::rename(folder.path(old), folder.path(new)).is_ok(),
                (2, Some(old), _) | (_, Some(old), None) => folder.file(old, text).as_os_str().is_empty(),
                (_, _, Some(new)) => folder.file(new, text).as_os_str().is_empty(),
                (_, None, None) => unreachable!("each name is in one of the lists"),
            };
            if let Some(old) = old.filter(|_| is_gone) {
                there.retain(|name| *name != old);
                names.push(old);
            }
            if let Some(new) = new.filter(|new| folder.path(new).exists()) {
                names.retain(|name| *name != new);
                there.push(new);
            }
        }
        printed(&folder, &format!("git add -A; git commit -qm {commit} --allow-empty"));
    }
    assert_eq!(apply_commits(&folder, ".", 20), Applied { commits: 19, wrong: Vec::new() });
}

#[derive(Debug, PartialEq)]
struct Applied {
    commits: usize,
    /// Commits whose tree differs from the parent's tree with the patch applied.
    wrong: Vec<String>,
}

/// Applies the differences of a repository's last commits, each to its first parent's tree, in a
/// separate index.
fn apply_commits(folder: &Folder, repository: &str, most: usize) -> Applied {
    let lines = format!(
        "cd '{repository}'; export GIT_INDEX_FILE=\"$HOME/.index\"; git rev-list -n {most} --min-parents=1 HEAD | while read -r commit; do \
        git read-tree \"$commit^\"; ext diff --ext-diff -M \"$commit^\" \"$commit\" >\"$HOME/.patch\"; \
        if test -s \"$HOME/.patch\"; then git apply --cached --whitespace=nowarn \"$HOME/.patch\"; fi; \
        if test \"$(git write-tree)\" = \"$(git rev-parse \"$commit^{{tree}}\")\"; then echo right; else echo \"$commit\"; fi; done"
    );
    let ran = shell(folder, &lines);
    let text = String::from_utf8(ran.stdout).unwrap();
    let wrong: Vec<String> = text.lines().filter(|line| *line != "right").map(str::to_owned).collect();
    assert!(wrong.is_empty() || !ran.stderr.is_empty(), "{wrong:?}");
    eprintln!("{}", ran.stderr);
    Applied { commits: text.lines().count(), wrong }
}

/// Checks the last 1,000 commits of the repository in `CARRYWAVE_HISTORY`. This takes some minutes.
#[test]
#[ignore = "needs a repository with a long history: CARRYWAVE_HISTORY=/path"]
fn a_real_history_is_applied() {
    let Ok(repository) = std::env::var("CARRYWAVE_HISTORY") else {
        return eprintln!("not run: CARRYWAVE_HISTORY is not set");
    };
    let found = apply_commits(&Folder::new(), &repository, 1000);
    assert!(found.commits > 0 && found.wrong.is_empty(), "{found:?}");
    eprintln!("{} commits", found.commits);
}
