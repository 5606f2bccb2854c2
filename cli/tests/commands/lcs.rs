//! `carrywave lcs` from the command line: answers, messages, exit codes, and files left in the
//! folder.

use std::path::Path;

use crate::common::cigar::replay;
use crate::common::program::{Folder, assert_mentions, complaint, finish, gz};
use crate::common::texts::text;
use serde_json::Value;

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name).to_str().unwrap().to_string()
}

/// Reads the letters of a FASTA file with one record, in upper case, without the library.
fn letters(path: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).flat_map(|line| line.trim().bytes()).map(|b| b.to_ascii_uppercase()).collect()
}

// Unusual but valid strings.

#[test]
fn odd_strings_have_right_answers() {
    let folder = Folder::new();
    let every: Vec<u8> = (0..=255).collect();
    folder.file("empty", "");
    folder.file("one", "A");
    folder.file("every", &every);
    folder.file("reversed", every.iter().rev().copied().collect::<Vec<u8>>());
    folder.file("nul", b"\0\0a\0");
    folder.file("nul2", b"\0a\0\0");
    folder.file("record", ">nothing\n");
    for engine in ["auto", "cpu", "simt"] {
        let cases: &[(&[&str], &str)] = &[
            (&["-e", "", "x"], "0"),
            (&["-e", "x", ""], "0"),
            (&["-e", "", ""], "0"),
            (&["-e", "x", "x"], "1"),
            (&["-e", "x", "y"], "0"),
            (&["-e", "the same", "the same"], "8"),
            (&["-e", "abcabc", "xyzxyz"], "0"),
            (&["--raw", "empty", "one"], "0"),
            (&["--raw", "empty", "empty"], "0"),
            (&["--raw", "one", "one"], "1"),
            (&["--raw", "every", "every"], "256"),
            (&["--raw", "every", "reversed"], "1"),
            (&["--raw", "nul", "nul2"], "3"),
            (&["record", "record"], "0"),
        ];
        for (arguments, answer) in cases {
            let mut call = vec!["lcs", "--engine", engine];
            call.extend(*arguments);
            assert_eq!(folder.answer(&call), format!("{answer}\n"), "{call:?}");
            call.extend(["--output", "json"]);
            let json: Value = serde_json::from_str(&folder.answer(&call)).unwrap();
            assert_eq!(json["length"].to_string(), *answer, "{call:?}");
        }
    }
    assert_eq!(folder.run(&["lcs", "--raw", "nul", "nul", "--output", "subsequence"]).stdout, b"\0\0a\0\n");
    assert_eq!(folder.answer(&["lcs", "-e", "", "", "--output", "blocks"]), "");
    assert_eq!(folder.answer(&["lcs", "-e", "", "xy", "--output", "cigar"]), "2D\n");
}

#[test]
fn rotations_of_a_circular_string() {
    let folder = Folder::new();
    let circular = |form: &str| folder.answer(&["lcs", "-e", "GATTACA", "ACAGATC", "--circular", "--output", form]);
    assert_eq!((circular("length"), circular("cigar")), ("6\n".into(), "3=1I1D3=\n".into()));
    assert_eq!(circular("subsequence"), "GATACA\n");
    let json: serde_json::Value = serde_json::from_str(&circular("json")).unwrap();
    assert_eq!((&json["length"], &json["rotation"], &json["b_len"]), (&6.into(), &3.into(), &7.into()));
    assert_eq!((&json["b_region"]["end"], &json["runs"][1]["b_start"]), (&10.into(), &7.into()));
    folder.file("a.fa", ">a\nGATTACA\n");
    for (arguments, told) in [
        (["-e", "a", "b", "--circular", "--output", "paf"].as_slice(), "PAF has no positions"),
        (&["-e", "a", "b", "--circular", "--engine", "simt"], "computed on the CPU only"),
        (&["a.fa", "a.fa:a:2-5", "--circular"], "B must be a whole record"),
    ] {
        assert_mentions(&folder.refusal(2, &[&["lcs"], arguments].concat()), &[told]);
    }
}

#[test]
fn words_that_look_like_options_are_strings_after_two_dashes() {
    let folder = Folder::new();
    assert_eq!(folder.answer(&["lcs", "-e", "--", "-x-", "-"]), "1\n");
    assert_eq!(folder.answer(&["lcs", "-e", "-", "a-"]), "1\n");
}

// Unusable input.

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    folder.file("a.fa", ">a\nACGT\n");
    let message = folder.refusal(1, &["lcs", "missing.fa", "a.fa"]);
    assert_mentions(&message, &["missing.fa", "No such file"]);
    assert_mentions(&folder.refusal(1, &["lcs", "a.fa", "--raw", "none/missing"]), &["none/missing"]);
    std::fs::create_dir(folder.path("sub")).unwrap();
    assert_mentions(&folder.refusal(1, &["lcs", "a.fa", "sub"]), &["sub: ", "this is a folder"]);
    assert_mentions(&folder.refusal(1, &["lcs", "--raw", "sub", "a.fa"]), &["sub: ", "this is a folder"]);
}

#[test]
fn strings_taken_for_files_bring_up_the_option() {
    let message = Folder::new().refusal(1, &["lcs", "ABCBDAB", "BDCABA"]);
    assert_mentions(&message, &["ABCBDAB", "-e"]);
}

#[test]
fn files_of_the_wrong_content_are_named() {
    let folder = Folder::new();
    let record = [b">r\n".as_slice(), &text(60_000, 4, 1).iter().map(|s| b"ACGT"[*s as usize]).collect::<Vec<_>>()];
    let packed = gz(&record.concat());
    folder.file("a.fa", ">a\nACGT\n");
    folder.file("cut.fa.gz", &packed[..packed.len() / 2]);
    folder.file("bad.fa.gz", [&packed[..packed.len() / 2], &[0; 9], &packed[packed.len() / 2 + 9..]].concat());
    folder.file("empty.fa", "");
    folder.file("empty.fa.gz", gz(b""));
    folder.file("plain.txt", "hello\n");
    folder.file("cut.fq", "@r\nACGT\n+\nII");
    let cases: [(&str, &[&str]); 6] = [
        ("cut.fa.gz", &["gzip", "ends early"]),
        ("bad.fa.gz", &["gzip"]),
        ("empty.fa", &["the file is empty"]),
        ("empty.fa.gz", &["the file is empty"]),
        ("plain.txt", &["neither FASTA", "--raw"]),
        ("cut.fq", &["FASTQ", "cut short"]),
    ];
    for (name, words) in cases {
        for call in [["lcs", "a.fa", name], ["lcs", name, "a.fa"]] {
            let message = folder.refusal(1, &[&call[..], &["-o", "out", "--plot", "out.svg"]].concat());
            assert!(message.starts_with(&format!("carrywave: {name}: ")), "{message}");
            assert_mentions(&message, words);
        }
    }
}

#[test]
fn records_have_to_be_chosen() {
    let folder = Folder::new();
    folder.file("a.fa", ">a\nACGT\n");
    folder.file("two.fa", ">first one\nACGT\n>second\nCG\n");
    assert_mentions(&folder.refusal(1, &["lcs", "two.fa", "a.fa"]), &["two.fa", "2 records", "first", "second"]);
    let message = folder.refusal(1, &["lcs", "a.fa", "two.fa", "--record-b", "third"]);
    assert_mentions(&message, &["two.fa", "'third'", "first", "second"]);
    assert_mentions(&folder.refusal(1, &["lcs", "a.fa", "two.fa"]), &["--record-b"]);
    assert_mentions(&folder.refusal(1, &["lcs", "two.fa", "a.fa"]), &["--record-a"]);
    assert_eq!(folder.answer(&["lcs", "a.fa", "two.fa", "--record-b", "second"]), "2\n");
    assert_eq!(folder.answer(&["lcs", "two.fa", "two.fa", "--record-a", "first one", "--record-b", "first"]), "4\n");
}

#[test]
fn one_of_the_strings_can_be_standard_input() {
    let folder = Folder::new();
    folder.file("b.fa", ">b\nACGGT\n");
    assert_mentions(&folder.refusal(2, &["lcs", "-", "-"]), &["standard input"]);
    for (arguments, stdin, answer) in [
        (["lcs", "-", "b.fa"].as_slice(), b">a\nACGT\n".to_vec(), "4\n"),
        (&["lcs", "b.fa", "-"], gz(b">a\nACGT\n"), "4\n"),
        (&["lcs", "--raw", "-", "b.fa"], b"ACGT".to_vec(), "4\n"),
    ] {
        let ran = folder.run_with(arguments, &stdin);
        assert_eq!((ran.code, ran.stdout.as_slice(), ran.stderr.as_str()), (0, answer.as_bytes(), ""));
    }
    let ran = folder.run_with(&["lcs", "-", "b.fa"], b"");
    assert_mentions(&complaint(&ran, 1, ["empty stdin"]), &["standard input", "empty"]);
}

// Engines that cannot run a call.

#[test]
fn a_missing_gpu_is_a_message() {
    if crate::common::devices::gpu().is_some() {
        eprintln!("skipped: there is a GPU");
        return;
    }
    let folder = Folder::new();
    let calls: [&[&str]; 3] = [
        &["lcs", "-e", "ABC", "BC", "--engine", "gpu", "-o", "out"],
        &["lcs", "-e", "ABC", "BC", "--engine", "gpu", "--algorithm", "block-step"],
        &["verify", "--engine", "gpu"],
    ];
    for call in calls {
        assert_mentions(&folder.refusal(1, call), &["no GPU: ", "use the CPU"]);
    }
    // An algorithm that only GPUs have also needs a GPU.
    let message = folder.refusal(1, &["lcs", "-e", "ABC", "BC", "--algorithm", "block-step"]);
    assert_mentions(&message, &["no GPU: "]);
}

#[test]
fn more_than_fits_is_a_message() {
    let folder = Folder::new();
    folder.file("big", text(5 << 20, 256, 1));
    folder.file("other", text(1000, 256, 1));
    for (a, b) in [("big", "other"), ("other", "big")] {
        // The wavefront kernel handles sizes that exceed bands and blocks.
        let call = ["lcs", "--raw", a, b, "--engine", "simt", "--algorithm", "block-step", "-o", "out.json"];
        let message = folder.refusal(1, &call);
        assert_mentions(&message, &["device memory", "256 MiB", "the CPU may have more"]);
    }
}

#[test]
fn algorithms_belong_to_engines() {
    let folder = Folder::new();
    for (engine, algorithm, offered) in [
        ("cpu", "block-step", ["bit-parallel", "dp"]),
        ("cpu", "block-step-look-ahead", ["bit-parallel", "dp"]),
        ("simt", "dp", ["block-step-look-ahead", "block-step"]),
        ("gpu", "bit-parallel", ["block-step-look-ahead", "block-step"]),
    ] {
        let message = folder.refusal(2, &["lcs", "-e", "a", "b", "--engine", engine, "--algorithm", algorithm]);
        assert_mentions(&message, &[engine, algorithm, offered[0], offered[1]]);
    }
    for (engine, algorithm) in
        [("cpu", "dp"), ("cpu", "bit-parallel"), ("simt", "block-step"), ("simt", "block-step-look-ahead")]
    {
        let call = ["lcs", "-e", "ABCBDAB", "BDCABA", "--engine", engine, "--algorithm", algorithm];
        assert_eq!(folder.answer(&call), "4\n");
    }
}

#[test]
fn the_published_rules_are_those_of_block_step() {
    let folder = Folder::new();
    // Figure 1 of Kawanami and Fujimoto (2014).
    let call = |algorithm, rules| {
        ["lcs", "-e", "BCAEDAC", "EABEDCBAAC", "--engine", "simt", "--algorithm", algorithm, "--rules", rules]
    };
    for algorithm in ["block-step", "block-step-look-ahead"] {
        for rules in ["published", "measured"] {
            let call = call(algorithm, rules);
            assert_eq!(folder.answer(&call), "5\n");
            assert_eq!(folder.answer(&[&call[..], &["--output", "subsequence"]].concat()), "BCAAC\n");
        }
    }
    let on_cpu = ["lcs", "-e", "BCAEDAC", "EABEDCBAAC", "--algorithm", "bit-parallel", "--rules", "published"];
    assert_eq!(folder.answer(&on_cpu), "5\n");
    for algorithm in ["auto", "wavefront"] {
        let message = folder.refusal(2, &call(algorithm, "published"));
        assert_mentions(
            &message,
            &[algorithm, "published rules", "block-step, block-step-look-ahead and bit-parallel"],
        );
        assert_eq!(folder.answer(&call(algorithm, "measured")), "5\n");
    }
    let ran = folder.run(&call("block-step", "paper"));
    assert_eq!(ran.code, 2);
    assert_mentions(&ran.stderr, &["--rules", "measured", "published"]);
}

#[test]
fn wrong_calls_say_what_is_right() {
    let folder = Folder::new();
    let cases: [(&[&str], &[&str]); 9] = [
        (&["lcs", "-e", "a", "b", "--engine", "cuda"], &["cuda", "auto, cpu, gpu, simt"]),
        (&["lcs", "-e", "a", "b", "--algorithm", "lcs"], &["bit-parallel", "block-step"]),
        (&["lcs", "-e", "a", "b", "--output", "text"], &["length", "cigar", "blocks", "json"]),
        (&["lcs", "-e", "a", "b", "--threads", "many"], &["--threads", "many"]),
        (&["lcs", "-e", "a", "b", "--raw"], &["--raw", "--literal"]),
        (&["lcs", "--raw", "a", "b", "--record-a", "x"], &["--raw", "--record-a"]),
        (&["lcs", "-e", "a"], &["<B>"]),
        (&["lsc"], &["lsc", "--help"]),
        (&[], &["lcs", "devices", "verify"]),
    ];
    for (call, words) in cases {
        let ran = folder.run(call);
        assert_eq!((ran.code, ran.stdout.as_slice()), (2, &b""[..]), "{call:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert_mentions(&ran.stderr, words);
    }
    for threads in ["0", "5000"] {
        let message = folder.refusal(2, &["lcs", "-e", "a", "b", "--threads", threads]);
        assert_mentions(&message, &["--threads", "1 to 4096", threads]);
    }
    assert_mentions(&folder.refusal(2, &["verify", "--seconds", "nan"]), &["--seconds"]);
    assert_eq!(folder.answer(&["lcs", "-e", "ab", "b", "--threads", "1"]), "1\n");
}

// Output.

#[test]
fn files_that_cannot_be_written_are_named_before_the_work() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    std::fs::create_dir(folder.path("sub.svg")).unwrap();
    folder.file("file", "kept");
    // A is missing as well. Errors that need no reading are reported first.
    for target in ["-o", "--plot"] {
        let message = folder.refusal(1, &["lcs", "missing", "missing", target, "none/out.svg"]);
        assert_mentions(&message, &["none/out.svg", "folder none does not exist"]);
        let message = folder.refusal(1, &["lcs", "missing", "missing", target, "file/out.svg"]);
        assert_mentions(&message, &["file/out.svg", "not a folder"]);
        let message = folder.refusal(1, &["lcs", "missing", "missing", target, "sub.svg"]);
        assert_mentions(&message, &["sub.svg", "is a directory"]);
    }
    assert_mentions(&folder.refusal(1, &["lcs", "-e", "a", "b", "-o", "sub"]), &["sub: is a directory"]);
    for plot in ["p.gif", "p", ".svg", "svg"] {
        let message = folder.refusal(2, &["lcs", "missing", "missing", "--plot", plot]);
        assert_mentions(&message, &[plot, ".svg or .png"]);
    }
    assert_eq!(std::fs::read(folder.path("file")).unwrap(), b"kept");
}

/// The second file would replace the first.
#[test]
fn the_plot_and_the_output_are_two_files() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    for (output, plot) in [("x.svg", "x.svg"), ("./x.svg", "x.svg"), ("x.png", "sub/../x.png")] {
        let message = folder.refusal(2, &["lcs", "-e", "ab", "b", "-o", output, "--plot", plot]);
        assert_mentions(&message, &["-o", "--plot", "same file"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_message() {
    let folder = Folder::new();
    let message = folder.refusal(1, &["lcs", "-e", "ab", "b", "-o", "/dev/full"]);
    assert_mentions(&message, &["/dev/full", "No space left"]);
    for call in [&["lcs", "-e", "ab", "b"][..], &["devices"], &["verify", "--engine", "cpu", "--seconds", "0"]] {
        let mut command = folder.command(call);
        command.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        let message = complaint(&finish(command), 1, call);
        assert_mentions(&message, &["standard output", "No space left"]);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    folder.file("a", text(300_000, 200, 1));
    let calls: [&[&str]; 6] = [
        &["lcs", "-e", "ab", "b"],
        &["lcs", "--raw", "a", "a", "--output", "subsequence"],
        &["lcs", "--raw", "a", "a", "--output", "blocks"],
        &["devices"],
        &["--help"],
        &["verify", "--engine", "cpu", "--seconds", "0"],
    ];
    for call in calls {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(call);
        command.stdout(writer);
        let ran = finish(command);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{call:?}");
    }
}

/// As with `2>&1 | head`, or a batch system that has gone: the exit code still reports the error.
#[test]
fn a_message_that_nobody_reads_is_no_panic() {
    let folder = Folder::new();
    folder.file("a", text(100, 4, 1));
    for (call, code) in [
        (&["lcs", "missing", "a"][..], 1),
        (&["lcs", "-", "-"], 2),
        (&["lcs", "--verbose", "--raw", "a", "a", "-o", "out"], 0),
        (&["lcs", "--raw"], 2),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(call);
        command.stderr(writer);
        assert_eq!(finish(command).code, code, "{call:?}");
    }
    assert_eq!(std::fs::read(folder.path("out")).unwrap(), b"100\n");
}

#[test]
fn every_output_of_the_textbook_pair() {
    let folder = Folder::new();
    let pair = ["lcs", "-e", "ABCBDAB", "BDCABA", "--output"];
    let output = |kind: &str| folder.answer(&[&pair[..], &[kind]].concat());
    assert_eq!(output("length"), "4\n");
    let subsequence = output("subsequence");
    assert_eq!(subsequence, "BCBA\n");
    assert_eq!(replay(output("cigar").trim_end(), b"ABCBDAB", b"BDCABA"), b"BCBA");
    let blocks = output("blocks");
    assert_eq!(blocks.matches('|').count(), 4, "{blocks}");
    let rows: Vec<&str> = blocks.lines().collect();
    assert_eq!(rows.len(), 3, "{blocks}");
    for (row, text) in [(rows[0], "ABCBDAB"), (rows[2], "BDCABA")] {
        let [name, start, cells, end] = row.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{row}") };
        assert_eq!((name, start, cells.replace('-', "").as_str()), (text, "1", text));
        assert_eq!(end, text.len().to_string());
    }
    let json: Value = serde_json::from_str(&output("json")).unwrap();
    assert_eq!((&json["a"], &json["b"]), (&"ABCBDAB".into(), &"BDCABA".into()));
    assert_eq!((&json["length"], &json["a_len"], &json["b_len"]), (&4.into(), &7.into(), &6.into()));
    assert_eq!(json["identity"], 4.0 / 7.0);
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.iter().map(|run| run["len"].as_u64().unwrap()).sum::<u64>(), 4);
    // The file gets the same output, and standard output gets nothing.
    assert_eq!(folder.answer(&[&pair[..], &["cigar", "-o", "out"]].concat()), "");
    assert_eq!(std::fs::read_to_string(folder.path("out")).unwrap(), output("cigar"));
    assert_eq!(folder.names(), ["out"]);
}

#[test]
fn the_mitochondrial_pair() {
    let folder = Folder::new();
    let (human, mouse) = (data("humanMito.fa"), data("mouseMito.fa"));
    let (a, b) = (letters(&human), letters(&mouse));
    for engine in ["auto", "cpu"] {
        assert_eq!(folder.answer(&["lcs", &human, &mouse, "--engine", engine]), "12486\n");
    }
    let output = |kind: &str| folder.answer(&["lcs", &human, &mouse, "--output", kind]);
    let subsequence = output("subsequence");
    assert_eq!(subsequence.trim_end().len(), 12_486);
    let cigar = output("cigar");
    assert_eq!(replay(cigar.trim_end(), &a, &b), subsequence.trim_end().as_bytes());
    let blocks = output("blocks");
    assert_eq!(blocks.matches('|').count(), 12_486);
    let gathered = |name: &str| -> Vec<u8> {
        let rows = blocks.lines().filter(|line| line.starts_with(name));
        rows.flat_map(|row| row[name.len()..].bytes().filter(u8::is_ascii_alphabetic)).collect()
    };
    assert!(gathered("humanMito") == a && gathered("mouseMito") == b, "the blocks hold both strings");
    let json: Value = serde_json::from_str(&output("json")).unwrap();
    assert_eq!((&json["a"], &json["b"]), (&"humanMito".into(), &"mouseMito".into()));
    assert_eq!(json["length"], 12_486);
    let mut matched = Vec::new();
    for run in json["runs"].as_array().unwrap() {
        let [i, j, len] = ["a_start", "b_start", "len"].map(|key| run[key].as_u64().unwrap() as usize);
        assert_eq!(a[i..i + len], b[j..j + len]);
        matched.extend_from_slice(&a[i..i + len]);
    }
    assert_eq!(matched, subsequence.trim_end().as_bytes(), "the runs of the JSON");
}

#[test]
fn case_matters_where_it_means_something() {
    let folder = Folder::new();
    folder.file("lower.fa", ">l\nacgtacgtacgt\n");
    folder.file("upper.fa", ">u\nACGTACGTACGT\n");
    folder.file("lower.txt", "acgt");
    folder.file("upper.txt", "ACGT");
    for (arguments, answer) in [
        (&["lower.fa", "upper.fa"][..], "12"),
        (&["lower.fa", "upper.fa", "--case", "ignore"], "12"),
        (&["lower.fa", "upper.fa", "--case", "keep"], "0"),
        (&["--raw", "lower.txt", "upper.txt"], "0"),
        (&["--raw", "lower.txt", "upper.txt", "--case", "ignore"], "4"),
        (&["-e", "aB", "Ab"], "0"),
        (&["-e", "aB", "Ab", "--case", "ignore"], "2"),
    ] {
        assert_eq!(folder.answer(&[&["lcs"], arguments].concat()), format!("{answer}\n"), "{arguments:?}");
    }
    assert_eq!(folder.answer(&["lcs", "lower.fa", "lower.fa", "--output", "subsequence"]), "ACGTACGTACGT\n");
    let kept = ["lcs", "lower.fa", "lower.fa", "--output", "subsequence", "--case", "keep"];
    assert_eq!(folder.answer(&kept), "acgtacgtacgt\n");
}

#[test]
fn plots_are_pictures() {
    let folder = Folder::new();
    let (human, mouse) = (data("humanMito.fa"), data("mouseMito.fa"));
    assert_eq!(folder.answer(&["lcs", &human, &mouse, "--plot", "p.svg"]), "12486\n");
    assert_eq!(folder.answer(&["lcs", &human, &mouse, "--plot", "P.PNG", "-o", "length"]), "");
    let svg = std::fs::read_to_string(folder.path("p.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_mentions(&svg, &["humanMito", "mouseMito"]);
    let png = std::fs::read(folder.path("P.PNG")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82"));
    assert_eq!(folder.names(), ["P.PNG", "length", "p.svg"]);
    // Strings with almost nothing to draw.
    for (a, b) in [("", ""), ("", "x"), ("x", "y"), ("x", "x")] {
        folder.answer(&["lcs", "-e", a, b, "--plot", "small.svg"]);
        folder.answer(&["lcs", "-e", a, b, "--plot", "small.png"]);
    }
}

#[test]
fn a_plot_of_strings_that_lie_opposite_ways_says_so() {
    let folder = Folder::new();
    let human = carrywave::io::sequence::read(data("humanMito.fa"), &Default::default()).unwrap();
    let pair = |base: &u8| match base.to_ascii_uppercase() {
        b'A' => 'T',
        b'C' => 'G',
        b'G' => 'C',
        b'T' => 'A',
        _ => 'N',
    };
    let part = &human.symbols[..2_000];
    let turned: String = part.iter().rev().map(pair).collect();
    std::fs::write(folder.path("turned.fa"), format!(">turned\n{turned}\n")).unwrap();
    std::fs::write(folder.path("part.fa"), format!(">part\n{}\n", String::from_utf8_lossy(part))).unwrap();
    for (command, how) in [("lcs", "use --strand reverse"), ("distance", "seqtk seq -r")] {
        let ran = folder.run(&[command, "part.fa", "turned.fa", "--plot", "p.svg"]);
        assert_eq!(ran.code, 0);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert_mentions(&ran.stderr, &["(100 %)", "reverse complement of B", how]);
        // No note if both strings have the same direction, and none without a plot.
        for arguments in [&["part.fa", "part.fa", "--plot", "p.svg"][..], &["part.fa", "turned.fa"]] {
            let ran = folder.run(&[&[command], arguments].concat());
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        }
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"G\xfcnther.fa");
    std::fs::write(folder.path("").join(name), ">a\nACGT\n").unwrap();
    let mut command = folder.command(&["lcs"]);
    command.arg(name).arg(name);
    let ran = finish(command);
    assert_eq!((ran.code, ran.stdout.as_slice(), ran.stderr.as_str()), (0, &b"4\n"[..], ""));
}

// Information about the program.

#[test]
fn devices_are_listed() {
    let folder = Folder::new();
    let list = folder.answer(&["devices"]);
    assert_mentions(&list, &["cpu ", " threads", "simt ", "gpu ", "kernels: "]);
    assert!(!list.contains("none: no GPU:"), "{list}");
    let json: Value = serde_json::from_str(&folder.answer(&["devices", "--json", "--threads", "3"])).unwrap();
    assert_eq!(json["cpu_threads"], 3);
    assert!(json["ptx"].is_string(), "{json}");
    let gpus = json["gpus"].as_array().unwrap();
    assert_eq!(gpus.is_empty(), crate::common::devices::gpu().is_none());
    assert_eq!(json["no_gpu"].is_string(), gpus.is_empty(), "{json}");
}

#[test]
fn verify_finds_all_equal() {
    let folder = Folder::new();
    for (engine, algorithms) in
        [("cpu", ["bit-parallel", "dp", "words"]), ("simt", ["block-step-look-ahead", "block-step", "all-pairs"])]
    {
        let report = folder.answer(&["verify", "--seconds", "0", "--engine", engine]);
        assert_eq!(report.lines().last(), Some("all equal"), "{report}");
        for algorithm in algorithms {
            let row = report.lines().find(|row| row.split_whitespace().nth(2) == Some(algorithm)).expect(algorithm);
            let fields: Vec<&str> = row.split_whitespace().collect();
            assert!(fields[0] == engine && fields[3].parse::<u64>().unwrap() >= 10, "{row}");
        }
    }
}

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    for call in [&["--help"][..], &["-h"], &["lcs", "--help"], &["lcs", "-h"]] {
        assert_mentions(&folder.answer(call), &["Examples:", "carrywave lcs "]);
    }
    assert_mentions(&folder.answer(&["--version"]), &[env!("CARGO_PKG_VERSION")]);
}

/// Runs every example of the help.
#[test]
fn the_examples_of_the_help_are_accepted() {
    let folder = Folder::new();
    for name in ["human.fa", "mouse.fa", "a.fa.gz", "b.fa.gz"] {
        folder.file(name, ">r\nACGT\n");
    }
    let mut examples = 0;
    for help in [folder.answer(&["--help"]), folder.answer(&["lcs", "--help"])] {
        let lines = help.lines().skip_while(|line| *line != "Examples:").filter(|l| l.starts_with("  carrywave lcs "));
        for line in lines {
            let command = line.trim_start().split("  ").next().unwrap();
            let arguments: Vec<&str> = command.split(' ').skip(1).collect();
            // Some examples print a note about their choices on standard error.
            let ran = folder.run(&arguments);
            assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
            examples += 1;
        }
    }
    assert!(examples >= 4, "{examples} examples");
}

#[test]
fn verbose_says_what_ran_and_how_fast() {
    let folder = Folder::new();
    for (engine, algorithm) in [("cpu", "bit-parallel"), ("simt", "wavefront")] {
        let ran = folder.run(&["lcs", "-e", "ABCBDAB", "BDCABA", "--engine", engine, "--verbose"]);
        assert_eq!((ran.code, ran.stdout.as_slice()), (0, &b"4\n"[..]));
        let words = [algorithm, &format!("on {engine}"), "42 cells", "GCUPS", "7 symbols", "6"];
        assert_mentions(&ran.stderr, &words);
    }
    // The option works before the command as well as after it.
    assert_mentions(&folder.run(&["--verbose", "lcs", "-e", "A", "A"]).stderr, &["GCUPS"]);
}
