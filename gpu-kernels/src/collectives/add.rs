//! The sum of two 1,024-bit numbers across a warp. Each lane holds 32 bits; lane 0 holds the
//! lowest.
//!
//! ```text
//! lane        31          …           1           0
//!          [31..0]                 [31..0]     [31..0]  <- carry in
//! carry out <-  c31 <- … <- c2 <-   c1   <-  c0
//! ```
//!
//! A carry may ripple through all 32 lanes, so the lanes must not wait for one another in turn. Two
//! ways avoid that, both without a barrier:
//!
//! | | steps after the lane's own sum | collectives |
//! |---|---|---|
//! | [`ConditionalSum`] | log2(32) = 5 | 5 shuffles |
//! | [`LookAhead`] | 1 | 2 ballots |
//!
//! ```
//! # use simt_std::{simulator::{Grid, Simulator}, warp};
//! use carrywave_kernels::collectives::add::{LookAhead, WarpAdd};
//! # Simulator::default().launch("add", Grid::linear(1, 32), || {
//! // 2^1024 - 1 and a carry in: the carry ripples through all lanes and out of the last.
//! // SAFETY: all lanes are here.
//! let sum = unsafe { LookAhead::add(!0, 0, 1) };
//! assert_eq!(sum.0, 0);
//! assert!(warp::lane_id() < 31 || sum.1 == 1);
//! # })?;
//! # Ok::<(), simt_std::simulator::Fault>(())
//! ```

use simt_std::prelude::*;

/// A way to add two numbers of 1,024 bits across a warp.
pub trait WarpAdd: Copy + Send + Sync + 'static {
    /// Returns this lane's word of `a` + `b` + `carry_in`, and the carry out of the whole sum (0 or
    /// 1). The carry out is valid in lane 31 and unspecified in the other lanes. `carry_in` (0
    /// or 1) is the same in every lane.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    unsafe fn add(a: u32, b: u32, carry_in: u32) -> (u32, u32);
}

/// Sklansky's conditional-sum addition (1960), as Kawanami and Fujimoto (2014, section 3.4,
/// figure 3) divide it among the threads of a warp. They pass carries through shared memory; this
/// implementation shuffles them.
///
/// Every lane holds its sum and carry for both cases: no carry comes in (case 0), a carry comes in
/// (case 1). In step t, the upper half of each group of 2^(t+1) lanes learns the carry out of the
/// lower half in both cases. Each of its lanes then selects, for both cases, the sum and carry that
/// fit:
///
/// ```text
/// 4 lanes of 4 bits, a = 0011 1111 1000 0111, b = 0001 0000 1000 0001 (lane 3 first)
///
///            lane 3      lane 2      lane 1      lane 0
/// case 0     0 0100      0 1111      1 0000      0 1000      carry, sum
/// case 1     0 0101      1 0000      1 0001      0 1001
/// pairs: lane 1 knows lane 0's carry (0 in both cases), lane 3 lane 2's (0 or 1)
/// case 0     0 0100      0 1111      1 0000      0 1000
/// case 1     0 0101      1 0000      1 0000      0 1001
/// all: lanes 2 and 3 know lane 1's carry (1 in both cases)
/// case 0     0 0101      1 0000      1 0000      0 1000      = a + b
/// case 1     0 0101      1 0000      1 0000      0 1001      = a + b + 1
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ConditionalSum;

impl WarpAdd for ConditionalSum {
    #[inline(always)]
    unsafe fn add(a: u32, b: u32, carry_in: u32) -> (u32, u32) {
        let lane = warp::lane_id();
        let (mut sum0, carry0) = a.overflowing_add(b);
        let mut sum1 = sum0.wrapping_add(1);
        // Bit 0: the carry out in case 0. Bit 1: in case 1.
        let mut carries = u32::from(carry0) | u32::from(carry0 | (sum1 == 0)) << 1;
        for step in 0..5 {
            let half = 1 << step;
            // The top lane of the lower half of this lane's group.
            let below = (lane & !(2 * half - 1)) + half - 1;
            // SAFETY: all lanes are here.
            let (lower, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, carries, below, WARP) };
            // The lower half has nothing below it in its group: each case stays as it is.
            let lower = if lane & half != 0 { lower } else { 0b10 };
            (sum0, sum1) = (if lower & 1 != 0 { sum1 } else { sum0 }, if lower & 2 != 0 { sum1 } else { sum0 });
            carries = carries >> (lower & 1) & 1 | (carries >> (lower >> 1) & 1) << 1;
        }
        let sum = if carry_in == 0 { sum0 } else { sum1 };
        (sum, carries >> carry_in & 1)
    }
}

/// Carry look-ahead by two ballots: one addition finds all carries of a warp.
///
/// Lane l generates a carry if its sum overflows, and propagates a carry if its sum is all ones. G
/// and P hold one bit per lane. Adding P to the carries that G generates ripples through runs of
/// propagating lanes just as the carries do:
///
/// ```text
/// 4 lanes of 4 bits, a = 0011 1111 1000 0111, b = 0001 0000 1000 0001 (lane 3 first)
/// sums 0100 1111 0000 1000      G = 0010 (lane 1)      P = 0100 (lane 2)
/// C = (G << 1) | carry in = 0100
/// (C + P) ^ P = 1000 ^ 0100 = 1100: carries come into lanes 2 and 3
/// ```
#[derive(Debug, Clone, Copy)]
pub struct LookAhead;

impl WarpAdd for LookAhead {
    #[inline(always)]
    unsafe fn add(a: u32, b: u32, carry_in: u32) -> (u32, u32) {
        let (sum, carry) = a.overflowing_add(b);
        // SAFETY: all lanes are here.
        let generate = unsafe { warp::warp_vote_ballot(FULL_WARP, carry) };
        // SAFETY: all lanes are here.
        let propagate = unsafe { warp::warp_vote_ballot(FULL_WARP, sum == !0) };
        let generated = generate << 1 | carry_in;
        let (rippled, overflow) = generated.overflowing_add(propagate);
        let carries = rippled ^ propagate;
        // Bit 32 of the look-ahead: the carry that lane 31 generates is shifted out, and a carry
        // that ripples through lane 31 overflows.
        (sum.wrapping_add(carries >> warp::lane_id() & 1), generate >> 31 | u32::from(overflow))
    }
}
