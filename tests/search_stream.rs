//! Searches in texts that come in parts, from memory and from files, against Sellers' recurrence.

#[path = "oracle/sellers.rs"]
mod oracle;

use carrywave::Error;
use carrywave::device::Device;
#[cfg(feature = "gpu")]
use carrywave::device::gpu_present;
use carrywave::lcs::Engine;
use carrywave::search::cpu::CpuEnds;
use carrywave::search::ends::Ends as _;
use carrywave::search::gpu::{DeviceAlgorithm, DeviceEnds, DeviceText, ROUND, ScanOptions};
use carrywave::search::{Algorithm, Alphabet, Ends, Pattern, Search, Text};
use oracle::sellers;
use simt_launch::Simt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use DeviceAlgorithm::{Scan, ShiftOr, WuManber};

fn random(len: usize, symbols: u8, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| b'a' + random.u8(..symbols)).collect()
}

/// A file that goes away with its folder.
fn file(symbols: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    std::fs::write(&path, symbols).unwrap();
    (folder, path)
}

/// Calls a function that is generic over devices, with a simulated one, and with a GPU where there is one.
macro_rules! on_a_device {
    ($function:ident($($argument:expr),*)) => {
        $function(&Arc::new(Simt::default()), $($argument),*);
        #[cfg(feature = "gpu")]
        if gpu_present() {
            $function(&carrywave::device::gpu::shared(0).unwrap(), $($argument),*);
        }
    };
}

/// Ends, their number, and what progress is told, from memory and from a file.
fn check<D: Device>(
    device: &Arc<D>,
    symbols: &[u8],
    pattern: &Pattern,
    k: u32,
    chunk: u64,
    algorithms: &[DeviceAlgorithm],
) {
    let expected = sellers(symbols, pattern, k);
    let (_folder, path) = file(symbols);
    let file = Text::open(path).unwrap();
    assert!(symbols.is_empty() || file.in_memory().is_none());
    for text in [&file, &Text::from(symbols)] {
        for &algorithm in algorithms {
            let done = AtomicU64::new(0);
            let progress = |symbols| {
                done.fetch_add(symbols, Ordering::Relaxed);
            };
            let engine = DeviceEnds::new(device.clone(), Some(algorithm), &progress).with_chunk(chunk).unwrap();
            let (m, n) = (pattern.len(), symbols.len());
            let place = format!("{algorithm:?}, m = {m}, k = {k}, n = {n}, chunks of {chunk}");
            let mut ends = Vec::new();
            engine
                .each(text, std::slice::from_ref(pattern), k, &mut |_, some| {
                    ends.extend(some);
                    Ok(())
                })
                .unwrap();
            assert_eq!(ends, expected, "{place}");
            assert_eq!(engine.count(text, std::slice::from_ref(pattern), k).unwrap(), expected.len() as u64, "{place}");
            assert_eq!(done.load(Ordering::Relaxed), 2 * n as u64, "{place}");
        }
    }
}

#[test]
fn any_length_in_chunks() {
    let round = ROUND as usize;
    let lengths = [0, 1, 9, round - 1, round, round + 1, 2 * round, 3 * round, 4 * round + 17, 7 * round - 1];
    for (seed, n) in lengths.into_iter().enumerate() {
        let symbols = random(n, 2 + (seed % 3) as u8, seed as u64);
        for (m, k, algorithms) in [
            (9, 0, &[ShiftOr, WuManber, Scan(ScanOptions::default())][..]),
            (14, 2, &[WuManber, Scan(ScanOptions::default())]),
            (40, 1, &[WuManber]),
        ] {
            // A part of the text, or longer than that.
            let pattern: Vec<u8> = symbols[n / 2..].iter().chain(b"abbabaab".iter().cycle()).copied().take(m).collect();
            let chunk = ROUND * (1 + seed as u64 % 2);
            on_a_device!(check(&symbols, &Pattern::literal(&pattern), k, chunk, algorithms));
        }
    }
}

/// Occurrences k symbols longer than the pattern that end at, before and behind the borders of chunks.
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
        let algorithm = if k == 0 { ShiftOr } else { WuManber };
        on_a_device!(check(&symbols, &pattern, k as u32, ROUND, &[algorithm]));
    }
}

/// A chunk that matches everywhere, between others: more hits than there is room for at first.
#[test]
fn no_hit_is_lost_when_a_chunk_has_many() {
    let chunk = 66 * ROUND;
    let mut symbols = random(4 * chunk as usize + 5, 26, 3);
    symbols[chunk as usize - 50..2 * chunk as usize + 50].fill(b'a');
    let pattern = Pattern::literal(b"aaa");
    assert!(sellers(&symbols, &pattern, 0).len() > 1 << 16);
    on_a_device!(check(&symbols, &pattern, 0, chunk, &[ShiftOr]));
}

#[test]
fn a_text_may_be_larger_than_the_devices_memory() {
    let simt = Arc::new(Simt::with_memory(3 << 20));
    let symbols = random(7 << 19, 4, 8);
    assert!(matches!(DeviceText::new(&*simt, &symbols).err(), Some(Error::DeviceMemory { .. })));
    let pattern = Pattern::literal(&symbols[1 << 20..][..12]);
    let (_folder, path) = file(&symbols);
    let engine = DeviceEnds::new(simt, None, &|_| ());
    let mut ends = Vec::new();
    engine
        .each(&Text::open(path).unwrap(), std::slice::from_ref(&pattern), 1, &mut |_, some| {
            ends.extend(some);
            Ok(())
        })
        .unwrap();
    assert_eq!(ends, sellers(&symbols, &pattern, 1));
    let none = DeviceEnds::new(Arc::new(Simt::with_memory(1000)), None, &|_| ());
    assert!(matches!(none.ends(&symbols, &pattern, 1), Err(Error::DeviceMemory { .. })));
}

#[test]
fn a_file_that_becomes_shorter_is_an_error() {
    fn check_shorter<D: Device>(device: &Arc<D>) {
        let (_folder, path) = file(&random(9 * ROUND as usize, 3, 1));
        let text = Text::open(&path).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(5 * ROUND + 9).unwrap();
        let pattern = [Pattern::literal(b"abcab")];
        let device = DeviceEnds::new(device.clone(), None, &|_| ()).with_chunk(ROUND).unwrap();
        let cpu = CpuEnds { algorithm: Algorithm::Auto, progress: &|_| () };
        for result in [device.count(&text, &pattern, 1), cpu.count(&text, &pattern, 1)] {
            assert!(matches!(&result, Err(Error::Io { path: named, .. }) if *named == path), "{result:?}");
        }
    }
    on_a_device!(check_shorter());
}

/// What is refused by the one who takes the ends is refused.
#[test]
fn a_search_can_be_ended() {
    let symbols = random(9 * ROUND as usize, 2, 1);
    let engine = DeviceEnds::new(Arc::new(Simt::default()), None, &|_| ()).with_chunk(ROUND).unwrap();
    let mut calls = 0;
    let ended = engine.each(&Text::from(&symbols[..]), &[Pattern::literal(b"ab")], 0, &mut |_, _| {
        calls += 1;
        if calls == 2 { Err(Error::Usage("enough".into())) } else { Ok(()) }
    });
    assert!(matches!(ended, Err(Error::Usage(_))) && calls == 2, "{calls}");
}

/// A file gives what its bytes give in memory, whoever searches.
#[test]
fn files_as_one_text() {
    let mut symbols: Vec<u8> = random(5000, 4, 5).iter().map(|s| b"ACGT"[usize::from(s - b'a')]).collect();
    symbols[700] = b'\n';
    let (_folder, path) = file(&symbols);
    for (pattern, k) in [(&symbols[400..420], 0), (&symbols[4100..4125], 3), (&symbols[690..712], 2), (b"AC", 0)] {
        // A line end is a symbol as all others, for a wildcard.
        let pattern: Vec<u8> = pattern.iter().map(|&symbol| if symbol == b'\n' { b'.' } else { symbol }).collect();
        let pattern = Pattern::parse(&pattern, Alphabet::Iupac).unwrap();
        for (ends, both, overlapping) in
            [(Ends::All, false, false), (Ends::Best, true, false), (Ends::Best, true, true)]
        {
            let search = |engine| {
                let search = Search::new(pattern.clone()).errors(k).engine(engine).ends(ends);
                search.both_strands(both).overlapping(overlapping)
            };
            let expected = search(Engine::Cpu).hits(&symbols).unwrap();
            assert!(!expected.is_empty());
            for engine in [Engine::Auto, Engine::Cpu, Engine::Simt] {
                assert_eq!(search(engine).hits_file(&path).unwrap(), expected, "{engine:?}, {ends:?}, k = {k}");
                assert_eq!(search(engine).count_file(&path).unwrap(), expected.len() as u64, "{engine:?}, {ends:?}");
            }
        }
    }
    let (_folder, empty) = file(b"");
    let search = Search::new(Pattern::literal(b"ab"));
    assert_eq!((search.hits_file(&empty).unwrap(), search.count_file(&empty).unwrap()), (vec![], 0));
    assert!(matches!(search.clone().errors(2).count_file(&empty), Err(Error::Usage(_))));
    assert!(matches!(search.count_file(empty.with_extension("absent")), Err(Error::Io { .. })));
}
