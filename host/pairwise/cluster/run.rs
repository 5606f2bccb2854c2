//! What a member does: the same as all others, on its own rows.

use super::border::{Border, Neighbours};
use super::link::{CarryLink, HostMemory, receive};
use super::{Bands, Cluster, Members, Steps, deal};
use crate::alignment::runs::Run;
use crate::device::{Cpu, Device, Devices, EngineKind};
use crate::error::{Error, Result};
use crate::pairwise::column::Direction;
use crate::pairwise::columns::{CutRequest, Cuts, Part, Side};
use crate::pairwise::comparison::{Bytes, Pairwise, Progress};
use crate::pairwise::hirschberg::{Parts, Recursion};
use crate::text::Equality;
use crate::threads;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A problem whose tables can be spread over several members.
pub(crate) trait Spread {
    /// The last column of a band of rows.
    type Column: Steps;

    /// A word of the carries above the first row, for each bit of a column.
    const TOP: &'static [u64];

    /// The value of a table of n columns whose last column rises by so much.
    fn total(rise: i64, n: u64) -> u64;

    /// The CPU as a member.
    fn member_on_cpu<'s>(
        cpu: &Cpu,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Box<dyn Bands<Column = Self::Column> + 's>;

    /// Devices that reach one another's memory as a member. If `streams`, launches return before they are done.
    ///
    /// # Errors
    /// When a device fails.
    fn member_on_devices<'d, D: Device>(
        devices: &[&'d D],
        strings: [&'d [u8]; 2],
        streams: bool,
        progress: Progress<'d>,
    ) -> Result<Box<dyn Bands<Column = Self::Column> + 'd>>;
}

/// What is to be computed.
pub(crate) struct Job<'j> {
    pub cluster: &'j Cluster,
    pub strings: [&'j [u8]; 2],
    pub device_cells: Option<u64>,
    pub leaf_cells: u64,
    pub progress: Progress<'j>,
}

/// What a member did, and where its time went.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stats {
    pub engine: EngineKind,
    pub kernels: Duration,
    pub transfer: Duration,
    pub device_cells: u64,
}

/// Cells of a table from which all members cut it together: below, handing carries on takes longer than to solve it whole.
const SHARED_CELLS: u64 = 1 << 32;

/// Rounds of bands at most.
const MOST_ROUNDS: u64 = 64;

/// Parts that are dealt out whole, for each member, at least.
const PARTS_PER_MEMBER: u64 = 8;

/// Rows and columns of the first table by which a member's speed is measured; the next has twice as many of both.
const MEASURED: usize = 128;

/// What such a table takes at least, unless it is already this part of the whole one.
const MEASURE: Duration = Duration::from_millis(100);
const MEASURED_PART: f64 = 1.0 / 64.0;

/// Rows among which a thread looks for the best at a time.
const ROWS: usize = 1 << 16;

/// Words of a message at most, where results are collected.
const PIECE: usize = 1 << 20;

impl Job<'_> {
    /// The value of the whole table.
    pub fn value<P: Pairwise>(&self) -> Result<(u64, Stats)> {
        self.run::<P, _>(&|member| member.value())
    }

    /// The runs of matches of an alignment that has that value, in order.
    pub fn runs<P: Pairwise>(&self) -> Result<(Vec<Run>, Stats)> {
        self.run::<P, _>(&|member| member.runs())
    }

    /// Runs all members of this process; what the first of them computed.
    fn run<P: Pairwise, R: Send>(&self, job: Solve<'_, P, R>) -> Result<(R, Stats)> {
        match &self.cluster.members {
            Members::Linked(link, devices) => guarded(&**link, || threads::run(|| self.member(&**link, devices, job))),
            Members::Here(devices) => {
                let links = HostMemory::of(devices.len());
                let results: Vec<Result<(R, Stats)>> = std::thread::scope(|scope| {
                    let threads: Vec<_> = links
                        .iter()
                        .zip(devices)
                        .map(|(link, devices)| {
                            let run = move || guarded(link, || threads::run(|| self.member(link, devices, job)));
                            std::thread::Builder::new().spawn_scoped(scope, run).map_err(|error| {
                                link.fail(link.rank(), &format!("its thread cannot be started: {error}"));
                                Error::Threads(error.to_string())
                            })
                        })
                        .collect();
                    let ended = |_| Error::Verification("a member's thread ended".into());
                    threads.into_iter().map(|thread| thread?.join().map_err(ended)?).collect()
                });
                let mut results = results.into_iter();
                let first = results.next();
                match results.find_map(Result::err) {
                    Some(error) => Err(error),
                    None => first.unwrap_or_else(|| Err(Error::Usage("a cluster without members".into()))),
                }
            }
        }
    }

    /// What a member does.
    fn member<P: Pairwise, R: Send>(
        &self,
        link: &dyn CarryLink,
        devices: &Devices,
        job: Solve<'_, P, R>,
    ) -> Result<(R, Stats)> {
        let measuring = AtomicBool::new(false);
        let progress = |cells| {
            if !measuring.load(Ordering::Relaxed) {
                (self.progress)(cells);
            }
        };
        let (strings, progress) = (self.strings, &progress);
        let equality = Equality::exact();
        let (engine, cpu) = match devices {
            Devices::Cpu(cpu) => (P::member_on_cpu(cpu, strings, &equality, progress), cpu.clone()),
            Devices::Gpus(gpus) => {
                let gpus: Vec<_> = gpus.iter().map(|gpu| &**gpu).collect();
                // With this set the driver waits for a launch, which would wait for carries.
                let streams = std::env::var_os("CUDA_LAUNCH_BLOCKING").is_none_or(|set| set == "0");
                (P::member_on_devices(&gpus, strings, streams, progress)?, Cpu::new())
            }
            Devices::Simulated(devices) => {
                let devices: Vec<_> = devices.iter().map(|device| &**device).collect();
                (P::member_on_devices(&devices, strings, false, progress)?, Cpu::new())
            }
        };
        let small = P::member_on_cpu(&cpu, strings, &equality, progress);
        let mut member = Member::<P> {
            job: self,
            link,
            kind: devices.kind(),
            engine: &*engine,
            small: &*small,
            cpu: &cpu,
            strings,
            shares: Vec::new(),
            channels: Cell::new(0),
            work: RefCell::default(),
        };
        let started = Instant::now();
        member.agree()?;
        member.shares = match &self.cluster.shares {
            Some(shares) => shares.clone(),
            None => {
                measuring.store(true, Ordering::Relaxed);
                let speed = member.speed()?;
                measuring.store(false, Ordering::Relaxed);
                let speeds = member.all([speed as i64])?;
                speeds.into_iter().map(|[speed]| speed as f64).collect()
            }
        };
        let before = engine.timings();
        let begun = Instant::now();
        let result = job(&member)?;
        let (after, took) = (engine.timings(), begun.elapsed());
        let stats = Stats {
            engine: devices.kind(),
            kernels: after.kernels.saturating_sub(before.kernels),
            transfer: after.transfer.saturating_sub(before.transfer),
            device_cells: after.cells - before.cells,
        };
        let Work { rows, cells, waited } = member.work.take();
        log::info!(
            "rank {} of {} ({}): {rows} rows, {cells} cells in {:.3} s: {:.1} GCUPS (kernels {:.3} s, transfer {:.3} s, \
             waiting {:.3} s; {:.3} s before that to agree on shares: {:.3?})",
            link.rank(),
            link.size(),
            stats.engine,
            took.as_secs_f64(),
            cells as f64 / 1e9 / took.as_secs_f64().max(1e-9),
            stats.kernels.as_secs_f64(),
            stats.transfer.as_secs_f64(),
            waited.as_secs_f64(),
            (begun - started).as_secs_f64(),
            member.parts_of_all(),
        );
        Ok((result, stats))
    }
}

/// What a member computes.
type Solve<'j, P, R> = &'j (dyn Fn(&Member<'_, P>) -> Result<R> + Sync);

/// Runs a member: if it fails, the others are told. The error names the member that was the first to fail.
fn guarded<R>(link: &dyn CarryLink, member: impl FnOnce() -> Result<R>) -> Result<R> {
    let outcome = catch_unwind(AssertUnwindSafe(member));
    let own = match outcome {
        Ok(Err(error)) => match error {
            Error::Member { .. } => error,
            other => Error::Member { rank: link.rank(), reason: other.to_string() },
        },
        Ok(done) => return done,
        Err(_) => Error::Member { rank: link.rank(), reason: "it panicked, which is a bug in carrywave".into() },
    };
    if let Error::Member { rank, reason } = &own {
        link.fail(*rank, reason);
    }
    Err(own)
}

/// What a member has done.
#[derive(Debug, Default)]
struct Work {
    /// Of its first band.
    rows: usize,
    cells: u64,
    waited: Duration,
}

/// A member at work.
struct Member<'m, P: Pairwise> {
    job: &'m Job<'m>,
    link: &'m dyn CarryLink,
    kind: EngineKind,
    engine: &'m dyn Bands<Column = P::Column>,
    /// The CPU, which takes small parts.
    small: &'m dyn Bands<Column = P::Column>,
    cpu: &'m Cpu,
    strings: [&'m [u8]; 2],
    shares: Vec<f64>,
    /// How many channels have been used: the same in all members.
    channels: Cell<u64>,
    work: RefCell<Work>,
}

impl<P: Pairwise> Member<'_, P> {
    /// A channel that has not been used.
    fn channel(&self) -> u64 {
        self.channels.replace(self.channels.get() + 1)
    }

    /// The shares as parts of 1.
    fn parts_of_all(&self) -> Vec<f64> {
        let sum = self.shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        self.shares.iter().map(|share| share / sum).collect()
    }

    /// Some numbers of every member.
    fn all<const N: usize>(&self, own: [i64; N]) -> Result<Vec<[i64; N]>> {
        let (channel, rank) = (self.channel(), self.link.rank());
        let words: Vec<u64> = own.iter().map(|number| number.cast_unsigned()).collect();
        for to in (0..self.link.size()).filter(|&to| to != rank) {
            self.link.send(to, channel, words.clone())?;
        }
        let from = |from: usize| {
            if from == rank {
                return Ok(own);
            }
            let words = receive(self.link, from, channel)?;
            let numbers: Vec<i64> = words.iter().map(|word| word.cast_signed()).collect();
            numbers
                .try_into()
                .map_err(|_| Error::Member { rank: from, reason: "sent a message of another kind".into() })
        };
        (0..self.link.size()).map(from).collect()
    }

    /// Makes sure that all members have the same strings and the same job.
    fn agree(&self) -> Result<()> {
        let hash = |bytes: &[u8]| {
            let mut hasher = foldhash::quality::FixedState::with_seed(1).build_hasher();
            hasher.write(bytes);
            hasher.finish().cast_signed()
        };
        let [a, b] = self.strings;
        let cluster = self.job.cluster;
        let shares: Vec<u8> = cluster.shares.iter().flatten().flat_map(|share| share.to_le_bytes()).collect();
        let settings = [cluster.chunk as u64, cluster.whole.unwrap_or(0), self.job.leaf_cells];
        let settings: Vec<u8> = settings.iter().flat_map(|number| number.to_le_bytes()).chain(shares).collect();
        let own = [a.len() as i64, b.len() as i64, hash(a), hash(b), hash(P::NAME.as_bytes()), hash(&settings)];
        let all = self.all(own)?;
        match all.iter().position(|other| *other != all[0]) {
            Some(rank) => {
                let what =
                    if all[rank][..4] == all[0][..4] { "another job or other settings" } else { "other strings" };
                Err(Error::Member { rank, reason: format!("it has {what} than rank 0: all members take the same") })
            }
            None => Ok(()),
        }
    }

    /// Cells a second of this member, by a corner of the table.
    fn speed(&self) -> Result<u64> {
        let [m, n] = self.strings.map(<[u8]>::len);
        if m == 0 || n == 0 {
            return Ok(1);
        }
        let mut size = MEASURED;
        loop {
            let (rows, columns) = (size.min(m), size.min(n));
            let cells = rows as f64 * columns as f64;
            let part = |side, len| Part { side, range: 0..len };
            let started = Instant::now();
            self.engine.value(&part(Side::A, rows), &part(Side::B, columns))?;
            let took = started.elapsed();
            if took >= MEASURE || cells >= MEASURED_PART * m as f64 * n as f64 {
                return Ok((cells / took.as_secs_f64().max(1e-9)).max(1.0) as u64);
            }
            size *= 2;
        }
    }

    /// The rows of every member in a table, of the rows' part.
    fn ranges(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<Vec<Range<usize>>> {
        let m = rows.range.len();
        let own = (m as f64 * self.parts_of_all()[self.link.rank()]).ceil().max(1.0) as u64;
        let unit = self.engine.unit(own, columns.range.len() as u64);
        let units = self.all([unit as i64])?;
        let units: Vec<u64> = units.iter().map(|[unit]| unit.cast_unsigned()).collect();
        Ok(deal::bands(m, &self.shares, &units, direction))
    }

    /// Takes this member's rows through a table, if it has any.
    fn pass(
        &self,
        rows: &Part,
        columns: &Part,
        direction: Direction,
        ranges: &[Range<usize>],
        channel: u64,
    ) -> Result<Option<P::Column>> {
        let rank = self.link.rank();
        let own = ranges[rank].clone();
        if own.is_empty() || columns.range.is_empty() {
            return Ok(None);
        }
        let before = (0..rank).rev().find(|&member| !ranges[member].is_empty());
        let after = (rank + 1..ranges.len()).find(|&member| !ranges[member].is_empty());
        let neighbours = match direction {
            Direction::Forward => Neighbours { above: before, below: after },
            Direction::Backward => Neighbours { above: after, below: before },
        };
        let start = rows.range.start;
        let band = Part { side: rows.side, range: start + own.start..start + own.end };
        self.band(&band, columns, direction, neighbours, [channel; 2]).map(Some)
    }

    /// Takes a band of this member through a table; carries are taken on one channel and given on another.
    fn band(
        &self,
        band: &Part,
        columns: &Part,
        direction: Direction,
        neighbours: Neighbours,
        [taken_on, given_on]: [u64; 2],
    ) -> Result<P::Column> {
        let (n, chunk) = (columns.range.len(), self.job.cluster.chunk);
        let mut border = Border::new(self.link, neighbours, taken_on, n, chunk, P::TOP).giving_on(given_on);
        let column = self.engine.band(band, columns, direction, &mut border)?;
        let mut work = self.work.borrow_mut();
        if work.rows == 0 {
            work.rows = band.range.len();
        }
        work.cells += band.range.len() as u64 * n as u64;
        work.waited += border.waited();
        Ok(column)
    }

    /// The value of the whole table.
    fn value(&self) -> Result<u64> {
        let [m, n] = self.strings.map(<[u8]>::len);
        if m == 0 || n == 0 {
            return Ok(P::value_of_distance((m + n) as u64, m as u64, n as u64));
        }
        let (a, b) = (Part { side: Side::A, range: 0..m }, Part { side: Side::B, range: 0..n });
        let (rows, columns) = if m >= n { (a, b) } else { (b, a) };
        let turns = self.turns(rows.range.len(), columns.range.len())?;
        let rounds = turns.last().map_or(1, |turn| turn.round + 1);
        let channels: Vec<u64> = (0..rounds).map(|_| self.channel()).collect();
        let (mut rise, mut own) = (0, 0);
        for (number, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.member == self.link.rank()) {
            let above = number.checked_sub(1).and_then(|before| turns.get(before));
            let below = turns.get(number + 1);
            let neighbours = Neighbours { above: above.map(|turn| turn.member), below: below.map(|turn| turn.member) };
            let given_on = channels[below.unwrap_or(turn).round];
            let band = Part { side: rows.side, range: turn.rows.clone() };
            let channels = [channels[turn.round], given_on];
            rise += self.band(&band, &columns, Direction::Forward, neighbours, channels)?.rise();
            own += turn.rows.len();
        }
        self.work.borrow_mut().rows = own;
        let rises = self.all([rise])?;
        Ok(P::total(rises.iter().map(|[rise]| rise).sum(), columns.range.len() as u64))
    }

    /// The bands of a table of m × n symbols of which the last column is not needed whole: so many rounds that no member takes one of its bands
    /// in parts, for which the band below would wait.
    fn turns(&self, m: usize, n: usize) -> Result<Vec<deal::Turn>> {
        let share = self.parts_of_all()[self.link.rank()];
        let own = (m as f64 * share).ceil().max(1.0) as u64;
        let rounds = own.div_ceil(self.engine.at_once(own, n as u64).max(1)).min(MOST_ROUNDS);
        let rounds = self.all([rounds as i64])?.iter().map(|[rounds]| *rounds).max().unwrap_or(1).max(1);
        let unit = self.engine.unit(own.div_ceil(rounds.cast_unsigned()), n as u64);
        let units: Vec<u64> = self.all([unit as i64])?.iter().map(|[unit]| unit.cast_unsigned()).collect();
        Ok(deal::rounds(m, &self.shares, &units, rounds as usize))
    }

    /// The row of a cut, by all members.
    fn cut(&self, request: &CutRequest) -> Result<usize> {
        let CutRequest { rows, columns, middle } = request;
        let (before, after) = columns.split(*middle);
        let forward = self.ranges(rows, &before, Direction::Forward)?;
        let backward = self.ranges(rows, &after, Direction::Backward)?;
        let channels = [self.channel(), self.channel()];
        let first = || self.pass(rows, &before, Direction::Forward, &forward, channels[0]);
        let second = || self.pass(rows, &after, Direction::Backward, &backward, channels[1]);
        // The members of the upper half begin at the top, the others at the bottom: so fewer wait. Carries that arrive early are kept.
        let (first, second) = if 2 * self.link.rank() < self.link.size() {
            let first = first()?;
            (first, second()?)
        } else {
            let second = second()?;
            (first()?, second)
        };
        let start = forward[self.link.rank()].start;
        let mut best = Best::default();
        for (rows, steps) in self.aligned(&second, &forward, &backward)? {
            let of_piece = |piece: usize| {
                let mut best = Best::default();
                for row in piece..(piece + ROWS).min(rows.end) {
                    let up = first.as_ref().map_or(0, |column| column.step(row - start));
                    best.add(row, P::Column::BETTER * (up - steps.at(row)));
                }
                best
            };
            let pieces: Vec<usize> = rows.clone().step_by(ROWS).collect();
            let pieces: Vec<Best> = pieces.into_par_iter().map(of_piece).collect();
            pieces.into_iter().for_each(|next| best.append(next));
        }
        let all = self.all([best.sum, best.most, best.row as i64])?;
        let mut whole = Best::default();
        for [sum, most, row] in all {
            whole.append(Best { sum, most, row: row as usize });
        }
        Ok(whole.row)
    }

    /// The steps of the backward table's last column at this member's rows of the forward one, which others may have computed.
    fn aligned<'c>(
        &self,
        own: &'c Option<P::Column>,
        forward: &[Range<usize>],
        backward: &[Range<usize>],
    ) -> Result<Vec<RowsOf<'c, P::Column>>> {
        let (channel, rank) = (self.channel(), self.link.rank());
        let common = |one: &Range<usize>, other: &Range<usize>| one.start.max(other.start)..one.end.min(other.end);
        if let Some(column) = own {
            for (to, rows) in forward.iter().enumerate().filter(|&(to, _)| to != rank) {
                let rows = common(rows, &backward[rank]);
                if !rows.is_empty() {
                    self.link.send(to, channel, packed(rows, |row| column.step(backward[rank].end - 1 - row)))?;
                }
            }
        }
        let mut found = Vec::new();
        for (from, rows) in backward.iter().enumerate() {
            let rows = common(rows, &forward[rank]);
            if rows.is_empty() {
                continue;
            }
            let steps = match own {
                Some(column) if from == rank => StepsOf::Own { column, end: backward[rank].end },
                _ => {
                    let words = receive(self.link, from, channel)?;
                    if words.len() != 2 * rows.len().div_ceil(64) {
                        let reason = format!("sent {} words of a column of {} rows", words.len(), rows.len());
                        return Err(Error::Member { rank: from, reason });
                    }
                    StepsOf::Sent { words, start: rows.start }
                }
            };
            found.push((rows, steps));
        }
        Ok(found)
    }

    /// The runs of matches of an alignment: large parts are cut by all, the rest is dealt out.
    fn runs(&self) -> Result<Vec<Run>> {
        let [a, b] = self.strings;
        let (size, rank) = (self.link.size(), self.link.rank());
        let (kind, device_cells, threads) = (self.kind, self.job.device_cells, rayon::current_num_threads());
        let is_large = |m: u64, n: u64, _: u64| match (kind, device_cells) {
            (EngineKind::Cpu, _) => false,
            (_, Some(least)) => m.saturating_mul(n) >= least,
            (kind, None) => kind == EngineKind::Simt || P::gpu_is_faster(m, n, threads),
        };
        let equality = Equality::exact();
        let recursion = Recursion {
            a,
            b,
            engine: self.engine as &dyn Cuts,
            small: self.small as &dyn Cuts,
            is_large: &is_large,
            leaf_cells: self.job.leaf_cells,
            symbols: Bytes::<P>::new(&equality),
        };
        let whole = Parts { a: 0..a.len(), b: 0..b.len() };
        let most = self
            .job
            .cluster
            .whole
            .unwrap_or_else(|| (whole.cells() / (PARTS_PER_MEMBER * size as u64)).max(SHARED_CELLS));
        let (mut parts, mut small, mut runs) = (vec![whole], Vec::new(), Vec::new());
        while let Some(next) = parts.pop() {
            // Every member finds these matches; the first one tells of them.
            let mut found = Vec::new();
            let rest = recursion.trim(next, &mut found);
            if rank == 0 {
                runs.extend(found);
            }
            let Some(rest) = rest else { continue };
            // What is solved whole is so on one engine too: then all give the same alignment.
            if size == 1 || rest.cells() <= most.max(self.job.leaf_cells) {
                small.push(rest);
                continue;
            }
            let request = rest.request();
            let row = self.cut(&request)?;
            parts.extend(rest.cut(&request, row));
        }
        let cells: Vec<u64> = small.iter().map(Parts::cells).collect();
        let members = deal::parts(&cells, &self.shares);
        let mine = |&(_, member): &(Parts, usize)| member == rank;
        let mine: Vec<Parts> = small.into_iter().zip(members).filter(mine).map(|(parts, _)| parts).collect();
        self.work.borrow_mut().cells += 2 * mine.iter().map(Parts::cells).sum::<u64>();
        runs.extend(self.cpu.run(|| recursion.solve_parts(mine))?);
        let mut runs = self.collected(runs)?;
        runs.sort_unstable_by_key(|run: &Run| run.a_start);
        Ok(runs)
    }

    /// The runs of all members.
    fn collected(&self, own: Vec<Run>) -> Result<Vec<Run>> {
        let (channel, rank) = (self.channel(), self.link.rank());
        let counts = self.all([3 * own.len() as i64])?;
        let words: Vec<u64> = own.iter().flat_map(|run| [run.a_start, run.b_start, run.len]).collect();
        for to in (0..self.link.size()).filter(|&to| to != rank) {
            for piece in words.chunks(PIECE) {
                self.link.send(to, channel, piece.to_vec())?;
            }
        }
        let mut runs = own;
        for (from, [count]) in counts.into_iter().enumerate().filter(|&(from, _)| from != rank) {
            let mut words: Vec<u64> = Vec::new();
            while (words.len() as i64) < count {
                let piece = receive(self.link, from, channel)?;
                if piece.is_empty() {
                    return Err(Error::Member { rank: from, reason: "sent nothing where runs are due".into() });
                }
                words.extend(piece);
            }
            let (whole, _) = words.as_chunks::<3>();
            runs.extend(whole.iter().map(|&[a_start, b_start, len]| Run { a_start, b_start, len }));
        }
        Ok(runs)
    }
}

/// The best row of some that follow one another: the first of those that gain most.
#[derive(Debug, Default)]
struct Best {
    /// What all rows gain.
    sum: i64,
    /// What those up to the best row gain, more than nothing.
    most: i64,
    /// The row after these, if they gain anything.
    row: usize,
}

impl Best {
    /// The next row, which gains so much.
    fn add(&mut self, row: usize, gain: i64) {
        self.append(Self { sum: gain, most: gain, row: row + 1 });
    }

    /// The next rows.
    fn append(&mut self, next: Self) {
        if next.most > 0 && self.sum + next.most > self.most {
            (self.most, self.row) = (self.sum + next.most, next.row);
        }
        self.sum += next.sum;
    }
}

/// Some rows, and the steps there.
type RowsOf<'c, C> = (Range<usize>, StepsOf<'c, C>);

/// Steps of a backward table's last column, by the rows of the string.
enum StepsOf<'c, C> {
    /// Of this member, whose rows end there.
    Own { column: &'c C, end: usize },
    /// Of another one: a bit a row for +1, then a bit a row for -1.
    Sent { words: Vec<u64>, start: usize },
}

impl<C: Steps> StepsOf<'_, C> {
    fn at(&self, row: usize) -> i64 {
        match self {
            Self::Own { column, end } => column.step(end - 1 - row),
            Self::Sent { words, start } => {
                let (at, half) = (row - start, words.len() / 2);
                let bit = |first: usize| (words[first + at / 64] >> (at % 64) & 1) as i64;
                bit(0) - bit(half)
            }
        }
    }
}

/// Steps of rows as [`StepsOf::Sent`] has them.
fn packed(rows: Range<usize>, step: impl Fn(usize) -> i64) -> Vec<u64> {
    let half = rows.len().div_ceil(64);
    let mut words = vec![0; 2 * half];
    for (at, row) in rows.enumerate() {
        let step = step(row);
        words[at / 64] |= u64::from(step > 0) << (at % 64);
        words[half + at / 64] |= u64::from(step < 0) << (at % 64);
    }
    words
}
