//! Reads and their nearest barcodes, and the molecules of each barcode.

use crate::arrays::array;
use crate::dtype::MISSING;
use crate::search::{Given, patterns_of};
use crate::signals::check_signals;
use crate::strings::Held;
use crate::work::{Size, run};
use carrywave::barcodes::umi::{BarcodeMolecules, Molecules};
use carrywave::barcodes::{Barcodes as Settings, Nearest, Place, PreparedBarcodes};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use std::borrow::Cow;

/// Maximum reads and usual bases between two reports of progress of a thread.
const READS: u64 = 64;
const BASES: u64 = 1 << 12;

/// Number of UMIs between two reports of progress.
const UMIS: usize = 1 << 14;

/// Time of a base of a read, in cells.
const STEPS_OF_BASE: u64 = 1 << 10;

/// Barcodes, prepared for many reads.
#[pyclass(frozen, module = "carrywave")]
pub struct Barcodes(PreparedBarcodes);

/// Barcode, errors, start, end, and true if the read is ambiguous.
type Found = (usize, u32, usize, usize, bool);

#[pymethods]
impl Barcodes {
    /// `window` has the first and the last start; without it, a barcode may start anywhere.
    #[new]
    #[pyo3(signature = (barcodes, *, errors, margin, mismatches_only, window))]
    fn new(
        barcodes: &Bound<'_, PyAny>,
        errors: u32,
        margin: u32,
        mismatches_only: bool,
        window: Option<(usize, usize)>,
    ) -> PyResult<Self> {
        let py = barcodes.py();
        let mut all = Vec::new();
        for barcode in patterns_of(barcodes)? {
            all.push(Given::from_object(&barcode)?.bytes().to_vec());
            check_signals(py, all.len())?;
        }
        let place = window.map_or(Place::Anywhere, |(first, last)| Place::Within { first, last });
        let size = Size::from(all.len() as u64).and_items(all.len());
        let settings = Settings::new(all).errors(errors).margin(margin).mismatches_only(mismatches_only).place(place);
        Ok(Self(run(py, size, None, |_| settings.prepare())?))
    }

    /// Returns the nearest barcode of a read; None if all have too many errors.
    fn nearest(&self, read: &Bound<'_, PyAny>) -> PyResult<Option<Found>> {
        let given = Given::from_object(read)?;
        let bases = given.ascii()?;
        let size = Size::from(1).and((bases.len() as u64).saturating_mul(STEPS_OF_BASE));
        let nearest = run(read.py(), size, None, |_| self.0.nearest(bases))?;
        Ok(nearest.map(|own| (own.barcode, own.errors, own.start, own.end, !own.is_assigned())))
    }

    /// Returns arrays of barcodes, errors, starts, ends and 1 for ambiguous reads.
    #[pyo3(signature = (reads, *, progress=None))]
    fn assign<'py>(
        &self,
        reads: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let py = reads.py();
        let held = Held::from_object(reads)?;
        let (reads, _) = held.ascii(py)?;
        let reads: Vec<Cow<'_, [u8]>> = reads.into_iter().map(Option::unwrap_or_default).collect();
        let bases = reads.iter().map(|read| read.len() as u64).sum::<u64>();
        let size = Size::from(reads.len() as u64).and(bases.saturating_mul(STEPS_OF_BASE)).and_items(reads.len());
        let found = run(py, size, progress, |progress| {
            let part = (BASES * reads.len() as u64 / bases.max(1)).clamp(1, READS);
            let assigned = |part: &[_]| {
                // After a stop, rayon still begins hundreds of parts.
                progress(0);
                self.0.assign(part).inspect(|_| progress(part.len() as u64))
            };
            let parts: Vec<_> = reads.par_chunks(part as usize).map(assigned).collect::<carrywave::Result<_>>()?;
            Ok(parts.into_iter().flatten().collect::<Vec<_>>())
        })?;
        let position = |of: fn(&Nearest) -> usize| {
            array(py, found.iter().map(|nearest| nearest.as_ref().map_or(-1, |nearest| of(nearest) as i64)))
        };
        let errors = |nearest: &Option<Nearest>| nearest.as_ref().map_or(MISSING, |own| own.errors.cast_signed());
        let is_ambiguous = |nearest: &Option<Nearest>| i8::from(nearest.as_ref().is_some_and(|own| !own.is_assigned()));
        let columns = [
            position(|own| own.barcode)?,
            array(py, found.iter().map(errors))?,
            position(|own| own.start)?,
            position(|own| own.end)?,
            array(py, found.iter().map(is_ambiguous))?,
        ];
        PyTuple::new(py, columns)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// Returns arrays of the barcodes that have molecules, their reads, UMIs and molecules. `barcodes`
/// has the bytes of int64.
#[pyfunction]
#[pyo3(signature = (barcodes, umis, *, length, progress))]
pub fn molecules<'py>(
    barcodes: &[u8],
    umis: &Bound<'py, PyAny>,
    length: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = umis.py();
    let held = Held::from_object(umis)?;
    let (umis, _) = held.ascii(py)?;
    let barcodes = barcodes.as_chunks::<8>().0;
    if barcodes.len() != umis.len() {
        let reason = format!("there are {} barcodes and {} UMIs", barcodes.len(), umis.len());
        return Err(PyValueError::new_err(reason));
    }
    let length = length.unwrap_or_else(|| umis.iter().flatten().map(|umi| umi.len()).max().unwrap_or(1).max(1));
    let counts = run(py, Size::from(umis.len() as u64).and_items(umis.len()), progress, |progress| {
        let mut molecules = Molecules::new(length)?;
        for (barcodes, umis) in barcodes.chunks(UMIS).zip(umis.chunks(UMIS)) {
            for (barcode, umi) in barcodes.iter().zip(umis) {
                // A read without a barcode has a negative number.
                if let (Ok(barcode), Some(umi)) = (usize::try_from(i64::from_ne_bytes(*barcode)), umi) {
                    molecules.add(barcode, umi)?;
                }
            }
            progress(umis.len() as u64);
        }
        molecules.counts()
    })?;
    let column = |of: fn(&BarcodeMolecules) -> u64| array(py, counts.iter().map(|own| of(own).cast_signed()));
    let columns = [
        column(|own| own.barcode as u64)?,
        column(|own| own.reads)?,
        column(|own| own.umis)?,
        column(|own| own.molecules)?,
    ];
    PyTuple::new(py, columns)
}
