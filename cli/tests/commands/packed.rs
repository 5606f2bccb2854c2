//! Compressed files, files with a byte order mark, and errors in pattern files, for all commands.

use crate::common::program::{Folder, assert_mentions, complaint, gz};

/// ">a one\nACGTACGTACGTACGTTTGA\n>b\nGG\n" as written by `bzip2 -9`, `xz -9` and `zstd -19`.
const PACKED: [(&str, &[u8]); 3] = [
    ("bzip2", b"BZh91AY&SYM\xc3\x92\x0f\x00\x00\x02\xdf\x00\x00\x10@\x00\x00\x01(\x80\x04\x002\x01\xa0\x001\x03@\xd0\x12\x89\xeahz\x99[m\xd1R\xe3\x80\xb4\x98(D\xb3\xf7x.\xe4\x8ap\xa1\x20\x9b\x87$\x1e"),
    ("xz", b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01\x1c\x00\x00\x00\x10\xcfX\xcc\xe0\x00!\x00\x1c]\x00\x1f\x18@\x07\x22\x82\x94V\x9b\xce\xda\x9b\x08j\x91\xa2\x8b\x8c\xc7l\xb1\x04,:\x1a\x8b\x00\x00\x00e\xb0\x02\xc0\xd3\xdf\xbfg\x00\x018\x224Hy\xe2\x1f\xb6\xf3}\x01\x00\x00\x00\x00\x04YZ"),
    ("zstd", b"(\xb5/\xfd\x04h\xe5\x00\x00\xb0>a\x20one\x0aACGTTTGA\x0a>b\x0aGG\x0a\x01\x00\xb8\xeb\x05p\xc7\xa9\xae"),
];

/// Calls that read `file`, their output for the records above, and the exit code if the file cannot
/// be read.
const CALLS: [(&[&str], &str, i32); 8] = [
    (&["lcs", "file", "file", "--record-a", "a", "--record-b", "b"], "2\n", 1),
    (&["distance", "file", "file", "--record-a", "2", "--record-b", "1"], "18\n", 1),
    (&["distance", "--all", "file"], "a\tb\t18\n", 1),
    (&["distance", "--all", "file", "--max", "20", "--clusters"], "1\t2\ta\ta\t0\n1\t2\ta\tb\t18\n", 1),
    (&["search", "TTTGA", "file"], "a\t15\t20\tTTTGA\t0\t+\n", 2),
    (&["search", "--format", "text", "TTTGA", "file"], ">a\nACGTACGTACGTACGTTTGA\n", 2),
    (&["search", "-f", "file", "text"], "GG\n", 2),
    (&["best", "TTTGA", "file"], "distance 0, a 15..20: TTTGA\n", 1),
];

#[test]
fn every_command_reads_what_is_compressed() {
    let folder = Folder::new();
    folder.file("text", "one\nGG\n");
    let plain = b">a one\nACGTACGTACGTACGTTTGA\n>b\nGG\n";
    let gzip = gz(plain);
    for (name, packed) in PACKED.into_iter().chain([("none", &plain[..]), ("gzip", &gzip[..])]) {
        for (call, printed, failure) in CALLS {
            folder.file("file", packed);
            assert_eq!(folder.answer(call), printed, "{name} {call:?}");
            if name == "none" {
                continue;
            }
            folder.file("file", &packed[..packed.len() - 3]);
            let message = complaint(&folder.run(call), failure, call);
            assert_mentions(&message, &["file: ", name, "ends early"]);
            let mut damaged = packed.to_vec();
            let middle = packed.len() / 2;
            damaged[middle..middle + 9].fill(0);
            folder.file("file", damaged);
            let message = complaint(&folder.run(call), failure, call);
            assert_mentions(&message, &["file: ", name, "damaged"]);
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_symbol() {
    let folder = Folder::new();
    let marked = |text: &str| format!("\u{feff}{text}");
    for packs in [false, true] {
        let file = |name: &str, text: &str| {
            let text = marked(text);
            folder.file(name, if packs { gz(text.as_bytes()) } else { text.into_bytes() });
        };
        file("a.fa", ">a\nGATTACA\n");
        file("a.fq", "@a\nGATTACA\n+\nIIIIIII\n");
        file("lines", "wave\nwaves\n");
        file("patterns", "wave\n");
        for name in ["a.fa", "a.fq"] {
            assert_eq!(folder.answer(&["lcs", name, name]), "7\n");
            assert_eq!(folder.answer(&["search", "-x", "GATTACA", name]), "a\t0\t7\tGATTACA\t0\t+\n");
            assert_eq!(folder.answer(&["search", "-f", name, name]), "a\t0\t7\ta\t0\t+\n");
        }
        assert_eq!(folder.answer(&["search", "-x", "wave", "lines"]), "wave\n");
        assert_eq!(folder.answer(&["search", "-f", "patterns", "-c", "lines"]), "2\n");
        // Positions count from the start of the file.
        assert_eq!(folder.answer(&["search", "-ob", "wave", "lines"]), "3:wave\n8:wave\n");
        assert_eq!(folder.answer(&["search", "-xb", "wave", "lines"]), "3:wave\n");
        // With --raw, the byte order mark is a symbol.
        assert_eq!(folder.answer(&["search", "--raw", "-ob", "wave", "lines"]), "3:wave\n8:wave\n");
        assert_eq!(folder.run(&["search", "--raw", "-x", "wave", "lines"]).code, 1);
        assert_eq!(folder.answer(&["best", "wave", "lines"]), "distance 0, lines 3..7: wave\n");
        assert_eq!(folder.answer(&["distance", "--all", "lines"]), "1\t2\t1\n");
    }
}

#[test]
fn text_in_utf_16_is_said_to_be() {
    let folder = Folder::new();
    let text: Vec<u8> = "\u{feff}wave\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.file("text", &text);
    folder.file("lines", "wave\n");
    for call in [&["best", "wave", "text"][..], &["lcs", "text", "text"], &["distance", "--all", "text"]] {
        assert_mentions(&folder.refusal(1, call), &["text: ", "UTF-16", "iconv"]);
    }
    assert_mentions(&folder.refusal(2, &["search", "-f", "text", "lines"]), &["text: ", "UTF-16", "iconv"]);
    // As in grep, the bytes of the file are searched.
    let ran = folder.run(&["search", "wave", "text"]);
    assert_eq!((ran.code, &ran.stdout[..]), (1, &b""[..]));
    assert_mentions(&ran.stderr, &["text: ", "UTF-16", "iconv"]);
    assert_eq!(folder.run(&["search", "-I", "wave", "text"]).stderr, "");
}

/// Errors in a pattern of a file name the file, the line and the pattern.
#[test]
fn wrong_patterns_of_files_are_named() {
    let folder = Folder::new();
    folder.file("text", "carry wave\n");
    folder.file("dna.fa", ">c\nGATTACA\n");
    let refused = |patterns: &str, call: &[&str]| {
        folder.file("patterns", patterns);
        folder.refusal(2, &[&["search", "-f", "patterns"], call].concat())
    };
    let dna = "\n>one\nGATT\nACA\n>two k=1\nGAJTACA\n";
    assert_mentions(&refused(dna, &["dna.fa"]), &["patterns:5: pattern two: 'J' at position 3", "iupac"]);
    assert_mentions(
        &refused(&dna.replace("GAJ", "GAT"), &["-k", "9", "dna.fa"]),
        &["patterns:2: pattern one has 7 symbols", "9 errors"],
    );
    assert_mentions(
        &refused(">one\nGATT\n>two k=x\nGAT\n", &["dna.fa"]),
        &["patterns:3: pattern two: 'k=x' in the header"],
    );
    assert_mentions(
        &refused(">one fixed=3-2\nGATT\n", &["dna.fa"]),
        &["patterns:1: pattern one: 'fixed=3-2' in the header"],
    );
    assert_mentions(
        &refused(">one fixed=9\nGATT\n", &["dna.fa"]),
        &["patterns:1: pattern one: position 9 is outside the pattern"],
    );
    assert_mentions(
        &refused("@one\nGATT\n+\nIIII\n@two\nGXTT\n+\nIIII\n", &["dna.fa"]),
        &["patterns:5: pattern two: 'X'"],
    );
    assert_mentions(&refused("carry\n\nwave\n", &["-k", "4", "text"]), &["patterns:3: pattern wave has 4 symbols"]);
    assert_mentions(&refused("carry\n[a-\n", &["--classes", "text"]), &["patterns:2: pattern [a-: ", "is not closed"]);
    let long = format!("carry\n{}\n", "wave".repeat(20));
    let message = refused(&long, &["-k1", "--engine", "simt", "--algorithm", "shift-or", "text"]);
    assert!(!message.contains("position"), "{message}");
    let message = refused(&long, &["--engine", "simt", "--algorithm", "wu-manber", "text"]);
    assert_mentions(&message, &["up to 64 symbols, not 80", "patterns:2"]);
    assert_mentions(&refused("\n\n", &["text"]), &["patterns: this file has no pattern"]);
    // Typed patterns are numbered.
    assert_mentions(
        &folder.refusal(2, &["search", "-k4", "-e", "carry", "-e", "wave", "text"]),
        &["pattern 2 has 4 symbols"],
    );
}

#[test]
fn fastq_stays_fastq() {
    let folder = Folder::new();
    folder.file(
        "reads.fq",
        "@one 1:N\r\nGATTACA\r\n+one\r\nI!@#%^&\r\n@two\nCCC\n+\nIII\n@three\nTGATTACAT\n+\n@@@@@@@@@",
    );
    let text = ["search", "--format", "text", "GATTACA", "reads.fq"];
    let one = "@one 1:N\nGATTACA\n+\nI!@#%^&\n";
    assert_eq!(folder.answer(&text), format!("{one}@three\nTGATTACAT\n+\n@@@@@@@@@\n"));
    assert_eq!(folder.answer(&[&text[..], &["--full"]].concat()), one);
    let packed = gz(&folder.read("reads.fq"));
    folder.file("reads.fq", packed);
    assert_eq!(folder.answer(&[&text[..], &["-m1"]].concat()), one);
    // The output repeats the input.
    folder.file("again.fq", one);
    assert_eq!(folder.answer(&["search", "--format", "text", "GATTACA", "again.fq"]), one);
}
