//! Chapter 4: Shared memory and barriers.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
