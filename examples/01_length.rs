//! The length of the longest common subsequence, and what computed it: `cargo run --release --example 01_length`.

use carrywave::lcs::{Algorithm, Comparison, Engine};

fn main() -> carrywave::Result<()> {
    // One call: a GPU if there is one and the strings are long enough for it, else the CPU.
    let (a, b) = (b"ABCBDAB".as_slice(), b"BDCABA".as_slice());
    println!("{}", carrywave::lcs_length(a, b)?);

    // With a choice, and a report. The simulator runs the GPU's kernels on the CPU.
    let (a, b) = (b"GATTACA".repeat(200), b"TACCAGA".repeat(200));
    for (engine, algorithm) in [
        (Engine::Cpu, Algorithm::Dp),
        (Engine::Cpu, Algorithm::BitParallel),
        (Engine::Simt, Algorithm::BlockStep),
        (Engine::Simt, Algorithm::BlockStepLookAhead),
    ] {
        let comparison = Comparison::new().engine(engine).algorithm(algorithm);
        let (length, report) = comparison.length_with_report(&a, &b)?;
        println!("{length} {engine:<4} {algorithm:<21} {} cells in {:.2?}", report.cells, report.total);
    }
    Ok(())
}
