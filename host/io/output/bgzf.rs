//! BGZF: gzip files whose members, the blocks, have at most 64 KiB and their lengths in their
//! headers, so that several threads can compress and decompress them (SAM specification, section
//! 4.1).

use super::deflate::LineDeflate;
use libdeflater::{CompressionLvl, Compressor};

/// Bytes of a block before compression, as in bgzip.
const BLOCK: usize = 0xff00;

/// Header of a block up to its length.
const HEADER: [u8; 16] = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0];

/// Bytes of a header, and of the checksum and the length after the compressed bytes.
const FRAME: usize = HEADER.len() + 2 + 8;

/// Bytes that are compressed in both ways, to choose the way for all.
const SAMPLE: usize = 1 << 14;

/// A compressor to BGZF, which every program for gzip reads. The fastest level has a compressor
/// for reads, which looks for repeats in headers and qualities alone; texts that this makes more
/// than a tenth longer are compressed by libdeflate, as those of all other levels.
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
    /// The compressor for reads, for the fastest level.
    lines: Option<LineDeflate>,
}

impl Bgzf {
    /// The block without bytes that ends a file.
    pub const END: [u8; 28] =
        [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    /// Returns a compressor of a level: 1, the fastest, to 12, the smallest; others count as the
    /// nearest of these. See the [example](Self).
    pub fn new(level: u32) -> Self {
        let lines = (level <= 1).then(LineDeflate::default);
        let level = CompressionLvl::new(level.clamp(1, 12) as i32).unwrap_or_default();
        Self { compressor: Compressor::new(level), lines }
    }

    /// Appends the blocks of some bytes to `to`. O(n). See the [example](Self).
    pub fn append(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        let by_lines = self.is_for_lines(&bytes[..bytes.len().min(SAMPLE)]);
        for block in bytes.chunks(BLOCK) {
            let start = to.len();
            to.extend_from_slice(&HEADER);
            to.extend_from_slice(&[0; 2]);
            match self.lines.as_mut().filter(|_| by_lines) {
                Some(lines) => lines.append(block, to),
                None => self.deflate(block, to),
            }
            let size = (to.len() + 8 - start - 1) as u16;
            to[start + HEADER.len()..start + HEADER.len() + 2].copy_from_slice(&size.to_le_bytes());
            to.extend_from_slice(&libdeflater::crc32(block).to_le_bytes());
            to.extend_from_slice(&(block.len() as u32).to_le_bytes());
        }
    }

    /// Returns true if the compressor for reads makes few bytes of a sample.
    fn is_for_lines(&mut self, sample: &[u8]) -> bool {
        let Some(lines) = &mut self.lines else { return false };
        let mut both = Vec::new();
        lines.append(sample, &mut both);
        let by_lines = both.len();
        self.deflate(sample, &mut both);
        by_lines * 10 <= (both.len() - by_lines) * 11
    }

    /// Appends a block without its frame.
    fn deflate(&mut self, block: &[u8], to: &mut Vec<u8>) {
        let start = to.len();
        // Bytes that do not become fewer are stored as they are, so all have room here.
        to.resize(start + (1 << 16) - FRAME, 0);
        let len = self
            .compressor
            .deflate_compress(block, &mut to[start..])
            .expect("a block with its frame has at most 64 KiB");
        to.truncate(start + len);
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
    fn reads_that_repeat_are_no_longer_than_by_libdeflate() {
        let mut random = fastrand::Rng::with_seed(2);
        let bases = |random: &mut fastrand::Rng| (0..150).map(|_| b"ACGT"[random.usize(0..4)]).collect::<Vec<u8>>();
        let amplicon = bases(&mut random);
        let reads = |of: &mut dyn FnMut() -> Vec<u8>| {
            (0..300)
                .flat_map(|number| {
                    [format!("@{number}\n").into(), of(), b"\n+\n".to_vec(), vec![b'F'; 150], b"\n".to_vec()].concat()
                })
                .collect::<Vec<u8>>()
        };
        for (text, by_lines) in
            [(reads(&mut || amplicon[random.usize(0..9)..].to_vec()), false), (reads(&mut || bases(&mut random)), true)]
        {
            let mut bgzf = Bgzf::new(1);
            assert_eq!(bgzf.is_for_lines(&text[..SAMPLE]), by_lines);
            let mut file = Vec::new();
            bgzf.append(&text, &mut file);
            let mut other = Vec::new();
            Bgzf { lines: None, ..Bgzf::new(1) }.append(&text, &mut other);
            assert!(file.len() * 10 <= other.len() * 11, "{} {}", file.len(), other.len());
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
