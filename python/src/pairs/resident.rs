//! `cpdist` of columns in the memory of a GPU.

use super::options::PairOptions;
use crate::resident::{BeyondAscii, Place, ResidentColumn, ResidentDistances};
use crate::strings::check;
use crate::work::{Size, run};
use carrywave::Result;
use carrywave::internal::threads;
use carrywave::pairs::ResidentDistances as Distances;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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
    let engine = Place::engine(&places, options.engine.as_ref(), py)?;
    let column = |object: &Bound<'py, PyAny>, place: Place<'py>| match place.column(&engine, py)? {
        Some(column) => Ok(column),
        None => Bound::new(py, ResidentColumn::uploaded(&engine, object)?),
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
    let distances = run(py, Size::UNKNOWN, progress, |progress| {
        let mut distances = options.pairs(progress).listed_resident(&a.column, &b.column)?;
        by_characters([a, b], options, &mut distances)?;
        Ok(distances)
    })?;
    Ok(Some(Bound::new(py, ResidentDistances::new(distances, &a.engine))?.into_any()))
}

/// Compares the text beyond ASCII again, on the host: the GPU has compared its bytes.
fn by_characters(columns: [&ResidentColumn; 2], options: &PairOptions, distances: &mut Distances) -> Result<()> {
    let texts = BeyondAscii::of(columns)?;
    if texts.rows.is_empty() {
        return Ok(());
    }
    let found = threads::run(|| options.on_host(&|_| ()).listed(&texts.pairs()?))?;
    let reported = |distance: Option<u32>| options.reported(distance.unwrap_or(u32::MAX)).cast_unsigned();
    let found: Vec<u32> = found.into_iter().map(reported).collect();
    distances.replace(&texts.rows, &found)
}
