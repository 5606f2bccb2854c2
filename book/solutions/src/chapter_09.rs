//! Solutions of chapter 9: Atomics.
