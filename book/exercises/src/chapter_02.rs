//! Exercises of chapter 2: Two dimensions.
