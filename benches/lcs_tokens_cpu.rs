//! The LCS of two unrelated sequences of tokens from one vocabulary, on the CPU, and `diff` of such
//! lines, by numbers of threads: `cargo bench --bench lcs_tokens_cpu`.
//!
//! `-- --length N --kinds K` sets the length (1 million) and the number of different tokens
//! (5,000), `--threads 1,2,4` the numbers of threads (1, 2, 4, 8 and 16, up to the number of
//! cores), and `--rounds R` the rounds (3). Each round runs every number of threads once.
mod common;

use carrywave::device::Cpu;
use carrywave::lcs::Comparison;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test --benches` runs benches with `--test`: compile only.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let number = |name, default| common::number_after(&arguments, name, default);
    let (length, kinds, rounds) =
        (number("--length", 1_000_000), number("--kinds", 5000), number("--rounds", 3).max(1));
    let threads = common::threads_after(&arguments);
    let mut random = fastrand::Rng::with_seed(1);
    let mut tokens = || (0..length).map(|_| random.usize(..kinds)).collect::<Vec<_>>();
    let a = tokens();
    let b = tokens();
    let lines =
        |tokens: &[usize]| tokens.iter().map(|token| format!("the line that has number {token}\n")).collect::<String>();
    let text_a = lines(&a);
    let text_b = lines(&b);
    println!("{}; {length} × {length}, {kinds} kinds, {rounds} rounds", common::cpu_model());
    println!("{:<8} {:>7} {:>9} {:>9} {:>9} {:>9}", "what", "threads", "length", "seconds", "least", "most");
    let cpu = Cpu::new();
    let tokens = || Comparison::new().on(&cpu).alignment_of(&a, &b).expect("tokens are compared").len();
    let diff = || {
        let diff = carrywave::diff::Comparison::new().on(&cpu).compare(text_a.as_bytes(), text_b.as_bytes());
        let changes = diff.expect("lines are compared").changes().iter().map(|change| change.a.len()).sum::<usize>();
        (length - changes) as u64
    };
    for (name, job) in [("tokens", &tokens as &(dyn Fn() -> u64 + Sync)), ("diff", &diff)] {
        let (length, seconds) = common::by_threads(&threads, rounds, job);
        for (threads, seconds) in threads.iter().zip(&seconds) {
            let (median, least, greatest) = common::spread(seconds);
            println!("{name:<8} {threads:>7} {:>9} {median:>9.3} {least:>9.3} {greatest:>9.3}", length);
        }
    }
}
