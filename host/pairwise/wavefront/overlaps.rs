//! The kernels of overlap tables: a column has four bits a row.

use super::distances::{Distances, strip_fields};
use super::form::Form;
use super::kernels::{Kernels, enough_planes, forms_of, forms_with_planes};
use super::launch::{Launch, PrepareColumns, PrepareRows, PutInOrder};
use super::strip::Strip;
use crate::device::Device;
use crate::error::{Result, UsageFault};
use carrywave_kernels::distance::lane_rows::InOrder;
use carrywave_kernels::distance::overlap_wavefront::{
    BEHIND, BITS, OVERLAP_WAVEFRONT_INSTANCES, OverlapWavefront, OverlapWavefrontDispatch, TILE, WARPS,
};
use carrywave_kernels::distance::text_tiles;
use simt_std::Kernel;
use simt_std::global::Global;

/// Tables of the scores of overlaps, as
/// [`overlap_wavefront`](carrywave_kernels::distance::overlap_wavefront) computes them. `BORDER` is
/// the difference plus 3 along the left and upper border.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlaps<const BORDER: u32>;

impl<const BORDER: u32> Kernels for Overlaps<BORDER> {
    /// Differences plus 3 along the column.
    type Column = Vec<u8>;

    const VECTORS: usize = BITS;
    const REORDERS: bool = true;
    const WARPS: u32 = WARPS;
    const FIELDS: usize = Distances::FIELDS;
    const TILE: u32 = TILE;

    fn fields(strip: &Strip) -> Vec<u64> {
        strip_fields(strip, TILE)
    }

    fn forms(_is_alone: bool, symbols: u32) -> Vec<Form> {
        forms_with_planes(OVERLAP_WAVEFRONT_INSTANCES, Self::planes(symbols))
    }

    fn all_forms() -> Vec<Form> {
        forms_of(OVERLAP_WAVEFRONT_INSTANCES)
    }

    fn planes(symbols: u32) -> u32 {
        enough_planes(OVERLAP_WAVEFRONT_INSTANCES, symbols)
    }

    fn element(form: Form) -> u64 {
        Distances::element(form)
    }

    fn behind(_form: Form) -> u64 {
        u64::from(BEHIND * TILE)
    }

    fn table_bytes(_form: Form, _symbols: u32) -> Option<u32> {
        Some(0)
    }

    /// A word takes 23 + P instructions of two cycles, and a column P + 12; with one warp a
    /// scheduler, a warp waits for some of its own results.
    fn cycles(Form { words, .. }: Form, symbols: u32, warps: f64, _is_alone: bool) -> f64 {
        let planes = f64::from(Self::planes(symbols));
        let instructions = f64::from(words) * (23.0 + planes) + planes + 16.0;
        (2.2 * instructions * warps).max(f64::from(words) * 60.0 + 80.0)
    }

    fn elements(n: u64, _form: Form, symbols: u32) -> u64 {
        text_tiles::words(n, Self::planes(symbols))
    }

    unsafe fn prepare_columns<D: Device>(device: &D, stream: &D::Stream, columns: PrepareColumns) -> Result<()> {
        // SAFETY: guaranteed by the caller.
        unsafe { Distances::prepare_columns(device, stream, columns) }
    }

    unsafe fn prepare_rows<D: Device>(device: &D, stream: &D::Stream, rows: PrepareRows) -> Result<()> {
        // SAFETY: guaranteed by the caller.
        unsafe { Distances::prepare_rows(device, stream, rows) }
    }

    unsafe fn start<D: Device>(launch: &Launch, device: &D, stream: &D::Stream) -> Result<()> {
        let values = (launch.form.words as usize, launch.planes as usize);
        Start { launch, border: BORDER, device, stream }.dispatch(values).ok_or_else(|| {
            UsageFault::Engine.error(format!("there is no kernel of overlaps of (words, planes) = {values:?}"))
        })?
    }

    unsafe fn put_in_order<D: Device>(device: &D, stream: &D::Stream, order: PutInOrder) -> Result<()> {
        let PutInOrder { blocks, parts, tables, form, plane_words, lanes, columns } = order;
        // The kernel takes two planes.
        for planes in 0..BITS / 2 {
            let skipped = 2 * planes * plane_words as usize;
            let (lanes, columns) = (lanes.skip(skipped), columns.skip(skipped));
            let kernel = InOrder { tables, parts, lane_words: form.words, plane_words, lanes, columns };
            // SAFETY: guaranteed by the caller.
            unsafe { device.launch(stream, blocks, kernel)? };
        }
        Ok(())
    }

    fn column(vectors: Vec<Vec<u64>>, m: usize, _n: u64) -> Vec<u8> {
        let mut differences = vec![0; m];
        for (k, vector) in vectors.iter().enumerate() {
            for (rows, word) in differences.chunks_mut(64).zip(vector) {
                for (bit, difference) in rows.iter_mut().enumerate() {
                    *difference |= ((word >> bit & 1) as u8) << k;
                }
            }
        }
        differences
    }
}

/// Launches an instance on a stream. Only [`Overlaps::start`] creates it, and its caller guarantees
/// what [`Device::launch`] requires.
struct Start<'a, D: Device> {
    launch: &'a Launch,
    border: u32,
    device: &'a D,
    stream: &'a D::Stream,
}

impl<D: Device> OverlapWavefrontDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const R: usize, const P: usize>(self) -> Result<()>
    where
        OverlapWavefront<R, P>: Kernel,
    {
        let launch = self.launch;
        let kernel = OverlapWavefront::<R, P> {
            strips: launch.strips,
            count: launch.count,
            resume: launch.resume,
            warps: launch.warps,
            shared_bytes: launch.shared_bytes,
            border: self.border,
            rows: launch.rows,
            plane_words: launch.plane_words,
            tiles: Global::at(launch.columns.address()),
            v: launch.v,
            carries: launch.carries,
            progress: launch.progress,
        };
        // SAFETY: see the struct.
        unsafe { self.device.launch(self.stream, launch.blocks, kernel)? };
        Ok(())
    }
}
