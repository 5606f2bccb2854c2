//! All pairs of two lists, a block of the matrix at a time. Two blocks are under way: while one is computed the other's results
//! are copied and handed over.

use super::codes::{Codes, present};
use super::groups::{Groups, Order};
use super::launch::Launch;
use super::plan::Plan;
use super::room::room;
use super::{Block, Cost, DevicePairs};
use crate::device::{Device, Timings};
use crate::error::{Error, Result};
use carrywave_kernels::distance::all_pairs::{WARPS, edge_words};
use carrywave_kernels::distance::last_row::LONGEST;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rows and columns of a block of the matrix: enough for a launch that keeps a GPU busy, and 64 MiB of results.
const SIDE: usize = 4096;

/// Strings of a list up to which pairs are computed as listed ones, if they are so many that they fill a GPU.
const FEW: usize = 6;

/// So many pairs fill one.
const MANY: usize = 1 << 18;

/// The least side to which blocks are halved when memory is short.
const LEAST_SIDE: usize = 32;

/// More columns than any kernel's block has.
const MOST_COLUMNS: usize = 96;

/// Cells of a launch from which on its progress is asked for while it runs.
const LONG: u64 = 1 << 40;

/// Between two questions.
const ASK: Duration = Duration::from_millis(20);

/// How many strings of each list a block takes.
fn sides(a: usize, b: usize, side: usize) -> (usize, usize) {
    let most = side * side;
    // A short list leaves room for more of the other.
    let rows = a.min(side);
    let columns = b.min((most / rows.max(1)).max(side));
    (a.min((most / columns.max(1)).max(rows)), columns)
}

pub(super) fn all<D: Device>(
    pairs: &DevicePairs<'_, D>,
    a: &[&[u8]],
    b: &[&[u8]],
    cost: Cost,
    each: &mut dyn FnMut(Block<'_>) -> Result<()>,
) -> Result<()> {
    if a.is_empty() || b.is_empty() {
        return Ok(());
    }
    let longest = |strings: &[&[u8]]| strings.iter().map(|string| string.len()).max().unwrap_or(0);
    let most = longest(a).max(longest(b));
    if most > LONGEST as usize {
        return Err(Error::Usage(format!(
            "the distances of many pairs take strings of up to {LONGEST} symbols, not {most}"
        )));
    }
    let total = |strings: &[&[u8]]| strings.iter().map(|string| string.len()).sum::<usize>();
    // Columns are filled up to whole blocks, rows are not: the longer strings are columns.
    let a_is_rows = total(b) / b.len() > total(a) / a.len() * 5 / 4;
    let (in_a, in_b) = (present(a, |string| *string), present(b, |string| *string));
    let (in_rows, in_columns) = if a_is_rows { (&in_a, &in_b) } else { (&in_b, &in_a) };
    let codes = Codes::new(in_rows, in_columns, cost, pairs.tuning.table);

    let many = pairs.tuning.many.unwrap_or(MANY);
    if a.len().min(b.len()) <= FEW && a.len() * b.len() >= many {
        return few(pairs, a, b, cost, many, each);
    }

    let mut side = pairs.tuning.side.unwrap_or(SIDE).max(LEAST_SIDE);
    loop {
        match in_blocks(pairs, a, b, cost, &codes, a_is_rows, sides(a.len(), b.len(), side), each) {
            // Nothing was handed over yet.
            Err(Stop::NoRoom(_)) if side > LEAST_SIDE => side /= 2,
            Err(Stop::NoRoom(error) | Stop::Failed(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
}

/// A list of few strings would leave most bits of a word, or most lanes of a warp, without a pair: the pairs are computed as listed ones.
fn few<D: Device>(
    job: &DevicePairs<'_, D>,
    a: &[&[u8]],
    b: &[&[u8]],
    cost: Cost,
    many: usize,
    each: &mut dyn FnMut(Block<'_>) -> Result<()>,
) -> Result<()> {
    let rest = (many / a.len().min(b.len())).max(1);
    let (rows, columns) = if a.len() <= b.len() { (a.len(), rest) } else { (rest, b.len()) };
    for (i, part_a) in a.chunks(rows).enumerate() {
        for (j, part_b) in b.chunks(columns).enumerate() {
            let pairs: Vec<(&[u8], &[u8])> = part_a.iter().flat_map(|&a| part_b.iter().map(move |&b| (a, b))).collect();
            let distances = job.listed(&pairs, cost)?;
            let (first_a, first_b) = (i * rows, j * columns);
            each(Block { first_a, first_b, rows: part_a.len(), columns: part_b.len(), distances: &distances })?;
        }
    }
    Ok(())
}

/// Strings of a list that belong to a block.
struct Part<'s> {
    first: usize,
    strings: &'s [&'s [u8]],
    order: Order,
}

/// A list in parts of so many strings.
fn parts<'s>(strings: &'s [&'s [u8]], step: usize) -> Vec<Part<'s>> {
    let part = |(i, strings)| Part { first: i * step, strings, order: Order::new(strings) };
    strings.chunks(step).enumerate().map(part).collect()
}

impl Part<'_> {
    fn longest(&self) -> usize {
        self.order.longest.first().copied().unwrap_or(0)
    }

    fn symbols(&self) -> u64 {
        self.strings.iter().map(|string| string.len() as u64).sum()
    }

    fn range(&self) -> Range<usize> {
        self.first..self.first + self.strings.len()
    }
}

/// Why blocks of one size were not all computed.
enum Stop {
    /// The first does not fit.
    NoRoom(Error),
    /// Anything else.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

#[expect(clippy::too_many_arguments, reason = "what a matrix is, and how it is cut")]
fn in_blocks<D: Device>(
    pairs: &DevicePairs<'_, D>,
    a: &[&[u8]],
    b: &[&[u8]],
    cost: Cost,
    codes: &Codes,
    a_is_rows: bool,
    (rows, columns): (usize, usize),
    each: &mut dyn FnMut(Block<'_>) -> Result<()>,
) -> std::result::Result<(), Stop> {
    let device = pairs.device;
    let mut slots = [Slot::new(device)?, Slot::new(device)?];
    let mut turn = 0;
    let mut ended = Instant::now();
    let (parts_a, parts_b) = (parts(a, rows), parts(b, columns));

    // What the greatest blocks leave of the memory is for the edges of two launches.
    let longest = |parts: &[Part<'_>]| parts.iter().map(Part::longest).max().unwrap_or(0);
    let longest_row = longest(if a_is_rows { &parts_a } else { &parts_b }).next_multiple_of(2) as u32;
    let most = |parts: &[Part<'_>]| {
        parts.iter().map(|part| Groups::<D>::bytes(part.strings, &part.order, MOST_COLUMNS)).max().unwrap_or(0)
    };
    let fixed = 2 * most(&parts_a) + 2 * most(&parts_b) + 8 * rows as u64 * columns as u64;
    let needed = fixed + 2 * edge_words(cost == Cost::Indel, longest_row) * 4 * u64::from(WARPS);
    let free = device.free_memory()?;
    if needed > free / 8 * 7 {
        return Err(Stop::NoRoom(Error::DeviceMemory { needed, free }));
    }
    let budget = (free / 8 * 7 - fixed) / 2;

    for part_a in &parts_a {
        let mut groups_a: Option<Arc<Groups<D>>> = None;
        for part_b in &parts_b {
            let (of_rows, of_columns) = if a_is_rows { (part_a, part_b) } else { (part_b, part_a) };
            let columns = &of_columns.order.longest;
            let mut plan = Plan::new(cost, codes.table, codes.table_rows, columns, device.limits(), pairs.tuning)?;
            let (multiple_a, multiple_b) = if a_is_rows { (2, plan.columns) } else { (plan.columns, 2) };
            let pairs_of_groups = columns.len() as u64 * of_rows.order.longest.len() as u64;
            plan.limit(pairs_of_groups, of_rows.longest().next_multiple_of(2) as u32, budget);

            let slot = &mut slots[turn % 2];
            slot.finish(pairs, &mut ended, each)?;
            let started = Instant::now();
            let slot = &mut slots[turn % 2];
            let code = |is_rows: bool| {
                if is_rows { (&codes.rows, codes.row_filling) } else { (&codes.columns, codes.column_filling) }
            };
            let groups_a = match &groups_a {
                Some(groups) => groups.clone(),
                None => {
                    let (map, filling) = code(a_is_rows);
                    let groups =
                        Groups::new(device, &slot.stream, part_a.strings, &part_a.order, multiple_a, map, filling)?;
                    // Both streams read them.
                    let groups = groups_a.insert(Arc::new(groups)).clone();
                    device.wait(&slot.stream)?;
                    groups
                }
            };
            let (map, filling) = code(!a_is_rows);
            let groups_b = Groups::new(device, &slot.stream, part_b.strings, &part_b.order, multiple_b, map, filling)?;
            let groups_b = Arc::new(groups_b);
            let (rows, columns) = if a_is_rows { (groups_a, groups_b) } else { (groups_b, groups_a) };
            let cells = part_a.symbols() * part_b.symbols();
            pairs.add_timings(Timings { transfer: started.elapsed(), cells, ..Timings::default() });
            let pitch = part_b.strings.len() as u64;
            let (row_pitch, column_pitch) = if a_is_rows { (pitch, 1) } else { (1, pitch) };
            let flight = Flight {
                rows,
                columns,
                a: part_a.range(),
                b: part_b.range(),
                cells,
                groups: pairs_of_groups,
                started: Instant::now(),
            };
            slot.start(plan, codes, pairs.limit, flight, (row_pitch, column_pitch))?;
            turn += 1;
        }
    }
    for slot in [turn, turn + 1] {
        slots[slot % 2].finish(pairs, &mut ended, each)?;
    }
    Ok(())
}

/// A block under way.
struct Flight<D: Device> {
    rows: Arc<Groups<D>>,
    columns: Arc<Groups<D>>,
    a: Range<usize>,
    b: Range<usize>,
    cells: u64,
    /// Pairs of groups.
    groups: u64,
    started: Instant,
}

impl<D: Device> Flight<D> {
    fn block<'b>(&self, distances: &'b [u32]) -> Block<'b> {
        Block { first_a: self.a.start, first_b: self.b.start, rows: self.a.len(), columns: self.b.len(), distances }
    }
}

/// What one of the two blocks under way has on the device.
struct Slot<'d, D: Device> {
    device: &'d D,
    stream: D::Stream,
    /// For asking how far the launch in `stream` is.
    asking: D::Stream,
    out: Option<(D::Buffer<u32>, usize)>,
    edges: Option<(D::Buffer<u32>, usize)>,
    /// The distances on the host, and how many there is room for.
    distances: Option<(D::Pinned, usize)>,
    claimed: D::Buffer<u32>,
    flight: Option<Flight<D>>,
}

impl<'d, D: Device> Slot<'d, D> {
    fn new(device: &'d D) -> Result<Self> {
        Ok(Self {
            device,
            stream: device.stream()?,
            asking: device.stream()?,
            out: None,
            edges: None,
            distances: None,
            claimed: device.alloc(1, "claimed")?,
            flight: None,
        })
    }

    fn start(
        &mut self,
        plan: Plan,
        codes: &Codes,
        limit: Option<u32>,
        flight: Flight<D>,
        (row_pitch, column_pitch): (u64, u64),
    ) -> Result<()> {
        let device = self.device;
        device.zero(&self.stream, &mut self.claimed)?;
        let results = flight.a.len() * flight.b.len();
        let edges = plan.edge_words(flight.rows.longest) as usize;
        // Before anything can fail: what is under way is waited for.
        let flight = self.flight.insert(flight);
        let launch = Launch {
            plan,
            rows: &flight.rows,
            columns: &flight.columns,
            table_rows: codes.table_rows,
            filling: codes.row_filling,
            limit,
            edges: room(device, &mut self.edges, edges, "edges")?,
            out: room(device, &mut self.out, results, "distances")?,
            row_pitch,
            column_pitch,
            claimed: &self.claimed,
        };
        // SAFETY: the groups are of the plan's columns and the codes' table, the edges are of so many warps, and `out` has a place for
        // each pair; all live until `finish` or `drop`, which wait for the stream.
        unsafe { launch.start(device, &self.stream) }
    }

    /// Waits for the block under way, if there is one, and hands it over.
    fn finish(
        &mut self,
        pairs: &DevicePairs<'_, D>,
        ended: &mut Instant,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        let Some(flight) = self.flight.take() else { return Ok(()) };
        let device = self.device;
        let mut told = 0;
        while flight.cells > LONG && !device.is_done(&self.stream)? {
            std::thread::sleep(ASK);
            let claimed = device.download(&self.asking, &self.claimed, 1)?.first().copied().unwrap_or(0);
            let part = u128::from(flight.cells) * u128::from(claimed) / u128::from(flight.groups.max(1));
            // What was claimed is not done; the last claims of all warps find nothing.
            let now = (part as u64).min(flight.cells / 100 * 99).max(told);
            (pairs.progress)(now - told);
            told = now;
        }
        device.wait(&self.stream)?;
        let done = Instant::now();
        (pairs.progress)(flight.cells - told);
        let results = flight.a.len() * flight.b.len();
        let Some((out, _)) = &self.out else { return Ok(()) };
        if self.distances.as_ref().is_none_or(|kept| kept.1 < results) {
            // Given back first, for it may be handed out again.
            self.distances = None;
        }
        let (pinned, _) = match &mut self.distances {
            Some(kept) => kept,
            none => none.insert((device.pinned(4 * results)?, results)),
        };
        device.download_to_pinned(&self.stream, out, pinned, results)?;
        // The launch before it ran until `ended`.
        let kernels = done.saturating_duration_since(flight.started.max(*ended));
        *ended = done;
        pairs.add_timings(Timings { kernels, transfer: done.elapsed(), cells: 0 });
        let bytes = &device.pinned_bytes(pinned)[..4 * results];
        match bytemuck::try_cast_slice(bytes) {
            Ok(distances) => each(flight.block(distances)),
            // The simulator's need not be aligned.
            Err(_) => {
                let words = bytes.chunks_exact(4).map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
                each(flight.block(&words.collect::<Vec<_>>()))
            }
        }
    }
}

impl<D: Device> Drop for Slot<'_, D> {
    fn drop(&mut self) {
        // After an error a launch may still run on the buffers that go away now.
        if let Err(error) = self.device.wait(&self.stream) {
            log::warn!("{error}");
        }
    }
}
