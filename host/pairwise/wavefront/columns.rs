//! Last columns of tables, as they are requested.

use super::kernels::Kernels;
use super::last_columns::LastColumns;
use super::on_devices::{Wavefront, Work};
use super::overlaps::Overlaps;
use super::table::BatchTable;
use crate::device::{Device, Timings};
use crate::error::{Error, Result};
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{CutRequest, Part, Side, check};
use crate::pairwise::differences::FirstColumn;
use std::ops::Range;

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Computes the last columns of tables; `None` if they must be computed out of core.
    pub(super) fn run_if_it_fits(&self, work: &mut Work<D>, tables: &[BatchTable]) -> Result<Option<LastColumns>> {
        if self.is_out_of_core(work, tables)? {
            return Ok(None);
        }
        match self.run(work, tables) {
            // Others have taken the memory since it was queried.
            Err(Error::DeviceMemory { .. }) => Ok(None),
            batch => batch.map(Some),
        }
    }

    /// Computes the last column of a table, forwards.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts outside the strings; others if a device fails.
    pub fn column_of(&self, rows: &Part, columns: &Part) -> Result<K::Column> {
        self.column_from(rows, columns, Direction::Forward, FirstColumn::Rising)
    }

    /// Computes the last column of a table with a direction and a first column.
    pub(crate) fn column_from(
        &self,
        rows: &Part,
        columns: &Part,
        direction: Direction,
        first: FirstColumn,
    ) -> Result<K::Column> {
        check(rows, columns, None, self.lengths)?;
        let [column] =
            self.last_columns([BatchTable { first, ..BatchTable::new(rows.clone(), columns.clone(), direction) }])?;
        Ok(column)
    }

    /// Computes the last columns of both tables of a cut.
    ///
    /// # Errors
    /// As [`column_of`](Self::column_of).
    pub fn halves_of(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(K::Column, K::Column)> {
        check(rows, columns, Some(middle), self.lengths)?;
        let request = CutRequest { rows: rows.clone(), columns: columns.clone(), middle };
        let [forward, backward] = self.last_columns(BatchTable::pair(&request))?;
        Ok((forward, backward))
    }

    /// Computes the last columns of tables with a first column, in one launch if they fit into the
    /// devices' memory. Each table has a part of A as its rows, and all of B as its columns.
    ///
    /// # Errors
    /// As [`column_of`](Self::column_of).
    pub(crate) fn columns_of_windows(&self, windows: &[Range<usize>], first: FirstColumn) -> Result<Vec<K::Column>> {
        let columns = Part { side: Side::B, range: 0..self.lengths[1] };
        let mut tables = Vec::with_capacity(windows.len());
        for window in windows {
            let rows = Part { side: Side::A, range: window.clone() };
            check(&rows, &columns, None, self.lengths)?;
            tables.push(BatchTable { first, ..BatchTable::new(rows, columns.clone(), Direction::Forward) });
        }
        self.columns_of_tables(&tables)
    }

    /// Computes the last columns of tables, in one launch if they fit into the devices' memory.
    fn last_columns<const N: usize>(&self, tables: [BatchTable; N]) -> Result<[K::Column; N]> {
        let columns = self.columns_of_tables(&tables)?;
        columns.try_into().map_err(|_| Error::Verification("a table without a column".into()))
    }

    fn columns_of_tables(&self, tables: &[BatchTable]) -> Result<Vec<K::Column>> {
        let mut work = self.lock();
        let batch = self.run_if_it_fits(&mut work, tables)?;
        let columns = tables.iter().enumerate().map(|(number, table)| match &batch {
            Some(batch) => self.download(&work, batch, table, number),
            None => self.out_of_core(&mut work, table),
        });
        columns.collect()
    }
}

impl<D: Device, const BORDER: u32> Wavefront<'_, D, Overlaps<BORDER>> {
    /// Computes the differences along the last column and the last row of the table of two parts,
    /// as two tables: the rows of one are the columns of the other.
    ///
    /// # Errors
    /// As [`column_of`](Self::column_of).
    pub fn column_and_row(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<[Vec<u8>; 2]> {
        check(rows, columns, None, self.lengths)?;
        let table = |rows: &Part, columns: &Part| BatchTable::new(rows.clone(), columns.clone(), direction);
        self.last_columns([table(rows, columns), table(columns, rows)])
    }

    /// Returns the times of all tables so far.
    pub(crate) fn timings_of_tables(&self) -> Timings {
        self.lock().timings
    }
}
