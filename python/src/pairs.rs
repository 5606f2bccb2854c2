//! Many pairs of strings: two lists side by side, all of one list against all of another, the
//! nearest, and all that are near each other.
//!
//! Strings of bytes and Latin-1 text go to the library unchanged, others as numbers: the library
//! compares any number of different symbols.

use crate::arrays::{Room, array};
use crate::dtype::{Dtype, MISSING};
use crate::strings::{Held, Strings, Text, check, texts};
use crate::symbols::{Numbers, Symbols};
use crate::work::{Size, run};
use carrywave::Result;
use carrywave::device::Engine;
use carrywave::internal::threads;
use carrywave::io::output::Shortened;
use carrywave::job::Progress;
use carrywave::pairs::{Cost, Near, PairString, Pairs};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Options of a computation.
struct PairOptions {
    cost: Cost,
    most: Option<u32>,
    engine: Option<Arc<dyn Engine>>,
}

impl PairOptions {
    fn new(scorer: &str, most: Option<u32>, engine: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let cost = match scorer {
            "levenshtein" => Cost::Levenshtein,
            "indel" => Cost::Indel,
            "osa" => Cost::Osa,
            other => {
                return Err(PyValueError::new_err(format!(
                    "a scorer is 'levenshtein', 'indel' or 'osa', not '{}'",
                    Shortened(other)
                )));
            }
        };
        if let Some(most) = most.filter(|&most| most > MAX_CUTOFF) {
            let reason =
                format!("a score_cutoff is at most {MAX_CUTOFF}, not {most}: without one all distances are computed");
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

    /// Returns the size of a job of `cells` cells in `pairs` pairs.
    fn size(&self, cells: u64, pairs: usize) -> Size {
        Size::from(cells).and_items(pairs).on(self.engine.as_ref())
    }

    /// Returns the size of a job that compares all strings of two lists.
    fn table(&self, a: &Strings<'_>, b: &Strings<'_>) -> Size {
        self.size(a.symbols().saturating_mul(b.symbols()), a.all.len().saturating_mul(b.all.len()))
    }

    /// Returns the size of a job that compares all strings of a list with one another.
    fn half_table(&self, strings: &Strings<'_>) -> Size {
        let pairs = strings.all.len().saturating_mul(strings.all.len()) / 2;
        self.size(strings.symbols().saturating_mul(strings.symbols()) / 2, pairs)
    }

    /// Returns a distance as it is reported: the cutoff plus 1 for a distance above the cutoff,
    /// always below [`MISSING`].
    fn reported(&self, distance: u32) -> i32 {
        distance.min(self.most.unwrap_or(MAX_CUTOFF) + 1).cast_signed()
    }

    /// Returns the maximum distance that can be reported for two of these strings.
    fn max_reported(&self, a: &Strings<'_>, b: &Strings<'_>) -> u64 {
        let longest = |strings: &Strings<'_>| strings.all.iter().flatten().map(Symbols::len).max().unwrap_or(0) as u64;
        let (a, b) = (longest(a), longest(b));
        let most = if self.cost == Cost::Indel { a + b } else { a.max(b) };
        self.most.map_or(most, |cutoff| most.min(u64::from(cutoff) + 1)).min(u64::from(MAX_CUTOFF) + 1)
    }
}

/// Maximum cutoff. A distance above it is reported as one more, which is below [`MISSING`].
const MAX_CUTOFF: u32 = MISSING.cast_unsigned() - 2;

/// Computes the distances of pairs of strings, from two lists side by side: an array of `int32`.
///
/// `scorer` is "levenshtein", "indel" (insertions and deletions only) or "osa" (also
/// transpositions of neighbours, without editing a part twice; CPU only). A distance above
/// `score_cutoff` is reported as `score_cutoff + 1`. If a string is missing (None, NaN, NA, a null
/// of Arrow), the distance is `carrywave.MISSING`, the greatest int32. So `distances <= cutoff`
/// selects exactly the pairs within a cutoff. Lists may be columns of Arrow.
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
    let (held_a, held_b) = (Held::from_object(a)?, Held::from_object(b)?);
    let lengths = |a: usize, b: usize| match a == b {
        true => Ok(a),
        false => Err(PyValueError::new_err(format!("the lists have {a} and {b} strings: pairs take as many of both"))),
    };
    if let (Some((a, of_a)), Some((b, of_b))) = (held_a.texts(py)?, held_b.texts(py)?) {
        let len = lengths(a.len(), b.len())?;
        if !mixed {
            check(of_a, of_b)?;
        }
        let len_of = |text: &Option<Text<'_>>| text.as_ref().map_or(0, |text| text.symbols().len() as u64);
        let cells = || a.par_iter().zip(&b).map(|(a, b)| len_of(a) * len_of(b)).sum();
        let cells = py.detach(|| threads::run(cells));
        let mut room = Room::new::<i32>(py, len)?;
        let bytes = room.bytes();
        run(py, options.size(cells, len), progress, |progress| {
            // A missing string stands as an empty one here.
            let both = a.par_iter().zip(&b).map(|(a, b)| [a, b].map(|text| text.as_ref().unwrap_or(&Text::EMPTY)));
            let pairs: Vec<(&Text<'_>, &Text<'_>)> = both.map(Into::into).collect();
            let distances = options.pairs(progress).listed(&pairs)?;
            let parts = distances.par_chunks(1 << 14).zip(a.par_chunks(1 << 14)).zip(b.par_chunks(1 << 14));
            bytes.par_chunks_mut(1 << 16).zip(parts).for_each(|(places, ((distances, a), b))| {
                for ((place, &distance), (a, b)) in places.chunks_exact_mut(4).zip(distances).zip(a.iter().zip(b)) {
                    let is_missing = a.is_none() || b.is_none();
                    let reported = if is_missing { MISSING } else { options.reported(distance.unwrap_or(u32::MAX)) };
                    place.copy_from_slice(&reported.to_ne_bytes());
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

/// Two lists for the library: the strings that are not missing, and their positions in the lists.
struct Lists<'a> {
    texts: [Vec<Text<'a>>; 2],
    places: [Vec<usize>; 2],
}

impl<'a> Lists<'a> {
    fn new(a: &'a Strings<'a>, b: &'a Strings<'a>) -> Result<Self> {
        let there = |strings: &'a Strings<'a>| -> (Vec<usize>, Vec<&'a Symbols<'a>>) {
            let there = strings.all.iter().enumerate();
            there.filter_map(|(place, string)| Some((place, string.as_ref()?))).unzip()
        };
        let ((places_a, a), (places_b, b)) = (there(a), there(b));
        Ok(Self { texts: texts([&a, &b])?, places: [places_a, places_b] })
    }
}

/// Holds two lists of strings from Python. Without a second list, the first is compared with
/// itself.
fn held<'py>(a: &Bound<'py, PyAny>, b: Option<&Bound<'py, PyAny>>) -> PyResult<(Held<'py>, Option<Held<'py>>)> {
    Ok((Held::from_object(a)?, b.filter(|b| !b.is_none()).map(Held::from_object).transpose()?))
}

/// Computes the distances of all strings of `a` to all of `b`, or to one another: a matrix of
/// `int32`, or of another `dtype`. Otherwise like `cpdist`.
///
/// `dtype` is one of int8 to int64, uint8 to uint64, float32 and float64. If the dtype could not
/// hold a distance, OverflowError is raised before anything is computed; it says which
/// `score_cutoff` the dtype needs. A missing distance is the greatest number of the dtype, or
/// infinity for floats.
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
    let options = PairOptions::new(scorer, score_cutoff, engine)?;
    let (held_a, held_b) = held(a, b)?;
    let mut numbers = Numbers::of_any(mixed);
    let a = held_a.strings(&mut numbers, mixed)?;
    // A NaN of an array is not equal to itself, so the list is read again.
    let again = numbers.has_nan.then_some(&held_a);
    let other = held_b.as_ref().or(again).map(|held| held.strings(&mut numbers, mixed)).transpose()?;
    let b = other.as_ref().unwrap_or(&a);
    if !mixed {
        a.check(b)?;
    }
    let (rows, columns) = (a.all.len(), b.all.len());
    let dtype = Dtype::from_argument(py, dtype)?;
    dtype.check(options.max_reported(&a, b))?;
    let size = dtype.size;
    let mut room = Room::with_size(py, rows.saturating_mul(columns), size)?;
    let bytes = room.bytes();
    run(py, options.table(&a, b), progress, |progress| {
        let lists = Lists::new(&a, b)?;
        let [row_places, column_places] = &lists.places;
        let has_all_columns = column_places.len() == columns;
        // Two threads may have distances of one row.
        let matrix: Vec<Mutex<&mut [u8]>> = bytes.chunks_exact_mut((columns * size).max(1)).map(Mutex::new).collect();
        let locked = |row: usize| matrix[row].lock().unwrap_or_else(PoisonError::into_inner);
        if row_places.len() < rows || !has_all_columns {
            let missing = vec![MISSING; columns];
            (0..matrix.len()).into_par_iter().for_each(|row| {
                progress(0);
                dtype.write(&missing, None, &mut locked(row));
            });
        }
        let [a, b] = &lists.texts;
        options.pairs(progress).all_in_parts(a, b, |row, numbers, distances| {
            let reported: Vec<i32> = distances.iter().map(|&distance| options.reported(distance)).collect();
            let places = match has_all_columns {
                true => Cow::Borrowed(numbers),
                false => Cow::Owned(numbers.iter().map(|&number| column_places[number]).collect()),
            };
            dtype.write(&reported, Some(&places), &mut locked(row_places[row]));
        })
    })?;
    room.named(dtype.name, &[rows, columns])
}

/// Returns arrays of the numbers and the distances of the nearest strings, one row per string of
/// `a`. Rows with fewer neighbours end with the number -1 and the distance [`MISSING`].
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
    let options = PairOptions::new(scorer, score_cutoff, engine)?;
    let (held_a, held_b) = (Held::from_object(a)?, Held::from_object(b)?);
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
    Ok((places.array::<i64>(&[rows, top])?, distances.array::<i32>(&[rows, top])?))
}

/// Returns the pairs of a list's strings within the cutoff: arrays of the first strings' numbers,
/// of the second strings' numbers, and of the distances.
#[pyfunction]
#[pyo3(signature = (strings, score_cutoff, *, scorer="levenshtein", engine=None, progress=None))]
pub fn within<'py>(
    strings: &Bound<'py, PyAny>,
    score_cutoff: u32,
    scorer: &str,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<NearColumns<'py>> {
    let py = strings.py();
    let options = PairOptions::new(scorer, Some(score_cutoff), engine)?;
    let held = Held::from_object(strings)?;
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
#[pyo3(signature = (a, b, score_cutoff, *, scorer="levenshtein", engine=None, progress=None))]
pub fn join<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    score_cutoff: u32,
    scorer: &str,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<NearColumns<'py>> {
    let py = a.py();
    let options = PairOptions::new(scorer, Some(score_cutoff), engine)?;
    let (held_a, held_b) = (Held::from_object(a)?, Held::from_object(b)?);
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

/// Clusters strings. Two strings are in the same cluster if they are within `score_cutoff`, or if a
/// chain of such pairs connects them (single linkage). Returns, for each string, the number of the
/// first string of its cluster; -1 for a missing string, which is in no cluster.
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
    let options = PairOptions::new(scorer, Some(score_cutoff), engine)?;
    let held = Held::from_object(strings)?;
    let strings = held.strings(&mut Numbers::new(), false)?;
    let labels = run(py, options.half_table(&strings), progress, |progress| {
        // The list is compared with itself.
        let nothing = Strings { all: Vec::new(), kind: None };
        let lists = Lists::new(&strings, &nothing)?;
        let mut labels = vec![-1i64; strings.all.len()];
        for cluster in options.pairs(progress).clusters(&lists.texts[0])? {
            for member in &cluster {
                labels[lists.places[0][member.number]] = lists.places[0][cluster[0].number] as i64;
            }
        }
        Ok(labels)
    })?;
    array(py, labels.into_iter())
}
