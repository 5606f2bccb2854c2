//! This project's own algorithms at the borders of their lanes, tiles, strips and chunks, and what
//! all kernels refuse.

use super::checks::{Tuned, check, ends, gbpr, named, plain, prepare, scan, takes, xbitpar};
use crate::common::devices::on_a_device;
use crate::common::oracle::sellers::sellers;
use crate::common::texts::{letters as text, part};
use carrywave::Error;
use carrywave::internal::infix::End;
use carrywave::internal::search::gpu::{
    ABOUTS, DeviceAlgorithm, DeviceEnds, DeviceResult, DeviceText, Gaps, ROUND, Request, ResultKind, Writes,
};
use carrywave::search::Tuning;
use carrywave::text::{Class, Pattern};
use simt_launch::{Device, Simt};
use std::sync::Arc;

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
            let request = Request { patterns: &[pattern], k, gaps: Gaps::ANY, tuning: Tuning::default() };
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
