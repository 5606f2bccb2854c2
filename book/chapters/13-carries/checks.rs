//! Chapter 13.
