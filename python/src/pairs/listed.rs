//! `cpdist`: pairs of strings, from two lists side by side.

use super::columns::{Given, columns};
use super::options::PairOptions;
use super::resident::resident;
use crate::arrays::{Room, array};
use crate::compared::Text;
use crate::dtype::MISSING;
use crate::strings::{check, texts};
use crate::symbols::Numbers;
use crate::text_list::TextList;
use crate::work::run;
use carrywave::internal::threads;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Computes the distances of pairs of strings, from two lists side by side: an array of `int32`.
///
/// `scorer` is "levenshtein", "indel" (insertions and deletions only) or "osa" (also
/// transpositions of neighbours, without editing a part twice). A distance above `score_cutoff`
/// is reported as `score_cutoff + 1`. If a string is missing (None, NaN, NA, a null of Arrow), the
/// distance is `carrywave.MISSING`, the greatest int32. So `distances <= cutoff` selects exactly
/// the pairs within a cutoff. Lists may be columns of Arrow.
///
/// If a list is in the memory of a GPU (a `ResidentColumn`, a column of cuDF, an array of `uint8`
/// with a row for each string), the GPU compares, and the distances stay there:
/// `ResidentDistances`.
///
/// >>> import carrywave
/// >>> carrywave.cpdist(["kitten", "flaw", ""], ["sitting", "lawn", "gap"]).tolist()
/// [3, 2, 3]
/// >>> columns = ["kitten", "flaw"], ["sitting", None]
/// >>> distances = carrywave.cpdist(*columns, scorer="indel", score_cutoff=4)
/// >>> distances.tolist(), (distances == carrywave.MISSING).tolist()
/// ([5, 2147483647], [False, True])
#[pyfunction]
#[pyo3(signature = (a, b, *, scorer="levenshtein", score_cutoff=None, engine=None, progress=None, mixed=false))]
pub fn cpdist<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    scorer: &str,
    score_cutoff: Option<u32>,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let options = PairOptions::new(scorer, score_cutoff, engine)?;
    if let Some(distances) = resident(a, b, &options, progress, mixed)? {
        return Ok(distances);
    }
    let lengths = |a: usize, b: usize| match a == b {
        true => Ok(a),
        false => Err(PyValueError::new_err(format!("the lists have {a} and {b} strings: pairs take as many of both"))),
    };
    let [held_a, held_b] = match Given::from_objects(a, b, &options)? {
        Given::Raw([a, b]) => {
            lengths(a.len(), b.len())?;
            return columns(py, [&a, &b], &options, progress, mixed);
        }
        Given::Held(held) => held,
    };
    if let (Some((a, of_a)), Some((b, of_b))) = (held_a.texts(py)?, held_b.texts(py)?) {
        let len = lengths(a.len(), b.len())?;
        if !mixed {
            check(of_a, of_b)?;
        }
        let cells = py.detach(|| threads::run(|| a.cells(&b)));
        let mut room = Room::new::<i32>(py, len)?;
        let bytes = room.bytes();
        let at_once = if options.is_on_cpu() { TextList::PART } else { len.max(1) };
        run(py, options.size(cells, len), progress, |progress| {
            let part = |(part, places): (usize, &mut [u8])| {
                let rows = part * at_once..part * at_once + places.len() / 4;
                let [a, b] = [&a, &b].map(|list| list.part(rows.clone()));
                // A missing string stands as an empty one here.
                let both = a.iter().zip(&b).map(|(a, b)| [a, b].map(|text| text.as_ref().unwrap_or(&Text::EMPTY)));
                let pairs: Vec<(&Text<'_>, &Text<'_>)> = both.map(Into::into).collect();
                let distances = options.pairs(progress).listed(&pairs)?;
                for ((place, distance), (a, b)) in places.chunks_exact_mut(4).zip(distances).zip(a.iter().zip(&b)) {
                    let is_missing = a.is_none() || b.is_none();
                    let reported = if is_missing { MISSING } else { options.reported(distance.unwrap_or(u32::MAX)) };
                    place.copy_from_slice(&reported.to_ne_bytes());
                }
                Ok(())
            };
            bytes.par_chunks_mut(4 * at_once).enumerate().try_for_each(part)
        })?;
        return room.array(&[len]);
    }
    let mut numbers = Numbers::of_any(mixed);
    let (a, b) = (held_a.strings(&mut numbers, mixed)?, held_b.strings(&mut numbers, mixed)?);
    let len = lengths(a.all.len(), b.all.len())?;
    if !mixed {
        a.check(&b)?;
    }
    let both = || a.all.iter().zip(&b.all).enumerate().filter_map(|(at, (a, b))| Some((at, a.as_ref()?, b.as_ref()?)));
    let cells = both().map(|(_, a, b)| a.len() as u64 * b.len() as u64).sum();
    let distances = run(py, options.size(cells, len), progress, |progress| {
        let both: Vec<_> = both().collect();
        let (a, b): (Vec<_>, Vec<_>) = both.iter().map(|&(_, a, b)| (a, b)).unzip();
        let [a, b] = texts([&a, &b])?;
        let pairs: Vec<(Text<'_>, Text<'_>)> = a.into_iter().zip(b).collect();
        let mut distances = vec![MISSING; len];
        for (&(at, ..), distance) in both.iter().zip(options.pairs(progress).listed(&pairs)?) {
            distances[at] = options.reported(distance.unwrap_or(u32::MAX));
        }
        Ok(distances)
    })?;
    array(py, distances.into_iter())
}
