//! The part of `simt_std::simulator` that the tests use, on a GPU.

// Chapter 11 computes occupancies.
pub use simt::simulator::{BlockResources, Multiprocessor, occupancy};

use simt::simulator::exercise::Results;
use simt::{Blocks, Kernel, Word, global::Global};
use simt_launch::gpu::{Buffer as OnGpu, Stream};
use simt_launch::{Device, Gpu, Module};
use std::cell::RefCell;
use std::fmt;
use std::sync::OnceLock;

/// The kernels of the book and of the solutions.
const MODULE: Module = simt_launch::module!();

/// Returns the GPU, or the reason why there is none.
pub(crate) fn gpu() -> &'static Result<Gpu, String> {
    static GPU: OnceLock<Result<Gpu, String>> = OnceLock::new();
    GPU.get_or_init(|| Gpu::with_module(0, MODULE).map_err(|error| error.to_string()))
}

/// An error of the GPU.
#[derive(Debug)]
pub struct Fault(String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<simt_launch::Error> for Fault {
    fn from(error: simt_launch::Error) -> Self {
        Self(error.to_string())
    }
}

/// An allocation on the GPU.
pub struct Buffer<T: Word> {
    data: RefCell<OnGpu<T>>,
    handle: Global<T>,
}

impl<T: Word> Buffer<T> {
    /// Returns the allocation as a kernel's parameter.
    pub fn handle(&self) -> Global<T> {
        self.handle
    }
}

/// The GPU, with a stream.
pub struct Simulator {
    gpu: &'static Gpu,
    stream: Stream,
}

impl Simulator {
    /// Opens the GPU.
    ///
    /// # Safety
    /// Every launch meets the contract of its kernel.
    unsafe fn open(gpu: &'static Gpu) -> Result<Self, Fault> {
        Ok(Self { gpu, stream: gpu.stream()? })
    }

    /// Allocates `len` elements, uninitialised.
    ///
    /// # Panics
    /// If the memory is full.
    pub fn alloc<T: Word>(&mut self, len: usize, name: &str) -> Buffer<T> {
        let data = self.gpu.alloc(len, name).expect("the GPU has enough memory");
        let handle = self.gpu.handle(&data);
        Buffer { data: RefCell::new(data), handle }
    }

    /// Allocates memory for `data` and copies it there.
    ///
    /// # Panics
    /// If the memory is full or the copy fails.
    pub fn alloc_from<T: Word>(&mut self, data: &[T], name: &str) -> Buffer<T> {
        let buffer = self.alloc(data.len(), name);
        self.upload(&buffer, data).expect("the copy succeeds");
        buffer
    }

    /// Copies `data` to the start of an allocation.
    pub fn upload<T: Word>(&mut self, buffer: &Buffer<T>, data: &[T]) -> Result<(), Fault> {
        Ok(self.gpu.upload(&self.stream, &mut buffer.data.borrow_mut(), data)?)
    }

    /// Launches a kernel and waits for it.
    pub fn launch_kernel<K: Kernel>(&mut self, blocks: impl Into<Blocks>, kernel: K) -> Result<(), Fault> {
        // SAFETY: the caller of `open` has promised the contract; the wait keeps the buffers alive.
        unsafe { self.gpu.launch(&self.stream, blocks, kernel)? };
        Ok(self.gpu.wait(&self.stream)?)
    }

    /// Copies the first `len` elements of an allocation to the host.
    pub fn download<T: Word>(&mut self, buffer: &Buffer<T>, len: usize) -> Result<Vec<T>, Fault> {
        Ok(self.gpu.download(&self.stream, &buffer.data.borrow(), len)?)
    }
}

/// An exercise. Only its result is checked on a GPU.
pub struct Exercise<R, F> {
    run: F,
    expected: Option<R>,
    tolerance: f64,
    is_faulty: bool,
}

impl<R: Results, F: Fn(&mut Simulator) -> Result<R, Fault>> Exercise<R, F> {
    /// Makes an exercise of a job.
    pub fn new(run: F) -> Self {
        Self { run, expected: None, tolerance: 0.0, is_faulty: false }
    }

    /// Sets the expected results.
    pub fn expect(self, results: R) -> Self {
        Self { expected: Some(results), ..self }
    }

    /// Sets the tolerance of results.
    pub fn within(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Expects a fault: the exercise does not run on a GPU, where a fault has no defined result.
    pub fn fault(self, _: &str) -> Self {
        Self { is_faulty: true, ..self }
    }

    /// Runs the job on the GPU, and compares its result.
    ///
    /// # Panics
    /// If the job fails or its result is wrong.
    #[track_caller]
    pub fn check(self) {
        let gpu = match gpu() {
            Ok(gpu) => gpu,
            Err(reason) => panic!("no GPU: {reason}"),
        };
        if self.is_faulty {
            return;
        }
        // SAFETY: the simulator has run the same launches, and found no fault.
        let mut gpu = unsafe { Simulator::open(gpu) }.unwrap();
        let results = (self.run)(&mut gpu).unwrap();
        let difference = self.expected.as_ref().and_then(|expected| results.difference(expected, self.tolerance));
        assert!(difference.is_none(), "{difference:?}");
    }
}

macro_rules! without_effect {
    ($($condition:ident)*) => { $(impl<R, F> Exercise<R, F> {
        /// Has no effect on a GPU.
        pub fn $condition(self, _: u64) -> Self {
            self
        }
    })* };
}
without_effect!(schedules conflicts wavefronts sectors turns barriers steps);
