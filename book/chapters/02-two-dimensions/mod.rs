//! Chapter 2: Two dimensions.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
