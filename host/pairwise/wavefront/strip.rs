//! A strip of a launch: the rows of a warp, and where its columns and its carries are.

/// A strip of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Strip {
    /// The start of its words in a plane and in V.
    pub words: u64,
    /// Its number of rows.
    pub rows: u64,
    /// The start of its columns among the prepared ones.
    pub columns: u64,
    /// Its number of columns.
    pub n: u64,
    /// Where its row of carries in starts, or
    /// [`NO_NEIGHBOUR`](carrywave_kernels::lcs::wavefront::NO_NEIGHBOUR).
    pub below: u64,
    /// The number of tiles of that row.
    pub tiles_below: u64,
    /// Where its row of carries out starts, or
    /// [`NO_NEIGHBOUR`](carrywave_kernels::lcs::wavefront::NO_NEIGHBOUR).
    pub above: u64,
    /// The tags of both.
    pub tags: u64,
    /// All tiles of its table.
    pub tiles: u64,
}

/// The tags of the rows of carries below and above a strip, as its entry has them, where `first` is the row's below the
/// lowest.
pub fn tags(first: u32, strip: u64) -> u64 {
    let below = u64::from(first) + strip;
    below | (below + 1) << 32
}
