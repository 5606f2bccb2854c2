//! The blocks of a BGZF file, one after the other.

use super::gzi::BlockStart;
use crate::io::sequence::changes::RegularFile;
use crate::io::sequence::unpack::bgzf::{BLOCK, HEADER, block_len, decompress_block};
use libdeflater::Decompressor;
use std::io;

/// A block of a BGZF file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub start: BlockStart,
    /// Size in the file, in bytes.
    packed_len: u64,
    /// Size before compression, in bytes.
    plain_len: u64,
}

impl Block {
    /// Returns the block at an offset, or `None` at the end of the file.
    ///
    /// # Errors
    /// An error if the file cannot be read, or has no BGZF block there.
    pub fn at(file: &RegularFile, start: BlockStart) -> io::Result<Option<Self>> {
        let mut header = [0; HEADER];
        if file.read_full_at(&mut header, start.packed)? == 0 {
            return Ok(None);
        }
        let unexpected = || io::Error::new(io::ErrorKind::InvalidData, "the file has parts that are not BGZF blocks");
        let len = block_len(&header).ok_or_else(unexpected)? as u64;
        let mut plain_len = [0; 4];
        if file.read_full_at(&mut plain_len, start.packed + len - 4)? < 4 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends within a BGZF block"));
        }
        let plain_len = u64::from(u32::from_le_bytes(plain_len));
        if plain_len > BLOCK as u64 {
            return Err(unexpected());
        }
        Ok(Some(Self { start, packed_len: len, plain_len }))
    }

    /// Returns the start of the next block.
    pub fn end(&self) -> BlockStart {
        let BlockStart { packed, plain } = self.start;
        BlockStart { packed: packed + self.packed_len, plain: plain.saturating_add(self.plain_len) }
    }

    /// Appends the contents of the block.
    ///
    /// # Errors
    /// An error if the file cannot be read or the block is damaged.
    pub fn decompress(&self, file: &RegularFile, to: &mut Vec<u8>) -> io::Result<()> {
        let mut packed = vec![0; self.packed_len as usize];
        let read = file.read_full_at(&mut packed, self.start.packed)?;
        let is_whole = read == packed.len() && decompress_block(&mut Decompressor::new(), &packed, to).is_some();
        if is_whole { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidData, "a BGZF block is damaged")) }
    }
}
