//! BGZF: gzip members of at most 64 KiB whose headers have their lengths, as `bgzip` and `samtools`
//! write them.

use super::members::Members;
use super::units::{Format, Packed};
use flate2::bufread::GzDecoder;
use libdeflater::{Decompressor, crc32};
use std::io::{BufRead, Read};

/// Bytes of a block's header and trailer.
pub(in super::super) const HEADER: usize = 18;
pub(in super::super) const TRAILER: usize = 8;
/// Upper bound on a block's size before compression, in bytes.
pub(in super::super) const BLOCK: usize = 1 << 16;

/// Gzip files. A member is a BGZF block.
#[derive(Clone, Default)]
pub(super) struct Bgzf;

impl Format for Bgzf {
    const UNIT: usize = 1 << 17;

    fn next_len(&mut self, packed: &mut Packed<impl Read>) -> Option<usize> {
        block_len(packed.read_to(HEADER)?)
    }

    fn decompress(&self, packed: &[u8], to: &mut Vec<u8>) -> Option<()> {
        let mut inflate = Decompressor::new();
        let mut rest = packed;
        while !rest.is_empty() {
            let (block, behind) = rest.split_at_checked(block_len(rest)?)?;
            decompress_block(&mut inflate, block, to)?;
            rest = behind;
        }
        Some(())
    }

    fn rest(self, packed: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        Box::new(Members::<GzDecoder<_>, _>::new(packed))
    }
}

/// Returns the length of a block with its header and trailer; `None` if it does not begin with the
/// header of a BGZF block.
pub(in super::super) fn block_len(block: &[u8]) -> Option<usize> {
    let [0x1f, 0x8b, 8, 4, _, _, _, _, _, _, 6, 0, b'B', b'C', 2, 0, low, high, ..] = *block else { return None };
    let len = usize::from(u16::from_le_bytes([low, high])) + 1;
    (len >= HEADER + TRAILER).then_some(len)
}

/// Appends the bytes of a block; `None` if it is damaged.
pub(in super::super) fn decompress_block(inflate: &mut Decompressor, block: &[u8], to: &mut Vec<u8>) -> Option<()> {
    let (deflated, trailer) = block[HEADER..].split_last_chunk::<TRAILER>()?;
    let [c0, c1, c2, c3, l0, l1, l2, l3] = *trailer;
    let len = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).ok().filter(|&len| len <= BLOCK)?;
    let start = to.len();
    to.resize(start + len, 0);
    let is_whole = inflate.deflate_decompress(deflated, &mut to[start..]) == Ok(len);
    (is_whole && crc32(&to[start..]) == u32::from_le_bytes([c0, c1, c2, c3])).then_some(())
}
