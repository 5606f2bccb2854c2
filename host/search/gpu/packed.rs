//! Several patterns in one pass, side by side in a lane's words.

use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Start, Writes, no_kernel};
use super::size::Size;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::text::Pattern;
use carrywave_kernels::search::lane_runs::Runs;
use carrywave_kernels::search::match_table::SYMBOLS;
use carrywave_kernels::search::packed::{Packed, PackedDispatch};
use simt_std::Kernel;

/// Largest number of symbols of all patterns of a pass.
pub const MAX_SYMBOLS: usize = 128;

/// Largest number of errors that the kernels are compiled for.
pub(super) const MAX_ERRORS: u32 = 3;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "packed",
    "several patterns side by side in a lane's words, up to 128 symbols per pass; counts and hits",
    "this project, after Wu, Manber 1992; packing: Kusudo, Ino, Hagihara 2015",
    "(k + 1) ⌈M / 32⌉ word steps, M symbols in a pass",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS as u64), errors: Some(MAX_ERRORS), together: true, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: |size| size.m <= MAX_SYMBOLS,
        writes: Writes::CountsAndHits,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |Size { m, k, .. }| COSTS.iter().find(|&&(most, _)| m <= most)?.1.get(k as usize).copied(),
        prepare: |text, request| {
            let (packing, table) = pack(request.patterns);
            let last_bits = packing.last_bits.clone();
            let table = text.upload(&table, "match words")?;
            Ok(Prepared { launcher: Box::new(Packs::<D> { packing, k: request.k, table }), last_bits })
        },
    }
}

/// Microseconds by the number of symbols of all patterns, for k = 0 to 3.
const COSTS: [(usize, [u32; 4]); 3] =
    [(32, [107, 148, 191, 230]), (64, [140, 257, 352, 462]), (128, [214, 471, 720, 900])];

/// Patterns side by side in a lane's words.
#[derive(Debug, Clone, Default)]
pub(super) struct Packing {
    /// The bit of each pattern's first symbol; bit 0 of word 0 is that of the first pattern.
    pub starts: [u32; 4],
    /// The bit of each pattern's last symbol.
    pub accepting: [u32; 4],
    /// The number of each pattern's last bit.
    pub last_bits: Vec<u32>,
    /// Number of words in use: 1, 2 or 4.
    pub words: usize,
    /// m of the longest pattern.
    pub longest: u32,
}

/// Packs the patterns of a pass. Returns the kernel's parameters, and the mismatches of each
/// symbol, 256 words for each 32 bits.
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

struct Packs<D: Device> {
    packing: Packing,
    k: u32,
    table: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Packs<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let values = (self.packing.words, self.k as usize + 1);
        Start { own: self, launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

impl<D: Device> PackedDispatch for Start<'_, Packs<D>, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const LEVELS: usize>(self) -> Result<()>
    where
        Packed<WORDS, LEVELS>: Kernel,
    {
        let Self { own, launch } = self;
        // Resident blocks per multiprocessor.
        let resident = if (WORDS, LEVELS) == (4, 4) { 1 } else { 2 };
        let (text, n, from, packing) = (launch.text, launch.n, launch.from, &own.packing);
        let threads = u64::from(Packed::<WORDS, LEVELS>::BLOCK_THREADS);
        let (run, halo) = text.lane_run(n, from, packing.longest + own.k - 1, threads * resident);
        let blocks = (n - from).div_ceil(run).div_ceil(threads) as u32;
        let kernel = Packed::<WORDS, LEVELS> {
            runs: Runs { text: text.device.handle(&text.text), n, first: from, run, halo },
            starts: core::array::from_fn(|w| packing.starts[w]),
            accepting: core::array::from_fn(|w| packing.accepting[w]),
            table: text.device.handle(&own.table),
            output: launch.output,
        };
        // SAFETY: as for `Launcher::launch`; the text is rounded up to whole rounds, and the table
        // has 256 words for each 32 bits.
        Ok(unsafe { text.device.launch(&text.stream, blocks, kernel) }?)
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
