//! Time of a product of two n × n matrices on the simulator: `cargo run --release -p simt_examples
//! --example speed [-- n]`; n is 256 by default.

use simt_examples::matmul::{MatmulTiled, TILE};
use simt_std::simulator::{Fault, Simulator};
use std::time::Instant;

fn main() -> Result<(), Fault> {
    let n: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(256);
    let mut gpu = Simulator::default();
    let numbers: Vec<f32> = (0..n * n).map(|i| (i % 13) as f32 - 6.0).collect();
    let (a, b) = (gpu.alloc_from(&numbers, "a"), gpu.alloc_from(&numbers, "b"));
    let c = gpu.alloc::<f32>(numbers.len(), "c");
    let kernel = MatmulTiled { a: a.handle(), b: b.handle(), c: c.handle(), m: n, k: n, n };
    let start = Instant::now();
    gpu.launch_kernel([n.div_ceil(TILE), n.div_ceil(TILE)], kernel)?;
    let seconds = start.elapsed().as_secs_f64();
    let accesses = 2.0 * f64::from(n).powi(3);
    println!("matmul_tiled, {n} × {n}: {seconds:.2} s, {:.0} ns a read of shared memory", seconds * 1e9 / accesses);
    Ok(())
}
