//! Chapter 5.
