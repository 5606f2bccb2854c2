//! Checks of chapter 11.
