//! Chapter 11.
