//! Several patterns in one pass: their words, and the launch.

use super::{DeviceSearch, Start, lane_run};
use crate::engine::device::Device;
use crate::error::Result;
use crate::search::pattern::Pattern;
use carrywave_kernels::search::lane_runs::Runs;
use carrywave_kernels::search::match_table::SYMBOLS;
use carrywave_kernels::search::output::SearchOutput;
use carrywave_kernels::search::packed::{Packed, PackedDispatch};
use simt_std::{Kernel, global::Global};

/// Symbols of all patterns of a pass.
pub const MOST_SYMBOLS: usize = 128;

/// Errors that there are kernels for.
pub const MOST_ERRORS: u32 = 3;

/// Patterns side by side in a lane's words.
#[derive(Debug, Clone, Default)]
pub(super) struct Packing {
    /// Bit 0 of word 0 is the first pattern's first symbol.
    pub starts: [u32; 4],
    /// The bit of each pattern's last symbol.
    pub accepting: [u32; 4],
    /// The last bit of each pattern.
    pub last_bits: Vec<u32>,
    /// Words that are in use: 1, 2 or 4.
    pub words: usize,
    /// m of the longest.
    pub longest: u32,
}

/// The words of a pass: of each symbol the mismatches, 256 words for each 32 bits, and what the kernel has to know of them.
pub(super) fn pack(patterns: &[Pattern]) -> (Packing, Vec<u32>) {
    let bits: usize = patterns.iter().map(Pattern::len).sum();
    let words = bits.div_ceil(32).next_power_of_two();
    let mut packing = Packing { words, ..Packing::default() };
    let mut table = vec![0; SYMBOLS as usize * words];
    let mut bit = 0;
    for pattern in patterns {
        packing.longest = packing.longest.max(pattern.len() as u32);
        packing.starts[bit / 32] |= 1 << (bit % 32);
        for class in pattern.classes() {
            for symbol in (0..=255u8).filter(|&symbol| !class.contains(symbol)) {
                table[bit / 32 * SYMBOLS as usize + usize::from(symbol)] |= 1 << (bit % 32);
            }
            bit += 1;
        }
        packing.accepting[(bit - 1) / 32] |= 1 << ((bit - 1) % 32);
        packing.last_bits.push(bit as u32 - 1);
    }
    (packing, table)
}

/// Puts a search into the stream.
pub(super) fn launch<D: Device>(
    search: &DeviceSearch<'_, '_, D>,
    from: u64,
    table: Global<u32>,
    output: SearchOutput,
) -> Result<()> {
    let values = (search.packing.words, search.k as usize + 1);
    PackedDispatch::dispatch(Start { search, from, table, output }, values).ok_or_else(|| search.no_kernel())?
}

impl<D: Device> PackedDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const LEVELS: usize>(self) -> Result<()>
    where
        Packed<WORDS, LEVELS>: Kernel,
    {
        let Self { search, from, table, output } = self;
        // Blocks that a multiprocessor has room for.
        let resident = if (WORDS, LEVELS) == (4, 4) { 1 } else { 2 };
        let (text, packing) = (search.text, &search.packing);
        let n = search.n;
        let threads = u64::from(Packed::<WORDS, LEVELS>::BLOCK_THREADS);
        let (run, halo) = lane_run(search, from, packing.longest + search.k - 1, threads * resident);
        let blocks = (n - from).div_ceil(run).div_ceil(threads) as u32;
        let kernel = Packed::<WORDS, LEVELS> {
            runs: Runs { text: text.device.handle(&text.text), n, first: from, run, halo },
            starts: core::array::from_fn(|w| packing.starts[w]),
            accepting: core::array::from_fn(|w| packing.accepting[w]),
            table,
            output,
        };
        // SAFETY: the text is rounded up to whole rounds, the table has 256 words for each 32 bits, and all live as long as the
        // search, which waits for the stream before they go.
        unsafe { text.device.launch(&text.stream, blocks, kernel)? };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_lie_side_by_side() {
        let (packing, table) = pack(&[Pattern::literal(&[b'a'; 31]), Pattern::literal(b"ba"), Pattern::literal(b"b")]);
        assert_eq!((packing.words, packing.longest), (2, 31));
        assert_eq!((packing.starts, packing.accepting), ([1 | 1 << 31, 0b10, 0, 0], [1 << 30, 0b11, 0, 0]));
        assert_eq!(packing.last_bits, [30, 32, 33]);
        let of = |symbol: u8| [table[usize::from(symbol)], table[256 + usize::from(symbol)]];
        assert_eq!((of(b'a'), of(b'b'), of(b'c')), ([1 << 31, 0b10], [!0 >> 1, 0b01], [!0, 0b11]));
    }
}
