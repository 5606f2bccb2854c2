//! Edit distance of two strings, and of many pairs of strings.
//!
//! | module | content |
//! |---|---|
//! | [`wavefront`] | two strings: bit lanes that follow one another through the columns |
//! | [`word_wavefront`] | two short strings: words that carry from row to row |
//! | [`overlap_wavefront`] | the bit lanes for the scores of overlaps |
//! | [`text_tiles`] | preparation of the columns' strings for the wavefront |
//! | [`lane_rows`] | preparation of the rows; reordering of a column into the order of the rows |
//! | [`all_pairs`] | all pairs of two lists: a word is one cell of 32 tables |
//! | [`listed_pairs`] | listed pairs: a word is one cell of 32 tables |
//! | [`long_pairs`] | listed pairs of long strings: a warp has one cell of 32 tables |
//! | [`pair_cell`] | the inner step of these: a cell, by logic and by additions |
//! | [`pair_edges`] | the differences between blocks of columns, in memory |
//! | [`string_groups`], [`string_planes`] | preparation of the strings for these |
//! | [`symbols_used`] | the symbols that occur in a text, for the planes |
//! | [`position_matches`] | pairs of columns: symbols at equal or nearby positions |
//! | [`band`] | the rows that matter if only distances up to a maximum are needed |
//! | [`last_row`], [`bit_sum`] | summation of the last row's differences to distances |
//!
//! [`published::nakano`](crate::published::nakano) computes the distance of a string to the nearest
//! substring of another (Nakano 2012).

pub mod all_pairs;
pub mod band;
pub mod bit_sum;
pub mod lane_rows;
pub mod last_row;
pub mod listed_pairs;
pub mod long_pairs;
pub mod overlap_wavefront;
pub mod pair_cell;
pub mod pair_edges;
pub mod position_matches;
pub mod string_groups;
pub mod string_planes;
pub mod symbols_used;
pub mod text_tiles;
pub mod wavefront;
pub mod word_wavefront;
