//! NVIDIA GPUs as engines.

use super::engine::{Devices, Engine, sealed::Sealed};
use crate::error::Result;
#[cfg(feature = "compressed-ptx")]
use once_cell::race::OnceBox;
use simt_launch::{Description, Device, Module, gpu};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

/// Returns the kernels as PTX, which the driver compiles for GPUs without machine code. The text is
/// empty in a build without the feature `gpu`.
///
/// With the feature `compressed-ptx`, the first call decompresses it, which takes a few tenths of a
/// second.
///
/// ```
/// println!("{} kernels", carrywave::device::ptx().matches(".entry").count());
/// ```
// Not inlined, so that the program contains the text once.
#[inline(never)]
pub fn ptx() -> &'static str {
    #[cfg(feature = "compressed-ptx")]
    {
        static PTX: OnceBox<String> = OnceBox::new();
        PTX.get_or_init(|| {
            let packed: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kernels.ptx.xz"));
            let mut ptx = String::new();
            match std::io::Read::read_to_string(&mut lzma_rust2::XzReader::new(packed, false), &mut ptx) {
                Ok(_) => Box::new(ptx),
                // The driver gets this message in place of the PTX, and refuses it.
                Err(error) => Box::new(format!("// the kernels cannot be decompressed: {error}")),
            }
        })
    }
    #[cfg(all(feature = "gpu", not(feature = "compressed-ptx")))]
    {
        include_str!(concat!(env!("OUT_DIR"), "/kernels.ptx"))
    }
    #[cfg(not(feature = "gpu"))]
    {
        ""
    }
}

/// Origin of [`ptx`]: built with this program, or packaged.
#[cfg(feature = "gpu")]
pub const PTX_ORIGIN: &str = env!("SIMT_PTX_ORIGIN");
/// Origin of [`ptx`].
#[cfg(not(feature = "gpu"))]
pub const PTX_ORIGIN: &str = "none: built without the feature `gpu`";

/// The kernels for GPUs.
#[cfg(feature = "gpu")]
const MODULE: Module =
    Module::with_ptx_from(ptx, simt_launch::machine_code!()).with_kernels(simt_launch::kernel_list!());
#[cfg(not(feature = "gpu"))]
const MODULE: Module = Module::with_ptx_from(ptx, &[]);

/// True if GPUs are opened without machine code.
static ONLY_PTX: AtomicBool = AtomicBool::new(false);

/// Makes the GPUs that this process opens from then on run the kernels' PTX, which the driver
/// compiles at their first use, also where there is machine code for them. To compare both, and for
/// a GPU whose machine code fails.
///
/// The environment variable `CARRYWAVE_KERNELS=ptx` does the same for the whole process.
///
/// ```
/// carrywave::device::use_only_ptx(false);
/// ```
pub fn use_only_ptx(only: bool) {
    ONLY_PTX.store(only, Ordering::Relaxed);
}

/// Returns the kernels in the form that this process wants.
// Not inlined, so that the program contains the machine code once.
#[inline(never)]
fn module() -> Module {
    let by_variable = || std::env::var_os("CARRYWAVE_KERNELS").is_some_and(|form| form == "ptx");
    if ONLY_PTX.load(Ordering::Relaxed) || by_variable() { MODULE.without_machine_code() } else { MODULE }
}

/// An NVIDIA GPU, open for jobs. The driver's library is loaded only when a GPU is opened, so a
/// program that uses this type starts on every machine.
///
/// Opening takes a few tenths of a second, so open a GPU once and keep it. The kernels are there as
/// machine code for GPUs of compute capability 8.x, 9.0, 10.x and 12.x. On other GPUs the driver
/// compiles each kernel at its first use: up to a second, and milliseconds in later processes. The
/// GPU is closed and its memory is freed when this value, its copies and the jobs that use it are
/// all dropped.
///
/// ```no_run
/// use carrywave::device::Gpu;
///
/// println!("{} GPUs", Gpu::count()?);
/// let gpu = Gpu::open(0)?;
/// println!("{}", gpu.describe()?.name);
/// println!("{}", carrywave::lcs::Comparison::new().on(&gpu).length(b"carry", b"wave")?);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gpu {
    gpu: Arc<simt_launch::Gpu>,
}

/// Several NVIDIA GPUs of one host that can access one another's memory.
///
/// ```no_run
/// use carrywave::device::Gpus;
///
/// if Gpus::reach_one_another(0, 2)? {
///     let both = Gpus::open(0, 2)?;
///     assert_eq!(both.count(), 2);
///     println!("{}", carrywave::lcs::Comparison::new().on(&both).length(b"carry", b"wave")?);
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gpus {
    gpus: Vec<Arc<simt_launch::Gpu>>,
}

/// GPU 0 of this process, if it was opened, or found to be opened when needed.
struct Opened {
    /// Number of the process that opened it: the GPU cannot be used in a forked child.
    process: u32,
    gpu: Weak<simt_launch::Gpu>,
}

/// The GPU 0 that was opened last. It is locked without waiting, because another thread might hold
/// the lock when the process forks.
static OPENED: Mutex<Option<Opened>> = Mutex::new(None);

/// Remembers an open GPU 0 for jobs that choose their engine.
fn remember(gpu: &Arc<simt_launch::Gpu>) {
    if let Ok(mut opened) = OPENED.try_lock() {
        *opened = Some(Opened { process: std::process::id(), gpu: Arc::downgrade(gpu) });
    }
}

/// An open GPU for a job that chooses its engine.
pub(crate) struct ReadyGpu {
    pub(crate) gpu: Gpu,
    /// Time of opening it.
    pub(crate) open: Duration,
}

impl Gpu {
    /// Counts the GPUs of this host. See the [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) if there is no driver or no GPU, and in a build without the
    /// feature `gpu`.
    pub fn count() -> Result<usize> {
        Ok(gpu::count()?)
    }

    /// Opens the GPU with this number, from 0. See the [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) if there is no GPU with this number;
    /// [`Gpu`](crate::Error::Gpu) if the driver fails.
    pub fn open(ordinal: usize) -> Result<Self> {
        Ok(Self::remembered(ordinal, simt_launch::Gpu::with_module(ordinal, module())?))
    }

    fn remembered(ordinal: usize, gpu: simt_launch::Gpu) -> Self {
        let gpu = Arc::new(gpu);
        if ordinal == 0 {
            remember(&gpu);
        }
        Self { gpu }
    }

    /// Finds the GPU with this number, from 0. It is opened when a job first needs it; the time of
    /// this counts as that job's ([`Report::open`](crate::job::Report::open)). For programs that
    /// run few jobs: a comparison of short or similar strings needs no GPU, and a comparison of
    /// long strings tries whether they are similar while the GPU opens.
    ///
    /// ```no_run
    /// let gpu = carrywave::device::Gpu::when_needed(0)?;
    /// // The CPU compares such short strings.
    /// println!("{}", carrywave::lcs::Comparison::new().on(&gpu).length(b"carry", b"wave")?);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) if there is no GPU with this number;
    /// [`Gpu`](crate::Error::Gpu) if the driver fails.
    pub fn when_needed(ordinal: usize) -> Result<Self> {
        let gpu = simt_launch::Gpu::find(ordinal)?;
        gpu.load_module(module())?;
        Ok(Self::remembered(ordinal, gpu))
    }

    /// Returns true if the driver is installed, which is cheaper to find out than whether there is
    /// a GPU.
    pub(crate) fn has_driver() -> bool {
        gpu::has_driver()
    }

    /// Returns GPU 0 if this process has it open.
    pub(crate) fn opened() -> Option<Self> {
        let opened = OPENED.try_lock().ok()?;
        let opened = opened.as_ref().filter(|opened| opened.process == std::process::id())?;
        let gpu = opened.gpu.upgrade().filter(|gpu| gpu.is_open())?;
        Some(Self { gpu })
    }

    /// Returns GPU 0, which is opened if this process does not have it open.
    pub(crate) fn opened_or_open() -> Result<ReadyGpu> {
        match Self::opened() {
            Some(gpu) => Ok(ReadyGpu { gpu, open: Duration::ZERO }),
            None => {
                let started = Instant::now();
                Ok(ReadyGpu { gpu: Self::open(0)?, open: started.elapsed() })
            }
        }
    }

    pub(crate) fn device(&self) -> &Arc<simt_launch::Gpu> {
        &self.gpu
    }

    /// Returns the GPU's name, generation, size and free memory. See the [example](Self).
    ///
    /// # Errors
    /// [`Gpu`](crate::Error::Gpu) if the driver does not report them.
    pub fn describe(&self) -> Result<Description> {
        Ok(self.gpu.describe()?)
    }

    /// Returns the origin of the kernels that this GPU runs: the type of GPU that its machine code
    /// is for, such as `sm_90`, or `None` if the driver compiles the PTX.
    ///
    /// ```no_run
    /// let gpu = carrywave::device::Gpu::open(0)?;
    /// match gpu.machine_code()? {
    ///     Some(architecture) => println!("machine code for {architecture}"),
    ///     None => println!("PTX"),
    /// }
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Gpu`](crate::Error::Gpu) after a fork.
    pub fn machine_code(&self) -> Result<Option<String>> {
        Ok(self.gpu.machine_code()?.first().map(ToString::to_string))
    }
}

impl Gpus {
    /// Opens `count` GPUs, starting with number `first`. See the [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) if there are fewer GPUs; [`Gpu`](crate::Error::Gpu) if the
    /// driver fails, or if one of them cannot access another's memory.
    pub fn open(first: usize, count: usize) -> Result<Self> {
        let gpus = simt_launch::Gpu::open_group(first, count, &module())?;
        let gpus: Vec<_> = gpus.into_iter().map(Arc::new).collect();
        if let (0, Some(gpu)) = (first, gpus.first()) {
            remember(gpu);
        }
        Ok(Self { gpus })
    }

    /// Returns true if `count` GPUs, starting with number `first`, can access one another's memory.
    /// Other GPUs can share a comparison as a [`Cluster`](crate::cluster::Cluster). See the
    /// [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) if there are fewer GPUs; [`Gpu`](crate::Error::Gpu) if the
    /// driver fails.
    pub fn reach_one_another(first: usize, count: usize) -> Result<bool> {
        Ok(simt_launch::Gpu::reach_one_another(first, count)?)
    }

    /// Returns the number of GPUs. See the [example](Self).
    pub fn count(&self) -> usize {
        self.gpus.len()
    }
}

/// Returns the device of a GPU, for code that is generic over devices.
pub fn open_gpu(gpu: &Gpu) -> &Arc<simt_launch::Gpu> {
    gpu.device()
}

impl Sealed for Gpu {
    fn devices(&self) -> Devices {
        Devices::Gpus(vec![self.gpu.clone()])
    }
}

impl Sealed for Gpus {
    fn devices(&self) -> Devices {
        Devices::Gpus(self.gpus.clone())
    }
}

impl Engine for Gpu {}
impl Engine for Gpus {}
