//! The launches: 15 kernels, each in a size for the simulator and in a multiple of it for a GPU.

use simt_examples::cases::numbers;
use simt_examples::{blelloch, histogram, matmul, reduction, saxpy, stencil, transpose, vector_add};
use simt_launch::{Device, Gpu, Result, Simt};
use simt_std::{Blocks, Kernel, Word, global::Global};
use std::cell::Cell;

/// A device that may know the registers of a kernel.
pub trait Target: Device {
    /// Returns the number of registers of a thread, or `None` if the device does not know it.
    fn registers<K: Kernel>(&self, kernel: &K) -> Result<Option<u32>>;
}

impl Target for Simt {
    fn registers<K: Kernel>(&self, _: &K) -> Result<Option<u32>> {
        Ok(None)
    }
}

impl Target for Gpu {
    fn registers<K: Kernel>(&self, kernel: &K) -> Result<Option<u32>> {
        Ok(Some(self.block_resources(kernel)?.registers))
    }
}

/// A device with a stream, on which launches are repeated and timed.
pub struct Bench<'d, D: Target> {
    device: &'d D,
    stream: D::Stream,
    /// Number of timed launches after the first one.
    repeats: usize,
    /// Median time of the last kernel's timed launches, in microseconds.
    pub micros: Cell<Option<f64>>,
    /// Registers of a thread of the last kernel.
    pub registers: Cell<Option<u32>>,
}

impl<'d, D: Target> Bench<'d, D> {
    /// Makes a bench that repeats each launch, `repeats` times, and times it.
    pub fn new(device: &'d D, repeats: usize) -> Result<Self> {
        let stream = device.stream()?;
        Ok(Self { device, stream, repeats, micros: Cell::new(None), registers: Cell::new(None) })
    }

    fn upload<T: Word>(&self, name: &str, data: &[T]) -> Result<D::Buffer<T>> {
        self.device.alloc_from(&self.stream, data, name)
    }

    fn alloc<T: Word>(&self, name: &str, len: u32) -> Result<D::Buffer<T>> {
        self.device.alloc(len as usize, name)
    }

    fn handle<T: Word>(&self, buffer: &D::Buffer<T>) -> Global<T> {
        self.device.handle(buffer)
    }

    /// Launches a kernel, repeats it, and waits.
    ///
    /// # Safety
    /// The launch meets the contract in the documentation of `K`.
    unsafe fn launch<K: Kernel>(&self, blocks: impl Into<Blocks> + Copy, kernel: K) -> Result<()> {
        let (device, stream) = (self.device, &self.stream);
        // SAFETY: passed on to the caller; the arrays live until the wait below.
        let launch = || unsafe { device.launch(stream, blocks, kernel) };
        launch()?;
        let mut micros = Vec::new();
        for _ in 0..self.repeats {
            let start = device.record(stream)?;
            launch()?;
            let end = device.record(stream)?;
            micros.push(device.elapsed(&start, &end)?.as_secs_f64() * 1e6);
        }
        device.wait(stream)?;
        micros.sort_by(f64::total_cmp);
        self.micros.set(micros.get(micros.len() / 2).copied());
        self.registers.set(device.registers(&kernel)?);
        Ok(())
    }
}

/// A kernel with its launch.
pub struct Launch<D: Target> {
    /// Name of the kernel's PTX entry.
    pub name: &'static str,
    /// Number of blocks of the large launch for each block of the small one.
    pub factor: u32,
    /// Launches the kernel with this many times the blocks of the small launch.
    pub run: fn(&Bench<'_, D>, u32) -> Result<()>,
}

/// Returns the 15 launches. Each grows by its number of blocks; the work of a block stays.
pub fn launches<D: Target>() -> Vec<Launch<D>> {
    let launch = |name, factor, run| Launch { name, factor, run };
    vec![
        launch("vector_add", 2048, vector_add::<D>),
        launch("saxpy", 2048, saxpy::<D>),
        launch("laplace", 512, |b, scale| stencil(b, scale, false)),
        launch("laplace_tiled", 512, |b, scale| stencil(b, scale, true)),
        launch("transpose_naive", 512, |b, scale| transpose(b, scale, Transpose::Naive)),
        launch("transpose_tiled", 512, |b, scale| transpose(b, scale, Transpose::Tiled)),
        launch("transpose_padded", 512, |b, scale| transpose(b, scale, Transpose::Padded)),
        launch("matmul_naive", 256, |b, scale| matmul(b, scale, false)),
        launch("matmul_tiled", 256, |b, scale| matmul(b, scale, true)),
        launch("reduce_2", 8192, reduce_2::<D>),
        launch("reduce_7", 2048, reduce_7::<D>),
        launch("histogram_global", 512, |b, scale| histogram(b, scale, false)),
        launch("histogram_shared", 512, |b, scale| histogram(b, scale, true)),
        launch("blelloch", 4096, |b, scale| blelloch(b, scale, false)),
        launch("blelloch_padded", 4096, |b, scale| blelloch(b, scale, true)),
    ]
}

fn floats(n: u32) -> Vec<f32> {
    numbers(n, 1).into_iter().map(|number| number as f32).collect()
}

// Every launch below meets its kernel's contract: its arrays are made for it a few lines above.

fn vector_add<D: Target>(bench: &Bench<'_, D>, scale: u32) -> Result<()> {
    let blocks = 64 * scale;
    let n = blocks * vector_add::THREADS;
    let (a, b, c) = (bench.upload("a", &floats(n))?, bench.upload("b", &floats(n))?, bench.alloc("c", n)?);
    let kernel = vector_add::VectorAdd { a: bench.handle(&a), b: bench.handle(&b), c: bench.handle(&c), n };
    // SAFETY: see above.
    unsafe { bench.launch(blocks, kernel) }
}

/// Four elements for each thread.
fn saxpy<D: Target>(bench: &Bench<'_, D>, scale: u32) -> Result<()> {
    let blocks = 16 * scale;
    let n = 4 * blocks * saxpy::THREADS;
    let (x, y) = (bench.upload("x", &floats(n))?, bench.upload("y", &floats(n))?);
    let kernel = saxpy::Saxpy { a: 3.0, x: bench.handle(&x), y: bench.handle(&y), n };
    // SAFETY: see above.
    unsafe { bench.launch(blocks, kernel) }
}

/// Rows of 1,024 cells.
fn stencil<D: Target>(bench: &Bench<'_, D>, scale: u32, tiled: bool) -> Result<()> {
    let (width, height) = (1024, 32 * scale);
    let (cells, result) = (bench.upload("cells", &floats(width * height))?, bench.alloc("result", width * height)?);
    let (input, output) = (bench.handle(&cells), bench.handle(&result));
    let blocks = [width / stencil::TILE_X, height / stencil::TILE_Y, 1];
    // SAFETY: see above.
    unsafe {
        match tiled {
            false => bench.launch(blocks, stencil::Laplace { input, output, width, height }),
            true => bench.launch(blocks, stencil::LaplaceTiled { input, output, width, height }),
        }
    }
}

enum Transpose {
    Naive,
    Tiled,
    Padded,
}

/// Rows of 1,024 elements.
fn transpose<D: Target>(bench: &Bench<'_, D>, scale: u32, way: Transpose) -> Result<()> {
    let (width, height) = (1024, 32 * scale);
    let (from, to) = (bench.upload("matrix", &floats(width * height))?, bench.alloc("transpose", width * height)?);
    let (input, output) = (bench.handle(&from), bench.handle(&to));
    let blocks = [width / transpose::TILE, height / transpose::TILE, 1];
    // SAFETY: see above.
    unsafe {
        match way {
            Transpose::Naive => bench.launch(blocks, transpose::TransposeNaive { input, output, width, height }),
            Transpose::Tiled => bench.launch(blocks, transpose::TransposeTiled { input, output, width, height }),
            Transpose::Padded => bench.launch(blocks, transpose::TransposePadded { input, output, width, height }),
        }
    }
}

/// Rows of 256 elements times a matrix of 256 × 256. The small launch has 32 rows.
fn matmul<D: Target>(bench: &Bench<'_, D>, scale: u32, tiled: bool) -> Result<()> {
    let (m, k, n) = (32 * scale, 256, 256);
    let (left, right) = (bench.upload("a", &floats(m * k))?, bench.upload("b", &floats(k * n))?);
    let product = bench.alloc("c", m * n)?;
    let (a, b, c) = (bench.handle(&left), bench.handle(&right), bench.handle(&product));
    let blocks = [n / matmul::TILE, m / matmul::TILE, 1];
    // SAFETY: see above.
    unsafe {
        match tiled {
            false => bench.launch(blocks, matmul::MatmulNaive { a, b, c, m, k, n }),
            true => bench.launch(blocks, matmul::MatmulTiled { a, b, c, m, k, n }),
        }
    }
}

fn reduce_2<D: Target>(bench: &Bench<'_, D>, scale: u32) -> Result<()> {
    let blocks = 64 * scale;
    let n = blocks * reduction::THREADS;
    let (words, sums) = (bench.upload("words", &numbers(n, 1))?, bench.alloc("sums", blocks)?);
    let kernel = reduction::Reduce2 { input: bench.handle(&words), output: bench.handle(&sums), n };
    // SAFETY: see above.
    unsafe { bench.launch(blocks, kernel) }
}

/// 16 words for each thread.
fn reduce_7<D: Target>(bench: &Bench<'_, D>, scale: u32) -> Result<()> {
    let blocks = 16 * scale;
    let n = 16 * blocks * reduction::THREADS;
    let (words, sums) = (bench.upload("words", &numbers(n, 1))?, bench.alloc("sums", blocks)?);
    let kernel = reduction::Reduce7 { input: bench.handle(&words), output: bench.handle(&sums), n };
    // SAFETY: see above.
    unsafe { bench.launch(blocks, kernel) }
}

/// 16 values for each thread, in 16 bins.
fn histogram<D: Target>(bench: &Bench<'_, D>, scale: u32, shared: bool) -> Result<()> {
    let (blocks, bins) = (16 * scale, 16);
    let n = 16 * blocks * histogram::THREADS;
    let bytes: Vec<u8> = numbers(n, 1).into_iter().map(|number| number as u8).collect();
    let (on_values, on_counts) = (bench.upload("values", &bytes)?, bench.upload("counts", &[0; 16])?);
    let (values, counts) = (bench.handle(&on_values), bench.handle(&on_counts));
    // SAFETY: see above.
    unsafe {
        match shared {
            false => bench.launch(blocks, histogram::HistogramGlobal { values, n, counts }),
            true => bench.launch(blocks, histogram::HistogramShared { values, n, counts, bins }),
        }
    }
}

fn blelloch<D: Target>(bench: &Bench<'_, D>, scale: u32, padded: bool) -> Result<()> {
    let blocks = 64 * scale;
    let n = blocks * blelloch::WORDS;
    let (words, sums) = (bench.upload("words", &numbers(n, 1))?, bench.alloc("sums", n)?);
    let on_totals = bench.alloc("totals", blocks)?;
    let (input, output, totals) = (bench.handle(&words), bench.handle(&sums), bench.handle(&on_totals));
    // SAFETY: see above.
    unsafe {
        match padded {
            false => bench.launch(blocks, blelloch::Blelloch { input, output, totals, n }),
            true => bench.launch(blocks, blelloch::BlellochPadded { input, output, totals, n }),
        }
    }
}
