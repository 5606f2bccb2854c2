//! `FILE:RECORD:FROM-TO` and `carrywave index` from the command line.

use crate::common::program::{Folder, assert_mentions};

/// Returns a folder with two records. GATTACA is at 11..18 of c1 and at 2..9 of c2.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("g.fa", ">c1 first\nACGTGACGTT\nGGATTACAGG\nATC\n>c2\nTTGATTACATT\n");
    folder
}

#[test]
fn hits_have_positions_in_the_whole_record() {
    let folder = folder();
    let whole = folder.answer(&["search", "GATTACA", "g.fa"]);
    let parts = ["search", "GATTACA", "g.fa:c1:6-18", "g.fa:c1:7-17", "g.fa:c1:13-", "g.fa:2:3-9"];
    assert_eq!(folder.answer(&parts), whole);
    assert_eq!(whole, "c1\t11\t18\tGATTACA\t0\t+\nc2\t2\t9\tGATTACA\t0\t+\n");
    assert_eq!(folder.answer(&["search", "-ob", "GATTACA", "g.fa:c1:12"]), "c1:11:GATTACA\n");
    assert_eq!(folder.answer(&["search", "-c", "GATTACA", "g.fa:c2"]), "1\n");
    for format in ["json", "paf", "sam", "align"] {
        let of_file = |file: &str| {
            let answer = folder.answer(&["search", "-k1", "GATTACT", "--format", format, file]);
            let lines = answer.lines().filter(|line| !line.starts_with("@PG"));
            lines.map(|line| line.replace(&format!("\"{file}\""), "FILE")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(of_file("g.fa:c1:10-20"), of_file("g.fa:c1"), "{format}");
    }
}

#[test]
fn the_nearest_part_has_positions_in_the_whole_record() {
    let folder = folder();
    for output in ["text", "tsv", "bed", "paf", "sam", "align"] {
        let of_file = |file: &str| {
            let answer = folder.answer(&["best", "GATTACT", file, "--output", output]);
            answer.lines().filter(|line| !line.starts_with("@PG")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(of_file("g.fa:c1:10-20"), of_file("g.fa:c1"), "{output}");
    }
}

#[test]
fn sites_have_positions_in_the_whole_record() {
    let folder = Folder::new();
    let site = "GACGCATAAAGATGAGACGCTGG";
    folder.file("g.fa", format!(">c1\nTTTTT{site}TT\nTT{site}TT\n>c2\nTTT\n"));
    let sites = |file: &str| folder.answer(&["guides", "--format", "bed", "-m0", "-e", &site[..20], file]);
    let whole = sites("g.fa");
    assert_eq!(whole.lines().count(), 2);
    assert_eq!([sites("g.fa:c1:4-30"), sites("g.fa:c1:30-")].concat(), whole);
}

#[test]
fn pairs_of_regions_have_positions_in_the_whole_records() {
    let folder = folder();
    let a = "g.fa:c1:11-20";
    let b = "g.fa:c2:2-9";
    let lcs = |more: &[&str]| folder.answer(&[&["lcs", a, b, "--output"], more].concat());
    assert_eq!(lcs(&["length"]), "7\n");
    let ranges = r#""a_region":{"start":10,"end":20},"b_region":{"start":1,"end":9},"length":7,"a_len":23,"b_len":11"#;
    let runs = r#""runs":[{"a_start":10,"b_start":2,"len":1},{"a_start":12,"b_start":3,"len":6}]"#;
    assert_mentions(&lcs(&["json"]), &[ranges, runs]);
    assert_eq!(lcs(&["paf"]), "c1\t23\t10\t20\t+\tc2\t11\t1\t9\t7\t11\t255\tNM:i:4\tcg:Z:1D1=1I6=2I\n");
    assert_eq!(lcs(&["blocks"]), "c1  11  -GGATTACAGG  20\n         | ||||||\nc2   2  TG-ATTACA--  9\n");
    let reverse = lcs(&["json", "--strand", "reverse"]);
    // The reverse complement of c2 is AATGTAATCAA; the region's is TGTAATCA.
    assert_mentions(&reverse, &[r#""b_region":{"start":1,"end":9}"#, r#"{"a_start":10,"b_start":3,"len":1}"#]);
    assert_mentions(&lcs(&["blocks", "--strand", "reverse"]), &["c2   9  T", "  2\n"]);
    let places = ["distance", "g.fa:c2:3-9", "g.fa:c1:6-23", "--mode", "infix", "--output"];
    let distance = |output| folder.answer(&[&places[..], &[output]].concat());
    assert_eq!(distance("places"), "11\t18\t0\n");
    assert_eq!(distance("paf"), "c2\t11\t2\t9\t+\tc1\t23\t11\t18\t7\t7\t255\tNM:i:0\tcg:Z:7=\n");
    assert_eq!(distance("blocks"), "c2   3  GATTACA  9\n        |||||||\nc1  12  GATTACA  18\n");
    let json = r#""b_start":11,"b_end":18,"distance":0,"a_len":11,"b_len":23,"a_region":{"start":2,"end":9}"#;
    assert_mentions(&distance("json"), &[json, r#""runs":[{"a_start":2,"b_start":11,"len":7}]"#]);
    let options = ["distance", "--record-a", "c2:3-9", "--record-b", "c1:12-18", "g.fa", "g.fa"];
    assert_eq!(folder.answer(&options), "0\n");
}

#[test]
fn an_axis_of_a_plot_begins_with_the_region() {
    let folder = Folder::new();
    let text: String = (0..500).map(|at| char::from(b"ACGT"[at * at % 7 % 4])).collect();
    folder.file("x.fa", format!(">x\n{text}\n"));
    folder.answer(&["lcs", "x.fa:x:301-400", "x.fa:x:-100", "--plot", "plot.svg"]);
    let plot = std::fs::read_to_string(folder.path("plot.svg")).unwrap();
    assert!(plot.contains("\n350\n") && plot.contains("\n50\n"), "{plot}");
}

#[test]
fn standard_input_is_read_once() {
    let folder = folder();
    let text = std::fs::read(folder.path("g.fa")).unwrap();
    let ran = folder.run_with(&["lcs", "--", "-:c1:12-18", "g.fa:c2:3-9"], &text);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "7\n");
    for arguments in
        [&["lcs", "--", "-:c1", "-:c2"][..], &["search", "A", "--", "-:c1", "-"], &["guides", "--", "-", "-:c1"]]
    {
        assert_mentions(&folder.run_with(arguments, &text).stderr, &["tandard input"]);
    }
}

#[test]
fn wrong_regions_are_refused() {
    let folder = folder();
    folder.file("lines", "one\ntwo\n");
    for (code, arguments, words) in [
        (1, &["best", "A", "g.fa:c1:24-30"][..], &["g.fa: 'c1:24-30'", "only 23 symbols"][..]),
        (1, &["best", "A", "g.fa:c1:0-3"], &["count from 1"]),
        (1, &["best", "A", "g.fa:c3"], &["no record 'c3' in 2 records: c1, c2"]),
        (1, &["best", "A", "lines:one"], &["lines", "neither FASTA"]),
        (2, &["best", "--raw", "A", "g.fa:c1"], &["g.fa:c1", "has no records"]),
        (2, &["lcs", "g.fa:c1", "g.fa", "--record-a", "c2"], &["chooses a record already"]),
        (1, &["best", "A", "nothing:c1"], &["nothing:c1"]),
        (1, &["index", "lines"], &["lines", "cannot be indexed"]),
        (1, &["index", "nothing"], &["nothing"]),
    ] {
        assert_mentions(&folder.refusal(code, arguments), words);
    }
}

#[test]
fn an_index_is_written_and_read() {
    let folder = folder();
    assert_eq!(folder.answer(&["index", "g.fa"]), "");
    let path = folder.path("g.fa.fai");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "c1\t23\t10\t10\t11\nc2\t11\t40\t11\t12\n");
    let find = ["search", "GATTACA", "g.fa:c1:6-20"];
    assert_eq!(folder.answer(&find), "c1\t11\t18\tGATTACA\t0\t+\n");
    // The file is longer now, so the index does not fit.
    folder.file("g.fa", ">c1 first\nACGTGACGTTGGATTACAGGATC\n>c2\nTTGATTACATT\n");
    std::fs::write(&path, "c1\t23\t10\t10\t11\nc2\t11\t40\t11\t12\n").unwrap();
    let ran = folder.run(&find);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "c1\t11\t18\tGATTACA\t0\t+\n");
    assert_mentions(&ran.stderr, &["g.fa.fai is not used", "the whole file is read"]);
    folder.file("twice.fa", ">a\nA\n>a\nC\n");
    assert_mentions(&folder.run(&["index", "twice.fa"]).stderr, &["not in the index", "1 of 2 records, first a"]);
}

#[test]
fn two_bit_files_are_read_like_fasta() {
    let folder = Folder::new();
    folder.file(
        "x.2bit",
        b"\x43\x27\x41\x1A\0\0\0\0\x01\0\0\0\0\0\0\0\x01x\x16\0\0\0\
          \x06\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x1B\x80",
    );
    assert_eq!(folder.answer(&["search", "AG", "x.2bit"]), "x\t2\t4\tAG\t0\t+\n");
    assert_eq!(folder.answer(&["search", "AG", "x.2bit:x:3-5"]), "x\t2\t4\tAG\t0\t+\n");
    folder.file("x.fa", ">x\nTCAGNT\n");
    assert_eq!(folder.answer(&["distance", "x.2bit", "x.fa"]), "0\n");
    assert_mentions(&folder.refusal(1, &["index", "x.2bit"]), &["has an index inside"]);
}
