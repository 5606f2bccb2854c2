//! A strip of a launch: the rows of a warp, and the positions of its columns and carries.

/// A strip of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Strip {
    /// Start of its words in a plane and in V.
    pub words: u64,
    /// Number of rows.
    pub rows: u64,
    /// Start of its columns among the prepared ones.
    pub columns: u64,
    /// Number of columns.
    pub n: u64,
    /// Start of its row of carries in, or [`NONE`](carrywave_kernels::lcs::wavefront::NONE).
    pub below: u64,
    /// Number of tiles of that row.
    pub tiles_below: u64,
    /// Start of its row of carries out, or [`NONE`](carrywave_kernels::lcs::wavefront::NONE).
    pub above: u64,
    /// Tags of both rows.
    pub tags: u64,
    /// Number of columns of its table, at least n.
    pub table_columns: u64,
}

/// Returns the tags of the rows of carries below and above a strip, in the format of its entry.
/// `first` is the tag of the row below the lowest strip.
pub fn tags(first: u32, strip: u64) -> u64 {
    let below = u64::from(first) + strip;
    below | (below + 1) << 32
}
