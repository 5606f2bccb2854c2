//! `cpdist` of columns in the memory of a GPU.

use super::options::PairOptions;
use crate::compared::{Text, of_column};
use crate::dtype::MISSING;
use crate::engines::engine;
use crate::resident::{Foreign, ResidentColumn, ResidentDistances};
use crate::strings::check;
use crate::symbols::Kind;
use crate::work::{Size, run};
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::internal::threads;
use carrywave::job::Progress;
use carrywave::pairs::ResidentDistances as Distances;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use rayon::prelude::*;

/// Compares two columns, side by side, if at least one is in the memory of a GPU. The other one is
/// copied there, and the distances stay there. Returns `None` if both columns are on the host.
pub fn resident<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    options: &PairOptions,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = a.py();
    let places = [Place::of(a)?, Place::of(b)?];
    if matches!(places, [Place::Host, Place::Host]) {
        return Ok(None);
    }
    let resident = places.iter().find_map(|place| if let Place::Own(column) = place { Some(column) } else { None });
    let engine = match (resident, &options.engine) {
        (Some(column), _) => Some(column.get().engine.clone()),
        (None, Some(engine)) => Some(engine.clone()),
        (None, None) => engine(Some(PyString::intern(py, "gpu").as_any()))?,
    };
    let engine = engine.ok_or_else(|| PyValueError::new_err("columns on a GPU need a Gpu as engine"))?;
    let column = |object: &Bound<'py, PyAny>, place: Place<'py>| match place {
        Place::Own(column) => Ok(column),
        Place::Foreign(foreign) => Bound::new(py, ResidentColumn::of_foreign(&engine, foreign, py)?),
        Place::Host => Bound::new(py, ResidentColumn::uploaded(&engine, object)?),
    };
    let [of_a, of_b] = places;
    let (a, b) = (column(a, of_a)?, column(b, of_b)?);
    let (a, b) = (a.get(), b.get());
    if a.column.len() != b.column.len() {
        let (a, b) = (a.column.len(), b.column.len());
        return Err(PyValueError::new_err(format!("the lists have {a} and {b} strings: pairs take as many of both")));
    }
    if !mixed {
        check(a.kind, b.kind)?;
    }
    let has_characters = [a, b].into_iter().any(|column| column.kind == Some(Kind::Text) && !column.column.is_ascii());
    let distances = run(py, Size::UNKNOWN, progress, |progress| match has_characters {
        false => options.pairs(progress).listed_resident(&a.column, &b.column),
        true => by_characters(a, b, options, progress),
    })?;
    Ok(Some(Bound::new(py, ResidentDistances::new(distances, &a.engine))?.into_any()))
}

/// The place of a list of strings.
enum Place<'py> {
    Host,
    Own(Bound<'py, ResidentColumn>),
    /// In the memory of a GPU.
    Foreign(Foreign),
}

impl<'py> Place<'py> {
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(column) = object.cast::<ResidentColumn>() {
            return Ok(Self::Own(column.clone()));
        }
        Ok(Foreign::from_object(object)?.map_or(Self::Host, Self::Foreign))
    }
}

/// Compares text that is not ASCII: on the host, because the GPU compares bytes.
fn by_characters(
    a: &ResidentColumn,
    b: &ResidentColumn,
    options: &PairOptions,
    progress: Progress<'_>,
) -> Result<Distances> {
    let (of_a, of_b) = (a.column.download()?, b.column.download()?);
    let is_missing = |row: usize| [a, b].into_iter().any(|column| column.column.missing().get(row) == Some(&true));
    let pair = |row: usize| match is_missing(row) {
        // The bytes of a missing string may be anything.
        true => Some((Text::EMPTY, Text::EMPTY)),
        false => Some((text(a, &of_a, row)?, text(b, &of_b, row)?)),
    };
    let distances = threads::run(|| {
        let pairs: Option<Vec<_>> = (0..a.column.len()).into_par_iter().map(pair).collect();
        let pairs = pairs.ok_or_else(|| UsageFault::Syntax.error("a string of Arrow is not UTF-8"))?;
        options.on_host(progress).listed(&pairs)
    })?;
    let reported = |(row, distance): (usize, Option<u32>)| match is_missing(row) {
        true => MISSING.cast_unsigned(),
        false => options.reported(distance.unwrap_or(u32::MAX)).cast_unsigned(),
    };
    let reported: Vec<u32> = distances.into_iter().enumerate().map(reported).collect();
    a.column.with_distances(&reported)
}

/// Returns a string of a downloaded column: its symbols, and the offsets of all strings. `None` for
/// text that is not UTF-8.
fn text<'s>(column: &ResidentColumn, (symbols, offsets): &'s (Vec<u8>, Vec<u64>), row: usize) -> Option<Text<'s>> {
    let bytes = &symbols[offsets[row] as usize..offsets[row + 1] as usize];
    of_column(bytes, column.kind == Some(Kind::Text))
}
