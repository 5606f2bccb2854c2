//! Listed pairs: sorted by length, so that those computed together have similar lengths, and
//! computed in batches.

use super::algorithm::DeviceAlgorithm;
use super::codes::present;
use super::device_pairs::{Block, DevicePairs};
use super::planes::{Coding, Planes, STRINGS};
use super::room::room;
use crate::algorithm::About;
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::last_row::LONGEST;
use carrywave_kernels::distance::listed_pairs::{
    LISTED_PAIRS_INSTANCES, ListedPairs, ListedPairsDispatch, NO_PADDING, WARPS, edge_words,
};
use carrywave_kernels::distance::string_groups::NO_STRING;
use simt_std::{Kernel, WARP};
use std::time::Instant;

/// The algorithm's name, source and cost.
pub const ABOUT: About = About::new(
    "listed-pairs",
    "listed pairs: a lane holds 32 pairs of similar lengths, one bit of a word each",
    "Myers 1999; Crochemore et al. 2001",
    "mn / 32 word steps for 32 pairs",
);

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        listed: Some(|pairs, list, cost| pairs.listed(list, cost)),
        all: |pairs, a, b, cost, each| pairs.all_by_list(a, b, cost, each),
    }
}

/// Number of pairs that fill a GPU.
pub(super) const MANY: usize = 1 << 18;

/// Upper bound on the pairs of a batch: a launch that keeps a GPU busy.
const BATCH: usize = 1 << 20;

/// Upper bound on the bytes of symbols of a batch, unless it has a single group: the host has a
/// copy of them.
const BATCH_SYMBOLS: usize = 256 << 20;

/// Number of blocks for each multiprocessor.
const BLOCKS: u32 = 3;

/// Kernel instance and codes of a batch.
struct Choice {
    indel: bool,
    planes: usize,
    columns: usize,
    codes: [u16; 256],
    /// Codes that pad rows' and columns' strings in front.
    padding: [u32; 2],
}

impl Choice {
    /// Chooses for pairs over these symbols. `even` is true if all strings of a group have the same
    /// length.
    fn new(symbols: &[bool; 256], cost: Cost, even: bool) -> Result<Self> {
        let mut codes = [0; 256];
        let mut next = 0;
        for (code, _) in codes.iter_mut().zip(symbols).filter(|(_, present)| **present) {
            *code = next;
            next += 1;
        }
        let next = u32::from(next);
        let indel = cost == Cost::Indel;
        let (padding, all) = match (even, indel) {
            (true, _) => ([NO_PADDING; 2], next),
            (false, false) => ([next; 2], next + 1),
            (false, true) => ([next, next + 1], next + 2),
        };
        let enough = LISTED_PAIRS_INSTANCES.iter().filter(|&&(i, planes, _)| i == indel && all <= 1 << planes);
        let &(_, planes, columns) = enough
            .min_by_key(|(_, planes, _)| *planes)
            .ok_or_else(|| UsageFault::Engine.error(format!("there is no kernel for listed pairs of {all} symbols")))?;
        Ok(Self { indel, planes, columns, codes, padding })
    }
}

impl<D: Device> DevicePairs<'_, D> {
    /// Computes the distances of listed pairs, in the order of the list.
    ///
    /// A GPU computes 1,024 pairs of similar lengths together, so this suits lists of at least
    /// thousands of pairs. For short strings, the time is that of copying them to the device.
    ///
    /// # Errors
    /// As [`all`](Self::all).
    pub fn listed(&self, pairs: &[[&[u8]; 2]], cost: Cost) -> Result<Vec<u32>> {
        let longest = pairs.iter().flatten().map(|string| string.len()).max().unwrap_or(0);
        if longest > LONGEST as usize {
            return Err(UsageFault::TooLarge
                .error(format!("many pairs on a GPU support strings of up to {LONGEST} symbols, not {longest}")));
        }
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        self.note(&ABOUT);
        crate::memory::check::<u32>(pairs.len(), "the distances")?;
        let mut distances = vec![0; pairs.len()];
        let mut order: Vec<Turn> = pairs.iter().enumerate().map(|(number, pair)| Turn::new(number, pair)).collect();
        order.sort_unstable();
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(batch_len(self.device, pairs, rest, cost)?);
            let batch: Vec<Sorted<'_>> = batch.iter().map(|turn| Sorted::new(turn.number as usize, pairs)).collect();
            let found = compute(self, &batch, cost)?;
            for (pair, distance) in batch.iter().zip(found) {
                distances[pair.position] = distance;
            }
            rest = after;
        }
        Ok(distances)
    }

    /// Like [`all`](Self::all), for short lists.
    pub(super) fn all_by_list(
        &self,
        a: &[&[u8]],
        b: &[&[u8]],
        cost: Cost,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        let most = self.tuning.many.unwrap_or(MANY);
        // Takes the shorter list as a whole, if it is not too long by itself.
        let (step_a, step_b) = if a.len() <= b.len() {
            (a.len().min(most), (most / a.len()).max(1))
        } else {
            ((most / b.len()).max(1), b.len().min(most))
        };
        for (i, part_a) in a.chunks(step_a).enumerate() {
            for (j, part_b) in b.chunks(step_b).enumerate() {
                let pairs: Vec<[&[u8]; 2]> = part_a.iter().flat_map(|&a| part_b.iter().map(move |&b| [a, b])).collect();
                let distances = self.listed(&pairs, cost)?;
                each(Block {
                    first_a: i * step_a,
                    first_b: j * step_b,
                    rows: part_a.len(),
                    columns: part_b.len(),
                    distances: &distances,
                })?;
            }
        }
        Ok(())
    }
}

/// Position of a pair in the order of computation, the longest pair first: lengths are negated, and
/// the order is that of the fields.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    longer: u32,
    shorter: u32,
    /// Number of the pair in the list.
    number: u32,
}

impl Turn {
    fn new(number: usize, [a, b]: &[&[u8]; 2]) -> Self {
        let longer = !(a.len().max(b.len()) as u32);
        let shorter = !(a.len().min(b.len()) as u32);
        Self { longer, shorter, number: number as u32 }
    }
}

/// A pair in the kernel's format.
struct Sorted<'p> {
    rows: &'p [u8],
    columns: &'p [u8],
    /// Position in the list.
    position: usize,
}

impl<'p> Sorted<'p> {
    /// Uses the longer string of a pair as its columns.
    fn new(position: usize, pairs: &[[&'p [u8]; 2]]) -> Self {
        let [a, b] = pairs[position];
        if a.len() <= b.len() { Self { rows: a, columns: b, position } } else { Self { rows: b, columns: a, position } }
    }
}

/// Returns an upper bound on the bytes of device memory for a group of pairs, by the most symbols
/// of rows and columns.
fn group_bytes(rows: usize, columns: usize) -> usize {
    // The symbols, nine planes, and the starts of strings.
    (rows + columns) * (STRINGS + 9 * 4 * WARP as usize) + 32 * STRINGS
}

/// Returns the number of pairs in the next batch: whole groups that fit, at least one.
fn batch_len<D: Device>(device: &D, pairs: &[[&[u8]; 2]], order: &[Turn], cost: Cost) -> Result<usize> {
    let free = device.free_memory()?;
    let (mut len, mut symbols, mut bytes, mut height) = (0, 0, 0, 0);
    for group in order.chunks(STRINGS) {
        if len + group.len() > BATCH && len > 0 {
            break;
        }
        let lengths = || group.iter().map(|turn| pairs[turn.number as usize].map(<[u8]>::len));
        let columns = lengths().map(|[m, n]| m.max(n)).max().unwrap_or(0);
        let rows = lengths().map(|[m, n]| m.min(n)).max().unwrap_or(0);
        symbols += lengths().map(|[m, n]| m + n).sum::<usize>();
        bytes += group_bytes(rows, columns);
        height = height.max(rows);
        // Columns past the end, and the edges of at least one block of threads.
        let edges = edge_words(cost == Cost::Indel, height as u32) * 4 * u64::from(WARPS);
        let needed = bytes as u64 + edges + (1 << 20);
        if symbols > BATCH_SYMBOLS || needed > free / 8 * 7 {
            if len > 0 {
                break;
            }
            if needed > free / 8 * 7 {
                return Err(Error::DeviceMemory { needed, free });
            }
        }
        len += group.len();
    }
    Ok(len)
}

/// Computes the distances of a batch.
fn compute<D: Device>(job: &DevicePairs<'_, D>, batch: &[Sorted<'_>], cost: Cost) -> Result<Vec<u32>> {
    let device = job.device;
    let started = Instant::now();
    let mut symbols = present(batch, |pair| pair.rows);
    for (symbol, also) in symbols.iter_mut().zip(present(batch, |pair| pair.columns)) {
        *symbol |= also;
    }
    let even = batch.chunks(STRINGS).all(|group| {
        let sizes = |pair: &Sorted<'_>| (pair.rows.len(), pair.columns.len());
        group.len() == STRINGS && group.iter().all(|pair| sizes(pair) == sizes(&group[0]))
    });
    let choice = Choice::new(&symbols, cost, even)?;
    let coding =
        |side: usize| Coding { codes: &choice.codes, padding: choice.padding[side], planes: choice.planes as u32 };
    let mut indices = vec![NO_STRING; batch.len().next_multiple_of(STRINGS)];
    for (i, index) in indices.iter_mut().take(batch.len()).enumerate() {
        *index = i as u32;
    }

    // Dropped last, after the stream has been waited for.
    let mut kept_edges = None;
    let mut kept_out = None;
    let stream = device.stream()?;
    let rows = Planes::new(device, &stream, batch, |pair| pair.rows, coding(0), 1)?;
    let columns = Planes::new(device, &stream, batch, |pair| pair.columns, coding(1), choice.columns)?;
    let indices = device.alloc_from(&stream, &indices, "places")?;
    let groups = batch.len().div_ceil(STRINGS) as u32;
    let each = edge_words(choice.indel, rows.longest);
    let free = device.free_memory()? / 8 * 7;
    let blocks = u64::from(groups.div_ceil(WARPS).min(device.limits().multiprocessors * BLOCKS))
        .min(free / (each * 4 * u64::from(WARPS)))
        .max(1) as u32;
    let edges = room(device, &mut kept_edges, (each * u64::from(blocks * WARPS)) as usize, "edges")?;
    let out = room(device, &mut kept_out, batch.len(), "distances")?;
    let mut claimed = device.alloc::<u32>(1, "claimed")?;
    device.zero(&stream, &mut claimed)?;
    device.wait(&stream)?;
    let uploaded = Instant::now();
    let launch = Launch {
        device,
        stream: &stream,
        choice: &choice,
        rows: &rows,
        columns: &columns,
        indices: &indices,
        groups,
        limit: job.limit.unwrap_or(u32::MAX),
        edges,
        edge_words: each,
        out,
        claimed: &claimed,
        blocks,
    };
    let values = (choice.indel, choice.planes, choice.columns);
    // Waits for the stream even if the launch fails.
    let launched = launch.dispatch(values);
    let done = device.wait(&stream);
    launched
        .ok_or_else(|| UsageFault::Engine.error(format!("there is no kernel for listed pairs of {values:?}")))??;
    done?;
    let computed = Instant::now();
    let found = device.download(&stream, out, batch.len())?;
    let cells = batch.iter().map(|pair| pair.rows.len() as u64 * pair.columns.len() as u64).sum();
    let upload = uploaded - started;
    let kernels = computed - uploaded;
    job.add_timings(Timings { kernels, upload, download: computed.elapsed(), cells, ..Timings::default() });
    (job.progress)(cells);
    Ok(found)
}

/// A launch of an instance chosen at run time. Only [`compute`] creates it: the arrays are as the
/// kernel requires, and live until the stream has been waited for.
struct Launch<'l, D: Device> {
    device: &'l D,
    stream: &'l D::Stream,
    choice: &'l Choice,
    rows: &'l Planes<D>,
    columns: &'l Planes<D>,
    indices: &'l D::Buffer<u32>,
    groups: u32,
    limit: u32,
    edges: &'l D::Buffer<u32>,
    edge_words: u64,
    out: &'l D::Buffer<u32>,
    claimed: &'l D::Buffer<u32>,
    blocks: u32,
}

impl<D: Device> ListedPairsDispatch for Launch<'_, D> {
    type Output = Result<()>;

    fn with<const INDEL: bool, const PLANES: usize, const C: usize>(self) -> Result<()>
    where
        ListedPairs<INDEL, PLANES, C>: Kernel,
    {
        let device = self.device;
        let kernel = ListedPairs::<INDEL, PLANES, C> {
            row_groups: device.handle(&self.rows.fields),
            row_words: device.handle(&self.rows.words),
            row_lengths: device.handle(&self.rows.lengths),
            column_groups: device.handle(&self.columns.fields),
            column_words: device.handle(&self.columns.words),
            column_lengths: device.handle(&self.columns.lengths),
            indices: device.handle(self.indices),
            count: self.groups,
            padding: self.choice.padding[0],
            limit: self.limit,
            edges: device.handle(self.edges),
            edge_words: self.edge_words,
            out: device.handle(self.out),
            claimed: device.handle(self.claimed),
        };
        // SAFETY: see the struct.
        unsafe { device.launch(self.stream, self.blocks, kernel)? };
        Ok(())
    }
}
