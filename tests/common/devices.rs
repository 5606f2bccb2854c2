//! Every available engine. A GPU is opened once for all tests of a program.

use carrywave::Error;
use carrywave::device::{Cpu, Engine, Gpu, Simt};
use std::sync::OnceLock;

/// Returns GPU 0, if there is one.
pub fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let open = || match Gpu::open(0) {
        Ok(gpu) => Some(gpu),
        Err(Error::NoGpu(_)) => None,
        Err(error) => panic!("there is a GPU that cannot be opened: {error}"),
    };
    GPU.get_or_init(open).as_ref()
}

/// Returns the simulator, and GPU 0 if there is one.
pub fn devices() -> Vec<Box<dyn Engine>> {
    let simulated: Box<dyn Engine> = Box::new(Simt::new());
    std::iter::once(simulated).chain(gpu().map(|gpu| Box::new(gpu.clone()) as Box<dyn Engine>)).collect()
}

/// Returns the CPU and all devices.
pub fn engines() -> Vec<Box<dyn Engine>> {
    let cpu: Box<dyn Engine> = Box::new(Cpu::new());
    std::iter::once(cpu).chain(devices()).collect()
}

/// Calls a function that is generic over devices with an `&Arc` of a simulated device, and of GPU 0
/// if there is one.
macro_rules! on_a_device {
    ($function:ident($($argument:expr),*)) => {
        $function(&std::sync::Arc::new(simt_launch::Simt::default()), $($argument),*);
        if let Some(gpu) = $crate::common::devices::gpu() {
            $function(carrywave::internal::device::open_gpu(gpu), $($argument),*);
        }
    };
}
pub(crate) use on_a_device;
