//! Checks of chapter 1.
