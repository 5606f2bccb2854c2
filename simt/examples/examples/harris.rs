//! Costs of the seven steps of Harris's reduction on the simulator: `cargo run -p simt_examples
//! --example harris`.
//!
//! With `--gpu`, the same launches run on a GPU, for example to count them there:
//!
//! ```text
//! ncu --csv --print-units base \
//! --metrics smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,\
//! smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum harris --gpu
//! ```
//!
//! On an H200, the counts equal the simulator's in all seven steps
//! (docs/results/2026-11-22-h200-harris.md). The counters of the pipe itself, `l1tex__…` instead of
//! `smsp__sass_l1tex_…`, show up to 8 % more in steps 1, 5 and 6, and vary from run to run.

use simt_examples::cases::{Runner, launch_reduction, numbers, reduction_blocks};
use simt_examples::reduction::THREADS;
use simt_launch::{Device, Gpu, Result, Simt};
use simt_std::simulator::{Access, Space};

/// Number of words in the sum.
const WORDS: u32 = 4096;

fn main() -> Result<()> {
    if std::env::args().any(|argument| argument == "--gpu") {
        let gpu = Gpu::with_module(0, simt_examples::MODULE)?;
        return (1..=7).try_for_each(|step| launch(&gpu, step));
    }
    println!("The sum of {WORDS} words by blocks of {THREADS} threads: one launch of each step.\n");
    println!("step  blocks  shared accesses  wavefronts  conflicts  lanes an access  global sectors");
    for step in 1..=7 {
        let simt = Simt::new(true);
        launch(&simt, step)?;
        let (blocks, costs) = (reduction_blocks(step, WORDS), simt.costs());
        let shared = costs.total(Space::Shared);
        println!(
            "{step:>4}  {blocks:>6}  {:>15}  {:>10}  {:>9}  {:>15.1}  {:>14}",
            shared.accesses,
            shared.wavefronts,
            shared.conflicts,
            shared.lanes as f64 / shared.accesses as f64,
            costs.total_of(Space::Global, Access::Read).sectors,
        );
    }
    Ok(())
}

/// Launches a step once.
fn launch(device: &impl Device, step: u32) -> Result<()> {
    let runner = Runner::new(device)?;
    let words = runner.upload("words", &numbers(WORDS, 1))?;
    let sums = runner.alloc::<u32>("sums", reduction_blocks(step, WORDS) as usize)?;
    // SAFETY: the arrays have the lengths that the step requires, and live until the download.
    unsafe { launch_reduction(&runner, step, (runner.handle(&words), runner.handle(&sums), WORDS))? };
    runner.download(&sums, 1)?;
    Ok(())
}
