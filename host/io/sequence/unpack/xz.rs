//! Decompresses xz files, and cuts them into blocks if the blocks' headers have their sizes, as
//! `xz -T` writes them.
//!
//! A block is decompressed as a stream of one block. To decompress from a block on, one thread gets
//! a stream with empty blocks in place of the blocks before, because the index has their number.

use super::limits::{MOST, most_memory};
use super::units::{Format, Packed, append_all};
use flate2::Crc;
use lzma_rust2::XzReader;
use std::io::{self, BufRead, Read};

/// Bytes of a stream's header.
const HEADER: usize = 12;

/// Xz files, and a position in them. A member is a block, with the stream's header if it is the
/// first of a stream, and with the stream's index, footer and padding if it is the last.
#[derive(Clone, Default)]
pub(super) enum Xz {
    /// At the start of the file.
    #[default]
    Start,
    /// Behind some blocks of a stream.
    In { stream: Stream, blocks: usize },
    /// Behind a stream.
    Behind(Stream),
}

/// Header of a stream.
#[derive(Clone, Copy)]
pub(super) struct Stream([u8; HEADER]);

impl Format for Xz {
    /// One block.
    const UNIT: usize = 1;

    fn next_len(&mut self, packed: &mut Packed<impl Read>) -> Option<usize> {
        let (stream, start, blocks) = match *self {
            Self::In { stream, blocks } => (stream, 0, blocks),
            Self::Start | Self::Behind(_) => (Stream(packed.array(0)?), HEADER, 0),
        };
        let [size] = packed.array(start)?;
        let header = packed.read_to(start + header_len(size))?;
        let end = start + stream.block_len(&header[start..])?;
        if packed.array(end)? != [0] {
            *self = Self::In { stream, blocks: blocks + 1 };
            return Some(end);
        }
        let end = stream.end(packed, end, blocks + 1)?;
        *self = Self::Behind(stream);
        Some(end)
    }

    fn decompress(&self, packed: &[u8], to: &mut Vec<u8>) -> Option<()> {
        let (stream, block) = match *self {
            Self::In { stream, .. } => (stream, packed),
            Self::Start | Self::Behind(_) => {
                let (stream, block) = packed.split_first_chunk()?;
                (Stream(*stream), block)
            }
        };
        let block = block.get(..stream.block_len(block)?)?;
        let whole = [&stream.0, block, &stream.ending(1)];
        let mut reader = XzReader::new_mem_limit(whole[0].chain(whole[1]).chain(whole[2]), false, memory_limit());
        append_all(&mut reader, to)?;
        // A wrong length of the block may leave bytes.
        (reader.into_inner().read(&mut [0]).ok()? == 0).then_some(())
    }

    fn rest(self, packed: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        let before = match self {
            Self::Start => Vec::new(),
            Self::In { stream, blocks } => stream.with_empty_blocks(blocks),
            Self::Behind(stream) => [&stream.0[..], &stream.ending(0)].concat(),
        };
        Box::new(XzReader::new_mem_limit(io::Cursor::new(before).chain(packed), true, memory_limit()))
    }
}

impl Stream {
    /// Returns the number of bytes of a block's check; `None` for SHA-256 and unknown checks.
    fn check_len(self) -> Option<usize> {
        match self.0[7] {
            0 => Some(0),
            1 => Some(4),
            4 => Some(8),
            _ => None,
        }
    }

    /// Returns the length of a block, with its header, padding and check, if the header has it.
    fn block_len(self, block: &[u8]) -> Option<usize> {
        let [size, flags, ref sizes @ ..] = *block else { return None };
        let mut sizes = sizes.iter();
        // The header has both sizes.
        if size == 0 || flags & 0xc0 != 0xc0 {
            return None;
        }
        let compressed = number(&mut sizes).filter(|&size| size <= MOST)?;
        number(&mut sizes).filter(|&size| size <= MOST)?;
        Some(header_len(size) + compressed.next_multiple_of(4) + self.check_len()?)
    }

    /// Checks the index and the footer at position `at` of the input, behind `blocks` blocks.
    /// Returns the position behind them and the padding.
    fn end(self, packed: &mut Packed<impl Read>, at: usize, blocks: usize) -> Option<usize> {
        let mut ending = Ahead { packed, at };
        let before = self.with_empty_blocks(blocks);
        let whole = XzReader::new(before.chain(&mut ending), false).read(&mut [0]);
        let footer = ending.at;
        let mut end = footer;
        while packed.array(end) == Some([0]) {
            end += 1;
        }
        (matches!(whole, Ok(0)) && (end - footer).is_multiple_of(4)).then_some(end)
    }

    /// Returns the header and `count` empty blocks.
    fn with_empty_blocks(self, count: usize) -> Vec<u8> {
        // The filter LZMA2 with a dictionary of 4 KiB.
        let header = [2, 0, 0x21, 1, 0, 0, 0, 0];
        // The end of the block, and padding.
        let end = [0; 4];
        // The checks of no bytes are 0.
        let check = &[0; 8][..self.check_len().unwrap_or(0)];
        let block = [&header, &crc(&[&header])[..], &end, check].concat();
        [&self.0[..], &block.repeat(count)].concat()
    }

    /// Returns an index of `blocks` blocks, at most one, and a footer. The decoder does not read
    /// the sizes in the index.
    fn ending(self, blocks: u8) -> Vec<u8> {
        let index = [0, blocks, blocks, 0];
        // Length of the index: this number and one more, times four.
        let index_len = [1, 0, 0, 0];
        let flags = &self.0[6..8];
        [&index, &crc(&[&index])[..], &crc(&[&index_len, flags]), &index_len, flags, b"YZ"].concat()
    }
}

/// Reads an input from position `at` on, and keeps the bytes.
struct Ahead<'p, R> {
    packed: &'p mut Packed<R>,
    at: usize,
}

impl<R: Read> Read for Ahead<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let read = self.packed.read_to(self.at + buffer.len()).ok_or_else(end)?;
        buffer.copy_from_slice(&read[self.at..self.at + buffer.len()]);
        self.at += buffer.len();
        Ok(buffer.len())
    }
}

/// Returns the length of a block's header by its first byte.
fn header_len(size: u8) -> usize {
    4 * (usize::from(size) + 1)
}

/// Returns a number of 7 bits a byte, the lowest first.
fn number<'b>(bytes: &mut impl Iterator<Item = &'b u8>) -> Option<usize> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return usize::try_from(number).ok();
        }
    }
    None
}

fn crc(parts: &[&[u8]]) -> [u8; 4] {
    let mut crc = Crc::new();
    parts.iter().for_each(|part| crc.update(part));
    crc.sum().to_le_bytes()
}

/// Returns the upper bound on the decoder's memory, in KiB.
fn memory_limit() -> u32 {
    (most_memory() >> 10) as u32
}
