//! Checks of chapter 16.
