//! Kernels that check the device layer on a GPU and on the simulator. They are no lessons: each
//! calls functions of `simt_std` and writes their results, which [`cases`](crate::cases) compares
//! with plain Rust.

pub mod collectives;
pub mod float;
pub mod memory;
