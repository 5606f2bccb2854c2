//! Dot plots.
#![cfg(feature = "plot")]

use std::path::Path;

use carrywave::Error;
use carrywave::alignment::Run;
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::{Kind, ReadOptions, Sequence, read};
use carrywave::lcs::CommonSubsequence;
use carrywave::text::Strand;
use carrywave::view::dot_plot::{self, SharedKmers};

/// Computes an LCS by the full table, with its runs from the last row back.
fn lcs(a: &[u8], b: &[u8]) -> CommonSubsequence {
    let width = b.len() + 1;
    let mut table = vec![0u16; (a.len() + 1) * width];
    for i in 0..a.len() {
        for j in 0..b.len() {
            table[(i + 1) * width + j + 1] = if a[i] == b[j] {
                table[i * width + j] + 1
            } else {
                table[i * width + j + 1].max(table[(i + 1) * width + j])
            };
        }
    }
    let (mut i, mut j, mut runs) = (a.len(), b.len(), Vec::new());
    while i > 0 && j > 0 {
        if a[i - 1] == b[j - 1] {
            (i, j) = (i - 1, j - 1);
            runs.push(Run { a_start: i as u64, b_start: j as u64, len: 1 });
        } else if table[(i - 1) * width + j] >= table[i * width + j - 1] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    runs.reverse();
    CommonSubsequence::new(runs, a.len() as u64, b.len() as u64).unwrap()
}

fn dot_plot(path: &Path, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> carrywave::Result<SharedKmers> {
    dot_plot::dot_plot(OutputFile::open(path)?, a, b, lcs)
}

struct Picture {
    size: (u32, u32),
    pixels: Vec<[u8; 3]>,
}

fn drawn(name: &str, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    dot_plot(&path, a, b, lcs).unwrap();
    let content = std::fs::read(path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a draft is left");
    (folder, content)
}

fn png(a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> Picture {
    let (_folder, content) = drawn("plot.PNG", a, b, lcs);
    let mut reader = png::Decoder::new(&content[..]).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixels = bytes.as_chunks().0.to_vec();
    Picture { size: (info.width, info.height), pixels }
}

fn svg(a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> String {
    String::from_utf8(drawn("plot.svg", a, b, lcs).1).unwrap()
}

fn empty(a: &Sequence, b: &Sequence) -> CommonSubsequence {
    CommonSubsequence::new(vec![], a.symbols.len() as u64, b.symbols.len() as u64).unwrap()
}

fn dna(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b"ACGT"[(state >> 62) as usize]
    };
    (0..len).map(|_| next()).collect()
}

const FORWARD: [u8; 3] = [0, 114, 178];
const REVERSE: [u8; 3] = [0, 158, 115];

/// Returns the positions of pixels of a colour in the plot, from its lower left corner, as shares
/// of its sides.
fn places(picture: &Picture, colour: [u8; 3]) -> Vec<(f64, f64)> {
    // Skips the legend, whose swatches have the same colours; this also checks the layout.
    let (width, height) = picture.size;
    let (left, top, side) = (88, 118, 800);
    assert_eq!((width, height), (left + side + 24, top + side + 72));
    let mut places = Vec::new();
    for y in top..top + side {
        for x in left..left + side {
            if picture.pixels[(y * width + x) as usize] == colour {
                let share = |pixel: u32| f64::from(pixel) / f64::from(side);
                places.push((share(x - left), share(top + side - 1 - y)));
            }
        }
    }
    places
}

#[test]
fn an_inversion_is_shown_where_it_is() {
    // B is A with its middle half reversed and complemented.
    let a = dna(20_000, 1);
    let turned = a[5_000..15_000].iter().rev().map(|base| match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    });
    let b: Vec<u8> = a[..5_000].iter().copied().chain(turned).chain(a[15_000..].iter().copied()).collect();
    let [a, b] = [("a", a), ("b", b)].map(|(name, symbols)| Sequence::new(name, symbols, Kind::Nucleotide));
    let picture = png(&a, &b, &empty(&a, &b));
    let near = |x: f64, y: f64| (x - y).abs() < 0.01;
    let outer = |x: f64| !(0.25..0.75).contains(&x);
    let forward = places(&picture, FORWARD);
    let on = forward.iter().filter(|&&(x, y)| near(x, y) && outer(x)).count();
    // 400 columns of at least one pixel; the rest is chance.
    assert!(on >= 400 && forward.len() - on < 2_500, "{on} of {}", forward.len());
    let reverse = places(&picture, REVERSE);
    let on = reverse.iter().filter(|&&(x, y)| near(x, 1.0 - y) && !outer(x)).count();
    assert!(on >= 400 && reverse.len() - on < 2_500, "{on} of {}", reverse.len());
}

#[test]
fn unknown_bases_are_no_matches() {
    let symbols = vec![b'N'; 5_000];
    let [a, b] = ["a", "b"].map(|name| Sequence::new(name, symbols.clone(), Kind::Nucleotide));
    let text = svg(&a, &b, &empty(&a, &b));
    assert!(!text.contains("#0072B2"), "a blue dot");
}

#[test]
fn a_full_plot_is_a_modest_svg() {
    // Stretches of one letter, three columns wide and all alike, between different ones: without a
    // bound, about 50,000 rectangles.
    let mut a = dna(200_000, 2);
    a.chunks_mut(700).step_by(2).for_each(|stretch| stretch.fill(b'a'));
    let a = Sequence::new("a", a, Kind::Bytes);
    let text = svg(&a, &a, &empty(&a, &a));
    assert!(text.len() < 2_000_000, "{}", text.len());
    // Equal symbols throughout: all of the 10^12 pairs match.
    let a = Sequence::new("a", vec![b'a'; 1_000_000], Kind::Bytes);
    let text = svg(&a, &a, &empty(&a, &a));
    assert!(text.len() < 2_000_000, "{}", text.len());
    assert!(text.matches(REPEATED[1]).count() > 300);
}

#[test]
fn strings_of_no_and_few_symbols() {
    for (a, b) in [("", ""), ("", "a"), ("a", ""), ("a", "a"), ("ab", "b"), ("kitten", "sitting")] {
        for kind in [Kind::Bytes, Kind::Nucleotide, Kind::Protein] {
            let [a, b] = [a, b].map(|text| Sequence::new(text, text, kind));
            let lcs = lcs(&a.symbols, &b.symbols);
            png(&a, &b, &lcs);
            svg(&a, &b, &lcs);
        }
    }
    // Long against short.
    let [a, b] = [Sequence::new("a", dna(300_000, 1), Kind::Nucleotide), Sequence::literal("ACG")];
    png(&a, &b, &empty(&a, &b));
    png(&b, &a, &empty(&b, &a));
}

#[test]
fn any_name_makes_an_svg() {
    let name = "<a & \"b\"> \x01\n\u{fffe} ".repeat(40);
    let a = Sequence::new(name, "abc", Kind::Bytes);
    let text = svg(&a, &a, &empty(&a, &a));
    assert!(text.contains("&lt;a &amp; &quot;b&quot;&gt; ... "));
    assert!(!text.contains('\x01') && !text.contains('\u{fffe}') && !text.contains("<a"));
}

#[test]
fn title_and_path_tell_of_the_result() {
    let [a, b] = ["abcdefgh", "abxxefgh"].map(Sequence::literal);
    let text = svg(&a, &b, &lcs(&a.symbols, &b.symbols));
    assert!(text.contains("LCS of 6 bytes, identity 75.00 % (of the longer string)"), "{text}");
    let line = text.lines().find(|line| line.starts_with("<polyline") && line.contains("#E69F00"));
    let points = line.unwrap().split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    // 100 pixels a symbol: along ab, over cd, up xx, along efgh.
    let points: Vec<(i32, i32)> = points
        .split_whitespace()
        .map(|point| point.split_once(',').unwrap())
        .map(|(x, y)| (x.parse::<i32>().unwrap() - 88, 918 - y.parse::<i32>().unwrap()))
        .collect();
    assert_eq!(points, [(0, 0), (200, 200), (400, 200), (400, 400), (800, 800)]);
}

#[test]
fn the_path_on_the_reverse_strand_falls() {
    // B's reverse complement is ACGTTTGG; A has all of it except TT.
    let [a, b] = ["ACGTGG", "CCAAACGT"].map(|symbols| Sequence::new("s", symbols, Kind::Nucleotide));
    let other = reverse_complement(&b.symbols);
    let lcs = lcs(&a.symbols, &other);
    assert_eq!(lcs.len(), 6);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.svg");
    dot_plot::strand_dot_plot(OutputFile::open(&path).unwrap(), &a, &b, &lcs, Strand::Reverse).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("LCS of 6 bases on the reverse strand of B, identity 75.00 %"), "{text}");
    let line = text.lines().find(|line| line.starts_with("<polyline") && line.contains("#E69F00"));
    let points = line.unwrap().split("points=\"").nth(1).unwrap().split('"').next().unwrap();
    let points: Vec<(i32, i32)> = points
        .split_whitespace()
        .map(|point| point.split_once(',').unwrap())
        .map(|(x, y)| (x.parse::<i32>().unwrap() - 88, 918 - y.parse::<i32>().unwrap()))
        .collect();
    // 100 pixels for each symbol of B, downwards from its end, and 100 for each of A's six.
    assert_eq!((points[0], points[points.len() - 1]), ((0, 800), (600, 0)));
    assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1), "{points:?}");
    // Runs of three or four symbols go down diagonally.
    assert!(
        points.windows(2).any(|pair| pair[1].0 - pair[0].0 >= 300 && pair[0].1 - pair[1].1 == pair[1].0 - pair[0].0)
    );
}

/// Counts the k-mers that both strings have by the definition, position by position.
fn naive(a: &[u8], b: &[u8], k: usize, nucleotides: bool) -> [u64; 4] {
    let plain = |symbols: &[u8]| {
        let base = |symbol: &u8| match symbol.to_ascii_uppercase() {
            b'U' => b'T',
            base => base,
        };
        let symbols: Vec<u8> = if nucleotides { symbols.iter().map(base).collect() } else { symbols.to_vec() };
        let counted = |kmer: &&[u8]| !nucleotides || kmer.iter().all(|symbol| b"ACGT".contains(symbol));
        symbols.windows(k).filter(counted).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let (in_a, in_b) = (plain(a), plain(b));
    let of = |kmers: &[Vec<u8>], kmer: &Vec<u8>| kmers.iter().filter(|other| *other == kmer).count() as u64;
    let on_both = |kmers: &[Vec<u8>], kmer: &Vec<u8>| {
        of(kmers, kmer) + if nucleotides { of(kmers, &reverse_complement(kmer)) } else { 0 }
    };
    let [mut unique, mut unique_reverse, mut repeats, mut repeats_reverse] = [0; 4];
    for kmer in &in_a {
        let (same, reverse) = (of(&in_b, kmer), if nucleotides { of(&in_b, &reverse_complement(kmer)) } else { 0 });
        if on_both(&in_a, kmer) == 1 && on_both(&in_b, kmer) == 1 {
            (unique, unique_reverse) = (unique + same, unique_reverse + reverse);
        } else {
            (repeats, repeats_reverse) = (repeats + same, repeats_reverse + reverse);
        }
    }
    [unique, unique_reverse, repeats, repeats_reverse]
}

fn reverse_complement(symbols: &[u8]) -> Vec<u8> {
    let pair = |base: &u8| match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' => b'A',
        other => *other,
    };
    symbols.iter().rev().map(pair).collect()
}

fn counted(a: &Sequence, b: &Sequence) -> SharedKmers {
    let folder = tempfile::tempdir().unwrap();
    dot_plot(&folder.path().join("p.svg"), a, b, &empty(a, b)).unwrap()
}

#[test]
fn matches_are_counted_as_defined() {
    let mut seen = [0; 4];
    for seed in 0..40 {
        let len = [7, 30, 120, 400][seed as usize % 4];
        // Pieces of one string and its reverse complement, some of them twice, with lower case, U
        // and N.
        let source = dna(len, seed);
        let turned = reverse_complement(&source);
        let (third, half) = (len / 3, len / 2);
        let mut a = [&source[..], &source[third..half], b"N", &dna(len / 2, seed + 100)].concat();
        let mut b = [&turned[..half], &source[third..half], &dna(len / 2, seed + 200), &source[..third]].concat();
        a[..third].make_ascii_lowercase();
        b.iter_mut().filter(|base| **base == b'T').step_by(2).for_each(|base| *base = b'U');
        for kind in [Kind::Nucleotide, Kind::Bytes] {
            let [a, b] = [("a", &a), ("b", &b)].map(|(name, symbols)| Sequence::new(name, symbols.clone(), kind));
            let shared = counted(&a, &b);
            let k = shared.k.unwrap();
            let nucleotides = kind == Kind::Nucleotide;
            let counts = [shared.unique, shared.unique_reverse, shared.repeats, shared.repeats_reverse];
            assert_eq!(counts, naive(&a.symbols, &b.symbols, k, nucleotides), "seed {seed}, {kind:?}, k = {k}");
            assert!(!nucleotides || k % 2 == 1, "{k}");
            seen.iter_mut().zip(counts).for_each(|(seen, count)| *seen += count);
        }
    }
    assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
}

#[test]
fn most_matches_are_reverse_when_b_lies_the_other_way_round() {
    let nucleotides = |symbols: Vec<u8>| Sequence::new("s", symbols, Kind::Nucleotide);
    let a = dna(3_000, 3);
    let turned = nucleotides(reverse_complement(&a));
    let shared = counted(&nucleotides(a.clone()), &turned);
    assert!(shared.mostly_reverse() && !shared.mostly_forward() && shared.unique_reverse > 2_900, "{shared:?}");
    let same = counted(&nucleotides(a.clone()), &nucleotides(a.clone()));
    let unrelated = counted(&nucleotides(a.clone()), &nucleotides(dna(3_000, 4)));
    assert!(same.mostly_forward() && !unrelated.mostly_forward(), "{same:?} {unrelated:?}");
    let inverted = [&a[..2_000], &reverse_complement(&a[2_000..])].concat();
    for b in [a.clone(), dna(3_000, 4), inverted] {
        let shared = counted(&nucleotides(a.clone()), &nucleotides(b));
        assert!(!shared.mostly_reverse(), "{shared:?}");
    }
    // Nothing but repeats.
    let [a, t] = [b'A', b'T'].map(|base| nucleotides(vec![base; 1_000]));
    assert!(counted(&a, &t).mostly_reverse() && !counted(&a, &a).mostly_reverse());
}

/// Returns the fills of the rectangles and the stroke of the path, in drawing order.
fn drawn_colours(svg: &str) -> Vec<&str> {
    let plot = svg.lines().filter(|line| line.starts_with("<rect") || line.starts_with("<polyline"));
    plot.filter_map(|line| line.split('"').find(|value| PLOTTED.contains(value))).collect()
}

const PATH: &str = "#E69F00";
const UNIQUE: [&str; 2] = ["#009E73", "#0072B2"];
const REPEATED: [&str; 2] = ["#ADDDCA", "#A6CEE4"];
const PLOTTED: [&str; 5] = [REPEATED[0], REPEATED[1], UNIQUE[0], UNIQUE[1], PATH];

#[test]
fn repeats_are_under_unique_matches_and_the_path_is_on_top() {
    let repeated = dna(2_000, 5);
    let turned = reverse_complement(&repeated);
    let a = [&dna(4_000, 6)[..], &repeated, &turned, &dna(4_000, 7)].concat();
    let b = [&dna(4_000, 6)[..], &turned, &repeated, &reverse_complement(&dna(4_000, 7))].concat();
    let [a, b] = [a, b].map(|symbols| Sequence::new("s", symbols, Kind::Nucleotide));
    let text = svg(&a, &b, &empty(&a, &b));
    let mut order = drawn_colours(&text);
    // The last ones belong to the legend.
    let path = order.iter().position(|colour| *colour == PATH).unwrap();
    order.truncate(path + 1);
    assert!(order.is_sorted_by_key(|colour| PLOTTED.iter().position(|of| of == colour)), "{order:?}");
    order.dedup();
    assert_eq!(order, PLOTTED);
}

#[test]
fn repeats_cover_a_sixteenth_of_any_part() {
    // A tenth occurs once in both strings; the rest is one family of repeats.
    let family = dna(300, 8);
    let mut a = family.repeat(600);
    a.extend(dna(20_000, 9));
    let a = Sequence::new("a", a, Kind::Nucleotide);
    let picture = png(&a, &a, &empty(&a, &a));
    let faint = places(&picture, [166, 206, 228]);
    for i in 0..8 {
        for j in 0..8 {
            let within = |(x, y): &&(f64, f64)| (x * 8.0) as usize == i && (y * 8.0) as usize == j;
            let share = faint.iter().filter(within).count() as f64 / 1e4;
            // A cell is one pixel, and a dot has four.
            assert!(share <= 0.25, "{share} at {i}, {j}");
            assert!(i == 7 || j == 7 || share > 0.01, "{share} at {i}, {j}");
        }
    }
    let unique = places(&picture, FORWARD);
    assert!(unique.len() > 150 && unique.iter().all(|&(x, y)| x > 0.89 && y > 0.89 && (x - y).abs() < 0.01));
    let text = svg(&a, &a, &empty(&a, &a));
    assert!(text.contains("repeats (a sample)"));
    assert!(drawn_colours(&text).len() <= 3_600, "{}", drawn_colours(&text).len());
}

#[test]
fn scattered_matches_take_a_larger_k() {
    // Words of 12 letters that occur once in each string, in another order: one dot each, all over
    // the plot.
    let words: Vec<Vec<u8>> = (0..20_000).map(|i| [&dna(12, 1_000 + i)[..], b"."].concat()).collect();
    let at = |step: usize| (0..words.len()).flat_map(|i| words[i * step % words.len()].clone()).collect::<Vec<u8>>();
    let [a, b] = [("a", at(1)), ("b", at(7_919))].map(|(name, text)| Sequence::new(name, text, Kind::Bytes));
    let shared = counted(&a, &b);
    // A word with the dots at its ends is a match of 14 letters.
    assert!(shared.k > Some(14), "{shared:?}");
    let text = svg(&a, &b, &empty(&a, &b));
    assert!(drawn_colours(&text).len() < 10_010, "{}", drawn_colours(&text).len());
}

#[test]
fn other_endings_and_other_strings_are_refused() {
    let a = Sequence::literal("a");
    for name in ["plot", "plot.gif", "plot.svg.gz", "png"] {
        let fault = dot_plot(Path::new(name), &a, &a, &empty(&a, &a)).unwrap_err();
        assert!(matches!(&fault, Error::Usage { reason, .. } if reason.contains(".png or .svg")), "{fault}");
    }
    let b = Sequence::literal("bb");
    let fault = dot_plot(Path::new("never.svg"), &a, &b, &empty(&a, &a));
    assert!(matches!(fault, Err(Error::Usage { .. })));
    assert!(!Path::new("never.svg").exists());
    let fault = dot_plot(Path::new("no/such/folder/a.svg"), &a, &a, &empty(&a, &a));
    assert!(matches!(fault, Err(Error::Io { .. })));
}

/// Draws the plot of the files CARRYWAVE_A and CARRYWAVE_B, for inspection.
#[test]
#[ignore = "for the eye: set CARRYWAVE_A, CARRYWAVE_B, CARRYWAVE_PLOT"]
fn draw() {
    let get = |name: &str| std::env::var(name).unwrap();
    let options = ReadOptions::default().raw(std::env::var("CARRYWAVE_RAW").is_ok());
    let [a, b] = ["CARRYWAVE_A", "CARRYWAVE_B"].map(|name| match get(name) {
        text if text.contains('.') => read(text, &options).unwrap(),
        text => Sequence::literal(&text),
    });
    let lcs = if a.symbols.len() < 50_000 {
        lcs(&a.symbols, &b.symbols)
    } else {
        // Long strings: a path of the matches that happen to lie on the diagonal.
        let pairs = a.symbols.iter().zip(&b.symbols).enumerate();
        let equal = pairs.filter(|(_, (x, y))| x == y);
        let runs = equal.map(|(i, _)| Run { a_start: i as u64, b_start: i as u64, len: 1 });
        CommonSubsequence::new(runs.collect(), a.symbols.len() as u64, b.symbols.len() as u64).unwrap()
    };
    lcs.verify(&a.symbols, &b.symbols).unwrap();
    for path in get("CARRYWAVE_PLOT").split(',') {
        let start = std::time::Instant::now();
        let counts = dot_plot(Path::new(path), &a, &b, &lcs).unwrap();
        println!("{counts:?}");
        let size = std::fs::metadata(path).unwrap().len();
        println!("{path}: {:?}, {size} bytes", start.elapsed());
    }
}
