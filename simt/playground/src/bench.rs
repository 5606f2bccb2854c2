//! A simulated GPU for one run of a lesson.

use simt_std::simulator::{Buffer, Fault, Options, Simulator};
use simt_std::{Blocks, Grid, Kernel, Word};
use std::fmt::Display;

/// Number of resident blocks: few, so that a phone has the memory for their threads.
const RESIDENT: usize = 4;

/// Limit on steps without progress: a spin shows at once.
const SPIN_LIMIT: u64 = 1 << 18;

/// The simulated GPU.
pub struct Bench {
    pub gpu: Simulator,
    /// Shape of the last launch.
    pub grid: Option<Grid>,
}

/// A comparison of the kernel's result with the expected one.
pub struct Check {
    pub right: bool,
    pub text: String,
}

impl Bench {
    pub fn new(seed: Option<u64>) -> Self {
        let options = Options {
            accounting: true,
            timeline: true,
            addresses: true,
            seed,
            resident_blocks: RESIDENT,
            spin_limit: SPIN_LIMIT,
            echo: false,
            ..Options::default()
        };
        Self { gpu: Simulator::new(options), grid: None }
    }

    /// Launches a kernel.
    #[track_caller]
    pub fn launch<K: Kernel>(&mut self, blocks: impl Into<Blocks>, kernel: K) -> Result<(), Fault> {
        let blocks = blocks.into();
        self.grid = Some(Grid::for_kernel(blocks, &kernel));
        self.gpu.launch_kernel(blocks, kernel)
    }

    /// Compares the start of an array with what it should be.
    pub fn check<T: Word + PartialEq + Display>(&mut self, array: &Buffer<T>, expected: &[T]) -> Result<Check, Fault> {
        let got = self.gpu.download(array, expected.len())?;
        Ok(compare(&got, expected))
    }
}

/// Compares a result with the expected one.
pub fn compare<T: PartialEq + Display>(got: &[T], expected: &[T]) -> Check {
    let mut pairs = got.iter().zip(expected).enumerate();
    match pairs.find(|(_, (got, expected))| got != expected) {
        Some((i, (got, expected))) => {
            Check { right: false, text: format!("element {i} is {got} instead of {expected}") }
        }
        None if got.len() == 1 => Check { right: true, text: format!("the result, {}, is right", got[0]) },
        None => Check { right: true, text: format!("all {} elements are right", got.len()) },
    }
}

/// Returns small integers without a pattern that could hide a wrong index, each less than `below`.
pub fn numbers(n: u32, seed: u32, below: u32) -> Vec<u32> {
    let mixed = |i: u32| (i ^ seed).wrapping_mul(0x9e37_79b1).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    (0..n).map(|i| (mixed(i) >> 16) % below).collect()
}
