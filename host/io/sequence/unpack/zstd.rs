//! Decodes zstd files, and finds the lengths of their frames from the headers of the blocks.

use super::limits::most_memory;
use super::members::behind;
use super::units::{Format, Packed, append_all};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error as _;
use std::io::{self, BufRead, Read};

/// Zstd files. A member is a frame with the skippable frames before it.
#[derive(Clone, Default)]
pub(super) struct Zstd;

impl Format for Zstd {
    const UNIT: usize = 1 << 18;

    fn next_len(&mut self, packed: &mut Packed<impl Read>) -> Option<usize> {
        let mut at = 0;
        while let [0x50..=0x5f, 0x2a, 0x4d, 0x18] = packed.array(at)? {
            let len = u32::from_le_bytes(packed.array(at + 4)?);
            at = at.checked_add(8)?.checked_add(usize::try_from(len).ok()?)?;
        }
        let [0x28, 0xb5, 0x2f, 0xfd, descriptor] = packed.array(at)? else { return None };
        let is_single_segment = descriptor & 0x20 != 0;
        let has_checksum = descriptor & 4 != 0;
        let window = usize::from(!is_single_segment);
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let content_size = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
        at += 5 + window + dictionary + content_size;
        loop {
            let [low, middle, high] = packed.array(at)?;
            let header = usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16;
            let size = header >> 3;
            at += 3 + match header >> 1 & 3 {
                // A raw block, and a compressed block.
                0 | 2 => size,
                // One byte, repeated `size` times.
                1 => 1,
                _ => return None,
            };
            if header & 1 != 0 {
                return Some(at + if has_checksum { 4 } else { 0 });
            }
        }
    }

    fn decompress(&self, packed: &[u8], to: &mut Vec<u8>) -> Option<()> {
        append_all(&mut Frames::new(packed), to)
    }

    fn rest(self, packed: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
        Box::new(Frames::new(packed))
    }
}

/// Decodes zstd files, frame by frame.
struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(packed: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(most_memory());
        Self { packed, decoder, in_frame: false }
    }

    /// Begins the next frame that is not skippable. Returns false at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        while behind(&mut self.packed, None)? {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut self.packed.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "other data follows the compressed data"));
                }
                Err(fault) => return Err(reading_error(fault)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.in_frame || self.begin()? {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let block = self.decoder.decode_blocks(&mut self.packed, BlockDecodingStrategy::UptoBlocks(1));
                block.map_err(reading_error)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let stored = self.decoder.get_checksum_from_data();
            if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not match"));
            }
            self.in_frame = false;
        }
        Ok(0)
    }
}

/// Converts an error of the zstd decoder; returns the error of its input if that is the cause.
fn reading_error(fault: FrameDecoderError) -> io::Error {
    let mut cause = fault.source();
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            return inner.raw_os_error().map_or_else(|| inner.kind().into(), io::Error::from_raw_os_error);
        }
        cause = inner.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, fault)
}
