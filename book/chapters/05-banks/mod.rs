//! Chapter 5: Banks.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
