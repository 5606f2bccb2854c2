//! A batch of tables, in blocks of columns that fit into the devices' memory.

use super::block::Block;
use super::kernels::Kernels;
use super::last_columns::LastColumns;
use super::layout;
use super::on_devices::{Planned, Wavefront, Work};
use super::table::{BatchTable, Piece};
use crate::device::Device;
use crate::error::{Error, Result};
use std::time::Instant;

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Computes the last columns of all tables, and leaves their words in V of the first device.
    ///
    /// # Errors
    /// [`Error::DeviceMemory`], before any table has begun, if the memory has no room for a block
    /// of all tables; errors of the device.
    pub(super) fn run(&self, work: &mut Work<D>, tables: &[BatchTable]) -> Result<LastColumns> {
        if !tables.iter().all(BatchTable::has_all_columns) {
            let budget = self.budget(work)?;
            return self.run_within(work, tables, self.plan(tables), budget);
        }
        self.run_by(work, tables, self.plan(tables))
    }

    /// Like [`run`](Self::run) with a plan, with all columns, or for the tables of a staircase.
    pub(super) fn run_by(&self, work: &mut Work<D>, tables: &[BatchTable], planned: Planned<K>) -> Result<LastColumns> {
        self.in_room(work, |work, budget| self.run_within(work, tables, planned, budget))
    }

    /// Implements [`run`](Self::run) with `budget` bytes for working memory.
    fn run_within(
        &self,
        work: &mut Work<D>,
        tables: &[BatchTable],
        Planned { plan, expected }: Planned<K>,
        budget: u64,
    ) -> Result<LastColumns> {
        let demand = self.demand(plan, tables);
        let most = tables.iter().map(|t| t.size().n).max().unwrap_or(0);
        let (width, bytes) = if !tables.iter().all(BatchTable::has_all_columns) {
            // In one block: the callers have checked that it fits.
            (most, budget)
        } else {
            let Some(width) = demand.block(plan, budget) else {
                return Err(Error::DeviceMemory { needed: demand.least(), free: budget });
            };
            (width, demand.block_bytes(plan, width))
        };
        for (device, member) in self.devices.iter().zip(&mut work.members) {
            member.make_room(device, self.resident, bytes, budget)?;
        }
        let positions = self.positions(work, tables)?;
        let mut starts = Vec::with_capacity(tables.len());
        let mut words = 0;
        for table in tables {
            starts.push(words);
            words += layout::words(plan, table.size().m);
        }
        let mut first = 0;
        let mut strips = Vec::new();
        while first < most {
            let started = Instant::now();
            let pieces: Vec<Piece> = tables
                .iter()
                .zip(&starts)
                .zip(&positions)
                .filter(|((t, _), _)| t.size().n > first)
                .map(|((table, &start), &positions)| {
                    let n = (table.size().n - first).min(width);
                    Piece { table, positions, start, n }
                })
                .collect();
            let count = pieces.len();
            let block = Block { plan, pieces, first, words, expected };
            strips = self.block(work, &block, None).inspect_err(|_| self.abort(work))?;
            log::debug!(
                "{} tables, the longest {most} columns, from column {first} on: {} words a lane, {} warps a block, \
                 expected {:.6} s, took {:.6} s",
                count,
                plan.words,
                plan.warps,
                expected.as_secs_f64(),
                started.elapsed().as_secs_f64(),
            );
            work.timings.kernels += started.elapsed();
            first += width;
        }
        self.put_in_order(work, plan, tables, &starts, words)?;
        work.timings.cells += tables.iter().map(|table| table.cells_of_columns(plan, table.size().n)).sum::<u64>();
        Ok(LastColumns { starts, half: words, strips })
    }
}
