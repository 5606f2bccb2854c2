//! Exercises of chapter 9: Atomics.
