//! Kernels that measure a GPU, or compare it with the rules that the simulator follows.
//!
//! | module | what |
//! |---|---|
//! | [`device_test`] | every function of the device layer once, against PTX's definitions |
//! | [`issue_rate`] | how many integer instructions a GPU issues a second |
//! | [`memory_rate`] | how many bytes of its memory it reads and copies a second |
//! | [`shared_access`] | what an access of shared memory costs, by which places the lanes ask for |
//! | [`sums`] | the two ways of adding numbers of 1,024 bits across a warp |
//! | [`contiguous`] | the two access patterns of Nakano's memory machines |

pub mod contiguous;
pub mod device_test;
pub mod issue_rate;
pub mod memory_rate;
pub mod shared_access;
pub mod sums;
