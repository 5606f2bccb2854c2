//! Checks of chapter 2.
