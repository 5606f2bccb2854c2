//! Kernels as the host sees them: the parameters, the name, and the shape of a launch.

/// Makes a GPU kernel of a function: the struct of its parameters, the implementation of
/// [`Kernel`], and the PTX entry.
///
/// ```
/// use simt_std::prelude::*;
/// use simt_std::simulator::Simulator;
///
/// /// y = a x + y. Launch: at least n threads; `x` and `y` have n elements.
/// #[kernel(threads = 256)]
/// fn add_scaled(a: u32, x: Global<u32>, y: Global<u32>, n: u32) {
///     let i = thread::index_1d();
///     if i < n {
///         y.write(i as usize, a * x.read(i as usize) + y.read(i as usize));
///     }
/// }
///
/// let mut gpu = Simulator::default();
/// let (x, y) = (gpu.alloc::<u32>(3, "x"), gpu.alloc::<u32>(3, "y"));
/// gpu.upload(&x, &[1, 2, 3])?;
/// gpu.upload(&y, &[10, 10, 10])?;
/// gpu.launch_kernel(1, AddScaled { a: 5, x: x.handle(), y: y.handle(), n: 3 })?;
/// assert_eq!(gpu.download(&y, 3)?, [15, 20, 25]);
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// The struct has the function's name in camel case (`add_scaled` makes `AddScaled`), its
/// visibility and its documentation, which is the **contract of the launch**: the host must meet
/// it. The struct's fields are the parameters, with their `///` comments. Functions that all
/// threads must call together, such as a barrier, are `unsafe`. The body calls them in an `unsafe`
/// block, with a comment that says why all threads do.
///
/// | argument | |
/// |---|---|
/// | `threads = N` | threads of a block; `[X, Y]` or `[X, Y, Z]` in more dimensions; a constant |
/// | `max_threads = N` | maximum threads of a block; `threads` may then depend on the parameters |
/// | `min_blocks = N` | blocks that a multiprocessor runs at a time, at least |
/// | `shared = BYTES` | bytes of dynamic shared memory of a block; may depend on the parameters |
/// | `cooperative` | all blocks run at the same time, for [`sync_grid`](crate::thread::sync_grid) |
/// | `instances = […]` | a generic kernel's PTX entries, each with its values of the parameters |
///
/// With `self` as its only parameter, the kernel takes a struct of your own, which is `#[repr(C)]`,
/// `Copy` and `Send`. `self` is in scope in the body and in the arguments of the attribute:
///
/// ```
/// use simt_std::prelude::*;
///
/// /// Doubles words, `EACH` a thread.
/// #[derive(Debug, Clone, Copy)]
/// #[repr(C)]
/// pub struct Double<const EACH: u32> {
///     /// A multiple of `EACH`.
///     pub words: Global<u32>,
///     /// Threads of a block: at most 512.
///     pub width: u32,
/// }
///
/// #[kernel(max_threads = 512, threads = self.width, instances = [double_2: (2), double_4: (4)])]
/// fn double<const EACH: u32>(self: Double<EACH>) {
///     for k in 0..EACH {
///         let i = (thread::index_1d() * EACH + k) as usize;
///         self.words.write(i, 2 * self.words.read(i));
///     }
/// }
///
/// assert_eq!((Double::<2>::NAME, Double::<4>::NAME), ("double_2", "double_4"));
/// ```
///
/// # Constant memory
///
/// A kernel's parameters are in constant memory, at most 4,096 bytes of them, and a parameter may
/// be an array: small tables that CUDA C++ has as `__constant__` variables. The host sets it at
/// each launch, like any other parameter.
///
/// An index that is a constant after unrolling costs nothing: the instruction that uses the element
/// has it as an operand. For an index at run time, the compiler first copies the array to each
/// thread's local memory; [`Global::read_only`](crate::global::Global::read_only) or shared memory
/// is faster then. A table that is known at compile time is a `static` of Rust.
///
/// ```
/// use simt_std::prelude::*;
/// use simt_std::simulator::Simulator;
///
/// /// Blurs: each output is the weighted sum of five words. Launch: at least n threads;
/// /// `words` has n + 4 elements, `out` has n.
/// #[kernel(threads = 64)]
/// fn blur(weights: [u32; 5], words: Global<u32>, out: Global<u32>, n: u32) {
///     let i = thread::index_1d();
///     if i < n {
///         out.write(i, (0..5).map(|k| weights[k as usize] * words.read(i + k)).sum());
///     }
/// }
///
/// let mut gpu = Simulator::default();
/// let words = gpu.alloc_from(&[1u32, 1, 1, 1, 1, 2], "words").handle();
/// let out = gpu.alloc::<u32>(2, "out");
/// gpu.launch_kernel(1, Blur { weights: [1, 4, 6, 4, 1], words, out: out.handle(), n: 2 })?;
/// assert_eq!(gpu.download(&out, 2)?, [16, 17]);
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// More than 4,096 bytes do not compile:
///
/// ```compile_fail,E0080
/// # use simt_std::prelude::*;
/// #[kernel(threads = 64)]
/// fn too_large(table: [u32; 1024], out: Global<u32>) {
///     out.write(0, table[0]);
/// }
/// # fn main() {}
/// ```
///
/// # A choice of instance at run time
///
/// A host may learn the values of the const parameters only at run time, from its user or from a
/// measurement. For this, the attribute makes two more items from the list of instances, with the
/// function's visibility. For a kernel `double`, they are:
///
/// - `DOUBLE_INSTANCES`, the values in the order of the list: tuples, or plain values if there is
///   only one const parameter;
/// - the trait `DoubleDispatch`, for code that works on an instance. You write its method `with`,
///   which has the generic parameters of the kernel. Its method `dispatch(values)` calls `with` for
///   the instance of these values, and returns `None` if the list has no such instance.
///
/// ```
/// use simt_std::prelude::*;
/// use simt_std::simulator::{Buffer, Fault, Simulator};
///
/// /// Doubles words, `EACH` a thread. Launch: a block; `words` has 32 `EACH` elements.
/// #[kernel(threads = 32, instances = [double_2: (2), double_4: (4)])]
/// fn double<const EACH: usize>(words: Global<u32>) {
///     for k in 0..EACH {
///         let i = thread::index_1d() as usize * EACH + k;
///         words.write(i, 2 * words.read(i));
///     }
/// }
///
/// /// Launches `double`, with as many words a thread as there is an instance for.
/// struct Launch<'a> {
///     gpu: &'a mut Simulator,
///     words: &'a Buffer<u32>,
/// }
///
/// impl DoubleDispatch for Launch<'_> {
///     type Output = Result<(), Fault>;
///
///     fn with<const EACH: usize>(self) -> Self::Output
///     where
///         Double<EACH>: Kernel,
///     {
///         self.gpu.launch_kernel(1, Double::<EACH> { words: self.words.handle() })
///     }
/// }
///
/// let mut gpu = Simulator::default();
/// let words = gpu.alloc_from(&[5; 128], "words");
/// assert_eq!(DOUBLE_INSTANCES, [2, 4]);
/// assert!(Launch { gpu: &mut gpu, words: &words }.dispatch(3).is_none());
/// Launch { gpu: &mut gpu, words: &words }.dispatch(4).expect("an instance of 4")?;
/// assert_eq!(gpu.download(&words, 128)?, [10; 128]);
/// # Ok::<(), Fault>(())
/// ```
///
/// Only the const parameters select the instance; its types are passed to `with`. The two items do
/// not exist for a kernel without const parameters, for one with two instances of the same values,
/// or in device code.
///
/// # In the PTX
///
/// The PTX has the number of threads of a block as `.maxntid`, so that the driver's compiler gives
/// no kernel more registers than its blocks can have. With `min_blocks` (`.minnctapersm`, the
/// second argument of CUDA C++'s `__launch_bounds__`), it gives a thread so few that this number of
/// blocks fits on a multiprocessor, and may move values to memory for it.
///
/// The kernel's source file is registered ([`Source`]), so that the simulator can show its lines.
pub use simt_macros::kernel;

/// A kernel, whose parameters are `self`. [`#[kernel]`](macro@crate::kernel) implements this trait.
///
/// # Safety
/// The type is `#[repr(C)]`, `NAME` is the PTX entry that takes it, and no launch has more threads
/// in a block than [`BLOCK_THREADS`](Kernel::BLOCK_THREADS). [`run`](Kernel::run) is sound for
/// every launch that meets the contract in the type's documentation, which the host ensures before
/// it launches.
pub unsafe trait Kernel: Copy + Send + 'static {
    /// Name of the PTX entry.
    const NAME: &'static str;

    /// Number of threads of a block, or the maximum if a launch chooses the number. The driver's
    /// compiler knows it (PTX `.maxntid`), and gives a thread no more registers than a block of
    /// that size allows.
    const BLOCK_THREADS: u32;

    /// True if its launches are cooperative: all blocks of the grid run at the same time, or the
    /// launch is an error.
    const COOPERATIVE: bool = false;

    /// Source file of the kernel, for the simulator's reports.
    const SOURCE: Option<Source> = None;

    /// Returns the threads of a block of this launch, in x, y and z.
    fn block_dim(&self) -> [u32; 3] {
        [Self::BLOCK_THREADS, 1, 1]
    }

    /// Returns the bytes of dynamic shared memory that a block needs.
    fn dynamic_shared_bytes(&self) -> u32 {
        0
    }

    /// Runs the body of the kernel, in every thread of the grid.
    ///
    /// # Safety
    /// A GPU or the simulator calls it, in a launch that meets the type's contract.
    unsafe fn run(self);
}

/// A source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Path as the compiler names it, equal to that of a [`Location`](core::panic::Location).
    pub file: &'static str,
    /// Text of the file.
    pub text: &'static str,
}

/// The shape of a launch, in blocks and in threads per block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Number of blocks in x, y, z.
    pub blocks: [u32; 3],
    /// Number of threads of a block in x, y, z; at most 1,024 in total.
    pub threads: [u32; 3],
    /// Number of bytes of dynamic shared memory of a block.
    pub dynamic_shared: u32,
    /// True if all blocks run at the same time ([`Kernel::COOPERATIVE`]).
    pub cooperative: bool,
}

impl Grid {
    /// Returns a one-dimensional grid without dynamic shared memory, not cooperative.
    pub fn linear(blocks: u32, threads: u32) -> Self {
        Self { blocks: [blocks, 1, 1], threads: [threads, 1, 1], dynamic_shared: 0, cooperative: false }
    }

    /// Returns the number of blocks, or the lowest 32 bits of it.
    #[cfg(not(target_arch = "nvptx64"))]
    pub(crate) fn block_count(&self) -> u32 {
        self.blocks.iter().fold(1, |product, &count| product.wrapping_mul(count))
    }

    /// Returns the number of threads of a block, or the lowest 32 bits of it.
    #[cfg(not(target_arch = "nvptx64"))]
    pub(crate) fn thread_count(&self) -> u32 {
        self.threads.iter().fold(1, |product, &count| product.wrapping_mul(count))
    }

    /// Returns the grid of `blocks` blocks of a kernel, with the threads and the shared memory that
    /// the kernel specifies.
    pub fn for_kernel<K: Kernel>(blocks: impl Into<Blocks>, kernel: &K) -> Self {
        let Blocks(blocks) = blocks.into();
        let (threads, dynamic_shared) = (kernel.block_dim(), kernel.dynamic_shared_bytes());
        Self { blocks, threads, dynamic_shared, cooperative: K::COOPERATIVE }
    }
}

/// The blocks of a launch in x, y and z. Converts from one number or from an array of two or three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks(pub [u32; 3]);

impl From<u32> for Blocks {
    fn from(x: u32) -> Self {
        Self([x, 1, 1])
    }
}

impl From<[u32; 2]> for Blocks {
    fn from([x, y]: [u32; 2]) -> Self {
        Self([x, y, 1])
    }
}

impl From<[u32; 3]> for Blocks {
    fn from(blocks: [u32; 3]) -> Self {
        Self(blocks)
    }
}
