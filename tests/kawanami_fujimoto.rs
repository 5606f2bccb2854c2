//! K. Kawanami, N. Fujimoto, A GPU implementation of a bit-parallel algorithm for computing the
//! longest common subsequence, 2014: the paper's examples, the errors in its listings, and its
//! rules for the GPU's share of the work. docs/papers/kawanami-fujimoto-2014.md is the index.
#![cfg(all(feature = "published", feature = "simt"))]
mod common;

use carrywave::Error;
use carrywave::alignment::Run;
use carrywave::device::{Cpu, Engine, EngineKind, Simt};
use carrywave::internal::lcs::cpu::{self, CpuColumns};
use carrywave::internal::lcs::gpu::DeviceAlgorithm;
use carrywave::internal::pairwise::Columns;
use carrywave::internal::pairwise::{Part, Side};
use carrywave::job::Recorder;
use carrywave::kernels::published::block_step::diagonal;
use carrywave::lcs::{Algorithm, Comparison, Rules};
use common::devices::{devices, on_a_device};
use common::oracle::lcs::{prefixes, suffixes, table};
use common::texts::{relative, text};
use simt_launch::Device;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Strings of figure 1.
const A: &[u8] = b"BCAEDAC";
const B: &[u8] = b"EABEDCBAAC";

/// Rows of figure 1. The available copy has ten of the eleven lengths: that of B's ninth symbol is
/// missing.
const FIGURE_1: [[usize; 10]; 7] = [
    [0, 0, 0, 1, 1, 1, 1, 1, 1, 1],
    [0, 0, 0, 1, 1, 1, 2, 2, 2, 2],
    [0, 0, 1, 1, 1, 1, 2, 2, 3, 3],
    [0, 1, 1, 1, 2, 2, 2, 2, 3, 3],
    [0, 1, 1, 1, 2, 3, 3, 3, 3, 3],
    [0, 1, 2, 2, 2, 3, 3, 3, 4, 4],
    [0, 1, 2, 2, 2, 3, 4, 4, 4, 5],
];

fn check_figure_1(name: &str, engine: &dyn Columns) {
    for (i, printed) in FIGURE_1.iter().enumerate() {
        // A row of the figure is a column of the table with B as its rows.
        let (rows, columns) = (Part { side: Side::B, range: 0..B.len() }, Part { side: Side::A, range: 0..i + 1 });
        let mut lengths = engine.column(&rows, &columns).unwrap().lengths();
        lengths.remove(9);
        assert_eq!(lengths, printed, "{name}, row {}", i + 1);
    }
}

fn check_figure_1_on<D: Device>(device: &Arc<D>) {
    for row in DeviceAlgorithm::<D>::ALL {
        let engine = (row.open)(&[&**device], [A, B], &|_| ()).unwrap();
        check_figure_1(row.about.name, &*engine);
    }
}

#[test]
fn figure_1() {
    for algorithm in cpu::ALGORITHMS {
        let Some(last_column) = algorithm.columns() else { continue };
        check_figure_1(algorithm.about.name, &CpuColumns { strings: [A, B], last_column, progress: &|_| () });
    }
    on_a_device!(check_figure_1_on());
    for rules in [Rules::Measured, Rules::Published] {
        for engine in devices() {
            for algorithm in published() {
                let comparison = Comparison::new().on(&*engine).algorithm(algorithm).rules(rules);
                assert_eq!(comparison.length(A, B).unwrap(), 5, "{algorithm}, {rules:?}");
            }
        }
    }
}

/// Figure 2: 3,072 rows and 4,096 columns are three sub-vectors of four steps, which run in six
/// launches, one anti-diagonal each. The sub-vector of rows 0 to 1,023 comes first, since it needs
/// no carries.
#[test]
fn figure_2() {
    let mut launch = [[None; 4]; 3];
    for d in 0..3 + 4 - 1 {
        let (first, blocks) = diagonal(d, 3, 4);
        for x in first..first + blocks {
            assert_eq!(launch[x as usize][(d - x) as usize].replace(d), None);
        }
    }
    let numbers: Vec<Vec<u32>> =
        launch.iter().map(|steps| steps.iter().map(|number| number.unwrap()).collect()).collect();
    assert_eq!(numbers, [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]]);
}

/// Figure 3's rule, for four bytes, the first being the highest: in each step the upper half of a
/// group selects the case by the carry of the lower half. (The figure's numbers are missing in the
/// available copy.)
#[test]
fn figure_3() {
    let mut random = fastrand::Rng::with_seed(3);
    for case in 0..2000 {
        let mut word = || [random.u32(..), random.u32(..) | 0x00ff_ff00, 0, !0][random.usize(..4)];
        let (u, v) = (word(), if case % 3 == 0 { !u32::MIN } else { word() });
        let bytes = u.to_be_bytes().into_iter().zip(v.to_be_bytes());
        // S(0) and S(1): the sum and the carry of each byte, without and with a carry in.
        let mut s: [Vec<(u8, bool)>; 2] = [0, 1].map(|carry: u16| {
            let sums = bytes.clone().map(|(x, y)| u16::from(x) + u16::from(y) + carry);
            sums.map(|sum| (sum as u8, sum > 255)).collect()
        });
        for half in [1, 2] {
            for group in (0..4).step_by(2 * half) {
                let carries = [0, 1].map(|case: usize| s[case][group + half].1);
                let upper = carries.map(|carry| s[usize::from(carry)][group..group + half].to_vec());
                for (own, upper) in s.iter_mut().zip(upper) {
                    own[group..group + half].copy_from_slice(&upper);
                }
            }
        }
        for (carry, sums) in s.iter().enumerate() {
            let sum = sums.iter().fold(u64::from(sums[0].1), |sum, (byte, _)| sum << 8 | u64::from(*byte));
            assert_eq!(sum, u64::from(u) + u64::from(v) + carry as u64, "{u:x} + {v:x} + {carry}");
        }
    }
}

/// Returns all subsequences of a string with `len` symbols.
fn subsequences(string: &[u8], len: usize) -> BTreeSet<Vec<u8>> {
    let chosen = |set: u32| (0..string.len()).filter(move |i| set >> i & 1 == 1).map(|i| string[i]).collect();
    (0..1u32 << string.len()).filter(|set| set.count_ones() as usize == len).map(chosen).collect()
}

/// The examples of section 2.1. The paper prints "cfl" for the first, but its first string has no
/// l.
#[test]
fn examples_of_the_definition() {
    let all = |a: &[u8], b: &[u8], len| -> Vec<String> {
        let common = subsequences(a, len).intersection(&subsequences(b, len)).cloned().collect::<Vec<_>>();
        common.into_iter().map(|string| String::from_utf8(string).unwrap()).collect()
    };
    assert_eq!(all(b"abcdefghij", b"cflorux", 2), ["cf"]);
    assert_eq!(carrywave::lcs(b"abcdefghij", b"cflorux").unwrap().subsequence(b"abcdefghij").unwrap(), b"cf");
    assert_eq!(all(b"abcde", b"baexd", 2), ["ad", "ae", "bd", "be"]);
    assert_eq!(carrywave::lcs_length(b"abcde", b"baexd").unwrap(), 2);
}

fn reversed(string: &[u8]) -> Vec<u8> {
    string.iter().rev().copied().collect()
}

/// Listing 2: with line 16 as printed, where only B's symbols are reversed, or as in the text,
/// where A's are reversed too. Neither string may be empty at first: with an empty A and another B
/// the listing recurses for ever.
fn listing_2(a: &[u8], b: &[u8], as_printed: bool) -> Vec<u8> {
    match (a, b) {
        (_, []) => Vec::new(),
        ([only], _) if b.contains(only) => vec![*only],
        ([_], _) => Vec::new(),
        _ => {
            let (first, second) = a.split_at(a.len() / 2);
            let l1 = prefixes(b, first);
            let l2 = prefixes(&reversed(b), &if as_printed { second.to_vec() } else { reversed(second) });
            let sums: Vec<usize> = l1.iter().zip(l2.iter().rev()).map(|(x, y)| x + y).collect();
            let k = sums.iter().position(|sum| sum == sums.iter().max().unwrap()).unwrap();
            [listing_2(first, &b[..k], as_printed), listing_2(second, &b[k..], as_printed)].concat()
        }
    }
}

/// As printed, line 16 compares A's second half, forwards, with B reversed: it finds four of figure
/// 1's five symbols.
#[test]
fn listing_2_reverses_both_strings() {
    assert_eq!(listing_2(A, B, true), b"CAAC");
    assert_eq!(listing_2(A, B, false), b"AEDAC");
}

/// Computes listing 3 on strings of up to 64 symbols: with the match vectors of A reversed or not,
/// and with B\[j\] or B\[j - 1\] as the symbol of column j (1-based) on the sum's side. A string
/// ends with a NUL. Returns the LCS lengths of A's prefixes.
fn listing_3(a: &[u8], b: &[u8], of_reversed: bool, symbol_of_sum: fn(usize) -> usize) -> Vec<usize> {
    let matches = |symbol: u8| -> u64 {
        let at = |i: usize| if of_reversed { a[a.len() - i - 1] } else { a[i] };
        (0..a.len()).map(|i| u64::from(at(i) == symbol) << i).sum()
    };
    let mut v = !0u64;
    for j in 1..=b.len() {
        let symbol = |at: usize| b.get(at).copied().unwrap_or(0);
        v = v.wrapping_add(v & matches(symbol(symbol_of_sum(j)))) | v & !matches(symbol(j - 1));
    }
    let mut lengths = vec![0];
    lengths.extend((0..a.len()).scan(0, |sum, i| {
        *sum += (!v >> i & 1) as usize;
        Some(*sum)
    }));
    lengths
}

/// The lengths are right only with one symbol on both sides, and with A as it is. Only reversing A
/// gives the lengths of A reversed.
#[test]
fn listing_3_has_one_symbol_a_column_and_a_as_it_is() {
    let right = prefixes(A, B);
    assert_eq!(listing_3(A, B, false, |j| j - 1), right);
    assert_ne!(listing_3(A, B, true, |j| j), right, "as printed");
    assert_ne!(listing_3(A, B, false, |j| j), right, "with the match vectors mended alone");
    assert_ne!(listing_3(A, B, true, |j| j - 1), right, "with the symbol mended alone");
    assert_eq!(listing_3(A, B, true, |j| j - 1), prefixes(&reversed(A), B));
}

fn columns_are_kept<D: Device>(device: &Arc<D>) {
    // The first step has no symbol of A.
    let (a, b) = (text(64, 4, 1), [vec![200; 1024], text(100, 4, 2)].concat());
    let (rows, columns) = (Part { side: Side::A, range: 0..64 }, Part { side: Side::B, range: 0..b.len() });
    for row in DeviceAlgorithm::<D>::ALL {
        let engine = (row.open)(&[&**device], [&a, &b], &|_| ()).unwrap();
        assert_eq!(engine.column(&rows, &columns).unwrap().lengths(), prefixes(&a, &b), "{}", row.about.name);
    }
    // As printed, line 10 returns at B's end, before line 14 stores V: the result is V after the
    // last whole step.
    assert_ne!(prefixes(&a, &b[..1024]), prefixes(&a, &b));
}

#[test]
fn listing_4_keeps_the_columns_of_a_step_that_is_not_whole() {
    on_a_device!(columns_are_kept());
}

/// Line 32 counts the zeros from bit 0 to bit i for i of 0 to m. The right bits are those before
/// bit i: with bit i, entry 0 would be 1 wherever A's first symbol is in B, and entry m would count
/// a bit that does not exist.
#[test]
fn listing_4_counts_the_bits_before_bit_i() {
    let right = prefixes(A, B);
    let zeros = |i: usize| usize::from(right[i + 1] > right[i]);
    let printed: Vec<usize> = (0..A.len()).map(|i| (0..=i).map(zeros).sum()).collect();
    assert_eq!(printed, right[1..], "one entry late");
    assert_eq!((right[0], printed[0]), (0, 1));
}

/// Returns the algorithms of the published rules.
fn published() -> [Algorithm; 2] {
    ["block-step", "block-step-look-ahead"].map(|name| Algorithm::named(name).unwrap())
}

/// Result of the paper's recursion on two strings, by the definition: its matches, and the cells
/// that each engine computed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Expected {
    runs: Vec<Run>,
    device_cells: u64,
    cells: u64,
}

impl Expected {
    /// Counts a table; the GPU computes it if its sides together have at least 2,048 symbols.
    fn count(&mut self, m: usize, n: usize) {
        let cells = (m * n) as u64;
        self.cells += cells;
        self.device_cells += if m + n >= 2048 { cells } else { 0 };
    }

    fn solve(&mut self, a: &[u8], b: &[u8], x: Range<usize>, y: Range<usize>) {
        if x.is_empty() || y.is_empty() {
            return;
        }
        if y.len() == 1 {
            if let Some(i) = a[x.clone()].iter().position(|symbol| *symbol == b[y.start]) {
                self.runs.push(Run { a_start: (x.start + i) as u64, b_start: y.start as u64, len: 1 });
            }
            return;
        }
        let middle = y.start + y.len() / 2;
        let (text, m) = (&a[x.clone()], x.len());
        let (first, second) = (prefixes(text, &b[y.start..middle]), suffixes(text, &b[middle..y.end]));
        self.count(m, middle - y.start);
        self.count(m, y.end - middle);
        let sums: Vec<usize> = (0..=m).map(|i| first[i] + second[m - i]).collect();
        let k = x.start + sums.iter().position(|sum| sum == sums.iter().max().unwrap()).unwrap();
        self.solve(a, b, x.start..k, y.start..middle);
        self.solve(a, b, k..x.end, middle..y.end);
    }
}

/// Section 3.5 on every device, by both algorithms: the device's cells are those of the tables of
/// at least 2,048 symbols, the matches are those of the paper's recursion, and the lengths are
/// right. This also holds for the paper's CPU program, with no cells on a device.
#[test]
fn the_gpu_takes_the_tables_of_2048_symbols() {
    let mut engines: Vec<(Box<dyn Engine>, Algorithm)> = published()
        .into_iter()
        .flat_map(|algorithm| devices().into_iter().map(move |engine| (engine, algorithm)))
        .collect();
    engines.push((Box::new(Cpu::with_threads(3).unwrap()), Algorithm::named("bit-parallel").unwrap()));
    // The first cut of the second pair has one half of 2,047 symbols with A, and one of 2,048.
    let sizes = [(1948, 198), (1948, 199), (90, 4100), (2300, 300), (2047, 1), (3, 2044), (2100, 2), (0, 9), (9, 0)];
    for (i, (m, n)) in sizes.into_iter().enumerate() {
        let symbols = [4, 2, 20, 256][i % 4];
        let a = text(m, symbols, i as u64);
        let b = if i % 2 == 0 { relative(&a, n, symbols, 7) } else { text(n, symbols, 90 + i as u64) };
        let length = table(&a, &b)[m][n] as u64;
        let mut expected = Expected::default();
        expected.solve(&a, &b, 0..m, 0..n);
        assert_eq!(expected.runs.len() as u64, length);
        let shares = (expected.device_cells > 0, expected.device_cells < expected.cells);
        assert!(i > 3 || shares == (i > 0, true), "{m} × {n}: {expected:?}");
        for (engine, algorithm) in &engines {
            let (kind, algorithm) = (engine.kind(), *algorithm);
            let place = format!("{kind}, {algorithm}, {m} × {n}");
            let recorder = Recorder::new();
            let comparison = Comparison::new().on(&**engine).algorithm(algorithm).rules(Rules::Published);
            let comparison = comparison.recorder(&recorder);
            let lcs = comparison.alignment(&a, &b).unwrap();
            let report = recorder.take().unwrap();
            lcs.verify(&a, &b).unwrap();
            let matches = lcs.runs().iter().flat_map(|run| (0..run.len).map(|i| (run.a_start + i, run.b_start + i)));
            let wanted = expected.runs.iter().map(|run| (run.a_start, run.b_start));
            assert!(matches.eq(wanted), "{place}: another subsequence");
            let on_device = |cells| if kind == EngineKind::Cpu { 0 } else { cells };
            let cells = (on_device(expected.device_cells), expected.cells);
            assert_eq!((report.done_by_kernels, report.done), cells, "{place}");
            let is_own = kind == EngineKind::Cpu || report.done_by_kernels > 0;
            let wanted = if is_own { (kind, algorithm.name()) } else { (EngineKind::Cpu, "bit-parallel") };
            let wanted = (m * n > 0).then_some(wanted);
            assert_eq!(report.engine().zip(report.algorithm()), wanted, "{place}");

            let found = comparison.length(&a, &b).unwrap();
            let report = recorder.take().unwrap();
            let cells = (m * n) as u64;
            let on_device = if m + n >= 2048 { on_device(cells) } else { 0 };
            assert_eq!((found, report.done_by_kernels, report.done), (length, on_device, cells), "{place}");
            assert_eq!(comparison.length(&a, &b).unwrap(), length, "{place}");
        }
    }
}

/// The measured rules cut the longer string and solve small tables whole: the number of cells
/// differs, and the subsequence has the same length.
#[test]
fn the_measured_rules_are_others() {
    let (a, b) = (text(3000, 4, 1), text(1000, 4, 2));
    let cells = |rules| {
        let recorder = Recorder::new();
        let comparison = Comparison::new().on(&Simt::new()).algorithm(published()[1]).rules(rules);
        let lcs = comparison.recorder(&recorder).alignment(&a, &b).unwrap();
        (lcs.len(), recorder.take().unwrap().done)
    };
    let (measured, published) = (cells(Rules::Measured), cells(Rules::Published));
    assert_eq!(measured.0, published.0);
    assert!(measured.1 < published.1 && published.1 > 5_900_000, "{measured:?}, {published:?}");
}

#[test]
fn other_algorithms_have_no_published_rules() {
    let (simt, dp) = (Simt::new(), Algorithm::named("dp").unwrap());
    let refused = Algorithm::all_on(EngineKind::Simt).filter(|algorithm| !published().contains(algorithm));
    let cases = refused.map(|algorithm| (Comparison::new().on(&simt).algorithm(algorithm), algorithm)).chain([
        (Comparison::new().on(&simt), Algorithm::AUTO),
        (Comparison::new(), Algorithm::AUTO),
        (Comparison::new().on(&Cpu::new()).algorithm(dp), dp),
    ]);
    for (comparison, algorithm) in cases {
        let comparison = comparison.rules(Rules::Published);
        let errors = [comparison.length(b"ABC", b"BC").map(|_| ()), comparison.alignment(b"ABC", b"BC").map(|_| ())];
        for error in errors.map(Result::unwrap_err) {
            assert!(matches!(error, Error::Unsupported { .. }), "{algorithm}: {error}");
            for name in [algorithm.name(), "block-step", "block-step-look-ahead", "bit-parallel"] {
                assert!(error.to_string().contains(name), "{error}");
            }
        }
    }
}
