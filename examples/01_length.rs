//! The length of the longest common subsequence, by every algorithm:
//! `cargo run --release --example 01_length`.

use carrywave::device::{Cpu, Engine, Simt};
use carrywave::job::Recorder;
use carrywave::lcs::{Algorithm, Comparison};

fn main() -> carrywave::Result<()> {
    // The default: a GPU if there is one and the strings are long enough for it, else the CPU.
    let (a, b) = (b"ABCBDAB".as_slice(), b"BDCABA".as_slice());
    println!("{}", carrywave::lcs_length(a, b)?);

    // With options and a report: every algorithm of the CPU and of GPUs. The simulator runs the GPU
    // kernels on the CPU.
    let (a, b) = (b"GATTACA".repeat(200), b"TACCAGA".repeat(200));
    let engines: [&dyn Engine; 2] = [&Cpu::new(), &Simt::new()];
    for engine in engines {
        for algorithm in Algorithm::all_on(engine.kind()) {
            let recorder = Recorder::new();
            let comparison = Comparison::new().on(engine).algorithm(algorithm).recorder(&recorder);
            let length = comparison.length(&a, &b)?;
            if let Some(report) = recorder.take() {
                println!("{length} {algorithm:<21} {report}");
            }
        }
    }
    Ok(())
}
