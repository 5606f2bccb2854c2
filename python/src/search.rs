//! Search for patterns with errors, and the best match.

use crate::arrays::{Room, array};
use crate::arrow::{StringColumn, is_column};
use crate::errors::raised;
use crate::searched::Searched;
use crate::signals::check_signals;
use crate::strings::Held;
use crate::surrogates::Marks;
use crate::symbols::{Kind, Numbers, Symbols};
use crate::text::{Utf8, utf8, utf8_of};
use crate::work::{Size, run};
use carrywave::best::{Algorithm as BestAlgorithm, Best};
use carrywave::device::Engine;
use carrywave::io::output::Shortened;
use carrywave::job::Progress;
use carrywave::search::{self as library, Algorithm, Anchor, Ends, Hit, Overhang, Search};
use carrywave::text::Strand;
use carrywave::text::characters::{CharacterPattern, TextPattern};
use carrywave::text::{Alphabet, Pattern, SymbolRules, Text, TextCodes};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

/// Patterns, prepared for searches in many texts.
#[pyclass(frozen, module = "carrywave")]
pub struct Searcher {
    patterns: Vec<TextPattern>,
    marks: Marks,
    kind: Kind,
    k: Option<u32>,
    percent: Option<u32>,
    /// Maximum substitutions, insertions and deletions.
    kinds: [Option<u32>; 3],
    gap_cost: u32,
    transpositions: bool,
    anchor: Anchor,
    overhang: Option<Overhang>,
    circular: bool,
    both_strands: bool,
    overlapping: bool,
    whole: bool,
    ends: Ends,
    algorithm: Algorithm,
    engine: Option<Arc<dyn Engine>>,
    /// Prepared search for short texts.
    ready: Mutex<Option<library::Searcher<'static>>>,
}

/// A text on a `Gpu` or a `Simt`, kept there for many searches.
///
/// >>> import carrywave
/// >>> text = carrywave.ResidentText(carrywave.Simt(), b"to carry a wave, or to carry, wave")
/// >>> [len(carrywave.search(word, text)) for word in (b"carry", b"wave")]
/// [2, 2]
#[pyclass(frozen, module = "carrywave")]
pub struct ResidentText {
    text: library::ResidentText<'static>,
    kind: Kind,
}

#[pymethods]
impl ResidentText {
    #[new]
    fn new(py: Python<'_>, engine: &Bound<'_, PyAny>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let engine = crate::engines::engine(Some(engine))?
            .ok_or_else(|| PyValueError::new_err("a text stays on a Gpu, or a Simt: give one of them"))?;
        let text = Given::from_object(text)?;
        let (bytes, kind) = match &text {
            Given::Symbols(symbols, kind) => (
                symbols
                    .bytes()
                    .ok_or_else(|| PyTypeError::new_err("a text on a GPU is bytes, or str in Latin-1"))?
                    .to_vec(),
                *kind,
            ),
            Given::Text(text) if text.is_ascii() => (text.bytes().to_vec(), Kind::Text),
            Given::Text(_) => return Err(PyTypeError::new_err("a text on a GPU is bytes, or str in ASCII: encode it")),
        };
        let text = py.detach(|| library::ResidentText::new(&*engine, bytes)).map_err(raised)?;
        Ok(Self { text, kind })
    }

    fn __len__(&self) -> usize {
        self.text.text().len() as usize
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a ResidentText lies on a GPU of this process: send the text, and make a ResidentText where it is searched",
        ))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl ResidentText {
    /// Returns the text on the device.
    pub fn text(&self) -> &library::ResidentText<'static> {
        &self.text
    }
}

/// A pattern or a text from Python.
pub enum Given<'a> {
    Text(Utf8<'a>),
    Symbols(Symbols<'a>, Kind),
}

impl<'a> Given<'a> {
    pub fn from_object(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(utf8(text)?));
        }
        let of_bytes = |(symbols, _): &(Symbols<'_>, Kind)| symbols.bytes().is_some();
        match Symbols::from_buffer(object)?.filter(of_bytes) {
            Some((symbols, kind)) => Ok(Self::Symbols(symbols, kind)),
            None => Err(PyTypeError::new_err("patterns and texts are str, bytes, or buffers of bytes")),
        }
    }

    /// Returns the text, if the object is one and not a list or a column of texts.
    pub fn one(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Self::from_object(object).map(Some);
        }
        Ok(if is_column(object)? { None } else { Self::from_object(object).ok() })
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Text(_) => Kind::Text,
            Self::Symbols(..) => Kind::Bytes,
        }
    }

    fn text(&self) -> Option<&Utf8<'a>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Symbols(..) => None,
        }
    }

    /// Returns the bytes, of text in ASCII.
    pub fn ascii(&self) -> PyResult<&[u8]> {
        match self {
            Self::Text(text) if !text.is_ascii() => Err(PyValueError::new_err("reads are bytes, or str in ASCII")),
            _ => Ok(self.bytes()),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.bytes(),
            Self::Symbols(symbols, _) => symbols.bytes().unwrap_or_default(),
        }
    }
}

/// Returns the rules of an alphabet by its name; "plain" symbols have none.
fn rules(alphabet: &str, ignore_case: bool, text_codes: &str) -> PyResult<SymbolRules> {
    let unknown = |_| {
        let reason = format!("an alphabet is 'plain', 'dna', 'iupac' or 'protein', not '{}'", Shortened(alphabet));
        PyValueError::new_err(reason)
    };
    let alphabet: Alphabet = if alphabet == "plain" { Alphabet::Bytes } else { alphabet.parse().map_err(unknown)? };
    let codes: TextCodes = text_codes.parse().map_err(raised)?;
    Ok(SymbolRules::new(alphabet).ignore_case(ignore_case).text_codes(codes))
}

/// Patterns for the library.
struct Read {
    patterns: Vec<TextPattern>,
    marks: Marks,
    kind: Kind,
}

fn read(given: &[Given<'_>], alphabet: &str, ignore_case: bool, text_codes: &str) -> PyResult<Read> {
    let kind = given.first().map_or(Kind::Text, Given::kind);
    if given.iter().any(|pattern| pattern.kind() != kind) {
        return Err(PyTypeError::new_err("some patterns are str and others bytes"));
    }
    let rules = rules(alphabet, ignore_case, text_codes)?;
    if alphabet == "plain" && kind == Kind::Text && !given.is_empty() {
        let texts = || given.iter().filter_map(Given::text);
        let marks = texts().try_fold(Marks::default(), |marks, text| marks.and(text.marks()))?;
        let literal = |text: &Utf8<'_>| TextPattern::from(CharacterPattern::literal(text.text(), ignore_case));
        return Ok(Read { patterns: texts().map(literal).collect(), marks, kind });
    }
    let patterns = given.iter().map(|pattern| Pattern::parse_with(pattern.bytes(), &rules).map(TextPattern::from));
    let patterns = patterns.collect::<Result<_, _>>().map_err(raised)?;
    Ok(Read { patterns, marks: Marks::default(), kind })
}

/// Returns the objects of a list of patterns, or the single pattern.
pub fn patterns_of<'py>(patterns: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let one = patterns.is_instance_of::<PyString>() || patterns.is_instance_of::<PyBytes>();
    if one || !is_column(patterns)? && Given::from_object(patterns).is_ok() {
        return Ok(vec![patterns.clone()]);
    }
    if let Some(column) = StringColumn::from_object(patterns)? {
        let py = patterns.py();
        let pattern = |string: Option<&[u8]>| -> PyResult<Bound<'py, PyAny>> {
            let bytes = string.ok_or_else(|| PyValueError::new_err("a pattern is null"))?;
            if column.is_text() == Some(false) {
                return Ok(PyBytes::new(py, bytes).into_any());
            }
            let text = std::str::from_utf8(bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok(PyString::new(py, text).into_any())
        };
        return column.strings().map(pattern).collect();
    }
    let mut all = Vec::new();
    for item in patterns.try_iter()? {
        all.push(item?);
        check_signals(patterns.py(), all.len())?;
    }
    Ok(all)
}

#[pymethods]
impl Searcher {
    #[new]
    #[pyo3(signature = (patterns, k=None, *, percent=None, substitutions=None, insertions=None, deletions=None,
        gap_cost=1, transpositions=false, anchor="anywhere", overhang=None, min_overlap=None, circular=false, alphabet="plain", text_codes="self", ignore_case=false, fixed=None, both_strands=false, overlapping=false, ends="best", whole=false, engine=None,
        algorithm=None))]
    #[expect(clippy::too_many_arguments, reason = "they are the caller's")]
    fn new(
        patterns: &Bound<'_, PyAny>,
        k: Option<u32>,
        percent: Option<u32>,
        substitutions: Option<u32>,
        insertions: Option<u32>,
        deletions: Option<u32>,
        gap_cost: u32,
        transpositions: bool,
        anchor: &str,
        overhang: Option<f64>,
        min_overlap: Option<usize>,
        circular: bool,
        alphabet: &str,
        text_codes: &str,
        ignore_case: bool,
        fixed: Option<Vec<usize>>,
        both_strands: bool,
        overlapping: bool,
        ends: &str,
        whole: bool,
        engine: Option<&Bound<'_, PyAny>>,
        algorithm: Option<&str>,
    ) -> PyResult<Self> {
        let py = patterns.py();
        let objects = patterns_of(patterns)?;
        let given = objects.iter().map(Given::from_object).collect::<PyResult<Vec<_>>>()?;
        let Read { mut patterns, marks, kind } = read(&given, alphabet, ignore_case, text_codes)?;
        if both_strands && !matches!(alphabet, "dna" | "iupac") {
            return Err(PyValueError::new_err("both strands are searched with alphabet='dna' or 'iupac'"));
        }
        if k.is_some() && percent.is_some() {
            return Err(PyValueError::new_err("errors are allowed by number (k) or in percent, not both"));
        }
        if let Some(fixed) = fixed {
            let fix = |pattern: TextPattern| pattern.with_fixed(fixed.iter().copied());
            patterns = patterns.into_iter().map(fix).collect::<Result<_, _>>().map_err(raised)?;
        }
        let overhang = overhang.map(Overhang::with_cost).transpose().map_err(raised)?;
        let overhang = match (overhang, min_overlap) {
            (None, Some(_)) => return Err(PyValueError::new_err("min_overlap is for searches with an overhang")),
            (Some(overhang), Some(least)) => Some(overhang.min_overlap(least)),
            (overhang, None) => overhang,
        };
        let searcher = Self {
            patterns,
            marks,
            kind,
            k,
            percent,
            kinds: [substitutions, insertions, deletions],
            gap_cost,
            transpositions,
            anchor: anchor.parse().map_err(raised)?,
            overhang,
            circular,
            both_strands,
            overlapping,
            whole,
            ends: ends.parse().map_err(raised)?,
            algorithm: algorithm.map_or(Ok(Algorithm::AUTO), Algorithm::named).map_err(raised)?,
            engine: crate::engines::engine(engine)?,
            ready: Mutex::new(None),
        };
        // Reports errors in the patterns at once.
        let symbols = searcher.patterns.iter().map(|pattern| pattern.len() as u64).sum::<u64>();
        let size = Size::from(symbols).and_items(searcher.patterns.len());
        let ready = run(py, size, None, |_| searcher.search(&|_| ()).prepare())?;
        *searcher.ready.lock().unwrap_or_else(PoisonError::into_inner) = Some(ready);
        Ok(searcher)
    }

    /// Returns arrays of records, starts, ends, patterns, strands (1 or -1) and errors of all hits,
    /// and of the symbols beyond both ends of the text.
    #[pyo3(signature = (text, *, progress=None))]
    fn hits<'py>(
        &self,
        text: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let py = text.py();
        let hits = self.found(text, progress, |search, text| search.hits(text), |ready, text| ready.hits(text))?;
        let column = |of: fn(&Hit) -> i64| array(py, hits.iter().map(of));
        let strand = |hit: &Hit| if hit.strand == Strand::Forward { 1i8 } else { -1 };
        let mut beyond = Room::new::<i32>(py, hits.len().saturating_mul(2))?;
        for (row, hit) in beyond.bytes().chunks_exact_mut(8).zip(&hits) {
            row[..4].copy_from_slice(&hit.beyond.start.to_ne_bytes());
            row[4..].copy_from_slice(&hit.beyond.end.to_ne_bytes());
        }
        PyTuple::new(
            py,
            [
                column(|hit| hit.record as i64)?,
                column(|hit| hit.start.cast_signed())?,
                column(|hit| hit.end.cast_signed())?,
                column(|hit| hit.pattern as i64)?,
                array(py, hits.iter().map(strand))?,
                array(py, hits.iter().map(|hit| hit.errors.cast_signed()))?,
                beyond.array(&[hits.len(), 2])?,
            ],
        )
    }

    /// Returns the number of hits.
    #[pyo3(signature = (text, *, progress=None))]
    fn count(&self, text: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
        self.found(text, progress, |search, text| search.count(text), |ready, text| ready.count(text))
    }

    fn __len__(&self) -> usize {
        self.patterns.len()
    }
}

/// Texts with at least this many symbols do not use the prepared search.
const READY: usize = 1 << 22;

/// Maximum steps of a prepared search, which reports no progress.
const READY_STEPS: u64 = 1 << 30;

impl Searcher {
    fn search<'p>(&self, progress: Progress<'p>) -> Search<'p> {
        let mut search =
            Search::many(self.patterns.clone()).algorithm(self.algorithm).ends(self.ends).on_progress(progress);
        search = search.positions_in_characters(self.has_characters());
        search = search.transpositions(self.transpositions).gap_cost(self.gap_cost);
        search = search.anchor(self.anchor).circular(self.circular);
        if let Some(overhang) = self.overhang {
            search = search.overhang(overhang);
        }
        search = search.both_strands(self.both_strands).overlapping(self.overlapping).whole_records(self.whole);
        if let Some(k) = self.k {
            search = search.errors(k);
        }
        if let Some(percent) = self.percent {
            search = search.errors_percent(percent);
        }
        let [substitutions, insertions, deletions] = self.kinds;
        if let Some(most) = substitutions {
            search = search.substitutions(most);
        }
        if let Some(most) = insertions {
            search = search.insertions(most);
        }
        if let Some(most) = deletions {
            search = search.deletions(most);
        }
        match &self.engine {
            Some(engine) => search.on(&**engine),
            None => search,
        }
    }

    /// Returns the work in a text, in symbols.
    fn work(&self, symbols: usize) -> u64 {
        (symbols as u64).saturating_mul(self.patterns.len() as u64 * if self.both_strands { 2 } else { 1 })
    }

    /// Estimates the steps in a text, for a job without a progress bar. Each symbol takes a step
    /// per 64 positions of a pattern, or per position with an algorithm of the caller's choice;
    /// errors take longer.
    fn steps(&self, symbols: usize) -> u64 {
        let each = if self.algorithm == Algorithm::AUTO { 64 } else { 1 };
        let words = self.patterns.iter().map(|pattern| pattern.len().div_ceil(each) as u64).max().unwrap_or(1);
        let has_errors = self.k.is_some_and(|k| k > 0) || self.percent.is_some();
        // Dense hits take time too, and more with longer patterns.
        let errors = if has_errors { 16 * (words / 4).max(1) } else { 1 };
        self.work(symbols).saturating_mul(words.max(1)).saturating_mul(errors)
    }

    fn check(&self, kind: Kind) -> PyResult<()> {
        let (own, other) = (self.kind == Kind::Text, kind == Kind::Text);
        let name = |is_text: bool| if is_text { "str" } else { "bytes" };
        if own == other {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!(
            "the patterns are {}, the text is {}: encode one of them",
            name(own),
            name(other)
        )))
    }

    fn found<'py, R: Send>(
        &self,
        text: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
        search: impl Fn(&Search<'_>, library::Source<'_>) -> carrywave::Result<R> + Send + Sync,
        ready: impl Fn(&mut library::Searcher<'static>, Text<'_>) -> carrywave::Result<R> + Send + Sync,
    ) -> PyResult<R> {
        let py = text.py();
        if let Ok(resident) = text.cast::<ResidentText>() {
            let ResidentText { text, kind } = resident.get();
            self.check(*kind)?;
            let size = Size::from(self.work(text.text().len() as usize)).and(u64::MAX);
            return run(py, size, progress, |progress| search(&self.search(progress), library::Source::from(text)));
        }
        if let Some(given) = Given::one(text)? {
            self.check(given.kind())?;
            if let Given::Text(text) = &given {
                match self.has_characters() {
                    true => text.check(self.marks)?,
                    false if !text.is_ascii() => return Err(not_ascii()),
                    false => {}
                }
            }
            return self.found_in(py, &Searched::One(given.bytes()), progress, search, ready);
        }
        let held = Held::from_object(text)?;
        if let Some((strings, kind)) = held.bytes(py)? {
            self.check(kind)?;
            return self.found_in(py, &Searched::Ascii(strings), progress, search, ready);
        }
        let strings = held.strings(&mut Numbers::new(), false)?;
        if let Some(kind) = strings.kind {
            self.check(kind)?;
        }
        let bytes = |string: &Option<Symbols<'_>>| -> PyResult<Cow<'_, [u8]>> {
            let Some(string) = string else { return Ok(Cow::default()) };
            match string {
                Symbols::Characters(_) | Symbols::Latin(_) if self.has_characters() => {
                    let code_points = string.narrow().unwrap_or_default();
                    let text = utf8_of(&code_points)?;
                    text.check(self.marks)?;
                    Ok(text.bytes().to_vec().into())
                }
                string if !self.has_characters() && self.kind != Kind::Text => {
                    Ok(string.bytes().ok_or_else(not_ascii)?.to_vec().into())
                }
                Symbols::Latin(bytes) if !self.has_characters() && bytes.is_ascii() => Ok(bytes.to_vec().into()),
                _ => Err(not_ascii()),
            }
        };
        let strings = Searched::Strings(strings.all.iter().map(bytes).collect::<PyResult<_>>()?);
        self.found_in(py, &strings, progress, search, ready)
    }

    /// Returns true if the symbols are characters.
    fn has_characters(&self) -> bool {
        self.patterns.iter().any(|pattern| matches!(pattern, TextPattern::Characters(_)))
    }

    fn found_in<'py, R: Send>(
        &self,
        py: Python<'py>,
        text: &Searched<'_>,
        progress: Option<&Bound<'py, PyAny>>,
        search: impl Fn(&Search<'_>, library::Source<'_>) -> carrywave::Result<R> + Send + Sync,
        ready: impl Fn(&mut library::Searcher<'static>, Text<'_>) -> carrywave::Result<R> + Send + Sync,
    ) -> PyResult<R> {
        let (symbols, records) = text.joined();
        let text = || match &records {
            Some(records) => Text::with_records(&symbols, records),
            None => Ok(Text::from(&*symbols)),
        };
        let in_search = |progress: Progress<'_>| search(&self.search(progress), library::Source::from(text()?));
        let steps = self.steps(symbols.len());
        let size = Size::from(self.work(symbols.len())).and(steps);
        if progress.is_none() && symbols.len() < READY && steps < READY_STEPS {
            return run(py, size, None, |_| {
                // Another thread may hold the lock, in this process or in the one that it was
                // forked from.
                let mut slot = match self.ready.try_lock() {
                    Ok(slot) => Some(slot),
                    Err(TryLockError::Poisoned(slot)) => Some(slot.into_inner()),
                    Err(TryLockError::WouldBlock) => None,
                };
                match slot.as_deref_mut().and_then(Option::as_mut) {
                    Some(searcher) => ready(searcher, text()?),
                    None => in_search(&|_| ()),
                }
            });
        }
        run(py, size.on(self.engine.as_ref()), progress, in_search)
    }
}

pub fn not_ascii() -> PyErr {
    PyValueError::new_err("with an alphabet of nucleotides or amino acids a text is in ASCII, or bytes")
}

/// Returns the part of a text that is nearest to a pattern: distance, start, end, and the alignment
/// as a CIGAR.
#[pyfunction]
#[pyo3(signature = (pattern, text, *, alphabet="plain", text_codes="self", ignore_case=false, engine=None, algorithm=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn best(
    pattern: &Bound<'_, PyAny>,
    text: &Bound<'_, PyAny>,
    alphabet: &str,
    text_codes: &str,
    ignore_case: bool,
    engine: Option<&Bound<'_, PyAny>>,
    algorithm: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(u32, u64, u64, String)> {
    let py = text.py();
    let pattern_given = [Given::from_object(pattern)?];
    let Read { patterns, marks, kind } = read(&pattern_given, alphabet, ignore_case, text_codes)?;
    let pattern = patterns.into_iter().next().ok_or_else(|| PyValueError::new_err("there is no pattern"))?;
    let has_characters = matches!(pattern, TextPattern::Characters(_));
    let given = Given::from_object(text)?;
    if (kind == Kind::Text) != (given.kind() == Kind::Text) {
        return Err(PyTypeError::new_err("one of pattern and text is str, the other bytes: encode one of them"));
    }
    if let Given::Text(text) = &given {
        match has_characters {
            true => text.check(marks)?,
            false if !text.is_ascii() => return Err(not_ascii()),
            false => {}
        }
    }
    let engine = crate::engines::engine(engine)?;
    let algorithm = algorithm.map_or(Ok(BestAlgorithm::AUTO), BestAlgorithm::named).map_err(raised)?;
    let symbols = given.bytes();
    // Words of the table, or its cells.
    let steps = if algorithm == BestAlgorithm::AUTO { pattern.len().div_ceil(64) } else { pattern.len() };
    let size = Size::from(symbols.len() as u64).and((symbols.len() as u64).saturating_mul(steps as u64));
    run(py, size.on(engine.as_ref()), progress, |progress| {
        let best = Best::new(pattern).algorithm(algorithm).on_progress(progress);
        let best = match &engine {
            Some(engine) => best.on(&**engine),
            None => best,
        };
        let found = best.find(symbols)?;
        let part = symbols.get(found.start as usize..found.end as usize).unwrap_or_default();
        let cigar = best.align(&found, part)?.cigar();
        // Counts the characters of UTF-8 text: a continuation byte starts no character.
        let is_first = |byte: &&u8| !has_characters || **byte & 0xc0 != 0x80;
        let [before, own] = [symbols.get(..found.start as usize), Some(part)];
        let [start, own] = [before, own].map(|bytes| bytes.unwrap_or_default().iter().filter(is_first).count() as u64);
        let end = start + own;
        Ok((found.distance, start, end, cigar))
    })
}
