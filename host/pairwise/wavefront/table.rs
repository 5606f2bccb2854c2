//! The tables of a batch, and the positions of their symbols.

use super::band::ReachableDiagonals;
use super::kernels::Kernels;
use super::plan::{Shape, Size, WavefrontPlan};
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{CutRequest, Part};
use crate::pairwise::differences::FirstColumn;
use std::ops::Range;

/// A table of a batch.
#[derive(Debug, Clone)]
pub(super) struct BatchTable {
    pub(super) rows: Part,
    pub(super) columns: Part,
    pub(super) direction: Direction,
    pub(super) first: FirstColumn,
    /// Band of columns near the diagonal that strips have, or `None` for all columns.
    pub(super) band: Option<ReachableDiagonals>,
}

impl BatchTable {
    /// Returns a table with all columns, and a rising first column.
    pub(super) fn new(rows: Part, columns: Part, direction: Direction) -> Self {
        Self { rows, columns, direction, first: FirstColumn::Rising, band: None }
    }

    /// Returns the two tables of a cut.
    pub(super) fn pair(request: &CutRequest) -> [Self; 2] {
        let (before, after) = request.columns.split(request.middle);
        let table = |columns, direction| Self::new(request.rows.clone(), columns, direction);
        [table(before, Direction::Forward), table(after, Direction::Backward)]
    }

    pub(super) fn size(&self) -> Size {
        Size { m: self.rows.range.len() as u64, n: self.columns.range.len() as u64 }
    }

    pub(super) fn shape(&self) -> Shape {
        Shape { size: self.size(), reach: self.band.map_or(u64::MAX, |band| band.reach()) }
    }

    /// Returns the columns of a strip, out of n.
    pub(super) fn columns_of_strip<K: Kernels>(&self, plan: WavefrontPlan<K>, strip: u64, n: u64) -> Range<u64> {
        let start = strip * plan.height();
        let rows = start..(start + plan.height()).min(self.size().m);
        self.band.map_or(0..n, |band| band.columns(rows, n, plan.tile()))
    }

    pub(super) fn cells(&self) -> u64 {
        self.size().m.saturating_mul(self.size().n)
    }

    /// Returns the number of computed cells of the next n columns.
    pub(super) fn cells_of_columns<K: Kernels>(&self, plan: WavefrontPlan<K>, n: u64) -> u64 {
        let m = self.size().m;
        if self.band.is_none() {
            return m * n;
        }
        let of_strip = |strip: u64| {
            let columns = self.columns_of_strip(plan, strip, n);
            (columns.end - columns.start) * plan.height().min(m - strip * plan.height())
        };
        (0..plan.strips(m)).map(of_strip).sum()
    }
}

/// Returns true if a table has the rows of the table before it, as the second table of a cut does.
pub(super) fn shares_rows(tables: &[BatchTable], i: usize) -> bool {
    i > 0 && tables[i - 1].rows == tables[i].rows
}

/// Positions of a table's symbols on the devices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Positions {
    pub(super) rows: u64,
    pub(super) columns: u64,
}

/// Next columns of a table.
pub(super) struct Piece<'t> {
    pub(super) table: &'t BatchTable,
    pub(super) positions: Positions,
    /// Start of its words in a plane and in V.
    pub(super) start: u64,
    /// Number of columns.
    pub(super) n: u64,
}

/// A kernel's walk over symbols: from the first in the table's order, step by step. Positions wrap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk {
    pub(super) first: u64,
    pub(super) step: u64,
}

impl Walk {
    /// Returns the walk over `len` symbols that start at a position.
    pub(super) fn new(position: u64, len: u64, direction: Direction) -> Self {
        match direction {
            Direction::Forward => Self { first: position, step: 1 },
            Direction::Backward => Self { first: position + len - 1, step: u64::MAX },
        }
    }

    /// Returns the walk from a later symbol on.
    pub(super) fn after(self, symbols: u64) -> Self {
        Self { first: self.first.wrapping_add(symbols.wrapping_mul(self.step)), ..self }
    }
}
