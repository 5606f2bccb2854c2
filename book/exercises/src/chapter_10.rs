//! Exercises of chapter 10: Order between blocks.
