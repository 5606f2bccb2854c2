//! `carrywave distance`: two strings, and many pairs.
mod common;

use std::fs;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carrywave")).arg("distance").args(arguments).output().unwrap()
}

fn output(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What is said of a call that is refused.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn two_strings_in_every_form() {
    assert_eq!(output(&["-e", "kitten", "sitting"]), "3\n");
    assert_eq!(output(&["-e", "kitten", "sitting", "--output", "cigar"]), "1X3=1X1=1D\n");
    assert_eq!(output(&["-e", "TAAAC", "TAC", "--output", "cigar"]), "1=2I2=\n");
    assert_eq!(output(&["-e", "TAAAC", "TAC", "--output", "cigar", "--gaps", "rightmost"]), "2=2I1=\n");
    let blocks = "kitten   1  kitten-  6\n             ||| | \nsitting  1  sitting  7\n";
    assert_eq!(
        output(&["-e", "kitten", "sitting", "--output", "blocks"]).replace(" \n", "\n"),
        blocks.replace(" \n", "\n")
    );
    assert_eq!(
        output(&["-e", "kitten", "sitting", "--output", "paf"]),
        "kitten\t6\t0\t6\t+\tsitting\t7\t0\t7\t4\t7\t255\tNM:i:3\tcg:Z:1X3=1X1=1D\n"
    );
    let json: serde_json::Value =
        serde_json::from_str(&output(&["-e", "kitten", "sitting", "--output", "json"])).unwrap();
    assert_eq!(
        (json["a"].as_str(), json["distance"].as_u64(), json["b_len"].as_u64()),
        (Some("kitten"), Some(3), Some(7))
    );
    for strings in [["", "abc"], ["abc", ""]] {
        assert_eq!(output(&["-e", strings[0], strings[1]]), "3\n");
    }
}

#[test]
fn every_algorithm_gives_the_same_script() {
    let (a, b) = ("ACGTACGATCGATTACGATCGACTAGC".repeat(20), "ACGATCGATCGTTACGGATCACTAGCC".repeat(19));
    let of = |engine: &str, algorithm: &str| {
        output(&["-e", &a, &b, "--output", "cigar", "--engine", engine, "--algorithm", algorithm])
    };
    let plain = of("cpu", "dp");
    for (engine, algorithm) in [("cpu", "bit-parallel"), ("cpu", "similar"), ("simt", "wavefront"), ("cpu", "auto")] {
        assert_eq!(of(engine, algorithm), plain, "{engine} {algorithm}");
    }
}

#[test]
fn pairs_of_a_file_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.tsv");
    fs::write(&file, "kitten\tsitting\tfirst\r\nflaw\tlawn\n\tgap\tthird\tand more\n").unwrap();
    let file = file.to_str().unwrap();
    for engine in ["cpu", "simt"] {
        assert_eq!(output(&["--pairs", file, "--engine", engine]), "3\tfirst\n2\n3\tthird\tand more\n");
        assert_eq!(output(&["--pairs", file, "--max", "2", "--engine", engine]), "\tfirst\n2\n\tthird\tand more\n");
        assert_eq!(
            output(&["--pairs", file, "--cost", "indel", "--engine", engine]),
            "5\tfirst\n2\n3\tthird\tand more\n"
        );
    }
    let target = folder.path().join("out.tsv");
    assert_eq!(output(&["--pairs", file, "-o", target.to_str().unwrap()]), "");
    assert_eq!(fs::read_to_string(target).unwrap(), "3\tfirst\n2\n3\tthird\tand more\n");
    let told = String::from_utf8(run(&["--pairs", file, "-v"]).stderr).unwrap();
    assert!(
        told.contains("3 pairs: reading ") && told.contains(", computing ") && told.contains(", writing "),
        "{told}"
    );
    let wrong = folder.path().join("wrong.tsv");
    fs::write(&wrong, "a\tb\nno tab\n").unwrap();
    assert!(refused(&["--pairs", wrong.to_str().unwrap()]).contains("line 2 of"));
}

#[test]
fn all_of_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let (lines, records) = (folder.path().join("words"), folder.path().join("reads.fa"));
    fs::write(&lines, "wave\ncarry\nwaves\nware\n").unwrap();
    fs::write(&records, ">one\nACGT\n>two\nacga\n>three\nTTTTTT\n").unwrap();
    let (lines, records) = (lines.to_str().unwrap(), records.to_str().unwrap());
    assert_eq!(output(&["--all", lines, "--max", "1"]), "1\t3\t1\n1\t4\t1\n");
    assert_eq!(output(&["--all", records]), "one\ttwo\t1\none\tthree\t5\ntwo\tthree\t6\n");
    assert_eq!(output(&["--all", lines, "--top", "1"]), "1\t3\t1\n2\t4\t3\n3\t1\t1\n4\t1\t1\n");
}

#[test]
fn wrong_calls_say_what_is_right() {
    assert!(refused(&[]).contains("<A>"));
    assert!(refused(&["-e", "a", "b", "--max", "3"]).contains("--max is for --pairs and --all"));
    assert!(refused(&["-e", "a", "b", "--all", "list"]).contains("cannot be used with"));
    assert!(refused(&["a", "b", "--algorithm", "fastest"]).contains("edit distance algorithm"));
    for many in ["--pairs", "--all"] {
        for [option, value] in
            [["--algorithm", "dp"], ["--output", "cigar"], ["--gaps", "rightmost"], ["--plot", "x.svg"]]
        {
            let told = refused(&[many, "list", option, value]);
            assert!(told.contains(many) && told.contains(&format!("cannot be used with '{option}")), "{told}");
        }
    }
}
