//! `carrywave distance` for two strings, and for many pairs.
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

/// Returns the message of a refused call.
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
    for (engine, algorithm) in [("cpu", "bit-parallel"), ("cpu", "cut-off"), ("simt", "wavefront"), ("cpu", "auto")] {
        assert_eq!(of(engine, algorithm), plain, "{engine} {algorithm}");
    }
    // Other algorithms may return a different script of the same cost.
    let distance = |engine, algorithm| output(&["-e", &a, &b, "--engine", engine, "--algorithm", algorithm]);
    for (engine, algorithm) in [("cpu", "bands"), ("cpu", "checkpoints"), ("simt", "bands")] {
        assert_eq!(distance(engine, algorithm), distance("cpu", "dp"), "{engine} {algorithm}");
    }
}

/// The parts of B at distance 1 from A are 2..6, TTAC|CTGG, and 8..11.
const PARTS: [&str; 3] = ["-e", "ACGT", "TTACCTGGACT"];

fn of_parts(arguments: &[&str]) -> String {
    output(&[&PARTS, arguments].concat())
}

#[test]
fn modes_in_every_form() {
    assert_eq!((of_parts(&[]), of_parts(&["--mode", "global"])), ("7\n".into(), "7\n".into()));
    assert_eq!((of_parts(&["--mode", "prefix"]), of_parts(&["--mode", "infix"])), ("3\n".into(), "1\n".into()));
    let infix = |form: &str| of_parts(&["--mode", "infix", "--output", form]);
    assert_eq!((infix("places"), infix("cigar")), ("2\t6\t1\n8\t11\t1\n".into(), "2=1X1=\n".into()));
    assert_eq!(infix("blocks"), "ACGT          1  ACGT  4\n                 || |\nTTACCTGGACT   3  ACCT  6\n");
    assert_eq!(infix("paf"), "ACGT\t4\t0\t4\t+\tTTACCTGGACT\t11\t2\t6\t3\t4\t255\tNM:i:1\tcg:Z:2=1X1=\n");
    let json: serde_json::Value = serde_json::from_str(&infix("json")).unwrap();
    assert_eq!((json["mode"].as_str(), &json["b_start"], &json["b_end"]), (Some("infix"), &2.into(), &6.into()));
    assert_eq!((&json["distance"], &json["b_len"], &json["runs"][1]["b_start"]), (&1.into(), &11.into(), &5.into()));
    assert_eq!(of_parts(&["--output", "places"]), "0\t11\t7\n");
    let suffix = |form: &str| of_parts(&["--mode", "suffix", "--output", form]);
    assert_eq!((suffix("distance"), suffix("places")), ("1\n".into(), "8\t11\t1\n".into()));
    assert_eq!(suffix("paf"), "ACGT\t4\t0\t4\t+\tTTACCTGGACT\t11\t8\t11\t3\t4\t255\tNM:i:1\tcg:Z:2=1I1=\n");
    assert_eq!(of_parts(&["--mode", "suffix", "--max", "0"]), ">0\n");
    assert_eq!(output(&["-e", "", "ACGT", "--mode", "infix", "--output", "places"]), "0\t0\t0\n");
    assert_eq!(output(&["-e", "AC", "", "--mode", "infix", "--output", "cigar"]), "2I\n");
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("plot.svg");
    assert_eq!(of_parts(&["--mode", "infix", "--plot", plot.to_str().unwrap()]), "1\n");
    assert!(fs::read_to_string(plot).unwrap().contains("svg"));
}

/// A suffix of A and a prefix of B: GATTACA and GATACA.
const OVERLAPPING: [&str; 5] = ["-e", "TTTTGATTACA", "GATACACCC", "--mode", "overlap"];

#[test]
fn overlaps_in_every_form() {
    let overlap = |form: &str| output(&[&OVERLAPPING[..], &["--output", form]].concat());
    assert_eq!((output(&OVERLAPPING), overlap("places")), ("9\t1\n".into(), "4\t11\t0\t6\t1\t9\n".into()));
    assert_eq!(overlap("cigar"), "2=1I4=\n");
    assert_eq!(
        overlap("blocks"),
        "TTTTGATTACA   5  GATTACA  11\n                 || ||||\nGATACACCC     1  GA-TACA  6\n"
    );
    assert_eq!(overlap("paf"), "TTTTGATTACA\t11\t4\t11\t+\tGATACACCC\t9\t0\t6\t6\t7\t255\tNM:i:1\tcg:Z:2=1I4=\n");
    let json: serde_json::Value = serde_json::from_str(&overlap("json")).unwrap();
    assert_eq!((json["mode"].as_str(), &json["score"], &json["distance"]), (Some("overlap"), &9.into(), &1.into()));
    assert_eq!((&json["a_region"]["start"], &json["b_region"]["end"]), (&4.into(), &6.into()));
    assert_eq!(
        (&json["a_len"], &json["runs"][1]["a_start"], &json["runs"][1]["b_start"]),
        (&11.into(), &7.into(), &2.into())
    );
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("plot.svg");
    let with_plot = [&OVERLAPPING[..], &["--output", "places", "--plot", plot.to_str().unwrap()]].concat();
    assert_eq!(output(&with_plot), "4\t11\t0\t6\t1\t9\n");
    assert!(fs::read_to_string(plot).unwrap().contains("svg"));
    // Characters, few of them and many.
    assert_eq!(output(&["-e", "xMüller", "Müler中", "--mode", "overlap", "--output", "cigar"]), "2=1I3=\n");
    let many: String = (0..400).filter_map(|number| char::from_u32(0x4e00 + number)).collect();
    let [a, b] = [format!("xyz{many}"), format!("{many}ab")];
    let found = output(&["-e", &a, &b, "--mode", "overlap", "--output", "places"]);
    assert_eq!(found, "3\t403\t0\t400\t0\t800\n");
}

#[test]
fn no_overlap_and_wrong_calls() {
    let overlap = |[a, b]: [&str; 2], options: &[&str]| output(&[&["-e", a, b, "--mode", "overlap"], options].concat());
    for (strings, options) in
        [(["ac", "gt"], &[] as &[&str]), (["", ""], &[]), (["xxabc", "abcyy"], &["--min-overlap", "4"])]
    {
        let with = |form: &str| overlap(strings, &[options, &["--output", form]].concat());
        assert_eq!((with("distance"), with("places"), with("paf")), ("0\t0\n".into(), String::new(), String::new()));
        let json: serde_json::Value = serde_json::from_str(&with("json")).unwrap();
        assert_eq!((&json["score"], &json["runs"]), (&0.into(), &serde_json::json!([])));
    }
    assert_eq!(overlap(["xxabc", "abcyy"], &["--min-overlap", "3"]), "6\t0\n");
    assert_eq!(overlap(["xxabc", "abcyy"], &["--engine", "simt"]), "6\t0\n");
    for (options, told) in [
        (["--mode", "overlap", "--max", "3"].as_slice(), "use --min-overlap"),
        (&["--mode", "overlap", "--members", "cpu,cpu"], "uses one member"),
        (&["--mode", "overlap", "--algorithm", "dp"], "by the algorithm `auto` only"),
        (&["--mode", "infix", "--min-overlap", "3"], "needs --mode overlap"),
    ] {
        let error = refused(&[&["-e", "a", "b"], options].concat());
        assert!(error.contains(told), "{error}");
    }
    let error = refused(&["-e", "AN", "CN", "--mode", "overlap", "--engine", "simt", "--equal", "iupac"]);
    assert!(error.contains("use the CPU"), "{error}");
}

#[test]
fn rotations_in_every_form() {
    let circular = |form: &str| output(&["-e", "GATTACA", "ACAGATC", "--circular", "--output", form]);
    assert_eq!((circular("distance"), circular("places")), ("1\n".into(), "3\t10\t1\n".into()));
    assert_eq!(circular("cigar"), "3=1X3=\n");
    assert_eq!(circular("blocks"), "GATTACA   1  GATTACA  7\n             ||| |||\nACAGATC   4  GATCACA  10\n");
    let json: serde_json::Value = serde_json::from_str(&circular("json")).unwrap();
    assert_eq!((&json["distance"], &json["rotation"], &json["b_len"]), (&1.into(), &3.into(), &7.into()));
    assert_eq!((&json["b_region"]["end"], &json["runs"][1]["b_start"]), (&10.into(), &7.into()));
    assert_eq!(output(&["-e", "GATTACA", "ACAGATC", "--circular", "--max", "0"]), ">0\n");
    assert_eq!(output(&["-e", "", "", "--circular", "--output", "places"]), "0\t0\t0\n");
    assert_eq!(output(&["-e", "Müller", "llerMü", "--circular", "--output", "places"]), "4\t10\t0\n");
    for (options, told) in [
        (["--output", "paf"].as_slice(), "PAF has no positions"),
        (&["--mode", "infix"], "cannot be used with"),
        (&["--engine", "simt"], "computed on the CPU only"),
        (&["--members", "cpu,cpu"], "uses one CPU"),
    ] {
        let error = refused(&[&["-e", "a", "b", "--circular"], options].concat());
        assert!(error.contains(told), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.fa");
    fs::write(&file, ">a\nGATTACA\n").unwrap();
    let file = file.to_str().unwrap();
    let part = refused(&[file, &format!("{file}:a:2-5"), "--circular"]);
    assert!(part.contains("B must be a whole record"), "{part}");
}

#[test]
fn distances_above_a_maximum() {
    assert_eq!((of_parts(&["--max", "7"]), of_parts(&["--max", "6"])), ("7\n".into(), ">6\n".into()));
    let infix = |form: &str, maximum| of_parts(&["--mode", "infix", "--output", form, "--max", maximum]);
    assert_eq!((infix("places", "1"), infix("places", "0")), ("2\t6\t1\n8\t11\t1\n".into(), String::new()));
    assert_eq!(
        (infix("cigar", "1"), infix("cigar", "0"), infix("paf", "0")),
        ("2=1X1=\n".into(), ">0\n".into(), String::new())
    );
    let json: serde_json::Value = serde_json::from_str(&infix("json", "0")).unwrap();
    assert_eq!((&json["distance"], &json["maximum"], json.get("runs")), (&serde_json::Value::Null, &0.into(), None));
}

#[test]
fn symbols_that_count_as_equal() {
    let of = |a, b, equal| output(&["-e", a, b, "--equal", equal, "--output", "cigar"]);
    assert_eq!((of("Kitten", "kITTEN", "case"), of("GATNACU", "GATTACT", "iupac")), ("6=\n".into(), "7=\n".into()));
    assert_eq!((of("xyz", "yxz", "xy"), of("xYz", "YXz", "case,XY")), ("3=\n".into(), "1X2=\n".into()));
    // Gaps are moved past symbols that count as equal, not only past identical ones.
    assert_eq!(of("TAAAC", "tac", "case"), "1=2I2=\n");
}

#[test]
fn transpositions_of_neighbours() {
    let of = |options: &[&str]| output(&[&["--transpositions"], options].concat());
    assert_eq!(
        (of(&["-e", "recieve", "receive"]), output(&["-e", "recieve", "receive"])),
        ("1\n".into(), "2\n".into())
    );
    assert_eq!(
        (of(&["-e", "中国人", "国中人"]), of(&["-e", "CA", "ABC", "--max", "2"])),
        ("1\n".into(), ">2\n".into())
    );
    let folder = tempfile::tempdir().unwrap();
    let [pairs, lines] = ["pairs", "lines"].map(|name| folder.path().join(name));
    fs::write(&pairs, "recieve\treceive\nab\tba\n").unwrap();
    fs::write(&lines, "wave\nwvae\nwav\nawve\n").unwrap();
    let (pairs, lines) = (pairs.to_str().unwrap(), lines.to_str().unwrap());
    assert_eq!(of(&["--pairs", pairs]), "1\n1\n");
    assert_eq!(of(&["--all", lines, "--max", "1"]), "1\t2\t1\n1\t3\t1\n1\t4\t1\n");
    assert_eq!(of(&["--engine", "simt", "--pairs", pairs]), "1\n1\n");
    assert_eq!(of(&["--engine", "simt", "-e", "recieve", "receive"]), "1\n");
    for (options, told) in [
        (["--output", "cigar", "-e", "a", "b"].as_slice(), "gives distances only"),
        (&["--mode", "infix", "-e", "a", "b"], "cannot be used with"),
        (&["--cost", "indel", "--pairs", pairs], "cannot be used with"),
    ] {
        let error = refused(&[&["--transpositions"], options].concat());
        assert!(error.contains(told), "{error}");
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
    let told = String::from_utf8(run(&["--pairs", file, "--verbose"]).stderr).unwrap();
    assert!(["3 pairs\n", " read ", " write "].iter().all(|part| told.contains(part)), "{told}");
    let wrong = folder.path().join("wrong.tsv");
    fs::write(&wrong, "a\tb\nno tab\n").unwrap();
    assert!(
        refused(&["--pairs", wrong.to_str().unwrap()])
            .contains("wrong.tsv:2: no tab in 'no tab'; separate the two strings by a tab")
    );
    // A byte order mark is not a symbol. A file may look like FASTA, and may be compressed.
    fs::write(&wrong, "\u{feff}>a\tb\nc\tc\n").unwrap();
    assert_eq!(output(&["--pairs", wrong.to_str().unwrap()]), "2\n0\n");
    fs::write(&wrong, crate::common::files::gz("\u{feff}a\tb\n".as_bytes())).unwrap();
    assert_eq!(output(&["--pairs", wrong.to_str().unwrap()]), "1\n");
    fs::write(&wrong, b"\xff\xfea\0\t\0b\0").unwrap();
    assert!(refused(&["--pairs", wrong.to_str().unwrap()]).contains("iconv -f UTF-16"));
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
    let joined = |options: &[&str]| output(&[&["--all", records, "--with", records], options].concat());
    let both = "one\tone\t0\none\ttwo\t1\ntwo\tone\t1\ntwo\ttwo\t0\nthree\tthree\t0\n";
    assert_eq!(joined(&["--max", "1"]), both);
    assert_eq!(joined(&["--top", "1"]), "one\tone\t0\ntwo\ttwo\t0\nthree\tthree\t0\n");
    assert_eq!(joined(&[]).lines().count(), 9);
    assert_eq!(output(&["--all", lines, "--top", "1"]), "1\t3\t1\n2\t4\t3\n3\t1\t1\n4\t1\t1\n");
}

#[test]
fn columns_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let csv =
        file("a.csv", "\u{feff}id,name,alias\r\nx1,\"wave, a\",\"wave\nb\"\r\nx2,\"wafe, \"\"a\",\r\nx3,中国,中\r\n");
    let semicolons = file("b.csv", "name;id\nwave, b;y1\n中国;y2\n");
    let tabs = file("c.tsv", "a\tb\nwave\twaves\n");
    let json = file("d.jsonl", "{\"name\": \"wave, a\", \"n\": 17}\n\n{\"name\": null, \"n\": 7}\n{\"n\": 1.5}\n");
    assert_eq!(output(&["--all", &csv, "--column", "name", "--max", "2"]), "1\t2\t2\n");
    assert_eq!(output(&["--all", &csv, "--column", "name", "--id", "id", "--max", "2"]), "x1\tx2\t2\n");
    assert_eq!(output(&["--pairs", &csv, "--column", "name", "--column", "alias"]), "3\n8\n1\n");
    let joined = ["--all", &csv, "--with", &semicolons, "--column", "name", "--id", "id", "--max", "1"];
    assert_eq!(output(&joined), "x1\ty1\t1\nx3\ty2\t0\n");
    let two = ["--all", &csv, "--with", &semicolons, "--column", "alias", "--column", "name", "--max", "1"];
    assert_eq!(output(&two), "3\t2\t1\n");
    assert_eq!(output(&["--pairs", &tabs, "--column", "b", "--column", "a"]), "1\n");
    assert_eq!(output(&["--pairs", &json, "--column", "n", "--column", "name"]), "7\n1\n3\n");
    assert_eq!(
        output(&["--all", &csv, "--column", "name", "--max", "2", "--clusters=lines"]),
        "1\t2\t0\twave, a\n1\t2\t2\twafe, \"a\n2\t1\t0\t中国\n"
    );
    #[cfg(not(feature = "parquet"))]
    {
        let parquet = file("people.parquet", "PAR1\0\0PAR1");
        let error = refused(&["--all", &parquet, "--column", "name"]);
        assert!(error.contains("the feature `parquet`") && error.contains("duckdb"), "{error}");
    }
    let ragged = file("ragged.csv", "a,b\n1,2\n3\n");
    let broken = file("broken.jsonl", "{\"a\": 1}\n{\"a\":\n");
    let empty = file("empty.csv", "");
    for (call, told) in [
        (["--all", &csv, "--column", "nam"], "a.csv has no column 'nam'; its columns are id, name, alias"),
        (["--all", &json, "--column", "nam"], "has no column 'nam'; its columns are n"),
        (["--all", &ragged, "--column", "a"], "ragged.csv:3: 1 fields, but the header has 2"),
        (["--all", &broken, "--column", "a"], "broken.jsonl:2: not an object of JSON in one line"),
        (["--all", &empty, "--column", "a"], "has no column 'a'"),
        (["--pairs", &csv, "--column", "name"], "--pairs needs two times --column"),
    ] {
        let error = refused(&call);
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn clusters_as_a_table_and_as_objects() {
    let folder = tempfile::tempdir().unwrap();
    let (lines, records) = (folder.path().join("words"), folder.path().join("reads.fq"));
    fs::write(&lines, "wave\ncarry\nwaves\ncaves\ncarry\n").unwrap();
    fs::write(&records, "@one\nACGT\n+\nIIII\n@two\nTTTTTT\n+\nIIIIII\n@three x\nacga\n+\nIIII\n").unwrap();
    let (lines, records) = (lines.to_str().unwrap(), records.to_str().unwrap());
    let table = "1\t3\t1\t1\t0\n1\t3\t1\t3\t1\n1\t3\t1\t4\t2\n2\t2\t2\t2\t0\n2\t2\t2\t5\t0\n";
    for engine in ["cpu", "simt"] {
        assert_eq!(output(&["--all", lines, "-k", "1", "--clusters", "--engine", engine]), table);
    }
    assert_eq!(
        output(&["--all", records, "--max", "1", "--clusters=tsv"]),
        "1\t2\tone\tone\t0\n1\t2\tone\tthree\t1\n2\t1\ttwo\ttwo\t0\n"
    );
    assert_eq!(
        output(&["--all", records, "--max", "1", "--clusters=json"]).lines().next().unwrap(),
        r#"{"cluster":1,"size":2,"representative":"one","members":[{"name":"one","number":1,"distance":0},{"name":"three","number":3,"distance":1}]}"#
    );
    // Waves has the most near strings.
    let stars = "1\t3\t3\t3\t0\n1\t3\t3\t1\t1\n1\t3\t3\t4\t1\n2\t2\t2\t2\t0\n2\t2\t2\t5\t0\n";
    assert_eq!(output(&["--all", lines, "-k", "1", "--clusters", "--linkage", "star"]), stars);
    assert!(refused(&["--all", lines, "--max", "1", "--linkage", "star"]).contains("--clusters"));
    assert!(refused(&["--all", lines, "--clusters"]).contains("--max"));
    assert!(refused(&["--all", lines, "--with", lines, "--max", "1", "--clusters"]).contains("cannot be used with"));
    assert!(refused(&["--with", lines]).contains("--all"));
    assert!(refused(&["--all", lines, "--max", "1", "--top", "1", "--clusters"]).contains("cannot be used with"));
}

#[test]
fn wrong_calls_say_what_is_right() {
    assert!(refused(&[]).contains("<A>"));
    assert!(refused(&["-e", "a", "b", "--cost", "indel"]).contains("--cost needs --pairs or --all"));
    assert!(
        refused(&["-e", "a", "b", "--equal", "x"])
            .contains("does not take `x`; use case, iupac, or two or more ASCII symbols")
    );
    assert!(refused(&["-e", "a", "b", "--mode", "semi"]).contains("one of global, prefix, suffix, infix, overlap"));
    assert!(refused(&["--pairs", "list", "--mode", "infix"]).contains("cannot be used with"));
    assert!(refused(&["-e", "AN", "AC", "--equal", "iupac", "--engine", "simt"]).contains("use the CPU"));
    assert!(refused(&["-e", "a", "b", "--all", "list"]).contains("cannot be used with"));
    assert!(refused(&["a", "b", "--algorithm", "fastest"]).contains("edit distance algorithm"));
    for many in ["--pairs", "--all"] {
        for [option, value] in [["--output", "cigar"], ["--gaps", "rightmost"], ["--plot", "x.svg"]] {
            let told = refused(&[many, "list", option, value]);
            assert!(told.contains(many) && told.contains(&format!("cannot be used with '{option}")), "{told}");
        }
        assert!(refused(&[many, "list", "--algorithm", "dp"]).contains("unknown algorithm for many pairs `dp`"));
    }
}
