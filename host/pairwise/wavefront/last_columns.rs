//! The last columns of tables on the first device: reorders them by rows, and downloads them.

use super::buffer::GrowingBuffer;
use super::kernels::Kernels;
use super::launch::{PutInOrder, preparing_blocks};
use super::layout;
use super::member::Member;
use super::on_devices::{Wavefront, Work};
use super::plan::{Size, WavefrontPlan};
use super::strip::Strip;
use super::table::BatchTable;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::columns::widened;

/// Last columns of a batch after its run, in the memory of the first device.
pub(super) struct LastColumns {
    /// Start of each table's words.
    pub(super) starts: Vec<u64>,
    /// Number of words of a vector of all columns.
    pub(super) half: u64,
    /// Strips of the last launch on the first device, the lowest of all tables first.
    pub(super) strips: Vec<Strip>,
}

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Puts the columns of a batch into the order of the rows, on the first device.
    pub(super) fn put_in_order(
        &self,
        work: &mut Work<D>,
        plan: WavefrontPlan<K>,
        tables: &[BatchTable],
        starts: &[u64],
        words: u64,
    ) -> Result<()> {
        let rows: Vec<u64> = tables.iter().map(|table| table.size().m).collect();
        let member = &mut work.members[0];
        order(self.devices[0], member, plan, &rows, starts, words)
    }

    /// Downloads the last column of a table after its run, the first of a batch or the second.
    pub(super) fn download(
        &self,
        work: &Work<D>,
        batch: &LastColumns,
        table: &BatchTable,
        number: usize,
    ) -> Result<K::Column> {
        let Size { m, n } = table.size();
        let mut vectors = Vec::new();
        for vector in 0..K::VECTORS as u64 {
            let start = (vector * batch.half + batch.starts[number]) as usize;
            vectors.push(download(self.devices[0], &work.members[0], in_order::<D, K>(&work.members[0]), start, m)?);
        }
        Ok(K::column(vectors, m as usize, n))
    }
}

/// Returns the buffer that has a batch's columns in the order of the rows.
pub(super) fn in_order<D: Device, K: Kernels>(member: &Member<D>) -> &GrowingBuffer<D, u32> {
    if K::REORDERS { &member.ordered } else { &member.v }
}

/// Downloads the words of a vector of m rows.
pub(super) fn download<D: Device>(
    device: &D,
    member: &Member<D>,
    buffer: &GrowingBuffer<D, u32>,
    start: usize,
    m: u64,
) -> Result<Vec<u64>> {
    let Some(buffer) = &buffer.buffer else { return Err(Error::Verification("no column".into())) };
    let words = device.download_from(&member.stream, buffer, start, m.div_ceil(32) as usize)?;
    Ok(widened(&words).collect())
}

/// Puts columns into the order of the rows. `rows` and `starts` have each column's rows and the
/// start of its words.
pub(super) fn order<D: Device, K: Kernels>(
    device: &D,
    member: &mut Member<D>,
    plan: WavefrontPlan<K>,
    rows: &[u64],
    starts: &[u64],
    words: u64,
) -> Result<()> {
    if !K::REORDERS {
        return Ok(());
    }
    let fields: Vec<u64> =
        rows.iter().zip(starts).flat_map(|(&m, &start)| [m, start, layout::words(plan, m)]).collect();
    let buffer = member.fields.take(device, &member.stream, fields.len())?;
    device.upload(&member.stream, buffer, &fields)?;
    member.ordered.take(device, &member.stream, words as usize * K::VECTORS)?;
    let parts = preparing_blocks(rows.iter().copied().max().unwrap_or(1), rows.len() as u64);
    let order = PutInOrder {
        blocks: parts * rows.len() as u32,
        parts,
        tables: member.fields.handle(device),
        form: plan.form(),
        plane_words: words,
        lanes: member.v.handle(device),
        columns: member.ordered.handle(device),
    };
    // SAFETY: V has the columns of all tables, and the other buffer has the same length.
    unsafe { K::put_in_order(device, &member.stream, order) }
}
