//! Solutions of chapter 8: Warps.
