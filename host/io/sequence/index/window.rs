//! Bytes at an offset of a file, plain or BGZF.

use super::blocks::Block;
use super::gzi::Gzi;
use crate::io::sequence::changes::RegularFile;
use crate::memory;
use std::io;

/// A file that is read at offsets of its decompressed contents.
pub(super) enum Window {
    Plain(RegularFile),
    Bgzf(BgzfWindow),
}

/// A BGZF file. The index only says where to read first: from there on, the lengths of the blocks
/// say where each byte is, so offsets are right relative to the first read.
pub(super) struct BgzfWindow {
    file: RegularFile,
    gzi: Gzi,
    /// The block of the first read.
    first: Option<Block>,
    /// The block of the last read.
    last: Option<Block>,
}

impl Window {
    /// Returns a window on a plain file.
    pub fn plain(file: RegularFile) -> Self {
        Self::Plain(file)
    }

    /// Returns a window on a BGZF file.
    pub fn bgzf(file: RegularFile, gzi: Gzi) -> Self {
        Self::Bgzf(BgzfWindow { file, gzi, first: None, last: None })
    }

    /// Returns `len` bytes at an offset, fewer at the end of the file. Later reads of a BGZF file
    /// must not be before the first one. O(len), for BGZF O(blocks since the first read).
    ///
    /// # Errors
    /// An error if the file cannot be read, is damaged, or the bytes do not fit into memory.
    pub fn read(&mut self, at: u64, len: u64) -> io::Result<Vec<u8>> {
        match self {
            Self::Plain(file) => {
                let len = len.min(file.len().saturating_sub(at));
                let len = usize::try_from(len).map_err(io::Error::other)?;
                let mut bytes = memory::filled(len, 0, "a part of a file").map_err(io::Error::other)?;
                let read = file.read_full_at(&mut bytes, at)?;
                bytes.truncate(read);
                Ok(bytes)
            }
            Self::Bgzf(bgzf) => bgzf.read(at, len),
        }
    }
}

impl BgzfWindow {
    fn read(&mut self, at: u64, len: u64) -> io::Result<Vec<u8>> {
        let known = [self.last, self.first].into_iter().flatten().find(|block| block.start.plain <= at);
        let mut next = match known {
            Some(block) => Some(block),
            None => Block::at(&self.file, self.gzi.before(at))?,
        };
        let end = at.saturating_add(len);
        let mut bytes = Vec::new();
        let mut contents = Vec::new();
        while let Some(block) = next {
            if block.end().plain > at {
                self.first.get_or_insert(block);
                self.last = Some(block);
                if block.start.plain >= end {
                    break;
                }
                contents.clear();
                block.decompress(&self.file, &mut contents)?;
                let from = at.saturating_sub(block.start.plain).min(contents.len() as u64) as usize;
                let to = (end - block.start.plain).min(contents.len() as u64) as usize;
                memory::reserve(&mut bytes, to - from, "a part of a file").map_err(io::Error::other)?;
                bytes.extend_from_slice(&contents[from..to]);
                if block.end().plain >= end {
                    break;
                }
            }
            next = Block::at(&self.file, block.end())?;
        }
        Ok(bytes)
    }
}
