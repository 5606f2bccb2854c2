//! BGZF: gzip files whose members, the blocks, have at most 64 KiB and their lengths in their
//! headers, so that several threads can compress and decompress them (SAM specification, section
//! 4.1).

use libdeflater::{CompressionLvl, Compressor};

/// Bytes of a block before compression, as in bgzip.
const BLOCK: usize = 0xff00;

/// Header of a block up to its length.
const HEADER: [u8; 16] = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0];

/// Bytes of a header, and of the checksum and the length after the compressed bytes.
const FRAME: usize = HEADER.len() + 2 + 8;

/// A compressor to BGZF, which every program for gzip reads.
///
/// ```
/// use carrywave::io::output::Bgzf;
///
/// let mut compressor = Bgzf::new(1);
/// let mut file = Vec::new();
/// compressor.append(b"@read1\nGATTACA\n+\nIIIIIII\n", &mut file);
/// file.extend_from_slice(&Bgzf::END);
/// let mut text = Vec::new();
/// std::io::copy(&mut flate2::read::MultiGzDecoder::new(&file[..]), &mut text)?;
/// assert_eq!(text, b"@read1\nGATTACA\n+\nIIIIIII\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Bgzf {
    compressor: Compressor,
}

impl Bgzf {
    /// The block without bytes that ends a file.
    pub const END: [u8; 28] =
        [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    /// Returns a compressor of a level: 1, the fastest, to 12, the smallest; others count as the
    /// nearest of these. See the [example](Self).
    pub fn new(level: u32) -> Self {
        let level = CompressionLvl::new(level.clamp(1, 12) as i32).unwrap_or_default();
        Self { compressor: Compressor::new(level) }
    }

    /// Appends the blocks of some bytes to `to`. O(n). See the [example](Self).
    pub fn append(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        for block in bytes.chunks(BLOCK) {
            let start = to.len();
            // The bytes that do not become fewer are stored as they are, so all have room here.
            to.resize(start + (1 << 16), 0);
            let place = &mut to[start + HEADER.len() + 2..start + (1 << 16) - 8];
            let len =
                self.compressor.deflate_compress(block, place).expect("a block with its frame has at most 64 KiB");
            let size = (FRAME + len - 1) as u16;
            let end = start + FRAME - 8 + len;
            to[start..start + HEADER.len()].copy_from_slice(&HEADER);
            to[start + HEADER.len()..start + HEADER.len() + 2].copy_from_slice(&size.to_le_bytes());
            to[end..end + 4].copy_from_slice(&libdeflater::crc32(block).to_le_bytes());
            to[end + 4..end + 8].copy_from_slice(&(block.len() as u32).to_le_bytes());
            to.truncate(end + 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_block_has_room() {
        for level in 1..=12 {
            assert!(Bgzf::new(level).compressor.deflate_compress_bound(BLOCK) + FRAME <= 1 << 16, "{level}");
        }
    }

    #[test]
    fn any_bytes_come_back() {
        let mut random = fastrand::Rng::with_seed(1);
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 77] {
            for symbols in [1, 4, 256] {
                let bytes: Vec<u8> = (0..len).map(|_| random.usize(0..symbols) as u8).collect();
                for level in [0, 1, 6, 99] {
                    let mut file = Vec::new();
                    Bgzf::new(level).append(&bytes, &mut file);
                    file.extend_from_slice(&Bgzf::END);
                    let mut text = Vec::new();
                    flate2::read::MultiGzDecoder::new(&file[..]).read_to_end(&mut text).unwrap();
                    assert!(text == bytes, "{len} {symbols} {level}");
                }
            }
        }
    }
}
