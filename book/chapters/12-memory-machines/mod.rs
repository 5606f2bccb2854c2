//! Chapter 12: Nakano 2012: the memory machines.

#[cfg(all(test, not(on_gpu)))]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
#[cfg(all(test, not(on_gpu)))]
mod machine;
