//! Two columns in a device's memory, side by side: symbols at equal or nearby positions.

use super::column::Column;
use crate::device::Device;
use crate::error::Result;
use crate::memory;
use crate::pairs::position_number::PositionNumber;
use crate::pairs::resident::AnyColumn;
use crate::pairs::strings::check_lengths;
use carrywave_kernels::distance::position_matches::{HAMMING, JARO, PREFIX, PositionMatches, SUFFIX};
use simt_std::Kernel;
use simt_std::global::Global;

/// Upper bound on the number of blocks for each multiprocessor.
const BLOCKS: u32 = 64;

impl<D: Device> Column<D> {
    /// Computes a number for each pair of this column and another one of as many strings on the
    /// same device. Anything for missing strings.
    pub(super) fn matches_with(&self, b: &Self, number: PositionNumber) -> Result<Vec<u32>> {
        let (device, count) = (&*self.device, self.len());
        check_lengths([self.longest(), b.longest()].into_iter())?;
        memory::check::<u32>(count, "the numbers of pairs")?;
        let stream = device.stream()?;
        let out = device.alloc::<u32>(count, "numbers of pairs")?;
        let kernel = PositionMatches {
            a: self.symbols,
            a_offsets: self.there(&stream)?,
            b: b.symbols,
            b_offsets: b.there(&stream)?,
            count: count as u32,
            number: match number {
                PositionNumber::Hamming => HAMMING,
                PositionNumber::Prefix => PREFIX,
                PositionNumber::Suffix => SUFFIX,
                PositionNumber::Jaro => JARO,
            },
            out: device.handle(&out),
        };
        let blocks = kernel.count.div_ceil(PositionMatches::BLOCK_THREADS);
        if blocks > 0 {
            let blocks = blocks.min(device.limits().multiprocessors * BLOCKS);
            // SAFETY: the memory was checked to have the symbols at all offsets, and nobody frees
            // it meanwhile; there are as many offsets and numbers as the kernel reads and writes,
            // and the download waits for the stream.
            unsafe { device.launch(&stream, blocks, kernel)? };
        }
        Ok(device.download(&stream, &out, count)?)
    }

    /// Returns the offsets on the device.
    fn there(&self, stream: &D::Stream) -> Result<Global<u64>> {
        let offsets = match self.offsets_there.get() {
            Some(offsets) => offsets,
            None => {
                let copied = self.device.alloc_from(stream, self.offsets(), "the offsets of a column")?;
                self.offsets_there.get_or_init(|| copied)
            }
        };
        Ok(self.device.handle(offsets))
    }
}
