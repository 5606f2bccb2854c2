//! Checks of chapter 3.
