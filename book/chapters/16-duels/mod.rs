//! Chapter 16: Wang 2018: duels.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
