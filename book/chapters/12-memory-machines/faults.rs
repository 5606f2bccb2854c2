//! Chapter 12.
