//! Positions in a list that the lanes of a warp append to, each lane any number of items.

/// The positions of a lane's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slots {
    /// Position of this lane's first item, after the items of the lower lanes.
    pub first: u32,
    /// Number of items of all lanes.
    pub total: u32,
}

/// Computes the [`Slots`] of a lane that appends `$count` items to its warp's list: an exclusive
/// prefix sum.
///
/// ```text
/// lane           0  1  2  3
/// count          2  0  3  1
/// distance 1     2  2  3  4      each lane adds the sum of the lane `distance` below
/// distance 2     2  2  5  6      the sum of all lanes up to this one
/// first          0  2  2  5      without this lane's own count
/// total          6  6  6  6      lane 3's sum
/// ```
///
/// All 32 lanes of the warp must run it together.
///
/// **Cost.** 6 shuffles.
///
/// This is a macro because LLVM simplifies a function before it inlines it, and then allocates
/// other registers for the surrounding loop.
macro_rules! slots {
    ($count:expr) => {{
        let lane = warp::lane_id();
        let mut up_to = $count;
        let mut first = 0u32.wrapping_sub(up_to);
        for distance in [1, 2, 4, 8, 16] {
            // SAFETY: the caller guarantees that all lanes are here.
            let (below, _) = unsafe { warp::warp_shuffle_up(FULL_WARP, up_to, distance, WARP) };
            if lane >= distance {
                up_to += below;
            }
        }
        first = first.wrapping_add(up_to);
        // SAFETY: as above.
        let (total, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, up_to, WARP - 1, WARP) };
        Slots { first, total }
    }};
}
pub(crate) use slots;

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::prelude::*;
    use simt_std::simulator::{Grid, Simulator};

    #[test]
    fn items_of_lower_lanes_come_first() {
        let body = || {
            let lane = warp::lane_id();
            let expected = Slots { first: lane * lane.saturating_sub(1) / 2, total: 31 * 32 / 2 };
            // All lanes are here, and lane l has l items.
            assert_eq!(slots!(lane), expected);
        };
        Simulator::default().launch("slots", Grid::linear(1, 32), body).unwrap();
    }
}
