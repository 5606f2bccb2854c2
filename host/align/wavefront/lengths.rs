//! The kernels of LCS tables: a column is one bit a row.

use super::kernels::{Columns, Kernels, Order, Rows, Splits, bits};
use super::launch::Launch;
use super::layout::Strip;
use crate::align::column::Column;
use crate::align::columns::{Cut, best_cut};
use crate::device::Device;
use crate::error::{Error, Result};
use carrywave_kernels::align::split::{self, Split};
use carrywave_kernels::lcs::column_tiles::{ColumnTiles, groups};
use carrywave_kernels::lcs::row_planes::RowPlanes;
use carrywave_kernels::lcs::wavefront::{
    FIELDS, TABLE_BYTES, WARPS, WAVEFRONT_INSTANCES, Wavefront, WavefrontDispatch, table_bytes, tile,
};
use simt_std::Kernel;
use std::marker::PhantomData;

/// The number of words a lane, and the clock cycles that a column then takes a warp alone on its scheduler, which reads ahead;
/// measured on an H200, see docs/performance.md.
const ALONE: &[(u32, f64)] = &[
    (1, 51.0),
    (2, 50.0),
    (3, 54.0),
    (4, 62.0),
    (6, 69.0),
    (8, 70.0),
    (10, 99.0),
    (12, 102.0),
    (14, 131.0),
    (16, 126.0),
    (18, 137.0),
    (19, 146.0),
    (20, 150.0),
];

/// The same of two warps on a scheduler.
const PAIR: &[(u32, f64)] = &[
    (1, 55.0),
    (2, 55.0),
    (3, 61.0),
    (4, 73.0),
    (6, 103.0),
    (8, 122.0),
    (9, 133.0),
    (12, 173.0),
    (14, 204.0),
    (16, 222.0),
    (18, 246.0),
    (20, 266.0),
];

/// LCS tables, as [`wavefront`](carrywave_kernels::lcs::wavefront) computes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths;

impl Kernels for Lengths {
    type Column = Column;

    const VECTORS: usize = 1;
    const REORDERS: bool = false;
    const WARPS: u32 = WARPS;
    const ELEMENT: u64 = 8;
    const FIELDS: usize = FIELDS;

    fn fields(strip: &Strip) -> Vec<u64> {
        vec![strip.words, strip.rows, strip.columns, strip.n, strip.below, strip.above, strip.tags]
    }

    fn widths(is_alone: bool, _symbols: u32) -> Vec<u32> {
        let instances = WAVEFRONT_INSTANCES.iter();
        instances.filter(|(_, ahead)| *ahead == is_alone).map(|&(words, _)| words as u32).collect()
    }

    fn all_widths() -> Vec<u32> {
        WAVEFRONT_INSTANCES.iter().map(|&(words, _)| words as u32).collect()
    }

    fn planes(symbols: u32) -> u32 {
        bits(symbols)
    }

    fn tile(words: u32) -> u32 {
        tile(words)
    }

    fn behind(words: u32) -> u64 {
        tile(words).into()
    }

    fn table_bytes(words: u32, symbols: u32) -> Option<u32> {
        let bytes = table_bytes(words, symbols);
        (bytes <= TABLE_BYTES).then_some(bytes)
    }

    /// One warp a scheduler waits for its own results; from three on, all slots are in use.
    fn cycles(words: u32, _symbols: u32, warps: f64, is_alone: bool) -> f64 {
        let measured = match (warps as u32, is_alone) {
            (1, true) => ALONE,
            (2, false) => PAIR,
            _ => &[],
        };
        match (warps as u32, measured.iter().find(|(width, _)| *width == words)) {
            (_, Some(&(_, cycles))) => cycles,
            (0..=2, None) => 55.0 + 5.1 * f64::from(words),
            _ => warps * (10.0 + 6.15 * f64::from(words)),
        }
    }

    fn elements(n: u64, words: u32, _symbols: u32) -> u64 {
        groups(n, tile(words))
    }

    unsafe fn prepare_columns<D: Device>(device: &D, stream: &D::Stream, columns: Columns) -> Result<()> {
        let Columns { blocks, parts, symbols, tables, tile, prepared, .. } = columns;
        // SAFETY: the caller's.
        unsafe { device.launch(stream, blocks, ColumnTiles { symbols, tables, parts, tile, groups: prepared })? };
        Ok(())
    }

    unsafe fn prepare_rows<D: Device>(device: &D, stream: &D::Stream, rows: Rows) -> Result<()> {
        let Rows { blocks, parts, symbols, tables, planes, plane_words, words, .. } = rows;
        // SAFETY: the caller's.
        unsafe { device.launch(stream, blocks, RowPlanes { symbols, tables, parts, planes, plane_words, words })? };
        Ok(())
    }

    unsafe fn start<D: Device>(launch: &Launch<Self>, device: &D, stream: &D::Stream) -> Result<()> {
        let values = (launch.plan.words as usize, launch.alone);
        Start { launch, device, stream }
            .dispatch(values)
            .ok_or_else(|| Error::Usage(format!("there is no wavefront kernel of (words, ahead) = {values:?}")))?
    }

    unsafe fn put_in_order<D: Device>(_device: &D, _stream: &D::Stream, _order: Order) -> Result<()> {
        Ok(())
    }

    unsafe fn split<D: Device>(device: &D, stream: &D::Stream, splits: Splits) -> Result<()> {
        let Splits { count, cuts, columns, half, found } = splits;
        let kernel = Split::<split::Length> { cuts, columns, half, found, gain: PhantomData };
        // SAFETY: the caller's.
        unsafe { device.launch(stream, count, kernel)? };
        Ok(())
    }

    fn column(vectors: Vec<Vec<u64>>, m: usize, _n: u64) -> Column {
        Column::from_words(vectors.into_iter().next().unwrap_or_default(), m)
    }

    fn cut(forward: &Column, backward: &Column) -> Cut {
        best_cut(forward, backward)
    }

    fn value(column: &Column) -> u64 {
        column.last() as u64
    }

    fn total(gain: u64, _n: u64) -> u64 {
        gain
    }
}

/// Puts a launch into a stream. Only [`Lengths::start`] makes one, whose caller answers for what [`Device::launch`] asks for.
struct Start<'a, D: Device> {
    launch: &'a Launch<Lengths>,
    device: &'a D,
    stream: &'a D::Stream,
}

impl<D: Device> WavefrontDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const W: usize, const AHEAD: bool>(self) -> Result<()>
    where
        Wavefront<W, AHEAD>: Kernel,
    {
        let launch = self.launch;
        let kernel = Wavefront::<W, AHEAD> {
            strips: launch.strips,
            count: launch.count,
            symbols: launch.symbols,
            planes: launch.planes,
            resume: launch.resume,
            warps: launch.plan.warps,
            shared_bytes: launch.shared_bytes,
            rows: launch.rows,
            plane_words: launch.plane_words,
            groups: launch.columns,
            v: launch.v,
            carries: launch.carries,
            progress: launch.progress,
        };
        // SAFETY: as the struct says.
        unsafe { self.device.launch(self.stream, launch.blocks, kernel)? };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::wavefront::plan::Plan;
    use crate::device::Limits;

    const H200: Limits = Limits { multiprocessors: 132, block_shared: 227 << 10, exclusive_shared: 115 << 10 };

    /// A width without its cycles would be judged by the formula for all others.
    #[test]
    fn every_width_is_measured() {
        for (measured, is_alone) in [(ALONE, true), (PAIR, false)] {
            let measured: Vec<u32> = measured.iter().map(|&(words, _)| words).collect();
            assert_eq!(measured, Lengths::widths(is_alone, 4), "{is_alone}");
        }
    }

    #[test]
    fn plans_fit_the_machine_for_every_alphabet() {
        for symbols in 1..=256 {
            for tables in [vec![(1, 1)], vec![(10_000_000, 10_000_000); 2], vec![(1000, 500); 5000]] {
                let (plan, cycles) = Plan::<Lengths>::best(
                    &tables.iter().map(|&size| size.into()).collect::<Vec<_>>(),
                    symbols,
                    H200,
                    1,
                );
                let bytes = table_bytes(plan.words, symbols);
                assert!(bytes <= TABLE_BYTES && bytes * plan.warps <= H200.block_shared, "{plan:?}");
                assert!(cycles.is_finite() && plan.strips(1) == 1);
            }
        }
    }

    #[test]
    fn long_strings_take_wide_lanes_and_short_ones_narrow() {
        let words = |m, n| Plan::<Lengths>::best(&[(m, n).into(); 2], 4, H200, 1).0.words;
        assert!(words(10_000_000, 10_000_000) >= 16);
        assert!(words(1_000_000, 500_000) <= 6);
        assert!(words(1000, 500) <= 2);
    }
}
