//! Checks of chapter 8.
