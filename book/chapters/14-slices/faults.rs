//! Chapter 14.
