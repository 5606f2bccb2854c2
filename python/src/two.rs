//! Two strings: the LCS, the edit distance, and scripts.

use crate::arrays::array;
use crate::checksum::Checksum;
use crate::errors::raised;
use crate::results::{Alignment, Lcs};
use crate::symbols::{SHORT_CELLS, STEPS_OF_CELL, Two, short_texts, with_short_texts};
use crate::work::run;
use carrywave::Result;
use carrywave::algorithm::{Algorithm, Problem};
use carrywave::device::Engine;
use carrywave::distance::{self as edits, Mode, Placement};
use carrywave::io::output::Shortened;
use carrywave::job::Progress;
use carrywave::lcs as library;
use carrywave::pairs::Symbols;
use carrywave::scorers::{Kind, Parameters, named};
use carrywave::text::Equality;
use carrywave::text::numbered::Numbered;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Runs a job on two strings, of bytes or of other items.
macro_rules! on_pair {
    ($two:expr, $comparison:ident: $of_bytes:ident, $of_numbers:ident) => {
        match $two.bytes() {
            Some([a, b]) => $comparison.$of_bytes(a, b),
            None => $comparison.$of_numbers(&$two.numbered()?),
        }
    };
}

fn algorithm<P: Problem>(name: Option<&str>) -> PyResult<Algorithm<P>> {
    name.map_or(Ok(Algorithm::AUTO), |name| Algorithm::named(name).map_err(raised))
}

/// Returns the rotation of a circular string that begins at `start`.
fn rotated<T: Clone>(symbols: &[T], start: u64) -> Cow<'_, [T]> {
    let (last, first) = symbols.split_at((start as usize).min(symbols.len()));
    if last.is_empty() { Cow::Borrowed(symbols) } else { [first, last].concat().into() }
}

fn comparison<'p>(
    engine: Option<&Arc<dyn Engine>>,
    algorithm: library::Algorithm,
    progress: Progress<'p>,
) -> library::Comparison<'p> {
    let comparison = library::Comparison::new().algorithm(algorithm).on_progress(progress);
    match engine {
        Some(engine) => comparison.on(&**engine),
        None => comparison,
    }
}

/// Returns the length of a longest common subsequence of two strings, in at most m n / 64 word
/// steps.
///
/// >>> import carrywave
/// >>> carrywave.lcs_length("ABCBDAB", "BDCABA")
/// 4
/// >>> carrywave.lcs_length(["to", "be", "or", "not"], ["or", "to", "be"])
/// 2
///
/// With `circular=True`, `b` is circular, and the result is the length for the rotation of `b` with
/// the longest one, in 2 m n cells on one thread of the CPU.
/// `mixed=True` compares text with bytes, code points with bytes, and other items by their hashes.
/// Raises ValueError for an unknown algorithm or one that the engine does not have, MemoryError,
/// and Error if a GPU fails.
#[pyfunction]
#[pyo3(signature = (a, b, *, circular=false, engine=None, algorithm=None, progress=None, mixed=false))]
pub fn lcs_length(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    circular: bool,
    engine: Option<&Bound<'_, PyAny>>,
    algorithm: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    mixed: bool,
) -> PyResult<u64> {
    let is_plain = engine.is_none() && algorithm.is_none() && progress.is_none() && !circular;
    if is_plain {
        if let Some([a, b]) = short_texts(a, b) {
            return carrywave::lcs_length(a, b).map_err(raised);
        }
        if let Some(length) = with_short_texts(a, b, |pair| score_of("lcs", Kind::Similarity, pair)) {
            return length;
        }
    }
    let two = Two::new(a, b, mixed)?;
    if is_plain
        && let Some([a, b]) = two.bytes()
        && two.cells() < SHORT_CELLS as u64
    {
        return carrywave::lcs_length(a, b).map_err(raised);
    }
    let (engine, algorithm) = (crate::engines::engine(engine)?, self::algorithm(algorithm)?);
    let size = if circular { two.size_of_rotation(0) } else { two.size(1) };
    run(a.py(), size.on(engine.as_ref()), progress, |progress| {
        let comparison = comparison(engine.as_ref(), algorithm, progress);
        if circular {
            return on_pair!(two, comparison: rotation, rotation_of_numbers).map(|rotation| rotation.length);
        }
        on_pair!(two, comparison: length, length_of_numbers)
    })
}

/// Returns a longest common subsequence of two strings, and its positions in both. Takes about
/// twice the time of its length, in linear space.
///
/// >>> import carrywave
/// >>> lcs = carrywave.lcs("ABCBDAB", "BDCABA")
/// >>> lcs.length, lcs.subsequence("ABCBDAB"), lcs.cigar
/// (4, 'BCBA', '1I1=1D1=1D1=1I1=1I')
/// >>> lcs.runs.tolist()
/// [[1, 0, 1], [2, 2, 1], [3, 4, 1], [5, 5, 1]]
///
/// With `circular=True`, `b` is circular, such as a plasmid, and `rotation` is the position of its
/// first symbol in the rotation with the longest LCS, the first of several. Positions in `b` count
/// on beyond its end. All rotations take 2 m n cells on one thread of the CPU.
///
/// >>> lcs = carrywave.lcs("GATTACA", "ACAGATC", circular=True)
/// >>> lcs.length, lcs.rotation, lcs.runs.tolist()
/// (6, 3, [[0, 3, 3], [4, 7, 3]])
///
/// `mixed=True` compares text with bytes, code points with bytes, and other items by their hashes.
/// Raises ValueError for an unknown algorithm or one that the engine does not have, MemoryError,
/// and Error if a GPU fails.
#[pyfunction]
#[pyo3(signature = (a, b, *, circular=false, engine=None, algorithm=None, progress=None, mixed=false))]
pub fn lcs(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    circular: bool,
    engine: Option<&Bound<'_, PyAny>>,
    algorithm: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    mixed: bool,
) -> PyResult<Lcs> {
    let two = Two::new(a, b, mixed)?;
    let (engine, algorithm) = (crate::engines::engine(engine)?, self::algorithm(algorithm)?);
    let size = if circular { two.size_of_rotation(2) } else { two.size(2) };
    let (lcs, rotation) = run(a.py(), size.on(engine.as_ref()), progress, |progress| {
        let comparison = comparison(engine.as_ref(), algorithm, progress);
        if !circular {
            return Ok((on_pair!(two, comparison: alignment, alignment_of_numbers)?, 0));
        }
        match two.bytes() {
            Some([a, b]) => {
                let start = comparison.rotation(a, b)?.start;
                Ok((comparison.alignment(a, &rotated(b, start))?, start))
            }
            None => {
                let mut numbered = two.numbered()?;
                let start = comparison.rotation_of_numbers(&numbered)?.start;
                numbered.b.rotate_left(start as usize);
                Ok((comparison.alignment_of_numbers(&numbered)?, start))
            }
        }
    })?;
    Ok(Lcs { lcs, rotation, checksum: Some(Checksum::new(a, &two.a, mixed)?) })
}

/// Returns the score of two short strings, a whole number, by a scorer of the library.
fn score_of(scorer: &str, kind: Kind, [a, b]: [Symbols<'_>; 2]) -> PyResult<u64> {
    let score = named(scorer).and_then(|scorer| scorer.score(kind, &a, &b, &Parameters::DEFAULT, None));
    score.map(|score| score.value() as u64).map_err(raised)
}

/// Options of a distance.
struct DistanceOptions {
    engine: Option<Arc<dyn Engine>>,
    algorithm: edits::Algorithm,
    mode: Mode,
    equality: Equality,
}

impl DistanceOptions {
    fn new(
        mode: &str,
        equal: Option<&Bound<'_, PyAny>>,
        engine: Option<&Bound<'_, PyAny>>,
        algorithm: Option<&str>,
    ) -> PyResult<Self> {
        if mode == "overlap" {
            return Err(PyValueError::new_err("the overlap of two strings is found by `carrywave.overlap`"));
        }
        let (engine, algorithm) = (crate::engines::engine(engine)?, self::algorithm(algorithm)?);
        Ok(Self { engine, algorithm, mode: mode.parse().map_err(raised)?, equality: equality(equal)? })
    }

    /// Returns strings other than bytes as numbers. An `equal` that is not exact applies only to
    /// bytes.
    fn numbered(&self, two: &Two<'_>) -> Result<Numbered> {
        if !self.equality.is_exact() {
            let reason = "`equal` is for bytes, and for text in Latin-1: encode the strings";
            return Err(carrywave::error::UsageFault::Combination.error(reason));
        }
        two.numbered()
    }

    fn comparison<'p>(&self, progress: Progress<'p>) -> edits::Comparison<'p> {
        let comparison = edits::Comparison::new().algorithm(self.algorithm).on_progress(progress);
        let comparison = comparison.mode(self.mode).equality(self.equality.clone());
        match &self.engine {
            Some(engine) => comparison.on(&**engine),
            None => comparison,
        }
    }
}

/// Reads which symbols are equal: `"ignore-case"`, `"iupac"`, or groups of bytes that are all equal
/// to one another.
fn equality(equal: Option<&Bound<'_, PyAny>>) -> PyResult<Equality> {
    let Some(equal) = equal.filter(|equal| !equal.is_none()) else { return Ok(Equality::exact()) };
    if let Ok(name) = equal.cast::<PyString>() {
        return match name.to_str()? {
            "ignore-case" => Ok(Equality::exact().ignore_case()),
            "iupac" => Ok(Equality::exact().iupac()),
            name => Err(PyValueError::new_err(format!(
                "symbols are equal by 'ignore-case', by 'iupac', or in groups as ['ACN', 'GT'], not by '{}'",
                Shortened(name)
            ))),
        };
    }
    let mut equality = Equality::exact();
    for group in equal.try_iter()? {
        let group = group?;
        let mut numbers = crate::symbols::Numbers::new();
        let (symbols, _) = crate::symbols::Symbols::from_object(&group, &mut numbers)?;
        let bytes = symbols.bytes().ok_or_else(|| {
            PyTypeError::new_err("a group of equal symbols is of single bytes, or of characters in Latin-1")
        })?;
        equality = equality.group(bytes);
    }
    Ok(equality)
}

/// Returns the edit distance (Levenshtein 1966): the least number of insertions, deletions and
/// substitutions that turn one string into the other.
///
/// A distance above `score_cutoff` is reported as `score_cutoff + 1`; a smaller cutoff is faster.
/// `mode` selects the part of `b`: "global" (all of it), "prefix" (any prefix), "suffix" (any
/// suffix), "infix" (any part).
/// `equal` selects symbols that count as equal: "ignore-case", "iupac" (codes of nucleotides), or
/// groups such as ["ACN", "GT"].
///
/// >>> import carrywave
/// >>> carrywave.distance("kitten", "sitting")
/// 3
/// >>> carrywave.distance("kitten", "sitting", score_cutoff=1)
/// 2
/// >>> carrywave.distance(b"ACGT", b"TTACCTGG", mode="infix")
/// 1
/// >>> carrywave.distance("GATTNCA", "GATTACA", equal="iupac")
/// 0
///
/// With `circular=True`, `b` is circular, such as a plasmid, and the result is the distance of its
/// nearest rotation, in 8 m n cells on one thread of the CPU; `align` has its start.
///
/// >>> carrywave.distance("GATTACA", "ACAGATC", circular=True)
/// 1
///
/// `mixed=True` compares text with bytes, code points with bytes, and other items by their hashes.
/// Raises ValueError for an unknown algorithm or one that the engine does not have, MemoryError,
/// and Error if a GPU fails.
#[pyfunction]
#[pyo3(signature = (a, b, *, score_cutoff=None, mode="global", circular=false, equal=None, engine=None, algorithm=None, progress=None, mixed=false))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn distance(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    score_cutoff: Option<u64>,
    mode: &str,
    circular: bool,
    equal: Option<&Bound<'_, PyAny>>,
    engine: Option<&Bound<'_, PyAny>>,
    algorithm: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    mixed: bool,
) -> PyResult<u64> {
    let above = |distance: u64| score_cutoff.map_or(distance, |most| distance.min(most.saturating_add(1)));
    let is_default = engine.is_none() && algorithm.is_none() && progress.is_none();
    let is_plain = is_default && equal.is_none() && mode == "global" && !circular;
    if is_plain {
        if let Some([a, b]) = short_texts(a, b) {
            return edits::distance(a, b).map(above).map_err(raised);
        }
        if let Some(distance) = with_short_texts(a, b, |pair| score_of("levenshtein", Kind::Distance, pair)) {
            return distance.map(above);
        }
    }
    let two = Two::new(a, b, mixed)?;
    if is_plain
        && let Some([a, b]) = two.bytes()
        && two.cells() < SHORT_CELLS as u64
    {
        return edits::distance(a, b).map(above).map_err(raised);
    }
    let options = DistanceOptions::new(mode, equal, engine, algorithm)?;
    let size = if circular { two.size_of_rotation(0) } else { two.size(1) };
    run(a.py(), size.on(options.engine.as_ref()), progress, |progress| {
        let comparison = options.comparison(progress);
        if circular {
            return on_pair!(two, comparison: rotation, rotation_of_numbers).map(|rotation| above(rotation.distance));
        }
        match score_cutoff {
            None => on_pair!(two, comparison: distance, distance_of_numbers),
            Some(most) => {
                let limited = comparison.maximum(most);
                on_pair!(two, limited: within, within_of_numbers)
                    .map(|distance| distance.unwrap_or(most.saturating_add(1)))
            }
        }
    })
}

/// Returns a cheapest script that turns one string into the other, or into the part of `b` that
/// `mode` selects. Takes about twice the time of the distance, in linear space. `gaps` is
/// "leftmost" or "rightmost", for gaps that cost the same in several positions.
///
/// >>> import carrywave
/// >>> alignment = carrywave.align("ACGT", "TTACCTGG", mode="infix")
/// >>> alignment.distance, alignment.start, alignment.end, alignment.cigar
/// (1, 2, 6, '2=1X1=')
/// >>> alignment.operations
/// [('=', 2), ('X', 1), ('=', 1)]
///
/// With `circular=True`, `b` is circular: `start` is the position of the first symbol of its
/// nearest rotation, the first of several, and positions in `b` count on beyond its end.
///
/// >>> alignment = carrywave.align("GATTACA", "ACAGATC", circular=True)
/// >>> alignment.distance, alignment.start, alignment.end, alignment.cigar
/// (1, 3, 10, '3=1X3=')
///
/// `mixed=True` compares text with bytes, code points with bytes, and other items by their hashes.
/// Raises ValueError for an unknown algorithm or one that the engine does not have, MemoryError,
/// and Error if a GPU fails.
#[pyfunction]
#[pyo3(signature = (a, b, *, mode="global", circular=false, equal=None, gaps="leftmost", engine=None, algorithm=None, progress=None, mixed=false))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn align(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    mode: &str,
    circular: bool,
    equal: Option<&Bound<'_, PyAny>>,
    gaps: &str,
    engine: Option<&Bound<'_, PyAny>>,
    algorithm: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    mixed: bool,
) -> PyResult<Alignment> {
    let two = Two::new(a, b, mixed)?;
    let placement = match gaps {
        "leftmost" => Placement::Leftmost,
        "rightmost" => Placement::Rightmost,
        _ => {
            return Err(PyValueError::new_err(format!(
                "gaps are 'leftmost' or 'rightmost', not '{}'",
                Shortened(gaps)
            )));
        }
    };
    let options = DistanceOptions::new(mode, equal, engine, algorithm)?;
    let size = if circular { two.size_of_rotation(2) } else { two.size(2) };
    run(a.py(), size.on(options.engine.as_ref()), progress, |progress| {
        let comparison = options.comparison(progress);
        let start = if circular { on_pair!(two, comparison: rotation, rotation_of_numbers)?.start } else { 0 };
        let part = |place: &Range<u64>| place.start as usize..place.end as usize;
        let (script, place) = match two.bytes() {
            Some([a, b]) => {
                let b = rotated(b, start);
                let edits::PlacedScript { script, place, .. } = comparison.script_with_place(a, &b)?;
                let part = b.get(part(&place)).unwrap_or_default();
                (script.placed_by(placement, a, part, &options.equality)?, place)
            }
            None => {
                let mut numbered = options.numbered(&two)?;
                numbered.b.rotate_left(start as usize);
                let edits::PlacedScript { script, place, .. } = comparison.placed_script_of_numbers(&numbered)?;
                let part = numbered.b.get(part(&place)).unwrap_or_default();
                (script.placed_of(placement, &numbered.a, part)?, place)
            }
        };
        Ok(Alignment { script, start: start + place.start, end: start + place.end })
    })
}

/// Returns the best overlap of two strings: its score and distance, and its start and end in both.
#[pyfunction]
#[pyo3(signature = (a, b, *, equal=None, engine=None, progress=None, mixed=false))]
pub fn overlap(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    equal: Option<&Bound<'_, PyAny>>,
    engine: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    mixed: bool,
) -> PyResult<(u64, u64, u64, u64, u64, u64)> {
    let two = Two::new(a, b, mixed)?;
    let options = DistanceOptions::new("global", equal, engine, None)?;
    let size = two.size(2).and(two.cells().saturating_mul(STEPS_OF_CELL));
    let found = run(a.py(), size.on(options.engine.as_ref()), progress, |progress| {
        let comparison = options.comparison(progress);
        on_pair!(two, comparison: overlap, overlap_of_numbers)
    })?;
    Ok((found.score, found.distance, found.a.start, found.a.end, found.b.start, found.b.end))
}

/// Returns the distance, and the parts of `b` with this distance: arrays of starts and ends.
/// Without `starts`, the starts are left out.
#[pyfunction]
#[pyo3(signature = (a, b, *, mode="infix", equal=None, starts=true, engine=None, algorithm=None, progress=None, mixed=false))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn nearest_places<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    mode: &str,
    equal: Option<&Bound<'py, PyAny>>,
    starts: bool,
    engine: Option<&Bound<'py, PyAny>>,
    algorithm: Option<&str>,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<(u64, Option<Bound<'py, PyAny>>, Bound<'py, PyAny>)> {
    let two = Two::new(a, b, mixed)?;
    let options = DistanceOptions::new(mode, equal, engine, algorithm)?;
    let (distance, firsts, ends) = run(a.py(), two.size(1).on(options.engine.as_ref()), progress, |progress| {
        let comparison = options.comparison(progress);
        let of_places = |places: edits::Places| {
            let (starts, ends) = places.places.iter().map(|place| (place.start, place.end)).unzip();
            (places.distance, starts, ends)
        };
        let of_ends = |found: edits::Ends| (found.distance, Vec::new(), found.ends);
        match (two.bytes(), starts) {
            (Some([a, b]), true) => comparison.places(a, b).map(of_places),
            (Some([a, b]), false) => comparison.ends(a, b).map(of_ends),
            (None, true) => comparison.places_of_numbers(&options.numbered(&two)?).map(of_places),
            (None, false) => comparison.ends_of_numbers(&options.numbered(&two)?).map(of_ends),
        }
    })?;
    let positions = |positions: Vec<u64>| array(a.py(), positions.into_iter().map(u64::cast_signed));
    Ok((distance, starts.then(|| positions(firsts)).transpose()?, positions(ends)?))
}
