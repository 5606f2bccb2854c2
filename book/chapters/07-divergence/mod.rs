//! Chapter 7: Divergence.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
