//! `FILE.gzi`: the offsets of the blocks of a BGZF file.

use std::io::{self, Write};

/// Bytes of an entry.
const ENTRY: usize = 16;

/// Offsets of a block's start in the file and in the decompressed contents, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BlockStart {
    pub packed: u64,
    pub plain: u64,
}

/// The starts of all blocks after the first, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Gzi(Vec<BlockStart>);

impl Gzi {
    /// Parses the index: a count, and for each block two numbers, all with 8 bytes, little-endian.
    /// Returns `None` if its length is wrong or the offsets descend.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (count, entries) = bytes.split_first_chunk()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        if entries.len() != count.checked_mul(ENTRY)? {
            return None;
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let start = |entry: &[u8]| BlockStart { packed: number(&entry[..8]), plain: number(&entry[8..]) };
        let starts: Vec<BlockStart> = entries.chunks_exact(ENTRY).map(start).collect();
        let is_in_order = |pair: &[BlockStart]| pair[0].packed < pair[1].packed && pair[0].plain <= pair[1].plain;
        starts.windows(2).all(is_in_order).then_some(Self(starts))
    }

    /// Returns an index of the blocks after the first.
    pub fn new(starts: Vec<BlockStart>) -> Self {
        Self(starts)
    }

    /// Writes the index.
    pub fn write(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        out.write_all(&(self.0.len() as u64).to_le_bytes())?;
        self.0.iter().try_for_each(|start| {
            out.write_all(&start.packed.to_le_bytes())?;
            out.write_all(&start.plain.to_le_bytes())
        })
    }

    /// Returns the last block that starts at or before an offset in the decompressed file.
    pub fn before(&self, plain: u64) -> BlockStart {
        match self.0.partition_point(|start| start.plain <= plain) {
            0 => BlockStart::default(),
            after => self.0[after - 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_read_as_it_is_written() {
        // Made by hand: one block after the first.
        let bytes = b"\x01\0\0\0\0\0\0\0\x2c\x01\0\0\0\0\0\0\0\xff\0\0\0\0\0\0";
        let gzi = Gzi::parse(bytes).unwrap();
        assert_eq!(gzi, Gzi::new(vec![BlockStart { packed: 300, plain: 0xff00 }]));
        let mut written = Vec::new();
        gzi.write(&mut written).unwrap();
        assert_eq!(written, bytes);
        assert_eq!(gzi.before(0xfeff), BlockStart::default());
        assert_eq!(gzi.before(0xff00).packed, 300);
        for len in 0..bytes.len() {
            assert_eq!(Gzi::parse(&bytes[..len]), None);
        }
        assert_eq!(Gzi::parse(&[0xff; 24]), None);
        let two = [&[2, 0, 0, 0, 0, 0, 0, 0], &bytes[8..], &bytes[8..]].concat();
        assert_eq!(Gzi::parse(&two), None);
    }
}
