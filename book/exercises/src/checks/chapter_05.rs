//! Checks of chapter 5.
