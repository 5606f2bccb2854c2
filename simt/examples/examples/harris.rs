//! What the seven steps of Harris's reduction cost, by the simulator: `cargo run -p simt_examples --example harris`.

use simt_examples::cases::{launch_reduction, numbers, reduction_blocks};
use simt_examples::reduction::THREADS;
use simt_std::simulator::{Access, Fault, Options, Simulator, Space};

/// Words that are added up.
const WORDS: u32 = 4096;

fn main() -> Result<(), Fault> {
    println!("The sum of {WORDS} words by blocks of {THREADS} threads: one launch of each step.\n");
    println!("step  blocks  shared accesses  wavefronts  conflicts  lanes an access  global sectors");
    for step in 1..=7 {
        let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
        let words = gpu.alloc::<u32>(WORDS as usize, "words");
        gpu.upload(&words, &numbers(WORDS, 1))?;
        let blocks = reduction_blocks(step, WORDS);
        let sums = gpu.alloc::<u32>(blocks as usize, "sums");
        // SAFETY: the arrays are as long as the step wants them.
        unsafe { launch_reduction(&mut gpu, step, (words.handle(), sums.handle(), WORDS))? };
        let shared = gpu.costs().total(Space::Shared);
        println!(
            "{step:>4}  {blocks:>6}  {:>15}  {:>10}  {:>9}  {:>15.1}  {:>14}",
            shared.accesses,
            shared.wavefronts,
            shared.conflicts,
            shared.lanes as f64 / shared.accesses as f64,
            gpu.costs().total_of(Space::Global, Access::Read).sectors,
        );
    }
    Ok(())
}
