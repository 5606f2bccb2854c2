//! Chapter 6: Tiles.

#[cfg(test)]
mod checks;
pub mod faults;
pub mod kernels;
pub mod launches;
