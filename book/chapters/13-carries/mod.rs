//! Chapter 13: Kawanami, Fujimoto 2014: carries.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
