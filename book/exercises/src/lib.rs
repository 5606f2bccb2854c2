//! Exercises of the book on GPU kernels in Rust. Each chapter has a file with kernels to complete.
//! `cargo test chapter_04` says which exercises of chapter 4 are solved, and what is wrong with the
//! others.

// An exercise that is not begun leaves its parameters unused.
#![allow(unused)]

pub mod chapter_01;
pub mod chapter_02;
pub mod chapter_03;
pub mod chapter_04;
pub mod chapter_05;
pub mod chapter_06;
pub mod chapter_07;
pub mod chapter_08;
pub mod chapter_09;
pub mod chapter_10;
pub mod chapter_11;
pub mod chapter_12;
pub mod chapter_13;
pub mod chapter_14;
pub mod chapter_15;
pub mod chapter_16;

#[cfg(test)]
mod checks;
