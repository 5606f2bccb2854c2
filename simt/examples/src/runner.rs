//! Runs a kernel on a device, and compares its result with plain Rust.

use simt_launch::{Device, Result};
use simt_std::{Blocks, Kernel, Word, global::Global};

/// A device with a stream, which runs a case's launches in order.
pub struct Runner<'d, D: Device> {
    device: &'d D,
    stream: D::Stream,
}

impl<'d, D: Device> Runner<'d, D> {
    /// Makes a runner for a device.
    ///
    /// # Errors
    /// If the device fails; this also holds for the methods below.
    pub fn new(device: &'d D) -> Result<Self> {
        Ok(Self { device, stream: device.stream()? })
    }

    /// Makes an array with a copy of `data`; errors show `name`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn upload<T: Word>(&self, name: &str, data: &[T]) -> Result<D::Buffer<T>> {
        self.device.alloc_from(&self.stream, data, name)
    }

    /// Makes an array of `len` elements, uninitialised.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn alloc<T: Word>(&self, name: &str, len: usize) -> Result<D::Buffer<T>> {
        self.device.alloc(len, name)
    }

    /// Returns an array as a kernel's parameter.
    pub fn handle<T: Word>(&self, buffer: &D::Buffer<T>) -> Global<T> {
        self.device.handle(buffer)
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// The launch meets the contract in the documentation of `K`, and the arrays live until a
    /// [`download`](Self::download).
    ///
    /// # Errors
    /// If the launch fails.
    pub unsafe fn launch<K: Kernel>(&self, blocks: impl Into<Blocks>, kernel: K) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.device.launch(&self.stream, blocks, kernel) }
    }

    /// Returns the number of blocks of a kernel that run at the same time.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn most_blocks<K: Kernel>(&self, kernel: &K) -> Result<u32> {
        Ok(self.device.resident_blocks(kernel)? * self.device.limits().multiprocessors)
    }

    /// Waits for all launches, and returns the first `len` elements of an array.
    ///
    /// # Errors
    /// If the copy or a launch fails.
    pub fn download<T: Word>(&self, buffer: &D::Buffer<T>, len: usize) -> Result<Vec<T>> {
        self.device.download(&self.stream, buffer, len)
    }
}

/// The computed and the expected result of a kernel. Integers and small sums of them are exact;
/// other results may differ by some ulp.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Computed by the kernel.
    pub got: Vec<f64>,
    /// Computed by plain Rust: in `f64`, if it is not exact.
    pub expected: Vec<f64>,
    /// Largest difference that the kernel may have, in ulp of `f32` at the largest expected
    /// magnitude. Sums cancel, so a small result can have the absolute error of a large one.
    pub allowed_ulps: f64,
}

impl Outcome {
    /// Returns the outcome of a kernel whose result is exact.
    pub fn new<T: Copy + Into<f64>>(got: &[T], expected: &[T]) -> Self {
        Self::within(0.0, got, expected)
    }

    /// Returns the outcome of a kernel whose result may differ by `allowed_ulps`.
    pub fn within<T: Copy + Into<f64>, E: Copy + Into<f64>>(allowed_ulps: f64, got: &[T], expected: &[E]) -> Self {
        let got = got.iter().map(|&value| value.into()).collect();
        Self { got, expected: expected.iter().map(|&value| value.into()).collect(), allowed_ulps }
    }

    /// Returns the largest difference, in ulp of `f32` at the largest expected magnitude: infinite
    /// if only one of two numbers is a NaN.
    pub fn ulps(&self) -> f64 {
        let unit = self.unit();
        let pairs = self.got.iter().zip(&self.expected);
        pairs.map(|(&got, &expected)| difference(got, expected) / unit).fold(0.0, f64::max)
    }

    /// Describes the first difference, or returns `None` if the kernel is right.
    pub fn difference(&self) -> Option<String> {
        if self.got.len() != self.expected.len() {
            return Some(format!("{} elements instead of {}", self.got.len(), self.expected.len()));
        }
        let allowed = self.allowed_ulps * self.unit();
        let mut pairs = self.got.iter().zip(&self.expected).enumerate();
        let (i, (got, expected)) = pairs.find(|&(_, (&got, &expected))| difference(got, expected) > allowed)?;
        Some(format!("element {i} is {got} instead of {expected}"))
    }

    /// Returns an ulp of `f32` at the largest expected magnitude.
    fn unit(&self) -> f64 {
        let largest = self.expected.iter().copied().filter(|x| x.is_finite()).fold(0.0, |a: f64, b| a.max(b.abs()));
        ulp(largest as f32)
    }
}

/// Returns the distance of two numbers: 0 of equal infinities and of two NaN.
fn difference(got: f64, expected: f64) -> f64 {
    if got == expected || got.is_nan() && expected.is_nan() {
        return 0.0;
    }
    let difference = (got - expected).abs();
    if difference.is_nan() { f64::INFINITY } else { difference }
}

/// Returns the distance of the neighbours of `x` in `f32`, the unit in the last place: of numbers
/// below 2^-126 it is 2^-149.
pub fn ulp(x: f32) -> f64 {
    let exponent = (x.to_bits() >> 23 & 0xff).clamp(1, 254) as i32 - 127;
    2.0_f64.powi(exponent - 23)
}

/// A kernel with the code that runs it.
pub struct Case<D: Device> {
    /// Name of its PTX entry.
    pub name: &'static str,
    /// Runs the kernel on an input of about this size: elements of an array, or rows of a matrix.
    pub run: fn(&Runner<'_, D>, u32) -> Result<Outcome>,
    /// Sizes to test: around those of blocks.
    pub sizes: &'static [u32],
}

/// Returns small integers without a pattern that could hide a wrong index.
pub fn numbers(n: u32, seed: u32) -> Vec<u32> {
    let mixed = |i: u32| (i ^ seed).wrapping_mul(0x9e37_79b1).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    (0..n).map(|i| mixed(i) >> 28).collect()
}
