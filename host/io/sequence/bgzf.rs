//! Decompresses BGZF by several threads: gzip members of at most 64 KiB whose headers have their
//! lengths, as `bgzip` and `samtools` write them.
//!
//! From the first unexpected block on, one thread decompresses the rest, as any other gzip file. So
//! the bytes and the errors are those of one thread.

use super::crew::Crew;
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::{self, Cursor, Read};

/// Bytes of a block's header and trailer.
pub(super) const HEADER: usize = 18;
pub(super) const TRAILER: usize = 8;
/// Upper bound on a block's size before compression, in bytes.
const BLOCK: usize = 1 << 16;
/// Compressed size of the blocks that one thread decompresses at a time.
const UNIT: usize = 1 << 17;

/// Blocks that one thread decompresses.
#[derive(Default)]
struct Unit {
    packed: Vec<u8>,
    /// Decompressed bytes.
    bytes: Vec<u8>,
    /// True if all blocks are as expected.
    is_good: bool,
}

/// Decompressor of an input `R` that begins with BGZF.
pub(super) struct Bgzf<R> {
    /// The input, until one thread decompresses the rest.
    packed: Option<R>,
    /// The bytes read behind the last whole block.
    rest: Vec<u8>,
    is_at_end: bool,
    crew: Crew<Unit, Unit>,
    unit: Unit,
    /// Number of bytes of the unit that have been returned.
    returned: usize,
    /// Unit to use again.
    spare: Unit,
    /// Returns a decompressor of gzip members behind the blocks that are decompressed.
    more: fn(Rest<R>) -> Box<dyn Read + Send>,
    /// Decompressor of the rest.
    behind: Option<Box<dyn Read + Send>>,
}

/// Input for one thread: bytes that have been read, then the rest of the input.
pub(super) type Rest<R> = io::Chain<Cursor<Vec<u8>>, R>;

impl<R: Read> Bgzf<R> {
    /// Starts up to `threads` threads, if the input begins with a BGZF block. Otherwise returns the
    /// input as it was.
    pub fn start(mut packed: R, threads: usize, more: fn(Rest<R>) -> Box<dyn Read + Send>) -> Result<Self, Rest<R>> {
        let mut rest = Vec::new();
        // An error occurs again at the next read.
        let _ = read_to(&mut packed, &mut rest, HEADER);
        let crew = block_len(&rest).and_then(|_| Crew::start(threads, decompress));
        let Some(crew) = crew else { return Err(Cursor::new(rest).chain(packed)) };
        let unit = Unit::default();
        let spare = Unit::default();
        Ok(Self { packed: Some(packed), rest, is_at_end: false, crew, unit, returned: 0, spare, more, behind: None })
    }

    /// Gives blocks to the threads.
    fn fill(&mut self) -> io::Result<()> {
        let Some(packed) = &mut self.packed else { return Ok(()) };
        while !self.is_at_end && self.crew.has_room() {
            let mut unit = std::mem::take(&mut self.spare);
            unit.packed.clear();
            while unit.packed.len() < UNIT {
                // The header of the next block, or of none.
                let is_read = read_to(packed, &mut self.rest, HEADER).is_ok()
                    && block_len(&self.rest).is_some_and(|len| read_to(packed, &mut self.rest, len).is_ok());
                if !is_read {
                    self.is_at_end = true;
                    break;
                }
                unit.packed.append(&mut self.rest);
            }
            self.crew.push(unit)?;
        }
        Ok(())
    }

    /// Takes the next unit, or begins to decompress the rest by one thread.
    fn next(&mut self) -> io::Result<()> {
        self.fill()?;
        let mut left = match self.crew.pop()? {
            Some(unit) if unit.is_good => {
                self.returned = 0;
                self.spare = std::mem::replace(&mut self.unit, unit);
                return Ok(());
            }
            Some(unit) => unit.packed,
            None => Vec::new(),
        };
        while let Some(unit) = self.crew.pop()? {
            left.extend_from_slice(&unit.packed);
        }
        left.append(&mut self.rest);
        self.behind = self.packed.take().map(|packed| (self.more)(Cursor::new(left).chain(packed)));
        Ok(())
    }
}

impl<R: Read> Read for Bgzf<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.behind {
                Some(behind) => return behind.read(buffer),
                // An error has ended the input.
                None if self.packed.is_none() => return Ok(0),
                None => {}
            }
            let mut ready = &self.unit.bytes[self.returned..];
            if !ready.is_empty() || buffer.is_empty() {
                let count = ready.read(buffer)?;
                self.returned += count;
                return Ok(count);
            }
            self.next()?;
        }
    }
}

/// Reads bytes until there are `len`.
///
/// # Errors
/// Errors of the input, and an error at its end.
fn read_to(packed: &mut impl Read, to: &mut Vec<u8>, len: usize) -> io::Result<()> {
    let missing = len.saturating_sub(to.len());
    packed.by_ref().take(missing as u64).read_to_end(to)?;
    if to.len() < len { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

/// Returns the length of a block with its header and trailer; `None` if it does not begin with the
/// header of a BGZF block.
fn block_len(block: &[u8]) -> Option<usize> {
    let [0x1f, 0x8b, 8, 4, _, _, _, _, _, _, 6, 0, b'B', b'C', 2, 0, low, high, ..] = *block else { return None };
    let len = usize::from(u16::from_le_bytes([low, high])) + 1;
    (len >= HEADER + TRAILER).then_some(len)
}

/// Decompresses the blocks of a unit.
fn decompress(mut unit: Unit) -> Unit {
    unit.bytes.clear();
    let mut inflate = Decompress::new(false);
    let mut rest = &unit.packed[..];
    unit.is_good = true;
    while unit.is_good && !rest.is_empty() {
        let block = block_len(rest).and_then(|len| rest.split_at_checked(len));
        let Some((block, behind)) = block else {
            unit.is_good = false;
            break;
        };
        rest = behind;
        unit.is_good = decompress_block(&mut inflate, block, &mut unit.bytes).is_some();
    }
    unit
}

/// Appends the bytes of a block; `None` if it is damaged.
fn decompress_block(inflate: &mut Decompress, block: &[u8], to: &mut Vec<u8>) -> Option<()> {
    let (deflated, trailer) = block[HEADER..].split_last_chunk::<TRAILER>()?;
    let [c0, c1, c2, c3, l0, l1, l2, l3] = *trailer;
    let len = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).ok().filter(|&len| len <= BLOCK)?;
    let start = to.len();
    // Room for one byte more shows that no more follows.
    to.resize(start + len + 1, 0);
    inflate.reset(false);
    let status = inflate.decompress(deflated, &mut to[start..], FlushDecompress::Finish).ok()?;
    to.truncate(start + len);
    let mut crc = Crc::new();
    crc.update(&to[start..]);
    let is_whole = inflate.total_in() == deflated.len() as u64 && inflate.total_out() == len as u64;
    (status == Status::StreamEnd && is_whole && crc.sum() == u32::from_le_bytes([c0, c1, c2, c3])).then_some(())
}
