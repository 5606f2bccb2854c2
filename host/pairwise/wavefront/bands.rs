//! Cuts of similar strings' tables in bands: each strip has only the columns that a path of a known
//! cost can reach (Ukkonen 1985).
//!
//! ```text
//!          columns   middle            A path of cost k from the first corner to the last is at no
//!        +----+        |               cell further than k / 2 diagonals from those of the two
//!        |    |---+    |               corners. Each strip has the columns of these diagonals, in
//!   rows +----+   |    |               whole tiles. Outside, the kernel takes the straight way
//!             +---+ ---+ i             along the edge, which is a path as well: so all computed
//!                 |    |------+        values are costs of paths, and those of the cheapest are
//!                 +----+      +----+   exact. The last columns of the strips that end at the cut
//!                      |---+       |   have the costs there.
//! ```
//!
//! **Cost.** Few strips work at the same time, since a strip starts when the one below it is ahead
//! by as many columns as it has rows. So a table takes about n column steps one after the other, n
//! / 2 for a cut in the middle.

use super::band::ReachableDiagonals;
use super::distances::Distances;
use super::layout;
use super::on_devices::Wavefront;
use super::plan::{Size, WavefrontPlan};
use super::table::{BatchTable, Extent};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{BandCut, BandRequest, check};
use crate::pairwise::differences::Differences;

/// A table's last column, from the first row whose strip includes that column.
struct Ends<'c> {
    column: &'c Differences,
    first: usize,
    /// Cost of the cheapest path to the first row.
    cost: i64,
}

impl<'c> Ends<'c> {
    /// Joins the last columns of all strips: each strip starts with the cost at the end of the
    /// strip before.
    fn new(table: &BatchTable, plan: WavefrontPlan<Distances>, column: &'c Differences) -> Self {
        let Size { m, n } = table.size();
        let mut cost = 0;
        let mut before = 0;
        let mut first = 0;
        for strip in 0..plan.strips(m) {
            first = strip * plan.height();
            let end = table.columns_of_strip(plan, strip, n).end;
            cost += (end - before).cast_signed();
            before = end;
            if end == n {
                break;
            }
            cost += column.rise(first as usize..(first + plan.height()).min(m) as usize);
        }
        Self { column, first: first as usize, cost }
    }

    /// Returns the cost at a row, which is not before the first.
    fn at(&self, row: usize) -> i64 {
        self.cost + self.column.rise(self.first..row)
    }
}

/// Returns the row with the least cost, the first of several, among a request's m rows: `backward`
/// counts them from the last.
fn least(forward: &Ends<'_>, backward: &Ends<'_>, m: usize) -> Option<BandCut> {
    let start = forward.first.max(m - backward.column.rows());
    let end = forward.column.rows().min(m - backward.first);
    if start > end {
        return None;
    }
    let mut before = forward.at(start);
    let mut after = backward.at(m - start);
    let cut = |row, before: i64, after: i64| BandCut { row, costs: [before.cast_unsigned(), after.cast_unsigned()] };
    let mut best = cut(start, before, after);
    let mut least = before + after;
    for row in start..end {
        before += forward.column.step(row);
        after -= backward.column.step(m - row - 1);
        if before + after < least {
            (best, least) = (cut(row + 1, before, after), before + after);
        }
    }
    Some(best)
}

impl<D: Device> Wavefront<'_, D, Distances> {
    /// Computes the cuts in bands, if these should take at most a share of the full tables' time,
    /// from 0 to 1.
    pub(super) fn bands_if_faster(&self, requests: &[BandRequest], share: f64) -> Result<Option<Vec<BandCut>>> {
        match self.share_of_bands(requests) {
            Some(of_bands) if of_bands <= share => self.cuts_in_bands(requests),
            _ => Ok(None),
        }
    }

    /// Returns the expected time of bands as a share of the full tables' time; `None` if lengths
    /// differ by more than a request's `most`.
    fn share_of_bands(&self, requests: &[BandRequest]) -> Option<f64> {
        let in_bands: Vec<[BatchTable; 2]> = requests.iter().map(tables).collect::<Option<_>>()?;
        let whole: Vec<BatchTable> = requests.iter().flat_map(|request| BatchTable::pair(&request.cut)).collect();
        let time = |tables: &[BatchTable]| self.plan(tables).expected.as_secs_f64();
        Some(time(&in_bands.concat()) / time(&whole))
    }

    /// Computes cuts of similar strings; `None` if the devices' memory cannot hold all bands at
    /// once, or if lengths differ by more than a request's `most`.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts outside the strings; others if a device fails.
    pub fn cuts_in_bands(&self, requests: &[BandRequest]) -> Result<Option<Vec<BandCut>>> {
        for BandRequest { cut, .. } in requests {
            check(&cut.rows, &cut.columns, Some(cut.middle), self.lengths)?;
        }
        let Some(tables) = requests.iter().map(tables).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let tables: Vec<BatchTable> = tables.into_iter().flatten().collect();
        let plan = self.plan(&tables).plan;
        let mut work = self.lock();
        if self.bytes_in_bands(plan, &tables) > self.budget(&work)? {
            return Ok(None);
        }
        let batch = match self.run(&mut work, &tables) {
            // Others have taken the memory since it was queried.
            Err(Error::DeviceMemory { .. }) => return Ok(None),
            run => run?,
        };
        let pairs = tables.chunks_exact(2).zip(requests).enumerate();
        let cuts = pairs.map(|(i, (pair, request))| {
            let forward = self.download(&work, &batch, &pair[0], 2 * i)?;
            let backward = self.download(&work, &batch, &pair[1], 2 * i + 1)?;
            let forward = Ends::new(&pair[0], plan, &forward);
            let backward = Ends::new(&pair[1], plan, &backward);
            least(&forward, &backward, request.cut.rows.range.len())
                .ok_or_else(|| Error::Verification("the two halves of a band share no row".into()))
        });
        cuts.collect::<Result<Vec<_>>>().map(Some)
    }

    /// Returns the bytes of device memory that tables in bands take.
    fn bytes_in_bands(&self, plan: WavefrontPlan<Distances>, tables: &[BatchTable]) -> u64 {
        let bytes = |table: &BatchTable| {
            let Size { m, n } = table.size();
            let tiles =
                n.min(table.shape().reach.saturating_add(plan.height() + plan.tile())).div_ceil(plan.tile()) + 1;
            let carries = plan.strips(m).saturating_mul(8 * tiles);
            layout::most_bytes::<Distances>(self.sizes, Size { m, n: 1 }).saturating_add(carries).saturating_add(2 * n)
        };
        tables.iter().map(bytes).fold(self.symbol_bytes(tables), u64::saturating_add)
    }
}

/// Returns the tables of a request, with the rows that their columns can reach.
fn tables(request: &BandRequest) -> Option<[BatchTable; 2]> {
    let cut = &request.cut;
    let m = cut.rows.range.len() as u64;
    let n = cut.columns.range.len() as u64;
    let band = ReachableDiagonals::new(m, n, request.most)?;
    let (before, after) = cut.columns.split(cut.middle);
    let first = cut.rows.split(band.rows(m, before.range.len() as u64) as usize).0;
    let last = cut.rows.split((m - band.rows(m, after.range.len() as u64)) as usize).1;
    let table = |rows, columns, direction| BatchTable {
        extent: Extent::Band(band),
        ..BatchTable::new(rows, columns, direction)
    };
    Some([table(first, before, Direction::Forward), table(last, after, Direction::Backward)])
}
