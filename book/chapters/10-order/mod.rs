//! Chapter 10: Order between blocks.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
