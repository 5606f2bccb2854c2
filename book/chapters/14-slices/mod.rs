//! Chapter 14: Melo, Canalli 2014: slices.

#[cfg(all(test, not(on_gpu)))]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
