//! The best approximate match: the least edit distance of a string to any substring of another, and where that
//! substring ends.

pub mod nakano;
