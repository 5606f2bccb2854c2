//! The filter for pieces of patterns on a simulated device, checked against Sellers' recurrence, in
//! texts with rare and with frequent grams.

use crate::common::devices::on_a_device;
use crate::common::oracle::sellers::sellers;
use carrywave::internal::infix::End;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{
    DeviceAlgorithm, DeviceEnds, DeviceResult, DeviceText, Gaps, ROUND, Request, ResultKind,
};
use carrywave::search::Tuning;
use carrywave::text::{Alphabet, Pattern, Text};
use fastrand::Rng;
use simt_launch::Device;
use std::sync::Arc;

/// Checks counts and hits of some patterns in one pass. Returns the number of hits.
fn check<D: Device>(device: &Arc<D>, text: &[u8], patterns: &[Pattern], k: u32, place: &str) -> usize {
    let expected: Vec<Vec<End>> = patterns.iter().map(|pattern| sellers(text, pattern, k)).collect();
    let lengths: Vec<usize> = patterns.iter().map(Pattern::len).collect();
    let place = format!("m = {lengths:?}, k = {k}, n = {}, {place}", text.len());
    let row = DeviceAlgorithm::<D>::ALL.iter().find(|row| row.about.name == "pieces").unwrap();
    let on_device = DeviceText::new(device.clone(), text).unwrap();
    let request = Request { patterns, k, gaps: Gaps::ANY, tuning: Tuning::default() };
    let found = |format, from| on_device.prepare(row, &request, format).unwrap().run(from).unwrap();
    assert_eq!(found(ResultKind::Hits, 0), DeviceResult::Hits(expected.clone()), "{place}");
    let count: usize = expected.iter().map(Vec::len).sum();
    assert_eq!(found(ResultKind::Count, 0), DeviceResult::Count(count as u64), "{place}");
    // Also from a later position on, and in chunks of minimal length if the text is short enough
    // for many of them.
    if (ROUND + 1..10 * ROUND).contains(&(text.len() as u64)) {
        // The second position is the start of a tile.
        for from in [ROUND, 2 * ROUND].into_iter().filter(|&from| from < text.len() as u64) {
            let later =
                expected.iter().map(|ends| ends.iter().copied().filter(|end| end.end > from).collect()).collect();
            assert_eq!(found(ResultKind::Hits, from), DeviceResult::Hits(later), "{place}, from {from} on");
        }
        let (what, how) = ((patterns.to_vec(), k), (Some(row), Tuning::default()));
        let engine = DeviceEnds::new(vec![device.clone()], what, how, &|_| ()).unwrap();
        let mut engine = engine.with_chunk(ROUND).unwrap();
        assert_eq!(engine.all(&Text::from(text), patterns.len()).unwrap(), expected, "{place}, chunks");
    }
    count
}

/// Returns a text of `symbols` different symbols.
fn random(n: usize, symbols: u8, random: &mut Rng) -> Vec<u8> {
    (0..n).map(|_| if symbols == 4 { b"ACGT"[random.usize(..4)] } else { random.u8(..symbols) }).collect()
}

/// Returns a pattern with up to k errors of any type.
fn with_errors(pattern: &[u8], k: u32, random: &mut Rng) -> Vec<u8> {
    let mut changed = pattern.to_vec();
    for _ in 0..random.u32(..=k) {
        let (at, symbol) = (random.usize(..changed.len()), pattern[random.usize(..pattern.len())]);
        match random.u32(..3) {
            0 => changed[at] = symbol,
            1 => changed.insert(at, symbol),
            _ => drop(changed.remove(at)),
        }
    }
    changed
}

/// All gram sizes, k and numbers of words. Occurrences lie anywhere, at both ends of the text, and
/// across the borders of blocks, tiles and chunks.
#[test]
fn occurrences_with_errors_are_found_wherever_they_are() {
    let mut rng = Rng::with_seed(71);
    let mut found = 0;
    for (case, m) in [4, 5, 7, 8, 9, 11, 13, 15, 16, 20, 24, 31, 32, 36, 45, 60, 64, 100, 128].into_iter().enumerate() {
        for k in (0..=3).filter(|&k| m >= 4 * (k as usize + 1)) {
            let n = [3000, 2048, 4095, 130, 2113][(case + k as usize) % 5].max(m);
            let symbols = [4, 64, 255][(case + k as usize) % 3];
            let mut text = random(n, symbols, &mut rng);
            let pattern = random(m, symbols, &mut rng);
            for at in [0, 1, 63, 1010, 1024, 2000, 2047, n, rng.usize(..n), rng.usize(..n)] {
                let own = with_errors(&pattern, k, &mut rng);
                let at = at.min(n.saturating_sub(own.len()));
                let end = (at + own.len()).min(n);
                text[at..end].copy_from_slice(&own[..end - at]);
            }
            let place = format!("{symbols} symbols");
            on_a_device!(check_found(&text, &[Pattern::literal(&pattern)], k, &place, &mut found));
        }
    }
    assert!(found > 500, "{found}");
}

fn check_found<D: Device>(device: &Arc<D>, text: &[u8], patterns: &[Pattern], k: u32, place: &str, found: &mut usize) {
    *found += check(device, text, patterns, k, place);
}

/// Texts with grams in every block, and hits everywhere or nowhere.
#[test]
fn texts_full_of_grams() {
    let mut rng = Rng::with_seed(72);
    let few = random(2500, 2, &mut rng);
    for k in 0..=3 {
        let all = vec![b'a'; 4200];
        on_a_device!(check(&all, &[Pattern::literal(&all[..20])], k, "one symbol"));
        // At every position all pieces but one occur.
        let none = [vec![b'a'; 16], vec![b'b'; 16]].concat();
        on_a_device!(check(&all, &[Pattern::literal(&none)], k, "no hit"));
        on_a_device!(check(&few, &[Pattern::literal(&few[1100..1124])], k, "two symbols"));
        let repeated = b"carrywave ".repeat(300);
        on_a_device!(check(&repeated, &[Pattern::literal(&repeated[5..69])], k, "repeated"));
    }
}

/// A long text, so that each warp takes several tiles: most tiles have no grams, some are full of
/// them.
#[test]
fn tiles_that_a_warp_takes_together() {
    let mut rng = Rng::with_seed(75);
    let mut text = random(300_001, 64, &mut rng);
    let pattern = random(30, 64, &mut rng);
    for at in [0, 2040, 6130, 150_000, 299_971] {
        text[at..at + 30].copy_from_slice(&pattern);
    }
    for place in (200_000..220_000).step_by(40) {
        text[place + 3..place + 30].copy_from_slice(&pattern[3..]);
    }
    on_a_device!(check(&text, &[Pattern::literal(&pattern)], 2, "rare"));
    on_a_device!(check(&text, &[Pattern::literal(&pattern)], 3, "some"));
}

/// A text at most as long as the pattern, and texts that end at any symbol of a lane.
#[test]
fn short_texts() {
    let mut rng = Rng::with_seed(73);
    let whole = random(200, 64, &mut rng);
    for n in [1, 3, 15, 16, 17, 29, 30, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200] {
        on_a_device!(check(&whole[..n], &[Pattern::literal(&whole[..32])], 3, "prefix"));
        on_a_device!(check(&whole[200 - n..], &[Pattern::literal(&whole[168..])], 2, "suffix"));
    }
}

/// Primers and their reverse complements, in either case; U for T; positions that stand for several
/// symbols; symbols that differ in case.
#[test]
fn several_patterns_and_classes() {
    let mut rng = Rng::with_seed(74);
    for (k, lengths) in [(1, &[20, 20][..]), (1, &[16, 17, 31]), (2, &[24, 40]), (3, &[32, 32]), (0, &[8, 9, 10, 30])] {
        let mut text = random(3000, 4, &mut rng);
        let mut patterns = Vec::new();
        for &m in lengths {
            let primer = random(m, 4, &mut rng);
            let strand = Pattern::parse(&primer, Alphabet::Dna).unwrap();
            patterns.extend([strand.reverse_complement(), strand]);
            for _ in 0..4 {
                let mut own = with_errors(&primer, k, &mut rng);
                own.iter_mut()
                    .filter(|_| rng.bool())
                    .for_each(|base| *base = if *base == b'T' { b'u' } else { base.to_ascii_lowercase() });
                let at = rng.usize(..2900);
                text[at..at + own.len()].copy_from_slice(&own);
            }
        }
        patterns.retain({
            let mut left = 128;
            move |pattern| {
                let fits = pattern.len() <= left;
                left -= if fits { pattern.len() } else { 0 };
                fits
            }
        });
        on_a_device!(check(&text, &patterns, k, "strands"));
    }
    // N matches any base, so the filter compares few bits.
    let text = random(2100, 4, &mut rng);
    let mut guide = text[500..523].to_vec();
    guide[20] = b'N';
    on_a_device!(check(&text, &[Pattern::parse(&guide, Alphabet::Iupac).unwrap()], 2, "a guide"));
    let any = [b"carry".to_vec(), vec![b'.'; 3], b"wave".to_vec()].concat();
    let text = b"a carry and a wave, a carrierwave".repeat(30);
    on_a_device!(check(&text, &[Pattern::with_wildcard(&any, b'.')], 2, "wildcards"));
}
