//! The block-step algorithm on a device, from the host's side: Kawanami and Fujimoto (2014),
//! listing 4, `llcs_gpu`.
//!
//! Strings are uploaded, and working memory is allocated, once for a whole comparison: the
//! recursion's subproblems are spans of the strings. The two halves of a split have their own
//! streams and working memory, so they run at the same time.

use crate::algorithm::About;
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::lcs::gpu::algorithm::DeviceAlgorithm;
use crate::lcs::thresholds::LENGTH_COSTS;
use crate::pairwise::columns::{Columns, Direction, LcsColumn, widened};
use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part, check};
use crate::pairwise::wavefront::codes::Codes;
use carrywave_kernels::collectives::add::{ConditionalSum, WarpAdd};
use carrywave_kernels::published::block_step::{BlockStep, STEP, diagonal};
use carrywave_kernels::published::match_vectors::{MatchVectors, ROWS, Span};
use simt_std::Kernel;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Description of the algorithm.
pub const ABOUT: About = About::new(
    "block-step",
    "blocks of the bit-vector, one launch per diagonal of the table; with `--rules published` as in the paper",
    "Kawanami, Fujimoto 2014; addition: Sklansky 1960",
    "mn / 32 additions by conditional sums, one launch per 1,024 rows and columns",
);

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        open: open::<D, ConditionalSum>,
        is_faster: |m, n, _, threads| launches_are_faster(m, n, threads),
        bands: None,
    }
}

/// Cost of a launch of the block-step kernel while the GPU is not full, in seconds. A launch takes
/// 62 µs on an H200 (1,024 columns, one after the other). But a part on the GPU delays the
/// recursion's next parts, which the CPU could compute meanwhile: with 96 µs, whole comparisons are
/// no slower, and those with the conditional sum are faster.
const LAUNCH_SECONDS: f64 = 96e-6;

/// Rows and columns that a launch advances by.
const ADVANCE: f64 = 1024.0;

/// Returns true if a column of m × n cells is faster by block-step on the GPU than on `threads` CPU
/// threads. It needs one launch per 1,024 rows and columns, however few computing blocks each
/// launch has.
pub(super) fn launches_are_faster(m: u64, n: u64, threads: usize) -> bool {
    let gpu = (m as f64 + n as f64) / ADVANCE * LAUNCH_SECONDS;
    gpu < LENGTH_COSTS.cpu_seconds_of_cells(m as f64 * n as f64, threads)
}

/// Copies two strings to the first of the given devices.
pub(super) fn open<'d, D: Device, A: WarpAdd + Send + Sync + 'static>(
    devices: &[&'d D],
    [a, b]: [&'d [u8]; 2],
    progress: &'d (dyn Fn(u64) + Sync),
) -> Result<Box<dyn Columns + 'd>>
where
    BlockStep<A>: Kernel,
{
    match devices {
        [device, ..] => Ok(Box::new(BlockStepLcs::<D, A>::new(*device, a, b, progress)?)),
        [] => Err(UsageFault::Empty.error("a comparison on devices needs at least one device")),
    }
}

/// Words of 32 bits in a sub-vector.
const WORDS: usize = ROWS as usize / 32;

/// Maximum launches of a stream before it is drained, to report progress and to keep both streams
/// level.
const LAUNCHES_PER_TURN: u32 = 256;

/// Two strings on a device, with the working memory for any of their parts.
pub struct BlockStepLcs<'d, D: Device, A> {
    device: &'d D,
    strings: [D::Buffer<u8>; 2],
    lengths: [usize; 2],
    symbols: u32,
    /// A split locks both halves.
    halves: Mutex<Halves<D>>,
    timings: Mutex<Timings>,
    progress: &'d (dyn Fn(u64) + Sync),
    add: PhantomData<A>,
}

/// Working memory of both directions.
struct Halves<D: Device> {
    forward: Half<D>,
    backward: Half<D>,
}

/// Working memory of one direction.
struct Half<D: Device> {
    stream: D::Stream,
    direction: Direction,
    v: D::Buffer<u32>,
    match_vectors: D::Buffer<u32>,
    carries: D::Buffer<u32>,
}

/// A column to compute, and its working memory.
struct ColumnRequest<'h, D: Device> {
    half: &'h Half<D>,
    rows: &'h Part,
    columns: &'h Part,
}

/// A column in progress: its launches are issued in turns.
struct ColumnLaunches<'h, D: Device> {
    half: &'h Half<D>,
    sub_vectors: u32,
    steps: u32,
    rows: Span,
    columns: Span,
    m: usize,
    n: usize,
    /// Number of the next launch.
    next: u32,
}

impl<D: Device> ColumnLaunches<'_, D> {
    fn launches(&self) -> u32 {
        self.sub_vectors + self.steps - 1
    }

    fn is_done(&self) -> bool {
        self.next == self.launches()
    }

    /// Returns the cells done by the launches issued so far, assuming that all launches are equal.
    fn cells(&self) -> u64 {
        let all = self.m as u128 * self.n as u128;
        (all * u128::from(self.next) / u128::from(self.launches())) as u64
    }
}

impl<'d, D: Device, A: WarpAdd> BlockStepLcs<'d, D, A>
where
    BlockStep<A>: Kernel,
{
    /// Uploads both strings.
    ///
    /// # Errors
    /// [`Error::DeviceMemory`] if they and the working memory do not fit.
    pub fn new(device: &'d D, a: &[u8], b: &[u8], progress: &'d (dyn Fn(u64) + Sync)) -> Result<Self> {
        let encoding = Codes::new(a, b);
        let symbols = encoding.symbols;
        let started = Instant::now();
        // Any part may give the rows.
        let words = a.len().max(b.len()).div_ceil(ROWS as usize).saturating_mul(WORDS);
        let needed = Self::memory(a.len(), b.len(), symbols);
        let free = device.free_memory()?;
        if needed > free {
            return Err(Error::DeviceMemory { needed, free });
        }
        let stream = device.stream()?;
        let upload = |side, text: &[u8], name| -> Result<D::Buffer<u8>> {
            let mut codes = Vec::new();
            encoding.encode(side, text, &mut codes);
            let mut buffer = device.alloc(codes.len(), name)?;
            device.upload(&stream, &mut buffer, &codes)?;
            Ok(buffer)
        };
        let strings = [upload(0, a, "A")?, upload(1, b, "B")?];
        let half = |direction| -> Result<Half<D>> {
            Ok(Half {
                stream: device.stream()?,
                direction,
                v: device.alloc(words, "V")?,
                match_vectors: device.alloc(words * symbols as usize, "match vectors")?,
                carries: device.alloc(2 * words, "carries")?,
            })
        };
        let halves = Halves { forward: half(Direction::Forward)?, backward: half(Direction::Backward)? };
        let timings = Timings { upload: started.elapsed(), ..Timings::default() };
        Ok(Self {
            device,
            strings,
            lengths: [a.len(), b.len()],
            symbols,
            halves: Mutex::new(halves),
            timings: Mutex::new(timings),
            progress,
            add: PhantomData,
        })
    }

    /// Returns the device memory for strings of these lengths, in bytes.
    fn memory(a: usize, b: usize, symbols: u32) -> u64 {
        let words = (a.max(b) as u64).div_ceil(ROWS.into()) * WORDS as u64;
        a as u64 + b as u64 + 2 * 4 * words * (u64::from(symbols) + 3)
    }

    fn span(&self, part: &Part, direction: Direction) -> Span {
        let start = part.range.start;
        let end = part.range.end;
        let symbols = self.device.handle(&self.strings[part.side as usize]);
        match direction {
            Direction::Forward => Span { symbols, first: start as u64, step: 1 },
            Direction::Backward => Span { symbols, first: end as u64 - 1, step: -1 },
        }
    }

    /// Builds the match vectors, which is the first launch of a column. Neither part may be empty.
    fn start<'h>(&self, request: &ColumnRequest<'h, D>) -> Result<ColumnLaunches<'h, D>> {
        let &ColumnRequest { half, rows, columns } = request;
        let m = rows.range.len();
        let n = columns.range.len();
        let sub_vectors = m.div_ceil(ROWS as usize) as u32;
        let steps = n.div_ceil(STEP as usize) as u32;
        let column = ColumnLaunches {
            half,
            sub_vectors,
            steps,
            rows: self.span(rows, half.direction),
            columns: self.span(columns, half.direction),
            m,
            n,
            next: 0,
        };
        let kernel = MatchVectors {
            rows: column.rows,
            m: m as u64,
            symbols: self.symbols,
            vectors: self.device.handle(&half.match_vectors),
        };
        // SAFETY: the span is m symbols of an uploaded string; the vectors have room for the longer
        // string, and the buffers live as long as self, which waits for its streams.
        unsafe { self.device.launch(&half.stream, sub_vectors, kernel)? };
        Ok(column)
    }

    /// Issues some of a column's launches.
    fn turn(&self, column: &mut ColumnLaunches<'_, D>) -> Result<()> {
        let ColumnLaunches { half, sub_vectors, steps, .. } = *column;
        let end = column.launches().min(column.next + LAUNCHES_PER_TURN);
        for d in column.next..end {
            let (first_block, blocks) = diagonal(d, sub_vectors, steps);
            let kernel = BlockStep::<A> {
                v: self.device.handle(&half.v),
                match_vectors: self.device.handle(&half.match_vectors),
                carries: self.device.handle(&half.carries),
                columns: column.columns,
                n: column.n as u64,
                sub_vectors,
                first_block,
                diagonal: d,
                add: PhantomData,
            };
            // SAFETY: as in `start`; launch d comes after launch d - 1 in its stream.
            unsafe { self.device.launch(&half.stream, blocks, kernel)? };
        }
        column.next = end;
        Ok(())
    }

    /// Computes columns at the same time, each in its own half, then fetches them.
    fn run(&self, requests: &[ColumnRequest<'_, D>]) -> Result<Vec<LcsColumn>> {
        let started = Instant::now();
        let mut running = requests.iter().map(|request| self.start(request)).collect::<Result<Vec<_>>>()?;
        while !running.iter().all(ColumnLaunches::is_done) {
            let mut cells = 0;
            for column in running.iter_mut().filter(|column| !column.is_done()) {
                let before = column.cells();
                self.turn(column)?;
                cells += column.cells() - before;
            }
            // Both streams have launches at this point.
            for column in &running {
                self.device.wait(&column.half.stream)?;
            }
            (self.progress)(cells);
        }
        let computed = Instant::now();
        let mut columns = Vec::new();
        for &ColumnLaunches { half, m, .. } in &running {
            let words = self.device.download(&half.stream, &half.v, m.div_ceil(32))?;
            columns.push(LcsColumn::from_words(widened(&words).collect(), m));
        }
        let mut timings = self.timings.lock().unwrap_or_else(PoisonError::into_inner);
        timings.kernels += computed - started;
        timings.download += computed.elapsed();
        timings.cells += running.iter().map(|column| column.m as u64 * column.n as u64).sum::<u64>();
        Ok(columns)
    }
}

impl<D: Device, A: WarpAdd> Cuts for BlockStepLcs<'_, D, A>
where
    BlockStep<A>: Kernel,
{
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        requests.iter().map(|request| self.cut(request)).collect()
    }

    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        Ok(self.column(rows, columns)?.last() as u64)
    }

    fn timings(&self) -> Timings {
        *self.timings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Device, A: WarpAdd> Columns for BlockStepLcs<'_, D, A>
where
    BlockStep<A>: Kernel,
{
    fn directed_column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<LcsColumn> {
        check(rows, columns, None, self.lengths)?;
        let halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        let half = match direction {
            Direction::Forward => &halves.forward,
            Direction::Backward => &halves.backward,
        };
        let mut found = self.run(&[ColumnRequest { half, rows, columns }])?;
        found.pop().ok_or_else(|| Error::Verification("no column".into()))
    }

    fn halves(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(LcsColumn, LcsColumn)> {
        check(rows, columns, Some(middle), self.lengths)?;
        let halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, after) = columns.split(middle);
        let found = self.run(&[
            ColumnRequest { half: &halves.forward, rows, columns: &before },
            ColumnRequest { half: &halves.backward, rows, columns: &after },
        ])?;
        <[LcsColumn; 2]>::try_from(found)
            .map(|[forward, backward]| (forward, backward))
            .map_err(|_| Error::Verification("not two columns".into()))
    }
}

impl<D: Device, A> Drop for BlockStepLcs<'_, D, A> {
    fn drop(&mut self) {
        // After an error, launches may still run on the buffers that are freed here.
        let halves = self.halves.get_mut().unwrap_or_else(PoisonError::into_inner);
        for half in [&halves.forward, &halves.backward] {
            if let Err(error) = self.device.wait(&half.stream) {
                log::warn!("{error}");
            }
        }
    }
}
