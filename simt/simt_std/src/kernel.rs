//! A kernel as those who launch it see it: its parameters, its name, and the shape of a launch.

/// Makes a GPU kernel of a function: the struct of its parameters, the implementation of [`Kernel`], and the
/// entry in the PTX.
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
/// The struct has the function's name in camel case (`add_scaled` makes `AddScaled`), its visibility and its documentation, which
/// is the **contract of the launch**: the host has to meet it. The parameters are its fields, and comments `///` on them are
/// theirs. What the body calls that all threads have to call together, such as a barrier, is `unsafe`, and stands in an `unsafe`
/// block that says why they do.
///
/// | argument | |
/// |---|---|
/// | `threads = N` | threads of a block; `[X, Y]` or `[X, Y, Z]` in more dimensions. A constant |
/// | `max_threads = N` | the most threads of a block: then `threads` may depend on the parameters |
/// | `shared = BYTES` | bytes of dynamic shared memory of a block; may depend on the parameters |
/// | `instances = […]` | for a generic kernel: the entries of the PTX, and the values of the generic parameters of each |
///
/// With `self` as its only parameter the kernel takes a struct of your own, which is `#[repr(C)]`, `Copy` and `Send`, and `self`
/// is in scope in the body and in the arguments:
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
/// # A choice of instance at run time
///
/// A host may learn the values of the const parameters only when it runs, from its user or from what it measures. For that the
/// attribute makes two more items of the list of instances, with the function's visibility. Of a kernel `double` they are:
///
/// - `DOUBLE_INSTANCES`, the values in the order of the list: tuples, or the values alone where there is one const parameter;
/// - the trait `DoubleDispatch`, for what is done with an instance. You write its method `with`, which is generic in all that the
///   kernel is generic in. Its method `dispatch(values)` calls `with` for the instance of these values, and returns `None` if the
///   list has none.
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
/// Only the const parameters choose; an instance's types are handed to `with`. The two items are not made for a kernel without
/// const parameters or with two instances of the same values, nor in device code.
///
/// # In the PTX
///
/// The threads of a block go into the PTX as `.maxntid`, so that the driver's compiler gives no kernel more registers than its
/// blocks can have. The file of the kernel is registered ([`Source`]), and the simulator shows its lines.
pub use simt_macros::kernel;

/// A kernel: its parameters are `self`. [`#[kernel]`](macro@crate::kernel) writes it.
///
/// # Safety
/// The type is `#[repr(C)]`, `NAME` is the PTX entry that takes it, no launch has more threads in a block than
/// [`BLOCK_THREADS`](Kernel::BLOCK_THREADS), and [`run`](Kernel::run) is sound for every launch that meets the contract
/// in the type's documentation: the host makes sure of that before it launches.
pub unsafe trait Kernel: Copy + Send + 'static {
    /// The name of the PTX entry.
    const NAME: &'static str;

    /// Threads of a block in all, or the most that a launch chooses. The driver's compiler knows it (PTX `.maxntid`), and
    /// gives a thread no more registers than so many threads can have.
    const BLOCK_THREADS: u32;

    /// The file that the kernel is in, for the simulator's reports.
    const SOURCE: Option<Source> = None;

    /// Threads of a block of this launch, in x, y and z.
    fn block_dim(&self) -> [u32; 3] {
        [Self::BLOCK_THREADS, 1, 1]
    }

    /// Bytes of dynamic shared memory a block needs.
    fn dynamic_shared_bytes(&self) -> u32 {
        0
    }

    /// The body, run by every thread of the grid.
    ///
    /// # Safety
    /// Called by a GPU or by the simulator, in a launch that meets the type's contract.
    unsafe fn run(self);
}

/// A source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Its path as the compiler names it: what a [`Location`](core::panic::Location) has.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The shape of a launch, in blocks and in threads of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Blocks in x, y, z.
    pub blocks: [u32; 3],
    /// Threads of a block in x, y, z; at most 1,024 in all.
    pub threads: [u32; 3],
    /// Bytes of dynamic shared memory a block.
    pub dynamic_shared: u32,
}

impl Grid {
    /// A one-dimensional grid with no dynamic shared memory.
    pub fn linear(blocks: u32, threads: u32) -> Self {
        Self { blocks: [blocks, 1, 1], threads: [threads, 1, 1], dynamic_shared: 0 }
    }

    /// The grid of `blocks` blocks of a kernel, with the threads and the shared memory that the kernel asks for.
    pub fn of<K: Kernel>(blocks: impl Into<Blocks>, kernel: &K) -> Self {
        let Blocks(blocks) = blocks.into();
        Self { blocks, threads: kernel.block_dim(), dynamic_shared: kernel.dynamic_shared_bytes() }
    }
}

/// The blocks of a launch in x, y and z: from a number, or from two or three.
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
