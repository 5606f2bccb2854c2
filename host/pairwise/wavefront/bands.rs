//! Cuts of similar strings' tables in bands: of each strip only the columns that a path of a known cost can reach (Ukkonen 1985).
//!
//! ```text
//!          columns   middle                  A path of cost k from the first corner to the last is at no cell further than
//!        +----+        |                     k / 2 diagonals from those that both corners are on. Each strip has the columns
//!        |    |---+    |                     of these diagonals, whole tiles. Outside, the kernel takes the straight way
//!   rows +----+   |    |                     along the edge, which is a path as well; so all that it computes
//!             +---+ ---+ i                   are costs of paths, and those of cheapest paths are exact.
//!                 |    |------+
//!                 +----+      +----+         The last columns of the strips that end at the cut have the costs there.
//!                      |---+       |
//! ```
//!
//! **Cost.** Few strips are at work at a time, since a strip starts where the one below it is as many columns ahead as it has rows: about
//! n column steps one after the other, n / 2 for a cut in the middle.

use super::plan::Plan;
use super::{Batch, Distances, Table, Wavefront, Work, layout};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::column::Direction;
use crate::pairwise::cuts::{BandCut, BandRequest, Part, check};
use crate::pairwise::differences::Differences;
use std::ops::Range;

/// The diagonals, column less row, that the paths of some cost can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// At most 0.
    least: i64,
    /// At least 0.
    greatest: i64,
}

impl Band {
    /// Of paths that cost at most `most`, through a table of m × n; none where the lengths differ by more.
    pub fn new(m: u64, n: u64, most: u64) -> Option<Self> {
        let shift = n.cast_signed() - m.cast_signed();
        let spare = (most.checked_sub(shift.unsigned_abs())? / 2).min(m + n).cast_signed();
        Some(Self { least: shift.min(0) - spare, greatest: shift.max(0) + spare })
    }

    /// Columns of a strip that are more than its rows.
    pub fn reach(&self) -> u64 {
        (self.greatest - self.least).cast_unsigned()
    }

    /// Rows of a table of so many rows that have some of n columns.
    fn rows(&self, m: u64, n: u64) -> u64 {
        m.min(n + self.least.unsigned_abs())
    }

    /// The columns of some rows, of n: whole tiles, but for the last.
    pub fn columns(&self, rows: Range<u64>, n: u64, tile: u64) -> Range<u64> {
        let start = rows.start.saturating_sub(self.least.unsigned_abs()) / tile * tile;
        let end = (rows.end + self.greatest.cast_unsigned()).next_multiple_of(tile);
        start.min(n)..end.min(n)
    }
}

/// A table's last column, from the first row on whose strip has it.
struct Ends<'c> {
    column: &'c Differences,
    first: usize,
    /// What the cheapest path to the first row costs.
    cost: i64,
}

impl<'c> Ends<'c> {
    /// From the last columns of all strips: the next strip goes on from where this one's last row ends.
    fn new(table: &Table, plan: Plan<Distances>, column: &'c Differences) -> Self {
        let (m, n) = table.size();
        let (mut cost, mut before, mut first) = (0, 0, 0);
        for strip in 0..plan.strips(m) {
            first = strip * plan.height();
            let end = table.columns_of(plan, strip, n).end;
            cost += (end - before).cast_signed();
            before = end;
            if end == n {
                break;
            }
            cost += column.rise(first as usize..(first + plan.height()).min(m) as usize);
        }
        Self { column, first: first as usize, cost }
    }

    /// The cost at a row from the first on.
    fn at(&self, row: usize) -> i64 {
        self.cost + self.column.rise(self.first..row)
    }
}

/// The row that costs least, the first of several, of a request's m rows: `backward` counts them from the last.
fn least(forward: &Ends<'_>, backward: &Ends<'_>, m: usize) -> Option<BandCut> {
    let start = forward.first.max(m - backward.column.rows());
    let end = forward.column.rows().min(m - backward.first);
    if start > end {
        return None;
    }
    let (mut before, mut after) = (forward.at(start), backward.at(m - start));
    let mut best = (start, before, after);
    for row in start..end {
        before += forward.column.step(row);
        after -= backward.column.step(m - row - 1);
        if before + after < best.1 + best.2 {
            best = (row + 1, before, after);
        }
    }
    let (row, before, after) = best;
    Some(BandCut { row, costs: [before.cast_unsigned(), after.cast_unsigned()] })
}

impl<D: Device> Wavefront<'_, D, Distances> {
    /// The share of the full tables' time that bands should take; none where lengths differ by more than a request's `most`.
    pub(super) fn share_of_bands(&self, requests: &[BandRequest]) -> Option<f64> {
        let in_bands: Vec<[Table; 2]> = requests.iter().map(tables).collect::<Option<_>>()?;
        let whole: Vec<Table> = requests.iter().flat_map(|request| Self::tables(&request.cut)).collect();
        let time = |tables: &[Table]| self.plan(tables).1.as_secs_f64();
        Some(time(&in_bands.concat()) / time(&whole))
    }

    /// Cuts of similar strings; none where the devices' memory does not hold all bands at once, or where lengths differ by more than a
    /// request's `most`.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts that are not in the strings; others when a device fails.
    pub fn cuts_in_bands(&self, requests: &[BandRequest]) -> Result<Option<Vec<BandCut>>> {
        for BandRequest { cut, .. } in requests {
            check(&cut.rows, &cut.columns, Some(cut.middle), self.lengths)?;
        }
        let Some(tables) = requests.iter().map(tables).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let tables: Vec<Table> = tables.into_iter().flatten().collect();
        let (plan, _) = self.plan(&tables);
        let mut work = self.lock();
        if self.bytes_in_bands(plan, &tables) > self.budget(&work)? {
            return Ok(None);
        }
        let batch = self.run(&mut work, &tables)?;
        let pairs = tables.chunks_exact(2).zip(requests).enumerate();
        let cuts = pairs.map(|(i, (pair, request))| self.cut_in_band(&work, &batch, plan, i, pair, &request.cut.rows));
        cuts.collect::<Result<Vec<_>>>().map(Some)
    }

    /// The cut of a pair of tables of a batch.
    fn cut_in_band(
        &self,
        work: &Work<D>,
        batch: &Batch,
        plan: Plan<Distances>,
        number: usize,
        pair: &[Table],
        rows: &Part,
    ) -> Result<BandCut> {
        let columns = [0, 1].map(|k| self.download(work, batch, &pair[k], 2 * number + k));
        let [forward, backward] = columns;
        let (forward, backward) = (forward?, backward?);
        let [forward, backward] = [(&pair[0], &forward), (&pair[1], &backward)].map(|(t, c)| Ends::new(t, plan, c));
        least(&forward, &backward, rows.range.len())
            .ok_or_else(|| Error::Verification("the two halves of a band share no row".into()))
    }

    /// Bytes of device memory that tables in bands take.
    fn bytes_in_bands(&self, plan: Plan<Distances>, tables: &[Table]) -> u64 {
        let bytes = |table: &Table| {
            let (m, n) = table.size();
            let tiles =
                n.min(table.shape().reach.saturating_add(plan.height() + plan.tile())).div_ceil(plan.tile()) + 1;
            let carries = plan.strips(m).saturating_mul(8 * tiles);
            layout::most_bytes::<Distances>(self.sizes, (m, 1)).saturating_add(carries).saturating_add(2 * n)
        };
        tables.iter().map(bytes).fold(self.bytes_of_symbols(tables), u64::saturating_add)
    }
}

/// The tables of a request, whose rows are those that their columns can reach.
fn tables(request: &BandRequest) -> Option<[Table; 2]> {
    let cut = &request.cut;
    let (m, n) = (cut.rows.range.len() as u64, cut.columns.range.len() as u64);
    let band = Band::new(m, n, request.most)?;
    let (before, after) = cut.columns.split(cut.middle);
    let first = cut.rows.split(band.rows(m, before.range.len() as u64) as usize).0;
    let last = cut.rows.split((m - band.rows(m, after.range.len() as u64)) as usize).1;
    let table = |rows, columns, direction| Table { band: Some(band), ..Table::new(rows, columns, direction) };
    Some([table(first, before, Direction::Forward), table(last, after, Direction::Backward)])
}
