//! The types of NumPy that a matrix of distances can have.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;

/// The distance reported for a missing string: the greatest `int32`, which is within no cutoff.
pub const MISSING: i32 = i32::MAX;

/// A type of numbers.
#[derive(Clone, Copy)]
pub struct Dtype {
    /// Name of the type in NumPy.
    pub name: &'static str,
    /// Size of a number, in bytes.
    pub size: usize,
    /// Maximum distance that the type can hold; a missing distance is greater.
    most: u64,
    write: fn(&[i32], Option<&[usize]>, &mut [u8]),
    write_scores: fn(&[f64], Option<&[usize]>, &mut [u8]),
}

macro_rules! dtypes {
    ($($type:ident, $name:literal, $most:expr, $missing:expr, $rounded:ident;)+) => {
        const DTYPES: &[Dtype] = &[$(Dtype {
            name: $name,
            size: size_of::<$type>(),
            most: $most,
            write: |distances, columns, row| {
                let places = row.as_chunks_mut::<{ size_of::<$type>() }>().0;
                let bytes = |&distance: &i32| {
                    let number = if distance == MISSING { $missing } else { distance as $type };
                    number.to_ne_bytes()
                };
                match columns {
                    None => places.iter_mut().zip(distances).for_each(|(place, distance)| *place = bytes(distance)),
                    Some(columns) => {
                        columns.iter().zip(distances).for_each(|(&column, distance)| places[column] = bytes(distance));
                    }
                }
            },
            write_scores: |scores, columns, row| {
                let places = row.as_chunks_mut::<{ size_of::<$type>() }>().0;
                let bytes = |&score: &f64| ($rounded(score) as $type).to_ne_bytes();
                match columns {
                    None => places.iter_mut().zip(scores).for_each(|(place, score)| *place = bytes(score)),
                    Some(columns) => columns.iter().zip(scores).for_each(|(&column, score)| places[column] = bytes(score)),
                }
            },
        },)+];
    };
}

/// Rounds a score half away from zero.
fn rounded(score: f64) -> i64 {
    (score + 0.5f64.copysign(score)) as i64
}

/// Returns a score for a type of fractions.
fn exact(score: f64) -> f64 {
    score
}

/// A distance is always below `MISSING`.
const ANY: u64 = MISSING as u64;

dtypes! {
    i8, "int8", i8::MAX as u64 - 1, i8::MAX, rounded;
    i16, "int16", i16::MAX as u64 - 1, i16::MAX, rounded;
    i32, "int32", ANY, MISSING, rounded;
    i64, "int64", ANY, i64::MAX, rounded;
    u8, "uint8", u8::MAX as u64 - 1, u8::MAX, rounded;
    u16, "uint16", u16::MAX as u64 - 1, u16::MAX, rounded;
    u32, "uint32", ANY, u32::MAX, rounded;
    u64, "uint64", ANY, u64::MAX, rounded;
    f32, "float32", 1 << 24, f32::INFINITY, exact;
    f64, "float64", ANY, f64::INFINITY, exact;
}

impl Dtype {
    /// Reads an argument: a name, or anything that `numpy.dtype` takes; `int32` by default.
    pub fn from_argument(py: Python<'_>, argument: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(argument) = argument.filter(|argument| !argument.is_none()) else { return Ok(Self::INT32) };
        let dtype = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "dtype"), (argument,))?;
        let is_native = dtype.getattr(intern!(py, "isnative"))?.is_truthy()?;
        let name: String = dtype.getattr(intern!(py, "name"))?.extract()?;
        let known = DTYPES.iter().find(|known| is_native && known.name == name);
        known.copied().ok_or_else(|| {
            let all: Vec<&str> = DTYPES.iter().map(|dtype| dtype.name).collect();
            PyTypeError::new_err(format!("distances have a dtype of {}, not {dtype}", all.join(", ")))
        })
    }

    /// The default type.
    const INT32: Self = DTYPES[2];

    /// Fails if a distance of up to `most` does not fit.
    pub fn check(self, most: u64) -> PyResult<()> {
        if most <= self.most {
            return Ok(());
        }
        Err(PyOverflowError::new_err(format!(
            "distances of these strings may be up to {most}, and {} holds up to {}: choose a larger dtype, or a score_cutoff of at most {}",
            self.name,
            self.most,
            self.most - 1
        )))
    }

    /// Returns the type with this name.
    pub fn named(name: &str) -> Option<Self> {
        DTYPES.iter().find(|dtype| dtype.name == name).copied()
    }

    /// Writes scores to the given columns of a row, or to all columns in order. Integers are
    /// rounded half away from zero, and keep their lowest bits if they do not fit.
    pub fn write_scores(self, scores: &[f64], columns: Option<&[usize]>, row: &mut [u8]) {
        (self.write_scores)(scores, columns, row);
    }

    /// Writes distances, which may be [`MISSING`], to the given columns of a row, or to all columns
    /// in order.
    pub fn write(self, distances: &[i32], columns: Option<&[usize]>, row: &mut [u8]) {
        (self.write)(distances, columns, row);
    }
}
