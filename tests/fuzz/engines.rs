//! All engines on one input, each checked against a plain table.

use crate::common::oracle::lcs::table;
use crate::common::oracle::occurrences::{Rule, occurrences};
use crate::common::oracle::sellers::sellers;
use crate::common::texts::edit;
use carrywave::algorithm::About;
use carrywave::best::{Algorithm as BestAlgorithm, Best};
use carrywave::device::{Cpu, Engine, EngineKind, Simt};
use carrywave::internal::infix::End;
use carrywave::internal::search::cpu::CpuEnds;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::lcs::{self, Comparison};
use carrywave::search::{Algorithm, Ends, Hit, Search};
use carrywave::text::{Pattern, Strand, Text};
use carrywave::{Error, Result};
use proptest::collection::vec;
use proptest::prelude::*;

/// A part of a text.
#[derive(Debug, Clone)]
enum Part {
    Random(Vec<u8>),
    /// The pattern with edits: type, position and symbol.
    Near(Vec<(u8, u16, u8)>),
}

/// A pattern, a text with symbols below a bound, and a number of errors.
#[derive(Debug, Clone)]
pub struct Input {
    pattern: Vec<u8>,
    text: Vec<u8>,
    k: u32,
    /// Selects one of the simulator's algorithms, and only for some inputs, since the simulator is
    /// slow.
    device: usize,
}

fn input(longest: usize, random: usize) -> impl Strategy<Value = Input> {
    let symbols = prop_oneof![Just(1u8), Just(2), Just(4), Just(20), Just(255)];
    symbols.prop_flat_map(move |symbols| {
        let string = |longest: usize| vec(0..symbols, 0..longest);
        let edit = (0..3u8, any::<u16>(), 0..symbols);
        let part = prop_oneof![string(random).prop_map(Part::Random), vec(edit, 0..6).prop_map(Part::Near)];
        (vec(0..symbols, 1..longest), vec(part, 0..5), any::<u16>(), 0..32usize).prop_map(
            |(pattern, parts, k, device)| {
                let text = parts.iter().flat_map(|part| part.text(&pattern)).collect();
                // Few errors are more frequent than many.
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
                    edit(&mut near, what, at, symbol);
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

/// Returns the ends by the CPU's engine.
fn ends_on_cpu(text: &[u8], pattern: &Pattern, k: u32, algorithm: Algorithm) -> Result<Vec<End>> {
    let mut engine = CpuEnds::new(vec![pattern.clone()], k, algorithm, &|_| ())?;
    Ok(engine.all(&Text::from(text), 1)?.concat())
}

/// Returns true if the algorithm's entry says that it takes these symbols with k errors.
fn takes(about: &About, symbols: &[u8], k: u32) -> bool {
    let (limits, m) = (about.limits, symbols.len());
    limits.symbols.is_none_or(|most| m as u64 <= most)
        && limits.errors.is_none_or(|most| k <= most)
        && (limits.gaps || k == 0)
        && (limits.periodic || 2 * carrywave::text::period(symbols) > m)
}

/// Checks the ends of all algorithms on the CPU, and of one on the simulator.
pub fn find_the_same(Input { pattern: symbols, text, k, device }: Input) {
    let pattern = Pattern::literal(&symbols);
    let expected = sellers(&text, &pattern, k);
    let symbols = &symbols[..];
    let of = |engine| Algorithm::all_on(engine).filter(move |own| takes(own.about(engine).unwrap(), symbols, k));
    for algorithm in of(EngineKind::Cpu).chain([Algorithm::AUTO]) {
        let found = ends_on_cpu(&text, &pattern, k, algorithm);
        // An algorithm may refuse an input for reasons outside its entry: missing vector
        // instructions, or a pattern too short for pieces.
        if !algorithm.is_auto() && matches!(found, Err(Error::Unsupported { .. })) {
            continue;
        }
        assert_eq!(found.unwrap(), expected, "{algorithm}");
    }
    // A quarter of the inputs runs on the simulator, each by one algorithm.
    let own: Vec<Algorithm> = of(EngineKind::Simt).collect();
    if device % 4 > 0 {
        return;
    }
    let algorithm = own[device / 4 % own.len()];
    let search = Search::new(pattern).errors(k).on(&Simt::new()).algorithm(algorithm).ends(Ends::All);
    let hits = search.hits(&text);
    // Pieces of a pattern need the length of a gram, a kernel for mismatches distinguishes few
    // symbols, and guides have positions that must match.
    if ["pieces", "mismatches", "guides"].contains(&algorithm.name()) && matches!(hits, Err(Error::Unsupported { .. }))
    {
        return;
    }
    let found: Vec<End> = hits.unwrap().iter().map(|hit| End { end: hit.end, errors: hit.errors }).collect();
    assert_eq!(found, expected, "{algorithm} on the simulator");
}

/// Checks hits against the definition, and in the mirror image.
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
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, &text).unwrap();
        let file = Text::open(path).unwrap();
        assert_eq!(search(pattern.clone()).hits(&file).unwrap(), expected, "{rule:?}, in a file");
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

/// The best match by every engine and algorithm has the reported distance, and is among the hits of
/// a search with that number of errors.
pub fn are_among_the_hits(Input { pattern: symbols, text, device, .. }: Input) {
    let pattern = Pattern::literal(&symbols);
    let found = Best::new(pattern.clone()).find(&text).unwrap();
    let on = |engine: &dyn Engine, algorithm| {
        let other = Best::new(pattern.clone()).on(engine).algorithm(algorithm).find(&text).unwrap();
        assert_eq!(other, found, "{algorithm} on {}", engine.kind());
    };
    BestAlgorithm::all_on(EngineKind::Cpu).for_each(|algorithm| on(&Cpu::new(), algorithm));
    let simulated: Vec<_> = BestAlgorithm::all_on(EngineKind::Simt).chain([BestAlgorithm::AUTO]).collect();
    on(&Simt::new(), simulated[device % simulated.len()]);
    let (m, k) = (symbols.len() as u32, found.distance);
    assert!(k == m || sellers(&text, &pattern, m).iter().all(|end| end.errors >= k));
    if k < m {
        let hits = Search::new(pattern).errors(k).overlapping(true).hits(&text).unwrap();
        let is_it = |hit: &&Hit| (hit.start, hit.end, hit.errors) == (found.start, found.end, k);
        assert!(hits.iter().any(|hit| is_it(&hit)), "{found:?} is not among {hits:?}");
    }
}

/// Generates two strings with much in common, and the size of the leaves of the recursion.
pub fn comparisons() -> impl Strategy<Value = (Vec<u8>, Vec<u8>, u32)> {
    let sizes = prop_oneof![8 => Just((40, 200)), 1 => Just((1200, 1000))];
    sizes.prop_flat_map(|(pattern, random)| (input(pattern, random), vec(0..255u8, 0..9), 0..14u32)).prop_map(
        |(Input { pattern, text, .. }, others, leaves)| {
            // Some symbols are only in one string, at its end.
            (text, [pattern, others].concat(), leaves)
        },
    )
}

/// Checks the length and the subsequence by every engine and algorithm.
pub fn have_one_length((a, b, leaves): (Vec<u8>, Vec<u8>, u32)) {
    let expected = table(&a, &b)[a.len()][b.len()] as u64;
    let cells = a.len() * b.len();
    let engines: [Box<dyn Engine>; 2] = [Box::new(Cpu::new()), Box::new(Simt::new())];
    for engine in engines {
        for algorithm in lcs::Algorithm::all_on(engine.kind()) {
            // The simulator is slow, and so is dynamic programming.
            let most = match (engine.kind(), algorithm.name()) {
                (EngineKind::Simt, _) => 1000,
                (_, "dp") => 100_000,
                _ => usize::MAX,
            };
            if cells <= most {
                let place = format!("{algorithm} on {}", engine.kind());
                let comparison = Comparison::new().on(&*engine).algorithm(algorithm).thresholds(0, 1 << leaves);
                assert_eq!(comparison.length(&a, &b).unwrap(), expected, "{place}");
                let lcs = comparison.alignment(&a, &b).unwrap();
                lcs.verify(&a, &b).unwrap();
                assert_eq!(lcs.len(), expected, "{place}");
            }
        }
    }
}
