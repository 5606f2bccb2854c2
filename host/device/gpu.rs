//! NVIDIA GPUs with this project's kernels.

use crate::error::Result;
pub use simt_launch::gpu::{Description, Gpu, count};
use std::sync::Arc;

/// The kernels, as PTX that the driver compiles for the GPU it finds.
pub const PTX: &str = simt_launch::ptx!();

/// Where [`PTX`] comes from: built with this program, or packaged.
pub const PTX_ORIGIN: &str = env!("SIMT_PTX_ORIGIN");

/// The GPU of this number with the kernels loaded, opened once for the whole process.
///
/// # Errors
/// [`NoGpu`](crate::Error::NoGpu) when there is none of this number; [`Gpu`](crate::Error::Gpu) when the driver fails.
pub fn shared(ordinal: usize) -> Result<Arc<Gpu>> {
    let gpu = Gpu::shared(ordinal)?;
    gpu.load_module(PTX)?;
    Ok(gpu)
}

/// `count` GPUs from one number on, with the kernels loaded. Each can write to the others' memory.
///
/// # Errors
/// As [`shared`], and [`Gpu`](crate::Error::Gpu) when one of them cannot reach another's memory.
pub fn group(first: usize, count: usize) -> Result<Vec<Arc<Gpu>>> {
    let gpus = Gpu::group(first, count)?;
    for gpu in &gpus {
        gpu.load_module(PTX)?;
    }
    Ok(gpus)
}
