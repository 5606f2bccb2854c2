//! Exercises of chapter 5: Banks.
