//! Stand-in for NVIDIA GPUs if the feature `gpu` is off. The type [`Gpu`] has the same name and
//! functions but no values, so that code for GPUs compiles with and without the feature.

use crate::device::{Description, Device, Limits};
use crate::error::{Error, Result};
use crate::module::{MachineCode, Module};
use simt_std::simulator::BlockResources;
use simt_std::{Blocks, Kernel, Word, global::Global};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::time::Duration;

/// An NVIDIA GPU. This build has none: the feature `gpu` of simt_launch is off.
#[derive(Debug)]
pub enum Gpu {}

/// An allocation on a GPU; never made in this build.
#[derive(Debug)]
pub struct Buffer<T>(PhantomData<T>);

fn none<T>() -> Result<T> {
    Err(Error::NoGpu("this build has no GPUs (feature `gpu`)".into()))
}

/// Returns true if the driver's library is installed.
pub fn has_driver() -> bool {
    false
}

/// Returns the number of GPUs.
///
/// # Errors
/// [`Error::NoGpu`].
pub fn count() -> Result<usize> {
    none()
}

impl Gpu {
    /// Opens a GPU by its number.
    ///
    /// # Errors
    /// [`Error::NoGpu`].
    pub fn open(_: usize) -> Result<Self> {
        none()
    }

    /// Finds a GPU by its number.
    ///
    /// # Errors
    /// [`Error::NoGpu`].
    pub fn find(_: usize) -> Result<Self> {
        none()
    }

    /// Uses a context that another library has opened.
    ///
    /// # Safety
    /// None, because there is no GPU.
    ///
    /// # Errors
    /// [`Error::NoGpu`].
    pub unsafe fn from_context(_: *mut c_void) -> Result<Self> {
        none()
    }

    /// Returns the GPU's context.
    ///
    /// # Errors
    /// None, because there is no GPU.
    pub fn raw_context(&self) -> Result<*mut c_void> {
        match *self {}
    }

    /// Opens several GPUs and loads the kernels of a module.
    ///
    /// # Errors
    /// [`Error::NoGpu`].
    pub fn open_group(_: usize, _: usize, _: &Module) -> Result<Vec<Self>> {
        none()
    }

    /// Returns true if several GPUs can reach each other's memory.
    ///
    /// # Errors
    /// [`Error::NoGpu`].
    pub fn reach_one_another(_: usize, _: usize) -> Result<bool> {
        none()
    }

    /// Returns the threads, registers and shared memory of a block of a kernel.
    ///
    /// # Errors
    /// [`Error::NoGpu`].
    pub fn block_resources<K: Kernel>(&self, _: &K) -> Result<BlockResources> {
        none()
    }

    /// Opens a GPU and loads the kernels of a module.
    ///
    /// # Errors
    /// [`Error::NoGpu`].
    pub fn with_module(_: usize, _: Module) -> Result<Self> {
        none()
    }

    /// Adds the kernels of a module.
    ///
    /// # Errors
    /// None, because there is no GPU.
    pub fn load_module(&self, _: Module) -> Result<()> {
        match *self {}
    }

    /// Returns the machine code that the GPU runs.
    ///
    /// # Errors
    /// None, because there is no GPU.
    pub fn machine_code(&self) -> Result<Vec<MachineCode>> {
        match *self {}
    }

    /// Returns the properties of this GPU.
    ///
    /// # Errors
    /// None, because there is no GPU.
    pub fn describe(&self) -> Result<Description> {
        match *self {}
    }
}

// SAFETY: there is no GPU.
unsafe impl Device for Gpu {
    type Buffer<T: Word> = Buffer<T>;
    type Stream = ();
    type Pinned = ();
    type Event = ();

    fn limits(&self) -> Limits {
        match *self {}
    }

    fn stream(&self) -> Result<()> {
        match *self {}
    }

    fn alloc<T: Word>(&self, _: usize, _: &str) -> Result<Buffer<T>> {
        match *self {}
    }

    fn handle<T: Word>(&self, _: &Buffer<T>) -> Global<T> {
        match *self {}
    }

    fn upload_to<T: Word>(&self, (): &(), _: &mut Buffer<T>, _: usize, _: &[T]) -> Result<()> {
        match *self {}
    }

    fn pinned(&self, _: usize) -> Result<()> {
        match *self {}
    }

    fn pinned_bytes<'p>(&self, (): &'p mut ()) -> Result<&'p mut [u8]> {
        match *self {}
    }

    fn upload_async<T: Word>(&self, (): &(), _: &Buffer<T>, (): &mut (), _: usize) -> Result<()> {
        match *self {}
    }

    fn download_async<T: Word>(&self, (): &(), _: &Buffer<T>, (): &mut (), _: usize) -> Result<()> {
        match *self {}
    }

    fn download_from<T: Word>(&self, (): &(), _: &Buffer<T>, _: usize, _: usize) -> Result<Vec<T>> {
        match *self {}
    }

    fn check_memory(&self, _: u64, _: u64) -> Result<()> {
        match *self {}
    }

    unsafe fn download_at<T: Word>(&self, _: Global<T>, _: usize) -> Result<Vec<T>> {
        match *self {}
    }

    unsafe fn launch<K: Kernel>(&self, (): &(), _: impl Into<Blocks>, _: K) -> Result<()> {
        match *self {}
    }

    fn resident_blocks<K: Kernel>(&self, _: &K) -> Result<u32> {
        match *self {}
    }

    fn zero<T: Word>(&self, (): &(), _: &mut Buffer<T>) -> Result<()> {
        match *self {}
    }

    fn copy<T: Word>(&self, (): &(), _: &Buffer<T>, _: &mut Buffer<T>, _: usize) -> Result<()> {
        match *self {}
    }

    fn record(&self, (): &()) -> Result<()> {
        match *self {}
    }

    fn wait_for(&self, (): &(), (): &()) -> Result<()> {
        match *self {}
    }

    fn is_reached(&self, (): &()) -> Result<bool> {
        match *self {}
    }

    fn wait_event(&self, (): &()) -> Result<()> {
        match *self {}
    }

    fn elapsed(&self, (): &(), (): &()) -> Result<Duration> {
        match *self {}
    }

    fn is_done(&self, (): &()) -> Result<bool> {
        match *self {}
    }

    fn wait(&self, (): &()) -> Result<()> {
        match *self {}
    }

    fn free_memory(&self) -> Result<u64> {
        match *self {}
    }
}
