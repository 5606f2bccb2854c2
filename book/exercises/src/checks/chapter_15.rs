//! Checks of chapter 15.
