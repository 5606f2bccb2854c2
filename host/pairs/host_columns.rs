//! Two columns of strings in the host's memory: bytes and offsets, as in Arrow.

/// The symbols of a column, one string after another.
pub trait ColumnBytes: Sync {
    /// Copies the bytes from `start` on.
    fn copy(&self, start: usize, to: &mut [u8]);
}

impl ColumnBytes for Vec<u8> {
    fn copy(&self, start: usize, to: &mut [u8]) {
        to.copy_from_slice(&self[start..][..to.len()]);
    }
}

/// Two columns of equally many strings.
#[derive(Clone, Copy)]
pub struct HostColumns<'c> {
    /// The symbols of each column.
    pub symbols: [&'c dyn ColumnBytes; 2],
    /// The place of each string in its column's symbols, and the end of the last one.
    pub offsets: [&'c [u64]; 2],
    /// True for pairs that are not compared; empty if all are.
    pub missing: &'c [bool],
}
