//! Kernels that measure a GPU, or compare it with the rules that the simulator follows.
//!
//! | module | measurement |
//! |---|---|
//! | [`device_test`] | results of every function of the device layer, against PTX's definitions |
//! | [`issue_rate`] | integer instructions per second |
//! | [`memory_rate`] | bytes of memory read and copied per second |
//! | [`shared_access`] | cost of a shared memory access, by the elements that the lanes access |
//! | [`sums`] | the two ways of adding numbers of 1,024 bits across a warp |
//! | [`contiguous`] | the two access patterns of Nakano's memory machines |

pub mod contiguous;
pub mod device_test;
pub mod issue_rate;
pub mod memory_rate;
pub mod shared_access;
pub mod sums;
