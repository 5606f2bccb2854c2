//! The values of neighbouring lanes combined.

/// Combines the values `$value` of each 2^`$levels` neighbouring lanes, and leaves the result in `$value` in all of these lanes. There are
/// at most 5 levels, the same number in all lanes.
///
/// ```text
/// levels 2    lane    0     1     2     3
/// value               a     b     c     d
/// level 0            ab    ab    cd    cd       with the lane whose number differs in bit 0
/// level 1          abcd  abcd  abcd  abcd       in bit 1
/// ```
///
/// The expression combines two values. It is commutative and associative: or else the lanes would not have the same result.
///
/// All 32 lanes of the warp run it together: the caller makes sure of that.
///
/// **Cost.** A shuffle and a combination a level.
///
/// A macro: from a function whose number of levels is unknown, LLVM makes a copy for lanes whose value it knows, which then shuffle apart
/// from the others.
macro_rules! reduce_groups {
    ($value:ident, $levels:expr, $other:ident => $combined:expr) => {
        for level in 0..$levels {
            // SAFETY: the caller's: all lanes are here.
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
