//! Exercises of chapter 7: Divergence.
