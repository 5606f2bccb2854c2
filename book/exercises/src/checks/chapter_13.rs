//! Checks of chapter 13.
