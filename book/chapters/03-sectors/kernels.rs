//! Chapter 3.
