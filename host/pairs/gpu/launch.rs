//! A launch of the kernel for all pairs, with an instance chosen at run time.

use super::groups::Groups;
use super::plan::PairsPlan;
use crate::device::Device;
use crate::error::{Result, UsageFault};
use carrywave_kernels::distance::all_pairs::{AllPairs, AllPairsDispatch, edge_words};
use simt_std::Kernel;

/// A launch, of any instance.
pub(super) struct Launch<'l, D: Device> {
    pub(super) plan: PairsPlan,
    pub(super) rows: &'l Groups<D>,
    pub(super) columns: &'l Groups<D>,
    pub(super) table_rows: u32,
    pub(super) padding: u32,
    pub(super) limit: Option<u32>,
    pub(super) edges: &'l D::Buffer<u32>,
    pub(super) out: &'l D::Buffer<u32>,
    pub(super) row_pitch: u64,
    pub(super) column_pitch: u64,
    pub(super) claimed: &'l D::Buffer<u32>,
}

impl<D: Device> Launch<'_, D> {
    fn kernel<const COST: u32, const C: usize, const TABLE: u32, const LOGIC: u32>(
        &self,
        device: &D,
    ) -> AllPairs<COST, C, TABLE, LOGIC> {
        AllPairs {
            row_groups: device.handle(&self.rows.fields),
            row_words: device.handle(&self.rows.words),
            row_lengths: device.handle(&self.rows.lengths),
            row_indices: device.handle(&self.rows.indices),
            row_count: self.rows.count,
            column_groups: device.handle(&self.columns.fields),
            column_words: device.handle(&self.columns.words),
            column_lengths: device.handle(&self.columns.lengths),
            column_indices: device.handle(&self.columns.indices),
            column_count: self.columns.count,
            table_rows: self.table_rows,
            padding: self.padding,
            warps: self.plan.warps,
            shared_bytes: self.plan.shared_bytes,
            limit: self.limit.unwrap_or(u32::MAX),
            edges: device.handle(self.edges),
            edge_words: edge_words(COST, self.rows.longest),
            out: device.handle(self.out),
            row_pitch: self.row_pitch,
            column_pitch: self.column_pitch,
            claimed: device.handle(self.claimed),
        }
    }

    /// Launches the kernel on the stream.
    ///
    /// # Safety
    /// As [`Device::launch`].
    pub(super) unsafe fn start(&self, device: &D, stream: &D::Stream) -> Result<()> {
        let PairsPlan { cost, columns, table, logic, .. } = self.plan;
        let values = (cost, columns, table, logic);
        Start { launch: self, device, stream }
            .dispatch(values)
            .ok_or_else(|| UsageFault::Engine.error(format!("there is no kernel for all pairs of {values:?}")))?
    }
}

/// Launches an instance on a stream. Only [`Launch::start`] creates it, and its caller guarantees
/// what [`Device::launch`] requires.
struct Start<'s, 'l, D: Device> {
    launch: &'s Launch<'l, D>,
    device: &'s D,
    stream: &'s D::Stream,
}

impl<D: Device> AllPairsDispatch for Start<'_, '_, D> {
    type Output = Result<()>;

    fn with<const COST: u32, const C: usize, const TABLE: u32, const LOGIC: u32>(self) -> Result<()>
    where
        AllPairs<COST, C, TABLE, LOGIC>: Kernel,
    {
        let kernel = self.launch.kernel::<COST, C, TABLE, LOGIC>(self.device);
        // SAFETY: see the struct.
        unsafe { self.device.launch(self.stream, self.launch.plan.blocks, kernel)? };
        Ok(())
    }
}
