//! Search on the CPU: 100 MB of DNA (E. coli, repeated) and of English (the King James Bible,
//! repeated), compared with memchr's memmem. GB/s are 10⁹ symbols per second.
//! `benches/search_peers` measures other crates.
//!
//! `cargo bench --bench search_cpu -- --many [OPTIONS]` searches for many patterns instead: 10,000
//! of 20 bases, taken from E. coli MG1655 with one substitution each, k = 1 or more, on both
//! strands of the genome. It searches for all in one pass (`Search::many`), and for a sample of the
//! patterns one at a time; the time of the sample is scaled to all.
//!
//! `cargo bench --bench search_cpu -- --exact [OPTIONS]` searches without errors for patterns of 2
//! to 100,000 symbols, in random texts, in English and in repetitive texts, compared with memmem;
//! see exact.rs.
//!
//! ```text
//! --patterns N    how many patterns (10,000)
//! --errors K      k (1)
//! --sample N      how many of them one at a time (200)
//! --symbols N     symbols of each of the texts of --exact (2^26)
//! --only TEXT     of the texts of --exact only those whose names contain this
//! --m M,M         lengths of its patterns (2,64,65,1000,100000)
//! --algorithm NAME    another algorithm than auto there
//! --threads N     as well as one thread (one a core)
//! --runs N        timings of each row (3; one where it takes more than 20 s); the results are
//!                 medians
//! --json FILE     the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME   the version, for the results
//! ```
//!
//! Searches of 100 MB use Criterion. `--exact` does not, since it runs memmem and the engine in
//! turns, and scales the time of a search that it stops; `--many` does not, since a pass takes up
//! to a minute.
#[path = "../common/mod.rs"]
mod common;
mod english;
mod exact;

use std::collections::HashSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use carrywave::device::{Cpu, EngineKind};
use carrywave::internal::search::cpu::CpuEnds;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::search::{Algorithm, Hit, Search};
use carrywave::text::{Alphabet, Pattern, Text};
use common::Outcome;
use common::line::Line;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use english::english;
use serde_json::{Value, json};

/// Number of symbols of a text.
const SIZE: usize = 100_000_000;

/// Returns 100 MB of copies of a text.
fn repeated(text: &[u8]) -> Vec<u8> {
    text.iter().copied().cycle().take(SIZE).collect()
}

/// Returns the number of ends, or `None` if the algorithm does not take the pattern.
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
            Algorithm::all_on(EngineKind::Cpu).filter(|&algorithm| try_ends(&[], pattern, 2, algorithm).is_some())
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

/// Number of symbols of one of many patterns.
const M: usize = 20;

/// Returns parts of a genome from random positions, each with one base changed.
fn mutated(genome: &[u8], count: usize) -> Outcome<Vec<Pattern>> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut pattern = || {
        let mut bases = genome[random.usize(..genome.len() - M)..][..M].to_vec();
        let place = random.usize(..M);
        let others: Vec<u8> = b"ACGT".iter().copied().filter(|&base| base != bases[place]).collect();
        bases[place] = others[random.usize(..others.len())];
        Ok(Pattern::parse(&bases, Alphabet::Dna)?)
    };
    (0..count).map(|_| pattern()).collect()
}

/// Returns the seconds of some runs of one call, and the hits.
fn timed(runs: usize, call: impl Fn() -> Outcome<Vec<Hit>>) -> Outcome<(Vec<f64>, Vec<Hit>)> {
    let (mut seconds, mut hits): (Vec<f64>, _) = (Vec::new(), Vec::new());
    while seconds.len() < runs && seconds.first().is_none_or(|first| *first < 20.0) {
        let started = Instant::now();
        hits = call()?;
        seconds.push(started.elapsed().as_secs_f64());
    }
    Ok((seconds, hits))
}

/// Times many patterns: in one pass, and one at a time.
fn many() -> Outcome<()> {
    let (mut count, mut sample, mut threads, mut runs, mut k) = (10_000, 200, 0, 3, 1);
    let line = Line::read("--many --patterns --errors --sample --threads --runs", |name, value| {
        match name {
            "--many" => {}
            "--patterns" => count = value.number::<usize>()?.max(1),
            "--errors" => k = value.number::<u32>()?.max(1),
            "--sample" => sample = value.number::<usize>()?.max(1),
            "--threads" => threads = value.number()?,
            "--runs" => runs = value.number::<usize>()?.max(1),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let genome = common::fasta("MG1655-K12.fasta.gz")?;
    let patterns = mutated(&genome, count)?;
    let some = &patterns[..sample.min(count)];
    let threads = if threads == 0 { std::thread::available_parallelism()?.get() } else { threads };
    let name = format!("{count} patterns of {M} bases, a substitution each, k {k}, both strands");
    let mut rows: Vec<Value> = Vec::new();
    for threads in if threads > 1 { vec![1, threads] } else { vec![1] } {
        let cpu = Cpu::with_threads(threads)?;
        let (one_pass, hits) =
            timed(runs, || Ok(Search::many(patterns.clone()).errors(k).both_strands(true).on(&cpu).hits(&genome)?))?;
        let (of_some, hits_of_some) = timed(runs, || {
            let mut hits = Vec::new();
            for (number, pattern) in some.iter().enumerate() {
                let found = Search::new(pattern.clone()).errors(k).both_strands(true).on(&cpu).hits(&genome)?;
                hits.extend(found.into_iter().map(|hit| Hit { pattern: number, ..hit }));
            }
            hits.sort_unstable();
            Ok(hits)
        })?;
        // Each pattern must be found at its origin.
        if hits.iter().map(|hit| hit.pattern).collect::<HashSet<_>>().len() < count {
            return Err("a pattern was not found".into());
        }
        let expected: Vec<Hit> = hits.iter().copied().filter(|hit| hit.pattern < some.len()).collect();
        if hits_of_some != expected {
            return Err("one pass and one pattern at a time give different hits".into());
        }
        let scale = count as f64 / some.len() as f64;
        let one_at_a_time: Vec<f64> = of_some.iter().map(|seconds| seconds * scale).collect();
        let slower = common::median(&one_at_a_time);
        for (engine, seconds, patterns) in
            [("one pass", &one_pass, count), ("one at a time, scaled", &one_at_a_time, some.len())]
        {
            let median = common::median(seconds);
            let of = |pick: fn(f64, f64) -> f64| seconds.iter().copied().reduce(pick);
            println!("{engine:<22} {threads} threads, {patterns} patterns timed: {median:.3} s for {count}");
            rows.push(json!({
                "part": "many patterns", "name": name, "engine": format!("{engine}, {threads} threads"), "m": M,
                "n": genome.len(), "seconds": seconds, "median_s": median, "least_s": of(f64::min),
                "greatest_s": of(f64::max),
                "more": {
                    "patterns_timed": patterns, "hits": hits.len(), "times_as_fast": slower / median,
                },
            }));
        }
    }
    line.write("cargo bench --bench search_cpu --", json!({ "cpu": common::cpu_model(), "rows": rows }))
}

fn main() -> Outcome<()> {
    if std::env::args().any(|argument| argument == "--many") {
        return many();
    }
    if std::env::args().any(|argument| argument == "--exact") {
        return exact::exact();
    }
    groups::benches();
    // As `criterion_main` does.
    Criterion::default().configure_from_args().final_summary();
    Ok(())
}
