//! Search kernels on a simulated device, and on a GPU if there is one, checked against Sellers'
//! recurrence.
#![cfg(all(feature = "published", feature = "simt"))]

mod common;

use carrywave::Error;
use carrywave::internal::infix::End;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{
    ABOUTS, DeviceAlgorithm, DeviceEnds, DeviceResult, DeviceSearch, DeviceText, ROUND, Request, ResultKind, Size,
    Writes,
};
use carrywave::search::Tuning;
use carrywave::text::Text;
use carrywave::text::{Class, Pattern};
use common::devices::on_a_device;
use common::oracle::sellers::sellers;
use common::texts::{letters as text, part};
use simt_launch::{Device, Simt};
use simt_std::simulator::Space;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the algorithm with the name `name` on a device.
fn named<D: Device>(name: &str) -> &'static DeviceAlgorithm<D> {
    DeviceAlgorithm::ALL.iter().find(|row| row.about.name == name).unwrap()
}

/// Returns true if the algorithm's entry says that it takes these patterns together with k errors.
fn takes<D: Device>(row: &DeviceAlgorithm<D>, patterns: &[Pattern], k: u32) -> bool {
    let limits = row.about.limits;
    patterns.iter().all(|pattern| limits.symbols.is_none_or(|most| pattern.len() as u64 <= most))
        && limits.errors.is_none_or(|most| k <= most)
        && (limits.classes || patterns.iter().all(|pattern| pattern.as_literal().is_some()))
        && (limits.periodic || patterns.iter().all(|pattern| is_non_periodic(&pattern.as_literal().unwrap())))
        && limits.gaps
        && (row.fits)(Size::from_patterns(patterns, k))
}

/// Returns true if a pattern's period is more than half of its length.
fn is_non_periodic(symbols: &[u8]) -> bool {
    (1..=symbols.len() / 2).all(|shift| !symbols.starts_with(&symbols[shift..]))
}

/// A published algorithm with its tuning.
#[derive(Debug, Clone)]
struct Tuned {
    name: &'static str,
    tuning: String,
}

fn prepare<D: Device>(
    text: &Arc<DeviceText<D>>,
    Tuned { name, tuning }: &Tuned,
    patterns: &[Pattern],
    k: u32,
    format: ResultKind,
) -> carrywave::Result<DeviceSearch<D>> {
    text.prepare(named(name), &Request { patterns, k, gaps: true, tuning: tuning.parse().unwrap() }, format)
}

/// Returns an algorithm without a tuning, or with the default.
fn plain(name: &'static str) -> Tuned {
    Tuned { name, tuning: String::new() }
}

fn ends<D: Device>(mut engine: DeviceEnds<'_, D>, text: &[u8]) -> carrywave::Result<Vec<End>> {
    Ok(engine.all(&Text::from(text), 1)?.concat())
}

/// Checks all formats, and hits in chunks, by every unpublished algorithm that takes m and k.
fn check<D: Device>(device: &Arc<D>, text: &[u8], pattern: &Pattern, k: u32, place: &str) {
    let expected = sellers(text, pattern, k);
    let patterns = std::slice::from_ref(pattern);
    let on_device = DeviceText::new(device.clone(), text).unwrap();
    let all = DeviceAlgorithm::<D>::ALL.iter();
    let algorithms: Vec<_> = all.filter(|row| !row.writes.only_bytes() && takes(row, patterns, k)).collect();
    assert!(!algorithms.is_empty(), "{place}");
    for algorithm in algorithms {
        let name = algorithm.about.name;
        let place = format!("{name}, m = {}, k = {k}, n = {}, {place}", pattern.len(), text.len());
        let request = Request { patterns, k, gaps: true, tuning: Tuning::default() };
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
fn check_published<D: Device>(
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

/// Every published algorithm has a test of its own in this file, with its tunings; every other
/// algorithm is covered by [`check`].
#[test]
fn published_algorithms_are_all_here() {
    let published = DeviceAlgorithm::<Simt>::ALL.iter().filter(|row| row.writes.only_bytes());
    let names = [
        "kmp",
        "brute-force",
        "duel-global",
        "duel-shared",
        "scan",
        "gbpr",
        "myers-slices",
        "myers-slices-shared",
        "xbitpar",
    ];
    assert_eq!(published.map(|row| row.about.name).collect::<Vec<_>>(), names);
    let others = DeviceAlgorithm::<Simt>::ALL.iter().filter(|row| !row.writes.only_bytes());
    assert!(others.count() >= 4 && ABOUTS.len() == DeviceAlgorithm::<Simt>::ALL.len());
}

fn scan(alpha: u32, disjoint: bool, banks: bool) -> Tuned {
    let (variant, table) = (if disjoint { "disjoint" } else { "overlapping" }, if banks { "banks" } else { "paper" });
    Tuned { name: "scan", tuning: format!("alpha={alpha},variant={variant},table={table}") }
}

/// Returns the published scan with α, in both variants if overlapping warps take m and k.
fn scans(m: usize, k: u32, alpha: u32, banks: bool) -> Vec<Tuned> {
    let halo = (m as u32 + k - 1).next_multiple_of(32);
    let variants = [true, false].into_iter().filter(|disjoint| *disjoint || 32 * alpha > halo);
    variants.map(|disjoint| scan(alpha, disjoint, banks)).collect()
}

/// The longest pattern that leaves room for α - 1 wildcards in a word, a longer one, and the ends
/// of words; texts shorter than a segment of α symbols for each of 256 threads, and texts with more
/// segments than blocks.
#[test]
fn published_scans_at_every_border() {
    for (i, alpha) in [1u32, 2, 4, 8, 16, 32].into_iter().enumerate() {
        let room = |width: u32| (width + 1).checked_sub(alpha).filter(|&room| room > 0);
        let mut ms: Vec<u32> = [room(32), room(64)].into_iter().flatten().flat_map(|room| [room, room + 1]).collect();
        ms.extend([1, 2, 5, 16, 32, 33, 64]);
        ms.sort_unstable();
        ms.dedup();
        let lengths = [1, 31, 250, 257, 512, 1000, 2100, 5000, 1300 * alpha as usize];
        for (j, m) in ms.into_iter().filter(|&m| m <= 64).map(|m| m as usize).enumerate() {
            for k in [0, 1 + ((i + j) % 3) as u32].into_iter().filter(|&k| (k as usize) < m) {
                let number = 16 * i + 2 * j + k.min(1) as usize;
                let text = text(lengths[number % lengths.len()], [2, 2, 3, 4][(number / 2) % 4], number as u64);
                let pattern = Pattern::literal(&slightly_changed_part(&text, m, k));
                on_a_device!(check_published(
                    &text,
                    &pattern,
                    k,
                    &scans(m, k, alpha, number.is_multiple_of(3)),
                    "random"
                ));
            }
        }
    }
}

fn gbpr(segment: u32, alpha: u32, banks: bool) -> Tuned {
    let table = if banks { "banks" } else { "paper" };
    Tuned { name: "gbpr", tuning: format!("segment={segment},alpha={alpha},table={table}") }
}

fn xbitpar(segment: u32) -> Tuned {
    Tuned { name: "xbitpar", tuning: format!("segment={segment}") }
}

/// Returns a part of the text, with one symbol changed if errors are allowed.
fn slightly_changed_part(text: &[u8], m: usize, k: u32) -> Vec<u8> {
    let mut pattern = part(text, m);
    if k > 1 && m > 4 {
        pattern[m / 2] = if pattern[m / 2] == b'a' { b'b' } else { b'a' };
    }
    pattern
}

#[test]
fn gbpr_at_every_border() {
    let lengths = [1, 7, 8, 9, 250, 257, 1000, 2100];
    let options = [(8, 1), (1, 1), (8, 4), (8, 8), (16, 16), (24, 8), (40, 4), (1000, 8), (4096, 16), (100, 1)];
    for (i, &m) in [1, 2, 5, 16, 31, 32, 33, 50, 63, 64].iter().enumerate() {
        for k in (0..=3).filter(|&k| (k as usize) < m) {
            let number = 4 * i + k as usize;
            let text = text(lengths[(3 * number) % lengths.len()], [2, 2, 3, 4][number % 4], number as u64);
            let pattern = Pattern::literal(&slightly_changed_part(&text, m, k));
            let three = [0, 4, 8].map(|j| options[(number + j) % options.len()]);
            let algorithms = three.map(|(segment, alpha)| gbpr(segment, alpha, number.is_multiple_of(2)));
            on_a_device!(check_published(&text, &pattern, k, &algorithms, "random"));
        }
    }
}

#[test]
fn xbitpar_at_every_border() {
    let lengths = [1, 31, 32, 33, 250, 1000, 2100];
    for (i, &m) in [1, 2, 31, 32, 33, 64, 65, 500, 1023, 1024, 1025, 2048, 2049, 4096].iter().enumerate() {
        for k in (0..=3).filter(|&k| (k as usize) < m) {
            // Long patterns are tested with one number of errors each.
            if m > 1024 && k as usize != i % 4 && (m, k) != (1025, 0) {
                continue;
            }
            let number = 4 * i + k as usize;
            let n = lengths[(3 * number) % lengths.len()] + if m > 100 { m } else { 0 };
            let text = text(n, [2, 2, 3, 4][number % 4], number as u64);
            let pattern = Pattern::literal(&slightly_changed_part(&text, m, k));
            let segment = [32, 4096, 256, 1024][number % 4].max(if m > 100 { 1024 } else { 32 });
            on_a_device!(check_published(&text, &pattern, k, &[xbitpar(segment)], "random"));
        }
    }
}

/// Returns Myers by slices: as published, and with text and results in shared memory.
fn slices() -> [Tuned; 2] {
    [plain("myers-slices"), plain("myers-slices-shared")]
}

/// Patterns of all lengths, with 0 to 3 errors and with the maximum, in texts shorter than the
/// pattern, of some slices, and of several blocks.
#[test]
fn slices_at_every_border() {
    let lengths = [1, 3, 31, 32, 33, 64, 100, 257, 1000, 2100];
    for m in 1..=32 {
        let mut ks = vec![0, 1, 2, 3, m / 2, m - 1];
        ks.retain(|&k| k < m);
        ks.sort_unstable();
        ks.dedup();
        for (i, k) in ks.into_iter().enumerate() {
            let number = 5 * m + i;
            let text = text(lengths[(3 * number) % lengths.len()], [2, 2, 3, 4][number % 4], number as u64);
            let pattern = Pattern::literal(&slightly_changed_part(&text, m, k as u32));
            on_a_device!(check_published(&text, &pattern, k as u32, &slices(), "random"));
        }
    }
    // More than a block of each, and a repetitive text.
    for (m, k, n) in [(1, 0, 1500), (2, 1, 4200), (4, 0, 9000), (31, 3, 20_000), (32, 1, 16_500)] {
        let text: Vec<u8> = text(m + 3, 2, m as u64).into_iter().cycle().take(n).collect();
        let pattern = Pattern::literal(&slightly_changed_part(&text, m, k));
        on_a_device!(check_published(&text, &pattern, k, &slices(), "periodic"));
    }
    for pattern in [vec![b'a'; 32], vec![b'b'; 32], [vec![b'b'; 16], vec![b'a'; 16]].concat()] {
        for k in [0, 3, 16, 31] {
            on_a_device!(check_published(&[b'a'; 150], &Pattern::literal(&pattern), k, &slices(), "one symbol"));
        }
    }
}

/// In chunks of a text, each with the symbols before it; with classes of symbols, and with all
/// bytes.
#[test]
fn slices_in_chunks_and_of_classes() {
    fn check_chunks<D: Device>(device: &Arc<D>, text: &[u8], pattern: &Pattern, k: u32) {
        for algorithm in slices() {
            let what = (vec![pattern.clone(), pattern.reversed()], k);
            let how = (Some(named(algorithm.name)), Tuning::default());
            let mut engine =
                DeviceEnds::new(vec![device.clone()], what, how, &|_| ()).unwrap().with_chunk(ROUND).unwrap();
            let found = engine.all(&Text::from(text), 2).unwrap();
            let place = format!("{algorithm:?}, k = {k}");
            assert_eq!(found, [sellers(text, pattern, k), sellers(text, &pattern.reversed(), k)], "{place}");
            // Again, in memory that holds the previous results.
            assert_eq!(engine.all(&Text::from(text), 2).unwrap(), found, "{place}");
            assert_eq!(engine.count(&Text::from(text)).unwrap(), found.concat().len() as u64, "{place}");
            assert_eq!(engine.all(&Text::from(b""), 2).unwrap(), [vec![], vec![]], "{place}");
        }
    }
    let text = text(2500, 3, 8);
    let bytes: Vec<u8> = (0..2500u32).map(|i| (i * 37 % 256) as u8).collect();
    let mut classes: Vec<Class> = bytes[300..320].iter().map(|&s| Class::from_symbol(s)).collect();
    classes[3].insert(0);
    classes[7] = Class::default();
    classes[9].insert(255);
    for k in [0, 2] {
        on_a_device!(check_chunks(&text, &Pattern::literal(&part(&text, 9)), k));
        on_a_device!(check_chunks(&bytes, &Pattern::new(classes.clone()), k));
    }
}

/// Each border of two segments has an occurrence that ends right after it and has k insertions: it
/// begins m + k - 1 symbols earlier.
#[test]
fn planted_where_segments_meet() {
    let all = |s| [gbpr(s, 1, false), gbpr(s, 4, true), gbpr(s, 8, true), xbitpar(64)];
    // XBitPar rounds halos up to 32: here m + k - 1 is one more than a multiple.
    for (m, k, segment, n) in [(1, 0, 8, 300), (10, 2, 24, 600), (31, 3, 64, 900), (64, 1, 8, 1200), (63, 3, 64, 1500)]
    {
        planted(m, k, segment, n, &all(segment as u32));
    }
    planted(1023, 3, 1024, 5000, &[xbitpar(1024)]);
    planted(1024, 2, 2048, 5000, &[xbitpar(2048)]);
    planted(1025, 0, 1024, 5000, &[xbitpar(1024)]);
    // Slices of 16, 32 and 33 symbols, and of 10, where an occurrence reaches into three slices.
    for (m, k, slice) in [(10, 2, 16), (31, 3, 32), (20, 5, 33), (10, 2, 10)] {
        planted(m, k, slice, slice * 64, &slices());
    }
}

fn planted(m: usize, k: usize, segment: usize, n: usize, algorithms: &[Tuned]) {
    let mut pattern = text(m, 4, m as u64);
    let mut occurrence = pattern.clone();
    // The insertions are in the middle: near an end, a shorter occurrence would have no more
    // errors.
    for e in 0..k {
        occurrence.insert(m / 2 + 2 * e, b'y');
    }
    let mut text = vec![b'x'; n];
    let (mut free, mut planted) = (0, 0);
    for border in (0..n).step_by(segment) {
        let end = border + 1;
        if end >= free + m + k {
            text[end - m - k..end].copy_from_slice(&occurrence);
            (free, planted) = (end, planted + 1);
        }
    }
    assert!(planted > 1);
    on_a_device!(check_published(&text, &Pattern::literal(&pattern), k as u32, algorithms, "planted"));
    // And no hit with one more wrong symbol.
    pattern[m - 1] = b'z';
    on_a_device!(check_published(&text, &Pattern::literal(&pattern), k as u32, algorithms, "not planted"));
}

/// Returns the algorithms of exact search that write bytes; duels only for patterns with a period
/// over half of their length.
fn exact(pattern: &[u8]) -> Vec<Tuned> {
    let duels = [plain("duel-global"), plain("duel-shared")].into_iter().filter(|_| is_non_periodic(pattern));
    [plain("kmp"), plain("brute-force")].into_iter().chain(duels).collect()
}

/// Patterns of any length, also over 2,048, where a thread has several positions, and longer than
/// the text; in chunks with the symbols before them.
#[test]
fn exact_search_as_published() {
    fn check_chunks<D: Device>(device: &Arc<D>, text: &[u8], pattern: &[u8]) {
        let expected = sellers(text, &Pattern::literal(pattern), 0);
        for algorithm in exact(pattern) {
            let how = (Some(named(algorithm.name)), Tuning::default());
            let what = (vec![Pattern::literal(pattern)], 0);
            let mut engine =
                DeviceEnds::new(vec![device.clone()], what, how, &|_| ()).unwrap().with_chunk(ROUND).unwrap();
            let mut all = || engine.all(&Text::from(text), 1).unwrap().concat();
            assert_eq!(all(), expected, "{algorithm:?}, m = {}", pattern.len());
            // Again, in memory that holds the previous results.
            assert_eq!(all(), expected, "{algorithm:?}, m = {}", pattern.len());
        }
    }
    for (m, n) in [(1, 700), (2, 333), (3, 1024), (7, 1), (20, 19), (33, 33), (64, 1025), (65, 3000), (2050, 7000)] {
        for symbols in [2, 4] {
            let text = text(n, symbols, (m + n) as u64);
            let pattern = if m <= n { part(&text, m) } else { common::texts::letters(m, symbols, 3) };
            let place = "exact search";
            on_a_device!(check_published(&text, &Pattern::literal(&pattern), 0, &exact(&pattern), place));
            on_a_device!(check_chunks(&text, &pattern));
        }
    }
    let text = [vec![b'a'; 500], b"b".to_vec()].concat().repeat(3);
    for pattern in [vec![b'a'; 90], text[430..501].to_vec(), text[499..600].to_vec()] {
        on_a_device!(check_published(&text, &Pattern::literal(&pattern), 0, &exact(&pattern), "repetitions"));
        on_a_device!(check_chunks(&text, &pattern));
    }
}

/// Lengths around those of a lane, a tile and a chunk; few symbols, for many hits.
#[test]
fn random_texts_at_every_border() {
    let lengths = [1, 2, 15, 16, 17, 31, 33, 127, 511, 512, 513, 1023, 1025, 1500, 3000];
    for (seed, &m) in [1, 2, 3, 8, 16, 17, 18, 31, 32, 33, 47, 48, 49, 63, 64].iter().enumerate() {
        for k in (0..=4).filter(|&k| (k as usize) < m) {
            let number = 5 * seed + k as usize;
            let (symbols, n) = ([2, 2, 3, 4][number % 4], lengths[(7 * number) % lengths.len()]);
            let text = text(n, symbols, number as u64);
            // A slightly changed part of the text, if the text is long enough.
            let mut pattern = part(&text, m);
            if k > 1 && m > 4 {
                pattern[m / 2] = b'a' + (pattern[m / 2] - b'a' + 1) % symbols as u8;
            }
            on_a_device!(check(&text, &Pattern::literal(&pattern), k, "random"));
        }
    }
}

/// An occurrence that ends at, right before and right after every border, k symbols longer than the
/// pattern.
#[test]
fn planted_at_borders() {
    for (m, k) in [(10, 0), (20, 0), (20, 2), (32, 0), (40, 0), (32, 3), (64, 0), (64, 1), (60, 4)] {
        let pattern: Vec<u8> = (0..m).map(|i| b"acgt"[(i * i + i / 3) % 4]).collect();
        let mut text = vec![b'x'; 4000];
        for (i, border) in [m + k, 528, 1024, 1536 + 16, 2048, 2560, 3072, 4000].into_iter().enumerate() {
            let mut planted = pattern.clone();
            for e in 0..k {
                planted.insert(1 + (i + e * 7) % (m - 1), b'x');
            }
            let end = border - i % 3 * usize::from(border < 4000);
            let start = end.saturating_sub(planted.len());
            let fits = end - start;
            text[start..end].copy_from_slice(&planted[planted.len() - fits..]);
        }
        on_a_device!(check(&text, &Pattern::literal(&pattern), k as u32, "planted"));
    }
}

/// Returns a part of the text with k/2 symbols changed.
fn changed_part(text: &[u8], m: usize, k: usize) -> Vec<u8> {
    let mut pattern = part(text, m);
    pattern.iter_mut().step_by(m / k.max(1)).take(k.div_ceil(2)).for_each(|symbol| *symbol ^= 1);
    pattern
}

/// Patterns of every number of words and strips, with up to m - 1 errors.
#[test]
fn any_pattern_with_any_number_of_errors() {
    let lengths = [1, 20, 127, 128, 129, 700, 1100, 2000];
    for (i, &m) in [1, 2, 31, 32, 33, 64, 65, 127, 128, 129, 256, 257, 300].iter().enumerate() {
        let mut ks = vec![0, 1, 5, m / 8, m / 3, m / 2, m - 2.min(m), m - 1];
        ks.retain(|&k| k < m);
        ks.dedup();
        for (e, &k) in ks.iter().enumerate() {
            let number = 3 * i + e;
            let n = lengths[(5 * number) % lengths.len()];
            let text = text(n, [2, 3, 4][number % 3], number as u64);
            let pattern = changed_part(&text, m, k);
            on_a_device!(check(&text, &Pattern::literal(&pattern), k as u32, "any"));
        }
    }
}

/// Strips with neighbours on both sides, halos longer than a chunk, and strips of several warps.
#[test]
fn patterns_of_many_strips() {
    let cases = [(1000, 0, 1100), (1000, 100, 2500), (1000, 999, 1500), (400, 150, 1300), (129, 0, 17_000)];
    for (m, k, n) in cases {
        let text = text(n, 4, m as u64 + k as u64);
        let pattern = changed_part(&text, m, k);
        assert!(!sellers(&text, &Pattern::literal(&pattern), k as u32).is_empty(), "nothing to find");
        on_a_device!(check(&text, &Pattern::literal(&pattern), k as u32, "strips"));
    }
}

/// Every carry and every border between strips: a text of one symbol, with patterns of that symbol
/// and of another.
#[test]
fn texts_of_one_symbol() {
    for m in [1, 32, 33, 64, 65, 100, 128, 129, 200, 257] {
        for pattern in [vec![b'a'; m], vec![b'b'; m], [vec![b'b'; m / 2], vec![b'a'; m - m / 2]].concat()] {
            for k in [0, m / 2, m - 1] {
                on_a_device!(check(&vec![b'a'; 3 * m], &Pattern::literal(&pattern), k as u32, "one symbol"));
            }
        }
    }
}

/// An occurrence that ends at, right before or right after every border of runs, k symbols longer
/// than the pattern: it reaches back as far as a halo.
#[test]
fn long_occurrences_at_borders() {
    let short = [(20, 10), (32, 16), (60, 4), (64, 32), (100, 40), (120, 20)];
    for (m, k) in short.into_iter().chain([(128, 2), (128, 60), (140, 70), (256, 10), (300, 90)]) {
        let pattern: Vec<u8> = (0..m).map(|i| b"acgt"[(i * i + i / 3) % 4]).collect();
        // The insertions are in the second half, so that dropping the first symbols costs more.
        let mut planted = pattern.clone();
        for e in 0..k {
            planted.insert(m - 1 - e % (m - m / 2 - 1), b'y');
        }
        // A run here is as long as the kernel's.
        let run = 2 * (m + k - 1).next_multiple_of(128);
        let mut text = vec![b'x'; 4100];
        for i in 1..text.len() / run {
            let end = i * run - 1 + i % 3;
            text[end - planted.len()..end].copy_from_slice(&planted);
        }
        let pattern = Pattern::literal(&pattern);
        assert!(sellers(&text, &pattern, k as u32).iter().any(|end| end.errors == k as u32));
        on_a_device!(check(&text, &pattern, k as u32, "long"));
    }
}

/// A search that starts at a later position finds the same ends there, including those of
/// occurrences that start earlier.
#[test]
fn searches_may_start_later() {
    fn check_later<D: Device>(device: &Arc<D>) {
        let text = text(3000, 2, 77);
        let pattern = Pattern::literal(&text[ROUND as usize - 5..][..12]);
        let patterns = std::slice::from_ref(&pattern);
        let on_device = DeviceText::new(device.clone(), &text).unwrap();
        // Each algorithm by default, and some with other tunings.
        let plain = ABOUTS.iter().map(|about| plain(about.name));
        let mut checked = 0;
        for algorithm in plain.chain([gbpr(8, 1, false), gbpr(96, 16, false), xbitpar(256)]) {
            let row = named::<D>(algorithm.name);
            for k in [0, 2, 5].into_iter().filter(|&k| takes(row, patterns, k)) {
                let later: Vec<End> = sellers(&text, &pattern, k).into_iter().filter(|e| e.end > ROUND).collect();
                let found = |format| prepare(&on_device, &algorithm, patterns, k, format).unwrap().run(ROUND).unwrap();
                assert_eq!(found(ResultKind::Hits), DeviceResult::Hits(vec![later.clone()]), "{algorithm:?}, k = {k}");
                checked += 1;
                if row.writes == Writes::CountsAndHits {
                    continue;
                }
                let DeviceResult::Bytes(bytes) = found(ResultKind::Bytes) else { panic!("other formats") };
                assert!((ROUND..3000).all(|j| (bytes[j as usize] == 1) == later.iter().any(|e| e.end == j + 1)));
                if row.writes == Writes::All {
                    let DeviceResult::Bitmap(bits) = found(ResultKind::Bitmap) else { panic!("other formats") };
                    let bit = |j: u64| bits[j as usize / 32] >> (j % 32) & 1 == 1;
                    assert!((ROUND..3000).all(|j| bit(j) == later.iter().any(|e| e.end == j + 1)));
                }
            }
        }
        assert!(checked >= 16, "{checked}");
    }
    on_a_device!(check_later());
}

/// A text that matches everywhere: more hits than the first buffer holds.
#[test]
fn no_hit_is_lost_when_there_are_many() {
    fn check_many<D: Device>(device: &Arc<D>) {
        let text = vec![b'a'; 70_000];
        let pattern = Pattern::literal(b"aaa");
        let expected: Vec<End> = (3..=70_000).map(|end| End { end, errors: 0 }).collect();
        let (what, how) = ((vec![pattern], 0), (None, Tuning::default()));
        let engine = DeviceEnds::new(vec![device.clone()], what, how, &|_| ()).unwrap();
        assert_eq!(ends(engine, &text).unwrap(), expected);
    }
    on_a_device!(check_many());
}

/// Several patterns in one pass: each pattern has the same hits as in a search for it alone.
fn check_packed<D: Device>(device: &Arc<D>, text: &[u8], patterns: &[Pattern], k: u32, place: &str) {
    let expected: Vec<Vec<End>> = patterns.iter().map(|pattern| sellers(text, pattern, k)).collect();
    let lengths: Vec<usize> = patterns.iter().map(Pattern::len).collect();
    let place = format!("m = {lengths:?}, k = {k}, n = {}, {place}", text.len());
    let on_device = DeviceText::new(device.clone(), text).unwrap();
    let prepared = |format| prepare(&on_device, &plain("packed"), patterns, k, format).unwrap();
    assert_eq!(prepared(ResultKind::Hits).run(0).unwrap(), DeviceResult::Hits(expected.clone()), "{place}");
    let count: usize = expected.iter().map(Vec::len).sum();
    assert_eq!(prepared(ResultKind::Count).run(0).unwrap(), DeviceResult::Count(count as u64), "{place}");
}

#[test]
fn packed_patterns_are_found_each() {
    let mut random = fastrand::Rng::with_seed(44);
    for (number, n) in [1, 40, 129, 1000, 1025, 2500, 3000, 4000, 2000, 1500, 3333, 2048].into_iter().enumerate() {
        let k = (number % 4) as u32;
        let room = [32, 64, 128][number / 4];
        let symbols = [2, 3, 4][number % 3];
        let text = text(n, symbols, number as u64);
        // Parts of the text, some of them changed, until the room is used up.
        let (mut patterns, mut left) = (Vec::new(), room);
        while left > k as usize {
            let m = random.usize(k as usize + 1..=left.min(1 + [9, 40, 128][number % 3]).max(k as usize + 1));
            let from = random.usize(..n);
            let mut pattern: Vec<u8> = text[from..].iter().copied().cycle().take(m).collect();
            if random.bool() {
                pattern[random.usize(..m)] = b'a' + random.u8(..symbols as u8);
            }
            patterns.push(Pattern::literal(&pattern));
            left -= m;
        }
        on_a_device!(check_packed(&text, &patterns, k, "random"));
    }
    // One pattern of the full width; patterns that occur everywhere; text of one symbol.
    let long = text(4000, 4, 5);
    on_a_device!(check_packed(&long, &[Pattern::literal(&long[1000..1128])], 3, "wide"));
    let everywhere = vec![b'a'; 3000];
    let patterns: Vec<Pattern> = (3..10).map(|m| Pattern::literal(&everywhere[..m])).collect();
    on_a_device!(check_packed(&everywhere, &patterns, 2, "everywhere"));
}

#[test]
fn classes_of_symbols_and_all_bytes() {
    let text: Vec<u8> = (0..2000u32).map(|i| (i * 37 % 256) as u8).collect();
    let mut classes: Vec<Class> = text[300..320].iter().map(|&s| Class::from_symbol(s)).collect();
    classes[3].insert(0);
    classes[7] = Class::default();
    classes[9].insert(255);
    let pattern = Pattern::new(classes);
    for k in [0, 1, 2] {
        on_a_device!(check(&text, &pattern, k, "classes"));
    }
}

#[test]
fn what_no_kernel_takes_is_refused() {
    let simt = Arc::new(Simt::default());
    let text = DeviceText::new(simt.clone(), b"abc").unwrap();
    let a = |m| Pattern::literal(&vec![b'a'; m]);
    let scan = |alpha, disjoint| scan(alpha, disjoint, true);
    let cases = [
        (plain("shift-or"), vec![a(0)], 0, ResultKind::Count),
        (plain("shift-or"), vec![a(65)], 0, ResultKind::Count),
        (plain("shift-or"), vec![a(2)], 1, ResultKind::Count),
        (plain("shift-or"), vec![a(9), a(8)], 0, ResultKind::Hits),
        (plain("wu-manber"), vec![a(65)], 1, ResultKind::Count),
        (plain("wu-manber"), vec![a(2)], 2, ResultKind::Count),
        (plain("wu-manber"), vec![a(7)], 5, ResultKind::Count),
        (plain("myers"), vec![a(0)], 0, ResultKind::Count),
        (plain("myers"), vec![a(2)], 2, ResultKind::Count),
        (plain("myers"), vec![a(2)], u32::MAX, ResultKind::Count),
        (plain("packed"), vec![], 0, ResultKind::Hits),
        (plain("packed"), vec![a(64), a(65)], 0, ResultKind::Hits),
        (plain("packed"), vec![a(9), a(3)], 3, ResultKind::Hits),
        (plain("packed"), vec![a(9)], 4, ResultKind::Hits),
        (plain("packed"), vec![a(9)], 0, ResultKind::Bytes),
        (plain("packed"), vec![a(9), a(0)], 0, ResultKind::Hits),
        (plain("pieces"), vec![a(3)], 0, ResultKind::Hits),
        (plain("pieces"), vec![a(15)], 3, ResultKind::Hits),
        (plain("pieces"), vec![a(64), a(65)], 1, ResultKind::Hits),
        (plain("pieces"), vec![a(32)], 4, ResultKind::Hits),
        (plain("pieces"), vec![a(9)], 0, ResultKind::Bitmap),
        (plain("mismatches"), vec![a(9)], 1, ResultKind::Hits),
        (scan(3, true), vec![a(7)], 0, ResultKind::Hits),
        (scan(64, true), vec![a(7)], 1, ResultKind::Hits),
        (scan(2, false), vec![a(32)], 2, ResultKind::Hits),
        (scan(1, false), vec![a(7)], 0, ResultKind::Hits),
        (scan(16, true), vec![a(7)], 4, ResultKind::Hits),
        (scan(16, true), vec![a(7)], 0, ResultKind::Count),
        (gbpr(8, 1, false), vec![a(65)], 0, ResultKind::Hits),
        (gbpr(8, 1, false), vec![a(0)], 0, ResultKind::Hits),
        (gbpr(8, 1, false), vec![a(7)], 4, ResultKind::Hits),
        (gbpr(8, 1, false), vec![a(2)], 2, ResultKind::Hits),
        (gbpr(8, 2, false), vec![a(7)], 0, ResultKind::Hits),
        (gbpr(8, 0, false), vec![a(7)], 0, ResultKind::Hits),
        (gbpr(8, 16, false), vec![a(7)], 0, ResultKind::Hits),
        (gbpr(12, 8, false), vec![a(7)], 0, ResultKind::Hits),
        (gbpr(0, 1, false), vec![a(7)], 0, ResultKind::Hits),
        (gbpr(1 << 17, 1, false), vec![a(7)], 0, ResultKind::Hits),
        (gbpr(8, 1, false), vec![a(7)], 0, ResultKind::Count),
        (xbitpar(4096), vec![a(4097)], 0, ResultKind::Hits),
        (xbitpar(4096), vec![a(0)], 0, ResultKind::Hits),
        (xbitpar(4096), vec![a(7)], 4, ResultKind::Hits),
        (xbitpar(4096), vec![a(3)], 3, ResultKind::Hits),
        (xbitpar(48), vec![a(7)], 0, ResultKind::Hits),
        (xbitpar(0), vec![a(7)], 0, ResultKind::Hits),
        (xbitpar(1 << 21), vec![a(7)], 0, ResultKind::Hits),
        (xbitpar(4096), vec![a(7)], 0, ResultKind::Bitmap),
        (plain("myers-slices"), vec![a(33)], 0, ResultKind::Hits),
        (plain("myers-slices"), vec![a(0)], 0, ResultKind::Hits),
        (plain("myers-slices"), vec![a(7)], 7, ResultKind::Hits),
        (plain("myers-slices"), vec![a(7)], 0, ResultKind::Count),
        (plain("myers-slices-shared"), vec![a(33)], 0, ResultKind::Hits),
        (plain("myers-slices-shared"), vec![a(7)], 0, ResultKind::Bitmap),
        (plain("brute-force"), vec![a(7)], 1, ResultKind::Hits),
        (plain("brute-force"), vec![a(7)], 0, ResultKind::Count),
        (plain("brute-force"), vec![Pattern::new(vec![Class::from_symbols(*b"ab"); 3])], 0, ResultKind::Hits),
        (plain("kmp"), vec![a(7)], 1, ResultKind::Hits),
        (plain("kmp"), vec![a(7)], 0, ResultKind::Count),
        (plain("duel-global"), vec![a(2)], 0, ResultKind::Hits),
        (plain("duel-global"), vec![Pattern::new(vec![Class::from_symbols(*b"ab")])], 0, ResultKind::Hits),
        (plain("duel-shared"), vec![Pattern::literal(b"abcabc")], 0, ResultKind::Hits),
        // Tunings of another algorithm.
        (Tuned { tuning: "alpha=4".into(), ..plain("myers") }, vec![a(7)], 0, ResultKind::Hits),
        (Tuned { tuning: "segment=64".into(), ..plain("scan") }, vec![a(7)], 0, ResultKind::Hits),
        (Tuned { tuning: "alpha=4".into(), ..plain("xbitpar") }, vec![a(7)], 0, ResultKind::Hits),
    ];
    for (algorithm, patterns, k, format) in cases {
        let refused = prepare(&text, &algorithm, &patterns, k, format).err();
        let lengths: Vec<usize> = patterns.iter().map(Pattern::len).collect();
        let told = matches!(&refused, Some(Error::Unsupported { algorithm: name, .. }) if name == algorithm.name);
        assert!(told, "{algorithm:?}, m = {lengths:?}, {k}, {format:?}: {refused:?}");
    }
    // One symbol or one error more than each entry allows.
    for row in DeviceAlgorithm::<Simt>::ALL.iter().filter(|row| row.about.limits.gaps) {
        let limits = row.about.limits;
        let (most_m, most_k) = (limits.symbols.unwrap() as usize, limits.errors.unwrap());
        let ask = |m: usize, k: u32| {
            // A pattern without a period up to half of its length.
            let pattern = Pattern::literal(&[vec![b'a'; m - 1], b"b".to_vec()].concat());
            let request = Request { patterns: &[pattern], k, gaps: true, tuning: Tuning::default() };
            text.prepare(row, &request, ResultKind::Hits).err()
        };
        let too_many = ask(most_k as usize + 2, most_k + 1);
        assert!(matches!(too_many, Some(Error::Unsupported { .. })), "{}: {too_many:?}", row.about.name);
        // Patterns of 2^30 symbols are too large for this test.
        if most_m <= 1 << 20 {
            assert!(ask(most_m, 0).is_none(), "{}", row.about.name);
            assert!(matches!(ask(most_m + 1, 0), Some(Error::Unsupported { .. })), "{}", row.about.name);
        }
    }
    assert!(matches!(DeviceText::new(simt.clone(), b"").err(), Some(Error::Usage { .. })));
    let engine = || DeviceEnds::new(vec![simt.clone()], (vec![a(1)], 0), (None, Tuning::default()), &|_| ()).unwrap();
    assert!(engine().with_chunk(100).is_err());
    assert_eq!(ends(engine(), b"").unwrap(), []);
}

/// Counts the shared-memory conflicts of a search, on the simulator.
fn conflicts(text: &[u8], pattern: &Pattern, algorithm: &Tuned, k: u32) -> u64 {
    let simt = Arc::new(Simt::new(true));
    let on_device = DeviceText::new(simt.clone(), text).unwrap();
    let format = if named::<Simt>(algorithm.name).writes == Writes::CountsAndHits {
        ResultKind::Hits
    } else {
        ResultKind::Bytes
    };
    prepare(&on_device, algorithm, std::slice::from_ref(pattern), k, format).unwrap().run(0).unwrap();
    simt.costs().total(Space::Shared).conflicts
}

/// The paper's figure 9: its table makes lanes wait for one another in a text of many symbols; a
/// table with a word for each bank never does.
#[test]
fn no_text_makes_a_bank_conflict() {
    let mut random = fastrand::Rng::with_seed(9);
    let text: Vec<u8> = (0..4096).map(|_| random.u8(..)).collect();
    for m in [16, 32, 64] {
        let pattern = Pattern::literal(&text[1000..1000 + m]);
        for k in [0, 1] {
            let patterns = std::slice::from_ref(&pattern);
            let all = DeviceAlgorithm::<Simt>::ALL.iter();
            // Duels look up grams by their hashes, so two blocks of a warp may use one bank.
            let ours =
                all.filter(|row| !row.writes.only_bytes() && takes(row, patterns, k) && row.about.name != "duel");
            let ours: Vec<Tuned> = ours.map(|row| plain(row.about.name)).collect();
            assert!(ours.len() >= 3);
            let tuned = [scan(16, true, true), gbpr(8, 1, true), gbpr(16, 16, true), xbitpar(256)];
            for algorithm in ours.iter().chain(&tuned) {
                assert_eq!(conflicts(&text, &pattern, algorithm, k), 0, "{algorithm:?}, m = {m}, k = {k}");
            }
            for algorithm in [scan(16, true, false), gbpr(8, 1, false)] {
                assert!(conflicts(&text, &pattern, &algorithm, k) > 100, "{algorithm:?}, m = {m}, k = {k}");
            }
        }
    }
}

/// Counts the extra turns that warps take to look up the symbols of a text in the paper's table,
/// which has the word of symbol c in bank c mod 32. The scan has segments of 4,096 symbols with a
/// halo of 32 before them, 16 symbols a lane. Lanes outside the text look up word 256.
fn turns_of_the_papers_table(text: &[u8]) -> u64 {
    const HALO: usize = 32;
    let look_up = |segment: usize, thread: usize, i: usize| {
        let at = (segment * (4096 - HALO) + 16 * thread).checked_sub(HALO).filter(|&at| at < text.len());
        at.map_or(256, |at| text.get(at + i).copied().unwrap_or(0).into())
    };
    let mut turns = 0;
    for segment in 0..text.len().div_ceil(4096 - HALO) {
        for (warp, i) in (0..8).flat_map(|warp| (0..16).map(move |i| (warp, i))) {
            let words: BTreeSet<usize> = (0..32).map(|lane| look_up(segment, 32 * warp + lane, i)).collect();
            let most = (0..32).map(|bank| words.iter().filter(|&&word| word % 32 == bank).count()).max();
            turns += most.map_or(0, |most| most.saturating_sub(1)) as u64;
        }
    }
    turns
}

#[test]
fn conflicts_of_the_papers_table_are_those_of_its_symbols() {
    let mut random = fastrand::Rng::with_seed(10);
    for symbols in [4, 32, 33, 64, 128, 256] {
        let text: Vec<u8> = (0..9000).map(|_| random.u32(..symbols) as u8).collect();
        for m in [17, 32] {
            let found = conflicts(&text, &Pattern::literal(&text[1000..1000 + m]), &scan(16, true, false), 0);
            assert_eq!(found, turns_of_the_papers_table(&text), "{symbols} symbols, m = {m}");
        }
    }
}
