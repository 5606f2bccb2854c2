//! Arguments of scorers, with the rules and errors of rapidfuzz: limits of scores, parameters,
//! missing strings and processors.

use carrywave::scorers::{Kind, Parameters, Score, Weights};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

/// Returns true for None, NaN, and the NA of pandas.
#[inline]
pub fn is_missing(object: &Bound<'_, PyAny>) -> bool {
    if object.is_instance_of::<PyString>() {
        return false;
    }
    if object.is_none() {
        return true;
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return number.value().is_nan();
    }
    object.get_type().name().is_ok_and(|name| name == "NAType")
}

/// Returns an argument, or `None` for Python's None.
pub fn given<'a, 'py>(argument: Option<&'a Bound<'py, PyAny>>) -> Option<&'a Bound<'py, PyAny>> {
    argument.filter(|argument| !argument.is_none())
}

/// Returns the function that processes strings before they are compared.
pub fn processor<'a, 'py>(argument: Option<&'a Bound<'py, PyAny>>) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    let Some(processor) = given(argument) else { return Ok(None) };
    if processor.is_callable() {
        return Ok(Some(processor));
    }
    if !processor.is_truthy()? {
        return Ok(None);
    }
    let kind = processor.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "'{kind}' object is not callable: processor is a function of one string, or None"
    )))
}

/// Returns both strings after the function of `processor`, if there is one.
pub fn processed<'py>(
    argument: Option<&Bound<'py, PyAny>>,
    strings: [&Bound<'py, PyAny>; 2],
) -> PyResult<[Bound<'py, PyAny>; 2]> {
    let [s1, s2] = match processor(argument)? {
        Some(processor) => [processor.call1((strings[0],))?, processor.call1((strings[1],))?],
        None => strings.map(Bound::clone),
    };
    // Raises the error for objects without a length.
    s1.len()?;
    s2.len()?;
    Ok([s1, s2])
}

/// Reads a whole number as C does: fractions are cut off.
fn whole(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    let integer = if number.is_instance_of::<PyInt>() {
        number.clone()
    } else {
        let convert =
            number.getattr_opt(intern!(number.py(), "__int__"))?.filter(|_| !number.is_instance_of::<PyString>());
        let Some(convert) = convert else {
            let kind = number.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a cutoff is a number, not {kind}")));
        };
        convert.call0()?
    };
    integer.extract().map_err(|_| {
        PyOverflowError::new_err(match integer.lt(0) {
            Ok(true) => "can't convert negative value to size_t",
            _ => "Python int too large to convert to C size_t",
        })
    })
}

/// Reads a number from 0 to 1, rounded to 32 bits as in rapidfuzz.
fn share(number: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    let number: f64 = number.extract()?;
    if (0.0..=1.0).contains(&number) {
        return Ok(f64::from(number as f32));
    }
    Err(PyTypeError::new_err(format!("{name} has to be in the range of 0.0 - 1.0")))
}

/// The type of a limit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Whole numbers.
    Whole,
    /// From 0 to 1.
    Share,
    /// From 0 to 100.
    Percent,
}

impl Range {
    /// Reads a limit of scores, or a hint.
    pub fn limit(self, argument: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<Score>> {
        let Some(argument) = given(argument) else { return Ok(None) };
        Ok(Some(match self {
            Self::Whole => Score::Whole(whole(argument)?),
            Self::Share => Score::Fraction(share(argument, name)?),
            Self::Percent => Score::Fraction(argument.extract()?),
        }))
    }

    /// Reads a limit of the scores of many pairs, which must be in the range of scores.
    pub fn limit_of_many(self, argument: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Score>> {
        match self.limit(argument, "score_cutoff")? {
            Some(Score::Fraction(limit)) if self == Self::Percent && !(0.0..=100.0).contains(&limit) => {
                Err(PyTypeError::new_err("score_cutoff has to be in the range of 0.0 - 100.0"))
            }
            limit => Ok(limit),
        }
    }
}

/// Parses the name of a kind of scores.
pub fn kind(name: &str) -> PyResult<Kind> {
    Ok(match name {
        "distance" => Kind::Distance,
        "similarity" => Kind::Similarity,
        "normalized_distance" => Kind::NormalizedDistance,
        "normalized_similarity" => Kind::NormalizedSimilarity,
        _ => return Err(PyValueError::new_err(format!("there is no kind of scores '{name}'"))),
    })
}

/// Reads the parameter of a scorer: `weights`, `pad` or `prefix_weight`.
pub fn parameters(scorer: &str, argument: Option<&Bound<'_, PyAny>>) -> PyResult<Parameters> {
    let default = Parameters::default();
    let Some(argument) = given(argument) else { return Ok(default) };
    Ok(match scorer {
        "levenshtein" => Parameters { weights: weights(argument)?, ..default },
        "hamming" => Parameters { pad: argument.is_truthy()?, ..default },
        "jaro-winkler" => {
            let prefix_weight: f64 = argument.extract()?;
            if !(0.0..=1.0).contains(&prefix_weight) {
                return Err(PyValueError::new_err("prefix_weight has to be in the range 0.0 - 1.0"));
            }
            Parameters { prefix_weight, ..default }
        }
        _ => return Err(PyTypeError::new_err(format!("{scorer} has no parameters"))),
    })
}

fn weights(argument: &Bound<'_, PyAny>) -> PyResult<Weights> {
    let mut weights = Vec::new();
    for weight in argument.try_iter()? {
        let weight = weight?;
        let is_number = weight.is_instance_of::<PyInt>() || weight.is_instance_of::<PyBool>();
        let weight = if is_number { weight } else { weight.py().get_type::<PyInt>().call1((weight,))? };
        weights.push(whole(&weight)?);
    }
    match weights[..] {
        [insertion, deletion, replacement] => Ok(Weights { insertion, deletion, replacement }),
        _ => Err(PyValueError::new_err(format!(
            "weights are three: of an insertion, a deletion and a replacement, not {}",
            weights.len()
        ))),
    }
}
