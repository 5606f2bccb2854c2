//! `carrywave guides` from the command line.

use crate::common::program::{Folder, assert_mentions, gz};

const GUIDE: &str = "GACGCATAAAGATGAGACGC";

/// Returns a folder with guides and a genome of two records: a perfect site, one with two
/// mismatches on the reverse strand, one with a DNA bulge and one with an RNA bulge.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("guides.txt", format!("{GUIDE}\nTTTTTTTTTTCCCCCCCCCC\n"));
    folder.file("guides.fa", format!(">one some\n{GUIDE}NGG\n"));
    let chr1 = "ttGACGCATAAAGATGAGACGCTGGtttt\nttCCAGCGTCTCtTCTTTATGaGTCtt\n";
    let chr2 = "ttGACGCATATAAGATGAGACGCAGGttttt\nttGACGCATAAGATGAGACGCCGGtt\n";
    folder.file("genome.fa", format!(">chr1 first\n{chr1}>chr2\n{chr2}"));
    folder
}

#[test]
fn tables_have_the_columns_of_cas_offinder() {
    let folder = folder();
    let heading = "#Bulge type\tcrRNA\tDNA\tChromosome\tPosition\tDirection\tMismatches\tBulge Size\n";
    let perfect = "X\tGACGCATAAAGATGAGACGCNGG\tGACGCATAAAGATGAGACGCTGG\tchr1\t2\t+\t0\t0\n";
    let reverse = "X\tGACGCATAAAGATGAGACGCNGG\tGACtCATAAAGAaGAGACGCTGG\tchr1\t31\t-\t2\t0\n";
    let found = folder.answer(&["guides", "-m", "2", "guides.txt", "genome.fa"]);
    assert_eq!(found, [heading, perfect, reverse].concat());
    let bulges = ["guides", "-m0", "--dna-bulges", "1", "--rna-bulges", "1", "guides.txt", "genome.fa"];
    let dna = "DNA\tGACGCATA-AAGATGAGACGCNGG\tGACGCATATAAGATGAGACGCAGG\tchr2\t2\t+\t0\t1\n";
    let rna = "RNA\tGACGCATAAAGATGAGACGCNGG\tGACGCAT-AAGATGAGACGCCGG\tchr2\t33\t+\t0\t1\n";
    assert_eq!(folder.answer(&bulges), [heading, perfect, dna, rna].concat());
}

#[test]
fn other_formats() {
    let folder = folder();
    let of = |more: &[&str]| folder.answer(&[&["guides", "-m", "2", "guides.fa", "genome.fa"], more].concat());
    assert_eq!(of(&["--format", "bed"]), "chr1\t2\t25\tone\t0\t+\nchr1\t31\t54\tone\t2\t-\n");
    let json = of(&["--format", "json"]);
    let last = r#"{"file":"genome.fa","record":"chr1","start":31,"end":54,"strand":"-","guide":"one","mismatches":2,"dna_bulges":0,"rna_bulges":0,"guide_row":"GACGCATAAAGATGAGACGCNGG","dna_row":"GACtCATAAAGAaGAGACGCTGG"}"#;
    assert_eq!(json.lines().last(), Some(last));
    assert_eq!(of(&["--count"]), "#Guide\t0\t1\t2\tTotal\none\t1\t0\t1\t2\n");
    folder.answer(&["guides", "-m", "2", "guides.fa", "genome.fa", "genome.fa", "-c", "-o", "counts"]);
    assert_eq!(folder.read("counts"), b"#Guide\t0\t1\t2\tTotal\none\t2\t0\t2\t4\n");
}

/// Scores of a perfect site and of one with mismatches; a site with a bulge has none.
#[test]
fn scores_of_sites_and_guides() {
    let folder = folder();
    folder.file(
        "one.fa",
        ">chr1\nttATGGTGGGACTCCCTGCCAGAGGtttt\nATGGTCGGACTCCCTGCCAGTAG\n>chr2\nATGGTCGGACCCCCTGCCAGAGG\n",
    );
    let guide = "ATGGTCGGACTCCCTGCCAG";
    let of =
        |more: &[&str]| folder.answer(&[&["guides", "--pam=NRG", "--scores", "-e", guide, "one.fa"], more].concat());
    let scores: Vec<String> =
        of(&["-m2"]).lines().map(|line| line.split('\t').skip(6).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        scores,
        ["Mismatches Bulge Size CFD MIT", "1 0 0.500000 60.5000", "0 0 0.259259 100.0000", "1 0 0.666667 55.5000"]
    );
    let json = of(&["-m1", "--format=json"]);
    assert!(json.lines().next().unwrap().contains(r#""cfd":0.5,"mit":60.5"#), "{json}");
    let counts =
        format!("#Guide\t0\t1\tTotal\tCFD\tMIT\n{guide}\t1\t2\t3\t{:.6}\t{:.4}\n", 1.0 / 2.166_666_667, 100.0 / 2.16);
    assert_eq!(of(&["-m1", "-c"]), counts);
    let bulge = folder.answer(&["guides", "-m0", "--dna-bulges=1", "--scores", "guides.txt", "genome.fa"]);
    assert!(bulge.lines().last().unwrap().ends_with("\t0\t1\t\t"), "{bulge}");
}

/// Every placement of a bulge has a line; by default the best alone.
#[test]
fn all_alignments_of_a_site() {
    let folder = Folder::new();
    folder.file("genome.fa", ">chr1\nttGACGCATTAAAGATGAGACGCTGGtt\n");
    let of = |more: &[&str]| {
        let call = ["guides", "-m0", "--dna-bulges=1", "-e", GUIDE, "genome.fa"];
        let lines = folder.answer(&[&call, more].concat());
        lines.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let [first, second] = ["GACGCA-TAAAGATGAGACGCNGG", "GACGCAT-AAAGATGAGACGCNGG"];
    assert_eq!(of(&[]), [first]);
    assert_eq!(of(&["--alignments", "best"]), [first]);
    assert_eq!(of(&["--alignments", "all"]), [first, second]);
    let ran = folder.run(&["guides", "--alignments", "all", "-c", "-e", GUIDE, "genome.fa"]);
    assert_eq!(ran.code, 2);
    assert_mentions(&ran.stderr, &["--alignments", "--count"]);
    // In haplotypes too.
    folder.file("genome.fa", ">chr1\nttGACGCATTAAAGATGAGACGCTGATT\n");
    folder.file("known.vcf", vcf(&["chr1 26 a A G"]));
    assert_eq!(of(&["--alignments", "all", "--variants", "known.vcf"]), [first, second]);
}

/// A PAM before the site, by the name of a nuclease and by its codes, on both strands.
#[test]
fn a_pam_before_the_site() {
    let folder = Folder::new();
    let turned = "GCGTCTCATCTTTATGCGTC";
    folder.file("genome.fa", format!(">chr1\naaTTTA{GUIDE}aa\n>chr2\naa{turned}CAAAaa\n"));
    let expected = "chr1\t2\t26\tGACGCATAAAGATGAGACGC\t0\t+\nchr2\t2\t26\tGACGCATAAAGATGAGACGC\t0\t-\n";
    for pam in [&["--pam", "cas12a"][..], &["--pam", "TTTV", "--pam-side", "before"]] {
        let found = folder.answer(&[&["guides", "--format", "bed", "-e", GUIDE, "genome.fa"], pam].concat());
        assert_eq!(found, expected, "{pam:?}");
    }
    assert_eq!(folder.answer(&["guides", "--pam=TTTV", "-e", GUIDE, "genome.fa"]).lines().count(), 1);
}

/// By default, an N of the genome matches the N of the PAM alone.
#[test]
fn codes_in_the_genome() {
    let folder = Folder::new();
    folder.file("genome.fa", format!(">chr1\n{}NNNGG\n", &GUIDE[..18]));
    let count = |rule| folder.answer(&["guides", "-cm1", "-e", GUIDE, "--text-codes", rule, "genome.fa"]);
    assert_eq!([count("self"), count("overlap")].map(|counts| counts.ends_with("\t1\n")), [false, true]);
    assert!(folder.answer(&["guides", "-cm2", "-e", GUIDE, "genome.fa"]).ends_with("\t0\t0\t1\t1\n"));
}

/// Returns a VCF file with these lines, whose fields are separated by blanks; without QUAL and what
/// follows it.
fn vcf(lines: &[&str]) -> String {
    let line = |line: &&str| format!("{}\t.\t.\t.\n", line.replace(' ', "\t"));
    let header = "##fileformat=VCFv4.4\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n";
    header.to_owned() + &lines.iter().map(line).collect::<String>()
}

/// A variant that makes a PAM, one that removes a mismatch, and one that changes nothing.
#[test]
fn sites_with_variants() {
    let folder = Folder::new();
    folder.file("genome.fa", format!(">chr1 first\ntt{GUIDE}TGAttt\n{GUIDE}tGG\n>chr2\n{}AAGCTGGt\n", &GUIDE[..18]));
    let lines = ["chr1 25 a A G,<DEL>", "chr1 49 b T C", "chr2 19 c AAGC A,*", "chr2 19 d AAGC GC", "chr7 1 e A C"];
    folder.file("known.vcf", vcf(&lines));
    folder.file("known.vcf.gz", gz(vcf(&lines).as_bytes()));
    let of = |file: &str, more: &[&str]| {
        let ran = folder.run(&[&["guides", "-m0", "-e", GUIDE, "--variants", file, "genome.fa"], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_mentions(
            &ran.stderr,
            &["skipped 2 alternative alleles", "<DEL>", "skipped the variants of 1 record", "chr7"],
        );
        String::from_utf8(ran.stdout).unwrap()
    };
    let heading = "#Bulge type\tcrRNA\tDNA\tChromosome\tPosition\tDirection\tMismatches\tBulge Size";
    let rows = "X\tGACGCATAAAGATGAGACGCNGG\tGACGCATAAAGATGAGACGCTGG\tchr1";
    let known = format!(
        "{heading}\tVariants\n{rows}\t28\t+\t0\t0\t\n{rows}\t2\t+\t0\t0\tchr1:25:A>G\n{}\t0\t+\t0\t0\tchr2:19:AAGC>GC\n",
        rows.replace("chr1", "chr2")
    );
    assert_eq!(of("known.vcf", &[]), known);
    assert_eq!(of("known.vcf.gz", &[]), known);
    let bed = "chr1\t28\t51\tg\t0\t+\t\nchr1\t2\t25\tg\t0\t+\tchr1:25:A>G\nchr2\t0\t25\tg\t0\t+\tchr2:19:AAGC>GC\n";
    assert_eq!(of("known.vcf", &["--format=bed"]).replace(GUIDE, "g"), bed);
    let json = of("known.vcf", &["--format=json"]);
    let ends: Vec<&str> = json.lines().map(|line| line.rsplit_once(",\"variants\":").unwrap().1).collect();
    assert_eq!(ends, ["[]}", "[\"chr1:25:A>G\"]}", "[\"chr2:19:AAGC>GC\"]}"]);
    assert_eq!(of("known.vcf", &["-c"]), format!("#Guide\t0\tTotal\n{GUIDE}\t3\t3\n"));
    // Without the option there is no column.
    assert_eq!(
        folder.answer(&["guides", "-m0", "-e", GUIDE, "genome.fa"]),
        format!("{heading}\n{rows}\t28\t+\t0\t0\n")
    );
    // A part of a record has its variants.
    let part = ["guides", "-m0", "-e", GUIDE, "--format=bed", "--variants", "known.vcf", "genome.fa:chr1:3-30"];
    let found = String::from_utf8(folder.run(&part).stdout).unwrap();
    assert_eq!(found.replace(GUIDE, "g"), "chr1\t2\t25\tg\t0\t+\tchr1:25:A>G\n");
}

/// Two variants make a site together, if a sample has them on one haplotype.
#[test]
fn haplotypes_of_samples() {
    let folder = Folder::new();
    folder.file("genome.fa", format!(">chr1\ntt{}TTTGGtt\n", &GUIDE[..18]));
    let header = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tone\ttwo\n";
    let count = |first: &str, second: &str| {
        let line = |at: u32, alternative: &str, samples: &str| {
            format!("chr1\t{at}\t.\tT\t{alternative}\t.\t.\t.\tGT\t{samples}\n")
        };
        let lines = line(21, "G", first) + &line(22, "C", second);
        folder.file("known.vcf", header.to_owned() + &lines);
        let ran = folder.run(&["guides", "-m0", "--format=bed", "-e", GUIDE, "--variants", "known.vcf", "genome.fa"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        String::from_utf8(ran.stdout).unwrap().lines().count()
    };
    assert_eq!([count("0|1\t0|0", "0|1\t1|0"), count("0|1\t0|0", "1|0\t1|1")], [1, 0]);
    assert_eq!(count("0/1\t0|0", "1|0\t1|1"), 1);
}

#[test]
fn wrong_variants_are_refused() {
    let folder = folder();
    let cut = vcf(&["chr1 3 . G A"]) + "chr1\t5\t.\tC\n";
    for (file, words) in [
        (cut, &["known.vcf", "line 4 has 4 columns", "8", "cut short"][..]),
        (vcf(&["chr1 x . G A"]), &["known.vcf", "line 3", "POS is `x`"]),
        (vcf(&["chr1 3 . A C"]), &["line 3", "position 3 of chr1", "REF is `A`", "genome has `G`", "assembly"]),
        (vcf(&["chr1 57 . T C"]), &["line 3", "position 57 of chr1", "56 bases"]),
        ("chr1\n".into(), &["line 1", "#CHROM"]),
        ("".into(), &["known.vcf", "#CHROM"]),
    ] {
        folder.file("known.vcf", file);
        let ran = folder.run(&["guides", "--variants", "known.vcf", "guides.txt", "genome.fa"]);
        assert_eq!(ran.code, 1);
        assert_mentions(&ran.stderr, words);
    }
    assert_mentions(
        &folder.refusal(1, &["guides", "--variants", "none.vcf", "guides.txt", "genome.fa"]),
        &["none.vcf"],
    );
    let twice = folder.refusal(2, &["guides", "--variants", "-", "guides.txt", "-"]);
    assert_mentions(&twice, &["standard input", "variants"]);
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = folder();
    folder.file("lines", "ACGT\n");
    folder.file("wrong.txt", format!("{GUIDE}\nGACG-ATAAAGATGAGACGC\n"));
    folder.file("limits.fa", format!(">one k=3\n{GUIDE}\n"));
    folder.file("empty", "");
    for (arguments, code, words) in [
        (&[][..], 2, &["GUIDES", "GENOME"][..]),
        (&["guides.txt"], 2, &["GENOME"]),
        (&["-", "-"], 2, &["standard input"]),
        (&["guides.txt", "lines"], 1, &["lines", "FASTA"]),
        (&["wrong.txt", "genome.fa"], 2, &["wrong.txt:2", "'-' at position 5"]),
        (&["limits.fa", "genome.fa"], 2, &["limits.fa:1", "--mismatches"]),
        (&["empty", "genome.fa"], 1, &["empty"]),
        (&["-m", "40", "guides.txt", "genome.fa"], 2, &["guides.txt:1", "40"]),
        (&["guides.txt", "nothing.fa"], 1, &["nothing.fa"]),
    ] {
        let message = folder.refusal(code, &[&["guides"], arguments].concat());
        assert_mentions(&message, words);
    }
    let ran = folder.run(&["guides", "--pam", "NXG", "guides.txt", "genome.fa"]);
    assert_eq!(ran.code, 2);
    assert_mentions(&ran.stderr, &["PAM", "NXG", "Cas12a"]);
}
