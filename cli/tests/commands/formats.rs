//! File formats that are either read or refused, but never silently treated as lines; names that
//! are safe for a terminal; and files that shrink.

use crate::common::program::{Folder, assert_mentions, gz};
use std::io::{Read, Write};
use std::process::Stdio;

/// Three reads of several lines. The qualities of one look like other lines.
const READS: &str =
    "\n@r1 a\nACGTACGT\nACGTTTGA\n+r1 a\n@IIIIIII\n+IIIIIII\n@r2\nGG\n+\n;\n>\n@r3\r\nGATT\r\nACA\r\n+\r\nIIIIIII";

#[test]
fn reads_of_several_lines_are_reads_for_every_command() {
    let folder = Folder::new();
    folder.file("text", "GG\n");
    folder.file("pipe.fa", "; by hand\n;>no\n>r1\n;x\nACGTACGT\nACGTTTGA\n>r2\nGG\n; end\n>r3\nGATTACA\n");
    for (name, content) in [("a.fq", READS.as_bytes().to_vec()), ("b.fq", gz(&gz(READS.as_bytes())))] {
        folder.file(name, content);
        for file in [name, "pipe.fa"] {
            assert_eq!(folder.answer(&["search", "-k", "1", "CGTTTG", file]), "r1\t9\t15\tCGTTTG\t0\t+\n");
            assert_eq!(folder.answer(&["search", "-c", "TACGTT", file]), "1\n");
            assert_eq!(folder.answer(&["search", "-f", file, "text"]), "GG\n");
            assert_eq!(folder.answer(&["best", "TACGTT", file]), "distance 0, r1 7..13: TACGTT\n");
            assert_eq!(folder.answer(&["distance", "--all", file]), "r1\tr2\t14\nr1\tr3\t10\nr2\tr3\t6\n");
            assert_eq!(folder.answer(&["lcs", file, file, "--record-a", "r1", "--record-b", "r1"]), "16\n");
            assert_eq!(folder.answer(&["lcs", file, file, "--records", "same"]).lines().count(), 4);
        }
        let text = folder.answer(&["search", "--format", "text", "TACGTT", name]);
        assert_eq!(text, "@r1 a\nACGTACGTACGTTTGA\n+\n@IIIIIII+IIIIIII\n");
    }
    assert_eq!(folder.answer(&["search", "-c", "--raw", "ACGT", "a.fq"]), "2\n");
}

#[test]
fn what_is_broken_is_an_error_with_its_line_and_text_is_text() {
    let folder = Folder::new();
    folder.file("text", "GG\n");
    for (content, words) in [
        ("@r1\nACGT\n+\nIIII\n@r2\nACGT\n+\nIII\n", &["file: ", "line 5", "3 qualities for 4 symbols"][..]),
        ("@r1\nACGT\n+\nIIII\nr2\nACGT\n+\nIIII\n", &["file: ", "line 5 should start"]),
        ("@r1\nACGT\nAC\n+\nIIIIIII\n", &["file: ", "line 1", "6 symbols", "line 5"]),
        ("@r1\nACGTACGT\n", &["file: ", "line 1", "cut short"]),
        ("@r1\nACGTACGT\nand text\n", &["file: ", "line 1"]),
    ] {
        folder.file("file", content);
        for (code, call) in [
            (2, &["search", "ACGT", "file"][..]),
            (2, &["search", "-f", "file", "text"]),
            (1, &["best", "ACGT", "file"]),
            (1, &["distance", "--all", "file"]),
            (1, &["lcs", "file", "file"]),
        ] {
            let ran = folder.run(call);
            let message = ran.stderr.clone();
            assert_eq!((ran.code, message.lines().count()), (code, 1), "{call:?}: {message}");
            assert_mentions(&message, words);
        }
    }
    for content in
        ["@someone\nhello\nthere\n", "@@ -1 +1 @@\n-ACGT\n+ACGA\n", "; an option\nx = ACGT\n", "@HD\tVN:1\n@SQ\n"]
    {
        folder.file("file", content);
        let printed = folder.answer(&["search", "-n", "-v", "zz", "file", "--raw"]);
        assert_eq!(folder.answer(&["search", "-n", "-v", "zz", "file"]), printed);
    }
}

#[test]
fn zeros_behind_what_is_compressed_are_no_fault() {
    let folder = Folder::new();
    folder.file("plain", "one\ntwo\n");
    for (program, name) in [("gzip", "plain.gz"), ("bzip2", "plain.bz2"), ("xz", "plain.xz"), ("zstd", "plain.zst")] {
        if folder.shell(&format!("{program} -k plain && head -c 1000 /dev/zero >> {name}")).code != 0 {
            eprintln!("not run: there is no {program} here");
            continue;
        }
        assert_eq!(folder.answer(&["search", "two", name]), "two\n");
    }
}

#[test]
fn names_do_not_reach_a_terminal_as_they_are() {
    let folder = Folder::new();
    folder.file("n.fa", ">a\u{9b}31mx\u{7f}\u{1b}]0;t\u{7}\u{202e}\nACGTACGT\n>b\u{85}\nACGTACGA\n");
    let pair: [&[&str]; 14] = [
        &["distance", "--all", "n.fa"],
        &["distance", "--all", "n.fa", "--top", "1"],
        &["distance", "--all", "n.fa", "--max", "3", "--clusters"],
        &["distance", "--all", "n.fa", "--max", "3", "--clusters=json"],
        &["lcs", "n.fa", "n.fa", "--records", "all"],
        &["search", "ACGT", "n.fa"],
        &["search", "-o", "ACGT", "n.fa"],
        &["search", "--format", "text", "ACGT", "n.fa"],
        &["search", "--format", "json", "ACGT", "n.fa"],
        &["search", "--format", "sam", "ACGT", "n.fa"],
        &["search", "--format", "paf", "ACGT", "n.fa"],
        &["search", "--format", "align", "ACGT", "n.fa"],
        &["best", "ACGT", "n.fa"],
        &["best", "--output", "tsv", "ACGT", "n.fa"],
    ];
    let mut runs: Vec<Vec<String>> =
        pair.iter().map(|call| call.iter().map(|&word| word.to_owned()).collect()).collect();
    for (command, outputs) in
        [("lcs", &["summary", "blocks", "json", "paf"][..]), ("distance", &["blocks", "json", "paf", "cigar"])]
    {
        for output in outputs {
            let words = [command, "n.fa", "n.fa", "--record-a", "1", "--record-b", "2", "--output", output];
            runs.push(words.map(str::to_owned).to_vec());
        }
    }
    runs.push(["lcs", "n.fa", "n.fa"].map(str::to_owned).to_vec());
    let bad = "bad\u{9b}\u{1b}[31m";
    folder.file(bad, "one\n");
    for call in [
        &["search", "-c", "one", bad, "n.fa"][..],
        &["search", "-l", "one", bad],
        &["search", "--format", "bed", "one", bad],
        &["diff", "--stat", bad, "n.fa"],
        &["best", "one", bad],
        &["search", "one", "none\u{9b}"],
        &["lcs", "--threads", "x\u{9b}", "a", "b"],
        &["lcs", "none\u{9b}", "n.fa"],
    ] {
        runs.push(call.iter().map(|&word| word.to_owned()).collect());
    }
    for call in runs {
        let ran = folder.run(&call.iter().map(String::as_str).collect::<Vec<_>>());
        let printed = format!("{}{}", String::from_utf8(ran.stdout).unwrap(), ran.stderr);
        assert!(!printed.is_empty(), "{call:?}");
        let acts = |c: char| c.is_control() && c != '\n' && c != '\t' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!printed.contains(acts), "{call:?}: {printed:?}");
    }
    assert_eq!(folder.answer(&["distance", "--all", "n.fa"]).split('\t').count(), 3);
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_an_error() {
    let folder = Folder::new();
    for (start, line) in [("", "a line of text, AND GO on again\n"), (">r\n", "ACGTACGTACGTACGTACGTACGTACG\n")] {
        folder.file("big", format!("{start}{}", line.repeat(1_200_000)));
        let file = std::fs::OpenOptions::new().write(true).open(folder.path("big")).unwrap();
        // After its first output, the program has read a part of the file, and blocks while nobody
        // reads the rest of the output.
        let mut command = folder.command(&["search", "--threads", "1", "G", "big"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut byte = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut byte).unwrap();
        file.set_len(1 << 20).unwrap();
        let ran = crate::common::program::ran(child.wait_with_output().unwrap());
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert_mentions(&ran.stderr, &["carrywave: big: the file shrank while it was read"]);
    }
    // System files whose reported size is 0 or too large.
    for file in ["/proc/self/status", "/proc/cpuinfo", "/sys/kernel/mm/transparent_hugepage/enabled"] {
        if std::fs::read(file).is_ok() {
            let ran = folder.run(&["search", "-c", "e", file]);
            assert!(ran.code == 0 && ran.stderr.is_empty(), "{file}: {}", ran.stderr);
        }
    }
}

#[test]
fn patterns_from_nothing_find_nothing() {
    let folder = Folder::new();
    folder.file("text", "one\ntwo\n");
    folder.file("a.fa", ">a\nACGT\n");
    folder.file("empty", "");
    for call in [
        &["search", "-f", "empty", "text"][..],
        &["search", "-f", "empty", "-k", "1", "text"],
        &["search", "-f", "empty", "-q", "text"],
        &["search", "-f", "empty", "-l", "text"],
        &["search", "-f", "empty", "--whole", "-c", "-q", "text"],
        &["search", "-f", "empty", "a.fa"],
        &["search", "-f", "empty", "--format", "json", "text"],
    ] {
        let ran = folder.run(call);
        assert_eq!((ran.code, &ran.stdout[..], &ran.stderr[..]), (1, &b""[..], ""), "{call:?}");
    }
    assert_eq!(folder.answer(&["search", "-f", "empty", "-v", "-n", "text"]), "1:one\n2:two\n");
    assert_eq!(folder.answer(&["search", "-f", "empty", "-vc", "text"]), "2\n");
    assert_eq!(folder.run(&["search", "-f", "empty", "-c", "text"]).stdout, b"0\n");
    assert_eq!(folder.answer(&["search", "-f", "empty", "-e", "two", "text"]), "two\n");
    assert_eq!(folder.run(&["search", "-f", "empty", "none"]).code, 2);
    folder.file("blank", "\n\n");
    assert_mentions(&folder.refusal(2, &["search", "-f", "blank", "text"]), &["blank: ", "no pattern"]);
    assert_mentions(&folder.refusal(1, &["best", "-f", "empty", "text"]), &["empty: ", "no pattern"]);
    // Reads without symbols are named in a note, and the others are searched.
    folder.file("reads.fa", ">a\n>b\nACG\n>c\n\n>d\n>e\n");
    let ran = folder.run(&["search", "-f", "reads.fa", "a.fa"]);
    assert_eq!((ran.code, &ran.stdout[..]), (0, &b"a\t0\t3\tb\t0\t+\n"[..]));
    let note = "carrywave: reads.fa: skipped patterns without symbols: a in line 1, c in line 4, d in line 6, 1 more\n";
    assert_eq!(ran.stderr, note);
}

#[test]
fn a_note_says_that_a_pattern_looks_like_a_regular_expression() {
    let folder = Folder::new();
    folder.file("text", "one\ntwo\na.*b\n");
    let ran = folder.run(&["search", "t.*o", "text"]);
    assert_eq!((ran.code, &ran.stdout[..]), (1, &b""[..]));
    assert_mentions(&ran.stderr, &["carrywave: no hits", "'t.*o'", "regular expression", "grep -E"]);
    assert_eq!(folder.answer(&["search", "a.*b", "text"]), "a.*b\n");
    for call in [
        &["search", "-q", "t.*o", "text"][..],
        &["search", "-s", "t.*o", "text"],
        &["search", "-F", "t.*o", "text"],
        &["search", "three", "text"],
    ] {
        assert_eq!((folder.run(call).code, folder.run(call).stderr), (1, String::new()), "{call:?}");
    }
}

#[test]
fn messages_have_one_prefix_and_say_what_is_expected() {
    let folder = Folder::new();
    folder.file("text", "one\n");
    let long = "x".repeat(300);
    for (call, words) in [
        (&["search", "--threads", "x", "a", "text"][..], &["--threads", "give a whole number"][..]),
        (&["search", "-k", "x", "a", "text"], &["--errors", "give a whole number", "10%"]),
        (&["search", "-k", "99999999999", "a", "text"], &["too large"]),
        (&["search", "-m", "", "a", "text"], &["--max-count", "give a whole number"]),
        (&["search", "-A", "1.5", "a", "text"], &["--after-context", "give a whole number"]),
        (&["distance", "--all", "text", "--max", "x"], &["--max", "give a whole number", "10%"]),
        (&["distance", "--all", "text", "--max", "101%"], &["at most 100%"]),
        (&["distance", "--all", "text", "--top", "x"], &["--top", "give a whole number"]),
        (&["lcs", "--shares", "x", "--members", "cpu", "text", "text"], &["--shares", "give a number"]),
        (&["lcs", "--engine", &long, "text", "text"], &["--engine", "xxx…"]),
        (&["lcs", "--members", "cpu,cpu", "--gpus", "2", "-e", "a", "b"], &["--gpus: conflicts with --members"]),
        (&["lcs", "--members", "cpu,cpu", "--gpu", "0", "-e", "a", "b"], &["--gpu: conflicts with --members"]),
        (&["nonsense"], &["nonsense"]),
        (&["search", "--nonsense"], &["--nonsense"]),
    ] {
        let ran = folder.run(call);
        assert_eq!((ran.code, &ran.stdout[..]), (2, &b""[..]), "{call:?}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("carrywave: "), "{call:?}: {}", ran.stderr);
        assert_mentions(&ran.stderr, words);
        for wrong in
            ["error:", "os error", "invalid digit", "invalid float", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]
        {
            assert!(!ran.stderr.contains(wrong), "{call:?}: {}", ran.stderr);
        }
    }
    let message = folder.refusal(2, &["search", "a", "none"]);
    assert_eq!(message, "carrywave: none: No such file or directory");
    // The message shortens a long pattern.
    folder.file("patterns", format!("{}!\n", "A".repeat(300)));
    folder.file("a.fa", ">a\nACGT\n");
    let message = folder.refusal(2, &["search", "-f", "patterns", "a.fa"]);
    assert!(message.contains('…') && message.len() < 400, "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error_that_names_it() {
    let folder = Folder::new();
    folder.file("text", "one\ntwo\n");
    folder.file("a.fa", ">a\nACGT\n>b\nACGA\n");
    let full = |line: &str| folder.shell(&format!("$C {line} > /dev/full"));
    for (code, line) in [
        (1, "--help"),
        (1, "-h"),
        (1, "--version"),
        (1, "help lcs"),
        (2, "search --help"),
        (2, "diff -h"),
        (1, "completions bash"),
        (1, "devices"),
        (1, "lcs -e ab ac"),
        (1, "lcs a.fa a.fa --records all"),
        (1, "distance -e ab ac"),
        (1, "distance --all text"),
        (2, "search one text"),
        (2, "search --format sam ACG a.fa"),
        (2, "diff text /dev/null"),
        (1, "best one text"),
    ] {
        let ran = full(line);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (code, "carrywave: standard output: No space left on device\n"),
            "{line}"
        );
    }
    for (code, line) in [
        (1, "lcs -e ab ac -o /dev/full"),
        (1, "lcs a.fa a.fa --records all -o /dev/full"),
        (1, "distance --all text -o /dev/full"),
        (1, "distance --all text --max 5 --clusters -o /dev/full"),
        (2, "diff text /dev/null -o /dev/full"),
    ] {
        let ran = folder.shell(&format!("$C {line}"));
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (code, "carrywave: /dev/full: No space left on device\n"),
            "{line}"
        );
    }
    assert_eq!(folder.shell("$C --help >&-").code, 1);
    assert_eq!(folder.shell("$C --help | true").stderr, "");
}

#[test]
fn a_share_as_maximum_is_a_number_for_each_pair() {
    let folder = Folder::new();
    // Distances 1, 2 and 3 in strings of 10 symbols, and 1 in a string of 5.
    folder.file("pairs", "abcdefghij\tabcdefghix\nabcdefghij\tabcdefghxx\nabcde\tabcdx\nabcdefghij\tabcdefgxxx\tz\n");
    assert_eq!(folder.answer(&["distance", "--pairs", "pairs", "--max", "20%"]), "1\n2\n1\n\tz\n");
    assert_eq!(folder.answer(&["distance", "--pairs", "pairs", "--max", "10%"]), "1\n\n\n\tz\n");
    folder.file("list", "abcdefghij\nabcdefghix\nabcde\nabcdx\n");
    assert_eq!(folder.answer(&["distance", "--all", "list", "--max", "10%"]), "1\t2\t1\n");
    assert_eq!(folder.answer(&["distance", "--all", "list", "--max", "20%"]), "1\t2\t1\n3\t4\t1\n");
    assert_eq!(folder.answer(&["distance", "-e", "abcdefghij", "abcdefghix", "--max", "10%"]), "1\n");
    assert_eq!(folder.answer(&["distance", "-e", "abcde", "abcdx", "--max", "10%"]), ">0\n");
    assert_eq!(folder.answer(&["distance", "-e", "abcde", "xxabcdxxxxxx", "--mode", "infix", "--max", "20%"]), "1\n");
    assert_eq!(
        folder.answer(&["distance", "--all", "list", "--max", "20%", "--top=1"]),
        "1\t2\t1\n2\t1\t1\n3\t4\t1\n4\t3\t1\n"
    );
    assert_eq!(folder.answer(&["distance", "--all", "list", "--max", "10%", "--top=1"]), "1\t2\t1\n2\t1\t1\n");
    // Indel's bound is a share of both strings: 10 % of 20 symbols are a substitution.
    let indel = ["distance", "--all", "list", "--cost", "indel", "--max", "10%"];
    assert_eq!(folder.answer(&indel), "1\t2\t2\n");
    assert_eq!(
        folder.answer(&["distance", "--all", "list", "--max", "10%", "--clusters=lines"]),
        "1\t2\t0\tabcdefghij\n1\t2\t1\tabcdefghix\n2\t1\t0\tabcde\n3\t1\t0\tabcdx\n"
    );
    assert_eq!(
        folder.answer(&["distance", "--all", "list", "--max", "1", "--clusters=lines"]),
        "1\t2\t0\tabcdefghij\n1\t2\t1\tabcdefghix\n2\t2\t0\tabcde\n2\t2\t1\tabcdx\n"
    );
}

#[test]
fn a_pipe_of_text_that_starts_as_reads_do_is_not_waited_for() {
    let folder = Folder::new();
    let mut command = folder.command(&["search", "--line-buffered", "there"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"@someone\nhello there\n").unwrap();
    let mut line = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(b"and more\n").unwrap();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    assert_eq!(line, "hello there\n");
    drop(stdin);
    child.wait().unwrap();
}
