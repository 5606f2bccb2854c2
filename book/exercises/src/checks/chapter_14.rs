//! Checks of chapter 14.
