//! The kernels of edit distance tables: a column has two bits a row.

use super::form::Form;
use super::kernels::{CutKernels, Kernels, enough_planes, forms_of, forms_with_planes};
use super::launch::{CodesOnDevice, FindCuts, FindSteps, Launch, PrepareColumns, PrepareRows, PutInOrder};
use super::strip::Strip;
use crate::device::Device;
use crate::error::{Result, UsageFault};
use crate::pairwise::cuts::Cut;
use crate::pairwise::differences::{Differences, least_cut};
use carrywave_kernels::align::split::{self, Split};
use carrywave_kernels::distance::lane_rows::{InOrder, LaneRows};
use carrywave_kernels::distance::text_tiles::{self, TextTiles};
use carrywave_kernels::distance::wavefront::{
    BEHIND, DISTANCE_WAVEFRONT_INSTANCES, DistanceWavefrontDispatch, FIELDS, TILE, WARPS, Wavefront,
};
use carrywave_kernels::distance::word_wavefront::{
    self, WORD_WAVEFRONT_INSTANCES, WordWavefront, WordWavefrontDispatch, table_bytes,
};
use carrywave_kernels::lcs::column_tiles::{self, ColumnTiles};
use carrywave_kernels::lcs::wavefront::MAX_VALUES;
use simt_std::Kernel;
use simt_std::global::Global;
use std::marker::PhantomData;

/// Edit distance tables, as [`wavefront`](carrywave_kernels::distance::wavefront) computes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distances;

/// Returns codes of one byte, the only size that these kernels take.
fn bytes(codes: CodesOnDevice) -> Result<Global<u8>> {
    match codes {
        CodesOnDevice::Bytes(codes) => Ok(codes),
        CodesOnDevice::Words(_) => {
            Err(UsageFault::Combination.error("edit distances are computed for strings of bytes only"))
        }
    }
}

impl Kernels for Distances {
    type Column = Differences;

    const VECTORS: usize = 2;
    const REORDERS: bool = true;
    const WARPS: u32 = WARPS;
    const FIELDS: usize = FIELDS;
    const TILE: u32 = TILE;

    fn fields(strip: &Strip) -> Vec<u64> {
        strip_fields(strip, TILE)
    }

    fn forms(is_alone: bool, symbols: u32) -> Vec<Form> {
        let mut forms = forms_with_planes(DISTANCE_WAVEFRONT_INSTANCES, Self::planes(symbols));
        // For tables of few strips, where each warp has a scheduler to itself.
        forms.extend(word_forms().filter(|_| is_alone));
        forms
    }

    fn all_forms() -> Vec<Form> {
        forms_of(DISTANCE_WAVEFRONT_INSTANCES).into_iter().chain(word_forms()).collect()
    }

    fn planes(symbols: u32) -> u32 {
        enough_planes(DISTANCE_WAVEFRONT_INSTANCES, symbols)
    }

    fn element(form: Form) -> u64 {
        if form.carries { 8 } else { 4 }
    }

    fn behind(form: Form) -> u64 {
        u64::from(if form.carries { word_wavefront::BEHIND } else { BEHIND * TILE })
    }

    fn table_bytes(Form { words, carries, .. }: Form, symbols: u32) -> Option<u32> {
        match carries {
            true => (words * symbols <= MAX_VALUES).then(|| table_bytes(words, symbols)),
            false => Some(0),
        }
    }

    fn cycles(Form { words, carries, .. }: Form, symbols: u32, warps: f64, _is_alone: bool) -> f64 {
        let words = f64::from(words);
        if carries {
            return (36.0 + 17.0 * words) * warps;
        }
        // A word takes 5 + P instructions, 7 for DNA.
        let share = words * f64::from(5 + Self::planes(symbols)) / 7.0;
        if warps > 1.0 { 12.3 * share * warps + 59.0 } else { (15.5 * share + 44.0).min(11.0 * share + 75.0) }
    }

    fn elements(n: u64, form: Form, symbols: u32) -> u64 {
        match form.carries {
            true => column_tiles::groups(n, TILE),
            false => text_tiles::words(n, Self::planes(symbols)),
        }
    }

    unsafe fn prepare_columns<D: Device>(device: &D, stream: &D::Stream, columns: PrepareColumns) -> Result<()> {
        let PrepareColumns { blocks, parts, codes, tables, form, planes, prepared, .. } = columns;
        let symbols = bytes(codes)?;
        if form.carries {
            let kernel =
                ColumnTiles { symbols, tables, parts, tile: TILE, digits: 1, digit_bits: u8::BITS, groups: prepared };
            // SAFETY: guaranteed by the caller.
            return unsafe { Ok(device.launch(stream, blocks, kernel)?) };
        }
        let tiles = Global::at(prepared.address());
        // SAFETY: guaranteed by the caller.
        unsafe { device.launch(stream, blocks, TextTiles { symbols, tables, parts, planes, tiles })? };
        Ok(())
    }

    unsafe fn prepare_rows<D: Device>(device: &D, stream: &D::Stream, rows: PrepareRows) -> Result<()> {
        let PrepareRows { blocks, parts, codes, tables, form, planes, plane_words, words } = rows;
        let symbols = bytes(codes)?;
        let lane_words = words_in_order(form);
        let kernel = LaneRows { symbols, tables, parts, lane_words, planes, plane_words, words };
        // SAFETY: guaranteed by the caller.
        unsafe { device.launch(stream, blocks, kernel)? };
        Ok(())
    }

    unsafe fn start<D: Device>(launch: &Launch, device: &D, stream: &D::Stream) -> Result<()> {
        let words = launch.form.words as usize;
        let start = Start { launch, device, stream };
        if launch.form.carries {
            let started = WordWavefrontDispatch::dispatch(start, words);
            return started.ok_or_else(|| {
                UsageFault::Engine.error(format!("there is no kernel of {words} words with carries"))
            })?;
        }
        let values = (words, launch.planes as usize);
        DistanceWavefrontDispatch::dispatch(start, values).ok_or_else(|| {
            UsageFault::Engine.error(format!("there is no wavefront kernel of (words, planes) = {values:?}"))
        })?
    }

    unsafe fn put_in_order<D: Device>(device: &D, stream: &D::Stream, order: PutInOrder) -> Result<()> {
        let PutInOrder { blocks, parts, tables, form, plane_words, lanes, columns } = order;
        let lane_words = words_in_order(form);
        let kernel = InOrder { tables, parts, lane_words, plane_words, lanes, columns };
        // SAFETY: guaranteed by the caller.
        unsafe { device.launch(stream, blocks, kernel)? };
        Ok(())
    }

    fn column(vectors: Vec<Vec<u64>>, m: usize, n: u64) -> Differences {
        let mut vectors = vectors.into_iter();
        let mut next = || vectors.next().unwrap_or_default();
        Differences::from_words(next(), next(), m, n)
    }
}

impl CutKernels for Distances {
    unsafe fn split<D: Device>(device: &D, stream: &D::Stream, splits: FindCuts) -> Result<()> {
        let FindCuts { count, cuts, columns, half, found } = splits;
        let kernel = Split::<split::Distance> { cuts, columns, half, found, gain: PhantomData };
        // SAFETY: guaranteed by the caller.
        unsafe { device.launch(stream, count, kernel)? };
        Ok(())
    }

    unsafe fn find_steps<D: Device>(device: &D, stream: &D::Stream, steps: FindSteps) -> Result<()> {
        // SAFETY: guaranteed by the caller.
        unsafe { steps.launch::<split::Distance, D>(device, stream) }
    }

    fn without_common_end(value: u64, _symbols: u64) -> u64 {
        value
    }

    fn cut(forward: &Differences, backward: &Differences) -> Cut {
        least_cut(forward, backward)
    }

    fn value(column: &Differences) -> u64 {
        column.last()
    }

    /// Without any gain, the first row's distance n would be that of the whole strings.
    fn total(gain: u64, n: u64) -> u64 {
        n.wrapping_sub(gain)
    }
}

/// Returns a strip's entry, for tiles of `tile` columns.
pub(super) fn strip_fields(strip: &Strip, tile: u32) -> Vec<u64> {
    let &Strip { words, rows, columns, n, below, tiles_below, above, tags, table_columns } = strip;
    vec![words, rows, columns, n, below, above, tags, table_columns.div_ceil(tile.into()), tiles_below]
}

/// Returns the forms of the kernels whose words carry.
fn word_forms() -> impl Iterator<Item = Form> {
    WORD_WAVEFRONT_INSTANCES.iter().map(|&words| Form::with_carries(words as u32))
}

/// Returns the words of a lane in whose order a kernel has its rows' bits: words that carry have
/// neighbouring rows.
fn words_in_order(form: Form) -> u32 {
    if form.carries { 1 } else { form.words }
}

/// Launches an instance on a stream. Only [`Distances::start`] creates it, and its caller
/// guarantees what [`Device::launch`] requires.
struct Start<'a, D: Device> {
    launch: &'a Launch,
    device: &'a D,
    stream: &'a D::Stream,
}

impl<D: Device> WordWavefrontDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const W: usize>(self) -> Result<()>
    where
        WordWavefront<W>: Kernel,
    {
        let launch = self.launch;
        let kernel = WordWavefront::<W> {
            strips: launch.strips,
            count: launch.count,
            symbols: launch.symbols,
            planes: launch.planes,
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

impl<D: Device> DistanceWavefrontDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const R: usize, const P: usize>(self) -> Result<()>
    where
        Wavefront<R, P>: Kernel,
    {
        let launch = self.launch;
        let kernel = Wavefront::<R, P> {
            strips: launch.strips,
            count: launch.count,
            resume: launch.resume,
            warps: launch.warps,
            shared_bytes: launch.shared_bytes,
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
