//! Searches in texts that come in parts, from memory and from files, checked against Sellers'
//! recurrence.

use crate::common::devices::{engines, on_a_device};
use crate::common::files::Folder;
use crate::common::oracle::sellers::sellers;
use crate::common::texts::letters;
use carrywave::Error;
use carrywave::internal::infix::End;
use carrywave::internal::search::cpu::CpuEnds;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{DeviceAlgorithm, DeviceEnds, DeviceText, ROUND};
use carrywave::job::Recorder;
use carrywave::search::{Algorithm, Ends, Search, Tuning};
use carrywave::text::{Alphabet, Pattern, Text};
use simt_launch::{Device, Simt};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns an engine for one pattern on a device, by the named algorithm or the fastest.
fn engine<'p, D: Device>(
    device: &Arc<D>,
    pattern: &Pattern,
    k: u32,
    algorithm: Option<&str>,
    progress: &'p (dyn Fn(u64) + Sync),
) -> DeviceEnds<'p, D> {
    let row = algorithm.map(|name| DeviceAlgorithm::ALL.iter().find(|row| row.about.name == name).unwrap());
    DeviceEnds::new(vec![device.clone()], (vec![pattern.clone()], k), (row, Tuning::default()), progress).unwrap()
}

fn all_ends(
    engine: &mut dyn carrywave::internal::search::ends::FindEnds,
    text: &Text<'_>,
) -> carrywave::Result<Vec<End>> {
    Ok(engine.all(text, 1)?.concat())
}

/// Checks ends, their number, and the reported progress, from memory and from a file.
fn check<D: Device>(device: &Arc<D>, symbols: &[u8], pattern: &Pattern, k: u32, chunk: u64, algorithms: &[&str]) {
    let expected = sellers(symbols, pattern, k);
    let folder = Folder::new();
    let file = Text::open(folder.file("text", symbols)).unwrap();
    assert!(symbols.is_empty() || file.in_memory().is_none());
    for text in [&file, &Text::from(symbols)] {
        for &algorithm in algorithms {
            let done = AtomicU64::new(0);
            let progress = |symbols| {
                done.fetch_add(symbols, Ordering::Relaxed);
            };
            let mut engine = engine(device, pattern, k, Some(algorithm), &progress).with_chunk(chunk).unwrap();
            let (m, n) = (pattern.len(), symbols.len());
            let place = format!("{algorithm}, m = {m}, k = {k}, n = {n}, chunks of {chunk}");
            assert_eq!(all_ends(&mut engine, text).unwrap(), expected, "{place}");
            assert_eq!(engine.count(text).unwrap(), expected.len() as u64, "{place}");
            assert_eq!(done.load(Ordering::Relaxed), 2 * n as u64, "{place}");
        }
    }
}

#[test]
fn any_length_in_chunks() {
    let round = ROUND as usize;
    let lengths = [0, 1, 9, round - 1, round, round + 1, 2 * round, 3 * round, 4 * round + 17, 7 * round - 1];
    for (seed, n) in lengths.into_iter().enumerate() {
        let symbols = letters(n, 2 + seed % 3, seed as u64);
        for (m, k, algorithms) in [
            (9, 0, &["shift-or", "wu-manber", "scan"][..]),
            (14, 2, &["wu-manber", "scan"]),
            (40, 1, &["wu-manber", "packed", "myers"]),
        ] {
            // A part of the text, extended if the text is shorter than the pattern.
            let pattern: Vec<u8> = symbols[n / 2..].iter().chain(b"abbabaab".iter().cycle()).copied().take(m).collect();
            let chunk = ROUND * (1 + seed as u64 % 2);
            on_a_device!(check(&symbols, &Pattern::literal(&pattern), k, chunk, algorithms));
        }
    }
}

/// Occurrences k symbols longer than the pattern, which end at, before and after the borders of
/// chunks.
#[test]
fn planted_across_chunks() {
    for (m, k) in [(10, 0), (20, 2), (32, 3), (64, 0), (64, 1), (60, 4)] {
        let pattern: Vec<u8> = (0..m).map(|i| b"acgt"[(i * i + i / 3) % 4]).collect();
        let mut symbols = vec![b'x'; 6 * ROUND as usize];
        for (border, behind) in [(1, 0), (2, 1), (3, m / 2), (4, m + k - 1), (5, m + k), (6, 0)] {
            let mut planted = pattern.clone();
            (0..k).for_each(|e| planted.insert(1 + e * 7 % (m - 1), b'x'));
            let end = border * ROUND as usize + behind;
            symbols[end - planted.len()..end].copy_from_slice(&planted);
        }
        let pattern = Pattern::literal(&pattern);
        assert!(sellers(&symbols, &pattern, k as u32).len() >= 6);
        let algorithm = if k == 0 { "shift-or" } else { "wu-manber" };
        on_a_device!(check(&symbols, &pattern, k as u32, ROUND, &[algorithm]));
    }
}

/// One engine searches texts of changing lengths with what it has kept of the texts before, also
/// if a pattern is longer than a chunk.
#[test]
fn texts_of_changing_lengths() {
    fn check_lengths<D: Device>(device: &Arc<D>, chunk: u64) {
        let round = ROUND as usize;
        let symbols = letters(24 * round, 2, 9);
        for m in [8, 64] {
            let pattern = Pattern::literal(&symbols[5 * round..][..m]);
            let mut engine = engine(device, &pattern, 1, Some("wu-manber"), &|_| ()).with_chunk(chunk).unwrap();
            for n in [2 * round + 3, 1, 9 * round + 5, 3 * round, 24 * round, m, 5 * round - 1, 23 * round] {
                let text = Text::from(&symbols[..n]);
                let expected = sellers(&symbols[..n], &pattern, 1);
                assert_eq!(all_ends(&mut engine, &text).unwrap(), expected, "m = {m}, n = {n}");
                assert_eq!(engine.count(&text).unwrap(), expected.len() as u64, "m = {m}, n = {n}");
            }
        }
    }
    on_a_device!(check_lengths(ROUND));
    on_a_device!(check_lengths(4 * ROUND));
    // The memory limits chunks to a few rounds.
    check_lengths(&Arc::new(Simt::with_memory(1 << 20)), 64 * ROUND);
}

/// A chunk that matches everywhere, between others: more hits than the first buffer holds.
#[test]
fn no_hit_is_lost_when_a_chunk_has_many() {
    let chunk = 66 * ROUND;
    let mut symbols = letters(4 * chunk as usize + 5, 26, 3);
    symbols[chunk as usize - 50..2 * chunk as usize + 50].fill(b'a');
    let pattern = Pattern::literal(b"aaa");
    assert!(sellers(&symbols, &pattern, 0).len() > 1 << 16);
    on_a_device!(check(&symbols, &pattern, 0, chunk, &["shift-or"]));
}

#[test]
fn a_text_may_be_larger_than_the_devices_memory() {
    let simt = Arc::new(Simt::with_memory(3 << 20));
    let symbols = letters(7 << 19, 4, 8);
    assert!(matches!(DeviceText::new(simt.clone(), &symbols).err(), Some(Error::DeviceMemory { .. })));
    let pattern = Pattern::literal(&symbols[1 << 20..][..12]);
    let folder = Folder::new();
    let text = Text::open(folder.file("text", &symbols)).unwrap();
    let ends = all_ends(&mut engine(&simt, &pattern, 1, None, &|_| ()), &text).unwrap();
    assert_eq!(ends, sellers(&symbols, &pattern, 1));
    let none = Arc::new(Simt::with_memory(1000));
    let refused = all_ends(&mut engine(&none, &pattern, 1, None, &|_| ()), &text);
    assert!(matches!(refused, Err(Error::DeviceMemory { .. })), "{refused:?}");
}

#[test]
fn a_file_that_becomes_shorter_is_an_error() {
    fn check_shorter<D: Device>(device: &Arc<D>) {
        let folder = Folder::new();
        let path = folder.file("text", letters(9 * ROUND as usize, 3, 1));
        let text = Text::open(&path).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(5 * ROUND + 9).unwrap();
        let pattern = Pattern::literal(b"abcab");
        let mut device = engine(device, &pattern, 1, None, &|_| ()).with_chunk(ROUND).unwrap();
        let mut cpu = CpuEnds::new(vec![pattern], 1, Algorithm::AUTO, &|_| ()).unwrap();
        for result in [device.count(&text), cpu.count(&text)] {
            assert!(matches!(&result, Err(Error::Io { path: named, .. }) if *named == path), "{result:?}");
        }
    }
    on_a_device!(check_shorter());
}

/// An error from the receiver of the ends ends the search.
#[test]
fn a_search_can_be_ended() {
    let symbols = letters(9 * ROUND as usize, 2, 1);
    let simt = Arc::new(Simt::default());
    let mut engine = engine(&simt, &Pattern::literal(b"ab"), 0, None, &|_| ()).with_chunk(ROUND).unwrap();
    let mut calls = 0;
    let ended = engine.each(&Text::from(&symbols[..]), &mut |_, _| {
        calls += 1;
        if calls == 2 { Err(Error::Interrupted) } else { Ok(()) }
    });
    assert!(matches!(ended, Err(Error::Interrupted)) && calls == 2, "{calls}");
    // The engine can then search another text.
    let pattern = Pattern::literal(b"ab");
    assert_eq!(all_ends(&mut engine, &Text::from(&symbols)).unwrap(), sellers(&symbols, &pattern, 0));
}

/// A failed search leaves no symbols or algorithms in the report of the next one, and the times of
/// the next one are recorded.
#[test]
fn a_failed_search_is_in_no_report() {
    let folder = Folder::new();
    let pattern = b"ACGTTGC";
    let dense = b"ACGTTGCAAC".repeat(200_000);
    let sparse = b"CCCCCCCCCC".repeat(10_000);
    let path = folder.file("text", &dense);
    let text = Text::open(&path).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_len(1_500_000).unwrap();
    let recorder = Recorder::new();
    // Seeds are everywhere in the first text, so another algorithm takes over.
    let search = Search::new(Pattern::literal(pattern)).errors(1).recorder(&recorder);
    let mut searcher = search.clone().algorithm("seeds".parse().unwrap()).prepare().unwrap();
    assert!(matches!(searcher.hits(&text), Err(Error::Io { .. })));
    assert_eq!(recorder.take(), None);
    assert_eq!(searcher.count(&sparse).unwrap(), 0);
    let report = recorder.take().unwrap();
    assert_eq!((report.ran.len(), report.algorithm(), report.done), (1, Some("seeds"), 100_000), "{report}");
    // A search that unwinds after its first slice.
    let calls = AtomicU64::new(0);
    let progress = |_| {
        if calls.fetch_add(1, Ordering::Relaxed) == 1 {
            std::panic::resume_unwind(Box::new(()));
        }
    };
    let mut searcher = search.clone().on_progress(&progress).prepare().unwrap();
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| searcher.count(&dense)));
    assert!(unwound.is_err() && recorder.take().is_none());
    assert_eq!(searcher.count(&sparse).unwrap(), 0);
    assert_eq!(recorder.take().unwrap().done, 100_000);
    let mut searcher = search.on(&carrywave::device::Simt::new()).prepare().unwrap();
    assert!(searcher.hits(&text).is_err());
    assert_eq!(searcher.count(&sparse[..1000]).unwrap(), 0);
    let report = recorder.take().unwrap();
    assert!(report.done == 1000 && report.kernels > std::time::Duration::ZERO, "{report}");
}

/// A file has the same hits as its bytes in memory, on every engine.
#[test]
fn files_as_one_text() {
    let mut symbols: Vec<u8> = letters(5000, 4, 5).iter().map(|s| b"ACGT"[usize::from(s - b'a')]).collect();
    symbols[700] = b'\n';
    let folder = Folder::new();
    let path = folder.file("text", &symbols);
    let file = Text::open(&path).unwrap();
    for (pattern, k) in [(&symbols[400..420], 0), (&symbols[4100..4125], 3), (&symbols[690..712], 2), (b"AC", 0)] {
        // A wildcard also matches a line end.
        let pattern: Vec<u8> = pattern.iter().map(|&symbol| if symbol == b'\n' { b'.' } else { symbol }).collect();
        let pattern = Pattern::parse(&pattern, Alphabet::Iupac).unwrap();
        for (ends, both, overlapping) in
            [(Ends::All, false, false), (Ends::Best, true, false), (Ends::Best, true, true)]
        {
            let search = Search::new(pattern.clone()).errors(k).ends(ends).both_strands(both).overlapping(overlapping);
            let expected = search.hits(&symbols).unwrap();
            assert!(!expected.is_empty());
            assert_eq!(search.hits(&file).unwrap(), expected, "{ends:?}, k = {k}");
            for engine in engines() {
                let (search, kind) = (search.clone().on(&*engine), engine.kind());
                assert_eq!(search.hits(&file).unwrap(), expected, "{kind}, {ends:?}, k = {k}");
                assert_eq!(search.count(&file).unwrap(), expected.len() as u64, "{kind}, {ends:?}");
            }
        }
    }
    let empty = Text::open(folder.file("empty", b"")).unwrap();
    let search = Search::new(Pattern::literal(b"ab"));
    assert_eq!((search.hits(&empty).unwrap(), search.count(&empty).unwrap()), (vec![], 0));
    assert!(matches!(search.clone().errors(2).count(&empty), Err(Error::Pattern { .. })));
    assert!(matches!(Text::open(folder.path("absent")), Err(Error::Io { .. })));
}
