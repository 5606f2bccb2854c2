//! The length of the longest common subsequence, and what computed it: `cargo run --release --example 01_length`.

use carrywave::device::{Cpu, Engine, Simt};
use carrywave::lcs::{Algorithm, Comparison};

fn main() -> carrywave::Result<()> {
    // One call: a GPU if there is one and the strings are long enough for it, else the CPU.
    let (a, b) = (b"ABCBDAB".as_slice(), b"BDCABA".as_slice());
    println!("{}", carrywave::lcs_length(a, b)?);

    // With a choice, and a report: every algorithm of the CPU and of GPUs. The simulator runs the GPUs' kernels on the CPU.
    let (a, b) = (b"GATTACA".repeat(200), b"TACCAGA".repeat(200));
    let engines: [&dyn Engine; 2] = [&Cpu::new(), &Simt::new()];
    for engine in engines {
        for algorithm in Algorithm::of(engine.kind()) {
            let comparison = Comparison::new().on(engine).algorithm(algorithm);
            let (length, report) = comparison.length_with_report(&a, &b)?;
            println!("{length} {:<4} {algorithm:<21} {} cells in {:.2?}", report.engine, report.cells, report.total);
        }
    }
    Ok(())
}
