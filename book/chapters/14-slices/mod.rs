//! Chapter 14: Melo, Canalli 2014: slices.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
