//! Chapter 11: To the GPU.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
