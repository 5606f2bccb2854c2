//! NVIDIA GPUs through their driver: compiles PTX for them, and implements [`Device`].

use crate::context::{Context, Opened};
use crate::device::{Description, Device, Limits, check_fits, sealed::Sealed};
use crate::driver::{check_memory, failed, group};
use crate::error::{Error, Result};
use crate::kernels::{Kernels, Prepared};
use crate::module::{MachineCode, Module};
use crate::pinned::PageLocked;
use crate::process::{Owned, Process};
use crate::stream::IdleStreams;
use cudarc::driver::{CudaEvent, CudaSlice, CudaStream, DevicePtr, DriverError, result, sys};
use simt_std::simulator::BlockResources;
use simt_std::{Blocks, Grid, Kernel, Word, global::Global};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use crate::driver::{count, has_driver};
pub use crate::pinned::Pinned;
pub use crate::stream::Stream;

/// An NVIDIA GPU. Machine code is loaded when its first kernel is used; a kernel that is only there
/// as PTX is compiled when it is first used.
#[derive(Debug)]
pub struct Gpu {
    context: Arc<Context>,
    kernels: Kernels,
    /// Dropped pinned memory, for reuse.
    spare: Arc<Mutex<Vec<PageLocked>>>,
    /// Dropped streams, for reuse.
    idle: Arc<IdleStreams>,
}

/// An allocation on a GPU.
#[derive(Debug)]
pub struct Buffer<T> {
    bytes: Owned<CudaSlice<u8>>,
    address: u64,
    element: PhantomData<T>,
}

/// An event of a GPU's stream.
#[derive(Debug)]
pub struct Event(Owned<CudaEvent>);

impl Gpu {
    /// Opens `count` GPUs, starting with number `first`, and loads the kernels of a module into
    /// each. Each can write to the others' memory while both are open.
    ///
    /// # Errors
    /// As [`with_module`](Self::with_module), and [`Error::Gpu`] if one of them cannot reach
    /// another's memory.
    pub fn open_group(first: usize, count: usize, module: &Module) -> Result<Vec<Self>> {
        let ordinals = group(first, count)?;
        let prepared: Vec<_> =
            ordinals.clone().map(|ordinal| Prepared::start(ordinal, module.clone())).collect::<Result<_>>()?;
        let gpus = ordinals.map(Self::open).collect::<Result<Vec<_>>>()?;
        for (gpu, prepared) in gpus.iter().zip(prepared) {
            gpu.kernels.add(prepared)?;
        }
        for gpu in &gpus {
            for peer in gpus.iter().filter(|peer| !std::ptr::eq(gpu, *peer)) {
                let peers_context = &peer.context.get()?.context;
                gpu.bind()?;
                // SAFETY: both contexts are open, and this one is current. The driver ends the
                // access when either of them closes.
                match unsafe { sys::cuCtxEnablePeerAccess(peers_context.cu_ctx(), 0) } {
                    sys::CUresult::CUDA_SUCCESS | sys::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => {}
                    error => {
                        let call = format!("reaching the memory of GPU {}", peer.context.ordinal());
                        return Err(failed(&call)(DriverError(error)));
                    }
                }
                peer.open_pool_to(gpu)?;
            }
        }
        Ok(gpus)
    }

    /// Returns true if each of `count` GPUs, starting with number `first`, can reach the memory of
    /// the others.
    ///
    /// # Errors
    /// [`Error::NoGpu`] if there are fewer GPUs; [`Error::Gpu`] if the driver fails.
    pub fn reach_one_another(first: usize, count: usize) -> Result<bool> {
        let ordinals = group(first, count)?;
        let device = |ordinal: usize| result::device::get(ordinal as i32).map_err(failed("finding a GPU"));
        let devices = ordinals.map(device).collect::<Result<Vec<_>>>()?;
        for &one in &devices {
            for &other in devices.iter().filter(|&&other| other != one) {
                let mut can = 0;
                // SAFETY: a variable for the answer, and two devices that the driver knows.
                let asked = unsafe { sys::cuDeviceCanAccessPeer(&mut can, one, other) };
                asked.result().map_err(failed("asking what a GPU reaches"))?;
                if can == 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Lets another GPU access this one's allocations: they come from a pool, which has access
    /// rights of its own.
    fn open_pool_to(&self, peer: &Self) -> Result<()> {
        let access = sys::CUmemAccessDesc {
            location: sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: peer.context.get()?.context.cu_device(),
            },
            flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        let mut pool = std::ptr::null_mut();
        // SAFETY: an open device, and a variable for its pool.
        let got = unsafe { sys::cuDeviceGetDefaultMemPool(&mut pool, self.context.get()?.context.cu_device()) };
        got.result().map_err(failed("finding a GPU's memory pool"))?;
        // SAFETY: the pool from above, and one description.
        unsafe { sys::cuMemPoolSetAccess(pool, &access, 1) }.result().map_err(failed("sharing a GPU's memory"))
    }

    /// Opens a GPU by its number. Its resources are freed when it and all its allocations are
    /// dropped. Opening takes some tenths of a second, so a program should open a GPU once and keep
    /// it.
    ///
    /// # Errors
    /// [`Error::NoGpu`] if there is no GPU of this number; [`Error::Gpu`] if the driver fails.
    pub fn open(ordinal: usize) -> Result<Self> {
        let gpu = Self::find(ordinal)?;
        gpu.context.get()?;
        Ok(gpu)
    }

    /// Finds a GPU by its number. Its first command opens it, or
    /// [`ensure_open`](Device::ensure_open). For programs that may not need the GPU, or can do
    /// something else while it opens. Finding takes half as long as opening.
    ///
    /// # Errors
    /// [`Error::NoGpu`] if there is no GPU of this number; [`Error::Gpu`] if the driver fails.
    pub fn find(ordinal: usize) -> Result<Self> {
        let context = Arc::new(Context::find(ordinal)?);
        Ok(Self { kernels: Kernels::new(context.clone()), context, spare: Arc::default(), idle: Arc::default() })
    }

    /// Returns the properties of this GPU.
    ///
    /// # Errors
    /// If the driver does not report them.
    pub fn describe(&self) -> Result<Description> {
        let context = &self.context.get()?.context;
        use sys::CUdevice_attribute as A;
        let attribute = |a| context.attribute(a).map_err(failed("asking for an attribute"));
        let (free, total) = context.mem_get_info().map_err(failed("asking for the memory"))?;
        Ok(Description {
            ordinal: context.ordinal(),
            name: context.name().map_err(failed("asking for the name"))?,
            compute_capability: context.compute_capability().map_err(failed("asking for the capability"))?,
            multiprocessors: attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            clock_mhz: attribute(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? / 1000,
            memory: total as u64,
            free_memory: free as u64,
        })
    }

    /// Adds the kernels of a module to those that this GPU can run. Loading a module again has no
    /// effect.
    ///
    /// # Errors
    /// [`Error::Module`] if the module has no kernel, or one with the name of a kernel loaded
    /// before; [`Error::Gpu`] if the driver fails.
    pub fn load_module(&self, module: Module) -> Result<()> {
        self.context.check_process()?;
        self.kernels.add(Prepared::start(self.context.ordinal(), module)?)
    }

    /// Opens a GPU and loads the kernels of a module: [`open`](Self::open) and
    /// [`load_module`](Self::load_module) in one line. Machine code is decompressed while the GPU
    /// opens.
    ///
    /// # Errors
    /// As [`open`](Self::open) and [`load_module`](Self::load_module).
    pub fn with_module(ordinal: usize, module: Module) -> Result<Self> {
        let gpu = Self::find(ordinal)?;
        gpu.load_module(module)?;
        gpu.context.get()?;
        Ok(gpu)
    }

    /// Returns the machine code that this GPU runs, which is loaded at the first call: one for each
    /// module, without the modules whose PTX the driver compiles.
    ///
    /// # Errors
    /// [`Error::Gpu`] after a fork.
    pub fn machine_code(&self) -> Result<Vec<MachineCode>> {
        self.kernels.machine_code()
    }

    /// Returns the threads, registers and shared memory of a block of a kernel, as the driver has
    /// compiled or loaded it.
    ///
    /// # Errors
    /// If the driver refuses, or the kernel is not in the loaded modules.
    pub fn block_resources<K: Kernel>(&self, kernel: &K) -> Result<BlockResources> {
        let function = self.kernels.function(K::NAME, K::BLOCK_THREADS)?;
        let registers = function.num_regs().map_err(failed(K::NAME))?.unsigned_abs();
        let fixed = function.shared_size_bytes().map_err(failed(K::NAME))?.unsigned_abs();
        let threads = kernel.block_dim().iter().product();
        Ok(BlockResources { threads, registers, shared: fixed.saturating_add(kernel.dynamic_shared_bytes()) })
    }

    /// Makes the GPU's context the one that the driver's calls in this thread use.
    fn bind(&self) -> Result<()> {
        self.context.get()?.context.bind_to_thread().map_err(failed("using the GPU"))
    }

    /// Queues a launch of a kernel, given by its name and the maximum number of threads of a block.
    /// Not generic, so that it is compiled once.
    ///
    /// # Safety
    /// `parameters` points to the parameters of the entry of this name, and the launch meets the
    /// kernel's contract.
    unsafe fn start(
        &self,
        stream: &CudaStream,
        (name, threads): (&'static str, u32),
        grid: Grid,
        parameters: *const c_void,
    ) -> Result<()> {
        let function = self.kernels.function(name, threads)?;
        let launch = if grid.cooperative {
            let of_block = grid.threads.iter().product();
            let resident = self.resident(name, threads, of_block, grid.dynamic_shared)?;
            check_fits(name, grid, self.limits(), resident)?;
            result::launch_cooperative_kernel
        } else {
            result::launch_kernel
        };
        self.bind()?;
        // SAFETY: passed on to the caller. The driver copies the parameters before it returns, and
        // writes none.
        let started = unsafe {
            launch(
                function.cu_function(),
                grid.blocks.into(),
                grid.threads.into(),
                grid.dynamic_shared,
                stream.cu_stream(),
                &mut [parameters.cast_mut()],
            )
        };
        started.map_err(failed(name))
    }

    /// Returns the number of blocks of `threads` threads (at most `most`) and `shared` bytes that a
    /// multiprocessor runs at a time. Not generic, so that it is compiled once.
    fn resident(&self, name: &'static str, most: u32, threads: u32, shared: u32) -> Result<u32> {
        let function = self.kernels.function(name, most)?;
        let resident = function.occupancy_max_active_blocks_per_multiprocessor(threads, shared as usize, None);
        Ok(resident.map_err(failed(name))?.max(1))
    }
}

impl Sealed for Gpu {}

impl Device for Gpu {
    type Buffer<T: Word> = Buffer<T>;
    type Stream = Stream;
    type Pinned = Pinned;
    type Event = Event;

    fn limits(&self) -> Limits {
        self.context.limits()
    }

    fn ordinal(&self) -> usize {
        self.context.ordinal()
    }

    fn is_open(&self) -> bool {
        self.context.is_open()
    }

    fn ensure_open(&self) -> Result<()> {
        self.context.get().map(|_| ())
    }

    fn stream(&self) -> Result<Stream> {
        Stream::take(&self.idle, &self.context.get()?.context)
    }

    fn alloc<T: Word>(&self, len: usize, name: &str) -> Result<Buffer<T>> {
        let Opened { stream, .. } = self.context.get()?;
        let needed = (len as u64).saturating_mul(size_of::<T>() as u64);
        // SAFETY: uninitialised, as `Device::alloc` says; the bytes are read only after a kernel or
        // a copy has written them.
        let bytes = match unsafe { stream.alloc::<u8>((needed as usize).max(1)) } {
            Ok(bytes) => bytes,
            Err(error) => {
                // Queried only here, because the query takes longer than most allocations.
                let free = self.free_memory()?;
                // Free memory may be in pieces, and others may free some before the query.
                return Err(if needed > free || error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
                    Error::DeviceMemory { needed, free }
                } else {
                    failed(&format!("allocating {needed} bytes for {name}"))(error)
                });
            }
        };
        // The allocation belongs to this stream, but other streams will use it.
        stream.synchronize().map_err(failed("allocating"))?;
        let address = bytes.device_ptr(stream).0;
        Ok(Buffer { bytes: Owned::new(bytes), address, element: PhantomData })
    }

    fn handle<T: Word>(&self, buffer: &Buffer<T>) -> Global<T> {
        Global::at(buffer.address)
    }

    fn upload_to<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &mut Buffer<T>,
        start: usize,
        data: &[T],
    ) -> Result<()> {
        self.context.check_process()?;
        let data: &[u8] = bytemuck::cast_slice(data);
        let room = buffer.bytes.len();
        let first = start.saturating_mul(size_of::<T>());
        let Some(mut target) = buffer.bytes.try_slice_mut(first..first.saturating_add(data.len())) else {
            let reason = format!("{} bytes from {first} on, into {room}", data.len());
            return Err(Error::Gpu { call: "upload".into(), reason });
        };
        stream.memcpy_htod(data, &mut target).map_err(failed("copying to the GPU"))?;
        self.wait(stream)
    }

    fn pinned(&self, len: usize) -> Result<Pinned> {
        let Opened { context, .. } = self.context.get()?;
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = (0..spare.len()).filter(|&i| spare[i].len >= len).min_by_key(|&i| spare[i].len);
        let memory = match fits {
            Some(i) => spare.remove(i),
            None => {
                PageLocked::new(context, len).map_err(failed(&format!("allocating {len} bytes of pinned memory")))?
            }
        };
        Ok(Pinned { memory: Some(memory), spare: self.spare.clone(), process: Process::current() })
    }

    fn pinned_bytes<'p>(&self, pinned: &'p mut Pinned) -> &'p mut [u8] {
        pinned.memory.as_mut().map_or(&mut [], PageLocked::bytes_mut)
    }

    unsafe fn upload_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Buffer<T>,
        pinned: &Pinned,
        len: usize,
    ) -> Result<()> {
        self.context.check_process()?;
        let room = buffer.bytes.len();
        let from = pinned.memory.as_ref().and_then(|memory| memory.bytes().get(..len));
        let Some(from) = from.filter(|_| len <= room) else {
            return Err(Error::Gpu { call: "upload".into(), reason: format!("{len} bytes into {room}") });
        };
        self.bind()?;
        // SAFETY: both are long enough; the caller does not change them until the stream has been
        // waited for.
        unsafe { result::memcpy_htod_async(buffer.address, from, stream.cu_stream()) }
            .map_err(failed("copying to the GPU"))
    }

    fn download_from<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Buffer<T>,
        start: usize,
        len: usize,
    ) -> Result<Vec<T>> {
        self.context.check_process()?;
        let mut data = Vec::new();
        let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
        data.try_reserve_exact(len).map_err(|_| Error::HostMemory { bytes })?;
        data.resize(len, T::zeroed());
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut data);
        let first = start.saturating_mul(size_of::<T>());
        let Some(source) = buffer.bytes.try_slice(first..first.saturating_add(bytes.len())) else {
            let reason = format!("{} bytes from {first} on, out of {}", bytes.len(), buffer.bytes.len());
            return Err(Error::Gpu { call: "download".into(), reason });
        };
        stream.memcpy_dtoh(&source, bytes).map_err(failed("copying from the GPU"))?;
        self.wait(stream)?;
        Ok(data)
    }

    fn download_to_pinned<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Buffer<T>,
        pinned: &mut Pinned,
        len: usize,
    ) -> Result<()> {
        self.context.check_process()?;
        let bytes = len.saturating_mul(size_of::<T>());
        let room = pinned.memory.as_ref().map_or(0, |memory| memory.len);
        let target = pinned.memory.as_mut().and_then(|memory| memory.bytes_mut().get_mut(..bytes));
        let Some(target) = target.filter(|_| bytes <= buffer.bytes.len()) else {
            let reason = format!("{bytes} bytes out of {} into {room}", buffer.bytes.len());
            return Err(Error::Gpu { call: "download".into(), reason });
        };
        self.bind()?;
        // SAFETY: both are long enough, and the target is not used before the stream has been
        // waited for.
        let copied = unsafe { result::memcpy_dtoh_async(target, buffer.address, stream.cu_stream()) };
        let done = self.wait(stream);
        copied.map_err(failed("copying from the GPU"))?;
        done
    }

    fn check_memory(&self, address: u64, bytes: u64) -> Result<()> {
        self.context.get()?.context.synchronize().map_err(failed("waiting for the GPU"))?;
        check_memory(self.context.ordinal(), address, bytes)
    }

    unsafe fn download_at<T: Word>(&self, address: Global<T>, len: usize) -> Result<Vec<T>> {
        let mut data = Vec::new();
        if len == 0 {
            return Ok(data);
        }
        let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
        self.check_memory(address.address(), bytes)?;
        data.try_reserve_exact(len).map_err(|_| Error::HostMemory { bytes })?;
        data.resize(len, T::zeroed());
        // SAFETY: memory of this GPU, as was checked, which the caller keeps allocated.
        unsafe { result::memcpy_dtoh_sync(&mut data, address.address()) }.map_err(failed("copying from the GPU"))?;
        Ok(data)
    }

    fn zero<T: Word>(&self, stream: &Self::Stream, buffer: &mut Buffer<T>) -> Result<()> {
        self.context.check_process()?;
        stream.memset_zeros(&mut *buffer.bytes).map_err(failed("zeroing GPU memory"))
    }

    fn copy<T: Word>(&self, stream: &Self::Stream, from: &Buffer<T>, to: &mut Buffer<T>, len: usize) -> Result<()> {
        self.context.check_process()?;
        let bytes = len.saturating_mul(size_of::<T>());
        let (Some(from), Some(mut to)) = (from.bytes.try_slice(..bytes), to.bytes.try_slice_mut(..bytes)) else {
            return Err(Error::Gpu {
                call: "copy".into(),
                reason: format!("{bytes} bytes are more than a buffer has"),
            });
        };
        stream.memcpy_dtod(&from, &mut to).map_err(failed("copying in GPU memory"))
    }

    fn record(&self, stream: &Self::Stream) -> Result<Event> {
        self.context.check_process()?;
        // The default flag: with a time.
        let event = stream.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
        Ok(Event(Owned::new(event.map_err(failed("recording an event"))?)))
    }

    fn elapsed(&self, from: &Event, to: &Event) -> Result<Duration> {
        self.context.check_process()?;
        let milliseconds = from.0.elapsed_ms(&to.0).map_err(failed("waiting for the GPU"))?;
        Ok(Duration::try_from_secs_f32(milliseconds / 1e3).unwrap_or_default())
    }

    fn is_done(&self, stream: &Self::Stream) -> Result<bool> {
        self.context.check_process()?;
        stream.is_done()
    }

    unsafe fn launch<K: Kernel>(&self, stream: &Self::Stream, blocks: impl Into<Blocks>, kernel: K) -> Result<()> {
        let parameters: *const K = &kernel;
        // SAFETY: passed on to the caller; the entry of this name takes K (`Kernel`).
        unsafe { self.start(stream, (K::NAME, K::BLOCK_THREADS), Grid::for_kernel(blocks, &kernel), parameters.cast()) }
    }

    fn resident_blocks<K: Kernel>(&self, kernel: &K) -> Result<u32> {
        let threads = kernel.block_dim().iter().product();
        self.resident(K::NAME, K::BLOCK_THREADS, threads, kernel.dynamic_shared_bytes())
    }

    fn wait(&self, stream: &Self::Stream) -> Result<()> {
        self.context.check_process()?;
        stream.synchronize().map_err(failed("waiting for the GPU"))
    }

    fn free_memory(&self) -> Result<u64> {
        let (free, _) = self.context.get()?.context.mem_get_info().map_err(failed("asking for the memory"))?;
        Ok(free as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads 120 words into registers and writes them in reverse order, in 1,024 threads. A
    /// multiprocessor has 64 registers for each of these threads.
    #[derive(Clone, Copy)]
    #[repr(C)]
    struct ManyRegisters {
        words: Global<u32>,
    }

    // SAFETY: repr(C); the entry below takes a pointer.
    unsafe impl Kernel for ManyRegisters {
        const NAME: &'static str = "many_registers";
        const BLOCK_THREADS: u32 = 1024;

        unsafe fn run(self) {}
    }

    #[test]
    fn a_kernel_that_got_too_many_registers_is_compiled_once_more() {
        let Ok(gpu) = Gpu::open(0) else { return };
        let words = 120;
        let load = |i: u32| format!("ld.volatile.global.u32 %r{i}, [%rd1+{}];\n", 4 * i);
        let store = |i: u32| format!("st.volatile.global.u32 [%rd1+{}], %r{i};\n", 4 * i);
        let loads: String = (0..words).map(load).collect();
        let stores: String = (0..words).rev().map(store).collect();
        let head =
            ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry many_registers(\n.param .u64 p\n)\n{\n";
        let body = ".reg .b32 %r<120>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n";
        gpu.load_module(format!("{head}{body}{loads}{stores}ret;\n}}\n").into()).unwrap();
        let stream = gpu.stream().unwrap();
        let data: Vec<u32> = (0..words).collect();
        let buffer = gpu.alloc_from(&stream, &data, "words").unwrap();
        // SAFETY: the array has all words that the kernel reads and writes, and they are
        // initialised.
        unsafe { gpu.launch(&stream, 1, ManyRegisters { words: gpu.handle(&buffer) }).unwrap() };
        assert_eq!(gpu.download(&stream, &buffer, data.len()).unwrap(), data);
    }
}
