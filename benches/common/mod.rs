//! Code that benches share: inputs, command lines, results. Each bench uses some of it.
#![allow(dead_code, unused_imports)]

pub mod edlib;
pub mod line;
#[path = "../../tests/common/texts.rs"]
pub mod texts;

pub use carrywave::internal::measure::inputs::{random, with_errors};
pub use carrywave::internal::measure::machine::processor as cpu_model;
pub use carrywave::internal::measure::{median, spread};
use carrywave::io::sequence::{DocumentOptions, read_document};
use serde_json::{Value, json};
use std::path::PathBuf;

pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Returns the folder of the data sets: `CARRYWAVE_DATA`, or `../shared/data` beside the
/// repository.
pub fn data_dir() -> PathBuf {
    std::env::var_os("CARRYWAVE_DATA")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"))
}

/// Returns the first record of a FASTA file of the data sets, or a message if it cannot be read.
pub fn fasta(name: &str) -> Result<Vec<u8>, String> {
    let document =
        read_document(data_dir().join(name), DocumentOptions::default()).map_err(|error| error.to_string())?;
    let first = document.records.first().ok_or(format!("{name}: no record"))?;
    Ok(document.symbols[first.clone()].to_vec())
}

/// Returns E. coli K-12 MG1655 and DH1.
pub fn ecoli() -> Result<(Vec<u8>, Vec<u8>), String> {
    Ok((fasta("MG1655-K12.fasta.gz")?, fasta("DH1.fasta.gz")?))
}

/// Returns a row of results in the format of `cargo xtask results`: what was timed, on m and n
/// symbols, the seconds of each run, and further fields.
pub fn row(part: &str, name: &str, engine: &str, (m, n): (usize, usize), seconds: &[f64], more: Value) -> Value {
    let (median, least, greatest) = spread(seconds);
    json!({
        "part": part, "name": name, "engine": engine, "m": m, "n": n, "seconds": seconds,
        "median_s": median, "least_s": least, "greatest_s": greatest, "more": more,
    })
}

/// Returns about m symbols from the middle of a text with errors in `percent` of 100 symbols; 100
/// gives random symbols of the text.
pub fn part_with_errors(text: &[u8], m: usize, percent: u32) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(m as u64 + u64::from(percent));
    let other = |random: &mut fastrand::Rng| text[random.usize(..text.len())];
    let mut pattern = Vec::new();
    for &symbol in &text[text.len() / 2..][..m] {
        if percent == 100 {
            pattern.push(other(&mut random));
        } else if random.u32(..100) >= percent {
            pattern.push(symbol);
        } else {
            match random.u32(..3) {
                0 => pattern.push(other(&mut random)),
                1 => pattern.extend([symbol, other(&mut random)]),
                _ => {}
            }
        }
    }
    pattern
}

/// Returns the percentile of at least one number: the value with `percent` of 100 numbers below it.
pub fn percentile(numbers: &[f64], percent: usize) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

/// Returns a pool of `threads` threads; 0 means one per core.
pub fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Returns the seconds of a job by numbers of threads, and its result, which is always the same.
/// Each round runs every number of threads once.
pub fn by_threads(threads: &[usize], rounds: usize, job: &(dyn Fn() -> u64 + Sync)) -> (u64, Vec<Vec<f64>>) {
    let mut seconds = vec![Vec::new(); threads.len()];
    let mut results = Vec::new();
    for _ in 0..rounds {
        for (&threads, seconds) in threads.iter().zip(&mut seconds) {
            let pool = pool(threads);
            let start = std::time::Instant::now();
            results.push(pool.install(job));
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    assert!(results.iter().all(|result| *result == results[0]), "results differ: {results:?}");
    (results[0], seconds)
}

/// Returns the number after the argument `name`, or `default` without the argument.
pub fn number_after(arguments: &[String], name: &str, default: usize) -> usize {
    let given = arguments.iter().skip_while(|argument| *argument != name).nth(1);
    given.map_or(default, |text| text.parse().expect("a number"))
}

/// Returns the numbers of threads after `--threads`, as in 1,2,4. The default is 1, 2, 4, 8 and 16,
/// up to the number of cores.
pub fn threads_after(arguments: &[String]) -> Vec<usize> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match arguments.iter().skip_while(|argument| *argument != "--threads").nth(1) {
        Some(list) => list.split(',').map(|text| text.parse().expect("a number of threads")).collect(),
        None => [1, 2, 4, 8, 16].into_iter().filter(|&threads| threads <= cores).collect(),
    }
}
