//! Errors of the floating-point functions and of the examples that use them: `cargo run --release
//! -p simt_examples --example floats`.
//!
//! With `--gpu`, everything runs on a GPU, and the program also prints the rates of the products of
//! two matrices of 4,096 × 4,096 numbers, by events. `peers/matmul.cu` prints the rate of the same
//! kernel in CUDA C++.

use simt_examples::cases::{Runner, cases, numbers};
use simt_examples::{gemm, matmul, ulps};
use simt_launch::{Device, Gpu, Result, Simt};
use simt_std::Kernel;

/// Rows and columns of the timed matrices.
const SIZE: u32 = 4096;

/// Timed launches; the least time counts.
const LAUNCHES: u32 = 20;

fn main() -> Result<()> {
    if std::env::args().any(|argument| argument == "--gpu") {
        let gpu = Gpu::with_module(0, simt_examples::MODULE)?;
        errors(&gpu)?;
        println!("\nC = A B of {SIZE} × {SIZE} numbers, least time of {LAUNCHES} launches:\n");
        return rates(&gpu);
    }
    errors(&Simt::default())
}

/// Prints the errors of every function and of the examples.
fn errors<D: Device>(device: &D) -> Result<()> {
    let runner = Runner::new(device)?;
    println!("Largest errors in ulp.\n\n{:<22} {:>8} {:>8}", "function", "f32", "f64");
    for errors in ulps::exact(&runner)? {
        println!("{:<22} {:>8.3} {:>8.3}", errors.name, errors.f32, errors.f64);
    }
    for error in ulps::fast(&runner)? {
        println!("{:<22} {:>8.3}", format!("fast::{}", error.name), error.f32);
    }
    println!("\n{:<22} {:>8} {:>8} {:>8}", "example", "size", "ulp", "allowed");
    for case in cases::<D>() {
        let size = case.sizes[case.sizes.len() - 1];
        let outcome = (case.run)(&Runner::new(device)?, size)?;
        if outcome.allowed_ulps > 0.0 {
            println!("{:<22} {size:>8} {:>8.3} {:>8.3}", case.name, outcome.ulps(), outcome.allowed_ulps);
        }
    }
    Ok(())
}

/// Prints the rates of two kernels.
fn rates<D: Device>(device: &D) -> Result<()> {
    let runner = Runner::new(device)?;
    let len = (SIZE * SIZE) as usize;
    let matrix = |seed| numbers(SIZE * SIZE, seed).into_iter().map(|number| number as f32).collect::<Vec<_>>();
    let (on_a, on_b) = (runner.upload("a", &matrix(1))?, runner.upload("b", &matrix(2))?);
    let on_c = runner.alloc::<f32>("c", len)?;
    let (a, b, c) = (runner.handle(&on_a), runner.handle(&on_b), runner.handle(&on_c));
    let tiles = SIZE / matmul::TILE;
    rate(device, [tiles, tiles, 1], matmul::MatmulTiled { a, b, c, m: SIZE, k: SIZE, n: SIZE })?;
    let tiles = SIZE / gemm::TILE;
    rate(device, [tiles, tiles, 1], gemm::MatmulRegisters { a, b, c, k: SIZE, n: SIZE })?;
    Ok(())
}

/// Prints the rate of a kernel.
fn rate<D: Device, K: Kernel>(device: &D, blocks: [u32; 3], kernel: K) -> Result<()> {
    let stream = device.stream()?;
    let mut least = f64::INFINITY;
    // One launch more, which is not timed, loads the kernel.
    for launch in 0..=LAUNCHES {
        let start = device.record(&stream)?;
        // SAFETY: the arrays have SIZE × SIZE elements, and live until the caller returns.
        unsafe { device.launch(&stream, blocks, kernel)? };
        let end = device.record(&stream)?;
        let seconds = device.elapsed(&start, &end)?.as_secs_f64();
        if launch > 0 {
            least = least.min(seconds);
        }
    }
    let operations = 2.0 * f64::from(SIZE).powi(3);
    println!("{:<22} {:>8.3} ms {:>8.2} TFLOP/s", K::NAME, least * 1e3, operations / least / 1e12);
    Ok(())
}
