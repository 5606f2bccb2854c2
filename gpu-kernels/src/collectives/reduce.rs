//! Combines the values of neighbouring lanes.

/// Combines the values `$value` of each group of 2^`$levels` neighbouring lanes, and leaves the
/// result in `$value` in all lanes of the group. `$levels` is at most 5 and the same in all lanes.
///
/// ```text
/// levels 2    lane    0     1     2     3
/// value               a     b     c     d
/// level 0            ab    ab    cd    cd       with the lane whose number differs in bit 0
/// level 1          abcd  abcd  abcd  abcd       in bit 1
/// ```
///
/// The expression combines two values. It must be commutative and associative, or the lanes get
/// different results.
///
/// All 32 lanes of the warp must run it together.
///
/// **Cost.** 1 shuffle and 1 combination per level.
///
/// This is a macro because LLVM copies a function with an unknown number of levels for the lanes
/// whose value it knows. The copies then shuffle apart from the other lanes.
macro_rules! reduce_groups {
    ($value:ident, $levels:expr, $other:ident => $combined:expr) => {
        for level in 0..$levels {
            // SAFETY: the caller guarantees that all lanes are here.
            let ($other, _) = unsafe { warp::warp_shuffle_xor(FULL_WARP, $value, 1 << level, WARP) };
            $value = $combined;
        }
    };
}
pub(crate) use reduce_groups;

#[cfg(test)]
mod tests {
    use simt_std::prelude::*;
    use simt_std::simulator::{Grid, Simulator};

    #[test]
    fn lanes_of_a_group_have_the_greatest_of_their_values() {
        let body = || {
            let lane = warp::lane_id();
            let mut greatest = lane;
            // All lanes are here.
            reduce_groups!(greatest, 2, other => greatest.max(other));
            assert_eq!(greatest, lane / 4 * 4 + 3);
        };
        Simulator::default().launch("reduce_groups", Grid::linear(1, 32), body).unwrap();
    }
}
