//! Random calls of the program, with options and values of all types. Each call succeeds or is
//! refused with a message. Run by `cargo xtask fuzz`.

mod common;

use carrywave::algorithm::{Algorithm, Problem};
use carrywave::best::Infix;
use carrywave::distance::Global;
use carrywave::lcs::Lcs;
use carrywave::search::Occurrences;
use common::files::gz;
use common::program::{Folder, Ran};
use common::random_inputs::{Kind, check};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::time::Duration;

/// An option, and valid values for it.
type Options = [(&'static str, &'static [&'static str])];

/// Returns a random option of a command, with a valid or invalid value. `--algorithm` with the
/// names for the problem P is among the options.
fn option<P: Problem>(options: &'static Options) -> impl Strategy<Value = Vec<String>> {
    const STRANGE: [&str; 12] =
        ["", "0", "-1", "1", "3", "18446744073709551615", "99999999999999999999", "1e9", "nan", "\u{202e}", "-", "a b"];
    let algorithms = std::iter::once("auto").chain(Algorithm::<P>::all().map(Algorithm::name)).collect();
    let mut all: Vec<(&str, Vec<&str>)> = options.iter().map(|(name, values)| (*name, values.to_vec())).collect();
    all.push(("--algorithm", algorithms));
    (select(all), any::<prop::sample::Index>(), 0..6u8).prop_map(|((name, values), at, strange)| {
        let value = match (values.is_empty(), strange) {
            (true, _) => return vec![name.to_string()],
            (false, 0) => STRANGE[at.index(STRANGE.len())],
            (false, _) => values[at.index(values.len())],
        };
        vec![name.to_string(), value.to_string()]
    })
}

const ENGINES: &[&str] = &["auto", "cpu", "simt", "gpu"];
const FILES: [&str; 10] = ["a.fa", "b.fa", "two.fa", "reads.fq", "text", "packed.gz", "empty", "noise", "missing", "-"];
const STRINGS: [&str; 9] =
    ["GATTACA", "A", "", "a carry wave", "GAT.ACA", "NNN", "M\u{fc}ller", "-x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"];

const LCS: &Options = &[
    ("-e", &[]),
    ("--raw", &[]),
    ("--no-decompress", &[]),
    ("--record-a", &["one", "two", "none"]),
    ("--record-b", &["one", "two"]),
    ("--case", &["auto", "keep", "ignore"]),
    ("--circular", &[]),
    ("--engine", ENGINES),
    ("--gpu", &["0", "1", "7"]),
    ("--gpus", &["1", "2", "65"]),
    ("--output", &["length", "subsequence", "cigar", "blocks", "json"]),
    ("-o", &["out", "none/out", "/dev/stdout", "/dev/full", "a.fa"]),
    ("--plot", &["p.svg", "p.png", "p.gif", "none/p.svg"]),
    ("--threads", &["1", "2", "3"]),
];
const DISTANCE: &Options = &[
    ("--mode", &["global", "prefix", "suffix", "infix", "overlap"]),
    ("--min-overlap", &["0", "2", "99"]),
    ("--circular", &[]),
    ("--output", &["distance", "places", "cigar", "blocks", "json", "paf"]),
    ("--gaps", &["leftmost", "rightmost"]),
    ("--max", &["0", "2", "10%"]),
    ("--equal", &["case", "iupac", "XY,YZ"]),
    ("--bytes", &[]),
    ("--engine", ENGINES),
    ("--members", &["cpu,cpu"]),
    ("-o", &["out", "/dev/full"]),
    ("--plot", &["p.svg"]),
];
const SEARCH: &Options = &[
    ("-k", &["0", "1", "2", "6", "16", "10%", "99%"]),
    ("--substitutions", &["0", "1", "3", "4294967295"]),
    ("--insertions", &["0", "1", "5"]),
    ("--deletions", &["0", "1", "4294967295"]),
    ("--gap-cost", &["1", "2", "4294967295"]),
    ("--anchor", &["start", "end", "both"]),
    ("--overhang", &[]),
    ("--overhang=0.5", &[]),
    ("--overhang=nan", &[]),
    ("--min-overlap", &["0", "1", "18446744073709551615"]),
    ("--circular", &[]),
    ("--fixed", &["1", "2-3", "1-2,4", "3-1", "1-18446744073709551615"]),
    ("-f", &["text", "two.fa", "empty", "missing", "-"]),
    ("--alphabet", &["auto", "bytes", "dna", "iupac", "protein"]),
    ("--text-codes", &["self", "overlap", "never"]),
    ("-i", &[]),
    ("--wildcard", &["?", "N", "\u{fc}"]),
    ("--rc", &[]),
    ("--overlapping", &[]),
    ("--ends", &["best", "all"]),
    ("-c", &[]),
    ("-o", &[]),
    ("-b", &[]),
    ("--format", &["text", "bed", "json", "sam", "paf", "align"]),
    ("--cigar", &[]),
    ("--raw", &[]),
    ("--no-decompress", &[]),
    ("--whole", &[]),
    ("--color=always", &[]),
    ("-e", &["GATTACA", "wave", "-x", "", "^GAT", "ACA$", "^"]),
    ("--classes", &[]),
    ("-F", &[]),
    ("-E", &[]),
    ("-n", &[]),
    ("-v", &[]),
    ("-w", &[]),
    ("--full", &[]),
    ("-A", &["0", "1", "1000"]),
    ("-B", &["0", "1", "1000"]),
    ("-C", &["0", "1"]),
    ("-m", &["0", "1", "2"]),
    ("--group-separator", &["", "**"]),
    ("--line-buffered", &[]),
    ("-a", &[]),
    ("-I", &[]),
    ("--binary-files", &["binary", "text", "without-match"]),
    ("-l", &[]),
    ("-L", &[]),
    ("-q", &[]),
    ("-s", &[]),
    ("-H", &[]),
    ("-h", &[]),
    ("-Z", &[]),
    ("-r", &[]),
    ("-R", &[]),
    ("--include", &["*.fa", "[", "{a,b}"]),
    ("--exclude", &["*.fa", "text"]),
    ("--hidden", &[]),
    ("--no-ignore", &[]),
    ("--engine", ENGINES),
    ("--tune", &["alpha=4", "variant=overlapping", "table=paper", "segment=32", "alpha=0", "segment=0"]),
    ("--threads", &["1", "2"]),
];
const BEST: &Options = &[
    ("--alphabet", &["auto", "bytes", "dna", "iupac", "protein"]),
    ("--text-codes", &["self", "overlap", "never"]),
    ("--raw", &[]),
    ("--no-decompress", &[]),
    ("--engine", ENGINES),
    ("--output", &["text", "tsv", "cigar", "json", "bed", "sam", "paf", "align"]),
    ("-f", &["text", "two.fa", "empty", "missing", "-"]),
    ("-i", &[]),
    ("--rc", &[]),
    ("--circular", &[]),
    ("--ties", &[]),
];

const TRIM: &Options = &[
    ("-a", &["ACGT", "A{10}", "GATT;e=1", "XX", "ACGT$", "NNACN", "GAT...ACA", "file:two.fa", "file:missing"]),
    ("-g", &["GATT", "^GAT", "XGAT", "^file:two.fa"]),
    ("-b", &["ACGT", "R"]),
    ("-e", &["0", "0.1", "1", "0.99"]),
    ("-O", &["1", "3", "100"]),
    ("-n", &["1", "2"]),
    ("--no-indels", &[]),
    ("-N", &[]),
    ("--revcomp", &[]),
    ("--action", &["trim", "retain", "mask", "lowercase", "crop", "none"]),
    ("-u", &["1", "-3", "99"]),
    ("-q", &["10", "5,20"]),
    ("--nextseq-trim", &["20"]),
    ("--quality-base", &["33", "64"]),
    ("--poly-a", &[]),
    ("-l", &["3", "-3"]),
    ("--trim-n", &[]),
    ("-m", &["1", "2:3", ":"]),
    ("-M", &["9"]),
    ("--max-n", &["0", "0.5"]),
    ("--max-ee", &["1"]),
    ("--discard-untrimmed", &[]),
    ("--interleaved", &[]),
    ("-o", &["out", "none/out", "/dev/stdout", "/dev/full"]),
    ("--report", &["full", "short", "none"]),
    ("--threads", &["1", "2"]),
];
const BARCODES: &Options = &[
    ("-k", &["0", "1", "2", "7"]),
    ("--margin", &["1", "2"]),
    ("--split", &["own", "{name}.fq.gz"]),
    ("--mismatches-only", &[]),
    ("--at", &["0", "3"]),
    ("--within", &["0-2", "3-1"]),
    ("--anywhere", &[]),
    ("--umi", &["0-4", "3-99"]),
    ("--count", &[]),
    ("--format", &["tsv", "json"]),
    ("-o", &["out", "none/out"]),
];
const GUIDES: &Options = &[
    ("-e", &["GATTAC", "ACGTGATTACAGG", "X", ""]),
    ("--pam", &["NGG", "N", "Cas12a", "none"]),
    ("--pam-side", &["before", "after"]),
    ("-m", &["0", "1", "4"]),
    ("--dna-bulges", &["0", "1", "9"]),
    ("--rna-bulges", &["1", "2"]),
    ("--edits", &["0", "2", "99"]),
    ("--text-codes", &["self", "overlap", "never"]),
    ("--alignments", &["best", "all"]),
    ("--variants", &["known.vcf", "cut.vcf", "text", "packed.gz", "empty", "missing", "-"]),
    ("--format", &["tsv", "bed", "json"]),
    ("--count", &[]),
    ("--scores", &[]),
    ("-o", &["out", "none/out"]),
    ("--engine", ENGINES),
];

/// Returns the arguments of a random call.
fn calls() -> impl Strategy<Value = Vec<String>> {
    let files = || vec(select(FILES.to_vec()), 0..3);
    let string = select(STRINGS.to_vec());
    let call = |command: &str, options: Vec<Vec<String>>, words: Vec<&str>| {
        let words = words.into_iter().map(str::to_string);
        [command.to_string()].into_iter().chain(options.concat()).chain(words).collect::<Vec<_>>()
    };
    prop_oneof![
        (vec(option::<Lcs>(LCS), 0..5), vec(select(FILES.to_vec()), 2)).prop_map(move |(o, w)| call("lcs", o, w)),
        (vec(option::<Lcs>(LCS), 0..3), vec(select(STRINGS.to_vec()), 2)).prop_map(move |(o, w)| call(
            "lcs",
            [vec![vec!["-e".into()]], o].concat(),
            w
        )),
        (vec(option::<Global>(DISTANCE), 0..4), vec(select(FILES.to_vec()), 2))
            .prop_map(move |(o, w)| call("distance", o, w)),
        (vec(option::<Global>(DISTANCE), 0..4), vec(select(STRINGS.to_vec()), 2)).prop_map(move |(o, w)| call(
            "distance",
            [vec![vec!["-e".into()]], o].concat(),
            w
        )),
        (vec(option::<Occurrences>(SEARCH), 0..6), string.clone(), files()).prop_map(move |(o, p, f)| call(
            "search",
            o,
            [vec![p], f].concat()
        )),
        (vec(option::<Infix>(BEST), 0..4), string, select(FILES.to_vec())).prop_map(move |(o, p, f)| call(
            "best",
            o,
            vec![p, f]
        )),
        (vec(option::<Lcs>(TRIM), 0..5), files()).prop_map(move |(o, w)| call("trim", o, w)),
        (vec(option::<Occurrences>(GUIDES), 0..6), files()).prop_map(move |(o, w)| call("guides", o, w)),
        (vec(option::<Lcs>(BARCODES), 0..4), files()).prop_map(move |(o, w)| call("barcodes", o, w)),
    ]
}

/// Asserts that a call ends within a minute, with neither the exit code of a panic nor a signal,
/// and leaves only the requested files.
fn are_answered_or_refused(arguments: Vec<String>) {
    are_answered_or_refused_with(arguments, "1");
}

/// Checks a call as [`are_answered_or_refused`] does. The pattern headers in the file `own` contain
/// `number`.
fn are_answered_or_refused_with(arguments: Vec<String>, number: &str) {
    let folder = Folder::new();
    folder.file("own", format!(">p k={number}\ncarry\n>q k=1 fixed=1-{number}\nwave\n>r k={number} fixed=1\nca\n"));
    folder.file("pairs", "ab\tabc\nkitten\tsitting\n");
    folder.file("a.fa", ">one first\nACGTGATTACAGG\nGATTNCA\n");
    folder.file("b.fa", ">one\nTTGATTACCAGG\n");
    folder.file("two.fa", ">one\nGATTACA\n>two\nRYKM\n>\nGATT\n");
    folder.file("reads.fq", "@r\nGATTACAGATTACA\n+\nIIIIIIIIIIIIII\n\n\n");
    folder.file("text", "a carry wave\ncarrywave M\u{fc}ller\n\n");
    folder.file("packed.gz", gz(b">one\nGATTACA\n"));
    let vcf = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts\n";
    folder.file("known.vcf", format!("{vcf}one\t3\t.\tG\tC,GT\t.\t.\t.\tGT\t1|2\n"));
    folder.file("cut.vcf", format!("{vcf}one\t{number}\t.\tG\tC,GT\t.\t.\t.\tGT\t1|{number}\n"));
    folder.file("empty", "");
    folder.file("noise", (0..=255u8).collect::<Vec<_>>());
    let before = folder.names();
    let given: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Ran { code, stderr, .. } = folder.run_within(Duration::from_secs(60), &given);
    assert!((0..=2).contains(&code), "{arguments:?}: exit code {code}, {stderr}");
    assert!(!stderr.contains("panicked") && !stderr.contains("bug in carrywave"), "{arguments:?}: {stderr}");
    // -s suppresses messages about missing files.
    let is_silent = arguments.iter().any(|argument| argument == "-s");
    assert!(code != 2 || !stderr.is_empty() || is_silent, "{arguments:?} fails without a word");
    let left: Vec<String> = folder.names().into_iter().filter(|name| !before.contains(name)).collect();
    let asked = |name: &String| ["out", "p.svg", "p.png"].contains(&name.as_str()) || arguments.contains(name);
    assert!(left.iter().all(asked), "{arguments:?} leaves {left:?}");
}

#[test]
fn random_calls() {
    check(vec![Kind::new("calls", calls(), are_answered_or_refused)]);
}

/// Calls with a number in place of `{}`.
const NUMBERED: &[&str] = &[
    "search -k {} GATTACA text",
    "search -x -k {} GATTACA a.fa",
    "search -x -k {} --fixed 1 ca text",
    "search -x -k {} --fixed 1 --deletions {} ca text",
    "search -k {} --fixed 1-2 --format align carry text",
    "search -k 2 --engine simt --fixed {} carry text",
    "search -k {}% carry text",
    "search -k {} --transpositions carry text",
    "search -k {}% --transpositions -c carry text",
    "search -x -k {} --transpositions ca text",
    "search --fixed 1-{} carry text",
    "search --fixed {}-{} carry text",
    "search --substitutions {} -c carry text",
    "search --insertions {} --deletions {} -x carry text",
    "search -k 3 --insertions {} carry text",
    "search -k {} --substitutions 1 --engine simt carry text",
    "search -m {} carry text",
    "search -A {} -B {} carry text",
    "search -C {} -n carry text",
    "search -C {} -k 1 --format json carry text",
    "search -f own text",
    "search -x -f own text",
    "search -k 1 -f own a.fa",
    "search --threads {} carry text",
    "search --gpu {} carry text",
    "search --gpus {} --engine gpu carry text",
    "search --tune tile={} carry text",
    "best -e carry text --threads {}",
    "lcs --record-a {} --record-b {} two.fa two.fa",
    "lcs -e ab abc --members cpu,cpu --shares {},1",
    "lcs -e ab abc --members cpu,cpu --shares {},{}",
    "lcs -e ab abc --threads {}",
    "distance -e ab abc --max {}",
    "distance -e ab abc --max {} --mode infix --output places",
    "distance -e ab abc --max {} --mode prefix --output cigar",
    "distance -e ab abc --max {} --mode suffix --output json",
    "distance -e ab abc --mode overlap --min-overlap {} --output json",
    "distance -e ab abc --max {} --engine simt",
    "distance -e ab abc --members cpu,cpu --shares 1,{}",
    "distance --pairs pairs --max {}",
    "distance --pairs pairs --max {} --cost indel --engine simt",
    "distance --all text --max {}",
    "distance --all text --max {} --cost indel",
    "distance --all text --top {}",
    "distance --all text --top {} --max {} --engine simt",
    "distance --all text --max {} --clusters",
    "distance --all text --max {}% --clusters --linkage star",
    "distance --all text --max {}% --top {}",
    "trim -a GATT -e {} -O {} reads.fq",
    "trim -a GATT;e={} -g ^GAT;o={} reads.fq",
    "trim -a A{{}} reads.fq",
    "trim -a GATT -n {} reads.fq",
    "trim -u {} -u -{} -l {} reads.fq",
    "trim -q {},{} --nextseq-trim {} --quality-base {} reads.fq",
    "trim -m {}:{} -M {} --interleaved reads.fq",
    "trim --max-n {} --max-ee {} --max-aer {} reads.fq",
    "trim --compression-level {} -o out reads.fq",
    "guides -m {} --dna-bulges {} -e GATTAC a.fa",
    "guides --rna-bulges {} --edits {} -e GATTAC a.fa",
    "guides --alignments all --dna-bulges {} --rna-bulges {} --edits {} -e GATTAC a.fa",
    "guides -m 1 -e GATTAC --variants known.vcf a.fa:one:1-{}",
    "barcodes -k {} --margin {} two.fa reads.fq",
    "barcodes --at {} a.fa reads.fq",
    "barcodes --within {}-{} a.fa reads.fq",
    "barcodes --umi {}-{} a.fa reads.fq",
    "search -c GATT a.fa:one:{}-{}",
    "diff -U {} text pairs",
    "diff -C {} text pairs",
    "diff --unified={} --unit words text pairs",
    "diff -u --threads {} text pairs",
    "machine contiguous -w {}",
    "machine contiguous -l {}",
    "machine contiguous -n {}",
    "machine contiguous -p {}",
    "machine contiguous -w {} -l {} -n {} -p {}",
    "machine umm -m {}",
    "machine dmm -k {} -n 64",
    "machine wu-manber -k {} -n 64",
    "machine contiguous --word {}",
    "machine contiguous --sweep n={}",
    "machine contiguous --sweep n=1:{}:1",
    "machine contiguous --sweep n=64:{}:{},l={}",
    "verify --engine cpu --seconds {} --schedules {} --gpu {}",
    "verify --engine nothing --seed {} --seconds {}",
    "bench --only nothing --runs {}",
];

/// Every option that takes a number, with numbers at the limits of possible types.
#[test]
fn numbers_at_their_limits() {
    const NUMBERS: &[&str] = &[
        "0",
        "1",
        "2147483648",
        "4294967295",
        "9223372036854775807",
        "18446744073709551615",
        "-1",
        "99999999999999999999999999999999999999",
    ];
    let calls: Vec<(&str, &str)> =
        NUMBERED.iter().flat_map(|call| NUMBERS.iter().map(move |number| (*call, *number))).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        while let Some((call, number)) = calls.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let words = call.replace("{}", number);
            are_answered_or_refused_with(words.split(' ').map(str::to_owned).collect(), number);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}
