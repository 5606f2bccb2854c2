//! Checks of chapter 10.
