//! Every pair of engines on one input: each against a plain table.

use crate::oracle::table;
use crate::oracle_of_hits::{Rule, occurrences};
use crate::sellers::sellers;
use carrywave::align::infix::End;
use carrywave::distance::{self, Best};
use carrywave::lcs::{self, Comparison, Engine};
use carrywave::search::cpu::CpuEnds;
use carrywave::search::ends::Ends as _;
use carrywave::search::{Algorithm, Ends, Pattern, Search, Strand};
use proptest::collection::vec;
use proptest::prelude::*;

/// A part of a text.
#[derive(Debug, Clone)]
enum Part {
    Random(Vec<u8>),
    /// The pattern with edits: what, where and with which symbol.
    Near(Vec<(u8, u16, u8)>),
}

/// A pattern, a text of symbols less than a number, and errors.
#[derive(Debug, Clone)]
pub struct Input {
    pattern: Vec<u8>,
    text: Vec<u8>,
    k: u32,
    /// Which of the simulator's algorithms: of so many inputs one, since it is slow.
    device: usize,
}

fn input(longest: usize, random: usize) -> impl Strategy<Value = Input> {
    let symbols = prop_oneof![Just(1u8), Just(2), Just(4), Just(20), Just(255)];
    symbols.prop_flat_map(move |symbols| {
        let string = |longest: usize| vec(0..symbols, 0..longest);
        let edit = (0..3u8, any::<u16>(), 0..symbols);
        let part = prop_oneof![string(random).prop_map(Part::Random), vec(edit, 0..6).prop_map(Part::Near)];
        (vec(0..symbols, 1..longest), vec(part, 0..5), any::<u16>(), 0..28usize).prop_map(
            |(pattern, parts, k, device)| {
                let text = parts.iter().flat_map(|part| part.text(&pattern)).collect();
                // Few errors, more often than many.
                let most = if k % 4 == 0 { pattern.len() as u32 - 1 } else { 5.min(pattern.len() as u32 - 1) };
                Input { k: u32::from(k / 4) % (most + 1), pattern, text, device }
            },
        )
    })
}

impl Part {
    fn text(&self, pattern: &[u8]) -> Vec<u8> {
        match self {
            Self::Random(symbols) => symbols.clone(),
            Self::Near(edits) => {
                let mut near = pattern.to_vec();
                for &(what, at, symbol) in edits {
                    let at = usize::from(at) % (near.len() + 1);
                    match what {
                        0 => near.insert(at, symbol),
                        1 if at < near.len() => drop(near.remove(at)),
                        _ if at < near.len() => near[at] = symbol,
                        _ => {}
                    }
                }
                near
            }
        }
    }
}

pub fn searches() -> impl Strategy<Value = Input> {
    input(200, 700)
}

pub fn short_searches() -> impl Strategy<Value = Input> {
    input(16, 20)
}

/// The ends of all algorithms, on the CPU and on the simulator.
pub fn find_the_same(Input { pattern: symbols, text, k, device }: Input) {
    let pattern = Pattern::literal(&symbols);
    let expected = sellers(&text, &pattern, k);
    let mut algorithms = vec![Algorithm::Auto, Algorithm::Myers, Algorithm::WuManber, Algorithm::Sellers];
    if k <= 15 {
        algorithms.push(Algorithm::Segments);
    }
    if k == 0 {
        algorithms.extend([Algorithm::ShiftOr, Algorithm::Literal]);
    }
    for algorithm in algorithms {
        let found = CpuEnds { algorithm, progress: &|_| () }.ends(&text, &pattern, k);
        // A processor without vectors, or without those that may be used, has no segments.
        if algorithm == Algorithm::Segments && found.is_err() {
            continue;
        }
        assert_eq!(found.unwrap(), expected, "{algorithm}");
    }
    let (m, any) = (symbols.len(), Algorithm::Myers);
    let algorithm = match device {
        0 if m <= 64 && k == 0 => Algorithm::ShiftOr,
        1 if m <= 64 && k <= 4 => Algorithm::WuManber,
        2 if m <= 128 && k <= 3 => Algorithm::Packed,
        3 if m <= 64 && k <= 3 => Algorithm::Scan,
        4 if m <= 64 && k <= 3 => Algorithm::Gbpr,
        5 if k <= 3 => Algorithm::XBitPar,
        0..=6 => any,
        _ => return,
    };
    let search = Search::new(pattern).errors(k).engine(Engine::Simt).algorithm(algorithm).ends(Ends::All);
    let found: Vec<End> =
        search.hits(&text).unwrap().iter().map(|hit| End { end: hit.end, errors: hit.errors }).collect();
    assert_eq!(found, expected, "{algorithm} on the simulator");
}

/// Hits by the definition, and the mirror image.
pub fn tell_what_is_defined(Input { pattern: symbols, text, k, .. }: Input) {
    let pattern = Pattern::literal(&symbols);
    let turned: Vec<u8> = text.iter().rev().copied().collect();
    for (rule, ends, overlapping) in
        [(Rule::EachEnd, Ends::All, false), (Rule::Overlapping, Ends::Best, true), (Rule::Apart, Ends::Best, false)]
    {
        let search = |pattern: Pattern| Search::new(pattern).errors(k).ends(ends).overlapping(overlapping);
        let parts = occurrences(&text, &pattern, k, rule, Strand::Forward);
        let mut expected: Vec<_> = parts.iter().map(|part| part.hit(0, 0, Strand::Forward)).collect();
        expected.sort();
        assert_eq!(search(pattern.clone()).hits(&text).unwrap(), expected, "{rule:?}");
        assert_eq!(search(pattern.clone()).count(&text).unwrap(), expected.len() as u64, "{rule:?}");
        let file = carrywave::search::Text::from(&text[..]);
        assert_eq!(search(pattern.clone()).hits_text(&file).unwrap(), expected, "{rule:?}, as one text");
        if rule == Rule::Overlapping {
            let n = text.len() as u64;
            let mut mirrored: Vec<_> = search(pattern.reversed())
                .hits(&turned)
                .unwrap()
                .iter()
                .map(|hit| (n - hit.end, n - hit.start))
                .collect();
            mirrored.sort();
            assert_eq!(mirrored, expected.iter().map(|hit| (hit.start, hit.end)).collect::<Vec<_>>());
        }
    }
}

/// The best match by every engine and algorithm is one, is as far as it says, and is among what a search with so many errors finds.
pub fn are_among_the_hits(Input { pattern: symbols, text, device, .. }: Input) {
    let pattern = Pattern::literal(&symbols);
    let found = Best::new(pattern.clone()).run(&text).unwrap();
    let simulated = [
        distance::Algorithm::Dmm,
        distance::Algorithm::Umm,
        distance::Algorithm::Umm3m,
        distance::Algorithm::UmmN,
        distance::Algorithm::Auto,
    ][device % 5];
    let cpu = [distance::Algorithm::CutOff, distance::Algorithm::Myers, distance::Algorithm::Sellers]
        .map(|of| (Engine::Cpu, of));
    for (engine, algorithm) in cpu.into_iter().chain([(Engine::Simt, simulated)]) {
        let other = Best::new(pattern.clone()).engine(engine).algorithm(algorithm).run(&text).unwrap();
        assert_eq!(other, found, "{algorithm} on {engine}");
    }
    let (m, k) = (symbols.len() as u32, found.distance);
    assert!(k == m || sellers(&text, &pattern, m).iter().all(|end| end.errors >= k));
    if k < m {
        let hits = Search::new(pattern).errors(k).overlapping(true).hits(&text).unwrap();
        let is_it = |hit: &&carrywave::search::Hit| (hit.start, hit.end, hit.errors) == (found.start, found.end, k);
        assert!(hits.iter().any(|hit| is_it(&hit)), "{found:?} is not among {hits:?}");
    }
}

/// Two strings with much in common, and how small the leaves of the recursion are.
pub fn comparisons() -> impl Strategy<Value = (Vec<u8>, Vec<u8>, u32)> {
    let sizes = prop_oneof![8 => Just((40, 200)), 1 => Just((1200, 1000))];
    sizes.prop_flat_map(|(pattern, random)| (input(pattern, random), vec(0..255u8, 0..9), 0..14u32)).prop_map(
        |(Input { pattern, text, .. }, others, leaves)| {
            // Some symbols of their own, at the end of one.
            (text, [pattern, others].concat(), leaves)
        },
    )
}

/// The length and the subsequence by every engine and algorithm.
pub fn have_one_length((a, b, leaves): (Vec<u8>, Vec<u8>, u32)) {
    let expected = table(&a, &b)[a.len()][b.len()] as u64;
    let cells = a.len() * b.len();
    for engine in [Engine::Cpu, Engine::Simt] {
        for &algorithm in lcs::Algorithm::of(engine) {
            // The simulator is slow, and dynamic programming too.
            let most = match (engine, algorithm) {
                (Engine::Simt, _) => 1000,
                (_, lcs::Algorithm::Dp) => 100_000,
                _ => usize::MAX,
            };
            if cells <= most {
                let comparison = Comparison::new().engine(engine).algorithm(algorithm).thresholds(0, 1 << leaves);
                assert_eq!(comparison.length(&a, &b).unwrap(), expected, "{algorithm} on {engine}");
                let lcs = comparison.subsequence(&a, &b).unwrap();
                lcs.verify(&a, &b).unwrap();
                assert_eq!(lcs.len(), expected, "{algorithm} on {engine}");
            }
        }
    }
}
