//! The book.

pub mod listings;
