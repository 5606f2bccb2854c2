//! The tables of a batch, and the positions of their symbols.

use super::band::ReachableDiagonals;
use super::kernels::Kernels;
use super::plan::{Shape, Size, WavefrontPlan};
use super::stairs::Stairs;
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
    pub(super) extent: Extent,
}

/// The columns of a table that its strips take.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extent {
    /// All columns.
    All,
    /// Columns near the diagonal.
    Band(ReachableDiagonals),
    /// Fewer columns from strip to strip, so that all strips end at the same time.
    Stairs(Stairs),
}

impl BatchTable {
    /// Returns a table with all columns, and a rising first column.
    pub(super) fn new(rows: Part, columns: Part, direction: Direction) -> Self {
        Self { rows, columns, direction, first: FirstColumn::Rising, extent: Extent::All }
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

    /// Returns true if every strip takes all columns.
    pub(super) fn has_all_columns(&self) -> bool {
        matches!(self.extent, Extent::All)
    }

    pub(super) fn shape(&self) -> Shape {
        let reach = if let Extent::Band(band) = self.extent { band.reach() } else { u64::MAX };
        Shape { size: self.size(), reach }
    }

    /// Returns the columns of a strip, out of n.
    pub(super) fn columns_of_strip<K: Kernels>(&self, plan: WavefrontPlan<K>, strip: u64, n: u64) -> Range<u64> {
        match self.extent {
            Extent::All => 0..n,
            Extent::Band(band) => {
                let start = strip * plan.height();
                let rows = start..(start + plan.height()).min(self.size().m);
                band.columns(rows, n, plan.tile())
            }
            Extent::Stairs(stairs) => 0..stairs.end(strip),
        }
    }

    pub(super) fn cells(&self) -> u64 {
        self.size().m.saturating_mul(self.size().n)
    }

    /// Returns the number of computed cells of the next n columns.
    pub(super) fn cells_of_columns<K: Kernels>(&self, plan: WavefrontPlan<K>, n: u64) -> u64 {
        let m = self.size().m;
        if self.has_all_columns() {
            return m * n;
        }
        // A table with stairs is padded at the strings' ends: forwards, in the last rows, and
        // backwards, in the first rows and columns.
        let strips = plan.strips(m);
        let padding = if let Extent::Stairs(stairs) = self.extent { stairs.padding } else { 0 };
        let (padded, padded_columns) = match self.direction {
            Direction::Forward => (strips - 1, 0),
            Direction::Backward => (0, padding),
        };
        let of_strip = |strip: u64| {
            let columns = self.columns_of_strip(plan, strip, n);
            let rows = plan.height().min(m - strip * plan.height()) - if strip == padded { padding } else { 0 };
            (columns.end - columns.start - padded_columns) * rows
        };
        (0..strips).map(of_strip).sum()
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
