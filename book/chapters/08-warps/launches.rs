//! Chapter 8.
