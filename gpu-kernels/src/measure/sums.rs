//! Sums of 1,024-bit numbers: a kernel of nothing but [`WarpAdd`], to test its two ways on a machine and to compare them.

use core::marker::PhantomData;

use crate::collectives::add::{ConditionalSum, LookAhead, WarpAdd};
use simt_std::prelude::*;

/// Computes sums of 1,024-bit numbers. Launch: one block a sum.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Sums<A> {
    /// 32 words a sum.
    pub a: Global<u32>,
    /// 32 words a sum.
    pub b: Global<u32>,
    /// One word a sum, 0 or 1.
    pub carry_in: Global<u32>,
    /// Out: 32 words a sum.
    pub sum: Global<u32>,
    /// Out: one word a sum, 0 or 1.
    pub carry_out: Global<u32>,
    /// The way of adding.
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
    // SAFETY: one warp a block, and all of its lanes are here.
    let (sum, carry_out) = unsafe { A::add(self.a.read(i), self.b.read(i), self.carry_in.read(number)) };
    self.sum.write(i, sum);
    if warp::lane_id() == WARP - 1 {
        self.carry_out.write(number, carry_out);
    }
}
