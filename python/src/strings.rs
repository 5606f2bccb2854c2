//! Many strings: lists and tuples, arrays of NumPy, columns of Arrow.

use crate::arrow::Column;
use crate::items::{FIRST_OTHER, INTEGER_ZERO, Key, Keys};
use crate::symbols::{Kind, Numbers, SIGNALS, Symbols};
use crate::text::ascii;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString};
use std::borrow::Cow;
use std::collections::HashMap;

/// What Python gave, which keeps the strings where they are.
pub enum Held<'py> {
    Objects(Vec<Bound<'py, PyAny>>),
    Column(Column),
}

/// Strings, with `None` for each that is missing.
pub struct Strings<'a> {
    pub all: Vec<Option<Symbols<'a>>>,
    /// What they are, if any is there and it is no sequence of items.
    pub kind: Option<Kind>,
}

/// Strings as bytes, and what they are of.
type Plain<'s> = (Vec<&'s [u8]>, Kind);

impl<'py> Held<'py> {
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err("this takes many strings, as a list or a column, not one"));
        }
        if let Some(column) = Column::of(object)? {
            return Ok(Self::Column(column));
        }
        Ok(Self::Objects(object.try_iter()?.map(|object| plain(object?)).collect::<PyResult<_>>()?))
    }

    /// All strings as bytes where each is in ASCII or bytes, and none is missing: the fast way.
    pub fn bytes(&self, py: Python<'py>) -> PyResult<Option<Plain<'_>>> {
        match self {
            Self::Column(column) => {
                let Some(is_text) = column.is_text() else { return Ok(None) };
                let kind = if is_text { Kind::Text } else { Kind::Bytes };
                Ok(py.detach(|| carrywave::threads::run(|| column.plain())).map(|strings| (strings, kind)))
            }
            Self::Objects(objects) => {
                let mut strings = Vec::with_capacity(objects.len());
                let mut kind = Kind::Text;
                for (number, object) in objects.iter().enumerate() {
                    look(py, number + 1)?;
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

    /// All strings, whatever they are of.
    pub fn strings<'a>(&'a self, numbers: &mut Numbers<'py>, mixed: bool) -> PyResult<Strings<'a>> {
        match self {
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
                let kind = is_text.map(|is_text| if is_text { Kind::Text } else { Kind::Bytes });
                Ok(Strings { all: all.collect::<PyResult<_>>()?, kind })
            }
            Self::Objects(objects) => {
                let (mut all, mut kind) = (Vec::with_capacity(objects.len()), None);
                for object in objects {
                    if is_missing(object) {
                        all.push(None);
                        continue;
                    }
                    look(object.py(), all.len() + 1)?;
                    let (symbols, of) = Symbols::of(object, numbers)?;
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

/// Returns true for an object that marks a missing string: None, NaN, the NA and NaT of pandas and NumPy, a masked item.
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

/// Looks for signals once in [`SIGNALS`] strings.
fn look(py: Python<'_>, done: usize) -> PyResult<()> {
    if done.is_multiple_of(SIGNALS) { py.check_signals() } else { Ok(()) }
}

/// Makes sure that text and bytes are not compared.
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

    /// Symbols of all strings.
    pub fn symbols(&self) -> u64 {
        self.all.iter().flatten().map(|string| string.len() as u64).sum()
    }
}

/// A code of a byte for each symbol, as long as there are codes.
pub struct Codes {
    /// Codes plus 1 of all code points, then of as many integers from 0 on; 0 marks a symbol without a code.
    low: Vec<u16>,
    high: HashMap<Key, u16>,
    next: u16,
}

/// Codes there are.
const CODES: u16 = 256;

impl Codes {
    pub fn new() -> Self {
        Self { low: vec![0; 2 * FIRST_OTHER as usize], high: HashMap::new(), next: 0 }
    }

    /// Gives codes to the symbols of a string; none if there are not enough.
    pub fn add(&mut self, string: &Symbols<'_>, most: u16) -> Option<()> {
        let mut add = |symbol: Key| {
            let next = self.next;
            let code = match usize::try_from(symbol).ok().and_then(|symbol| self.low.get_mut(symbol)) {
                Some(code) => code,
                None => self.high.entry(symbol).or_insert(0),
            };
            if *code == 0 {
                if next == most.min(CODES) {
                    return None;
                }
                (*code, self.next) = (next + 1, next + 1);
            }
            Some(())
        };
        carrywave::threads::check();
        each(string).try_for_each(&mut add)
    }

    /// A string in codes; `other` stands for symbols that have none.
    pub fn coded(&self, string: &Symbols<'_>, other: u8) -> Vec<u8> {
        let code = |symbol: Key| {
            let code = match usize::try_from(symbol).ok().and_then(|symbol| self.low.get(symbol)) {
                Some(&code) => code,
                None => self.high.get(&symbol).copied().unwrap_or(0),
            };
            code.checked_sub(1).map_or(other, |code| code as u8)
        };
        each(string).map(code).collect()
    }

    /// Forgets the symbols of a string, which were all that had codes.
    pub fn forget(&mut self, string: &Symbols<'_>) {
        for symbol in each(string) {
            if let Some(code) = usize::try_from(symbol).ok().and_then(|symbol| self.low.get_mut(symbol)) {
                *code = 0;
            }
        }
        self.high.clear();
        self.next = 0;
    }
}

/// A string's symbols, one by one: integers from 0 on come right after the code points, before the other keys.
fn each<'s>(string: &'s Symbols<'_>) -> Box<dyn Iterator<Item = Key> + 's> {
    let place = |key: Key| match key - Key::from(INTEGER_ZERO) {
        integer if integer >= 0 => integer + Key::from(FIRST_OTHER),
        _ if key >= Key::from(FIRST_OTHER) => key - (1 << 80),
        _ => key,
    };
    match string {
        Symbols::Characters(characters) => Box::new(characters.iter().map(|&character| character.into())),
        Symbols::Latin(bytes) => Box::new(bytes.iter().map(|&byte| byte.into())),
        Symbols::Items(Keys::Narrow(keys)) => Box::new(keys.iter().map(move |&key| place(key.into()))),
        Symbols::Items(Keys::Long(keys)) => Box::new(keys.iter().map(move |&key| place(key.into()))),
        Symbols::Items(Keys::Wide(keys)) => Box::new(keys.iter().map(move |&key| place(key))),
        bytes => {
            let integers = bytes.bytes().unwrap_or_default().iter();
            Box::new(integers.map(|&byte| Key::from(byte) + Key::from(FIRST_OTHER)))
        }
    }
}
