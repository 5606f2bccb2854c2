//! What computes: one module per kind of hardware, and what they have in common.
//!
//! | file | what |
//! |---|---|
//! | [`columns`] | what Hirschberg's recursion asks of an engine |
//! | [`cpu`] | the processor's algorithms |
//! | [`ends`] | what a search asks of an engine |
//! | [`best_end`] | what the best match asks of an engine |
//! | [`device`] | what the orchestration of kernels asks of a machine |
//! | `codes` | the strings as devices hold them |
//! | [`block_step`] | the block-step algorithm's orchestration, on any device |
//! | [`wavefront`] | the wavefront's, on any devices |
//! | [`search`] | searches, on any device |
//! | [`asm`] | the best match on any device |
//! | `gpu` | NVIDIA GPUs |
//! | [`thresholds`] | which engine takes which size |

pub mod asm;
pub mod best_end;
pub mod block_step;
mod codes;
pub mod columns;
pub mod cpu;
pub mod device;
pub mod ends;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod search;

pub mod thresholds;
pub mod wavefront;

/// Whether there is an NVIDIA GPU to run on.
pub fn gpu_present() -> bool {
    #[cfg(feature = "gpu")]
    return gpu::count().is_ok();
    #[cfg(not(feature = "gpu"))]
    return false;
}
