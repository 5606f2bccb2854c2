//! Search on the CPU: 100 MB of DNA (E. coli, repeated) and of English (the King James Bible, repeated), ours beside
//! memchr's memmem. GB/s are 10⁹ symbols per second. What other crates take is measured by `benches/search_peers`.
mod common;

use std::hint::black_box;
use std::io::Read;
use std::time::Duration;

use carrywave::device::EngineKind;
use carrywave::search::Algorithm;
use carrywave::search::cpu::CpuEnds;
use carrywave::search::ends::Ends as _;
use carrywave::text::{Alphabet, Pattern, Text};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Symbols of a text.
const SIZE: usize = 100_000_000;

/// 100 MB of copies of a text.
fn repeated(text: &[u8]) -> Vec<u8> {
    text.iter().copied().cycle().take(SIZE).collect()
}

fn english() -> Result<Vec<u8>, String> {
    let path = common::data_dir().join("kjv.txt.gz");
    let fault = |fault: std::io::Error| format!("{}: {fault}", path.display());
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(&path).map_err(fault)?)
        .read_to_end(&mut text)
        .map_err(fault)?;
    Ok(text)
}

/// None where the algorithm does not take the pattern.
fn try_ends(text: &[u8], pattern: &Pattern, k: u32, algorithm: Algorithm) -> Option<usize> {
    let mut engine = CpuEnds::new(vec![pattern.clone()], k, algorithm, &|_| ()).ok()?;
    Some(engine.count(&Text::from(text)).expect("a text in memory") as usize)
}

fn ends(text: &[u8], pattern: &Pattern, k: u32, algorithm: Algorithm) -> usize {
    try_ends(text, pattern, k, algorithm).expect("an algorithm for these")
}

fn search(criterion: &mut Criterion) {
    let plain = Algorithm::named("sellers").expect("it is always there");
    let dna = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Dna).expect("DNA");
    let mut inputs = Vec::new();
    match common::ecoli() {
        Ok((text, _)) => {
            let literal = Pattern::literal(&text[1_000_000..1_000_020]);
            inputs.push(("dna_20", repeated(&text), dna(&text[1_000_000..1_000_020]), Some(literal)));
            inputs.push(("dna_100", repeated(&text), dna(&text[1_000_000..1_000_100]), None));
        }
        Err(reason) => eprintln!("DNA skipped: {reason}"),
    }
    match english() {
        Ok(text) => {
            let pattern = Pattern::literal(b"multitude of men");
            inputs.push(("english_16", repeated(&text), pattern.clone(), Some(pattern)));
        }
        Err(reason) => eprintln!("English skipped: {reason}"),
    }
    let pools = [("1_thread", common::pool(1)), ("2_threads", common::pool(2))];
    for (name, text, pattern, literal) in &inputs {
        let mut group = criterion.benchmark_group(*name);
        group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
        group.throughput(Throughput::Bytes(text.len() as u64));
        if let Some(literal) = literal {
            let finder = memchr::memmem::Finder::new(&literal.as_literal().unwrap_or_default()).into_owned();
            let expected = finder.find_iter(text).count();
            group.bench_function("memmem", |bencher| bencher.iter(|| finder.find_iter(black_box(text)).count()));
            for (threads, pool) in &pools {
                group.bench_function(BenchmarkId::new("exact", threads), |bencher| {
                    assert_eq!(pool.install(|| ends(text, literal, 0, Algorithm::AUTO)), expected);
                    bencher.iter(|| pool.install(|| ends(black_box(text), literal, 0, Algorithm::AUTO)));
                });
            }
        }
        for k in [0, 1, 2, 3, 5, 8] {
            let part = &text[..text.len() / 100];
            let found = ends(part, pattern, k, Algorithm::AUTO);
            assert_eq!(found, ends(part, pattern, k, plain), "{name}, k = {k}");
            for (threads, pool) in &pools {
                group.bench_function(BenchmarkId::new(format!("k{k}"), threads), |bencher| {
                    bencher.iter(|| pool.install(|| ends(black_box(text), pattern, k, Algorithm::AUTO)));
                });
            }
        }
        // Each algorithm that allows errors, on a tenth of the text.
        let part = &text[..text.len() / 10];
        group.throughput(Throughput::Bytes(part.len() as u64));
        for algorithm in
            Algorithm::of(EngineKind::Cpu).filter(|&algorithm| try_ends(&[], pattern, 2, algorithm).is_some())
        {
            group.bench_function(format!("{algorithm}/k2"), |bencher| {
                pools[0].1.install(|| bencher.iter(|| ends(black_box(part), pattern, 2, algorithm)));
            });
        }
        group.finish();
    }
}

#[allow(missing_docs)]
mod groups {
    use super::*;
    criterion_group!(benches, search);
}
use groups::benches;
criterion_main!(benches);
