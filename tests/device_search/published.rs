//! The published algorithms at the borders of their segments, slices and blocks.

use super::checks::{Tuned, check_published, gbpr, is_non_periodic, named, plain, scan, xbitpar};
use crate::common::devices::on_a_device;
use crate::common::oracle::sellers::sellers;
use crate::common::texts::{letters as text, part};
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{ABOUTS, DeviceAlgorithm, DeviceEnds, ROUND};
use carrywave::search::Tuning;
use carrywave::text::{Class, Pattern, Text};
use simt_launch::{Device, Simt};
use std::sync::Arc;

/// Every published algorithm has a test of its own in this file, with its tunings; every other
/// algorithm is covered by `check`.
#[test]
fn published_algorithms_are_all_here() {
    let published = DeviceAlgorithm::<Simt>::ALL.iter().filter(|row| row.writes.only_bytes());
    let names = [
        "kmp",
        "brute-force",
        "duel-global",
        "duel-shared",
        "scan",
        "scan-steps",
        "scan-segments",
        "gbpr",
        "myers-slices",
        "myers-slices-shared",
        "xbitpar",
    ];
    assert_eq!(published.map(|row| row.about.name).collect::<Vec<_>>(), names);
    let others = DeviceAlgorithm::<Simt>::ALL.iter().filter(|row| !row.writes.only_bytes());
    assert!(others.count() >= 4 && ABOUTS.len() == DeviceAlgorithm::<Simt>::ALL.len());
}

/// Returns the published scan with α, in both variants if overlapping warps take m and k.
fn scans(m: usize, k: u32, alpha: u32, banks: bool) -> Vec<Tuned> {
    let halo = (m as u32 + k - 1).next_multiple_of(32);
    let variants = [true, false].into_iter().filter(|disjoint| *disjoint || 32 * alpha > halo);
    variants.map(|disjoint| scan(alpha, disjoint, banks)).collect()
}

/// Patterns around powers of two, which the number of launches depends on; texts around segments of
/// 256 symbols.
#[test]
fn scans_over_the_whole_text_at_every_border() {
    let lengths = [1, 2, 255, 256, 257, 511, 513, 1000, 2100];
    for (i, m) in [1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 63, 64].into_iter().enumerate() {
        for k in [0, 1 + (i % 3) as u32, 7].into_iter().filter(|&k| (k as usize) < m) {
            let text =
                text(lengths[(2 * i + k as usize) % lengths.len()], [2, 3, 4][i % 3], (100 * i) as u64 + u64::from(k));
            let pattern = Pattern::literal(&slightly_changed_part(&text, m, k));
            on_a_device!(check_published(&text, &pattern, k, &["scan-steps", "scan-segments"].map(plain), "random"));
        }
    }
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
            let pattern = if m <= n { part(&text, m) } else { crate::common::texts::letters(m, symbols, 3) };
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
