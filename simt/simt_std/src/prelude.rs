//! The names that nearly every kernel uses: `use simt_std::prelude::*;`.

pub use crate::float::{self, Bf16, F16, GpuFloat};
pub use crate::global::{Global, Slice};
pub use crate::shared::{Shared, dynamic_shared_mem};
pub use crate::{F32x2, F32x4, U8x4, U32x2, U32x4};
pub use crate::{FULL_WARP, Kernel, WARP, Word, atomic, kernel, printf, shared_array, thread, unroll, warp};
