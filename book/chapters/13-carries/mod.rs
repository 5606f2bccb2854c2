//! Chapter 13: Kawanami, Fujimoto 2014: carries.

#[cfg(all(test, not(on_gpu)))]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
