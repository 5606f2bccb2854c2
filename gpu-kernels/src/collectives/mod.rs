//! Collectives: operations that the lanes of a warp compute together, built from the single
//! shuffles, votes and matches of [`simt_std::warp`].
//!
//! All 32 lanes of a warp call a collective together. They need no barrier and no shared memory.
//!
//! Each entry gives the result, then the cost besides the operator:
//!
//! - [`broadcast`](broadcast::broadcast): one lane's value, in all lanes; 1 shuffle.
//! - [`claim`](claim::claim): the next number of a counter in global memory, the same in all lanes;
//!   1 atomic addition and 1 shuffle.
//! - [`first`](first::first): the value of the lowest lane that has one; 1 ballot and 1 shuffle.
//! - The macro `reduce_groups!` of [`reduce`]: the combined values of 2^levels neighbouring lanes;
//!   1 shuffle per level.
//! - [`suffix_min`](suffix_min::suffix_min): the minimum over this lane and the lanes above it;
//!   5 shuffles.
//! - The macro `slots!` of [`slots`]: the position of each lane's items in a list, and the number
//!   of items of all lanes; 6 shuffles.
//! - [`below`](neighbours::below), [`above`](neighbours::above): a neighbouring lane's value,
//!   across the borders of a warp's tiles; 1 shuffle.
//! - [`transposed`](transpose::transposed): the transpose of a square of 32 × 32 bits; 32 ballots.
//! - [`WarpAdd`](add::WarpAdd): the sum of two 1,024-bit numbers; 5 shuffles or 2 ballots.
//!
//! [`simt_std::warp::warp_reduce`] reduces over the whole warp. The inclusive scans of Mitani, Ino
//! and Hagihara, with any associative operator, are in [`published::scan`](crate::published::scan).

pub mod add;
pub mod broadcast;
pub mod claim;
pub mod first;
pub mod neighbours;
pub mod reduce;
pub mod slots;
pub mod suffix_min;
pub mod transpose;
