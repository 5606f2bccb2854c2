//! `cpdist` of two columns of Arrow on a GPU: they are copied once, to memory that the GPU reads.

use super::options::PairOptions;
use crate::arrays::Room;
use crate::arrow::{Arrays, RawColumn, StringColumn};
use crate::compared::of_column;
use crate::dtype::MISSING;
use crate::strings::{Held, check};
use crate::symbols::Kind;
use crate::work::run;
use carrywave::device::EngineKind;
use carrywave::internal::{HostColumns, threads};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Texts beyond ASCII are compared on a GPU if the tables of their pairs have at least this mean
/// number of cells. The host computes smaller tables faster than it prepares them for a GPU.
const GPU_CELLS: u64 = 100_000;

/// Two lists of strings.
pub enum Given<'py> {
    /// Columns for a GPU.
    Raw([RawColumn; 2]),
    Held([Held<'py>; 2]),
}

impl<'py> Given<'py> {
    pub fn from_objects(a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>, options: &PairOptions) -> PyResult<Self> {
        let py = a.py();
        let is_on_gpu = options.engine.as_ref().is_some_and(|engine| engine.kind() != EngineKind::Cpu);
        if !is_on_gpu {
            return Ok(Self::Held([Held::from_object(a)?, Held::from_object(b)?]));
        }
        let held = |arrays: Option<Arrays>, object: &Bound<'py, PyAny>| match arrays {
            Some(arrays) => StringColumn::new(py, arrays).map(Held::Column),
            None => Held::from_object(object),
        };
        match [Arrays::from_object(a)?, Arrays::from_object(b)?] {
            [Some(a), Some(b)] if a.has_offsets() && b.has_offsets() => {
                Ok(Self::Raw([RawColumn::new(py, a)?, RawColumn::new(py, b)?]))
            }
            [of_a, of_b] => Ok(Self::Held([held(of_a, a)?, held(of_b, b)?])),
        }
    }
}

/// Compares two columns of equally many strings, side by side.
pub fn columns<'py>(
    py: Python<'py>,
    [a, b]: [&RawColumn; 2],
    options: &PairOptions,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let kind = |column: &RawColumn| column.is_text.map(Kind::of_column);
    if !mixed {
        check(kind(a), kind(b))?;
    }
    let len = a.len();
    let missing: Vec<bool> = match a.missing.is_empty() && b.missing.is_empty() {
        true => Vec::new(),
        false => (0..len).map(|row| [a, b].iter().any(|column| column.missing.get(row) == Some(&true))).collect(),
    };
    let cells = || (0..len).into_par_iter().map(|row| cells([a, b], row)).reduce(|| 0, u64::saturating_add);
    let cells: u64 = py.detach(|| threads::run(cells));
    let mut room = Room::new::<i32>(py, len)?;
    let places = room.bytes().as_chunks_mut::<4>().0;
    run(py, options.size(cells, len), progress, |progress| {
        let columns = HostColumns { symbols: [a, b], offsets: [&a.offsets, &b.offsets], missing: &missing };
        let distances = options.pairs(progress).listed_columns(columns)?;
        let write = |(row, (place, distance)): (usize, (&mut [u8; 4], u32))| {
            let is_missing = missing.get(row) == Some(&true);
            *place = if is_missing { MISSING } else { options.reported(distance) }.to_ne_bytes();
        };
        places.par_iter_mut().zip(distances).enumerate().with_min_len(1 << 14).for_each(write);
        Ok(())
    })?;
    by_characters(py, [a, b], &missing, options, progress, places)?;
    room.array(&[len])
}

/// Compares the texts beyond ASCII again, whose bytes were compared.
fn by_characters(
    py: Python<'_>,
    columns: [&RawColumn; 2],
    missing: &[bool],
    options: &PairOptions,
    progress: Option<&Bound<'_, PyAny>>,
    places: &mut [[u8; 4]],
) -> PyResult<()> {
    let [is_text_a, is_text_b] = columns.map(|column| column.is_text == Some(true));
    let (rows, strings) = py.detach(|| {
        threads::run(|| {
            let rows = beyond_ascii(columns, missing);
            let strings = rows.par_iter().map(|&row| columns.map(|column| column.bytes(row..row + 1)));
            let strings: Vec<[Vec<u8>; 2]> = strings.collect();
            (rows, strings)
        })
    });
    if rows.is_empty() {
        return Ok(());
    }
    let pairs: Option<Vec<_>> = py.detach(|| {
        let texts = strings.par_iter().map(|[x, y]| Some((of_column(x, is_text_a)?, of_column(y, is_text_b)?)));
        threads::run(|| texts.collect())
    });
    let pairs = pairs.ok_or_else(|| PyValueError::new_err("a string of Arrow is not UTF-8"))?;
    let cells = rows.iter().map(|&row| cells(columns, row)).fold(0, u64::saturating_add);
    let is_on_host = cells / (rows.len() as u64) < GPU_CELLS;
    let distances = run(py, options.size(cells, rows.len()), progress, |progress| match is_on_host {
        true => options.on_host(progress).listed(&pairs),
        false => options.pairs(progress).listed(&pairs),
    })?;
    for (row, distance) in rows.into_iter().zip(distances) {
        places[row] = options.reported(distance.unwrap_or(u32::MAX)).to_ne_bytes();
    }
    Ok(())
}

/// Returns the number of cells of the table of two strings, side by side.
fn cells(columns: [&RawColumn; 2], row: usize) -> u64 {
    let [m, n] = columns.map(|column| column.offsets[row + 1] - column.offsets[row]);
    m.saturating_mul(n)
}

/// Returns the rows that have other characters than ASCII, which were compared as bytes.
fn beyond_ascii(columns: [&RawColumn; 2], missing: &[bool]) -> Vec<usize> {
    let mut rows = columns.map(RawColumn::rows_beyond_ascii).concat();
    rows.sort_unstable();
    rows.dedup();
    rows.retain(|&row| missing.get(row) != Some(&true));
    rows
}
