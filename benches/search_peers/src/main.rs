//! Times other crates on the searches of `benches/search_cpu`, one thread, best of three.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo run --release --manifest-path
//! benches/search_peers/Cargo.toml DATA`, where DATA is the folder of the data sets.

use bio::pattern_matching::myers::Myers;
use sassy::Searcher;
use sassy::profiles::{Ascii, Dna};
use std::io::Read;
use std::time::Instant;

fn read(path: &str) -> Vec<u8> {
    let mut text = Vec::new();
    let file = std::fs::File::open(path).expect("the data set");
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut text).expect("gzip");
    text
}

fn time(name: &str, size: usize, mut search: impl FnMut() -> usize) {
    let mut best = f64::INFINITY;
    let mut count = 0;
    for _ in 0..3 {
        let started = Instant::now();
        count = search();
        best = best.min(started.elapsed().as_secs_f64());
    }
    println!("{name:24} {:6.2} GB/s  {count}", size as f64 / 1e9 / best);
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of the data sets");
    let genome = read(&format!("{folder}/MG1655-K12.fasta.gz"));
    let genome: Vec<u8> =
        genome.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b">")).flatten().copied().collect();
    let bible = read(&format!("{folder}/kjv.txt.gz"));
    let repeated = |text: &[u8]| -> Vec<u8> { text.iter().copied().cycle().take(100_000_000).collect() };
    let dna = repeated(&genome);
    let english = repeated(&bible);
    let inputs = [
        ("dna_20", &dna, genome[1_000_000..1_000_020].to_vec()),
        ("dna_100", &dna, genome[1_000_000..1_000_100].to_vec()),
        ("english_16", &english, b"multitude of men".to_vec()),
    ];
    for (name, text, pattern) in &inputs {
        for k in [1, 2, 3, 8] {
            if pattern.len() <= 64 {
                let mut myers = Myers::<u64>::new(pattern.iter());
                time(&format!("{name}/bio/k{k}"), text.len(), || myers.find_all_end(text.iter(), k as u8).count());
            } else {
                let mut myers = bio::pattern_matching::myers::long::Myers::<u64>::new(pattern.iter());
                time(&format!("{name}/bio/k{k}"), text.len(), || myers.find_all_end(text.iter(), k).count());
            }
            if name.starts_with("dna") {
                let mut searcher = Searcher::<Dna>::new_fwd();
                time(&format!("{name}/sassy/k{k}"), text.len(), || searcher.search(pattern, text.as_slice(), k).len());
            } else {
                let mut searcher = Searcher::<Ascii>::new_fwd();
                time(&format!("{name}/sassy/k{k}"), text.len(), || searcher.search(pattern, text.as_slice(), k).len());
            }
        }
    }
}
