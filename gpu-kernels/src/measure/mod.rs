//! What measures a machine, or compares it with the rules.
//!
//! | module | what |
//! |---|---|
//! | [`device_test`] | every function of the device layer once |
//! | [`issue_rate`] | how fast a GPU issues integer instructions |
//! | [`memory_rate`] | how fast its memory is read and copied |
//! | [`shared_access`] | what an access of shared memory at given places costs |
//! | [`contiguous`] | the two access patterns of Nakano's memory machines |

pub mod contiguous;
pub mod device_test;
pub mod issue_rate;
pub mod memory_rate;
pub mod shared_access;
