//! Cuts and last columns of tables, as Hirschberg's recursion requests them.

use super::distances::Distances;
use super::kernels::CutKernels;
use super::last_columns::{LastColumns, in_order};
use super::launch::FindCuts;
use super::layout;
use super::lengths::Lengths;
use super::on_devices::{Wavefront, Work};
use super::table::BatchTable;
use crate::device::{Device, Timings};
use crate::error::{Error, Result};
use crate::pairwise::columns::{Direction, EditColumns};
use crate::pairwise::cuts::{BandCut, BandRequest, Cut, CutRequest, Cuts, Part, check};
use crate::pairwise::differences::{Differences, FirstColumn};
use carrywave_kernels::align::split;
use std::time::Instant;

impl<D: Device, K: CutKernels> Wavefront<'_, D, K> {
    /// Computes the cuts of requests that fit into the devices' memory together, or of a single
    /// request.
    fn cut(&self, work: &mut Work<D>, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        let tables: Vec<BatchTable> = requests.iter().flat_map(BatchTable::pair).collect();
        let run = match requests {
            [_] => self.run_if_it_fits(work, &tables)?,
            _ => match self.run(work, &tables) {
                Err(Error::DeviceMemory { .. }) => None,
                batch => Some(batch?),
            },
        };
        match (run, requests) {
            (Some(batch), _) => self.split(work, &batch, requests),
            (None, [_]) => {
                let forward = self.out_of_core(work, &tables[0])?;
                Ok(vec![K::cut(&forward, &self.out_of_core(work, &tables[1])?)])
            }
            (None, _) => {
                let (some, others) = requests.split_at(requests.len() / 2);
                Ok([self.cut(work, some)?, self.cut(work, others)?].concat())
            }
        }
    }

    /// Finds the cuts of requests from the last columns of their tables.
    fn split(&self, work: &mut Work<D>, batch: &LastColumns, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        let started = Instant::now();
        let starts = batch.starts.chunks(2).zip(requests);
        let fields: Vec<u64> =
            starts.flat_map(|(starts, request)| [starts[0], starts[1], request.rows.range.len() as u64]).collect();
        let device = self.devices[0];
        let member = &mut work.members[0];
        debug_assert_eq!(fields.len(), requests.len() * split::FIELDS);
        let buffer = member.fields.take(device, &member.stream, fields.len())?;
        device.upload(&member.stream, buffer, &fields)?;
        member.found.take(device, &member.stream, 2 * requests.len())?;
        let splits = FindCuts {
            count: requests.len() as u32,
            cuts: member.fields.handle(device),
            columns: in_order::<D, K>(member).handle(device),
            half: batch.half,
            found: member.found.handle(device),
        };
        // SAFETY: both columns of every cut exist, with the same number of rows.
        unsafe { K::split(device, &member.stream, splits)? };
        let found = member.found.take(device, &member.stream, 2 * requests.len())?;
        let found = device.download(&member.stream, found, 2 * requests.len())?;
        work.timings.kernels += started.elapsed();
        let cuts = found.chunks(2).zip(requests);
        Ok(cuts
            .map(|(found, request)| Cut {
                row: found[0] as usize,
                length: K::total(found[1], request.columns.range.len() as u64),
            })
            .collect())
    }

    /// Computes the value of the whole table; see [`Cuts::value`].
    fn table_value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        // Both halves at once fill the machine in half the time; either string may be the rows.
        let request = |rows: &Part, columns: &Part| {
            let middle = columns.range.len() / 2;
            CutRequest { rows: rows.clone(), columns: columns.clone(), middle }
        };
        let requests = [request(rows, columns), request(columns, rows)];
        let possible = requests.into_iter().filter(|request| request.middle > 0);
        let planned = possible.map(|request| (self.plan(&BatchTable::pair(&request)), request));
        let best = planned.min_by_key(|(planned, _)| planned.expected);
        if let Some(value) = self.value_by_staircase(rows, columns, best.as_ref().map(|(planned, _)| *planned))? {
            return Ok(value);
        }
        match best {
            Some((_, request)) => Ok(self.all_cuts(&[request])?[0].length),
            None => Ok(K::value(&self.column_of(rows, columns)?)),
        }
    }

    /// Computes all cuts, see [`Cuts::cuts`]: in batches that fit into memory.
    fn all_cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        for request in requests {
            check(&request.rows, &request.columns, Some(request.middle), self.lengths)?;
        }
        let mut work = self.lock();
        let budget = self.budget(&work)?;
        let mut cuts = Vec::with_capacity(requests.len());
        let mut rest = requests;
        while !rest.is_empty() {
            // Takes as many as fit with a row of carries for every strip; at least one, then in
            // blocks of columns.
            let mut bytes = 0u64;
            let mut count = 0;
            for request in rest {
                let tables = BatchTable::pair(request);
                bytes = bytes.saturating_add(self.symbol_bytes(&tables));
                for table in tables {
                    bytes = bytes.saturating_add(layout::most_bytes::<K>(self.sizes, table.size()));
                }
                if count > 0 && bytes > budget {
                    break;
                }
                count += 1;
            }
            let (now, later) = rest.split_at(count);
            cuts.extend(self.cut(&mut work, now)?);
            rest = later;
        }
        Ok(cuts)
    }
}

impl<D: Device> Cuts for Wavefront<'_, D, Lengths> {
    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        self.table_value(rows, columns)
    }

    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        self.all_cuts(requests)
    }

    fn timings(&self) -> Timings {
        self.lock().timings
    }
}

impl<D: Device> Cuts for Wavefront<'_, D, Distances> {
    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        self.table_value(rows, columns)
    }

    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        self.all_cuts(requests)
    }

    fn in_bands(&self, requests: &[BandRequest], share: f64) -> Result<Option<Vec<BandCut>>> {
        self.bands_if_faster(requests, share)
    }

    fn timings(&self) -> Timings {
        self.lock().timings
    }
}

impl<D: Device> EditColumns for Wavefront<'_, D, Distances> {
    fn edit_column(
        &self,
        rows: &Part,
        columns: &Part,
        direction: Direction,
        first: FirstColumn,
    ) -> Result<Differences> {
        self.column_from(rows, columns, direction, first)
    }
}
