//! `cargo run`: runs the kernel on the simulator, and on a GPU if there is one.

use own_kernels::{MODULE, block_sums};
use simt_launch::{Gpu, Simt};

fn main() -> simt_launch::Result<()> {
    let numbers: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    println!("simulator: {:?}", block_sums(&Simt::default(), &numbers)?);
    match Gpu::with_module(0, MODULE) {
        Ok(gpu) => println!("GPU:       {:?}", block_sums(&gpu, &numbers)?),
        Err(reason) => println!("not on a GPU: {reason}"),
    }
    Ok(())
}
