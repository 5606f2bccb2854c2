//! Edit distance: of two strings, and of many pairs of strings.
//!
//! | module | what |
//! |---|---|
//! | [`wavefront`] | two strings: bit lanes that follow one another through the columns |
//! | [`text_tiles`], [`lane_rows`] | the strings, made ready for it; and its columns, in the order of the rows |
//! | [`all_pairs`] | all pairs of two lists: a word is a cell of 32 tables |
//! | [`listed_pairs`] | the same for listed pairs |
//! | [`pair_cell`] | their inner step: a cell, by logic and by sums |
//! | [`string_groups`], [`string_planes`] | the strings, made ready for them |
//! | [`band`] | which rows matter where only distances up to a maximum are wanted |
//! | [`last_row`], [`bit_sum`] | from the last row's differences to distances |
//!
//! The distance of a string to the nearest substring of another, as Nakano (2012) has it, is in
//! [`published::nakano`](crate::published::nakano).

pub mod all_pairs;
pub mod band;
pub mod bit_sum;
pub mod lane_rows;
pub mod last_row;
pub mod listed_pairs;
pub mod pair_cell;
pub mod string_groups;
pub mod string_planes;
pub mod text_tiles;
pub mod wavefront;
