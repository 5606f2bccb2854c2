//! Algorithms with their tunings, and checks of what they find.

use crate::common::oracle::sellers::sellers;
use carrywave::internal::infix::End;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{
    DeviceAlgorithm, DeviceEnds, DeviceResult, DeviceSearch, DeviceText, Gaps, ROUND, Request, ResultKind, Size, Writes,
};
use carrywave::search::Tuning;
use carrywave::text::{Pattern, Text};
use simt_launch::Device;
use std::sync::Arc;

/// Returns the algorithm with the name `name` on a device.
pub fn named<D: Device>(name: &str) -> &'static DeviceAlgorithm<D> {
    DeviceAlgorithm::ALL.iter().find(|row| row.about.name == name).unwrap()
}

/// Returns true if the algorithm's entry says that it takes these patterns together with k errors.
pub fn takes<D: Device>(row: &DeviceAlgorithm<D>, patterns: &[Pattern], k: u32) -> bool {
    let limits = row.about.limits;
    patterns.iter().all(|pattern| limits.symbols.is_none_or(|most| pattern.len() as u64 <= most))
        && limits.errors.is_none_or(|most| k <= most)
        && (limits.classes || patterns.iter().all(|pattern| pattern.as_literal().is_some()))
        && (limits.periodic || patterns.iter().all(|pattern| is_non_periodic(&pattern.as_literal().unwrap())))
        && limits.gaps
        && (row.fits)(Size::from_patterns(patterns, k))
}

/// Returns true if a pattern's period is more than half of its length.
pub fn is_non_periodic(symbols: &[u8]) -> bool {
    (1..=symbols.len() / 2).all(|shift| !symbols.starts_with(&symbols[shift..]))
}

/// A published algorithm with its tuning.
#[derive(Debug, Clone)]
pub struct Tuned {
    pub name: &'static str,
    pub tuning: String,
}

pub fn prepare<D: Device>(
    text: &Arc<DeviceText<D>>,
    Tuned { name, tuning }: &Tuned,
    patterns: &[Pattern],
    k: u32,
    format: ResultKind,
) -> carrywave::Result<DeviceSearch<D>> {
    text.prepare(named(name), &Request { patterns, k, gaps: Gaps::ANY, tuning: tuning.parse().unwrap() }, format)
}

/// Returns an algorithm without a tuning, or with the default.
pub fn plain(name: &'static str) -> Tuned {
    Tuned { name, tuning: String::new() }
}

pub fn ends<D: Device>(mut engine: DeviceEnds<'_, D>, text: &[u8]) -> carrywave::Result<Vec<End>> {
    Ok(engine.all(&Text::from(text), 1)?.concat())
}

/// Checks all formats, and hits in chunks, by every unpublished algorithm that takes m and k.
pub fn check<D: Device>(device: &Arc<D>, text: &[u8], pattern: &Pattern, k: u32, place: &str) {
    let expected = sellers(text, pattern, k);
    let patterns = std::slice::from_ref(pattern);
    let on_device = DeviceText::new(device.clone(), text).unwrap();
    let all = DeviceAlgorithm::<D>::ALL.iter();
    let algorithms: Vec<_> = all.filter(|row| !row.writes.only_bytes() && takes(row, patterns, k)).collect();
    assert!(!algorithms.is_empty(), "{place}");
    for algorithm in algorithms {
        let name = algorithm.about.name;
        let place = format!("{name}, m = {}, k = {k}, n = {}, {place}", pattern.len(), text.len());
        let request = Request { patterns, k, gaps: Gaps::ANY, tuning: Tuning::default() };
        // An algorithm may refuse classes of symbols, and pieces have at least four symbols.
        if let Err(error) = on_device.prepare(algorithm, &request, ResultKind::Hits).map(drop) {
            let is_refused = matches!(error, carrywave::Error::Unsupported { .. });
            let is_short = name == "pieces" && pattern.len() < 4 * (k as usize + 1);
            assert!(is_refused && (is_short || pattern.as_literal().is_none()), "{place}: {error}");
            continue;
        }
        let found = |format| on_device.prepare(algorithm, &request, format).unwrap().run(0).unwrap();
        assert_eq!(found(ResultKind::Hits), DeviceResult::Hits(vec![expected.clone()]), "{place}");
        assert_eq!(found(ResultKind::Count), DeviceResult::Count(expected.len() as u64), "{place}");
        if algorithm.writes == Writes::All {
            let (DeviceResult::Bytes(bytes), DeviceResult::Bitmap(bits)) =
                (found(ResultKind::Bytes), found(ResultKind::Bitmap))
            else {
                panic!("other formats");
            };
            assert_eq!((bytes.len(), bits.len()), (text.len(), text.len().div_ceil(32)), "{place}");
            let of_bytes = bytes.iter().enumerate().filter(|&(_, &b)| b != 0).map(|(j, _)| j as u64 + 1);
            assert!(of_bytes.eq(expected.iter().map(|e| e.end)), "{place}");
            assert!(bytes.iter().all(|&b| b <= 1), "{place}");
            let of_bits = (0..32 * bits.len()).filter(|j| bits[j / 32] >> (j % 32) & 1 == 1).map(|j| j as u64 + 1);
            assert!(of_bits.eq(expected.iter().map(|e| e.end)), "{place}");
        }
        let (what, how) = ((patterns.to_vec(), k), (Some(algorithm), Tuning::default()));
        let chunked = DeviceEnds::new(vec![device.clone()], what, how, &|_| ()).unwrap().with_chunk(ROUND).unwrap();
        assert_eq!(ends(chunked, text).unwrap(), expected, "{place}, chunks");
    }
}

/// Checks published algorithms, which return bytes and hits.
pub fn check_published<D: Device>(
    device: &Arc<D>,
    text: &[u8],
    pattern: &Pattern,
    k: u32,
    algorithms: &[Tuned],
    place: &str,
) {
    let expected = sellers(text, pattern, k);
    let on_device = DeviceText::new(device.clone(), text).unwrap();
    for algorithm in algorithms {
        assert!(named::<D>(algorithm.name).writes.only_bytes());
        let patterns = std::slice::from_ref(pattern);
        let found = |format| prepare(&on_device, algorithm, patterns, k, format).unwrap().run(0).unwrap();
        let place = format!("{algorithm:?}, m = {}, k = {k}, n = {}, {place}", pattern.len(), text.len());
        let DeviceResult::Bytes(bytes) = found(ResultKind::Bytes) else { panic!("other formats") };
        let ends = bytes.iter().enumerate().filter(|&(_, &b)| b == 1).map(|(j, _)| j as u64 + 1);
        assert!(ends.eq(expected.iter().map(|e| e.end)), "{place}");
        assert_eq!(found(ResultKind::Hits), DeviceResult::Hits(vec![expected.clone()]), "{place}");
    }
}

pub fn scan(alpha: u32, disjoint: bool, banks: bool) -> Tuned {
    let (variant, table) = (if disjoint { "disjoint" } else { "overlapping" }, if banks { "banks" } else { "paper" });
    Tuned { name: "scan", tuning: format!("alpha={alpha},variant={variant},table={table}") }
}

pub fn gbpr(segment: u32, alpha: u32, banks: bool) -> Tuned {
    let table = if banks { "banks" } else { "paper" };
    Tuned { name: "gbpr", tuning: format!("segment={segment},alpha={alpha},table={table}") }
}

pub fn xbitpar(segment: u32) -> Tuned {
    Tuned { name: "xbitpar", tuning: format!("segment={segment}") }
}
