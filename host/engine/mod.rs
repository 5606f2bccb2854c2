//! What computes a [`Column`](crate::lcs::column::Column): one module per kind of hardware.
pub mod cpu;
