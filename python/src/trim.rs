//! Trimming of reads.

use crate::arrays::array;
use crate::errors::raised;
use crate::strings::Held;
use crate::symbols::Kind;
use crate::work::{Size, run};
use carrywave::job::Progress;
use carrywave::text::Read;
use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings, Fate, Settings, Trimmer as Library};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use rayon::prelude::*;
use std::borrow::Cow;

/// Number of reads of a task.
const TASK: usize = 256;

/// Settings that are ready for reads.
#[pyclass(frozen, module = "carrywave")]
pub struct Trimmer(Library);

/// The settings, by their names in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    adapters: Vec<String>,
    front: Vec<String>,
    anywhere: Vec<String>,
    error_rate: f64,
    overlap: usize,
    indels: bool,
    times: usize,
    action: String,
    reverse_complement: bool,
    cut_start: usize,
    cut_end: usize,
    quality_cutoff: Option<[i64; 2]>,
    quality_base: u8,
    poly_a: bool,
    length: Option<i64>,
    trim_n: bool,
    min_length: Option<usize>,
    max_length: Option<usize>,
    max_n: Option<f64>,
    max_expected_errors: Option<f64>,
    discard_trimmed: bool,
    discard_untrimmed: bool,
}

impl Options {
    fn settings(&self) -> carrywave::Result<Settings> {
        let (errors, overlap, indels) = (self.error_rate, self.overlap, self.indels);
        let defaults = AdapterSettings { errors, overlap, indels, ..AdapterSettings::default() };
        let mut settings = Settings::default();
        let lists = [
            (&self.adapters, AdapterEnd::ThreePrime),
            (&self.front, AdapterEnd::FivePrime),
            (&self.anywhere, AdapterEnd::Either),
        ];
        for (texts, end) in lists {
            for text in texts {
                settings.first.adapters.push(Adapter::parse(text, end, &defaults)?);
            }
        }
        settings.first.cut_start = self.cut_start;
        settings.first.cut_end = self.cut_end;
        settings.first.quality = self.quality_cutoff.filter(|cutoffs| *cutoffs != [0, 0]);
        settings.first.length = self.length;
        settings.times = self.times;
        settings.action = self.action.parse()?;
        settings.either_strand = self.reverse_complement;
        settings.poly_a = self.poly_a;
        settings.trim_n = self.trim_n;
        settings.quality_base = self.quality_base;
        settings.filters.shortest = [self.min_length, None];
        settings.filters.longest = [self.max_length, None];
        settings.filters.most_n = self.max_n;
        settings.filters.most_expected_errors = self.max_expected_errors;
        settings.filters.trimmed = self.discard_trimmed;
        settings.filters.untrimmed = self.discard_untrimmed;
        Ok(settings)
    }
}

/// Sequences, qualities, adapters, filters, and 1 for each read that is reversed.
type Trimmed<'py> =
    (Bound<'py, PyList>, Option<Bound<'py, PyList>>, Bound<'py, PyAny>, Vec<Option<String>>, Bound<'py, PyAny>);

/// Sequences or qualities, and their kind.
type Texts<'h> = (Vec<Cow<'h, [u8]>>, Kind);

/// Returns sequences or qualities. A missing one is an error.
fn texts<'h, 'py>(held: &'h Held<'py>, py: Python<'py>) -> PyResult<Texts<'h>> {
    let (texts, kind) = held.ascii(py)?;
    let missing = |(number, text): (usize, Option<_>)| {
        text.ok_or_else(|| PyValueError::new_err(format!("string {number} is missing: leave the read out")))
    };
    Ok((texts.into_iter().enumerate().map(missing).collect::<PyResult<_>>()?, kind))
}

/// Returns reads with qualities, one for each symbol.
fn reads<'r>(sequences: &'r [Cow<'_, [u8]>], qualities: Option<&'r [Cow<'_, [u8]>]>) -> PyResult<Vec<Read<'r>>> {
    let reads = sequences.iter().map(|symbols| Read::new(b"", symbols));
    let Some(qualities) = qualities else { return Ok(reads.collect()) };
    if sequences.len() != qualities.len() {
        let reason = format!("there are {} sequences and {} qualities", sequences.len(), qualities.len());
        return Err(PyValueError::new_err(reason));
    }
    let with_qualities = |(number, (read, qualities)): (usize, (Read<'r>, &'r Cow<'_, [u8]>))| {
        if read.len() == qualities.len() {
            return Ok(read.with_qualities(qualities));
        }
        let reason = format!("sequence {number} has {} symbols and {} qualities", read.len(), qualities.len());
        Err(PyValueError::new_err(reason))
    };
    reads.zip(qualities).enumerate().map(with_qualities).collect()
}

/// Trims some reads.
fn task<'r>(trimmer: &Library, reads: &[Read<'r>], progress: Progress<'_>) -> Vec<(Read<'r>, Fate)> {
    // After a stop, rayon still begins hundreds of parts.
    progress(0);
    let mut worker = trimmer.worker();
    let trimmed = reads.iter().map(|read| worker.trim(read.clone())).collect();
    progress(reads.len() as u64);
    trimmed
}

/// Returns a list of `str` or of `bytes`.
fn list<'py, 'r>(
    py: Python<'py>,
    texts: impl ExactSizeIterator<Item = &'r [u8]>,
    kind: Kind,
) -> PyResult<Bound<'py, PyList>> {
    let object = |bytes: &[u8]| match kind {
        Kind::Text => PyString::new(py, &String::from_utf8_lossy(bytes)).into_any(),
        _ => PyBytes::new(py, bytes).into_any(),
    };
    PyList::new(py, texts.map(object))
}

#[pymethods]
impl Trimmer {
    #[new]
    fn new(options: Options) -> PyResult<Self> {
        let trimmer = options.settings().and_then(Library::new).map_err(raised)?;
        Ok(Self(trimmer))
    }

    /// Trims reads, without and with qualities.
    #[pyo3(signature = (sequences, qualities=None, *, progress=None))]
    fn trim<'py>(
        &self,
        sequences: &Bound<'py, PyAny>,
        qualities: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Trimmed<'py>> {
        let py = sequences.py();
        let (sequences, qualities) = (Held::from_object(sequences)?, qualities.map(Held::from_object).transpose()?);
        let (symbols, kind) = texts(&sequences, py)?;
        let qualities = qualities.as_ref().map(|qualities| texts(qualities, py)).transpose()?;
        let reads = reads(&symbols, qualities.as_ref().map(|(qualities, _)| &qualities[..]))?;
        let adapters: u64 = self.0.settings().first.adapters.len() as u64;
        let total = symbols.iter().map(|symbols| symbols.len() as u64).sum::<u64>();
        let size = Size::from(reads.len() as u64).and(total.saturating_mul(64 * (adapters + 1))).and_items(reads.len());
        let trimmed = run(py, size, progress, |progress| {
            let trimmed = reads.par_chunks(TASK).map(|reads| task(&self.0, reads, progress));
            Ok(trimmed.collect::<Vec<_>>().into_iter().flatten().collect::<Vec<_>>())
        })?;
        let adapter = |number: Option<usize>| number.map_or(-1, |number| number as i64);
        let lines = qualities.as_ref().map(|&(_, kind)| {
            list(py, trimmed.iter().map(|(read, _)| read.qualities.as_deref().unwrap_or_default()), kind)
        });
        Ok((
            list(py, trimmed.iter().map(|(read, _)| &read.symbols[..]), kind)?,
            lines.transpose()?,
            array(py, trimmed.iter().map(|(_, fate)| adapter(fate.adapters[0])))?,
            trimmed.iter().map(|(_, fate)| fate.filter.map(|filter| filter.to_string())).collect(),
            // The name of a reversed read has a mark.
            array(py, trimmed.iter().map(|(read, _)| i8::from(!read.name.is_empty())))?,
        ))
    }
}
