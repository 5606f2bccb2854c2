//! Chapter 15: Mitani, Ino, Hagihara 2017: scans.

#[cfg(all(test, not(on_gpu)))]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
