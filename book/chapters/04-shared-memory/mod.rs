//! Chapter 4: Shared memory and barriers.

#[cfg(all(test, not(on_gpu)))]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
