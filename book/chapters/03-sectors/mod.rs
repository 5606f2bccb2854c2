//! Chapter 3: Memory in sectors.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
