//! Chapter 15: Mitani, Ino, Hagihara 2017: scans.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
