//! Collectives: what the lanes of a warp compute together, where [`simt_std::warp`] has the single shuffle, vote or match.
//!
//! All 32 lanes of a warp call a collective together. They need no barrier and no shared memory.
//!
//! | piece | what it gives | cost beside the operator |
//! |---|---|---|
//! | [`broadcast`](broadcast::broadcast) | one lane's value, to all lanes | 1 shuffle |
//! | [`claim`](claim::claim) | the next number of a counter in global memory, the same in all lanes | 1 atomic addition, 1 shuffle |
//! | [`first`](first::first) | the value of the lowest lane that has one | 1 ballot, 1 shuffle |
//! | the macro `reduce_groups!` of [`reduce`] | the values of 2^levels neighbouring lanes combined | a shuffle a level |
//! | [`suffix_min`](suffix_min::suffix_min) | the least value of this lane and the lanes above it | 5 shuffles |
//! | the macro `slots!` of [`slots`] | where in a list each lane puts its items, and how many all lanes have | 6 shuffles |
//! | [`below`](neighbours::below), [`above`](neighbours::above) | a neighbouring lane's value, across the borders of a warp's tiles | 1 shuffle |
//! | [`transposed`](transpose::transposed) | a square of 32 × 32 bits by columns instead of rows | 32 ballots |
//! | [`WarpAdd`](add::WarpAdd) | a sum of 1,024-bit numbers | 5 shuffles or 2 ballots |
//!
//! A reduction of the whole warp is [`simt_std::warp::warp_reduce`]. The inclusive scans of Mitani, Ino and Hagihara, with any associative
//! operator, are in [`published::scan`](crate::published::scan).

pub mod add;
pub mod broadcast;
pub mod claim;
pub mod first;
pub mod neighbours;
pub mod reduce;
pub mod slots;
pub mod suffix_min;
pub mod transpose;
