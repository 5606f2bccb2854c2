//! Search on a device: the text goes there in chunks, and each chunk is searched by one launch.

mod gbpr;
mod myers;
pub mod packed;
mod passes;
mod published;
mod scan;
mod stream;
mod table;
mod xbitpar;

use super::device::Device;
use super::ends::{End, Ends, Take};
use crate::error::{Error, Result};
use crate::memory;
use crate::search::Text;
use crate::search::pattern::Pattern;
use carrywave_kernels::search::lane_runs::{self, Runs};
use carrywave_kernels::search::output::{self, SearchOutput};
use carrywave_kernels::search::shift_or::{self, ShiftOr, ShiftOrDispatch};
use carrywave_kernels::search::wu_manber::{WuManber, WuManberDispatch};
use packed::Packing;
use passes::passes;
use simt_std::WARP;
use simt_std::{Kernel, U32x4, global::Global};
use std::sync::Arc;
use table::mismatches;

/// Symbols of a chunk. Copies of this size run at full speed, and page-locking memory for a few of them takes little.
pub const CHUNK: u64 = 32 << 20;

/// Symbols of a chunk at most: positions of a launch and the number of its hits fit 32 bits.
const LARGEST_CHUNK: u64 = 1 << 30;

/// Symbols that any launch reads whole: a text in memory is rounded up to them.
pub const ROUND: u64 = shift_or::TILE;

/// Hits that there is room for at first.
const HITS: u32 = 1 << 13;

/// Errors that there are kernels of Wu and Manber's algorithm for.
pub const MOST_ERRORS: u32 = 4;

/// Symbols of a pattern that most algorithms have kernels for; Myers's takes any.
pub const MOST_SYMBOLS: usize = 64;

/// A way to search on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceAlgorithm {
    /// Exact: Shift-Or in tiles that lanes join.
    ShiftOr,
    /// With up to 4 errors: a run of the text a lane.
    WuManber,
    /// With any number of errors, less than m, and any m: the same by Myers's bit-vectors.
    Myers,
    /// Several patterns in one pass, side by side: of 128 symbols together, up to 3 errors; hits and counts.
    Packed,
    /// Both as inclusive scans, as Mitani, Ino and Hagihara (2017) published them: bytes and hits, up to 3 errors.
    Scan(ScanOptions),
    /// Both in a short segment a thread, as Lin, Wang and Huang (2014) published them: bytes and hits, up to 3 errors.
    Gbpr(GbprOptions),
    /// Both in words of 1,024 bits and more across a warp, as Tran, Liu and Schmidt (2016) published them, for up to 4,096
    /// symbols: bytes and hits, up to 3 errors.
    XBitPar(XBitParOptions),
}

impl DeviceAlgorithm {
    /// The name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::ShiftOr => "shift-or",
            Self::WuManber => "wu-manber",
            Self::Myers => "myers",
            Self::Packed => "packed",
            Self::Scan(_) => "scan",
            Self::Gbpr(_) => "gbpr",
            Self::XBitPar(_) => "xbitpar",
        }
    }
}

/// What GBPR leaves to be tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GbprOptions {
    /// s, the symbols of a thread, up to 65,536: a multiple of α.
    pub segment: u32,
    /// α, the symbols that a thread reads at a time: 1, the original, or 4, 8 or 16.
    pub alpha: u32,
    /// Whether the table has a word for each bank; else it is the paper's, a word a symbol.
    pub banks: bool,
}

impl Default for GbprOptions {
    fn default() -> Self {
        Self { segment: 8, alpha: 1, banks: false }
    }
}

/// What XBitPar leaves to be tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct XBitParOptions {
    /// Symbols of a warp: a multiple of 32, up to 2^20.
    pub segment: u32,
}

impl Default for XBitParOptions {
    fn default() -> Self {
        Self { segment: 4096 }
    }
}

/// What the paper leaves to be tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanOptions {
    /// α, the symbols of a thread: 1, 2, 4, 8, 16 or 32, and 4 or 16 with errors.
    pub alpha: u32,
    /// Whether the warps of a block are joined (disjoint), or each has a halo of its own (overlapping).
    pub disjoint: bool,
    /// Whether the table has a word for each bank; else it is the paper's, a word a symbol.
    pub banks: bool,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self { alpha: 16, disjoint: true, banks: true }
    }
}

/// What a search writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A byte for each position, the paper's: 1 where an occurrence ends.
    Bytes,
    /// A bit for each position.
    Bitmap,
    /// The number of ends.
    Count,
    /// Ends and their errors.
    Hits,
}

/// What was found in a text on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A byte for each position.
    Bytes(Vec<u8>),
    /// A bit for each position, the first in bit 0 of word 0.
    Bitmap(Vec<u32>),
    /// The number of ends.
    Count(u64),
    /// The ends of each pattern, in order.
    Hits(Vec<Vec<End>>),
}

/// A text, or a chunk of one, in a device's memory.
pub struct DeviceText<'d, D: Device> {
    device: &'d D,
    stream: D::Stream,
    text: D::Buffer<U32x4>,
    /// Symbols that there is room for: those of the text, unless chunks of one take turns here.
    room: u64,
}

/// A pattern and room for results, ready to search a [`DeviceText`].
pub struct DeviceSearch<'t, 'd, D: Device> {
    text: &'t DeviceText<'d, D>,
    algorithm: DeviceAlgorithm,
    format: Format,
    /// Symbols of the text.
    n: u64,
    m: u32,
    k: u32,
    table: D::Buffer<u32>,
    bytes: D::Buffer<u8>,
    bitmap: D::Buffer<U32x4>,
    count: D::Buffer<u32>,
    hits: D::Buffer<u64>,
    capacity: u32,
    packing: Packing,
    /// Between the strips of a long pattern.
    differences: D::Buffer<u64>,
}

/// Words of a lane's state for m symbols.
fn words(m: u32) -> usize {
    m.div_ceil(32) as usize
}

impl<'d, D: Device> DeviceText<'d, D> {
    /// Takes a text of at least one symbol to a device.
    ///
    /// # Errors
    /// [`Error::DeviceMemory`] when it does not fit; others when the device fails.
    pub fn new(device: &'d D, text: &[u8]) -> Result<Self> {
        let n = text.len() as u64;
        if n == 0 {
            return Err(Error::Usage("a text on a device has at least one symbol".into()));
        }
        memory::check::<u8>(text.len(), "a text on its way to a device")?;
        let mut words = vec![U32x4::default(); (n.next_multiple_of(ROUND) / 16) as usize];
        bytemuck::cast_slice_mut(&mut words)[..text.len()].copy_from_slice(text);
        let mut on_device = Self::with_room(device, n)?;
        device.upload(&on_device.stream, &mut on_device.text, &words)?;
        Ok(on_device)
    }

    /// Room for a text of so many symbols.
    fn with_room(device: &'d D, room: u64) -> Result<Self> {
        let text = device.alloc((room.next_multiple_of(ROUND) / 16) as usize, "text")?;
        Ok(Self { device, stream: device.stream()?, text, room })
    }

    /// Makes ready for a search.
    ///
    /// # Errors
    /// [`Error::Usage`] for an m or k that the algorithm does not take; others when the device fails.
    pub fn prepare(
        &self,
        algorithm: DeviceAlgorithm,
        pattern: &Pattern,
        k: u32,
        format: Format,
    ) -> Result<DeviceSearch<'_, 'd, D>> {
        self.prepare_all(algorithm, std::slice::from_ref(pattern), k, format)
    }

    /// Makes ready for a search for all of some patterns, of which only [`DeviceAlgorithm::Packed`] takes more than one.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    pub fn prepare_all(
        &self,
        algorithm: DeviceAlgorithm,
        patterns: &[Pattern],
        k: u32,
        format: Format,
    ) -> Result<DeviceSearch<'_, 'd, D>> {
        let name = algorithm.name();
        let packs = algorithm == DeviceAlgorithm::Packed;
        if patterns.is_empty() || patterns.len() > 1 && !packs {
            return Err(Error::Usage(format!("{name} takes one pattern, not {}", patterns.len())));
        }
        let m: usize = patterns.iter().map(Pattern::len).sum();
        let most = match algorithm {
            DeviceAlgorithm::Packed => packed::MOST_SYMBOLS,
            DeviceAlgorithm::Myers => myers::MOST_SYMBOLS,
            DeviceAlgorithm::XBitPar(_) => xbitpar::MOST_SYMBOLS,
            _ => MOST_SYMBOLS,
        };
        let shortest = patterns.iter().map(Pattern::len).min().unwrap_or(0);
        if shortest == 0 || m > most {
            return Err(Error::Usage(format!(
                "on a device {name} takes patterns of 1 to {most} symbols, not {m}{}",
                if m > myers::MOST_SYMBOLS { "" } else { "; myers takes longer ones" }
            )));
        }
        let most = match algorithm {
            DeviceAlgorithm::ShiftOr => 0,
            DeviceAlgorithm::WuManber => MOST_ERRORS,
            DeviceAlgorithm::Myers => myers::MOST_ERRORS,
            DeviceAlgorithm::Packed => packed::MOST_ERRORS,
            _ => published::MOST_ERRORS,
        };
        if k > most || k as usize >= shortest {
            return Err(Error::Usage(format!(
                "on a device {name} takes up to {most} errors, and fewer than symbols, not {k} of {shortest}"
            )));
        }
        if packs && !matches!(format, Format::Count | Format::Hits) {
            return Err(Error::Usage("several patterns in one pass give hits or a count".into()));
        }
        let ends = self.room.saturating_mul(patterns.len() as u64);
        if matches!(format, Format::Count | Format::Hits) && ends > u32::MAX.into() {
            return Err(Error::Usage(format!(
                "{ends} ends, if all are, are more than 32 bits can count; search the text in chunks (DeviceEnds)"
            )));
        }
        let m = m as u32;
        published::check(algorithm, m, k, format, &self.device.limits())?;
        let accepting = match algorithm {
            DeviceAlgorithm::ShiftOr => {
                let (words, steps) = shift_or::kind(m);
                shift_or::accepting(words, steps)
            }
            DeviceAlgorithm::WuManber => 32 * words(m) as u32 - 1,
            DeviceAlgorithm::Myers => myers::rows(m) - 1,
            _ => m - 1,
        };
        let device = self.device;
        let (packing, words) = match algorithm {
            DeviceAlgorithm::Packed => packed::pack(patterns),
            DeviceAlgorithm::XBitPar(_) => (Packing::default(), xbitpar::table(&patterns[0])),
            _ => (Packing::default(), mismatches(&patterns[0], accepting)),
        };
        let mut table = device.alloc(words.len(), "match words")?;
        device.upload(&self.stream, &mut table, &words)?;
        let room = |wanted: bool, len: u64| if wanted { len as usize } else { 1 };
        let strips = algorithm == DeviceAlgorithm::Myers;
        let differences = if strips { myers::differences(device, self.room, m, k) } else { 1 };
        let rounded = self.room.next_multiple_of(ROUND);
        let capacity = if format == Format::Hits { HITS } else { 1 };
        let mut bytes =
            device.alloc(room(algorithm.is_published() || format == Format::Bytes, rounded), "a byte a position")?;
        let mut bitmap = device.alloc(room(format == Format::Bitmap, rounded / 128), "a bit a position")?;
        // Nothing is written before the position that a search starts from, and all is read.
        device.zero(&self.stream, &mut bytes)?;
        device.zero(&self.stream, &mut bitmap)?;
        Ok(DeviceSearch {
            text: self,
            algorithm,
            format,
            n: self.room,
            m,
            k,
            table,
            bytes,
            bitmap,
            count: device.alloc(1, "count")?,
            hits: device.alloc(capacity as usize, "hits")?,
            capacity,
            differences: device.alloc(differences as usize, "differences between strips")?,
            packing,
        })
    }
}

/// The run of a lane and the halo before it, for a search from a position on by so many lanes a multiprocessor, where
/// `before` symbols tell what is found.
fn lane_run<D: Device>(search: &DeviceSearch<'_, '_, D>, from: u64, before: u32, lanes: u64) -> (u64, u64) {
    let halo = u64::from(before).next_multiple_of(lane_runs::ROUND);
    let most = u64::from(search.text.device.limits().multiprocessors) * lanes;
    let run = (search.n - from).div_ceil(most).max(2 * halo).next_multiple_of(lane_runs::ROUND);
    (run, halo)
}

impl<D: Device> DeviceSearch<'_, '_, D> {
    /// Puts the search of the text from a position on, a multiple of [`ROUND`], into the stream.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn launch(&mut self, from: u64) -> Result<()> {
        let (device, stream) = (self.text.device, &self.text.stream);
        device.zero(stream, &mut self.count)?;
        let output = SearchOutput {
            format: match self.format {
                Format::Bytes => output::BYTES,
                Format::Bitmap => output::BITMAP,
                Format::Count => output::COUNT,
                Format::Hits => output::HITS,
            },
            capacity: self.capacity,
            bytes: Global::at(device.handle(&self.bytes).address()),
            bitmap: Global::at(device.handle(&self.bitmap).address()),
            bitmap_by_4: device.handle(&self.bitmap),
            count: device.handle(&self.count),
            hits: device.handle(&self.hits),
        };
        let start = Start { search: self, from, table: device.handle(&self.table), output };
        match self.algorithm {
            DeviceAlgorithm::ShiftOr => {
                ShiftOrDispatch::dispatch(start, shift_or::kind(self.m)).ok_or_else(|| self.no_kernel())?
            }
            DeviceAlgorithm::WuManber => WuManberDispatch::dispatch(start, (words(self.m), self.k as usize + 1))
                .ok_or_else(|| self.no_kernel())?,
            DeviceAlgorithm::Packed => packed::launch(self, from, start.table, output),
            DeviceAlgorithm::Myers => myers::launch(self, from, output),
            DeviceAlgorithm::Scan(_) | DeviceAlgorithm::Gbpr(_) | DeviceAlgorithm::XBitPar(_) => {
                published::launch(self, self.k, from)
            }
        }
    }

    /// The refusal where the algorithm has no kernel for the search.
    fn no_kernel(&self) -> Error {
        let Self { algorithm, m, k, .. } = self;
        Error::Usage(format!("there is no kernel of {algorithm:?} for {m} symbols and {k} errors"))
    }

    /// Waits for what is in the stream.
    ///
    /// # Errors
    /// When a kernel failed.
    pub fn wait(&self) -> Result<()> {
        Ok(self.text.device.wait(&self.text.stream)?)
    }

    /// Searches from a position on, a multiple of [`ROUND`], and gives what was found there: of bytes and
    /// bits all, with no meaning before the position.
    ///
    /// # Errors
    /// When the device fails.
    pub fn run(&mut self, from: u64) -> Result<Found> {
        self.begin(from)?;
        self.finish(from)
    }

    /// Puts what one launch can do into the stream.
    fn begin(&mut self, from: u64) -> Result<()> {
        if self.algorithm.is_published() && self.format == Format::Hits { Ok(()) } else { self.launch(from) }
    }

    /// Waits for what was begun and gives what was found.
    fn finish(&mut self, from: u64) -> Result<Found> {
        let (device, stream, n) = (self.text.device, &self.text.stream, self.n);
        if self.algorithm.is_published() && self.format == Format::Hits {
            return Ok(Found::Hits(vec![published::hits(self, from)?]));
        }
        Ok(match self.format {
            Format::Bytes => Found::Bytes(device.download(stream, &self.bytes, n as usize)?),
            Format::Bitmap => {
                let words = device.download(stream, &self.bitmap, n.div_ceil(128) as usize)?;
                Found::Bitmap(bytemuck::cast_slice(&words)[..n.div_ceil(32) as usize].to_vec())
            }
            Format::Count => Found::Count(device.download(stream, &self.count, 1)?[0].into()),
            Format::Hits => {
                let mut all = vec![Vec::new(); self.packing.last_bits.len().max(1)];
                for (position, bit, errors) in self.hits(from)?.into_iter().map(output::parts) {
                    let pattern = self.packing.last_bits.binary_search(&bit).unwrap_or(0);
                    all[pattern].push(End { end: position + 1, errors });
                }
                Found::Hits(all)
            }
        })
    }

    /// The hits of a launch, in order.
    fn hits(&mut self, from: u64) -> Result<Vec<u64>> {
        let (device, stream) = (self.text.device, &self.text.stream);
        let mut found = device.download(stream, &self.count, 1)?[0];
        if found > self.capacity {
            // Not all were written: once more, with room for all.
            log::debug!("{found} hits and room for {}: again", self.capacity);
            self.hits = device.alloc(found as usize, "hits")?;
            self.capacity = found;
            self.launch(from)?;
            found = device.download(stream, &self.count, 1)?[0];
        }
        let mut hits = device.download(stream, &self.hits, found as usize)?;
        hits.sort_unstable();
        Ok(hits)
    }
}

/// A search on its way into the stream.
struct Start<'a, D: Device> {
    search: &'a DeviceSearch<'a, 'a, D>,
    from: u64,
    table: Global<u32>,
    output: SearchOutput,
}

impl<D: Device> ShiftOrDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const STEPS: u32>(self) -> Result<()>
    where
        ShiftOr<WORDS, STEPS>: Kernel,
    {
        /// Blocks that a multiprocessor has room for.
        const RESIDENT: u64 = 2;
        let Self { search, from, table, output } = self;
        let (text, n) = (search.text, search.n);
        let warps = u64::from(ShiftOr::<WORDS, STEPS>::BLOCK_THREADS / WARP);
        let first_tile = from / shift_or::TILE;
        let tiles = n.div_ceil(shift_or::TILE) - first_tile;
        let most = u64::from(text.device.limits().multiprocessors) * RESIDENT * warps;
        let tiles_per_warp = tiles.div_ceil(most).max(1);
        let blocks = tiles.div_ceil(tiles_per_warp).div_ceil(warps) as u32;
        let kernel =
            ShiftOr { text: text.device.handle(&text.text), n, first_tile, tiles_per_warp, m: search.m, table, output };
        // SAFETY: the text is rounded up to whole tiles, the table has 256 words for each 32 bits, the output's arrays are
        // as long as its format needs, and all live as long as the search, which waits for the stream before they go.
        unsafe { text.device.launch(&text.stream, blocks, kernel)? };
        Ok(())
    }
}

impl<D: Device> WuManberDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const LEVELS: usize>(self) -> Result<()>
    where
        WuManber<WORDS, LEVELS>: Kernel,
    {
        let Self { search, from, table, output } = self;
        let (text, n) = (search.text, search.n);
        let threads = u64::from(WuManber::<WORDS, LEVELS>::BLOCK_THREADS);
        // Two blocks fit a multiprocessor.
        let (run, halo) = lane_run(search, from, search.m + search.k - 1, 2 * threads);
        let blocks = (n - from).div_ceil(run).div_ceil(threads) as u32;
        let text_words = text.device.handle(&text.text);
        let runs = Runs { text: text_words, n, first: from, run, halo };
        let kernel = WuManber { runs, m: search.m, table, output };
        // SAFETY: as above.
        unsafe { text.device.launch(&text.stream, blocks, kernel)? };
        Ok(())
    }
}

impl<D: Device> Drop for DeviceSearch<'_, '_, D> {
    fn drop(&mut self) {
        // A launch may still run on the buffers that go away now.
        if let Err(error) = self.wait() {
            log::warn!("{error}");
        }
    }
}

/// The device engine for searches.
pub struct DeviceEnds<'p, D: Device> {
    device: Arc<D>,
    algorithm: Option<DeviceAlgorithm>,
    chunk: u64,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl<'p, D: Device> DeviceEnds<'p, D> {
    /// With an algorithm, or the fastest. `progress` is told the number of symbols done since the last call.
    pub fn new(device: Arc<D>, algorithm: Option<DeviceAlgorithm>, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { device, algorithm, chunk: CHUNK, progress }
    }

    /// With chunks of so many symbols, a multiple of [`ROUND`]; of fewer where the device has not the memory.
    ///
    /// # Errors
    /// [`Error::Usage`] for another number.
    pub fn with_chunk(self, chunk: u64) -> Result<Self> {
        if chunk == 0 || !chunk.is_multiple_of(ROUND) || chunk > LARGEST_CHUNK {
            return Err(Error::Usage(format!(
                "chunks are of a multiple of {ROUND} symbols, up to {LARGEST_CHUNK}, not {chunk}"
            )));
        }
        Ok(Self { chunk, ..self })
    }

    /// Calls `take` with what was found of a pass in a chunk, and the number of its first pattern.
    fn search(
        &self,
        text: &Text<'_>,
        (patterns, k, format): (&[Pattern], u32, Format),
        take: &mut dyn FnMut(usize, Found) -> Result<()>,
    ) -> Result<()> {
        let lengths: Vec<usize> = patterns.iter().map(Pattern::len).collect();
        let passes = passes(&lengths, k, self.algorithm);
        let job = stream::Job { patterns, passes: &passes, k, format };
        stream::search(&*self.device, text, &job, self.chunk, self.progress, take)
    }
}

impl<D: Device> Ends for DeviceEnds<'_, D> {
    fn ends(&self, text: &[u8], pattern: &Pattern, k: u32) -> Result<Vec<End>> {
        let mut all = Vec::new();
        self.each(&Text::from(text), std::slice::from_ref(pattern), k, &mut |_, ends| {
            all.extend(ends);
            Ok(())
        })?;
        Ok(all)
    }

    fn each(&self, text: &Text<'_>, patterns: &[Pattern], k: u32, take: Take<'_>) -> Result<()> {
        self.search(text, (patterns, k, Format::Hits), &mut |first, found| match found {
            Found::Hits(all) => all.into_iter().enumerate().try_for_each(|(i, ends)| take(first + i, ends)),
            _ => Err(Error::Verification("a search for hits gives something else".into())),
        })
    }

    fn count(&self, text: &Text<'_>, patterns: &[Pattern], k: u32) -> Result<u64> {
        let mut count = 0;
        self.search(text, (patterns, k, Format::Count), &mut |_, found| {
            count += match found {
                Found::Count(ends) => ends,
                Found::Hits(all) => all.iter().map(|ends| ends.len() as u64).sum(),
                _ => return Err(Error::Verification("a search for a count gives something else".into())),
            };
            Ok(())
        })?;
        Ok(count)
    }
}
