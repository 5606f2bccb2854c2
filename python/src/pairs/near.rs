//! The nearest strings, those that are near each other, and their clusters.

use super::Lists;
use super::options::PairOptions;
use crate::arrays::{Room, array};
use crate::dtype::MISSING;
use crate::resident;
use crate::strings::Strings;
use crate::symbols::Numbers;
use crate::work::run;
use carrywave::io::output::Shortened;
use carrywave::pairs::Near;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns arrays of the numbers and the distances of the nearest strings, one row per string of
/// `a`. Rows with fewer neighbours end with the number -1 and the distance [`MISSING`].
#[pyfunction]
#[pyo3(signature = (a, b, *, top=1, scorer="levenshtein", score_cutoff=None, similarity=None, engine=None, progress=None, mixed=false))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn nearest<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    top: usize,
    scorer: &str,
    score_cutoff: Option<u32>,
    similarity: Option<f64>,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = a.py();
    let options = PairOptions::new(scorer, score_cutoff, engine)?.similar(similarity);
    let (held_a, held_b) = (resident::held(a)?, resident::held(b)?);
    let mut numbers = Numbers::of_any(mixed);
    let (a, b) = (held_a.strings(&mut numbers, mixed)?, held_b.strings(&mut numbers, mixed)?);
    if !mixed {
        a.check(&b)?;
    }
    let rows = a.all.len();
    let top = top.min(b.all.len());
    let (mut places, mut distances) =
        (Room::new::<i64>(py, rows.saturating_mul(top))?, Room::new::<i32>(py, rows.saturating_mul(top))?);
    let (of_places, of_distances) = (places.bytes(), distances.bytes());
    run(py, options.table(&a, &b), progress, |progress| {
        of_places.as_chunks_mut::<8>().0.fill((-1i64).to_ne_bytes());
        of_distances.as_chunks_mut::<4>().0.fill(MISSING.to_ne_bytes());
        let lists = Lists::new(&a, &b)?;
        let mut put = |row: usize, near: &mut dyn Iterator<Item = (usize, u32)>| {
            let from = lists.places[0][row] * top;
            for (at, (place, distance)) in (from..from + top).zip(near) {
                of_places.as_chunks_mut::<8>().0[at] = (lists.places[1][place] as i64).to_ne_bytes();
                of_distances.as_chunks_mut::<4>().0[at] = options.reported(distance).to_ne_bytes();
            }
        };
        let [a, b] = &lists.texts;
        let mut row = 0;
        options.pairs(progress).each_nearest(a, b, top, |near| {
            put(row, &mut near.iter().map(|near| (near.b, near.distance)));
            row += 1;
            Ok(())
        })
    })?;
    Ok((places.array(&[rows, top])?, distances.array(&[rows, top])?))
}

/// Returns the pairs of a list's strings within the cutoff: arrays of the first strings' numbers,
/// of the second strings' numbers, and of the distances.
#[pyfunction]
#[pyo3(signature = (strings, score_cutoff=None, *, similarity=None, scorer="levenshtein", engine=None, progress=None))]
pub fn within<'py>(
    strings: &Bound<'py, PyAny>,
    score_cutoff: Option<u32>,
    similarity: Option<f64>,
    scorer: &str,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<NearColumns<'py>> {
    let py = strings.py();
    let options = PairOptions::new(scorer, score_cutoff, engine)?.near(similarity)?;
    let held = resident::held(strings)?;
    let strings = held.strings(&mut Numbers::new(), false)?;
    let (places, near) = run(py, options.half_table(&strings), progress, |progress| {
        // The list is compared with itself.
        let nothing = Strings { all: Vec::new(), kind: None };
        let lists = Lists::new(&strings, &nothing)?;
        let near = options.pairs(progress).within(&lists.texts[0])?;
        let [places, _] = lists.places;
        Ok((places, near))
    })?;
    columns_of(py, &near, [&places, &places])
}

/// Returns the pairs of two lists' strings within the cutoff, as [`within`] those of one.
#[pyfunction]
#[pyo3(signature = (a, b, score_cutoff=None, *, similarity=None, scorer="levenshtein", engine=None, progress=None))]
pub fn join<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    score_cutoff: Option<u32>,
    similarity: Option<f64>,
    scorer: &str,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<NearColumns<'py>> {
    let py = a.py();
    let options = PairOptions::new(scorer, score_cutoff, engine)?.near(similarity)?;
    let (held_a, held_b) = (resident::held(a)?, resident::held(b)?);
    let mut numbers = Numbers::new();
    let (a, b) = (held_a.strings(&mut numbers, false)?, held_b.strings(&mut numbers, false)?);
    a.check(&b)?;
    let (places, near) = run(py, options.table(&a, &b), progress, |progress| {
        let lists = Lists::new(&a, &b)?;
        let [a, b] = &lists.texts;
        let near = options.pairs(progress).join(a, b)?;
        Ok((lists.places, near))
    })?;
    columns_of(py, &near, [&places[0], &places[1]])
}

/// The numbers of the first strings, of the second strings, and the distances of near pairs.
type NearColumns<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Returns near pairs as arrays; `places` are the positions of each list's strings.
fn columns_of<'py>(py: Python<'py>, near: &[Near], places: [&[usize]; 2]) -> PyResult<NearColumns<'py>> {
    Ok((
        array(py, near.iter().map(|near| places[0][near.a] as i64))?,
        array(py, near.iter().map(|near| places[1][near.b] as i64))?,
        array(py, near.iter().map(|near| near.distance.cast_signed()))?,
    ))
}

/// Clusters strings that are within the bounds, which are those of `within`. Returns, for each
/// string, the number of the string that represents its cluster; -1 for a missing string, which is
/// in no cluster.
///
/// By `linkage="single"`, a chain of near strings is in one cluster, and its first string
/// represents it. By `"star"`, every string is near the one that represents its cluster, which has
/// the most near strings.
///
/// >>> import carrywave
/// >>> words = ["wave", "carry", "waves", "caves"]
/// >>> carrywave.clusters(words, 1).tolist()
/// [0, 1, 0, 0]
/// >>> carrywave.clusters(words, similarity=0.8, linkage="star").tolist()
/// [2, 1, 2, 2]
#[pyfunction]
#[pyo3(signature = (strings, score_cutoff=None, *, similarity=None, linkage="single", scorer="levenshtein", engine=None, progress=None))]
pub fn clusters<'py>(
    strings: &Bound<'py, PyAny>,
    score_cutoff: Option<u32>,
    similarity: Option<f64>,
    linkage: &str,
    scorer: &str,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = strings.py();
    let is_star = match linkage {
        "single" => false,
        "star" => true,
        other => {
            let reason = format!("a linkage is 'single' or 'star', not '{}'", Shortened(other));
            return Err(PyValueError::new_err(reason));
        }
    };
    let options = PairOptions::new(scorer, score_cutoff, engine)?.near(similarity)?;
    let held = resident::held(strings)?;
    let strings = held.strings(&mut Numbers::new(), false)?;
    let labels = run(py, options.half_table(&strings), progress, |progress| {
        // The list is compared with itself.
        let nothing = Strings { all: Vec::new(), kind: None };
        let lists = Lists::new(&strings, &nothing)?;
        let mut labels = vec![-1i64; strings.all.len()];
        let pairs = options.pairs(progress);
        let texts = &lists.texts[0];
        for cluster in if is_star { pairs.star_clusters(texts)? } else { pairs.clusters(texts)? } {
            for member in &cluster {
                labels[lists.places[0][member.number]] = lists.places[0][cluster[0].number] as i64;
            }
        }
        Ok(labels)
    })?;
    array(py, labels.into_iter())
}
