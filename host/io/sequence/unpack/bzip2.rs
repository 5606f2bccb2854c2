//! Decompresses bzip2 files, and finds the streams that they consist of.

use super::members::Members;
use super::units::{Format, Packed, append_all};
use bzip2::bufread::BzDecoder;
use memchr::memmem;
use std::io::{BufRead, Read};

/// Bytes of a stream before its first block: `BZh` and a digit.
const START: usize = 4;
/// Start of a block.
const BLOCK: &[u8] = b"1AY&SY";
/// Number of bytes to read ahead at a time.
const STEP: usize = 1 << 16;

/// Bzip2 files. A member is a stream with the empty streams behind it.
#[derive(Clone, Default)]
pub(super) struct Bzip2;

impl Format for Bzip2 {
    const UNIT: usize = 1 << 18;

    /// Searches for the start of the next stream, because a stream does not have its length. Bytes
    /// inside a stream that look like a start make two incomplete members, so one thread decodes
    /// them.
    fn next_len(&mut self, packed: &mut Packed<impl Read>) -> Option<usize> {
        let mut searched = 1;
        loop {
            if let Some(start) = next_start(packed.ahead(), searched) {
                return Some(start);
            }
            let len = packed.ahead().len();
            if packed.read_more(STEP)? == 0 {
                return (len > 0).then_some(len);
            }
            searched = searched.max((len + 1).saturating_sub(START + BLOCK.len()));
        }
    }

    fn decompress(&self, packed: &[u8], to: &mut Vec<u8>) -> Option<()> {
        let mut rest = packed;
        while !rest.is_empty() {
            let mut stream = BzDecoder::new(rest);
            append_all(&mut stream, to)?;
            rest = stream.into_inner();
        }
        Some(())
    }

    fn rest(self, packed: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        Box::new(Members::<BzDecoder<_>, _>::new(packed))
    }
}

/// Returns the position of the first stream that starts at `from` or later, and is not empty.
fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    let start_before = |block: usize| {
        let start = block.checked_sub(START).filter(|&start| start >= from)?;
        matches!(bytes[start..block], [b'B', b'Z', b'h', b'1'..=b'9']).then_some(start)
    };
    memmem::find_iter(bytes.get(from..)?, BLOCK).find_map(|at| start_before(from + at))
}
