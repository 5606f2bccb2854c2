//! Exercises of chapter 8: Warps.
