//! Checks of chapter 12.
