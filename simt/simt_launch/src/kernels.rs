//! The kernels that a GPU can run: modules that were loaded, and the functions in use.

use crate::context::{Context, Opened};
use crate::driver::{attribute, failed};
use crate::error::{Error, Result};
use crate::module::{MachineCode, Module};
use crate::process::Owned;
use crate::ptx_text::{Index, has_kernels, with_block_size};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, DriverError, sys};
use cudarc::nvrtc::Ptx;
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// A module that is being made ready for a GPU.
#[derive(Debug)]
pub(crate) struct Prepared {
    module: Module,
    code: Option<MachineCode>,
    decompressing: Option<Decompressing>,
}

/// A thread that returns the machine code. If there is no machine code for the GPU, it decompresses
/// the PTX and returns `None`.
type Decompressing = JoinHandle<Option<Vec<u8>>>;

impl Prepared {
    /// Starts to decompress the machine code for a GPU, given by its number, or else the PTX, in a
    /// thread of its own. The driver must be initialised.
    pub fn start(ordinal: usize, module: Module) -> Result<Self> {
        use sys::CUdevice_attribute as A;
        let major = attribute(ordinal, A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(ordinal, A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let code = module.machine_code_for((major, minor));
        // Without a thread, the first kernel's launch decompresses.
        let decompressing = match code {
            Some(code) => std::thread::Builder::new().spawn(move || decompressed(code.image)).ok(),
            None if module.known_ptx().is_none() => {
                let module = module.clone();
                let decompress = move || {
                    module.ptx();
                    None
                };
                std::thread::Builder::new().spawn(decompress).ok()
            }
            None => None,
        };
        Ok(Self { module, code, decompressing })
    }
}

/// Start of a file that is compressed by zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Returns the cubin of an image, or `None` if it cannot be decompressed.
fn decompressed(image: &[u8]) -> Option<Vec<u8>> {
    if !image.starts_with(&ZSTD) {
        return Some(image.to_vec());
    }
    let mut cubin = Vec::new();
    ruzstd::decoding::StreamingDecoder::new(image).ok()?.read_to_end(&mut cubin).ok()?;
    Some(cubin)
}

/// A module of a GPU.
#[derive(Debug)]
struct Loaded {
    module: Module,
    code: Option<MachineCode>,
    decompressing: Mutex<Option<Decompressing>>,
    /// The machine code as the driver loaded it; `None` if there is none, or the driver refuses it.
    machine_code: OnceLock<Option<Arc<CudaModule>>>,
    index: OnceLock<Index>,
}

impl Loaded {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| match self.module.kernels() {
            [] => Index::new(self.ptx()),
            kernels => Index::from(kernels),
        })
    }

    fn ptx(&self) -> &str {
        if self.code.is_none() {
            // The module would decompress a second time if the thread were still at work.
            lock(&self.decompressing).take().map(JoinHandle::join);
        }
        self.module.ptx()
    }

    /// Returns the module's machine code for this GPU, which the first call loads.
    fn machine_code(&self, context: &Arc<CudaContext>) -> Option<&Arc<CudaModule>> {
        self.machine_code.get_or_init(|| self.load(self.code?, context)).as_ref()
    }

    fn load(&self, code: MachineCode, context: &Arc<CudaContext>) -> Option<Arc<CudaModule>> {
        let started = Instant::now();
        let thread = lock(&self.decompressing).take();
        let image = match thread.map(JoinHandle::join) {
            Some(Ok(image)) => image,
            _ => decompressed(code.image),
        };
        let waited = started.elapsed();
        let Some(image) = image else {
            log::warn!("the machine code for {code} cannot be decompressed; the driver compiles PTX instead");
            return None;
        };
        match context.load_module(Ptx::from_binary(image)) {
            Ok(module) => {
                let (wait, load) = (waited.as_secs_f64(), (started.elapsed() - waited).as_secs_f64());
                log::debug!("machine code for {code}: decompressed after {wait:.3} s, loaded in {load:.3} s");
                Some(module)
            }
            // A driver refuses machine code by an assembler that is newer than the driver.
            Err(error) => {
                log::info!("the driver refuses the machine code for {code} and compiles PTX instead: {error}");
                None
            }
        }
    }
}

/// The modules of a GPU, and the functions that have been used.
#[derive(Debug)]
pub(crate) struct Kernels {
    context: Arc<Context>,
    modules: Owned<Mutex<Vec<Loaded>>>,
    functions: Owned<Mutex<BTreeMap<&'static str, CudaFunction>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kernels {
    pub fn new(context: Arc<Context>) -> Self {
        Self { context, modules: Owned::new(Mutex::default()), functions: Owned::new(Mutex::default()) }
    }

    /// Adds a module. Adding it again has no effect.
    ///
    /// # Errors
    /// [`Error::Module`] if the module has no kernel, or one with the name of a kernel that was
    /// added before.
    pub fn add(&self, prepared: Prepared) -> Result<()> {
        self.context.check_process()?;
        let Prepared { module, code, decompressing } = prepared;
        let mut modules = lock(&self.modules);
        if modules.iter().any(|loaded| loaded.module.is_same(&module)) {
            return Ok(());
        }
        if let Some(ptx) = module.known_ptx().filter(|ptx| !has_kernels(ptx)) {
            // If simt_builder could not compile, its output states the reason.
            let reason = ptx.lines().find_map(|line| line.strip_prefix("// ")).unwrap_or("it is no PTX");
            return Err(Error::Module(format!("there is no kernel to load: {reason}")));
        }
        let decompressing = Mutex::new(decompressing);
        let new = Loaded { module, code, decompressing, machine_code: OnceLock::new(), index: OnceLock::new() };
        for old in modules.iter() {
            if let Some(name) = new.index().names().find(|name| old.index().has(name)) {
                return Err(Error::Module(format!("two modules have a kernel `{name}`")));
            }
        }
        modules.push(new);
        Ok(())
    }

    /// Returns the machine code that the modules run, without those whose PTX the driver compiles.
    pub fn machine_code(&self) -> Result<Vec<MachineCode>> {
        let Opened { context, .. } = self.context.get()?;
        let modules = lock(&self.modules);
        let loaded = modules.iter().filter(|loaded| loaded.machine_code(context).is_some());
        Ok(loaded.filter_map(|loaded| loaded.code).collect())
    }

    /// Returns a kernel that can be launched in blocks of up to `threads` threads, ready to run.
    pub fn function(&self, name: &'static str, threads: u32) -> Result<CudaFunction> {
        let Opened { context, .. } = self.context.get()?;
        let mut functions = lock(&self.functions);
        if let Some(function) = functions.get(name) {
            return Ok(function.clone());
        }
        let function = match self.assembled(context, name, threads) {
            Some(function) => function,
            None => self.compiled(context, name, threads)?,
        };
        use sys::CUfunction_attribute as A;
        let used = function.get_attribute(A::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES).map_err(failed(name))?;
        let most = self.context.limits().block_shared as i32 - used;
        function.set_attribute(A::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most).map_err(failed(name))?;
        functions.insert(name, function.clone());
        Ok(function)
    }

    /// Returns a kernel of the machine code, or `None` if it is not there or cannot be launched in
    /// blocks of `threads` threads.
    fn assembled(&self, context: &Arc<CudaContext>, name: &'static str, threads: u32) -> Option<CudaFunction> {
        let modules = lock(&self.modules);
        let found = modules.iter().filter_map(|loaded| loaded.machine_code(context));
        let mut functions = found.filter_map(|module| module.load_function(name).ok());
        functions.find(|function| launches(function, threads).unwrap_or(false))
    }

    /// Returns a kernel that the driver compiles from the PTX.
    fn compiled(&self, context: &Arc<CudaContext>, name: &'static str, threads: u32) -> Result<CudaFunction> {
        let started = Instant::now();
        let ptx = {
            let modules = lock(&self.modules);
            let Some(loaded) = modules.iter().find(|loaded| loaded.index().has(name)) else {
                let reason = if modules.is_empty() {
                    "no module was loaded"
                } else {
                    "it is not in the modules that were loaded"
                };
                return Err(Error::Module(format!("the kernel `{name}` cannot run: {reason} (Gpu::load_module)")));
            };
            loaded.index().module_of(loaded.ptx(), name)
        };
        let compile = |ptx: String| -> Result<CudaFunction> {
            let module = context.load_module(Ptx::from_src(ptx)).map_err(failed(name))?;
            module.load_function(name).map_err(failed(name))
        };
        let read = started.elapsed();
        let mut function = compile(ptx.clone())?;
        if !launches(&function, threads).map_err(failed(name))? {
            // The driver's compiler gave each thread too many registers for such a block.
            function = compile(with_block_size(&ptx, threads))?;
        }
        let (read, whole) = (read.as_secs_f64(), started.elapsed().as_secs_f64());
        log::debug!("{name}: PTX read in {read:.4} s, compiled by the driver in {:.4} s", whole - read);
        Ok(function)
    }
}

/// Returns true if a block of the function can have this number of threads.
fn launches(function: &CudaFunction, threads: u32) -> std::result::Result<bool, DriverError> {
    let most = function.get_attribute(sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?;
    Ok(i64::from(most) >= i64::from(threads))
}

#[cfg(test)]
mod tests {
    use super::decompressed;

    #[test]
    fn an_image_is_decompressed_if_it_is_compressed() {
        // A frame with one raw block that holds `cubin`.
        let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0][..], b"cubin"].concat();
        assert_eq!(decompressed(&frame).as_deref(), Some(&b"cubin"[..]));
        assert_eq!(decompressed(b"\x7fELF").as_deref(), Some(&b"\x7fELF"[..]));
        for end in 4..frame.len() {
            assert_eq!(decompressed(&frame[..end]), None, "{end}");
        }
    }
}
