//! Sums of 1,024-bit numbers: a kernel that only calls [`WarpAdd`], to test and compare its two
//! ways.

use core::marker::PhantomData;

use crate::collectives::add::{ConditionalSum, LookAhead, WarpAdd};
use simt_std::prelude::*;

/// Computes sums of 1,024-bit numbers. Launch: one block per sum.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Sums<A> {
    /// First summands, 32 words per sum.
    pub a: Global<u32>,
    /// Second summands, 32 words per sum.
    pub b: Global<u32>,
    /// One word per sum, 0 or 1.
    pub carry_in: Global<u32>,
    /// Out: 32 words per sum.
    pub sum: Global<u32>,
    /// Out: one word per sum, 0 or 1.
    pub carry_out: Global<u32>,
    /// The way to add.
    pub add: PhantomData<A>,
}

#[kernel(
    threads = WARP,
    instances = [
        sums_conditional_sum: (ConditionalSum), sums_look_ahead: (LookAhead),
    ]
)]
fn sums<A: WarpAdd>(self: Sums<A>) {
    let number = thread::block_idx_x() as usize;
    let i = thread::index_1d() as usize;
    // SAFETY: a block is one warp, and all of its lanes are here.
    let (sum, carry_out) = unsafe { A::add(self.a.read(i), self.b.read(i), self.carry_in.read(number)) };
    self.sum.write(i, sum);
    if warp::lane_id() == WARP - 1 {
        self.carry_out.write(number, carry_out);
    }
}
