//! Search on a device: the text goes there in chunks, and each chunk is searched by one launch.

mod gbpr;
mod published;
mod scan;
mod table;
mod xbitpar;

use super::device::{Device, Spent};
use super::ends::{End, Ends};
use crate::error::{Error, Result};
use crate::search::pattern::Pattern;
use carrywave_kernels::WARP;
use carrywave_kernels::cuda::{Kernel, U32x4, global::Global};
use carrywave_kernels::search_output::{self, ERROR_BITS, SearchOutput};
use carrywave_kernels::shift_or::{self, ShiftOr};
use carrywave_kernels::wu_manber::{self, WuManber};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use table::mismatches;

/// Symbols of a chunk at most: positions of a launch and the number of its hits fit 32 bits.
const CHUNK: u64 = 1 << 30;

/// Symbols that any launch reads whole: a text in memory is rounded up to them.
pub const ROUND: u64 = 2 * shift_or::TILE;

/// Hits that there is room for at first.
const HITS: u32 = 1 << 16;

/// Errors that there are kernels for.
pub const MOST_ERRORS: u32 = 4;

/// Symbols of a pattern that there are kernels for, but for XBitPar's 4,096.
pub const MOST_SYMBOLS: usize = 64;

/// A way to search on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceAlgorithm {
    /// Exact: Shift-Or in tiles that lanes join.
    ShiftOr,
    /// With errors: a run of the text a lane.
    WuManber,
    /// Both as inclusive scans, as Mitani, Ino and Hagihara (2017) published them: bytes and hits, up to 3 errors.
    Scan(ScanOptions),
    /// Both in a short segment a thread, as Lin, Wang and Huang (2014) published them: bytes and hits, up to 3 errors.
    Gbpr(GbprOptions),
    /// Both in words of 1,024 bits and more across a warp, as Tran, Liu and Schmidt (2016) published them, for up to 4,096
    /// symbols: bytes and hits, up to 3 errors.
    XBitPar(XBitParOptions),
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
    /// Ends, in order.
    Hits(Vec<End>),
}

/// A text, or a chunk of one, in a device's memory.
pub struct DeviceText<'d, D: Device> {
    device: &'d D,
    queue: D::Queue,
    text: D::Buffer<U32x4>,
    n: u64,
}

/// A pattern and room for results, ready to search a [`DeviceText`].
pub struct DeviceSearch<'t, 'd, D: Device> {
    text: &'t DeviceText<'d, D>,
    algorithm: DeviceAlgorithm,
    format: Format,
    m: u32,
    k: u32,
    table: D::Buffer<u32>,
    bytes: D::Buffer<u8>,
    bitmap: D::Buffer<U32x4>,
    count: D::Buffer<u32>,
    hits: D::Buffer<u64>,
    capacity: u32,
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
        let queue = device.queue()?;
        let mut words = vec![U32x4::default(); (n.next_multiple_of(ROUND) / 16) as usize];
        bytemuck::cast_slice_mut(&mut words)[..text.len()].copy_from_slice(text);
        let mut buffer = device.alloc(words.len(), "text")?;
        device.upload(&queue, &mut buffer, &words)?;
        Ok(Self { device, queue, text: buffer, n })
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
        let m = pattern.len();
        let longest = match algorithm {
            DeviceAlgorithm::XBitPar(_) => xbitpar::MOST_SYMBOLS,
            _ => MOST_SYMBOLS,
        };
        if m == 0 || m > longest {
            return Err(Error::Usage(format!(
                "{algorithm:?} takes patterns of 1 to {longest} symbols, not {m}; take xbitpar for up to {} symbols, or the \
                 engine cpu for any",
                xbitpar::MOST_SYMBOLS
            )));
        }
        let most = match algorithm {
            DeviceAlgorithm::ShiftOr => 0,
            DeviceAlgorithm::WuManber => MOST_ERRORS,
            _ => published::MOST_ERRORS,
        };
        if k > most || k as usize >= m {
            return Err(Error::Usage(format!(
                "{algorithm:?} takes up to {most} errors, and fewer than symbols, not {k} of {m}"
            )));
        }
        let m = m as u32;
        published::check(algorithm, m, k, format, &self.device.shape())?;
        let accepting = match algorithm {
            DeviceAlgorithm::ShiftOr => shift_or::accepting(kind(m)),
            DeviceAlgorithm::WuManber => 32 * words(m) as u32 - 1,
            _ => m - 1,
        };
        let device = self.device;
        let words = match algorithm {
            DeviceAlgorithm::XBitPar(_) => xbitpar::table(pattern),
            _ => mismatches(pattern, accepting),
        };
        let mut table = device.alloc(words.len(), "match words")?;
        device.upload(&self.queue, &mut table, &words)?;
        let room = |wanted: bool, len: u64| if wanted { len as usize } else { 1 };
        let rounded = self.n.next_multiple_of(ROUND);
        let capacity = if format == Format::Hits { HITS } else { 1 };
        let mut bytes =
            device.alloc(room(algorithm.is_published() || format == Format::Bytes, rounded), "a byte a position")?;
        let mut bitmap = device.alloc(room(format == Format::Bitmap, rounded / 128), "a bit a position")?;
        // Nothing is written before the position that a search starts from, and all is read.
        device.zero(&self.queue, &mut bytes)?;
        device.zero(&self.queue, &mut bitmap)?;
        Ok(DeviceSearch {
            text: self,
            algorithm,
            format,
            m,
            k,
            table,
            bytes,
            bitmap,
            count: device.alloc(1, "count")?,
            hits: device.alloc(capacity as usize, "hits")?,
            capacity,
        })
    }
}

/// The kind of Shift-Or for m symbols.
fn kind(m: u32) -> u32 {
    match m {
        0..=17 => shift_or::SHORT,
        18..=32 => shift_or::WORD,
        _ => shift_or::PAIR,
    }
}

impl<D: Device> DeviceSearch<'_, '_, D> {
    /// Puts the search of the text from a position on, a multiple of [`ROUND`], into the queue.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn launch(&mut self, from: u64) -> Result<()> {
        let (device, queue) = (self.text.device, &self.text.queue);
        device.zero(queue, &mut self.count)?;
        let output = SearchOutput {
            format: match self.format {
                Format::Bytes => search_output::BYTES,
                Format::Bitmap => search_output::BITMAP,
                Format::Count => search_output::COUNT,
                Format::Hits => search_output::HITS,
            },
            capacity: self.capacity,
            bytes: Global::at(device.handle(&self.bytes).address()),
            bitmap: Global::at(device.handle(&self.bitmap).address()),
            bitmap_by_4: device.handle(&self.bitmap),
            count: device.handle(&self.count),
            hits: device.handle(&self.hits),
        };
        let table = device.handle(&self.table);
        match (self.algorithm, kind(self.m), words(self.m), self.k) {
            (algorithm, ..) if algorithm.is_published() => published::launch(self, self.k, from),
            (DeviceAlgorithm::ShiftOr, shift_or::SHORT, ..) => {
                self.shift_or::<{ shift_or::SHORT }, 1>(from, table, output)
            }
            (DeviceAlgorithm::ShiftOr, shift_or::WORD, ..) => {
                self.shift_or::<{ shift_or::WORD }, 1>(from, table, output)
            }
            (DeviceAlgorithm::ShiftOr, ..) => self.shift_or::<{ shift_or::PAIR }, 2>(from, table, output),
            (DeviceAlgorithm::WuManber, _, 1, 0) => self.wu_manber::<1, 1>(from, table, output),
            (DeviceAlgorithm::WuManber, _, 1, 1) => self.wu_manber::<1, 2>(from, table, output),
            (DeviceAlgorithm::WuManber, _, 1, 2) => self.wu_manber::<1, 3>(from, table, output),
            (DeviceAlgorithm::WuManber, _, 1, 3) => self.wu_manber::<1, 4>(from, table, output),
            (DeviceAlgorithm::WuManber, _, 1, _) => self.wu_manber::<1, 5>(from, table, output),
            (DeviceAlgorithm::WuManber, _, _, 0) => self.wu_manber::<2, 1>(from, table, output),
            (DeviceAlgorithm::WuManber, _, _, 1) => self.wu_manber::<2, 2>(from, table, output),
            (DeviceAlgorithm::WuManber, _, _, 2) => self.wu_manber::<2, 3>(from, table, output),
            (DeviceAlgorithm::WuManber, _, _, 3) => self.wu_manber::<2, 4>(from, table, output),
            _ => self.wu_manber::<2, 5>(from, table, output),
        }
    }

    fn shift_or<const KIND: u32, const WORDS: usize>(
        &self,
        from: u64,
        table: Global<u32>,
        output: SearchOutput,
    ) -> Result<()>
    where
        ShiftOr<KIND, WORDS>: Kernel,
    {
        /// Blocks that a multiprocessor has room for.
        const RESIDENT: u64 = 2;
        let (text, n) = (self.text, self.text.n);
        let warps = u64::from(ShiftOr::<KIND, WORDS>::BLOCK_THREADS / WARP);
        let first_tile = from / shift_or::TILE;
        let tiles = n.div_ceil(shift_or::TILE) - first_tile;
        let most = u64::from(text.device.shape().multiprocessors) * RESIDENT * warps;
        let tiles_per_warp = tiles.div_ceil(most).next_multiple_of(2).max(2);
        let blocks = tiles.div_ceil(tiles_per_warp).div_ceil(warps) as u32;
        let kernel =
            ShiftOr { text: text.device.handle(&text.text), n, first_tile, tiles_per_warp, m: self.m, table, output };
        // SAFETY: the text is rounded up to whole tiles, the table has 256 words for each 32 bits, the output's arrays are
        // as long as its format needs, and all live as long as self, which waits for the queue before they go.
        unsafe { text.device.launch(&text.queue, blocks, kernel) }
    }

    fn wu_manber<const WORDS: usize, const LEVELS: usize>(
        &self,
        from: u64,
        table: Global<u32>,
        output: SearchOutput,
    ) -> Result<()>
    where
        WuManber<WORDS, LEVELS>: Kernel,
    {
        let (text, n) = (self.text, self.text.n);
        let threads = u64::from(WuManber::<WORDS, LEVELS>::BLOCK_THREADS);
        let halo = u64::from(self.m + self.k - 1).next_multiple_of(wu_manber::ROUND);
        // Two blocks of one word fit a multiprocessor, one of two.
        let resident = threads * if WORDS == 1 { 2 } else { 1 };
        let most = u64::from(text.device.shape().multiprocessors) * resident;
        let run = (n - from).div_ceil(most).max(2 * halo).next_multiple_of(wu_manber::ROUND);
        let blocks = (n - from).div_ceil(run).div_ceil(threads) as u32;
        let text_words = text.device.handle(&text.text);
        let kernel = WuManber { text: text_words, n, first: from, run, halo, m: self.m, table, output };
        // SAFETY: as above.
        unsafe { text.device.launch(&text.queue, blocks, kernel) }
    }

    /// Waits for what is in the queue.
    ///
    /// # Errors
    /// When a kernel failed.
    pub fn wait(&self) -> Result<()> {
        self.text.device.wait(&self.text.queue)
    }

    /// Searches from a position on, a multiple of [`ROUND`], and gives what was found there: of bytes and
    /// bits all, with no meaning before the position.
    ///
    /// # Errors
    /// When the device fails.
    pub fn run(&mut self, from: u64) -> Result<Found> {
        let (device, queue, n) = (self.text.device, &self.text.queue, self.text.n);
        if self.algorithm.is_published() && self.format == Format::Hits {
            return Ok(Found::Hits(published::hits(self, from)?));
        }
        self.launch(from)?;
        Ok(match self.format {
            Format::Bytes => Found::Bytes(device.download(queue, &self.bytes, n as usize)?),
            Format::Bitmap => {
                let words = device.download(queue, &self.bitmap, n.div_ceil(128) as usize)?;
                Found::Bitmap(bytemuck::cast_slice(&words)[..n.div_ceil(32) as usize].to_vec())
            }
            Format::Count => Found::Count(device.download(queue, &self.count, 1)?[0].into()),
            Format::Hits => {
                let mut found = device.download(queue, &self.count, 1)?[0];
                if found > self.capacity {
                    // Not all were written: once more, with room for all.
                    log::debug!("{found} hits and room for {}: again", self.capacity);
                    self.hits = device.alloc(found as usize, "hits")?;
                    self.capacity = found;
                    self.launch(from)?;
                    found = device.download(queue, &self.count, 1)?[0];
                }
                let mut hits = device.download(queue, &self.hits, found as usize)?;
                hits.sort_unstable();
                let end = |hit: u64| End { end: (hit >> ERROR_BITS) + 1, errors: hit as u32 & ((1 << ERROR_BITS) - 1) };
                Found::Hits(hits.into_iter().map(end).collect())
            }
        })
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
    spent: Mutex<Spent>,
}

impl<'p, D: Device> DeviceEnds<'p, D> {
    /// With an algorithm, or the fastest. `progress` is told the number of symbols done since the last call.
    pub fn new(device: Arc<D>, algorithm: Option<DeviceAlgorithm>, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { device, algorithm, chunk: CHUNK, progress, spent: Mutex::default() }
    }

    /// With chunks of so many symbols, a multiple of [`ROUND`]: for tests.
    ///
    /// # Errors
    /// [`Error::Usage`] for another number.
    pub fn with_chunk(self, chunk: u64) -> Result<Self> {
        if chunk == 0 || !chunk.is_multiple_of(ROUND) || chunk > CHUNK {
            return Err(Error::Usage(format!(
                "chunks are of a multiple of {ROUND} symbols, up to {CHUNK}, not {chunk}"
            )));
        }
        Ok(Self { chunk, ..self })
    }

    /// Where the time went so far.
    pub fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Device> Ends for DeviceEnds<'_, D> {
    fn ends(&self, text: &[u8], pattern: &Pattern, k: u32) -> Result<Vec<End>> {
        let fastest = if k == 0 { DeviceAlgorithm::ShiftOr } else { DeviceAlgorithm::WuManber };
        let algorithm = self.algorithm.unwrap_or(fastest);
        // What goes before a chunk, for occurrences that start there.
        let context = (pattern.len() as u64 + u64::from(k)).next_multiple_of(ROUND);
        let (n, mut first, mut ends) = (text.len() as u64, 0, Vec::new());
        while first < n {
            let (before, end) = (first.min(context), (first + self.chunk).min(n));
            let started = Instant::now();
            let chunk = DeviceText::new(&*self.device, &text[(first - before) as usize..end as usize])?;
            let mut search = chunk.prepare(algorithm, pattern, k, Format::Hits)?;
            let uploaded = started.elapsed();
            let Found::Hits(found) = search.run(before)? else {
                return Err(Error::Verification("a search for hits gives something else".into()));
            };
            ends.extend(found.into_iter().map(|e| End { end: e.end + first - before, ..e }));
            let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
            spent.transfer += uploaded;
            spent.kernels += started.elapsed() - uploaded;
            (self.progress)(end - first);
            first = end;
        }
        Ok(ends)
    }
}
