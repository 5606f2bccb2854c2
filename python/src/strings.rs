//! Many strings: lists and tuples, arrays of NumPy, columns of Arrow.

use crate::arrow::StringColumn;
use crate::compared::Text;
use crate::copied::{Characters, Copied};
use crate::items::{Key, Keys};
use crate::signals::check_signals;
use crate::symbols::{Kind, Numbers, Symbols, of_text};
use crate::text::ascii;
use crate::text_list::TextList;
use carrywave::internal::threads;
use carrywave::text::numbered::number_lists;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString};
use std::borrow::Cow;

/// The memory of strings: copies, Python's objects, or a column of Arrow.
pub enum Held<'py> {
    Copied(Copied),
    Objects(Vec<Bound<'py, PyAny>>),
    Column(StringColumn),
}

/// Strings, with `None` for each missing one.
pub struct Strings<'a> {
    pub all: Vec<Option<Symbols<'a>>>,
    /// Kind of the strings; `None` if there are none, or if they are sequences of items.
    pub kind: Option<Kind>,
}

/// Strings as bytes, and their kind.
type Plain<'s> = (Vec<&'s [u8]>, Kind);

/// Strings as bytes, with `None` for each missing one, and their kind.
type Ascii<'s> = (Vec<Option<Cow<'s, [u8]>>>, Kind);

impl<'py> Held<'py> {
    pub fn from_object(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err("this takes many strings, as a list or a column, not one"));
        }
        if let Some(column) = StringColumn::from_object(object)? {
            return Ok(Self::Column(column));
        }
        if let Some(copied) = Copied::from_object(object)? {
            return Ok(Self::Copied(copied));
        }
        let mut objects = Vec::new();
        for item in object.try_iter()? {
            objects.push(plain(item?)?);
            check_signals(object.py(), objects.len())?;
        }
        Ok(Self::Objects(objects))
    }

    /// Returns all strings as bytes if they are bytes or ASCII without missing ones: the fast path.
    pub fn bytes(&self, py: Python<'py>) -> PyResult<Option<Plain<'_>>> {
        match self {
            Self::Copied(copied) => {
                let bytes = |text| match text {
                    Some(Characters::Latin(bytes)) if bytes.is_ascii() => Some(bytes),
                    _ => None,
                };
                let strings: Option<Vec<&[u8]>> = copied.texts().map(bytes).collect();
                Ok(strings.map(|strings| (strings, Kind::Text)))
            }
            Self::Column(column) => {
                let Some(is_text) = column.is_text() else { return Ok(None) };
                let kind = Kind::of_column(is_text);
                Ok(py.detach(|| threads::run(|| column.plain())).map(|strings| (strings, kind)))
            }
            Self::Objects(objects) => {
                let mut strings = Vec::with_capacity(objects.len());
                let mut kind = Kind::Text;
                for (number, object) in objects.iter().enumerate() {
                    check_signals(py, number + 1)?;
                    let (string, of) = if let Ok(text) = object.cast::<PyString>() {
                        match ascii(text)? {
                            Some(text) => (text.as_bytes(), Kind::Text),
                            None => return Ok(None),
                        }
                    } else if let Ok(bytes) = object.cast::<PyBytes>() {
                        (bytes.as_bytes(), Kind::Bytes)
                    } else {
                        return Ok(None);
                    };
                    if number > 0 && of != kind {
                        return Ok(None);
                    }
                    kind = of;
                    strings.push(string);
                }
                Ok(Some((strings, kind)))
            }
        }
    }

    /// Returns the strings and their kind. Some strings may be missing, and if all are, there is no
    /// kind. Returns `None` if some are `str` and some `bytes`, or if there are other objects. A
    /// string that is not ASCII does not slow down the others.
    pub fn texts(&self, py: Python<'py>) -> PyResult<Option<(TextList<'_>, Option<Kind>)>> {
        match self {
            Self::Copied(copied) => Ok(Some((TextList::Copied(copied), copied.kind()))),
            Self::Column(column) => {
                let Some(is_text) = column.is_text() else { return Ok(None) };
                let is_known = !is_text || py.detach(|| threads::run(|| column.is_utf8()));
                Ok(is_known.then_some((TextList::Column { column, is_text }, Some(Kind::of_column(is_text)))))
            }
            Self::Objects(objects) => {
                let mut texts = Vec::with_capacity(objects.len());
                let mut kind = None;
                for object in objects {
                    check_signals(py, texts.len() + 1)?;
                    let (text, of) = if let Ok(text) = object.cast::<PyString>() {
                        (of_text(text)?.into(), Kind::Text)
                    } else if let Ok(bytes) = object.cast::<PyBytes>() {
                        (Text::Bytes(bytes.as_bytes().into()), Kind::Bytes)
                    } else if is_missing(object) {
                        texts.push(None);
                        continue;
                    } else {
                        return Ok(None);
                    };
                    if kind.is_some_and(|kind| kind != of) {
                        return Ok(None);
                    }
                    kind = Some(of);
                    texts.push(Some(text));
                }
                Ok(Some((TextList::Texts(texts), kind)))
            }
        }
    }

    /// Returns all strings as bytes, with `None` for each missing one, and their kind. Text is
    /// ASCII.
    pub fn ascii(&self, py: Python<'py>) -> PyResult<Ascii<'_>> {
        if let Some((strings, kind)) = self.bytes(py)? {
            return Ok((strings.into_iter().map(|string| Some(string.into())).collect(), kind));
        }
        let Strings { all, kind } = self.strings(&mut Numbers::new(), false)?;
        let bytes = |symbols| match symbols {
            Symbols::Bytes(bytes) => Ok(bytes),
            Symbols::Latin(bytes) if bytes.is_ascii() => Ok(bytes),
            _ => Err(PyValueError::new_err("reads are bytes, or str in ASCII")),
        };
        let all = all.into_iter().map(|string| string.map(bytes).transpose());
        Ok((all.collect::<PyResult<_>>()?, kind.unwrap_or(Kind::Bytes)))
    }

    /// Returns all strings, of any kind.
    pub fn strings<'a>(&'a self, numbers: &mut Numbers<'py>, mixed: bool) -> PyResult<Strings<'a>> {
        match self {
            Self::Copied(copied) => {
                let symbols = |text| match text {
                    Characters::Latin(bytes) => Symbols::Latin(Cow::Borrowed(bytes)),
                    Characters::Wide(numbers) => Symbols::Characters(numbers.to_vec()),
                };
                Ok(Strings { all: copied.texts().map(|text| text.map(symbols)).collect(), kind: copied.kind() })
            }
            Self::Column(column) => {
                let is_text = column.is_text();
                let of = |bytes: &'a [u8]| match is_text == Some(true) {
                    false if mixed => Ok(Symbols::Latin(Cow::Borrowed(bytes))),
                    false => Ok(Symbols::Bytes(Cow::Borrowed(bytes))),
                    true if bytes.is_ascii() => Ok(Symbols::Latin(Cow::Borrowed(bytes))),
                    true => match std::str::from_utf8(bytes) {
                        Ok(text) => Ok(Symbols::Characters(text.chars().map(u32::from).collect())),
                        Err(error) => Err(PyValueError::new_err(format!("a string of Arrow is not UTF-8: {error}"))),
                    },
                };
                let all = column.strings().map(|bytes| bytes.map(of).transpose());
                let kind = is_text.map(Kind::of_column);
                Ok(Strings { all: all.collect::<PyResult<_>>()?, kind })
            }
            Self::Objects(objects) => {
                let (mut all, mut kind) = (Vec::with_capacity(objects.len()), None);
                for object in objects {
                    check_signals(object.py(), all.len() + 1)?;
                    if is_missing(object) {
                        all.push(None);
                        continue;
                    }
                    let (symbols, of) = Symbols::from_object(object, numbers)?;
                    if of != Kind::Items && !mixed {
                        check(kind, Some(of))?;
                        kind = Some(of);
                    }
                    all.push(Some(symbols));
                }
                Ok(Strings { all, kind })
            }
        }
    }
}

/// Returns the value of a scalar of Arrow, and any other object unchanged.
fn plain(object: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyList>() {
        return Ok(object);
    }
    match object.getattr_opt(intern!(object.py(), "as_py"))? {
        Some(value) => value.call0(),
        None => Ok(object),
    }
}

/// Returns true for an object that marks a missing string: None, NaN, the NA and NaT of pandas and
/// NumPy, a masked item.
fn is_missing(object: &Bound<'_, PyAny>) -> bool {
    if object.is_none() {
        return true;
    }
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
        return false;
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return number.value().is_nan();
    }
    let Ok(kind) = object.get_type().name() else { return false };
    match kind.to_str() {
        Ok("NAType" | "NaTType" | "MaskedConstant") => true,
        // NaN and NaT are not equal to themselves.
        Ok("float16" | "float32" | "longdouble" | "datetime64" | "timedelta64" | "Decimal") => {
            object.ne(object).unwrap_or(false)
        }
        _ => false,
    }
}

/// Checks that text and bytes are not compared with each other.
pub fn check(one: Option<Kind>, other: Option<Kind>) -> PyResult<()> {
    match (one, other) {
        (Some(one), Some(other)) if one != other && one != Kind::Items && other != Kind::Items => {
            Err(PyTypeError::new_err("some strings are str and others bytes: encode or decode some of them"))
        }
        _ => Ok(()),
    }
}

impl Strings<'_> {
    pub fn check(&self, other: &Self) -> PyResult<()> {
        check(self.kind, other.kind)
    }

    /// Returns the number of symbols of all strings.
    pub fn symbols(&self) -> u64 {
        self.all.iter().flatten().map(|string| string.len() as u64).sum()
    }
}

/// Returns two lists of strings to compare, for the library. Symbols are equal if their keys are,
/// whatever other strings there are.
pub fn texts<'a>(lists: [&[&'a Symbols<'a>]; 2]) -> carrywave::Result<[Vec<Text<'a>>; 2]> {
    let all = || lists.into_iter().flatten();
    let zero = all().next().map_or(0, |string| string.zero());
    if all().all(|string| string.bytes().is_some() && string.zero() == zero) {
        let bytes = |string: &&'a Symbols<'a>| Text::Bytes(string.bytes().unwrap_or_default().into());
        return Ok(lists.map(|list| list.iter().map(bytes).collect()));
    }
    if all().all(|string| !matches!(string, Symbols::Items(Keys::Long(_) | Keys::Wide(_)))) {
        let text = |string: &&'a Symbols<'a>| match string {
            Symbols::Latin(bytes) => Text::Bytes(bytes[..].into()),
            other => Text::Numbers(other.narrow().unwrap_or_default()),
        };
        return Ok(lists.map(|list| list.iter().map(text).collect()));
    }
    let keys: Vec<Cow<'_, [Key]>> = all().map(|string| string.wide()).collect();
    let mut numbers = number_lists(keys.iter().map(AsRef::as_ref))?.into_iter();
    Ok(lists.map(|list| numbers.by_ref().take(list.len()).map(|own| Text::Numbers(Cow::Owned(own))).collect()))
}
