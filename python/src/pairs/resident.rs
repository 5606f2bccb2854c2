//! `cpdist` of columns in the memory of a GPU.

use super::options::PairOptions;
use crate::compared::of_column;
use crate::engines::engine;
use crate::resident::{Place, ResidentColumn, ResidentDistances};
use crate::strings::check;
use crate::symbols::Kind;
use crate::work::{Size, run};
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::internal::threads;
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
    let engine = match (places.iter().find_map(Place::engine), &options.engine) {
        (Some(engine), _) => Some(engine.clone()),
        (None, Some(engine)) => Some(engine.clone()),
        (None, None) => engine(Some(PyString::intern(py, "gpu").as_any()))?,
    };
    let engine = engine.ok_or_else(|| PyValueError::new_err("columns on a GPU need a Gpu as engine"))?;
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
    let mut rows = Vec::new();
    for column in columns.into_iter().filter(|column| column.kind == Some(Kind::Text)) {
        rows.extend_from_slice(column.column.rows_beyond_ascii()?);
    }
    rows.sort_unstable();
    rows.dedup();
    // The bytes of a missing string may be anything.
    rows.retain(|&row| columns.iter().all(|column| column.column.missing().get(row) != Some(&true)));
    if rows.is_empty() {
        return Ok(());
    }
    let [a, b] = columns;
    let (of_a, of_b) = (a.column.strings(&rows)?, b.column.strings(&rows)?);
    let [is_text_a, is_text_b] = columns.map(|column| column.kind == Some(Kind::Text));
    let found = threads::run(|| {
        let both = of_a.par_iter().zip(&of_b);
        let pairs: Option<Vec<_>> =
            both.map(|(x, y)| Some((of_column(x, is_text_a)?, of_column(y, is_text_b)?))).collect();
        let pairs = pairs.ok_or_else(|| UsageFault::Syntax.error("a string of Arrow is not UTF-8"))?;
        options.on_host(&|_| ()).listed(&pairs)
    })?;
    let reported = |distance: Option<u32>| options.reported(distance.unwrap_or(u32::MAX)).cast_unsigned();
    let found: Vec<u32> = found.into_iter().map(reported).collect();
    distances.replace(&rows, &found)
}
