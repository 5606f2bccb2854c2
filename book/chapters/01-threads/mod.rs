//! Chapter 1: Threads.

#[cfg(all(test, not(on_gpu)))]
mod checks;
pub mod faults;
#[cfg(not(on_gpu))]
pub mod first;
pub mod kernels;
pub mod launches;
