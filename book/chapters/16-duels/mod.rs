//! Chapter 16: Wang 2018: duels.

#[cfg(all(test, not(on_gpu)))]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
