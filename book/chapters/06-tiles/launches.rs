//! Chapter 6.
