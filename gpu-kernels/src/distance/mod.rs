//! The least edit distance of a string to any substring of another, and where that ends.

pub mod nakano;
