//! NVIDIA GPUs as engines.

use super::engine::{Devices, Engine, sealed::Sealed};
use crate::error::Result;
#[cfg(feature = "compressed-ptx")]
use once_cell::race::OnceBox;
use simt_launch::{Description, gpu};
use std::sync::Arc;

/// The kernels, as PTX that the driver compiles for the GPU it finds; none in a build without the feature `gpu`.
///
/// With the feature `compressed-ptx` it is decompressed at the first call, in some tenths of a second.
///
/// ```
/// println!("{} kernels", carrywave::device::ptx().matches(".entry").count());
/// ```
pub fn ptx() -> &'static str {
    #[cfg(feature = "compressed-ptx")]
    {
        static PTX: OnceBox<String> = OnceBox::new();
        PTX.get_or_init(|| {
            let packed: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kernels.ptx.xz"));
            let mut ptx = String::new();
            match std::io::Read::read_to_string(&mut lzma_rust2::XzReader::new(packed, false), &mut ptx) {
                Ok(_) => Box::new(ptx),
                // The driver is given what says why, and refuses it.
                Err(error) => Box::new(format!("// the kernels cannot be decompressed: {error}")),
            }
        })
    }
    #[cfg(all(feature = "gpu", not(feature = "compressed-ptx")))]
    {
        simt_launch::ptx!()
    }
    #[cfg(not(feature = "gpu"))]
    {
        ""
    }
}

/// Where [`ptx`] comes from: built with this program, or packaged.
#[cfg(feature = "gpu")]
pub const PTX_ORIGIN: &str = env!("SIMT_PTX_ORIGIN");
/// Where [`ptx`] comes from.
#[cfg(not(feature = "gpu"))]
pub const PTX_ORIGIN: &str = "none: built without the feature `gpu`";

/// An NVIDIA GPU, open for jobs. The driver's library is looked for when a GPU is opened, so that a program which uses this
/// starts everywhere.
///
/// Opening takes some tenths of a second, and each kernel is compiled when it is first used, for some tens of milliseconds: open a GPU
/// once and keep it. It is closed, and its memory is free, when this and all copies and jobs that were given it are dropped.
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

/// Several NVIDIA GPUs of one host that can reach one another's memory.
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

/// Decompresses the PTX while the driver opens a GPU, which takes as long.
fn decompress_meanwhile() {
    #[cfg(feature = "compressed-ptx")]
    if gpu::count().is_ok() {
        std::thread::spawn(ptx);
    }
}

impl Gpu {
    /// Counts the GPUs of this host. See the [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) where there is no driver or no GPU, and in a build without the feature `gpu`.
    pub fn count() -> Result<usize> {
        Ok(gpu::count()?)
    }

    /// Opens the GPU of this number, from 0. See the [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) when there is none of this number; [`Gpu`](crate::Error::Gpu) when the driver fails.
    pub fn open(ordinal: usize) -> Result<Self> {
        decompress_meanwhile();
        let gpu = simt_launch::Gpu::open(ordinal)?;
        gpu.load_module(ptx())?;
        Ok(Self { gpu: Arc::new(gpu) })
    }

    pub(crate) fn device(&self) -> &Arc<simt_launch::Gpu> {
        &self.gpu
    }

    /// Returns the GPU's name, generation, size and free memory. See the [example](Self).
    ///
    /// # Errors
    /// [`Gpu`](crate::Error::Gpu) when the driver does not tell.
    pub fn describe(&self) -> Result<Description> {
        Ok(self.gpu.describe()?)
    }
}

impl Gpus {
    /// Opens `count` GPUs, from the number `first` on. See the [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) when there are not so many; [`Gpu`](crate::Error::Gpu) when the driver fails, or one of them cannot reach
    /// another's memory.
    pub fn open(first: usize, count: usize) -> Result<Self> {
        decompress_meanwhile();
        let gpus = simt_launch::Gpu::open_group(first, count)?;
        gpus.iter().try_for_each(|gpu| gpu.load_module(ptx()))?;
        Ok(Self { gpus: gpus.into_iter().map(Arc::new).collect() })
    }

    /// Returns true if `count` GPUs, from the number `first` on, can reach one another's memory. Other GPUs share a comparison as a
    /// [`Cluster`](crate::cluster::Cluster). See the [example](Self).
    ///
    /// # Errors
    /// [`NoGpu`](crate::Error::NoGpu) when there are not so many; [`Gpu`](crate::Error::Gpu) when the driver fails.
    pub fn reach_one_another(first: usize, count: usize) -> Result<bool> {
        Ok(simt_launch::Gpu::reach_one_another(first, count)?)
    }

    /// Returns the number of GPUs. See the [example](Self).
    pub fn count(&self) -> usize {
        self.gpus.len()
    }
}

/// The device of a GPU, for code that is generic over devices.
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
