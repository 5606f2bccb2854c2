//! Solutions of chapter 7: Divergence.
