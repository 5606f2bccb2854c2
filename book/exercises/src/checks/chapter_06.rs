//! Checks of chapter 6.
