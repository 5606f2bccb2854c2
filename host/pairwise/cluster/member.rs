//! A member at work: its state, its agreement with the others, and its rows of a table.

use super::bands::Bands;
use super::border::{Border, Neighbours};
use super::deal;
use super::link::{CarryLink, receive};
use super::members::Cluster;
use super::shares::{Computed, Shares};
use crate::device::{Cpu, EngineKind};
use crate::error::{Error, Result};
use crate::job::Progress;
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::Part;
use crate::pairwise::problem::Pairwise;
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The comparison that all members compute together.
pub(crate) struct Task<'j> {
    pub cluster: &'j Cluster,
    pub strings: [&'j [u8]; 2],
    pub device_cells: Option<u64>,
    pub leaf_cells: u64,
    pub progress: Progress<'j>,
}

/// A member's work so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Number of rows of its first band.
    pub(super) rows: usize,
    pub(super) cells: u64,
    pub(super) waited: Duration,
}

/// Channels for receiving carries from the band above, and for sending carries to the band below.
#[derive(Debug, Clone, Copy)]
pub(super) struct Channels {
    pub(super) taken: u64,
    pub(super) given: u64,
}

/// A member at work.
pub(super) struct Member<'m, P: Pairwise> {
    pub(super) task: &'m Task<'m>,
    pub(super) link: &'m dyn CarryLink,
    pub(super) kind: EngineKind,
    pub(super) engine: &'m dyn Bands<Column = P::Column>,
    /// CPU engine for small parts.
    pub(super) small: &'m dyn Bands<Column = P::Column>,
    pub(super) cpu: &'m Cpu,
    pub(super) strings: [&'m [u8]; 2],
    pub(super) shares: RefCell<Shares>,
    /// Bands computed since the last report.
    pub(super) computed: Cell<Computed>,
    /// Number of channels in use: the same in all members.
    pub(super) channels: Cell<u64>,
    pub(super) work: RefCell<Work>,
}

impl<P: Pairwise> Member<'_, P> {
    /// Returns an unused channel.
    pub(super) fn channel(&self) -> u64 {
        self.channels.replace(self.channels.get() + 1)
    }

    /// Returns the shares, normalised to a sum of 1.
    pub(super) fn parts_of_all(&self) -> Vec<f64> {
        let shares = self.shares.borrow();
        let sum = shares.get().iter().sum::<f64>().max(f64::MIN_POSITIVE);
        shares.get().iter().map(|share| share / sum).collect()
    }

    /// Returns about the number of this member's rows, of m rows; at least 1.
    pub(super) fn own_rows(&self, m: u64) -> u64 {
        (m as f64 * self.parts_of_all()[self.link.rank()]).ceil().max(1.0) as u64
    }

    /// Returns the only member that has rows, if there is one.
    pub(super) fn alone(&self) -> Option<usize> {
        match self.shares.borrow().members()[..] {
            [member] => Some(member),
            _ => None,
        }
    }

    /// Exchanges some numbers between all members.
    pub(super) fn all<const N: usize>(&self, own: [i64; N]) -> Result<Vec<[i64; N]>> {
        let channel = self.channel();
        self.send_all(channel, own)?;
        self.receive_all(channel, own)
    }

    /// Sends some numbers to all other members.
    pub(super) fn send_all<const N: usize>(&self, channel: u64, own: [i64; N]) -> Result<()> {
        let rank = self.link.rank();
        let words: Vec<u64> = own.iter().map(|number| number.cast_unsigned()).collect();
        for to in (0..self.link.size()).filter(|&to| to != rank) {
            self.link.send(to, channel, words.clone())?;
        }
        Ok(())
    }

    /// Receives the numbers that all members have sent, with this member's own among them.
    pub(super) fn receive_all<const N: usize>(&self, channel: u64, own: [i64; N]) -> Result<Vec<[i64; N]>> {
        let rank = self.link.rank();
        let from = |from: usize| {
            if from == rank {
                return Ok(own);
            }
            let words = receive(self.link, from, channel)?;
            let numbers: Vec<i64> = words.iter().map(|word| word.cast_signed()).collect();
            numbers
                .try_into()
                .map_err(|_| Error::Member { rank: from, reason: "sent an unexpected type of message".into() })
        };
        (0..self.link.size()).map(from).collect()
    }

    /// Checks that all members have the same strings and the same job.
    pub(super) fn agree(&self) -> Result<()> {
        let hash = |bytes: &[u8]| {
            let mut hasher = foldhash::quality::FixedState::with_seed(1).build_hasher();
            hasher.write(bytes);
            hasher.finish().cast_signed()
        };
        let [a, b] = self.strings;
        let cluster = self.task.cluster;
        let shares: Vec<u8> = cluster.shares.iter().flatten().flat_map(|share| share.to_le_bytes()).collect();
        let settings = [cluster.chunk as u64, cluster.whole.unwrap_or(0), self.task.leaf_cells];
        let settings: Vec<u8> = settings.iter().flat_map(|number| number.to_le_bytes()).chain(shares).collect();
        let own = [a.len() as i64, b.len() as i64, hash(a), hash(b), hash(P::NAME.as_bytes()), hash(&settings)];
        let all = self.all(own)?;
        match all.iter().position(|other| *other != all[0]) {
            Some(rank) => {
                let what = if all[rank][..4] == all[0][..4] {
                    "a different job or different settings"
                } else {
                    "different strings"
                };
                Err(Error::Member {
                    rank,
                    reason: format!("it has {what} from rank 0; start all ranks with the same strings and settings"),
                })
            }
            None => Ok(()),
        }
    }

    /// Returns the number of cells of the whole table.
    pub(super) fn cells(&self) -> u64 {
        let [m, n] = self.strings.map(|text| text.len() as u64);
        m.saturating_mul(n)
    }

    /// Returns the rows of every member in a table, within the part of the rows. Corrects the
    /// shares by the bands of the tables before it.
    pub(super) fn ranges(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<Vec<Range<usize>>> {
        let m = rows.range.len();
        let unit = self.engine.unit(self.own_rows(m as u64), columns.range.len() as u64);
        let [cells, time] = self.computed.take().to_words();
        let reports = self.all([unit as i64, cells, time])?;
        let units: Vec<u64> = reports.iter().map(|[unit, ..]| unit.cast_unsigned()).collect();
        let computed: Vec<Computed> =
            reports.iter().map(|&[_, cells, time]| Computed::from_words([cells, time])).collect();
        let mut shares = self.shares.borrow_mut();
        shares.correct(&computed, self.cells());
        Ok(deal::bands(m, shares.get(), &units, direction))
    }

    /// Takes this member's rows through a table, if it has any.
    pub(super) fn pass(
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
        self.band(&band, columns, direction, neighbours, Channels { taken: channel, given: channel }).map(Some)
    }

    /// Takes a band of this member through a table.
    pub(super) fn band(
        &self,
        band: &Part,
        columns: &Part,
        direction: Direction,
        neighbours: Neighbours,
        channels: Channels,
    ) -> Result<P::Column> {
        let n = columns.range.len();
        let chunk = self.task.cluster.chunk;
        let mut border = Border::new(self.link, neighbours, channels.taken, n, chunk, P::TOP).giving_on(channels.given);
        let started = Instant::now();
        let column = self.engine.band(band, columns, direction, &mut border)?;
        let known = match self.engine.knows_waiting() {
            true => Some(started.elapsed().saturating_sub(border.waited())),
            false => border.time_by_pace(),
        };
        if let Some(own) = known {
            let Computed { cells, time } = self.computed.get();
            self.computed.set(Computed { cells: cells + band.range.len() as u64 * n as u64, time: time + own });
        }
        let mut work = self.work.borrow_mut();
        if work.rows == 0 {
            work.rows = band.range.len();
        }
        work.cells += band.range.len() as u64 * n as u64;
        work.waited += border.waited();
        Ok(column)
    }
}
