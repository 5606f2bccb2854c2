//! Checks of chapter 7.
