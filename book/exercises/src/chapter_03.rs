//! Exercises of chapter 3: Memory in sectors.
