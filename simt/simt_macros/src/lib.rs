//! The attribute `#[kernel]` of simt_std.
