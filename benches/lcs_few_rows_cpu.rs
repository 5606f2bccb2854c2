//! The LLCS of a short string and a very long string on the CPU, by numbers of threads:
//! `cargo bench --bench lcs_few_rows_cpu`.
//!
//! `-- --short M --long N` sets the lengths (1,000 and 300 million), `--threads 1,2,4` the numbers
//! of threads (1, 2, 4, 8 and 16, up to the number of cores), and `--rounds R` the rounds (5). Each
//! round runs every number of threads once. The long string lacks one of the short string's four
//! symbols. Otherwise the short string would be a subsequence of its first few thousand symbols,
//! and the rest would need no computation. The last rows are of strings with all four symbols.
mod common;

use carrywave::internal::lcs::cpu::bit_parallel;
use carrywave::internal::pairwise::Direction;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` runs benches with `--test`: compile only.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let number = |name, default| common::number_after(&arguments, name, default);
    let m = number("--short", 1000);
    let n = number("--long", 300_000_000);
    let rounds = number("--rounds", 5).max(1);
    let threads = common::threads_after(&arguments);
    let short = common::random(m, 4, 1);
    println!("{}; {m} × {n}, {rounds} rounds", common::cpu_model());
    println!(
        "{:<22} {:>7} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "long string", "threads", "length", "seconds", "GCUPS", "least", "most"
    );
    for (name, symbols) in [("without one symbol", 3), ("with all symbols", 4)] {
        let long = common::random(n, symbols, 2);
        let job = || bit_parallel::last_column(&long, &short, Direction::Forward, &|_| ()).last() as u64;
        let (length, seconds) = common::by_threads(&threads, rounds, &job);
        let gcups = |seconds: f64| m as f64 * n as f64 / seconds / 1e9;
        for (threads, seconds) in threads.iter().zip(&seconds) {
            let (median, least, greatest) = common::spread(seconds);
            println!(
                "{name:<22} {threads:>7} {:>9} {median:>9.3} {:>9.1} {:>9.1} {:>7.1}",
                length,
                gcups(median),
                gcups(greatest),
                gcups(least)
            );
        }
    }
}
