//! Chapter 1: Threads.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
