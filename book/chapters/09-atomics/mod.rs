//! Chapter 9: Atomics.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
