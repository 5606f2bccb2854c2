//! Solutions of chapter 5: Banks.
