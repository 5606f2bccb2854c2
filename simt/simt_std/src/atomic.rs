//! Atomic operations on words of global memory, relaxed. Those on 32 bits are at device scope; loads and stores of 64
//! bits are at system scope, for words that several GPUs and the host share.
//!
//! Relaxed: they never tear and never race with each other, and they order nothing else.

use super::{backend, global::Global};

/// What an atomic operation orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Nothing.
    Relaxed,
    /// What the thread does later comes after what the one did before that released the value it reads.
    Acquire,
    /// What the thread did before comes before what the one does later that acquires the value.
    Release,
    /// Both.
    AcqRel,
}

/// Which threads an atomic operation or a fence is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those of the block.
    Block,
    /// Those of the device.
    Device,
    /// Those of every device, and the host's.
    System,
}

/// An atomic read-modify-write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rmw {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
}

macro_rules! rmw {
    ($($(#[$doc:meta])* $name:ident, $op:ident;)*) => {$(
        $(#[$doc])*
        /// Returns the value before.
        #[inline(always)]
        #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
        pub fn $name(array: Global<u32>, i: usize, value: u32) -> u32 {
            backend::atomic_rmw::<{ Rmw::$op as u8 }>(array, i, value)
        }
    )*};
}

rmw! {
    /// Adds `value`, wrapping (PTX `atom.add`).
    fetch_add, Add;
    /// Keeps the lesser of both (PTX `atom.min`).
    fetch_min, Min;
    /// Keeps the greater of both (PTX `atom.max`).
    fetch_max, Max;
    /// Bitwise and (PTX `atom.and`).
    fetch_and, And;
    /// Bitwise or (PTX `atom.or`).
    fetch_or, Or;
    /// Bitwise exclusive or (PTX `atom.xor`).
    fetch_xor, Xor;
    /// Puts `value` in (PTX `atom.exch`).
    exchange, Exchange;
}

/// Puts `new` in if the value is `current`; returns the value before (PTX `atom.cas`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn compare_exchange(array: Global<u32>, i: usize, current: u32, new: u32) -> u32 {
    backend::atomic_cas(array, i, current, new)
}

/// Reads without tearing, for a value that other blocks change (PTX `ld.relaxed.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load(array: Global<u32>, i: usize) -> u32 {
    backend::atomic_load(array, i)
}

/// Writes without tearing, for other blocks to [`load`] (PTX `st.relaxed.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store(array: Global<u32>, i: usize, value: u32) {
    backend::atomic_store(array, i, value);
}

/// Reads 64 bits without tearing, for a value that other blocks or other GPUs change (PTX `ld.relaxed.sys`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_64(array: Global<u64>, i: usize) -> u64 {
    backend::atomic_load_64(array, i)
}

/// Where `wanted`, replaces `value` by what [`load_64`] reads. No branch: nothing waits for the value until it is used.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_64_if(wanted: bool, array: Global<u64>, i: usize, value: &mut u64) {
    backend::atomic_load_64_if(wanted, array, i, value);
}

/// Writes 64 bits without tearing, for other blocks or other GPUs to [`load_64`] (PTX `st.relaxed.sys`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store_64(array: Global<u64>, i: usize, value: u64) {
    backend::atomic_store_64(array, i, value);
}
