//! Runs kernels written with [`simt_std`] on NVIDIA GPUs and on the simulator, which behaves like a
//! GPU.
//!
//! Host code that is generic over [`Device`] runs on both:
//!
//! ```
//! use simt_launch::{Device, Result, Simt};
//! use simt_std::prelude::*;
//!
//! /// Launch: `ceil(n / 32)` blocks; `x` has n elements.
//! #[kernel(threads = 32)]
//! fn double(x: Global<u32>, n: u32) {
//!     let i = thread::index_1d();
//!     if i < n {
//!         x.write(i as usize, 2 * x.read(i as usize));
//!     }
//! }
//!
//! fn doubled(device: &impl Device, numbers: &[u32]) -> Result<Vec<u32>> {
//!     let stream = device.stream()?;
//!     let x = device.alloc_from(&stream, numbers, "x")?;
//!     let n = numbers.len() as u32;
//!     // SAFETY: the launch is as the kernel's documentation says, and `x` lives until it was
//!     // waited for.
//!     unsafe { device.launch(&stream, n.div_ceil(32), Double { x: device.handle(&x), n })? };
//!     device.download(&stream, &x, numbers.len())
//! }
//!
//! assert_eq!(doubled(&Simt::default(), &[1, 2, 3])?, [2, 4, 6]);
//! # Ok::<(), simt_launch::Error>(())
//! ```
//!
//! A GPU needs the PTX or the machine code of the kernels, made by a build script with
//! `simt_builder`:
//!
//! ```ignore
//! let gpu = Gpu::with_module(0, simt_launch::module!())?;
//! doubled(&gpu, &[1, 2, 3])?;
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`device`] | the operations of a device; other crates may implement them |
//! | [`gpu`] | NVIDIA GPUs through the driver; without the feature `gpu` (on by default), none |
//! | [`module`](mod@module) | the kernels of a crate: PTX and machine code |
//! | [`simt`] | the simulator as a device |
//! | [`error`] | errors |

#[cfg(feature = "gpu")]
mod buffer;
#[cfg(feature = "gpu")]
mod context;
pub mod device;
#[cfg(feature = "gpu")]
mod driver;
pub mod error;
mod forked_lock;
#[cfg_attr(not(feature = "gpu"), path = "no_gpu.rs")]
pub mod gpu;
#[cfg(feature = "gpu")]
mod kernels;
pub mod module;
#[cfg(feature = "gpu")]
mod pinned;
#[cfg(feature = "gpu")]
mod process;
#[cfg(feature = "gpu")]
mod ptx_text;
pub mod simt;
#[cfg(feature = "gpu")]
mod stream;

pub use device::{Description, Device, Limits};
pub use error::{Error, Result};
pub use gpu::Gpu;
pub use module::{KernelText, MachineCode, Module};
pub use simt::Simt;
pub use simt_std;

/// Returns the [`Module`] that the calling crate's build script has made with `simt_builder`. Can
/// be the value of a constant.
#[macro_export]
macro_rules! module {
    () => {
        $crate::Module::new(include_str!(concat!(env!("OUT_DIR"), "/kernels.ptx")), $crate::machine_code!())
            .with_kernels($crate::kernel_list!())
    };
}

/// Returns the places of the kernels in the PTX of [`module!`], for [`Module::with_kernels`]:
/// `&'static [KernelText]`.
#[macro_export]
macro_rules! kernel_list {
    () => {{
        use $crate::KernelText;
        const KERNELS: &[KernelText] = include!(concat!(env!("OUT_DIR"), "/kernel_list.rs"));
        KERNELS
    }};
}

/// Returns the machine code alone of [`module!`]: `&'static [MachineCode]`, which is empty if there
/// is none.
#[macro_export]
macro_rules! machine_code {
    () => {{
        use $crate::MachineCode;
        const CODE: &[MachineCode] = include!(concat!(env!("OUT_DIR"), "/machine_code.rs"));
        CODE
    }};
}
