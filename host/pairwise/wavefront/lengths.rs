//! The kernels of LCS tables: a column has one bit a row.

use super::form::Form;
use super::kernels::{CutKernels, Kernels, bits};
use super::launch::{CodesOnDevice, FindCuts, FindSteps, Launch, PrepareColumns, PrepareRows, PutInOrder};
use super::strip::Strip;
use crate::device::Device;
use crate::error::{Result, UsageFault};
use crate::pairwise::columns::{LcsColumn, best_cut};
use crate::pairwise::cuts::Cut;
use carrywave_kernels::align::split::{self, Split};
use carrywave_kernels::lcs::column_tiles::{ColumnTiles, TILE, groups};
use carrywave_kernels::lcs::digits::{Code, Digits};
use carrywave_kernels::lcs::row_planes::RowPlanes;
use carrywave_kernels::lcs::wavefront::{
    FIELDS, MAX_VALUES, WARPS, WAVEFRONT_INSTANCES, Wavefront, WavefrontDispatch, table_bytes, tile,
};
use simt_std::Kernel;
use simt_std::global::Global;
use std::marker::PhantomData;

/// Clock cycles of a warp for a column, measured on an H200 (`gpu_lcs --only forms`): digits of a
/// symbol, words a lane, and the cycles with one warp on a scheduler, which reads ahead, and with
/// two, three and four; 0 if there is no kernel, or it does not fit. Sorted.
const CYCLES: &[(u32, u32, [f64; 4])] = &[
    (1, 1, [29.0, 32.0, 39.0, 48.0]),
    (1, 2, [33.0, 43.0, 56.0, 72.0]),
    (1, 3, [32.0, 51.0, 73.0, 97.0]),
    (1, 4, [39.0, 65.0, 91.0, 120.0]),
    (1, 6, [50.0, 88.0, 130.0, 172.0]),
    (1, 8, [62.0, 112.0, 166.0, 221.0]),
    (1, 9, [0.0, 126.0, 187.0, 251.0]),
    (1, 10, [76.0, 141.0, 208.0, 278.0]),
    (1, 12, [0.0, 163.0, 242.0, 322.0]),
    (1, 14, [104.0, 193.0, 283.0, 376.0]),
    (1, 18, [128.0, 0.0, 0.0, 0.0]),
    (1, 19, [135.0, 257.0, 384.0, 514.0]),
    (1, 20, [141.0, 273.0, 403.0, 533.0]),
    (2, 2, [41.0, 0.0, 0.0, 0.0]),
    (2, 4, [47.0, 82.0, 115.0, 153.0]),
    (2, 6, [0.0, 110.0, 161.0, 216.0]),
    (2, 8, [85.0, 142.0, 210.0, 280.0]),
    (2, 9, [0.0, 161.0, 239.0, 319.0]),
    (2, 13, [120.0, 229.0, 342.0, 0.0]),
    (2, 14, [127.0, 245.0, 364.0, 0.0]),
    (2, 18, [0.0, 319.0, 0.0, 0.0]),
    (2, 20, [0.0, 350.0, 0.0, 0.0]),
    (3, 2, [0.0, 80.0, 102.0, 127.0]),
    (3, 4, [74.0, 116.0, 168.0, 222.0]),
    (3, 8, [109.0, 0.0, 0.0, 0.0]),
    (4, 2, [65.0, 0.0, 0.0, 0.0]),
    (4, 3, [0.0, 114.0, 169.0, 226.0]),
    (5, 2, [75.0, 109.0, 154.0, 203.0]),
    (5, 4, [105.0, 0.0, 0.0, 0.0]),
    (6, 1, [69.0, 79.0, 109.0, 145.0]),
    (6, 2, [0.0, 121.0, 180.0, 240.0]),
    (6, 3, [119.0, 0.0, 0.0, 0.0]),
];

/// Least share of a column's time if one of two warps of a scheduler has no strip.
const ALONE: f64 = 0.55;

/// Upper bound on tokens: numbers below this have six digits of five bits.
pub(super) const MAX_TOKENS: u32 = 1 << 30;

/// Returns the form of a kernel's instance.
fn form(&(words, digits, _): &(usize, usize, bool)) -> Form {
    Form { words: words as u32, digits: digits as u32, carries: false }
}

/// Returns the kernel that lays out columns of codes of one size.
fn tiles<C: Code>(symbols: Global<C>, columns: &PrepareColumns) -> ColumnTiles<C> {
    let &PrepareColumns {
        parts,
        tables,
        form,
        digits: Digits { count: digits, bits: digit_bits },
        prepared: groups,
        ..
    } = columns;
    ColumnTiles { symbols, tables, parts, tile: tile(form.words), digits, digit_bits, groups }
}

/// Returns the kernel that computes the planes of codes of one size.
fn planes<C: Code>(symbols: Global<C>, rows: &PrepareRows) -> RowPlanes<C> {
    let &PrepareRows { parts, tables, planes, plane_words, words, .. } = rows;
    RowPlanes { symbols, tables, parts, planes, plane_words, words }
}

/// LCS tables, as [`wavefront`](carrywave_kernels::lcs::wavefront) computes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths;

impl Kernels for Lengths {
    type Column = LcsColumn;

    const VECTORS: usize = 1;
    const REORDERS: bool = false;
    const WARPS: u32 = WARPS;
    const FIELDS: usize = FIELDS;
    const TILE: u32 = TILE;

    fn fields(strip: &Strip) -> Vec<u64> {
        let &Strip { words, rows, columns, n, below, above, tags, table_columns, .. } = strip;
        vec![words, rows, columns, n, below, above, tags, table_columns]
    }

    fn forms(is_alone: bool, _symbols: u32) -> Vec<Form> {
        WAVEFRONT_INSTANCES.iter().filter(|(_, _, ahead)| *ahead == is_alone).map(form).collect()
    }

    fn all_forms() -> Vec<Form> {
        WAVEFRONT_INSTANCES.iter().map(form).collect()
    }

    fn planes(symbols: u32) -> u32 {
        bits(symbols)
    }

    fn element(_form: Form) -> u64 {
        8
    }

    fn behind(form: Form) -> u64 {
        tile(form.words).into()
    }

    fn table_bytes(Form { words, digits, .. }: Form, symbols: u32) -> Option<u32> {
        let rows = |digits| Digits::with_fewest_rows(symbols, digits).map(|digits| digits.rows(symbols));
        // One more digit must save enough to justify its loads.
        if digits > 1 && rows(digits - 1).is_some_and(|fewer| rows(digits).is_none_or(|own| own >= fewer)) {
            return None;
        }
        let digits = Digits::with_fewest_rows(symbols, digits)?;
        (digits.max_values(symbols) * words <= MAX_VALUES).then(|| table_bytes(words, digits.rows(symbols)))
    }

    fn cycles(Form { words, digits, .. }: Form, _symbols: u32, warps: f64, is_alone: bool) -> f64 {
        // Called for each plan and shape of a short comparison. A binary search keeps it a small
        // part of the call.
        let row = CYCLES.binary_search_by_key(&(digits, words), |&(digits, words, _)| (digits, words));
        let measured = row.map_or([0.0; 4], |row| CYCLES[row].2);
        let by_measure = |warps: usize| measured.get(warps - 1).copied().filter(|&cycles| cycles > 0.0);
        match (warps as usize).max(1) {
            // A kernel that does not read ahead, with fewer warps than it is built for.
            1 if !is_alone => by_measure(2).map(|pair| (pair * ALONE).max(55.0 + 5.1 * f64::from(words))),
            warps => by_measure(warps),
        }
        .unwrap_or(f64::INFINITY)
    }

    fn elements(n: u64, Form { words, digits, .. }: Form, _symbols: u32) -> u64 {
        u64::from(digits) * groups(n, tile(words))
    }

    unsafe fn prepare_columns<D: Device>(device: &D, stream: &D::Stream, columns: PrepareColumns) -> Result<()> {
        match columns.codes {
            // SAFETY: guaranteed by the caller.
            CodesOnDevice::Bytes(codes) => unsafe { device.launch(stream, columns.blocks, tiles(codes, &columns))? },
            // SAFETY: guaranteed by the caller.
            CodesOnDevice::Words(codes) => unsafe { device.launch(stream, columns.blocks, tiles(codes, &columns))? },
        }
        Ok(())
    }

    unsafe fn prepare_rows<D: Device>(device: &D, stream: &D::Stream, rows: PrepareRows) -> Result<()> {
        match rows.codes {
            // SAFETY: guaranteed by the caller.
            CodesOnDevice::Bytes(codes) => unsafe { device.launch(stream, rows.blocks, planes(codes, &rows))? },
            // SAFETY: guaranteed by the caller.
            CodesOnDevice::Words(codes) => unsafe { device.launch(stream, rows.blocks, planes(codes, &rows))? },
        }
        Ok(())
    }

    unsafe fn start<D: Device>(launch: &Launch, device: &D, stream: &D::Stream) -> Result<()> {
        let values = (launch.form.words as usize, launch.form.digits as usize, launch.alone);
        Start { launch, device, stream }.dispatch(values).ok_or_else(|| {
            UsageFault::Engine.error(format!("there is no wavefront kernel of (words, digits, ahead) = {values:?}"))
        })?
    }

    unsafe fn put_in_order<D: Device>(_device: &D, _stream: &D::Stream, _order: PutInOrder) -> Result<()> {
        Ok(())
    }

    fn column(vectors: Vec<Vec<u64>>, m: usize, _n: u64) -> LcsColumn {
        LcsColumn::from_words(vectors.into_iter().next().unwrap_or_default(), m)
    }
}

impl CutKernels for Lengths {
    unsafe fn split<D: Device>(device: &D, stream: &D::Stream, splits: FindCuts) -> Result<()> {
        let FindCuts { count, cuts, columns, half, found } = splits;
        let kernel = Split::<split::Length> { cuts, columns, half, found, gain: PhantomData };
        // SAFETY: guaranteed by the caller.
        unsafe { device.launch(stream, count, kernel)? };
        Ok(())
    }

    unsafe fn find_steps<D: Device>(device: &D, stream: &D::Stream, steps: FindSteps) -> Result<()> {
        // SAFETY: guaranteed by the caller.
        unsafe { steps.launch::<split::Length, D>(device, stream) }
    }

    fn without_common_end(value: u64, symbols: u64) -> u64 {
        value.wrapping_sub(symbols)
    }

    fn cut(forward: &LcsColumn, backward: &LcsColumn) -> Cut {
        best_cut(forward, backward)
    }

    fn value(column: &LcsColumn) -> u64 {
        column.last() as u64
    }

    fn total(gain: u64, _n: u64) -> u64 {
        gain
    }
}

/// Launches an instance on a stream. Only [`Lengths::start`] creates it, and its caller guarantees
/// what [`Device::launch`] requires.
struct Start<'a, D: Device> {
    launch: &'a Launch,
    device: &'a D,
    stream: &'a D::Stream,
}

impl<D: Device> WavefrontDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const W: usize, const DIGITS: usize, const AHEAD: bool>(self) -> Result<()>
    where
        Wavefront<W, DIGITS, AHEAD>: Kernel,
    {
        let launch = self.launch;
        let kernel = Wavefront::<W, DIGITS, AHEAD> {
            strips: launch.strips,
            count: launch.count,
            symbols: launch.symbols,
            planes: launch.planes,
            digit_bits: launch.digits.bits,
            resume: launch.resume,
            warps: launch.warps,
            shared_bytes: launch.shared_bytes,
            rows: launch.rows,
            plane_words: launch.plane_words,
            groups: launch.columns,
            v: launch.v,
            carries: launch.carries,
            progress: launch.progress,
        };
        // SAFETY: see the struct.
        unsafe { self.device.launch(self.stream, launch.blocks, kernel)? };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Limits;
    use crate::pairwise::wavefront::plan::{Estimate, Size, WavefrontPlan};

    const H200: Limits = Limits { multiprocessors: 132, block_shared: 227 << 10, exclusive_shared: 115 << 10 };

    /// A form without cycles in the table would never be chosen.
    #[test]
    fn every_form_is_measured() {
        for is_alone in [true, false] {
            for form in Lengths::forms(is_alone, 4) {
                let warps = if is_alone { 1.0 } else { 2.0 };
                assert!(Lengths::cycles(form, 4, warps, is_alone).is_finite(), "{form:?}, {is_alone}");
            }
        }
        assert!(CYCLES.iter().all(|&(digits, words, _)| Lengths::all_forms().contains(&Form {
            words,
            digits,
            carries: false
        })));
        assert!(CYCLES.is_sorted_by_key(|&(digits, words, _)| (digits, words)));
    }

    #[test]
    fn plans_fit_the_machine_for_every_alphabet() {
        for symbols in 1..=256 {
            for tables in [vec![(1, 1)], vec![(10_000_000, 10_000_000); 2], vec![(1000, 500); 5000]] {
                let plans = WavefrontPlan::<Lengths>::all(symbols, H200);
                assert!(plans.iter().all(|plan| plan.fits(symbols, H200)));
                let shapes: Vec<_> = tables.iter().map(|&(m, n)| Size { m, n }.into()).collect();
                let Estimate { plan, cycles } = WavefrontPlan::best(&plans, &shapes, symbols, H200.multiprocessors);
                let bytes = Lengths::table_bytes(plan.form(), symbols).unwrap();
                assert!(bytes * plan.warps <= H200.block_shared, "{plan:?}");
                assert!(cycles.is_finite() && plan.strips(1) == 1);
            }
        }
    }

    #[test]
    fn long_strings_take_wide_lanes_and_short_ones_narrow() {
        let plans = WavefrontPlan::<Lengths>::all(4, H200);
        let words = |m, n| WavefrontPlan::best(&plans, &[Size { m, n }.into(); 2], 4, H200.multiprocessors).plan.words;
        assert!(words(10_000_000, 10_000_000) >= 16);
        assert!(words(1_000_000, 500_000) <= 6);
        assert!(words(1000, 500) <= 2);
    }
}
