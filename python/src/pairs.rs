//! Many pairs of strings: from two lists side by side, all of one list against all of another, the nearest, all that are near.
//!
//! Strings of bytes and of ASCII are handed to the library as they are. Others are coded: with a byte for each of up to 256 different
//! symbols of all strings, else pair by pair and row by row, for of the symbols of one string those of the others are one that matches nothing.

use crate::arrays::{Room, array};
use crate::dtype::Dtype;
use crate::strings::{Codes, Held, Strings, check};
use crate::symbols::{Numbers, Pair, Symbols};
use crate::work::{Progress, run};
use carrywave::device::Engine;
use carrywave::distance::{Comparison, Cost, Near, Pairs};
use carrywave::{Error, Result, lcs, threads};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// What is computed, and how.
struct Asked {
    cost: Cost,
    most: Option<u32>,
    engine: Option<Arc<dyn Engine>>,
}

impl Asked {
    fn new(scorer: &str, most: Option<u32>, engine: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let cost = match scorer {
            "levenshtein" => Cost::Levenshtein,
            "indel" => Cost::Indel,
            other => return Err(PyValueError::new_err(format!("a scorer is 'levenshtein' or 'indel', not '{other}'"))),
        };
        if let Some(most) = most.filter(|&most| most > MOST) {
            let reason =
                format!("a score_cutoff is at most {MOST}, not {most}: without one all distances are computed");
            return Err(PyValueError::new_err(reason));
        }
        Ok(Self { cost, most, engine: crate::engines::engine(engine)? })
    }

    fn pairs<'p>(&self, progress: Progress<'p>) -> Pairs<'p> {
        let pairs = Pairs::new().cost(self.cost).on_progress(progress);
        let pairs = match self.most {
            Some(most) => pairs.maximum(most),
            None => pairs,
        };
        match &self.engine {
            Some(engine) => pairs.on(&**engine),
            None => pairs,
        }
    }

    /// Returns a distance as it is reported: the cutoff plus 1 for a distance above the cutoff, always below [`MISSING`].
    fn told(&self, distance: Option<u32>) -> i32 {
        distance.unwrap_or_else(|| self.most.map_or(MOST, |most| most + 1)).min(MOST + 1).cast_signed()
    }

    /// The greatest distance that can be reported of two of these strings.
    fn greatest(&self, a: &Strings<'_>, b: &Strings<'_>) -> u64 {
        let longest = |strings: &Strings<'_>| strings.all.iter().flatten().map(Symbols::len).max().unwrap_or(0) as u64;
        let (a, b) = (longest(a), longest(b));
        let most = if self.cost == Cost::Indel { a + b } else { a.max(b) };
        self.most.map_or(most, |cutoff| most.min(u64::from(cutoff) + 1)).min(u64::from(MOST) + 1)
    }

    /// The distance of two strings of whatever symbols.
    fn single(&self, a: &Symbols<'_>, b: &Symbols<'_>, progress: Progress<'_>) -> Result<Option<u32>> {
        let edits = Comparison::new().on_progress(progress);
        let common = lcs::Comparison::new().on_progress(progress);
        let of = |pair: Pair<'_>| match (pair, self.cost) {
            (Pair::Bytes(a, b), Cost::Levenshtein) => edits.distance(a, b),
            (Pair::Characters(a, b), Cost::Levenshtein) => edits.distance_of(&a, &b),
            (Pair::Long(a, b), Cost::Levenshtein) => edits.distance_of(&a, &b),
            (Pair::Items(a, b), Cost::Levenshtein) => edits.distance_of(&a, &b),
            (pair, Cost::Indel) => {
                let (lcs, both) = match &pair {
                    Pair::Bytes(a, b) => (common.length(a, b)?, a.len() + b.len()),
                    Pair::Characters(a, b) => (common.alignment_of(a, b)?.len(), a.len() + b.len()),
                    Pair::Long(a, b) => (common.alignment_of(a, b)?.len(), a.len() + b.len()),
                    Pair::Items(a, b) => (common.alignment_of(a, b)?.len(), a.len() + b.len()),
                };
                Ok(both as u64 - 2 * lcs)
            }
        };
        let distance = of(crate::symbols::pair(a, b))?;
        let distance =
            u32::try_from(distance).map_err(|_| Error::Usage("a distance above 2^32 of a pair of many".into()))?;
        Ok(Some(distance).filter(|&distance| self.most.is_none_or(|most| distance <= most)))
    }
}

/// The distance reported for a missing string: the greatest `int32`, which is within no cutoff.
pub const MISSING: i32 = i32::MAX;
/// The greatest cutoff. A distance above it is reported as one more, which is below [`MISSING`].
const MOST: u32 = MISSING.cast_unsigned() - 2;

/// The distances of pairs of strings, from two lists side by side: an array of `int32`.
///
/// `scorer` is "levenshtein" or "indel" (insertions and deletions alone). A distance above `score_cutoff` is reported as `score_cutoff + 1`. Where a
/// string is missing (None, NaN, NA, a null of Arrow) it is `carrywave.MISSING`, the greatest int32. So `distances <= cutoff` selects the pairs
/// within a cutoff and nothing else. Lists may be columns of Arrow.
///
/// >>> import carrywave
/// >>> carrywave.cpdist(["kitten", "flaw", ""], ["sitting", "lawn", "gap"]).tolist()
/// [3, 2, 3]
/// >>> distances = carrywave.cpdist(["kitten", "flaw"], ["sitting", None], scorer="indel", score_cutoff=4)
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
    let asked = Asked::new(scorer, score_cutoff, engine)?;
    let (held_a, held_b) = (Held::of(a)?, Held::of(b)?);
    let lengths = |a: usize, b: usize| match a == b {
        true => Ok(a),
        false => Err(PyValueError::new_err(format!("the lists have {a} and {b} strings: pairs take as many of both"))),
    };
    if let (Some((a, of_a)), Some((b, of_b))) = (held_a.bytes(py)?, held_b.bytes(py)?) {
        let len = lengths(a.len(), b.len())?;
        if !mixed {
            check(Some(of_a), Some(of_b))?;
        }
        let cells = || a.par_iter().zip(&b).map(|(a, b)| a.len() as u64 * b.len() as u64).sum();
        let cells = threads::run(cells);
        let mut room = Room::new::<i32>(py, len)?;
        let bytes = room.bytes();
        run(py, cells, progress, |progress| {
            let pairs: Vec<(&[u8], &[u8])> = a.into_par_iter().zip(b).collect();
            let distances = asked.pairs(progress).listed(&pairs)?;
            bytes.par_chunks_mut(1 << 16).zip(distances.par_chunks(1 << 14)).for_each(|(places, distances)| {
                for (place, &distance) in places.chunks_exact_mut(4).zip(distances) {
                    place.copy_from_slice(&asked.told(distance).to_ne_bytes());
                }
            });
            Ok(())
        })?;
        return room.array::<i32>(&[len]);
    }
    let mut numbers = Numbers::of_any(mixed);
    let (a, b) = (held_a.strings(&mut numbers, mixed)?, held_b.strings(&mut numbers, mixed)?);
    let len = lengths(a.all.len(), b.all.len())?;
    if !mixed {
        a.check(&b)?;
    }
    let both = || a.all.iter().zip(&b.all).enumerate().filter_map(|(at, (a, b))| Some((at, a.as_ref()?, b.as_ref()?)));
    let cells = both().map(|(_, a, b)| a.len() as u64 * b.len() as u64).sum();
    let distances = run(py, cells, progress, |progress| {
        let both: Vec<_> = both().collect();
        let coded: Vec<_> = both.par_iter().map(|&(_, a, b)| coded_pair(a, b)).collect::<Result<_>>()?;
        let few: Vec<(&[u8], &[u8])> = coded.iter().flatten().map(|[a, b]| (&a[..], &b[..])).collect();
        let mut few = asked.pairs(progress).listed(&few)?.into_iter();
        let mut distances = vec![MISSING; len];
        for (&(at, a, b), coded) in both.iter().zip(&coded) {
            let distance = match coded {
                Some(_) => few.next().flatten(),
                None => asked.single(a, b, progress)?,
            };
            distances[at] = asked.told(distance);
        }
        Ok(distances)
    })?;
    array(py, distances.into_iter())
}

/// Two strings as bytes, if they share few symbols.
fn coded_pair<'s>(a: &'s Symbols<'_>, b: &'s Symbols<'_>) -> Result<Option<[Cow<'s, [u8]>; 2]>> {
    match crate::symbols::pair(a, b) {
        Pair::Bytes(a, b) => Ok(Some([Cow::Borrowed(a), Cow::Borrowed(b)])),
        other => Ok(other.numbered()?.bytes().map(|both| both.map(Cow::Owned))),
    }
}

/// Two lists as the library takes them, those strings that are there, and their places in the lists.
struct Lists<'a> {
    strings: [Vec<&'a Symbols<'a>>; 2],
    places: [Vec<usize>; 2],
    /// As bytes, if there are few different symbols.
    bytes: Option<[Vec<Cow<'a, [u8]>>; 2]>,
}

impl<'a> Lists<'a> {
    fn new(a: &'a Strings<'a>, b: &'a Strings<'a>) -> Self {
        let there = |strings: &'a Strings<'a>| -> (Vec<usize>, Vec<&'a Symbols<'a>>) {
            let there = strings.all.iter().enumerate();
            there.filter_map(|(place, string)| Some((place, string.as_ref()?))).unzip()
        };
        let ((places_a, a), (places_b, b)) = (there(a), there(b));
        let all = || a.iter().chain(&b);
        let bytes = if all().all(|string| string.bytes().is_some()) {
            let bytes = |strings: &[&'a Symbols<'a>]| {
                strings.iter().map(|string| Cow::Borrowed(string.bytes().unwrap_or_default())).collect()
            };
            Some([bytes(&a), bytes(&b)])
        } else {
            let mut codes = Codes::new();
            let few = all().try_for_each(|string| codes.add(string, 256)).is_some();
            let coded = |strings: &[&Symbols<'a>]| {
                strings.par_iter().map(|string| Cow::Owned(codes.coded(string, 0))).collect()
            };
            few.then(|| [coded(&a), coded(&b)])
        };
        Self { strings: [a, b], places: [places_a, places_b], bytes }
    }

    /// Calls `each` with the row of distances of each string of the first list that is there, in order, where there are many different
    /// symbols.
    fn rows(
        &self,
        asked: &Asked,
        progress: Progress<'_>,
        mut each: impl FnMut(usize, &[Option<u32>]) -> Result<()>,
    ) -> Result<()> {
        let [a, b] = &self.strings;
        let mut codes = Codes::new();
        for (number, string) in a.iter().enumerate() {
            // One code is for what only the others have.
            let row = if codes.add(string, 255).is_some() {
                let coded: Vec<Vec<u8>> = b.par_iter().map(|other| codes.coded(other, 255)).collect();
                asked.pairs(progress).one_to_many(codes.coded(string, 255), &coded)?
            } else {
                b.par_iter().map(|other| asked.single(string, other, progress)).collect::<Result<_>>()?
            };
            codes.forget(string);
            each(number, &row)?;
        }
        Ok(())
    }
}

/// Two lists of strings as Python gave them; without a second one the first again.
fn held<'py>(a: &Bound<'py, PyAny>, b: Option<&Bound<'py, PyAny>>) -> PyResult<(Held<'py>, Option<Held<'py>>)> {
    Ok((Held::of(a)?, b.filter(|b| !b.is_none()).map(Held::of).transpose()?))
}

/// The distances of all strings of `a` to all of `b`, or to one another: a matrix of `int32`, or of another `dtype`. Otherwise as `cpdist`.
///
/// `dtype` is one of int8 to int64, uint8 to uint64, float32 and float64. A distance that it could not hold is refused before anything is computed: OverflowError says
/// which `score_cutoff` it needs. A missing distance is the greatest number of the dtype, infinity for floats.
///
/// >>> import carrywave
/// >>> carrywave.cdist(["wave", "carry"], ["waves", "curry", "ware"]).tolist()
/// [[1, 5, 1], [4, 1, 3]]
/// >>> carrywave.cdist(["wave", None], ["waves", "curry"], dtype="uint8").tolist()
/// [[1, 5], [255, 255]]
#[pyfunction]
#[pyo3(signature = (a, b=None, *, scorer="levenshtein", score_cutoff=None, dtype=None, engine=None, progress=None, mixed=false))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn cdist<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    scorer: &str,
    score_cutoff: Option<u32>,
    dtype: Option<&Bound<'py, PyAny>>,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let asked = Asked::new(scorer, score_cutoff, engine)?;
    let (held_a, held_b) = held(a, b)?;
    let mut numbers = Numbers::of_any(mixed);
    let a = held_a.strings(&mut numbers, mixed)?;
    // A NaN of an array is not equal to itself: then the list is read again.
    let again = numbers.has_nan.then_some(&held_a);
    let other = held_b.as_ref().or(again).map(|held| held.strings(&mut numbers, mixed)).transpose()?;
    let b = other.as_ref().unwrap_or(&a);
    if !mixed {
        a.check(b)?;
    }
    let (rows, columns) = (a.all.len(), b.all.len());
    let dtype = Dtype::of(py, dtype)?;
    dtype.check(asked.greatest(&a, b))?;
    let size = dtype.size;
    let mut room = Room::with_size(py, rows.saturating_mul(columns), size)?;
    let bytes = room.bytes();
    run(py, a.symbols().saturating_mul(b.symbols()), progress, |progress| {
        let lists = Lists::new(&a, b);
        let whole = lists.places[0].len() == rows && lists.places[1].len() == columns;
        let mut told = Vec::with_capacity(columns);
        if !whole {
            told.extend((0..columns).map(|column| (column, MISSING)));
            bytes.chunks_exact_mut((columns * size).max(1)).for_each(|row| dtype.write(&told, row));
        }
        let mut put = |row: usize, distances: &[Option<u32>]| {
            told.clear();
            told.extend(
                lists.places[1].iter().zip(distances).map(|(&column, &distance)| (column, asked.told(distance))),
            );
            dtype.write(&told, &mut bytes[lists.places[0][row] * columns * size..][..columns * size]);
            Ok(())
        };
        match &lists.bytes {
            Some([a, b]) => asked.pairs(progress).all(a, b, put),
            None => lists.rows(&asked, progress, &mut put),
        }
    })?;
    room.named(dtype.name, &[rows, columns])
}

/// Arrays of the numbers of the nearest strings and of their distances, a row for each string of `a`. Rows with fewer neighbours end
/// with the number -1 and the distance [`MISSING`].
#[pyfunction]
#[pyo3(signature = (a, b, *, top=1, scorer="levenshtein", score_cutoff=None, engine=None, progress=None, mixed=false))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn nearest<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    top: usize,
    scorer: &str,
    score_cutoff: Option<u32>,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = a.py();
    let asked = Asked::new(scorer, score_cutoff, engine)?;
    let (held_a, held_b) = (Held::of(a)?, Held::of(b)?);
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
    run(py, a.symbols().saturating_mul(b.symbols()), progress, |progress| {
        of_places.as_chunks_mut::<8>().0.fill((-1i64).to_ne_bytes());
        of_distances.as_chunks_mut::<4>().0.fill(MISSING.to_ne_bytes());
        let lists = Lists::new(&a, &b);
        let mut put = |row: usize, near: &mut dyn Iterator<Item = (usize, u32)>| {
            let from = lists.places[0][row] * top;
            for (at, (place, distance)) in (from..from + top).zip(near) {
                of_places.as_chunks_mut::<8>().0[at] = (lists.places[1][place] as i64).to_ne_bytes();
                of_distances.as_chunks_mut::<4>().0[at] = asked.told(Some(distance)).to_ne_bytes();
            }
        };
        match &lists.bytes {
            Some([a, b]) => {
                let mut row = 0;
                asked.pairs(progress).each_nearest(a, b, top, |near| {
                    put(row, &mut near.iter().map(|near| (near.b, near.distance)));
                    row += 1;
                    Ok(())
                })
            }
            None => lists.rows(&asked, progress, |row, distances| {
                let near = distances.iter().enumerate().filter_map(|(place, distance)| Some((place, (*distance)?)));
                let mut near: Vec<(usize, u32)> = near.collect();
                near.sort_unstable_by_key(|&(place, distance)| (distance, place));
                put(row, &mut near.into_iter());
                Ok(())
            }),
        }
    })?;
    Ok((places.array::<i64>(&[rows, top])?, distances.array::<i32>(&[rows, top])?))
}

/// The pairs of a list's strings within the cutoff: arrays of the first's numbers, of the second's, and of the distances.
#[pyfunction]
#[pyo3(signature = (strings, score_cutoff, *, scorer="levenshtein", engine=None, progress=None))]
pub fn within<'py>(
    strings: &Bound<'py, PyAny>,
    score_cutoff: u32,
    scorer: &str,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = strings.py();
    let asked = Asked::new(scorer, Some(score_cutoff), engine)?;
    let held = Held::of(strings)?;
    let strings = held.strings(&mut Numbers::new(), false)?;
    let total = strings.symbols().saturating_mul(strings.symbols()) / 2;
    let (places, near) = run(py, total, progress, |progress| {
        let lists = Lists::new(&strings, &strings);
        let near: Vec<(usize, usize, u32)> = match &lists.bytes {
            Some([list, _]) => {
                let near = asked.pairs(progress).within(list, score_cutoff)?;
                near.into_iter().map(|Near { a, b, distance, .. }| (a, b, distance)).collect()
            }
            None => {
                let mut near = Vec::new();
                lists.rows(&asked, progress, |a, distances| {
                    let behind = distances.iter().enumerate().skip(a + 1);
                    near.extend(behind.filter_map(|(b, distance)| Some((a, b, (*distance)?))));
                    Ok(())
                })?;
                near
            }
        };
        let [places, _] = lists.places;
        Ok((places, near))
    })?;
    Ok((
        array(py, near.iter().map(|&(a, _, _)| places[a] as i64))?,
        array(py, near.iter().map(|&(_, b, _)| places[b] as i64))?,
        array(py, near.iter().map(|&(_, _, distance)| distance.cast_signed()))?,
    ))
}

/// Clusters of strings: two are in one if they are within `score_cutoff`, or if a chain of such leads from one to the other (single linkage).
/// For each string the number of its cluster's first one; -1 for a string that is missing, which is in no cluster.
///
/// >>> import carrywave
/// >>> carrywave.clusters(["wave", "carry", "waves", "caves"], 1).tolist()
/// [0, 1, 0, 0]
#[pyfunction]
#[pyo3(signature = (strings, score_cutoff, *, scorer="levenshtein", engine=None, progress=None))]
pub fn clusters<'py>(
    strings: &Bound<'py, PyAny>,
    score_cutoff: u32,
    scorer: &str,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = strings.py();
    let asked = Asked::new(scorer, Some(score_cutoff), engine)?;
    let held = Held::of(strings)?;
    let strings = held.strings(&mut Numbers::new(), false)?;
    let total = strings.symbols().saturating_mul(strings.symbols()) / 2;
    let labels = run(py, total, progress, |progress| {
        let lists = Lists::new(&strings, &strings);
        let [list, _] = lists
            .bytes
            .as_ref()
            .ok_or_else(|| Error::Usage("clusters are of strings with up to 256 different symbols in all".into()))?;
        let mut labels = vec![-1i64; strings.all.len()];
        for cluster in asked.pairs(progress).clusters(list, score_cutoff)? {
            for member in &cluster {
                labels[lists.places[0][member.number]] = lists.places[0][cluster[0].number] as i64;
            }
        }
        Ok(labels)
    })?;
    array(py, labels.into_iter())
}
