//! Exact pieces of the patterns as a filter, and the automaton of `packed` near them.

use super::packed::{MAX_ERRORS, MAX_SYMBOLS, Packing, pack};
use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Request, Start, Writes, blocks, no_kernel};
use super::size::{Size, common};
use super::text::DeviceText;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::text::Pattern;
use carrywave_kernels::search::pieces::blocks::{self as second, MAX_TILES, MarkedBlocks, MarkedBlocksDispatch};
use carrywave_kernels::search::pieces::grams::{self as first, PieceGrams, PieceGramsDispatch, SLOTS};
use carrywave_kernels::search::pieces::{BLOCK, TILE};
use simt_std::{Kernel, U32x2, U32x4};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "pieces",
    "finds grams of k + 1 exact pieces, then patterns near them, up to 128 symbols per pass; counts and hits",
    "this project, after Wu, Manber 1992 (partitioning)",
    "memory-bound if pieces are rare, else as `packed`",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS as u64), errors: Some(MAX_ERRORS), together: true, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: |size| size.m <= MAX_SYMBOLS,
        writes: Writes::CountsAndHits,
        tuning: &[],
        check: |request, _| PiecesPlan::for_request(request).map(drop),
        cost: |size| {
            let kind = Kind::for_size(size)
                .filter(|kind| size.m <= MAX_SYMBOLS && size.k <= MAX_ERRORS && kind.chance(size) <= RARE)?;
            Some(kind.cost)
        },
        prepare,
    }
}

/// `auto` chooses this algorithm if at most this share of the blocks of 64 symbols is expected to
/// contain a gram.
const RARE: f64 = 1.0 / 50.0;

/// Largest number of different grams of a pass: for this many, multipliers exist that give each
/// gram its own slot.
const MAX_GRAMS: usize = 48;

/// Number of multipliers that are tried: one in hundreds works for the largest number of grams.
const TRIES: usize = 1 << 16;

/// A kind of grams: their number of words of four symbols, and the stride of their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    words: usize,
    stride: usize,
    /// Microseconds for 2^28 symbols, if grams are rare.
    cost: u32,
}

/// All kinds that the kernels are compiled for.
const KINDS: [Kind; 6] = [
    Kind { words: 1, stride: 4, cost: 68 },
    Kind { words: 2, stride: 8, cost: 73 },
    Kind { words: 2, stride: 4, cost: 77 },
    Kind { words: 2, stride: 2, cost: 80 },
    Kind { words: 1, stride: 1, cost: 76 },
    Kind { words: 2, stride: 1, cost: 97 },
];

impl Kind {
    /// Returns the number of symbols of a gram.
    fn symbols(self) -> usize {
        4 * self.words
    }

    /// Returns the probability that a gram starts in a block of a random text, with as many equally
    /// frequent symbols as the patterns have.
    fn chance(self, size: Size) -> f64 {
        let pieces = (size.count * (size.k as usize + 1)) as f64;
        pieces * BLOCK as f64 / f64::from(size.symbols).powi(self.symbols() as i32)
    }

    /// Returns the cheapest kind with rare grams, or else the kind with the rarest grams. `None` if
    /// the pieces are too short or too many for all kinds.
    fn for_size(size: Size) -> Option<Self> {
        let pieces = size.k as usize + 1;
        let fits = |kind: &&Self| {
            size.shortest / pieces >= kind.symbols() + kind.stride - 1 && size.count * pieces * kind.stride <= MAX_GRAMS
        };
        let share = |kind: &Self| kind.chance(size).max(RARE);
        KINDS.iter().filter(fits).copied().min_by(|a, b| share(a).total_cmp(&share(b)).then(a.cost.cmp(&b.cost)))
    }
}

/// The parameters of the first kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PiecesPlan {
    words: usize,
    stride: usize,
    fold: u32,
    multipliers: [u32; 2],
    table: Vec<u32>,
}

impl PiecesPlan {
    fn for_request(request: &Request<'_>) -> Result<Self> {
        let Some(kind) = Kind::for_size(Size::from_patterns(request.patterns, request.k)) else {
            return Err(ABOUT.unsupported(format!(
                "supports patterns of at least {} symbols with {} errors, and up to {} patterns per pass",
                4 * (request.k + 1),
                request.k,
                MAX_GRAMS / (request.k as usize + 1)
            )));
        };
        let fold = request.patterns.iter().fold(!0, |bits, pattern| bits & common(pattern.classes()));
        let mut grams: Vec<[u32; 2]> =
            request.patterns.iter().flat_map(|pattern| grams(pattern, request.k, kind, fold)).collect();
        grams.sort_unstable();
        grams.dedup();
        let mut random = fastrand::Rng::with_seed(16);
        let mut tried = || {
            let multipliers = [random.u32(..) | 1, if kind.words == 2 { random.u32(..) | 1 } else { 0 }];
            Some((multipliers, slots(&grams, multipliers)?))
        };
        let found = (0..TRIES).find_map(|_| tried());
        let (multipliers, table) = found.ok_or_else(|| {
            ABOUT.unsupported("found no hash table for the grams of these patterns; use another algorithm".into())
        })?;
        let fold = u32::from_le_bytes([fold; 4]);
        Ok(Self { words: kind.words, stride: kind.stride, fold, multipliers, table })
    }
}

/// Returns the grams of a pattern's pieces: for each piece, as many adjacent ones as the stride.
fn grams(pattern: &Pattern, k: u32, kind: Kind, fold: u8) -> Vec<[u32; 2]> {
    let (m, pieces) = (pattern.len(), k as usize + 1);
    let symbol = |at: usize| pattern.classes()[at].symbols().next().map_or(0, |symbol| symbol & fold);
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| symbol(at + i)));
    let starts = (0..pieces).flat_map(|piece| (0..kind.stride).map(move |i| m * piece / pieces + i));
    starts.map(|at| [word(at), if kind.words == 2 { word(at + 4) } else { 0 }]).collect()
}

/// Returns the hash of a gram, as [`grams`](first) computes it.
fn hash(gram: [u32; 2], multipliers: [u32; 2]) -> u32 {
    gram[0].wrapping_mul(multipliers[0]).wrapping_add(gram[1].wrapping_mul(multipliers[1]))
}

/// Returns the hashes of different grams in 256 slots; `None` if two share a slot.
fn slots(grams: &[[u32; 2]], multipliers: [u32; 2]) -> Option<Vec<u32>> {
    // A hash that belongs to another slot marks an empty one.
    let mut table: Vec<u32> = (0..SLOTS).map(|slot| (slot ^ 0x80) << 24).collect();
    for &gram in grams {
        let hash = hash(gram, multipliers);
        let slot = (hash >> 24) as usize;
        if table[slot] >> 24 == slot as u32 {
            return None;
        }
        table[slot] = hash;
    }
    Some(table)
}

/// Patterns on a device.
struct Pieces<D: Device> {
    plan: PiecesPlan,
    hashes: D::Buffer<u32>,
    packing: Packing,
    k: u32,
    table: D::Buffer<u32>,
    marks: D::Buffer<U32x4>,
}

fn prepare<D: Device>(text: &DeviceText<D>, request: &Request<'_>) -> Result<Prepared<D>> {
    let plan = PiecesPlan::for_request(request)?;
    let (packing, table) = pack(request.patterns);
    let last_bits = packing.last_bits.clone();
    let launcher = Pieces::<D> {
        hashes: text.upload(&plan.table, "grams")?,
        plan,
        packing,
        k: request.k,
        table: text.upload(&table, "match words")?,
        marks: text.device.alloc(text.room.div_ceil(TILE) as usize, "where grams are")?,
    };
    Ok(Prepared { launcher: Box::new(launcher), last_bits })
}

impl<D: Device> Pieces<D> {
    /// Returns the largest distance from an occurrence's first symbol to its last one.
    fn before(&self) -> u32 {
        self.packing.longest + self.k - 1
    }

    /// Returns the tiles that the first kernel searches.
    fn tiles(&self, launch: &Launch<'_, D>) -> std::ops::Range<u64> {
        launch.from.saturating_sub(self.before().into()) / TILE..launch.n.div_ceil(TILE)
    }
}

impl<D: Device> Launcher<D> for Pieces<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let values = (self.plan.words, self.plan.stride as u32);
        Start { own: &First(self), launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))??;
        let values = (self.packing.words, self.k as usize + 1);
        Start { own: &Second(self), launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

/// The launches of the two kernels.
struct First<'p, D: Device>(&'p Pieces<D>);
struct Second<'p, D: Device>(&'p Pieces<D>);

impl<D: Device> PieceGramsDispatch for Start<'_, First<'_, D>, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const STRIDE: u32>(self) -> Result<()>
    where
        PieceGrams<WORDS, STRIDE>: Kernel,
    {
        let Self { own: First(own), launch } = self;
        let (device, stream) = (&*launch.text.device, &launch.text.stream);
        let tiles = own.tiles(launch);
        let mut kernel = PieceGrams::<WORDS, STRIDE> {
            text: device.handle(&launch.text.text),
            n: launch.n,
            first_tile: tiles.start,
            end_tile: tiles.end,
            fold: own.plan.fold,
            multipliers: U32x2(own.plan.multipliers),
            table: device.handle(&own.hashes),
            blocks: 1,
            marks: device.handle(&own.marks),
        };
        kernel.blocks = blocks(device, tiles.end - tiles.start, first::WARPS, device.resident_blocks(&kernel)?.max(1));
        // SAFETY: as for `Launcher::launch`; the text is rounded up to words of 16 symbols, the
        // table has 256 words, and there are marks for each tile of the text.
        Ok(unsafe { device.launch(stream, kernel.blocks, kernel) }?)
    }
}

impl<D: Device> MarkedBlocksDispatch for Start<'_, Second<'_, D>, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const LEVELS: usize>(self) -> Result<()>
    where
        MarkedBlocks<WORDS, LEVELS>: Kernel,
    {
        let Self { own: Second(own), launch } = self;
        let (device, stream) = (&*launch.text.device, &launch.text.stream);
        let tiles = own.tiles(launch);
        let mut kernel = MarkedBlocks::<WORDS, LEVELS> {
            text: device.handle(&launch.text.text),
            n: launch.n,
            first: launch.from,
            first_tile: tiles.start,
            end_tile: tiles.end,
            tiles_per_warp: 1,
            reach: own.before().div_ceil(BLOCK as u32),
            halo: own.before().next_multiple_of(16),
            blocks: 1,
            marks: device.handle(&own.marks),
            starts: std::array::from_fn(|w| own.packing.starts[w]),
            accepting: std::array::from_fn(|w| own.packing.accepting[w]),
            table: device.handle(&own.table),
            output: launch.output,
        };
        let each = device.resident_blocks(&kernel)?.max(1);
        let (wanted, warps) = (tiles.end - launch.from / TILE, device.limits().multiprocessors * each * second::WARPS);
        kernel.tiles_per_warp = wanted.div_ceil(warps.max(1).into()).clamp(1, MAX_TILES.into()) as u32;
        kernel.blocks = blocks(device, wanted.div_ceil(kernel.tiles_per_warp.into()), second::WARPS, each);
        // SAFETY: as for `Launcher::launch`; the first kernel wrote marks for all these tiles, and
        // the table has 256 words for each 32 bits.
        Ok(unsafe { device.launch(stream, kernel.blocks, kernel) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::size::different_symbols;
    use super::*;
    use crate::text::Alphabet;

    fn kind(m: usize, k: u32, symbols: u32, count: usize) -> Option<(usize, usize)> {
        let size = Size { m: m * count, k, has_periods: false, count, shortest: m, symbols };
        Kind::for_size(size).map(|kind| (kind.symbols(), kind.stride))
    }

    #[test]
    fn the_cheapest_kind_of_which_grams_are_rare() {
        // Pieces of 7 symbols have a gram of 4 at a multiple of 4, and shorter ones at any
        // position.
        assert_eq!(
            [14, 13, 10, 9, 8, 7].map(|m| kind(m, 1, 64, 1).map_or(0, |(_, stride)| stride)),
            [4, 1, 1, 1, 1, 0]
        );
        // In DNA, grams of 8, of pieces of 15, 11, 9 and 8 symbols.
        let stride = |m| kind(m, 1, 4, 1).filter(|&(symbols, _)| symbols == 8).map_or(0, |(_, stride)| stride);
        assert_eq!([30, 29, 22, 21, 18, 17, 16, 15].map(stride), [8, 4, 4, 2, 2, 1, 1, 0]);
        // The stride decreases if there would be too many grams.
        assert_eq!((kind(20, 1, 64, 6), kind(16, 1, 64, 8)), (Some((4, 4)), Some((4, 1))));
        assert_eq!((kind(4, 0, 64, 32), kind(4, 0, 64, 49)), (Some((4, 1)), None));
    }

    #[test]
    fn every_place_of_a_piece_in_the_text_has_a_gram() {
        let symbols: Vec<u8> = (100..164).collect();
        let pattern = Pattern::literal(&symbols);
        for kind in KINDS {
            for k in 0..=3 {
                let own = grams(&pattern, k, kind, !0);
                assert_eq!(own.len(), (k as usize + 1) * kind.stride);
                for piece in 0..=k as usize {
                    let piece = &symbols[64 * piece / (k as usize + 1)..64 * (piece + 1) / (k as usize + 1)];
                    for before in 0..8 {
                        let text = [&vec![0; before][..], &piece[..kind.symbols() + kind.stride - 1]].concat();
                        let words = (0..text.len() + 1 - kind.symbols()).step_by(kind.stride).map(|at| {
                            let word = |at: usize| u32::from_le_bytes(text[at..at + 4].try_into().unwrap());
                            [word(at), if kind.words == 2 { word(at + 4) } else { 0 }]
                        });
                        assert_eq!(words.filter(|word| own.contains(word)).count(), 1, "{kind:?}, {k}, {before}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_gram_has_a_slot() {
        let mut random = fastrand::Rng::with_seed(3);
        for kind in KINDS {
            let count = MAX_GRAMS / (4 * kind.stride);
            let m = (4 * (kind.symbols() + kind.stride - 1)).max(16).min(MAX_SYMBOLS / count);
            let patterns: Vec<Pattern> =
                (0..count).map(|_| Pattern::literal(&(0..m).map(|_| random.u8(..)).collect::<Vec<_>>())).collect();
            let request = Request {
                patterns: &patterns,
                k: 3,
                gaps: crate::search::gpu::Gaps::ANY,
                tuning: crate::search::Tuning::default(),
            };
            let Ok(plan) = PiecesPlan::for_request(&request) else { continue };
            let used = (0..SLOTS).filter(|&slot| plan.table[slot as usize] >> 24 == slot).count();
            assert!(used > 8 && used <= MAX_GRAMS, "{kind:?}: {used}");
            for gram in patterns
                .iter()
                .flat_map(|own| grams(own, 3, Kind { words: plan.words, stride: plan.stride, cost: 0 }, !0))
            {
                let hash = hash(gram, plan.multipliers);
                assert_eq!(plan.table[(hash >> 24) as usize], hash);
            }
        }
        // At most one gram per slot, and no empty slot has a hash of its own.
        assert_eq!(slots(&[[1, 0], [2, 0]], [1, 0]), None);
        let table = slots(&[[1, 0]], [1 << 24 | 1, 0]).unwrap();
        assert!((0..SLOTS).all(|slot| (table[slot as usize] >> 24 == slot) == (slot == 1)));
    }

    #[test]
    fn case_and_u_are_left_out_of_grams() {
        let pattern = Pattern::parse(b"ACGTuacg", Alphabet::Dna).unwrap();
        assert_eq!((common(pattern.classes()), different_symbols(&pattern)), (0xde, 4));
        let plan = PiecesPlan::for_request(&Request {
            patterns: &[pattern],
            k: 1,
            gaps: crate::search::gpu::Gaps::ANY,
            tuning: crate::search::Tuning::default(),
        });
        let plan = plan.unwrap();
        assert_eq!((plan.words, plan.stride, plan.fold), (1, 1, 0xdede_dede));
        let wild = Pattern::with_wildcard(b"ab.d", b'.');
        assert_eq!((common(wild.classes()), different_symbols(&wild)), (0, 1));
    }
}
