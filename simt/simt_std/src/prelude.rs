//! What nearly every kernel names: `use simt_std::prelude::*;`.

pub use crate::global::Global;
pub use crate::shared::{Shared, dynamic_shared_mem};
pub use crate::{FULL_WARP, Kernel, U32x4, WARP, Word, atomic, kernel, shared_array, thread, unroll, warp};
