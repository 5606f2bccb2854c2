//! Checks of chapter 9.
