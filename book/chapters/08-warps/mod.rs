//! Chapter 8: Warps.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
